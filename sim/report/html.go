package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/cosimate/cosimate/sim/wave"
)

var (
	//go:embed report.html
	pageText string
	//go:embed page.css
	pageStyle string
	page      = template.Must(template.New("report").Parse(pageText))
)

// Style returns the style sheet of a failure's page, for other pages about tests.
func Style() string { return pageStyle }

// HTML returns the whole report as one page, which loads nothing. It draws the signals of f.FST, or
// if there is none, f.Wave. It links to f.Files by their paths; if these are relative, then to the
// page. The page is also well-formed XML.
func (f *Failure) HTML() string { return f.html(f.waves()) }

// links is the script that moves the waves to a transaction that is clicked on.
const links = `	for (const button of document.querySelectorAll("button[data-from]")) {
		button.addEventListener("click", () => {
			const from = Number(button.dataset.from), to = Number(button.dataset.to);
			waves.select("transactions of " + button.dataset.who);
			waves.goTo(to, from, to);
			document.getElementById("waves").scrollIntoView({block: "nearest"});
		});
	}
`

// html returns the page with these waves. If they are not those of f.FST, problem says why.
func (f *Failure) html(set *wave.Set, problem error) string {
	title := f.Title()
	headline, _, _ := strings.Cut(title, " in cycle ")
	v := pageView{
		Title: title, Headline: headline, Style: template.CSS(pageStyle),
		Facts: f.facts(), Note: clean(f.Note), Reason: clean(f.Reason), Reproduce: clean(f.Reproduce),
	}
	if ports, _ := f.differing(); ports != nil && v.Reason == "" {
		v.Headline += ": " + strings.Join(ports, ", ")
	}
	for _, c := range f.Columns {
		v.Columns = append(v.Columns, cleanLine(c))
	}
	for i := range f.Ports {
		f.viewPort(&v, &f.Ports[i])
	}
	if len(f.Wave.Cycles) > 0 {
		v.SVG = template.HTML(f.SVG())
	}
	if set != nil {
		v.Wave = wave.InPage(set, links)
	}
	if problem != nil {
		v.Problem = cleanLine(problem.Error())
	}
	for _, t := range f.Transactions {
		row := transactionView{From: t.From, To: t.To, Who: cleanLine(t.Who), What: cleanLine(t.What), Bad: t.Bad}
		if v.Wave.Body != "" && t.To >= set.First && t.From < set.End {
			row.Link = true
		}
		v.Transactions = append(v.Transactions, row)
	}
	for _, file := range f.allFiles() {
		link := url.URL{Path: filepath.ToSlash(file.Path)}
		// The URL has a path only, so it is safe without escaping.
		v.Files = append(v.Files, fileView{template.URL(link.String()), cleanLine(file.Path), cleanLine(file.About)})
	}
	var b strings.Builder
	if err := page.Execute(&b, v); err != nil {
		panic(err) // cannot be: the template fits the view
	}
	return b.String()
}

// The types of the template's data: see report.html.
type (
	pageView struct {
		Title, Headline, Note, Reason, Reproduce string
		Style                                    template.CSS
		Facts                                    []fact
		Columns                                  []string
		Rows                                     []rowView
		Words                                    []wordsView
		Grids                                    []gridView
		SVG                                      template.HTML
		Wave                                     wave.Inline
		Problem                                  string
		Transactions                             []transactionView
		Files                                    []fileView
	}
	fact    struct{ Name, Value string }
	rowView struct {
		Name, Span string
		Differs    bool
		Cells      []cellView
		Remark     string
	}
	cellView  struct{ Class, Text, Title string }
	wordsView struct {
		Name string
		Rows []rowView
		More int
	}
	gridView struct {
		Name, Where string
		Boards      []boardView
	}
	boardView struct {
		Name string
		Rows []rowView
	}
	transactionView struct {
		From, To  uint64
		Who, What string
		Bad, Link bool
	}
	fileView struct {
		Link        template.URL
		Name, About string
	}
)

func (f *Failure) facts() []fact {
	facts := []fact{
		{"module", cleanLine(f.Top)}, {"cycle", fmt.Sprint(f.Cycle)}, {"simulated time", f.At.String()},
	}
	if _, simulators := f.differing(); simulators != nil {
		facts = append(facts, fact{"differs on", strings.Join(simulators, ", ")})
	} else if len(f.Columns) > 1 {
		facts = append(facts, fact{"simulator", cleanLine(strings.Join(f.Columns[1:], ", "))})
	}
	facts = append(facts, fact{"seed", fmt.Sprint(f.Seed)})
	if f.File != "" {
		where := cleanLine(f.File)
		if f.Line > 0 {
			where += fmt.Sprint(":", f.Line)
		}
		facts = append(facts, fact{"test", where})
	}
	return facts
}

// class returns the CSS class of a value in a table.
func class(bad, differs bool) string {
	switch {
	case bad:
		return "bad"
	case differs:
		return "good"
	}
	return ""
}

// viewPort adds a port's row, words and grids.
func (f *Failure) viewPort(v *pageView, p *Port) {
	name := cleanLine(p.Name)
	row := rowView{Name: name, Span: p.span(), Differs: p.differs(), Remark: p.remark(f.Columns)}
	for c := range f.Columns {
		bad := p.Differ(c).Sign() != 0
		row.Cells = append(row.Cells, cellView{Class: class(bad, p.differs()), Text: cleanLine(p.Text(p.value(c)))})
	}
	v.Rows = append(v.Rows, row)

	if words, more := f.wideWords(p); words != nil {
		view := wordsView{Name: name, More: more}
		for _, w := range words {
			row := rowView{Name: w.span, Remark: w.bits}
			for c, text := range w.values {
				row.Cells = append(row.Cells, cellView{Class: class(w.differs[c], true), Text: text})
			}
			view.Rows = append(view.Rows, row)
		}
		v.Words = append(v.Words, view)
	}

	if p.grid() {
		view := gridView{Name: name, Where: p.squareNames()}
		for c, column := range f.Columns {
			board := boardView{Name: cleanLine(column)}
			for r, squares := range p.squares(c) {
				row := rowView{Name: fmt.Sprint(8 - r)}
				for _, s := range squares {
					row.Cells = append(row.Cells, s.view(c))
				}
				board.Rows = append(board.Rows, row)
			}
			view.Boards = append(view.Boards, board)
		}
		v.Grids = append(v.Grids, view)
	}
}

func (s square) view(column int) cellView {
	v := cellView{Text: s.mark, Title: fmt.Sprintf("%c%d, bit %d", 'a'+s.bit%8, s.bit/8+1, s.bit)}
	switch s.mark {
	case ".":
		v.Text = ""
	case "#":
		v.Text, v.Class = "●", "on"
	case "x", "z":
		v.Class = "unknown"
	}
	if s.differs {
		v.Class += " " + class(column > 0, true)
	}
	return v
}
