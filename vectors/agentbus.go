package vectors

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/sim/report"
	"github.com/cosimate/cosimate/sim/tb"
)

// busSpeaker is a bus on which the agent reads and writes.
type busSpeaker interface {
	speaker
	// access reads or writes a word. A mask has the bytes; 0 stands for all. unknown has the bits
	// of the value that are X or Z. answer is a name in answers, or says that a reset has come in
	// between.
	access(p *tb.Process, write bool, addr, data, mask uint64) (value, unknown uint64, answer string)
	// answers returns the names of answers. The first is the one to a request that is well.
	answers() []string
	// widths returns the bits of an address, of data and of a mask, 0 if there is none.
	widths() (address, data, mask int)
	// word returns how far apart the addresses of two words are.
	word() uint64
}

// busVerbs are the statements of buses.
var busVerbs = []verb{
	{"write", "write ADDR DATA [bytes MASK] [answer ANSWER]", "write a word, or the bytes of a mask; the answer must be OKAY or ACK, or the one that is named", (*checker).busWrite},
	{"read", "read ADDR [expect VALUE] [answer ANSWER]", "read a word; with expect and within: again until it is so", (*checker).busRead},
	{"memory", "memory N FIRST..LAST", "N random writes and reads of words that are a memory: each has what was written last", (*checker).busMemory},
}

// answer reads "answer ANSWER".
func (o *orderLine) answer(c *checker, b busSpeaker) (string, bool) {
	w, ok := o.keyword(c, "answer")
	if !ok {
		return b.answers()[0], true
	}
	if !slices.Contains(b.answers(), w.Text) {
		c.at(o.line.At, w, fmt.Sprintf("%s is not an answer on this bus", w.Text), choice(w.Text, b.answers()))
		return "", false
	}
	return w.Text, true
}

func (c *checker) busWrite(o *orderLine) order {
	b := o.agent.speaker.(busSpeaker)
	wa, wd, wm := b.widths()
	address, ok := o.next()
	if !ok {
		o.lacks(c, "an address")
		return nil
	}
	addr, ok := o.number(c, address, "the address", wa)
	if !ok {
		return nil
	}
	text, ok := o.next()
	if !ok {
		o.lacks(c, "what to write")
		return nil
	}
	data, ok := o.number(c, text, "the data", wd)
	if !ok {
		return nil
	}
	mask := uint64(0)
	if w, given := o.keyword(c, "bytes"); given {
		if wm == 0 {
			c.at(o.line.At, w, "the bus has no strobes: it writes whole words", "leave bytes out")
			return nil
		}
		if mask, ok = o.number(c, w, "the mask of bytes", wm); ok && mask == 0 {
			c.at(o.line.At, w, "no byte is written", "bit 0 is the least significant byte: 0b0001")
		}
	}
	answer, _ := o.answer(c, b)
	return func(p *tb.Process, pl *rowPlayer, s speaker) error {
		_, _, got := s.(busSpeaker).access(p, true, addr, data, mask)
		return answered(pl, o, address, got, answer)
	}
}

// answered returns an error if an answer is another one than expected.
func answered(pl *rowPlayer, o *orderLine, at Word, got, want string) error {
	named := slices.Contains(o.agent.speaker.(busSpeaker).answers(), got)
	if got == want || pl.o.ignore || !named && o.started { // the vector has reset it meanwhile
		return nil
	}
	e := &orderError{word: at, problem: fmt.Sprintf("the answer of %s is %s, not %s", o.agent.name, got, want)}
	if named {
		e.help = "if it is right, write answer " + got
	}
	return e
}

