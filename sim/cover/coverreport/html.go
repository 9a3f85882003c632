package coverreport

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/sim/cover/coverdb"
	"github.com/cosimate/cosimate/sim/internal/sourcepage"
)

//go:embed page.html
var pageText string

var page = sourcepage.Page(pageText, template.FuncMap{
	"percent":     Percent,
	"width":       func(fraction float64) float64 { return float64(int(fraction*1000)) / 10 },
	"grade":       grade,
	"notMeasured": func() string { return NotMeasured },
})

// HTML returns a page of all coverage, in one file, without scripts. Function source returns the
// text of a source file. Where it returns an error, the page has the file's points without the
// text.
func (r *Report) HTML(source func(name string) ([]byte, error)) ([]byte, error) {
	v := view{Kinds: r.Kinds}
	v.Functional, v.Bins = r.Functional()
	v.HasFunctional = v.Bins.All > 0
	for _, k := range r.Kinds {
		v.Code = append(v.Code, r.Code[k])
	}
	for n, f := range r.Files {
		fv := fileView{ID: fmt.Sprintf("file%d", n+1), Name: f.Name, Measured: f.Measured(), Columns: max(1, 2*len(r.Kinds))}
		for _, k := range r.Kinds {
			fv.Rates = append(fv.Rates, f.Rates[k])
		}
		text, err := source(f.Name)
		switch {
		case !f.Measured():
			fv.Note = "Not measured: Verilator has put no points into its code, and no total counts it."
		case err != nil:
			fv.Note = "The source is not here, only what was counted: " + err.Error()
		case f.Hash != "" && f.Hash != coverdb.Hash(text):
			fv.Note = "The source has changed since it was simulated: the counts are those of its lines then."
		}
		fv.Source = sourcepage.Table{Columns: []string{"count", "branch", "toggle"}, Rows: f.rows(text, err == nil)}
		v.Files = append(v.Files, fv)
	}
	for n, g := range r.Groups {
		gv := groupView{ID: fmt.Sprintf("group%d", n+1), Name: g.Name, Fraction: g.Fraction(), Rate: g.Rate()}
		for _, i := range g.Items {
			gv.Items = append(gv.Items, i.view())
		}
		v.Groups = append(v.Groups, gv)
	}
	var b bytes.Buffer
	err := page.Execute(&b, v)
	return b.Bytes(), err
}

type view struct {
	Functional    float64
	HasFunctional bool
	Bins          Rate
	Kinds         []string
	Code          []Rate
	Files         []fileView
	Groups        []groupView
}

type fileView struct {
	ID, Name string
	Measured bool
	Columns  int // of the table of rates
	Rates    []Rate
	Note     string // a warning, or ""
	Source   sourcepage.Table
}

// grade returns the CSS class of a rate's colour.
func grade(fraction float64) string {
	switch {
	case fraction >= 1:
		return "full"
	case fraction >= 0.8:
		return "most"
	}
	return "low"
}

