package vectors

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// This file makes the parts of vectors that are generated: headers and tables of cycles.

// header returns the header of a generated vector. Parameters are as in a header, "A=1 B=2".
func header(title, design, parameters string) []Line {
	lines := comment(title)
	for _, l := range [][]string{{"design", design}, append([]string{"parameters"}, strings.Fields(parameters)...)} {
		if len(l) > 1 {
			lines = append(lines, Line{Label: &Word{Text: l[0]}, Words: plain(l[1:])})
		}
	}
	return lines
}

// plain returns words without a place in a file.
func plain(texts []string) (words []Word) {
	for _, t := range texts {
		words = append(words, Word{Text: t})
	}
	return words
}

// repeats returns the last word of a row that lasts n cycles, or nil for one cycle.
func repeats(n int) *Word {
	if n == 1 {
		return nil
	}
	return &Word{Text: fmt.Sprintf("*%d", n)}
}

// folded returns rows of one cycle each with equal successive rows made one.
func folded(rows []Line) (lines []Line) {
	same := func(a, b Word) bool { return a.Text == b.Text }
	for begin := 0; begin < len(rows); {
		end := begin + 1
		for end < len(rows) && slices.EqualFunc(rows[begin].Words, rows[end].Words, same) {
			end++
		}
		l := rows[begin]
		l.Repeat = repeats(end - begin)
		lines, begin = append(lines, l), end
	}
	return lines
}

// replan prints a vector that was made or changed, reads it again, and returns its plan.
func (r *Registry) replan(f *File) (*plan, error) {
	f, err := Parse(f.Name, []byte(Format(f)))
	if err != nil {
		return nil, err
	}
	return r.plan(f)
}

// table returns a table of cycles with the inputs that change and the outputs to expect.
func (d *design) table(cycles []*traced, outputs []string) Section {
	s := Section{Kind: Cycles}
	titles := Line{Bar: &Word{Text: "|"}}
	var in, out []int
	for i := range d.ports {
		p := &d.ports[i]
		switch {
		case p.Input && slices.ContainsFunc(cycles, func(t *traced) bool { return t.values[i].Cmp(cycles[0].values[i]) != 0 || t.values[i].Sign() != 0 }):
			in = append(in, i)
			titles.Words = append(titles.Words, Word{Text: p.Name})
		case !p.Input && (outputs == nil || slices.Contains(outputs, p.Name)):
			out = append(out, i)
		}
	}
	titles.Left = len(titles.Words)
	for _, i := range out {
		titles.Words = append(titles.Words, Word{Text: d.ports[i].Name})
	}
	s.Lines = []Line{titles}
	first := len(d.ports) - len(d.outputs())
	var rows []Line
	for _, t := range cycles {
		l := Line{Bar: &Word{Text: "|"}, Left: len(in)}
		for _, i := range in {
			l.Words = append(l.Words, Word{Text: d.ports[i].text(t.values[i])})
		}
		for _, i := range out {
			text := "-"
			if t.ignored != nil && t.ignored[i-first].Sign() == 0 {
				text = d.ports[i].text(t.values[i])
			}
			l.Words = append(l.Words, Word{Text: text})
		}
		rows = append(rows, l)
	}
	s.Lines = append(s.Lines, folded(rows)...)
	return s
}

// comment returns a text as lines of comment.
func comment(text string) (lines []Line) {
	for t := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if utf8.RuneCountInString(t) > 400 {
			t = string([]rune(t)[:400]) + "..."
		}
		lines = append(lines, Line{Comment: strings.TrimSpace("# " + t)})
	}
	return lines
}
