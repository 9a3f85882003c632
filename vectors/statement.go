package vectors

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// builtin are the statements that all blocks have.
var builtin = []struct{ use, about string }{
	{"wait TIME", "so many cycles (20) or so long (1.5us), with all inputs as they are"},
	{"set PORT VALUE [PORT VALUE...]", "inputs from now on; takes no time"},
	{"expect PORT VALUE [PORT VALUE...]", "one cycle, in which outputs are so"},
	{"within TIME STATEMENT", "the statement is done by then; with expect: until outputs are so"},
	{"for TIME expect PORT VALUE [PORT VALUE...]", "outputs are so in each of these cycles"},
	{"reset [TIME]", "hold the reset, 3 cycles by default"},
}

// statement checks a line of a script.
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
	if c.own(&s, l, words) || c.plan.design.foreign != nil && c.rtlStatement(&s, l, words) {
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
		for _, v := range c.plan.design.forms {
			names = append(names, strings.Join(v.words, " "))
		}
		if c.plan.design.foreign != nil {
			for _, v := range rtlStatements() {
				names = append(names, v.name)
			}
			names = append(names, c.agentNames()...)
		}
		c.at(l.At, words[0], fmt.Sprintf("%s knows no statement %q", c.plan.design.name, words[0].Text), choice(words[0].Text, names))
		return
	}
	c.plan.steps = append(c.plan.steps, s)
}

// count reports a statement with too many or too few words.
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

// own reads one of the design's own statements. It returns false if there is none of this name.
func (c *checker) own(s *step, l *Line, words []Word) bool {
	best := -1
	for i, v := range c.plan.design.forms {
		if len(words) >= len(v.words) && (best < 0 || len(v.words) > len(c.plan.design.forms[best].words)) {
			if slices.EqualFunc(v.words, words[:len(v.words)], func(a string, b Word) bool { return a == b.Text }) {
				best = i
			}
		}
	}
	if best < 0 {
		return false
	}
	v := c.plan.design.forms[best]
	s.op, s.own = "own", best
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

// epd reads a line FEN ;D1 n ;D2 n as statements "perft DEPTH COUNT FEN".
func (c *checker) epd(l *Line) {
	i := slices.IndexFunc(l.Words, func(w Word) bool { return strings.HasPrefix(w.Text, ";") })
	if i < 0 {
		c.span(l.At, l.end(), 1, "the line has no count", "write FEN ;D1 20 ;D2 400")
		return
	}
	if !slices.ContainsFunc(c.plan.design.forms, func(f form) bool { return slices.Equal(f.words, []string{"perft"}) }) {
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
		if c.own(&step{line: l, first: d}, l, append([]Word{{"perft", d.Column}, {strconv.Itoa(n), d.Column}, rest[1]}, fen...)); len(c.list) > 0 {
			return
		}
		rest = rest[2:]
	}
}
