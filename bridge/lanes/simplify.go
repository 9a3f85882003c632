package lanes

import (
	"slices"

	"github.com/cosimate/cosimate/bridge"
)

// simplifier copies a circuit with faults at pins: constants and buffers go, LUTs that are equal
// become one, and LUTs that are read once become part of their reader where three inputs are
// enough.
type simplifier struct {
	old, new *circuit
	faults   []Fault
	at       map[int][]int // faults by LUT of their pin
	other    func(Fault) value
	control  value // the plane of the first fault's input
	memo     []value
	known    map[lut]value
}

// Marks in memo.
const (
	notMade value = -1
	making  value = -2
)

func newSimplifier(p *Pins, faults []Fault, at map[int][]int) *simplifier {
	old := p.made.Circuit
	s := &simplifier{old: old, new: &circuit{Rises: old.Rises, Aliases: old.Aliases}, faults: faults, at: at, control: first, memo: make([]value, len(old.LUTs)), known: map[lut]value{}}
	for i := range s.memo {
		s.memo[i] = notMade
	}
	s.other = func(f Fault) value {
		pin := f.Pin
		pin.Bit = f.Other
		return old.LUTs[p.lutsOf[pin][0]].In[0]
	}
	for _, in := range old.Inputs {
		s.new.Inputs = append(s.new.Inputs, in)
		s.control += value(len(in.Bits))
	}
	for i := range faults {
		s.new.Inputs = append(s.new.Inputs, portBits{FaultInput(i), []value{s.control + value(i)}})
	}
	s.new.Ports = slices.Clone(old.Ports)
	for i := range faults {
		s.new.Ports = append(s.new.Ports, bridge.Port{Name: FaultInput(i), Dir: bridge.Input, Width: 1})
	}
	s.new.Planes = old.Planes + len(faults)
	return s
}

// run copies all that has an effect. It reports whether logic depends on itself within a cycle.
func (s *simplifier) run() (loop bool) {
	defer func() {
		if r := recover(); r == errLoop {
			loop = true
		} else if r != nil {
			panic(r)
		}
	}()
	n, old := s.new, s.old
	for _, o := range old.Outputs {
		n.Outputs = append(n.Outputs, portBits{o.Name, s.all(o.Bits)})
	}
	for _, f := range old.Forces {
		n.Forces = append(n.Forces, force{f.Name, s.all(f.Driver), s.all(f.Bits), s.all(f.Mask), s.all(f.Forced)})
	}
	for _, x := range old.States {
		x.Next = s.value(x.Next)
		n.States = append(n.States, x)
	}
	for _, m := range old.Memory {
		copied := m
		copied.Reads, copied.Writes = nil, nil
		for _, r := range m.Reads {
			copied.Reads = append(copied.Reads, readPort{s.all(r.Address), s.all(r.Data)})
		}
		for _, w := range m.Writes {
			copied.Writes = append(copied.Writes, writePort{s.all(w.Address), s.all(w.Data), s.all(w.Enable), w.Clock})
		}
		n.Memory = append(n.Memory, copied)
	}
	for _, k := range old.Checks {
		n.Checks = append(n.Checks, check{k.Where, s.value(k.Enable), s.value(k.Holds), k.Assumed})
	}
	return len(n.Memory) > 0 && hasLoop(n)
}

func (s *simplifier) all(of []value) []value {
	made := make([]value, len(of))
	for i, v := range of {
		made[i] = s.value(v)
	}
	return made
}

// value returns what a value of the old circuit is in the new one.
func (s *simplifier) value(v value) value {
	n := s.old.lutOf(v)
	switch {
	case n < 0 && v < s.control:
		return v
	case n < 0:
		return v + value(len(s.faults))
	case s.memo[n] == making:
		panic(errLoop)
	case s.memo[n] != notMade:
		return s.memo[n]
	}
	s.memo[n] = making
	l := s.old.LUTs[n]
	made := s.lut(lut{[3]value{s.value(l.In[0]), s.value(l.In[1]), s.value(l.In[2])}, l.Table})
	if faults := s.at[n]; len(faults) > 0 {
		made = s.faulty(made, faults)
	}
	s.memo[n] = made
	return made
}

