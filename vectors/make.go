package vectors

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// What vectors are made of that nobody wrote: headers, tables of cycles.

// header is the one of a vector that is made. Parameters are as it has them.
func header(title, design, parameters string) []Line {
	lines := comment(title)
	for _, l := range [][]string{{"design", design}, append([]string{"parameters"}, strings.Fields(parameters)...)} {
		if len(l) > 1 {
			lines = append(lines, Line{Label: &Word{Text: l[0]}, Words: plain(l[1:])})
		}
	}
	return lines
}

// plain are words that stand nowhere yet.
func plain(texts []string) (words []Word) {
	for _, t := range texts {
		words = append(words, Word{Text: t})
	}
	return words
}

// repeats is what stands behind a row that lasts n cycles.
func repeats(n int) *Word {
	if n == 1 {
		return nil
	}
	return &Word{Text: fmt.Sprintf("*%d", n)}
}

// folded are rows of a cycle each, with one in the place of several that are the same.
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

// replan is the plan of a vector that was made or changed, as it is read again.
func (r *Registry) replan(f *File) (*plan, error) {
	f, err := Parse(f.Name, []byte(Format(f)))
	if err != nil {
		return nil, err
	}
	return r.plan(f)
}

// table makes a table of cycles: inputs that change, outputs that are expected.
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

// comment is a text as lines of comment.
func comment(text string) (lines []Line) {
	for t := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if utf8.RuneCountInString(t) > 400 {
			t = string([]rune(t)[:400]) + "..."
		}
		lines = append(lines, Line{Comment: strings.TrimSpace("# " + t)})
	}
	return lines
}
