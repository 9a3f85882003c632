package vectors

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/sim/tb"
)

// memoryVerbs are the statements of agents that are memories.
var memoryVerbs = []verb{
	{"holds", "holds ADDR VALUE [within TIME]", "the word at an address is this one; with within: it becomes so", (*checker).memoryHolds},
	{"gets", "gets ADDR DATA... [within TIME]", "the design writes these words to an address, in this order; bytes that it does not write are 0", (*checker).memoryGets},
	{"put", "put ADDR VALUE...", "the words from an address on become these", (*checker).memoryPut},
	{"answers", "answers FIRST..LAST ANSWER", "requests for these addresses are answered so from now on", (*checker).memoryAnswers},
}

// place reads the address of a word.
func (o *orderLine) place(c *checker) (w Word, addr uint64, ok bool) {
	s := o.agent.speaker.(*memorySpeaker)
	if w, ok = o.next(); !ok {
		o.lacks(c, "an address")
		return w, 0, false
	}
	if addr, ok = o.number(c, w, "the address", s.bits()); ok && addr%s.step != 0 {
		c.at(o.line.At, w, fmt.Sprintf("%s is not the address of a word of %d bytes", w.Text, s.step), fmt.Sprintf("%#x is", addr-addr%s.step))
		return w, 0, false
	}
	return w, addr, ok
}

// bits returns the width of an address.
func (s *memorySpeaker) bits() int {
	if s.address == 0 { // there is one word
		return 1
	}
	return min(s.address, 64)
}

// within reads the address of a word of the memory, and returns the number of the word.
func (o *orderLine) within(c *checker) (w Word, n uint64, ok bool) {
	s := o.agent.speaker.(*memorySpeaker)
	w, addr, ok := o.place(c)
	if ok && (addr < s.plan.first || addr >= s.end()) {
		c.at(o.line.At, w, fmt.Sprintf("%s is outside of the memory", w.Text), fmt.Sprintf("it has %#x to %#x", s.plan.first, s.end()-1))
		return w, 0, false
	}
	return w, (addr - s.plan.first) / s.step, ok
}

// wanted reads values of words up to the end of the line; a text has one in each character.
func (o *orderLine) wanted(c *checker, port *Port) (all []value, at []Word) {
	for {
		w, more := o.next()
		switch {
		case !more && len(all) == 0:
			o.lacks(c, "a value")
			return nil, nil
		case !more:
			return all, at
		case strings.HasPrefix(w.Text, `"`):
			text := o.text(c, w)
			if text == "" {
				return nil, nil
			}
			for _, b := range []byte(text) {
				n := big.NewInt(int64(b))
				all, at = append(all, value{lo: n, hi: n}), append(at, w)
			}
		default:
			v, ok := c.value(o.line.At, w, port)
			if ok && (v.fill || v.unknowns()) {
				c.at(o.line.At, w, fmt.Sprintf("%s is not a value to compare with", w.Text), "a number, a range, or 0b and 0x with digits -")
				ok = false
			}
			if !ok {
				return nil, nil
			}
			all, at = append(all, v), append(at, w)
		}
	}
}

// word returns a port for the values of words.
func (s *memorySpeaker) word() *Port { return &Port{Name: "the word", Width: s.width} }

func (c *checker) memoryHolds(o *orderLine) order {
	port := o.agent.speaker.(*memorySpeaker).word()
	address, n, ok := o.within(c)
	if !ok {
		return nil
	}
	all, at := o.wanted(c, port)
	if all == nil {
		return nil
	}
	if len(all) > 1 {
		c.at(o.line.At, at[1], fmt.Sprintf("%q is more than holds takes", shorten(at[1].Text)), "it is written: "+o.agent.name+" "+o.verb.use)
		return nil
	}
	return func(p *tb.Process, pl *rowPlayer, s speaker) error {
		m := s.(*memorySpeaker)
		for {
			v := new(big.Int).SetUint64(m.cell(n))
			is := port.text(v)
			switch {
			case all[0].holds(port, v, new(big.Int)) || pl.o.ignore && !o.bound:
				return nil
			case !o.bound:
				return &orderError{word: at[0], problem: fmt.Sprintf("%s has %s at %s, expected %s", o.agent.name, is, address.Text, at[0].Text), help: "if it is right, write " + is}
			}
			m.waiting = fmt.Sprintf("the word at %s is %s, expected %s", address.Text, is, at[0].Text)
			p.Next()
		}
	}
}