// faulty returns a value with faults. Two that need no other bit share a LUT.
func (s *simplifier) faulty(v value, faults []int) value {
	var plain []int
	for _, i := range faults {
		on, f := s.control+value(i), s.faults[i]
		switch f.Kind {
		case InvertedIf0, InvertedIf1:
			v = s.lut(f.Kind.lut(v, s.value(s.other(f)), on))
		default:
			plain = append(plain, i)
		}
	}
	for len(plain) > 0 {
		two := plain[:min(2, len(plain))]
		plain = plain[len(two):]
		l := lut{In: [3]value{v, s.control + value(two[0]), zero}}
		if len(two) > 1 {
			l.In[2] = s.control + value(two[1])
		}
		for k := range 8 {
			out := k & 1
			for at, i := range two {
				if k>>(at+1)&1 != 0 {
					out = s.faults[i].Kind.of(out)
				}
			}
			l.Table |= uint8(out) << k
		}
		v = s.lut(l)
	}
	return v
}

// lut returns a LUT that is a bit with a fault that depends on another bit, where on is 1.
func (k Kind) lut(bit, other, on value) lut {
	l := lut{In: [3]value{bit, other, on}}
	for i := range 8 {
		out := i & 1
		if i&4 != 0 && (i&2 != 0) == (k == InvertedIf1) {
			out ^= 1
		}
		l.Table |= uint8(out) << i
	}
	return l
}

// table returns what becomes of the first of three inputs.
func (k Kind) table() (table uint8) {
	for i := range 8 {
		table |= uint8(k.of(i&1)) << i
	}
	return table
}

// of returns what becomes of a bit.
func (k Kind) of(bit int) int {
	switch k {
	case StuckAt0:
		return 0
	case StuckAt1:
		return 1
	}
	return 1 - bit
}

// lut returns the value of a LUT in the new circuit, which may be there already, or no LUT at all.
func (s *simplifier) lut(l lut) value {
	in := make([]value, 0, 6)
	for _, v := range l.In {
		in = s.sources(in, v)
	}
	slices.Sort(in)
	in = slices.Compact(in)
	var table uint8
	for k := range 8 {
		bit := func(v value) int { return s.under(v, in, k) }
		at := bit(l.In[0]) | bit(l.In[1])<<1 | bit(l.In[2])<<2
		table |= l.Table >> at & 1 << k
	}
	l, v, plain := reduced(in, table)
	if plain {
		return v
	}
	if v, ok := s.known[l]; ok {
		return v
	}
	v = s.new.add(l)
	s.known[l] = v
	return v
}

// sources adds what a value depends on: what is inverted, for an inverter; nothing, for a constant.
func (s *simplifier) sources(in []value, v value) []value {
	if v == zero || v == one {
		return in
	}
	if n := s.new.lutOf(v); n >= 0 {
		if l := s.new.LUTs[n]; l.In[0] == l.In[1] && l.In[1] == l.In[2] {
			return append(in, l.In[0])
		}
	}
	return append(in, v)
}

// under returns a value when the bits of k are those of in.
func (s *simplifier) under(v value, in []value, k int) int {
	if v == zero || v == one {
		return int(v)
	}
	if i := slices.Index(in, v); i >= 0 {
		return k >> i & 1
	}
	l := s.new.LUTs[s.new.lutOf(v)] // an inverter
	return int(l.Table >> (7 * (k >> slices.Index(in, l.In[0]) & 1)) & 1)
}

// reduced returns a LUT of up to three inputs without those that it does not depend on. It is plain
// if it is a constant or one of its inputs.
func reduced(in []value, table uint8) (l lut, v value, plain bool) {
	used := in[:0:0]
	var bits []int
	for i, v := range in {
		for k := range 8 {
			if k>>i&1 == 0 && table>>k&1 != table>>(k|1<<i)&1 {
				used, bits = append(used, v), append(bits, i)
				break
			}
		}
	}
	if len(used) == 0 {
		return l, value(table & 1), true
	}
	for i := range l.In {
		l.In[i] = used[min(i, len(used)-1)]
	}
	for k := range 8 {
		at := 0
		for i, bit := range bits {
			at |= k >> i & 1 << bit
		}
		l.Table |= table >> at & 1 << k
	}
	if len(used) == 1 && l.Table == buffer {
		return l, used[0], true
	}
	return l, 0, false
}