func (f *File) rows(text []byte, found bool) (rows []sourcepage.Row) {
	at := map[int][]Point{}
	last := 0
	for _, p := range f.Points {
		at[p.Line] = append(at[p.Line], p)
		last = max(last, p.Line)
	}
	for l := range f.Lines {
		last = max(last, l)
	}
	var lines []string
	if found {
		lines = sourcepage.Lines(string(text))
	}
	add := func(n int) {
		r := sourcepage.Row{Number: n}
		if n > 0 && n <= len(lines) {
			r.Text = lines[n-1]
		} else if found {
			r.Notes = append(r.Notes, sourcepage.Note{Text: "the file has no such line: it is not the one that was simulated"})
		}
		count, executable := f.Lines[n]
		var branches, toggles Rate
		missed := false
		for _, p := range at[n] {
			switch {
			case p.Branch:
				branches.add(p.Count > 0)
			case p.Kind == "toggle":
				toggles.add(p.Count > 0)
			case p.Kind == Line:
				continue // counted in Lines
			}
			if p.Count == 0 {
				missed = true
				r.Notes = append(r.Notes, sourcepage.Note{Text: p.missing()})
			}
		}
		r.Cells = []string{"", "", ""} // without a count nothing in the line can be executed
		if executable {
			r.Cells[0] = fmt.Sprint(count)
		}
		for i, rate := range []Rate{branches, toggles} {
			if rate.All > 0 {
				r.Cells[i+1] = fmt.Sprintf("%d/%d", rate.Hit, rate.All)
			}
		}
		switch {
		case executable && count == 0:
			r.Class = "miss"
		case missed:
			r.Class = "part"
		case executable || len(at[n]) > 0:
			r.Class = "hit"
		}
		rows = append(rows, r)
	}
	if !found {
		// Without the text, only the lines with points are shown.
		for n := range last + 1 {
			if _, ok := f.Lines[n]; ok || at[n] != nil {
				add(n)
			}
		}
		return rows
	}
	for n := 1; n <= len(lines); n++ {
		add(n)
	}
	for n := range last + 1 {
		if _, ok := f.Lines[n]; n == 0 || n > len(lines) {
			if ok || at[n] != nil {
				add(n)
			}
		}
	}
	return rows
}

type groupView struct {
	ID, Name string
	Fraction float64
	Rate     Rate
	Items    []itemView
}

type itemView struct {
	Name     string
	Cross    bool
	Fraction float64
	Rate     Rate
	Bins     []Bin
	Omitted  int // bins that are hit and left out, if there are too many to show
	// A cross of two points as a table.
	Columns []string
	Matrix  []matrixRow
}

type matrixRow struct {
	Name  string
	Cells []*Bin // nil: excluded
}

const (
	mostBins    = 1000 // shown of an item
	mostColumns = 20
)

func (i *Item) view() itemView {
	v := itemView{Name: i.Name, Cross: i.Cross, Rate: i.Rate(), Fraction: i.Rate().Fraction(), Bins: i.Bins}
	if i.Cross {
		v.matrix(i)
	}
	if len(v.Bins) > mostBins {
		v.Bins = nil
		for _, b := range i.Bins {
			if (b.Missing() || b.Kind != coverdb.Goal) && len(v.Bins) < mostBins {
				v.Bins = append(v.Bins, b)
			}
		}
		v.Omitted = len(i.Bins) - len(v.Bins)
	}
	return v
}

// matrix makes a table of a cross of two points, unless it would be too wide. Bins that are not in
// the table stay in the list.
func (v *itemView) matrix(i *Item) {
	var rest []Bin
	rows := map[string]int{}
	for n := range i.Bins {
		b := &i.Bins[n]
		inner, ok := strings.CutPrefix(b.Name, "<")
		inner, ok2 := strings.CutSuffix(inner, ">")
		if b.Kind != coverdb.Goal {
			rest = append(rest, *b)
			continue
		}
		if !ok || !ok2 || strings.Count(inner, ",") != 1 {
			v.Columns, v.Matrix = nil, nil
			return
		}
		first, second, _ := strings.Cut(inner, ",")
		column := slices.Index(v.Columns, second)
		if column < 0 {
			column = len(v.Columns)
			v.Columns = append(v.Columns, second)
		}
		if column >= mostColumns {
			v.Columns, v.Matrix = nil, nil
			return
		}
		at, ok := rows[first]
		if !ok {
			at = len(v.Matrix)
			rows[first] = at
			v.Matrix = append(v.Matrix, matrixRow{Name: first})
		}
		for len(v.Matrix[at].Cells) <= column {
			v.Matrix[at].Cells = append(v.Matrix[at].Cells, nil)
		}
		v.Matrix[at].Cells[column] = b
	}
	for n := range v.Matrix {
		for len(v.Matrix[n].Cells) < len(v.Columns) {
			v.Matrix[n].Cells = append(v.Matrix[n].Cells, nil)
		}
	}
	v.Bins = rest
}
