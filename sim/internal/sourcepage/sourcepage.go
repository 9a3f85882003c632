// Package sourcepage is what pages that show source have in common: their style, and a table of
// lines with marks.
package sourcepage

import (
	_ "embed"
	"html/template"
	"strings"
)

var (
	//go:embed style.css
	style string
	//go:embed source.html
	source string
)

// Table is the lines of a file. In a page it is {{template "source" .}}.
type Table struct {
	Columns []string // between the line's number and its text
	Rows    []Row
}

// Row is a line.
type Row struct {
	Number int
	Cells  []string // one for each column
	Text   string
	Class  string // hit, part or miss, or ""
	Notes  []Note // below the text
}

// Note is something about a line. With a link it leads to the place of that name in the page.
type Note struct{ Text, Link string }

// Page returns the template of a page, which may use the table, and style in its element of that
// name.
func Page(text string, functions template.FuncMap) *template.Template {
	t := template.New("page").Funcs(template.FuncMap{"style": func() template.CSS { return template.CSS(style) }}).Funcs(functions)
	return template.Must(template.Must(t.Parse(source)).Parse(text))
}

// Lines returns the lines of a text.
func Lines(text string) []string {
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r", ""), "\n"), "\n")
}
