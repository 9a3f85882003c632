package vectors

import (
	"fmt"
	"slices"
)

// orderLine is a statement of an agent that is being read.
type orderLine struct {
	agent *agent
	step  *step
	line  *Line
	verb  *verb
	at    Word   // the verb's
	words []Word // those behind the verb that were not read yet
	bound bool   // it is to be done within a time
	// started says that the vector does not wait for it.
	started bool
}

// order reads "NAME VERB ... [within TIME]".
func (c *checker) order(s *step, l *Line, a *agent, words []Word, start bool) {
	var names []string
	verbs := a.verbs()
	for _, v := range verbs {
		names = append(names, v.name)
	}
	if len(words) < 2 {
		c.span(l.At, l.end(), 1, fmt.Sprintf("%s what?", a.name), choice("", names))
		return
	}
	i := slices.Index(names, words[1].Text)
	if i < 0 {
		c.at(l.At, words[1], fmt.Sprintf("agent %s (%s) knows no %q", a.name, a.protocol.name, words[1].Text), choice(words[1].Text, names))
		return
	}
	o := &orderLine{agent: a, step: s, line: l, verb: &verbs[i], at: words[1], words: words[2:], started: start}
	if n := len(o.words); n >= 2 && o.words[n-2].Text == "within" {
		if s.cycles > 0 {
			c.at(l.At, o.words[n-2], "within is given twice", "delete one of them")
			return
		}
		s.cycles = c.duration(l.At, o.words[n-1])
		c.spend(l.At, o.words[n-1], s.cycles)
		o.words = o.words[:n-2]
	}
	o.bound = s.cycles > 0
	errors := len(c.list)
	do := o.verb.check(c, o)
	if do == nil || len(c.list) > errors {
		return
	}
	if len(o.words) > 0 {
		c.at(l.At, o.words[0], fmt.Sprintf("%q is more than %s takes", shorten(o.words[0].Text), o.verb.name), "it is written: "+a.name+" "+o.verb.use)
		return
	}
	s.op = "act"
	s.act = func(pl *rowPlayer) error { return pl.agents.order(a, do, start) }
	c.plan.steps = append(c.plan.steps, *s)
}

// verbs returns the statements that an agent knows at its ports.
func (a *agent) verbs() []verb {
	if s, ok := a.speaker.(interface{ knows() []verb }); ok {
		return s.knows()
	}
	return a.protocol.verbs
}

// lacks reports that words are missing.
func (o *orderLine) lacks(c *checker, what string) {
	c.span(o.line.At, o.line.end(), 1, fmt.Sprintf("%s %s lacks %s", o.agent.name, o.verb.name, what), "it is written: "+o.agent.name+" "+o.verb.use)
}

// next returns the next word. It returns false if there is none.
func (o *orderLine) next() (w Word, ok bool) {
	if len(o.words) == 0 {
		return w, false
	}
	w, o.words = o.words[0], o.words[1:]
	return w, true
}

// number reads a word as a number of so many bits.
func (o *orderLine) number(c *checker, w Word, what string, width int) (uint64, bool) {
	p := &Port{Name: what, Width: width}
	v, ok := c.value(o.line.At, w, p)
	if ok && (v.open || v.fill || v.care != nil || v.lo.Cmp(v.hi) != 0) {
		c.at(o.line.At, w, fmt.Sprintf("%s is not a value for %s", w.Text, what), "write one number: decimal, 0x or 0b")
		return 0, false
	}
	if !ok {
		return 0, false
	}
	return v.lo.Uint64(), true
}

// keyword reads a word, and returns the word behind it. It returns false if another word is next,
// or after an error.
func (o *orderLine) keyword(c *checker, key string) (w Word, ok bool) {
	if len(o.words) == 0 || o.words[0].Text != key {
		return w, false
	}
	at, _ := o.next()
	if w, ok = o.next(); !ok {
		c.at(o.line.At, at, fmt.Sprintf("%s what?", key), "it is written: "+o.agent.name+" "+o.verb.use)
	}
	return w, ok
}