func (c *checker) memoryGets(o *orderLine) order {
	m := o.agent.speaker.(*memorySpeaker)
	port := m.word()
	_, addr, ok := o.place(c)
	if !ok {
		return nil
	}
	all, at := o.wanted(c, port)
	if all == nil {
		return nil
	}
	m.plan.devices[addr] = true
	return func(p *tb.Process, pl *rowPlayer, s speaker) error {
		m := s.(*memorySpeaker)
		for i := range all {
			m.waiting = fmt.Sprintf("%d of %d writes to %#x have come", i, len(all), addr)
			for len(m.written[addr]) == 0 {
				p.Next()
			}
			got := new(big.Int).SetUint64(m.written[addr][0])
			m.written[addr] = m.written[addr][1:]
			if !all[i].holds(port, got, new(big.Int)) && !pl.o.ignore {
				want := at[i].Text
				if strings.HasPrefix(want, `"`) {
					want = byteText(byte(all[i].lo.Uint64()))
				}
				return &orderError{word: at[i], problem: fmt.Sprintf("%s gets %s at %#x, expected %s", o.agent.name, port.text(got), addr, want), help: fmt.Sprintf("it is number %d of this statement; if it is right, write %s", i, port.text(got))}
			}
		}
		return nil
	}
}

func (c *checker) memoryPut(o *orderLine) order {
	s := o.agent.speaker.(*memorySpeaker)
	_, n, ok := o.within(c)
	if !ok {
		return nil
	}
	all, at := o.wanted(c, s.word())
	for i, v := range all {
		switch {
		case v.open || v.care != nil || v.lo.Cmp(v.hi) != 0:
			c.at(o.line.At, at[i], fmt.Sprintf("%s is not one word", at[i].Text), "write numbers: decimal, 0x or 0b")
			return nil
		case n+uint64(i) >= s.plan.count:
			c.at(o.line.At, at[i], fmt.Sprintf("%s comes behind the end of the memory", at[i].Text), fmt.Sprintf("its last word is at %#x", s.end()-s.step))
			return nil
		}
	}
	return func(_ *tb.Process, _ *rowPlayer, s speaker) error {
		for i, v := range all {
			s.(*memorySpeaker).cells[n+uint64(i)] = v.lo.Uint64()
		}
		return nil
	}
}

func (c *checker) memoryAnswers(o *orderLine) order {
	s := o.agent.speaker.(*memorySpeaker)
	span, ok := o.next()
	if !ok {
		o.lacks(c, "its addresses")
		return nil
	}
	v, ok := c.value(o.line.At, span, &Port{Name: "the address", Width: s.bits()})
	if !ok {
		return nil
	}
	if v.open || v.fill || v.care != nil {
		c.at(o.line.At, span, fmt.Sprintf("%s is not a range of addresses", span.Text), "write the first and the last one: 0x0..0xfc")
		return nil
	}
	w, ok := o.next()
	switch {
	case !ok:
		o.lacks(c, "an answer")
		return nil
	case len(s.can) == 1:
		c.at(o.line.At, w, fmt.Sprintf("this bus has no answer but %s", s.can[0]), "leave the statement out")
		return nil
	case !slices.Contains(s.can, w.Text):
		c.at(o.line.At, w, fmt.Sprintf("%s is not an answer on this bus", w.Text), choice(w.Text, s.can))
		return nil
	}
	f := refusal{v.lo.Uint64(), v.hi.Uint64(), w.Text}
	return func(_ *tb.Process, _ *rowPlayer, s speaker) error {
		s.(*memorySpeaker).refused = append(s.(*memorySpeaker).refused, f)
		return nil
	}
}
