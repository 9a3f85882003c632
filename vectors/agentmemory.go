package vectors

import (
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/cosimate/cosimate/sim/tb"
)

// This file is about agents on buses on which the design makes the requests: they are its memory.

// memoryOptions are those of an agent that is a memory.
var memoryOptions = []option{
	{name: "memory", about: "a file with the memory's words, as $readmemh reads it"},
	{name: "words", about: "how many words the memory has"},
	{name: "first", about: "the address of its first word, 0 by default"},
	{name: "unit", about: "what an address counts: byte or word"},
	{name: "outside", about: "the answer where there is no memory; without it that is an error"},
	{name: "unknown", about: "yes: bits that are written may be X or Z; the memory has random ones then"},
	{name: "shares", about: "another agent, whose memory it is, too"},
}

// memoryPlan is what an agent's line says of its memory.
type memoryPlan struct {
	words   []memoryWord // of the file
	count   uint64       // words; 0: as many as the file has
	first   uint64
	unit    string
	outside string
	unknown bool
	shares  *agent
	devices map[uint64]bool // addresses at which statements expect writes
}

// memoryLine reads the options of a memory. It leaves agent.memory nil if there are none.
func (c *checker) memoryLine(a *agent) bool {
	l, m := a.line, &memoryPlan{devices: map[uint64]bool{}}
	errors := len(c.list)
	any := false
	for _, o := range memoryOptions {
		_, given := a.options[o.name]
		any = any || given
	}
	if !any || !slices.ContainsFunc(a.protocol.options, func(o option) bool { return o.name == "memory" }) {
		return true
	}
	if w, given := a.options["memory"]; given {
		m.words = c.memoryFile(l.At, w)
	}
	number := func(key string, least uint64) uint64 {
		w, given := a.options[key]
		if !given {
			return 0
		}
		n, err := strconv.ParseUint(strings.ReplaceAll(w.Text, "_", ""), 0, 64)
		if err != nil || n < least {
			c.at(l.At, w, fmt.Sprintf("%s is not a number for %s", w.Text, key), "decimal or 0x")
		}
		return n
	}
	m.count, m.first = number("words", 1), number("first", 0)
	if w, given := a.options["unit"]; given {
		if m.unit = w.Text; w.Text != "byte" && w.Text != "word" {
			c.at(l.At, w, fmt.Sprintf("%q is neither byte nor word", w.Text), "unit byte: the next word has the next address but three, if words have 32 bits")
		}
	}
	if w, given := a.options["unknown"]; given {
		if m.unknown = w.Text == "yes"; w.Text != "yes" && w.Text != "no" {
			c.at(l.At, w, fmt.Sprintf("%q is neither yes nor no", w.Text), "unknown yes: the design may write bits that are X or Z")
		}
	}
	m.outside = a.options["outside"].Text
	if w, given := a.options["shares"]; given {
		m.shares = c.agent(w.Text)
		switch {
		case m.shares == nil || m.shares.memory == nil || m.shares.memory.shares != nil:
			c.at(l.At, w, fmt.Sprintf("there is no agent %s before with a memory of its own", w.Text), "the memory of an agent that is declared before: shares NAME")
		default:
			for _, key := range []string{"memory", "words", "first", "unit"} {
				if other, both := a.options[key]; both {
					c.at(l.At, other, fmt.Sprintf("%s is that of agent %s, whose memory it is", key, w.Text), "delete "+key)
					break
				}
			}
			of := *m.shares.memory
			m.words, m.count, m.first, m.unit = of.words, of.count, of.first, of.unit
		}
	}
	for _, w := range m.words {
		m.count = max(m.count, w.at+1)
	}
	if m.count == 0 && len(c.list) == errors {
		c.span(l.At, l.end(), 1, "the memory has no size", "add memory FILE, or words NUMBER")
	}
	a.memory = m
	return len(c.list) == errors
}

// memorySpeaker is a memory behind a bus.
type memorySpeaker struct {
	name, protocol string
	drive          []string
	run, rules     func(*tb.Process)
	address, width int      // bits
	can            []string // answers that the bus can carry
	plan           *memoryPlan
	step           uint64            // from the address of a word to the next
	cells          map[uint64]uint64 // by the number of the word; shared by agents
	seed           uint64
	written        map[uint64][]uint64 // at addresses of devices
	refused        []refusal
	last           string // access
	waiting        string
}

// refusal is a range of addresses with an answer of their own.
type refusal struct {
	first, last uint64
	answer      string
}

