package vectors

import (
	"fmt"
	"strconv"
	"strings"
)

// table reads the rows of a table.
func (c *checker) table(s *Section) {
	var columns []*Port // nil for a port that is not known
	var titles *Line
	for i := range s.Lines {
		l := &s.Lines[i]
		if l.blank() {
			continue
		}
		if titles == nil {
			titles, columns = l, c.columns(l)
			continue
		}
		c.row(titles, columns, l)
	}
	if titles != nil && titles == lastCode(s.Lines) {
		c.span(titles.At, titles.end(), 1, "the table has no rows", "write values below the names")
	}
}

// lastCode returns the last line that is not only a comment.
func lastCode(lines []Line) (last *Line) {
	for i := range lines {
		if !lines[i].blank() {
			last = &lines[i]
		}
	}
	return last
}

// columns returns the ports of a table.
func (c *checker) columns(l *Line) (columns []*Port) {
	d := c.plan.design
	seen := map[string]bool{}
	for i, w := range l.Words {
		drives := i < l.Left
		p := d.port(w.Text)
		side := map[bool]string{true: "input", false: "output"}
		switch {
		case p == nil && w.Text == d.clock:
			c.at(l.At, w, fmt.Sprintf("%s is the clock: each row is a cycle of it", w.Text), "delete the column")
		case p == nil:
			c.at(l.At, w, fmt.Sprintf("%s has no %s %s", d.name, side[drives], w.Text), choice(w.Text, d.names(drives)))
		case p.Input != drives:
			where := map[bool]string{true: "left", false: "right"}
			c.at(l.At, w, fmt.Sprintf("%s is an %s: it stands on the other side of |", w.Text, side[p.Input]), fmt.Sprintf("%ss stand %s of it", side[p.Input], where[p.Input]))
			p = nil
		case seen[w.Text]:
			c.at(l.At, w, fmt.Sprintf("a second column %s", w.Text), "delete one of them")
			p = nil
		}
		seen[w.Text] = true
		columns = append(columns, p)
	}
	return columns
}

// row reads a row.
func (c *checker) row(titles *Line, columns []*Port, l *Line) {
	s := step{line: l, op: "row", repeat: 1}
	if l.Label != nil {
		if at, twice := c.labels[l.Label.Text]; twice {
			c.at(l.At, *l.Label, fmt.Sprintf("the label %s is there already, in line %d", l.Label.Text, at), "labels name one row each")
		}
		c.labels[l.Label.Text] = l.At
	}
	var span *cell
	for i, w := range l.Words {
		column := i
		if i >= l.Left {
			column += titles.Left - l.Left
		}
		if column >= len(columns) || columns[column] == nil || i < l.Left && column >= titles.Left {
			continue
		}
		p := columns[column]
		v, ok := c.value(l.At, w, p)
		if !ok || v.open {
			continue
		}
		at := cell{p, w, v}
		if !p.Input {
			s.expect = append(s.expect, at)
			continue
		}
		if !c.drives(l.At, w, p, v) {
			continue
		}
		if v.lo.Cmp(v.hi) != 0 {
			if span != nil {
				c.at(l.At, w, "a second range that drives, in the same row", "a row counts one input up; write the others out")
			}
			span = &at
		}
		s.drive = append(s.drive, at)
	}
	if l.Repeat != nil {
		n, err := strconv.Atoi(strings.ReplaceAll(l.Repeat.Text[1:], "_", ""))
		if err != nil || n < 1 {
			c.at(l.At, *l.Repeat, fmt.Sprintf("%s is not a number of cycles", l.Repeat.Text), "write *1 or more, in decimal digits")
			n = 1
		}
		s.repeat = min(n, 2*MaxCycles)
	}
	steps := s.steps()
	w := Word{" ", l.end()}
	if l.Repeat != nil {
		w = *l.Repeat
	} else if span != nil {
		w = span.word
	}
	c.spend(l.At, w, s.repeat*steps)
	if c.cycles <= MaxCycles {
		c.plan.steps = append(c.plan.steps, s)
	}
}

// value reads the value of a port.
func (c *checker) value(line int, w Word, p *Port) (value, bool) {
	v, problem, help := parseValue(w.Text, p)
	if problem != "" && p.Names.Set { // find the name that is wrong
		column := w.Column
		for part := range strings.SplitSeq(w.Text, ",") {
			if _, worse, _ := parseValue(part, p); worse != "" && part != w.Text {
				w = Word{part, column}
				break
			}
			column += len(part) + 1
		}
	}
	if problem != "" {
		c.at(line, w, problem, help)
	}
	return v, problem == ""
}

// drives reports whether a value can be driven. If not, it adds an error.
func (c *checker) drives(line int, w Word, p *Port, v value) bool {
	what := ""
	switch {
	case v.fill:
		what = "? is a value to be filled in"
	case v.unknowns():
		what = "x is a value that must be unknown"
	case v.care != nil:
		what = "- is a digit that does not matter"
	}
	if what != "" {
		c.at(line, w, fmt.Sprintf("%s, but %s is an input: it is driven", what, p.Name), "write a value; - leaves it as it is")
	}
	return what == ""
}
