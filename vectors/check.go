package vectors

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// MaxCycles is how long a vector may last.
const MaxCycles = 100_000_000

// defaultBound is how many cycles a statement may take that has no bound of its own (within).
const defaultBound = 1_000_000

// keys are those of the header.
var keys = []string{"design", "parameters", "seed", "period", "reset"}

// plan is a vector as it is played.
type plan struct {
	file   *File
	design *design
	config
	command string // that runs it again
	reset   int    // cycles of reset before the first; 0: from power-up on
	steps   []step
}

// step is a row or a statement.
type step struct {
	line   *Line
	drive  []cell
	expect []cell
	repeat int // of a row

	op     string // of a statement: "row", "wait", "set", "expect", "reset", "verb"
	cycles int    // of wait, reset; the bound of the others: 0 is none
	each   bool   // for: in each of these cycles
	verb   int
	args   []any
	words  []Word // of the arguments
	first  Word   // of the statement
}

// cell is a value of a port.
type cell struct {
	port *Port
	word Word
	value
}

// Check finds what is wrong with a vector, as far as that needs no simulator. What it finds is an [Errors].
func (r *Registry) Check(f *File) error {
	_, err := r.plan(f)
	return err
}

// plan makes a plan of a vector.
func (r *Registry) plan(f *File) (*plan, error) {
	c := &checker{faults: faults{file: f}, plan: &plan{file: f}, labels: map[string]int{}}
	c.header(r)
	if c.plan.design == nil {
		return nil, c.list
	}
	for i := range f.Sections {
		s := &f.Sections[i]
		switch s.Kind {
		case Cycles:
			c.table(s)
		case Script:
			for k := range s.Lines {
				if l := &s.Lines[k]; !l.blank() {
					c.statement(l)
				}
			}
		case EPD:
			for k := range s.Lines {
				if l := &s.Lines[k]; !l.blank() {
					c.epd(l)
				}
			}
		}
	}
	return c.plan, c.list.or()
}

type checker struct {
	faults
	plan   *plan
	labels map[string]int // the line of each
	cycles int
}

// spend counts cycles.
func (c *checker) spend(line int, w Word, n int) {
	before := c.cycles
	c.cycles = min(c.cycles+n, 2*MaxCycles)
	if before <= MaxCycles && c.cycles > MaxCycles {
		c.at(line, w, fmt.Sprintf("with this the vector lasts more than %d cycles", MaxCycles), "shorten it; time constants can be smaller than the real ones: see parameters")
	}
}

// header reads design, parameters and so on.
func (c *checker) header(r *Registry) {
	p := c.plan
	seen := map[string]int{}
	p.seed = 1
	for i := range c.file.Header {
		l := &c.file.Header[i]
		if l.Label == nil {
			continue
		}
		key := l.Label.Text
		if at := seen[key]; at > 0 {
			c.at(l.At, *l.Label, fmt.Sprintf("%s is given twice, first in line %d", key, at), "delete one of them")
			continue
		}
		seen[key] = l.At
		if !slices.Contains(keys, key) {
			c.at(l.At, *l.Label, fmt.Sprintf("there is no key %q", key), choice(key, keys))
			if n, _ := nearest(key, keys); n == "design" && c.file.value("design") == nil {
				return
			}
			continue
		}
		if key != "parameters" && len(l.Words) > 1 {
			c.at(l.At, l.Words[1], fmt.Sprintf("%s has one value", key), "delete the rest, or make it a comment with #")
		}
	}
	l := c.file.value("design")
	if l == nil || len(l.Words) == 0 {
		c.span(1, 0, 0, "the vector does not say which design it is for", "begin it with a line \"design: NAME\"; "+choice("", r.Names()))
		return
	}
	name := l.Words[0]
	if p.design = r.designs[name.Text]; p.design == nil {
		c.at(l.At, name, fmt.Sprintf("there is no design %q", name.Text), choice(name.Text, r.Names()))
		return
	}
	p.params, p.period = p.design.defaults(), p.design.period
	if l := c.file.value("parameters"); l != nil {
		for i, w := range l.Words {
			if n := len(c.list); i == 0 || n == 0 || c.list[n-1].Line != l.At {
				c.parameter(l.At, w)
			}
		}
	}
	if l := c.file.value("seed"); l != nil && len(l.Words) > 0 {
		n, err := strconv.ParseUint(l.Words[0].Text, 0, 64)
		if err != nil || n == 0 {
			c.at(l.At, l.Words[0], fmt.Sprintf("%q is not a seed", l.Words[0].Text), "a number from 1 to 18446744073709551615")
		}
		p.seed = n
	}
	if l := c.file.value("period"); l != nil && len(l.Words) > 0 {
		d, err := time.ParseDuration(l.Words[0].Text)
		if err != nil || d < 2*time.Nanosecond || d > time.Second {
			c.at(l.At, l.Words[0], fmt.Sprintf("%q is not the period of a clock", l.Words[0].Text), "2ns to 1s; without it, it is "+p.period.String())
		} else {
			p.period = d
		}
	}
	p.reset = p.design.resetCycles
	if l := c.file.value("reset"); l != nil && len(l.Words) > 0 {
		n, err := strconv.Atoi(l.Words[0].Text)
		switch {
		case err == nil && n > 0 && n < p.design.resetCycles && p.design.resetCycles > 3:
			c.at(l.At, l.Words[0], fmt.Sprintf("the reset of %s takes %d cycles", p.design.name, p.design.resetCycles), "leave the key out, or 0: from power-up on")
		case err != nil || n < 0 || n > 1000:
			c.at(l.At, l.Words[0], fmt.Sprintf("%q is not a number of cycles", l.Words[0].Text), "0 to 1000 cycles of reset before the first of the vector, 0: from power-up on; without the key, 3")
		default:
			p.reset = n
		}
	}
}