// newMemory returns the memory of an agent. What is wrong with its size is an error.
func newMemory(a *agent, s *memorySpeaker) (speaker, error) {
	m := a.memory
	if m == nil {
		return nil, managerError(a)
	}
	s.name, s.plan, s.written, s.protocol = a.name, m, map[uint64][]uint64{}, a.protocol.name
	s.cells = map[uint64]uint64{}
	if s.width%8 != 0 || s.width > 64 || s.width == 0 {
		return nil, fmt.Errorf("the bus has data of %d bits: a memory has words of 8 to 64 bits, in whole bytes", s.width)
	}
	s.step = 1
	if m.unit == "byte" {
		s.step = uint64(s.width / 8)
	}
	key, at := "words", "words"
	if _, given := a.options["words"]; !given {
		key, at = "memory", "memory"
	}
	if m.shares != nil {
		key = "shares"
		if of := m.shares.speaker.(*memorySpeaker); of.width != s.width {
			return nil, &optionError{key, fmt.Sprintf("the memory of %s has words of %d bits, and this bus has %d", of.name, of.width, s.width), "buses that share a memory have data of the same width"}
		}
	}
	if m.first%s.step != 0 {
		return nil, &optionError{"first", fmt.Sprintf("%#x is not the address of a word of %d bytes", m.first, s.step), "the address of the first byte of a word"}
	}
	end := new(big.Int).Mul(new(big.Int).SetUint64(m.count), new(big.Int).SetUint64(s.step))
	if end.Add(end, new(big.Int).SetUint64(m.first)); s.address > 0 && end.Cmp(new(big.Int).Lsh(one, uint(s.address))) > 0 || end.BitLen() > 64 {
		return nil, &optionError{key, fmt.Sprintf("the memory ends at %#x, beyond what the %d bits of an address reach", end.Sub(end, one), s.address), "give it fewer " + at}
	}
	for _, w := range m.words {
		if w.value.BitLen() > s.width {
			return nil, &optionError{key, fmt.Sprintf("the word %#x needs %d bits, but those of the bus have %d", w.value, w.value.BitLen(), s.width), "one word of the bus in each word of the file"}
		}
		s.cells[w.at] = w.value.Uint64()
	}
	if m.outside != "" && !slices.Contains(s.can, m.outside) {
		return nil, &optionError{"outside", fmt.Sprintf("%s is not an answer on this bus", m.outside), choice(m.outside, s.can)}
	}
	return s, nil
}

func (s *memorySpeaker) drives() []string { return s.drive }
func (s *memorySpeaker) knows() []verb    { return memoryVerbs }

func (s *memorySpeaker) start(b *tb.Rows, a *agent) {
	b.Monitor(a.name+" rules", on(a, s.rules))
	b.Background(a.name+" memory", on(a, s.run))
}

// join shares the memory of another agent of the run.
func (s *memorySpeaker) join(all []*agentRun, seed uint64) {
	s.seed = seed
	for _, run := range all {
		if run.agent == s.plan.shares {
			s.cells = run.speaker.(*memorySpeaker).cells
		}
	}
}

func (s *memorySpeaker) left() string {
	for _, addr := range slices.Sorted(maps.Keys(s.written)) {
		if w := s.written[addr]; len(w) > 0 {
			return fmt.Sprintf("%#x at %#x", w[0], addr)
		}
	}
	return ""
}

func (s *memorySpeaker) waits() string {
	last := "the design has made no request"
	if s.last != "" {
		last = "the last request was " + s.last
	}
	return s.waiting + "; " + last
}

// end is the address behind the last word.
func (s *memorySpeaker) end() uint64 { return s.plan.first + s.plan.count*s.step }

// cell returns a word of the memory. One that nobody has written is random.
func (s *memorySpeaker) cell(n uint64) uint64 {
	v, ok := s.cells[n]
	if !ok {
		v = rand.New(rand.NewPCG(s.seed, n)).Uint64() & s.mask()
		s.cells[n] = v
	}
	return v
}

func (s *memorySpeaker) mask() uint64 { return ^uint64(0) >> (64 - s.width) }

// bitsOf returns the bits of the bytes that a mask selects.
func bitsOf(bytes uint64) (mask uint64) {
	for i := range 8 {
		if bytes>>i&1 != 0 {
			mask |= 0xff << (8 * i)
		}
	}
	return mask
}

// request is what a design asks for.
type request struct {
	write      bool
	addr, data uint64
	bytes      uint64 // a mask
	unknown    uint64 // bits of data
}

// access does a read or a write, and returns what is read and the name of the answer.
func (s *memorySpeaker) access(p *tb.Process, r request) (uint64, string) {
	verb, mask := "reads", bitsOf(r.bytes)&s.mask()
	if r.write {
		verb = "writes"
	}
	s.last = fmt.Sprintf("a read of %#x", r.addr)
	if r.write {
		s.last = fmt.Sprintf("a write of %#x to %#x", r.data, r.addr)
	}
	if r.write && r.unknown != 0 {
		if !s.plan.unknown {
			p.Fail(&orderError{problem: fmt.Sprintf("%s: the design writes what is X or Z in the bits %#x to %#x", s.name, r.unknown, r.addr), kind: "unknown",
				help: "X comes from a register that no reset sets; if it does not matter, add unknown yes to the agent's line"})
		}
		r.data = r.data&^r.unknown | p.Rand().Uint64()&r.unknown
	}
	addr := r.addr - r.addr%s.step
	for _, f := range slices.Backward(s.refused) {
		if f.first <= addr && addr <= f.last {
			if f.answer != s.can[0] {
				return s.cell(^addr), f.answer
			}
			break
		}
	}
	switch {
	case r.write && s.plan.devices[addr]:
		s.written[addr] = append(s.written[addr], r.data&mask)
		return 0, s.can[0]
	case addr < s.plan.first || addr >= s.end():
		if s.plan.outside == "" {
			p.Fail(&orderError{problem: fmt.Sprintf("%s: the design %s %#x, outside of its memory, %#x to %#x", s.name, verb, r.addr, s.plan.first, s.end()-1), kind: "outside",
				help: "if it may, add outside with an answer to the agent's line: outside " + s.can[len(s.can)-1]})
		}
		return s.cell(^addr), s.plan.outside
	}
	n := (addr - s.plan.first) / s.step
	if r.write {
		s.cells[n] = s.cell(n)&^mask | r.data&mask
		return 0, s.can[0]
	}
	return s.cell(n), s.can[0]
}
