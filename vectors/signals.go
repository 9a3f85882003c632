package vectors

import (
	"fmt"
	"math/big"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/lockstep"
)

// This file has the statements that reach signals within the RTL.

var (
	peekStatement = rtlStatement{
		name: "peek", use: "peek SIGNAL VALUE [SIGNAL VALUE...]", about: "internal signals are so now; takes no time",
		timeless: true, check: (*checker).peek,
	}
	forceStatement = rtlStatement{
		name: "force", use: "force SIGNAL VALUE [SIGNAL VALUE...]", about: "internal signals are so until they are released; takes no time",
		timeless: true, inside: true, check: (*checker).force,
	}
	releaseStatement = rtlStatement{
		name: "release", use: "release SIGNAL [SIGNAL...]", about: "internal signals are what the RTL drives again; takes no time",
		timeless: true, inside: true, check: (*checker).release,
	}
	loadStatement = rtlStatement{
		name: "load", use: "load MEMORY FILE", about: "a memory has the words of a file, as $readmemh reads it; takes no time",
		timeless: true, inside: true, check: (*checker).load,
	}
)

// maxWidth bounds the values of internal signals, whose widths are not known until the vector runs.
const maxWidth = 1 << 16

// wordIndex matches the indices at the end of the name of a memory's word.
var wordIndex = regexp.MustCompile(`(\[\d+\])+$`)

// signal returns the name of an internal signal, or of a word of a memory, and has the model keep
// it. "" means that there is none, which is reported; ports are names that it could be as well.
func (c *checker) signal(line int, w Word, ports ...string) string {
	f := c.plan.design.foreign
	known := map[string]bool{}
	for _, s := range f.signals {
		known[s] = true
	}
	whole := w.Text
	if !known[whole] {
		whole = wordIndex.ReplaceAllString(whole, "")
	}
	if !known[whole] {
		help := choice(w.Text, f.signals)
		if p := c.plan.design.port(w.Text); p != nil {
			help = fmt.Sprintf("%s is a port: see expect and set", w.Text)
		} else if len(f.signals) == 0 {
			help = "it has no internal signals"
		}
		what := "internal signal"
		if len(ports) > 0 {
			what, help = "port or internal signal", choice(w.Text, append(ports, f.signals...))
		}
		c.at(line, w, fmt.Sprintf("%s has no %s %s", c.plan.design.name, what, w.Text), help)
		return ""
	}
	f.use(whole)
	return w.Text
}

// signalValue reads the value of an internal signal.
func (c *checker) signalValue(line int, name, text Word) (value, bool) {
	v, ok := c.value(line, text, &Port{Name: name.Text, Width: maxWidth})
	if ok && (v.open || v.fill) {
		c.at(line, text, fmt.Sprintf("%s is no value of a signal", text.Text), "write a number: decimal, 0x or 0b")
		return v, false
	}
	return v, ok
}

// named is an internal signal with a value.
type named struct {
	signal string
	name   Word
	word   Word
	value  value
}

// pairs reads SIGNAL VALUE [SIGNAL VALUE...].
func (c *checker) pairs(l *Line, words []Word, use string) (all []named) {
	rest := words[1:]
	if len(rest) == 0 || len(rest)%2 != 0 {
		c.count(l, words, use)
		return nil
	}
	for i := 0; i < len(rest); i += 2 {
		name := c.signal(l.At, rest[i])
		if name == "" {
			return nil
		}
		v, ok := c.signalValue(l.At, rest[i], rest[i+1])
		if !ok {
			return nil
		}
		all = append(all, named{name, rest[i], rest[i+1], v})
	}
	return all
}

func (c *checker) peek(v *rtlStatement, s *step, l *Line, words []Word) bool {
	all := c.pairs(l, words, v.use)
	s.act = func(pl *rowPlayer) error { return pl.peek(all) }
	return all != nil
}