// parameter reads NAME=VALUE.
func (c *checker) parameter(line int, w Word) {
	var names []string
	for _, q := range c.plan.design.params {
		names = append(names, q.Name)
	}
	name, text, ok := strings.Cut(w.Text, "=")
	if !ok || name == "" || text == "" {
		c.at(line, w, fmt.Sprintf("%q is not NAME=VALUE", w.Text), "write parameters without blanks around =: HoldCycles=4")
		return
	}
	i := slices.Index(names, name)
	if i < 0 {
		help := fmt.Sprintf("%s has none", c.plan.design.name)
		if len(names) > 0 {
			help = choice(name, names)
		}
		c.at(line, Word{name, w.Column}, fmt.Sprintf("%s has no parameter %q", c.plan.design.name, name), help)
		return
	}
	q := c.plan.design.params[i]
	n, err := strconv.Atoi(strings.ReplaceAll(text, "_", ""))
	if err != nil || n < q.Min || q.Max > 0 && n > q.Max {
		bounds := fmt.Sprintf("at least %d", q.Min)
		if q.Max > 0 {
			bounds = fmt.Sprintf("%d to %d", q.Min, q.Max)
		}
		c.at(line, Word{text, w.Column + len(name) + 1}, fmt.Sprintf("%s cannot be %s", name, text), fmt.Sprintf("a decimal number, %s: %s", bounds, q.About))
		return
	}
	c.plan.params[name] = n
}

