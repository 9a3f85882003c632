package mutate

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/internal/sourcepage"
	"github.com/cosimate/cosimate/sim/report"
)

//go:embed page.html
var pageText string

var page = sourcepage.Page(pageText, nil)

// Most of what a page has: mutants with waves, and cycles in a picture, the last ones.
const (
	mostPictures = 200
	mostCycles   = 24
)

// The types of the template's data: see page.html.
type (
	pageView struct {
		Design, Summary string
		Tiles, Tests    []countView
		Open            []openView
		More            int // that are left out of Open
		Files           []fileView
	}
	countView struct {
		Name  string
		Count int
	}
	openView struct {
		ID, Title, Where, Length string
		Verdict                  Verdict
		Tried                    []string
		Picture                  template.URL
	}
	fileView struct {
		Name   string
		Source sourcepage.Table
	}
)

// HTML returns the report as one page, which loads nothing: the source with marks, and waves of
// what is missed. The source is read from the recording.
func (r *Report) HTML() ([]byte, error) {
	sources, err := r.design.Sources()
	if err != nil {
		return nil, err
	}
	v := pageView{Design: r.Design, Summary: r.Summary(), Tiles: []countView{{"mutants", len(r.Results)}}}
	for _, verdict := range []Verdict{Found, Equivalent, Missed, Undecided, ""} {
		if n := r.Count(verdict); n > 0 {
			v.Tiles = append(v.Tiles, countView{verdict.name(), n})
		}
	}
	by := r.Tests()
	for _, name := range slices.SortedFunc(maps.Keys(by), func(x, y string) int { return cmp.Or(by[y]-by[x], strings.Compare(x, y)) }) {
		v.Tests = append(v.Tests, countView{name, by[name]})
	}
	lines := map[string]map[int][]*Result{}
	for i := range r.Results {
		m := &r.Results[i]
		if lines[m.File] == nil {
			lines[m.File] = map[int][]*Result{}
		}
		lines[m.File][m.Line] = append(lines[m.File][m.Line], m)
		if m.Verdict != Missed && m.Verdict != Undecided {
			continue
		}
		if len(v.Open) == mostPictures {
			v.More++
			continue
		}
		o := openView{ID: anchor(m), Title: fmt.Sprintf("%d %s", m.ID, m.What), Where: fmt.Sprintf("%s:%d", m.File, m.Line), Verdict: m.Verdict, Tried: m.Tried}
		if m.Witness != nil {
			o.Length = m.Witness.length()
			o.Picture = template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(r.picture(m))))
		}
		v.Open = append(v.Open, o)
	}
	for _, f := range sources {
		v.Files = append(v.Files, fileView{f.Name, marked(lines[f.Name], sourcepage.Lines(string(f.Data)))})
	}
	var b bytes.Buffer
	err = page.Execute(&b, v)
	return b.Bytes(), err
}

// name is a verdict as a heading.
func (v Verdict) name() string {
	if v == "" {
		return "not reached"
	}
	return string(v)
}

func anchor(m *Result) string { return fmt.Sprint("mutant", m.ID) }

// marked is a file with how many mutants of each line have which verdict.
func marked(of map[int][]*Result, lines []string) sourcepage.Table {
	verdicts := []Verdict{Found, Equivalent, Missed, Undecided, ""}
	t := sourcepage.Table{}
	for _, v := range verdicts {
		t.Columns = append(t.Columns, v.name())
	}
	for i, text := range lines {
		n := i + 1
		row := sourcepage.Row{Number: n, Text: text}
		count := map[Verdict]int{}
		for _, m := range of[n] {
			if count[m.Verdict]++; m.Verdict == Missed || m.Verdict == Undecided {
				row.Notes = append(row.Notes, sourcepage.Note{Text: fmt.Sprintf("%d %s", m.ID, m.What), Link: anchor(m)})
			}
		}
		for _, v := range verdicts {
			cell := ""
			if count[v] > 0 {
				cell = fmt.Sprint(count[v])
			}
			row.Cells = append(row.Cells, cell)
		}
		switch {
		case count[Missed] > 0:
			row.Class = "miss"
		case count[Undecided]+count[""] > 0:
			row.Class = "part"
		case len(of[n]) > 0:
			row.Class = "hit"
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// picture draws the last cycles of a mutant's witness.
func (r *Report) picture(m *Result) string {
	w := m.Witness
	from := max(len(w.Rows)-mostCycles, 0)
	f := report.Failure{Top: r.design.Top, Cycle: uint64(len(w.Rows) - 1), Columns: []string{"design", "mutant"}, Reason: m.What}
	f.Wave.Column = "mutant"
	for t := from; t < len(w.Rows); t++ {
		f.Wave.Cycles = append(f.Wave.Cycles, uint64(t))
	}
	column := func(rows [][]string, k int) (all []report.Value) {
		for t := from; t < len(rows); t++ {
			bits, _ := new(big.Int).SetString(rows[t][k], 16)
			all = append(all, report.Value{Bits: bits})
		}
		return all
	}
	add := func(name string, ports []bridge.Port, direction report.Direction) *report.Trace {
		signal := report.Signal{Name: name, Width: 1, Dir: direction}
		if i := slices.IndexFunc(ports, func(p bridge.Port) bool { return p.Name == name }); i >= 0 {
			signal.Width = ports[i].Width
		}
		f.Wave.Traces = append(f.Wave.Traces, report.Trace{Signal: signal})
		return &f.Wave.Traces[len(f.Wave.Traces)-1]
	}
	for k, name := range w.Inputs {
		add(name, r.layout.Inputs, report.Input).Values = column(w.Rows, k)
	}
	for k, name := range w.Outputs {
		t := add(name, r.layout.Outputs, report.Output)
		t.Values, t.Others = column(w.Got, k), []report.Series{{Column: "design", Values: column(w.Want, k)}}
	}
	return f.SVG()
}