func (c *checker) busRead(o *orderLine) order {
	b := o.agent.speaker.(busSpeaker)
	wa, wd, _ := b.widths()
	address, ok := o.next()
	if !ok {
		o.lacks(c, "an address")
		return nil
	}
	addr, ok := o.number(c, address, "the address", wa)
	if !ok {
		return nil
	}
	port := &Port{Name: "the data", Width: wd}
	want := value{open: true}
	expected, given := o.keyword(c, "expect")
	if given {
		if want, ok = c.value(o.line.At, expected, port); !ok {
			return nil
		}
		if want.fill {
			if o.bound {
				c.at(o.line.At, expected, "what is to be filled in is read once", "leave within out")
				return nil
			}
			o.step.asked = &expected
		}
		if want.unknowns() {
			c.at(o.line.At, expected, fmt.Sprintf("%s is not a value to compare with", expected.Text), "a number, a range, or 0b and 0x with digits -")
			return nil
		}
	}
	answer, _ := o.answer(c, b)
	return func(p *tb.Process, pl *rowPlayer, s speaker) error {
		for {
			got, x, what := s.(busSpeaker).access(p, false, addr, 0, 0)
			if err := answered(pl, o, address, what, answer); err != nil || !slices.Contains(s.(busSpeaker).answers(), what) {
				return err
			}
			v, unknown := new(big.Int).SetUint64(got&^x), new(big.Int).SetUint64(x)
			is := port.sample(report.Value{Bits: v, Unknown: unknown})
			if x == 0 {
				is = port.text(v)
			}
			holds := want.open || !want.fill && want.holds(port, v, unknown)
			if pl.o.answer != nil && !o.bound && !holds {
				text := is
				if x != 0 { // as an output of which a bit is X
					text = "-"
				}
				pl.o.answer(o.line, expected, want.fill, text)
			}
			switch {
			case holds || pl.o.ignore && !o.bound:
				return nil
			case !o.bound:
				e := &orderError{word: expected, problem: fmt.Sprintf("%s reads %s at %s, expected %s", o.agent.name, is, address.Text, expected.Text)}
				if x == 0 {
					e.help = "if it is right, write " + is
				} else {
					e.help = "X comes from a register that no reset sets, or a memory word that nobody has written; if some bits do not matter, write - for their digits"
				}
				return e
			}
			if w, ok := s.(interface{ note(string) }); ok {
				w.note(fmt.Sprintf("the last read is %s, expected %s", is, expected.Text))
			}
		}
	}
}

func (c *checker) busMemory(o *orderLine) order {
	b := o.agent.speaker.(busSpeaker)
	wa, wd, _ := b.widths()
	count, ok := o.next()
	if !ok {
		o.lacks(c, "a number of accesses")
		return nil
	}
	n, ok := o.number(c, count, "the number of accesses", 24)
	if !ok {
		return nil
	}
	span, ok := o.next()
	if !ok {
		o.lacks(c, "its addresses")
		return nil
	}
	v, ok := c.value(o.line.At, span, &Port{Name: "the address", Width: wa})
	if !ok {
		return nil
	}
	if n == 0 {
		c.at(o.line.At, count, "no access is no test", "1 or more")
		return nil
	}
	if v.lo == nil || v.care != nil || new(big.Int).Sub(v.hi, v.lo).Cmp(big.NewInt(int64(b.word()))) < 0 {
		c.at(o.line.At, span, fmt.Sprintf("%s is not a range of addresses", span.Text), "write the first and the last word's: 0x0..0xfc")
		return nil
	}
	first, words := v.lo.Uint64(), new(big.Int).Sub(v.hi, v.lo).Uint64()/b.word()+1
	mask := uint64(1)<<wd - 1
	return func(p *tb.Process, pl *rowPlayer, s speaker) error {
		b := s.(busSpeaker)
		written := map[uint64]uint64{}
		for range n {
			addr, data := first+p.Rand().Uint64N(words)*b.word(), p.Rand().Uint64()&mask
			was, known := written[addr]
			write := !known || p.Rand().IntN(2) == 0
			got, x, answer := b.access(p, write, addr, data, 0)
			switch {
			case strings.HasPrefix(answer, "aborted"): // by a reset: nobody knows whether it was written
				clear(written)
			case answer != b.answers()[0]:
				return &orderError{word: span, problem: fmt.Sprintf("the answer of %s at %#x is %s, not %s", o.agent.name, addr, answer, b.answers()[0]), kind: "answer " + answer}
			case write:
				written[addr] = data
			case x != 0:
				return &orderError{word: span, problem: fmt.Sprintf("%s reads what is X or Z in the bits %#x at %#x, where %#x was written", o.agent.name, x, addr, was), kind: "unknown"}
			case got != was:
				return &orderError{word: span, problem: fmt.Sprintf("%s reads %#x at %#x, where %#x was written", o.agent.name, got, addr, was), kind: "memory"}
			}
		}
		return nil
	}
}