// peek compares internal signals, settled with the present inputs.
func (pl *rowPlayer) peek(all []named) error {
	if err := pl.settle(); err != nil {
		return err
	}
	if pl.o.ignore {
		return nil
	}
	for i := range all {
		n := &all[i]
		var columns []column
		bad := false
		var port Port
		for k, s := range pl.bench.Simulators() {
			v, err := pl.bench.Instance(k).Peek(n.signal)
			if err != nil {
				return pl.tool(err)
			}
			port = Port{Name: n.signal, Width: v.Width}
			if n.value.hi.BitLen() > v.Width {
				return pl.tooWide(n, v.Width)
			}
			value := fitted(&n.value, v.Width)
			bits, unknown := numberOf(v)
			columns = append(columns, column{string(s), lockstep.Value(&bridge.Port{Size: len(v.Bits) * 8}, bytesOf(v.Bits), bytesOf(v.Unknown))})
			bad = bad || !value.holds(&port, bits, unknown)
		}
		if !bad {
			continue
		}
		is, same := port.sample(columns[0].value), true
		for _, col := range columns[1:] {
			same = same && port.sample(col.value) == is
		}
		problem := fmt.Sprintf("%s is not %s", n.signal, n.word.Text)
		if same {
			problem = fmt.Sprintf("%s is %s, expected %s", n.signal, is, n.word.Text)
		}
		e := pl.p.file.at(pl.step.line.At, n.word.Column, len(n.word.Text), problem)
		e.Label = fmt.Sprintf("before cycle %d, %v", pl.cycle(), pl.at(pl.cycle()))
		e.Notes = []string{values(&port, columns)}
		pl.failure = &Failure{Errors: Errors{e}, Cycle: pl.cycle(), Ports: []string{n.signal}}
		if pl.cycle() > 0 {
			pl.failure.Report = pl.stands(pl.cycle()-1, problem)
		}
		return errStop
	}
	return nil
}

// tool ends a run with an error of the tools.
func (pl *rowPlayer) tool(err error) error {
	pl.err = fmt.Errorf("%s:%d: %w", pl.p.file.Name, pl.step.line.At, err)
	return errStop
}

// tooWide ends a run at a value that does not fit its signal.
func (pl *rowPlayer) tooWide(n *named, width int) error {
	e := pl.p.file.at(pl.step.line.At, n.word.Column, len(n.word.Text), fmt.Sprintf("%s needs %d bits, but %s has %d", n.word.Text, n.value.hi.BitLen(), n.signal, width))
	pl.failure = &Failure{Errors: Errors{e}, Cycle: pl.cycle()}
	return errStop
}

// fitted returns a value for a signal of this width: x is all of its bits.
func fitted(v *value, width int) *value {
	if v.unknown == nil {
		return v
	}
	mask := (&Port{Width: width}).mask()
	c := *v
	c.unknown, c.care = new(big.Int).And(v.unknown, mask), new(big.Int).And(v.care, mask)
	return &c
}

// numberOf returns the bits of an internal signal, and those that are unknown.
func numberOf(v bridge.Value) (bits, unknown *big.Int) {
	read := func(words []uint64) *big.Int {
		n := new(big.Int)
		for i := len(words) - 1; i >= 0; i-- {
			n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(words[i]))
		}
		return n
	}
	bits = read(v.Bits)
	if !v.Known() {
		unknown = read(v.Unknown)
		bits.AndNot(bits, unknown)
	}
	return bits, unknown
}

func bytesOf(words []uint64) (b []byte) {
	for _, w := range words {
		for i := range 8 {
			b = append(b, byte(w>>(8*i)))
		}
	}
	return b
}

// wordsOf returns a number as words, least significant first.
func wordsOf(n *big.Int, width int) []uint64 {
	words := make([]uint64, (width+63)/64)
	rest := new(big.Int).Set(n)
	for i := range words {
		words[i] = rest.Uint64()
		rest.Rsh(rest, 64)
	}
	return words
}

func (c *checker) force(v *rtlStatement, s *step, l *Line, words []Word) bool {
	all := c.pairs(l, words, v.use)
	for i := range all {
		if v := &all[i].value; v.care != nil || v.lo.Cmp(v.hi) != 0 {
			c.at(l.At, all[i].word, fmt.Sprintf("a signal cannot be forced to %s", all[i].word.Text), "write one value with all its digits")
			return false
		}
	}
	s.act = func(pl *rowPlayer) error {
		if err := pl.flush(); err != nil {
			return err
		}
		for i := range all {
			n := &all[i]
			for k := range pl.bench.Simulators() {
				instance := pl.bench.Instance(k)
				v, err := instance.Peek(n.signal)
				if err != nil {
					return pl.tool(err)
				}
				if n.value.hi.BitLen() > v.Width {
					return pl.tooWide(n, v.Width)
				}
				if err := instance.Force(n.signal, bridge.Value{Width: v.Width, Bits: wordsOf(n.value.lo, v.Width)}); err != nil {
					return pl.tool(err)
				}
			}
		}
		return nil
	}
	return all != nil
}

