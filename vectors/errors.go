package vectors

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cosimate/cosimate/internal/spelling"
)

// Error is an error in a vector, with its place.
type Error struct {
	File    string
	Line    int // from 1; 0: the file as a whole
	Column  int // from 1, in characters; 0: the line as a whole
	Length  int // number of characters that are wrong
	Problem string
	Label   string // text behind the caret
	Notes   []string
	Help    string // how to correct it
	Text    string // the line of the vector
}

// Error returns the place, the problem, the line with a caret, and help.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
		if e.Column > 0 {
			fmt.Fprintf(&b, ":%d", e.Column)
		}
	}
	fmt.Fprintf(&b, ": error: %s", e.Problem)
	margin := strings.Repeat(" ", len(fmt.Sprint(e.Line)))
	if e.Line > 0 && e.Column > 0 {
		text, column := window(e.Text, e.Column)
		caret := strings.Repeat(" ", column-1) + strings.Repeat("^", max(1, min(e.Length, 60)))
		fmt.Fprintf(&b, "\n%s |\n%d | %s\n%s | %s", margin, e.Line, text, margin, caret)
		if e.Label != "" {
			fmt.Fprintf(&b, " %s", e.Label)
		}
	}
	for _, n := range e.Notes {
		fmt.Fprintf(&b, "\n%s = %s", margin, n)
	}
	if e.Help != "" {
		fmt.Fprintf(&b, "\n%s = help: %s", margin, e.Help)
	}
	return b.String()
}

// window returns the part of a long line around a column, and the column in this part.
func window(text string, column int) (string, int) {
	const before, after = 60, 60
	runes := []rune(printable(text))
	from, to := 0, len(runes)
	if len(runes) > before+after {
		from, to = max(0, column-1-before), min(len(runes), column-1+after)
		from = min(from, to)
	}
	shown := string(runes[from:to])
	column -= from
	if from > 0 {
		shown, column = "..."+shown, column+3
	}
	if to < len(runes) {
		shown += "..."
	}
	return shown, column
}

// printable returns a line with control characters made visible.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r < 0x20:
			return 0x2400 + r
		case r == 0x7f || r == utf8.RuneError || r >= 0x80 && r < 0xa0 || r == 0xfeff || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069:
			return '?'
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

// Errors are all errors found in a vector.
type Errors []*Error

// maxErrors is how many errors are kept, as one mistake can have many consequences.
const maxErrors = 20

// Error returns the texts with empty lines between them.
func (e Errors) Error() string {
	texts := make([]string, len(e))
	for i := range e {
		texts[i] = e[i].Error()
	}
	return strings.Join(texts, "\n\n")
}

// or returns the errors as an error, or nil if there are none.
func (e Errors) or() error {
	if len(e) == 0 {
		return nil
	}
	return e
}

// faults collects the errors of a file.
type faults struct {
	file *File
	list Errors
}

// at adds an error at a word.
func (f *faults) at(line int, w Word, problem, help string) *Error {
	return f.span(line, w.Column, utf8.RuneCountInString(w.Text), problem, help)
}

// span adds an error at a column. Column 0 is the line as a whole.
func (f *faults) span(line, column, length int, problem, help string) *Error {
	e := f.file.at(line, column, length, problem)
	e.Help = help
	if len(f.list) < maxErrors {
		f.list = append(f.list, e)
	}
	return e
}

// at returns an error at a place in the file.
func (f *File) at(line, column, length int, problem string) *Error {
	e := &Error{File: f.Name, Line: line, Column: column, Length: length, Problem: problem}
	if line >= 1 && line <= len(f.text) {
		e.Text = f.text[line-1]
	}
	return e
}

// nearest returns the name that is most similar to a word, if one is.
func nearest(word string, names []string) (string, bool) {
	best, least := "", 1+max(1, utf8.RuneCountInString(word)/3)
	for _, n := range names {
		if d := spelling.Distance(strings.ToLower(word), strings.ToLower(n), least); d < least {
			best, least = n, d
		}
	}
	if best == "" && len(word) >= 3 { // the word may be the beginning or the end of just one name
		for _, n := range names {
			if strings.Contains(n, word) {
				if best != "" {
					return "", false
				}
				best = n
			}
		}
	}
	return best, best != ""
}

// choice returns a help that lists the names, with the nearest one first.
func choice(word string, names []string) string {
	list := names
	more := ""
	if len(list) > 12 {
		list, more = list[:12], ", ..."
	}
	help := "one of: " + strings.Join(list, ", ") + more
	if len(names) == 1 {
		help = "use " + names[0]
	}
	if n, ok := nearest(word, names); ok {
		return fmt.Sprintf("did you mean %s? (%s)", n, help)
	}
	return help
}