// finish makes LUTs that are read once part of their readers, and removes what nothing reads.
func (s *simplifier) finish() *circuit {
	n := s.new
	read := make([]int, len(n.LUTs))
	n.each(func(v *value) {
		if i := n.lutOf(*v); i >= 0 {
			read[i]++
		}
	})
	for _, l := range n.LUTs {
		for _, v := range l.inputs() {
			if i := n.lutOf(v); i >= 0 {
				read[i]++
			}
		}
	}
	for i := range n.LUTs {
		for s.absorb(i, read) {
		}
	}
	// What is read is what the rest of the circuit reads, and so on.
	number := make([]value, len(n.LUTs))
	keep := make([]bool, len(n.LUTs))
	n.each(func(v *value) {
		if i := n.lutOf(*v); i >= 0 {
			keep[i] = true
		}
	})
	for i := len(n.LUTs) - 1; i >= 0; i-- {
		if keep[i] {
			for _, v := range n.LUTs[i].In {
				if k := n.lutOf(v); k >= 0 {
					keep[k] = true
				}
			}
		}
	}
	var kept []lut
	for i, l := range n.LUTs {
		if !keep[i] {
			continue
		}
		for k, v := range l.In {
			if at := n.lutOf(v); at >= 0 {
				l.In[k] = number[at]
			}
		}
		number[i] = n.result(len(kept))
		kept = append(kept, l)
	}
	n.each(func(v *value) {
		if i := n.lutOf(*v); i >= 0 {
			*v = number[i]
		}
	})
	n.LUTs = kept
	return n
}

// inputs are the different inputs of a LUT.
func (l *lut) inputs() []value {
	in := l.In[:1:1]
	for _, v := range l.In[1:] {
		if !slices.Contains(in, v) {
			in = append(in, v)
		}
	}
	return in
}

// absorb makes a LUT that only this one reads part of it, and reports whether there was one.
func (s *simplifier) absorb(i int, read []int) bool {
	n := s.new
	l := n.LUTs[i]
	for _, v := range l.inputs() {
		k := n.lutOf(v)
		if k < 0 || read[k] != 1 {
			continue
		}
		m := n.LUTs[k]
		var in []value
		for _, w := range append(l.inputs(), m.inputs()...) {
			if w != v && !slices.Contains(in, w) {
				in = append(in, w)
			}
		}
		if len(in) > 3 {
			continue
		}
		var table uint8
		for bits := range 8 {
			of := func(w value) int { return bits >> slices.Index(in, w) & 1 }
			inner := int(m.Table >> (of(m.In[0]) | of(m.In[1])<<1 | of(m.In[2])<<2) & 1)
			at := 0
			for b, w := range l.In {
				x := inner
				if w != v {
					x = of(w)
				}
				at |= x << b
			}
			table |= l.Table >> at & 1 << bits
		}
		// What both have read is read once less now.
		for _, w := range m.inputs() {
			if at := n.lutOf(w); at >= 0 && slices.Contains(l.inputs(), w) {
				read[at]--
			}
		}
		read[k] = 0
		made := lut{Table: table}
		for b := range made.In {
			made.In[b] = in[min(b, len(in)-1)]
		}
		n.LUTs[i] = made
		return true
	}
	return false
}

// each calls do for all values that something else than a LUT reads.
func (c *circuit) each(do func(v *value)) {
	all := func(values []value) {
		for i := range values {
			do(&values[i])
		}
	}
	for i := range c.Outputs {
		all(c.Outputs[i].Bits)
	}
	for i := range c.Forces {
		f := &c.Forces[i]
		all(f.Driver)
		all(f.Bits)
	}
	for i := range c.States {
		do(&c.States[i].Next)
	}
	for i := range c.Memory {
		m := &c.Memory[i]
		for k := range m.Reads {
			all(m.Reads[k].Address)
		}
		for k := range m.Writes {
			all(m.Writes[k].Address)
			all(m.Writes[k].Data)
			all(m.Writes[k].Enable)
		}
	}
	for i := range c.Checks {
		do(&c.Checks[i].Enable)
		do(&c.Checks[i].Holds)
	}
}