// table reads the rows of a table.
func (c *checker) table(s *Section) {
	var columns []*Port // nil: not known
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

// lastCode is the last line that is not only a comment.
func lastCode(lines []Line) (last *Line) {
	for i := range lines {
		if !lines[i].blank() {
			last = &lines[i]
		}
	}
	return last
}

// columns finds the ports of a table.
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

// steps is how many values a row's range drives one after the other; 1 without one.
func (s *step) steps() int {
	for _, d := range s.drive {
		if n := new(big.Int).Sub(d.hi, d.lo); n.Sign() > 0 {
			if !n.IsInt64() || n.Int64() > MaxCycles {
				return 2 * MaxCycles
			}
			return int(n.Int64()) + 1
		}
	}
	return 1
}

// value reads the value of a port.
func (c *checker) value(line int, w Word, p *Port) (value, bool) {
	v, problem, help := parseValue(w.Text, p)
	if problem != "" && p.Names.Set { // which of them?
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

// drives tells whether a value can be driven.
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

// duration reads a time, or a number of cycles.
func (c *checker) duration(line int, w Word) int {
	if n, err := strconv.Atoi(strings.ReplaceAll(w.Text, "_", "")); err == nil {
		if n < 1 {
			c.at(line, w, fmt.Sprintf("%s cycles cannot be waited for", w.Text), "1 or more")
			return 1
		}
		return min(n, 2*MaxCycles)
	}
	d, err := time.ParseDuration(w.Text)
	period := c.plan.period
	switch {
	case err != nil:
		c.at(line, w, fmt.Sprintf("%q is not a time", w.Text), "a number of cycles (20), or a time (200ns, 1.5us, 20ms) without a blank before the unit")
	case d <= 0:
		c.at(line, w, fmt.Sprintf("the time %s is over before it begins", w.Text), "1 cycle or more")
	case d%period != 0:
		below := d / period * period
		c.at(line, w, fmt.Sprintf("%s is not a whole number of clock cycles of %v", w.Text, period), fmt.Sprintf("%v or %v; a number alone is cycles", below, below+period))
	default:
		return int(min(d/period, 2*MaxCycles))
	}
	return 1
}

// builtin are the statements that all blocks have.
var builtin = []struct{ use, about string }{
	{"wait TIME", "so many cycles (20) or so long (1.5us), with all inputs as they are"},
	{"set PORT VALUE [PORT VALUE...]", "inputs from now on; takes no time"},
	{"expect PORT VALUE [PORT VALUE...]", "one cycle, in which outputs are so"},
	{"within TIME STATEMENT", "the statement is done by then; with expect: until outputs are so"},
	{"for TIME expect PORT VALUE [PORT VALUE...]", "outputs are so in each of these cycles"},
	{"reset [TIME]", "hold the reset, 3 cycles by default"},
}

// statement reads a line of a script.
func (c *checker) statement(l *Line) {
	s := step{line: l, first: l.Words[0]}
	words := l.Words
	switch words[0].Text {
	case "within", "for":
		s.each = words[0].Text == "for"
		if len(words) < 3 {
			c.span(l.At, l.end(), 1, fmt.Sprintf("%s what?", words[0].Text), fmt.Sprintf("%s TIME STATEMENT: %s 20us expect ready_o 1", words[0].Text, words[0].Text))
			return
		}
		s.cycles = c.duration(l.At, words[1])
		c.spend(l.At, words[1], s.cycles)
		if words = words[2:]; s.each && words[0].Text != "expect" {
			c.at(l.At, words[0], "for is for expect alone", "for 20us expect ready_o 1")
			return
		}
		if slices.Contains([]string{"within", "for", "wait", "set", "reset"}, words[0].Text) {
			c.at(l.At, words[0], fmt.Sprintf("%s has no bound", words[0].Text), "within is for expect and for the design's own statements")
			return
		}
	}
	if c.verb(&s, l, words) {
		return
	}
	rest := words[1:]
	s.op = words[0].Text
	switch s.op {
	case "wait":
		if len(rest) != 1 {
			c.count(l, words, "wait TIME")
			return
		}
		s.cycles = c.duration(l.At, rest[0])
		c.spend(l.At, rest[0], s.cycles)
	case "reset":
		s.cycles = 3
		if len(rest) > 1 {
			c.count(l, words, "reset [TIME]")
			return
		}
		if len(rest) == 1 {
			s.cycles = c.duration(l.At, rest[0])
			c.spend(l.At, rest[0], s.cycles)
		}
		if c.plan.design.reset == "" {
			c.at(l.At, words[0], fmt.Sprintf("%s has no reset", c.plan.design.name), "")
			return
		}
	case "set", "expect":
		if len(rest) == 0 || len(rest)%2 != 0 {
			c.count(l, words, s.op+" PORT VALUE [PORT VALUE...]")
			return
		}
		for i := 0; i < len(rest); i += 2 {
			c.pair(&s, l, rest[i], rest[i+1])
		}
	default:
		names := []string{"wait", "set", "expect", "within", "for", "reset"}
		for _, v := range c.plan.design.verbs {
			names = append(names, strings.Join(v.words, " "))
		}
		c.at(l.At, words[0], fmt.Sprintf("%s knows no statement %q", c.plan.design.name, words[0].Text), choice(words[0].Text, names))
		return
	}
	c.plan.steps = append(c.plan.steps, s)
}

// count says that a statement has too many or too few words.
func (c *checker) count(l *Line, words []Word, use string) {
	c.span(l.At, l.end(), 1, fmt.Sprintf("%s has %d words behind it, which do not fit", words[0].Text, len(words)-1), "it is written: "+use)
}

// pair reads a port and its value.
func (c *checker) pair(s *step, l *Line, name, text Word) {
	d, drives := c.plan.design, s.op == "set"
	p := d.port(name.Text)
	if p == nil || p.Input != drives {
		side := map[bool]string{true: "input", false: "output"}
		problem := fmt.Sprintf("%s has no %s %s", d.name, side[drives], name.Text)
		if p != nil {
			problem = fmt.Sprintf("%s is an %s: it cannot be %s", name.Text, side[p.Input], map[bool]string{true: "set", false: "expected"}[drives])
		}
		c.at(l.At, name, problem, choice(name.Text, d.names(drives)))
		return
	}
	v, ok := c.value(l.At, text, p)
	if !ok {
		return
	}
	at := cell{p, text, v}
	switch {
	case v.open:
		c.at(l.At, text, "- says nothing here", "leave the port out")
	case !drives:
		s.expect = append(s.expect, at)
	case v.lo != nil && v.lo.Cmp(v.hi) != 0:
		c.at(l.At, text, "a range cannot be set", "ranges drive in tables, a cycle a value")
	case c.drives(l.At, text, p, v):
		s.drive = append(s.drive, at)
	}
}

// verb reads a statement of the design's own. It returns false if there is none of this name.
func (c *checker) verb(s *step, l *Line, words []Word) bool {
	best := -1
	for i, v := range c.plan.design.verbs {
		if len(words) >= len(v.words) && (best < 0 || len(v.words) > len(c.plan.design.verbs[best].words)) {
			if slices.EqualFunc(v.words, words[:len(v.words)], func(a string, b Word) bool { return a == b.Text }) {
				best = i
			}
		}
	}
	if best < 0 {
		return false
	}
	v := c.plan.design.verbs[best]
	s.op, s.verb = "verb", best
	rest := words[len(v.words):]
	for i := 0; i < len(v.args); i++ {
		a := v.args[i]
		k := c.plan.design.kinds[a.kind]
		if len(rest) == 0 {
			if !a.optional && !(a.repeat && len(s.args) > i) {
				c.span(l.At, l.end(), 1, fmt.Sprintf("%s lacks its %s: %s", strings.Join(v.words, " "), a.kind, k.About), "it is written: "+v.use)
				return true
			}
			break
		}
		w := rest[0]
		rest = rest[1:]
		if k.Rest {
			for _, more := range rest {
				w.Text += " " + more.Text
			}
			rest = nil
		}
		value, err := k.Parse(w.Text)
		if err != nil {
			problem, help := fmt.Sprintf("%q is not %s", shorten(w.Text), article(a.kind)), k.About
			if len(k.Names) > 0 {
				help = choice(w.Text, k.Names)
			} else {
				problem += ": " + err.Error()
			}
			c.at(l.At, w, problem, help)
			return true
		}
		s.args, s.words = append(s.args, value), append(s.words, w)
		if a.repeat && len(rest) > 0 {
			i--
		}
	}
	if len(rest) > 0 {
		c.at(l.At, rest[0], fmt.Sprintf("%q is more than %s takes", rest[0].Text, strings.Join(v.words, " ")), "it is written: "+v.use)
		return true
	}
	c.plan.steps = append(c.plan.steps, *s)
	return true
}

func shorten(text string) string {
	if utf8.RuneCountInString(text) > 60 {
		return string([]rune(text)[:60]) + "..."
	}
	return text
}

func article(word string) string {
	if strings.ContainsRune("AEIOU", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}

// epd reads FEN ;D1 n ;D2 n as statements "perft DEPTH COUNT FEN".
func (c *checker) epd(l *Line) {
	i := slices.IndexFunc(l.Words, func(w Word) bool { return strings.HasPrefix(w.Text, ";") })
	if i < 0 {
		c.span(l.At, l.end(), 1, "the line has no count", "write FEN ;D1 20 ;D2 400")
		return
	}
	if !slices.ContainsFunc(c.plan.design.verbs, func(v verb) bool { return slices.Equal(v.words, []string{"perft"}) }) {
		c.span(l.At, 1, 1, fmt.Sprintf("%s does not count positions", c.plan.design.name), "sections of kind epd are for movegen and perftengine")
		return
	}
	fen, rest := l.Words[:i], l.Words[i:]
	if i == 0 {
		c.at(l.At, l.Words[0], "no position before the count", "write FEN ;D1 20 ;D2 400")
		return
	}
	seen := map[string]bool{}
	for len(rest) > 0 {
		d := rest[0]
		n, err := strconv.Atoi(strings.TrimPrefix(d.Text, ";D"))
		if err != nil || !strings.HasPrefix(d.Text, ";D") || n < 1 || n > 15 {
			c.at(l.At, d, fmt.Sprintf("%q is not a depth", d.Text), "write ;D1 to ;D15, and the count behind it")
			return
		}
		if seen[d.Text] {
			c.at(l.At, d, fmt.Sprintf("%s comes twice", d.Text), "delete one of them")
		}
		seen[d.Text] = true
		if len(rest) < 2 || strings.HasPrefix(rest[1].Text, ";") {
			c.at(l.At, d, fmt.Sprintf("%s has no count", d.Text), "write the number of positions behind it: ;D1 20")
			return
		}
		if c.verb(&step{line: l, first: d}, l, append([]Word{{"perft", d.Column}, {strconv.Itoa(n), d.Column}, rest[1]}, fen...)); len(c.list) > 0 {
			return
		}
		rest = rest[2:]
	}
}

// used are the parameters that differ from their defaults, as the header has them.
func (p *plan) used() string {
	var list []string
	defaults := p.design.defaults()
	for _, k := range slices.Sorted(maps.Keys(p.params)) {
		if p.params[k] != defaults[k] {
			list = append(list, fmt.Sprintf("%s=%d", k, p.params[k]))
		}
	}
	return strings.Join(list, " ")
}