func (c *checker) release(v *rtlStatement, s *step, l *Line, words []Word) bool {
	if len(words) < 2 {
		c.count(l, words, v.use)
		return false
	}
	var names []string
	for _, w := range words[1:] {
		name := c.signal(l.At, w)
		if name == "" {
			return false
		}
		names = append(names, name)
	}
	s.act = func(pl *rowPlayer) error {
		if err := pl.flush(); err != nil {
			return err
		}
		for _, n := range names {
			for k := range pl.bench.Simulators() {
				if err := pl.bench.Instance(k).Release(n); err != nil {
					return pl.tool(err)
				}
			}
		}
		return nil
	}
	return true
}

// maxLoad is the greatest size of a file that load reads.
const maxLoad = 64 << 20

func (c *checker) load(v *rtlStatement, s *step, l *Line, words []Word) bool {
	if len(words) != 3 {
		c.count(l, words, v.use)
		return false
	}
	name := c.signal(l.At, words[1])
	if name == "" {
		return false
	}
	memory := c.memoryFile(l.At, words[2])
	if memory == nil {
		return false
	}
	s.act = func(pl *rowPlayer) error { return pl.load(name, memory) }
	return true
}

// memoryFile reads a file for $readmemh that a word names. It returns nil if it has reported an
// error.
func (c *checker) memoryFile(line int, w Word) []memoryWord {
	path := beside(c.file.Name, w.Text)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		c.at(line, w, fmt.Sprintf("%s cannot be read: %v", w.Text, cause(err)), "name a file from the vector's folder on")
		return nil
	case !info.Mode().IsRegular() || info.Size() > maxLoad:
		c.at(line, w, fmt.Sprintf("%s is no file of at most %d MiB", w.Text, maxLoad>>20), "name a file of hexadecimal words, as $readmemh reads it")
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		c.at(line, w, fmt.Sprintf("%s cannot be read: %v", w.Text, cause(err)), "")
		return nil
	}
	memory, at, err := readMemory(string(data))
	if err != nil {
		c.at(line, w, fmt.Sprintf("line %d of %s: %v", at, w.Text, err), "it has hexadecimal words, @ADDRESS, and comments with //, as for $readmemh")
		return nil
	}
	return memory
}

// memoryWord is a word of a file for load.
type memoryWord struct {
	at    uint64
	value *big.Int
}

// memoryNotes matches comments in a file for $readmemh.
var memoryNotes = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)

// readMemory reads a file as $readmemh does. With an error, line is its place.
func readMemory(text string) (words []memoryWord, line int, err error) {
	text = memoryNotes.ReplaceAllStringFunc(text, func(note string) string { return strings.Repeat("\n", strings.Count(note, "\n")) + " " })
	at := uint64(0)
	for l := range strings.Lines(text) {
		line++
		for w := range strings.FieldsSeq(l) {
			if address, ok := strings.CutPrefix(w, "@"); ok {
				if at, err = strconv.ParseUint(address, 16, 40); err != nil {
					return nil, line, fmt.Errorf("%q is not an address", w)
				}
				continue
			}
			n, ok := new(big.Int).SetString(strings.ReplaceAll(w, "_", ""), 16)
			if !ok || n.Sign() < 0 {
				return nil, line, fmt.Errorf("%q is not a word in hexadecimal", w)
			}
			words = append(words, memoryWord{at, n})
			at++
		}
	}
	if len(words) == 0 {
		return nil, max(1, line), fmt.Errorf("there are no words in it")
	}
	return words, 0, nil
}

// load writes words into a memory.
func (pl *rowPlayer) load(name string, words []memoryWord) error {
	if err := pl.flush(); err != nil {
		return err
	}
	for k := range pl.bench.Simulators() {
		instance := pl.bench.Instance(k)
		width := 0
		for _, w := range words {
			word := fmt.Sprintf("%s[%d]", name, w.at)
			if width == 0 {
				v, err := instance.Peek(word)
				if err != nil {
					return pl.tool(err)
				}
				width = v.Width
			}
			if w.value.BitLen() > width {
				return fmt.Errorf("the word %#x needs %d bits, but those of %s have %d", w.value, w.value.BitLen(), name, width)
			}
			if err := instance.Poke(word, bridge.Value{Width: width, Bits: wordsOf(w.value, width)}); err != nil {
				return pl.tool(err)
			}
		}
	}
	return nil
}
