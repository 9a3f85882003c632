package lanes

import (
	"bytes"
	"cmp"
	"maps"
	"math"
	"math/bits"
	"slices"
)

// Apart is what was seen, in some runs, of the registers that differ between the copies of a miter.
type Apart struct {
	States []int // of these registers
	while  []apartWhile

	miter *Miter
	seen  []*seenApart
}

// apartWhile says that while a register differed, and conditions held, another one never had
// certain values in one of the copies. So a refused frame may leave a wrong value in a register,
// which stays there only until the next frame overwrites it.
type apartWhile struct {
	differs      []int // states
	while        []condition
	register     []int // nil: the conditions never held together
	side         int   // in which copy that register is looked at
	below, above uint64
	seen         string // 0 or 1 by value, in place of below and above; or ""
	always       bool   // it was never so in the reset at the beginning, either
}

const (
	// mostApart is of how many states of a register that differs it is noted what others are, at
	// most.
	mostApart = 16384
	// mostTriples is how many groups of three conditions a module has, at most, for them to be
	// looked at.
	mostTriples = 1000
)

// together are up to three conditions, by number. Where there are fewer, the last is there again.
type together [3]int

// conditions returns how many there are.
func (t together) conditions() int {
	switch {
	case t[0] == t[1]:
		return 1
	case t[1] == t[2]:
		return 2
	}
	return 3
}

// lessOne returns them with one less.
func (t together) lessOne() []together {
	switch a, b, c := t[0], t[1], t[2]; t.conditions() {
	case 1:
		return nil
	case 2:
		return []together{{a, a, a}, {b, b, b}}
	default:
		return []together{{a, b, b}, {a, c, c}, {b, c, c}}
	}
}

// part is how many bits of a wider register are looked at by themselves, too: a word that comes
// byte by byte differs in each of its bytes until that comes.
const part = 8

// Apart returns what is seen of registers that differ between the copies, and of others while they
// do, where hints do not say so of all states. Nothing is until [Apart.See].
func (x *Miter) Apart(h *Hints) *Apart {
	a := &Apart{miter: x}
	for _, name := range slices.Sorted(maps.Keys(x.registers)) {
		states := x.registers[name]
		if !slices.ContainsFunc(states, func(i int) bool { return x.differs[i] != 0 }) {
			continue
		}
		whole := h.seenApart(name, states, x.differs)
		a.seen = append(a.seen, whole)
		if len(states) <= part || len(states) > widest {
			continue
		}
		for some := range slices.Chunk(states, part) {
			s := h.seenApart(name, some, x.differs)
			s.of = whole
			a.seen = append(a.seen, s)
		}
	}
	return a
}

// See looks at some runs, too, which are inputs of the miter. If outputs differ that count, it
// returns the inputs of one run up to there: with memories, what is written to one may be all that
// differs.
func (a *Apart) See(runs *Runs) (differ [][]bool) {
	x, n := a.miter, 0
	for _, s := range a.seen {
		s.cycles = 0
	}
	x.a.play(runs, func(is func(literal) uint64, going uint64) bool {
		n++
		going &= is(x.assumed)
		for _, s := range a.seen {
			differs := s.differs(is) & going
			if differs != 0 {
				s.any = true
			}
			done := is(x.done)
			s.times += bits.OnesCount64(differs & done)
			for k := range runs.spread(differs, n, mostApart, &s.cycles) {
				s.see(done>>k&1 != 0, func(side, state int) uint64 { return is(x.now[side][state]) >> k & 1 })
			}
		}
		if other := is(x.outputs) & going; other != 0 && differ == nil {
			differ = runs.run(bits.TrailingZeros64(other), n)
		}
		return differ != nil && x.Exact
	})
	a.States, a.while = nil, nil
	for _, s := range a.seen {
		if !s.any {
			continue
		}
		a.States = append(a.States, s.states...)
		if s.of == nil || s.of.times != s.times { // else all of it is said of the whole register
			a.while = append(a.while, s.unseen()...)
		}
	}
	slices.Sort(a.States)
	a.States = slices.Compact(a.States)
	return differ
}

// seenApart is what was seen of others while a register differed, or a part of one.
type seenApart struct {
	states []int
	apart  []literal  // of each of them
	of     *seenApart // if it is a part: the whole register
	any    bool
	cycles int // that were looked at in the present runs
	times  int // it differed, looked at or not

	general *seen // what was seen in all states; nil: nothing is noted
	near    []int // the registers in the same module, by number
	// Of each of them in each copy: 0 or 1 by value, or nil if it is too wide. Those that never
	// differ are noted in the first copy only.
	values  [2][][]byte
	bits    [2][][2]uint64 // of each of them in each copy: which bits were 0, and which were 1
	whens   []int          // the conditions on these, by number
	now     []uint64
	holds   []int
	ranges  map[together][]other
	counts  map[together]int
	triples bool
}

func (h *Hints) seenApart(name string, states []int, differs map[int]literal) *seenApart {
	s := &seenApart{states: states}
	for _, i := range states {
		s.apart = append(s.apart, differs[i])
	}
	if h == nil || h.seen == nil {
		return s
	}
	s.general = h.seen
	s.ranges, s.counts = map[together][]other{}, map[together]int{}
	for i, r := range s.general.registers {
		if r.module == s.general.home[name] {
			s.near = append(s.near, i)
			s.values[0] = append(s.values[0], allValues(len(r.states)))
			var other []byte
			if slices.ContainsFunc(r.states, func(i int) bool { return differs[i] != 0 }) {
				other = allValues(len(r.states))
			}
			s.values[1] = append(s.values[1], other)
		}
	}
	for side := range s.bits {
		s.bits[side] = make([][2]uint64, len(s.near))
	}
	s.now = make([]uint64, len(s.general.registers))
	for i, w := range s.general.whens {
		if s.general.registers[w.of].module == s.general.home[name] {
			s.whens = append(s.whens, i)
		}
	}
	n := len(s.near) // of each register one condition holds
	s.triples = n*(n-1)*(n-2)/6 <= mostTriples
	return s
}

// differs returns in which of the runs it does.
func (s *seenApart) differs(is func(literal) uint64) (runs uint64) {
	for _, l := range s.apart {
		runs |= is(l)
	}
	return runs
}

// see notes what registers are in a cycle in which this one differs. done reports whether the reset
// at the beginning is over: before, only bits are noted.
func (s *seenApart) see(done bool, is func(side, state int) uint64) {
	if s.general == nil {
		return
	}
	for n, i := range s.near {
		value := func(side int) (v uint64) {
			for b, state := range s.general.registers[i].states {
				v |= is(side, state) << b
			}
			return v
		}
		s.now[i] = value(0)
		for side, v := range [2]uint64{s.now[i], value(1)} {
			s.bits[side][n][0] |= ^v
			s.bits[side][n][1] |= v
			if done && s.values[side][n] != nil {
				s.values[side][n][v] = '1'
			}
		}
	}
	if !done {
		return
	}
	s.holds = s.holds[:0]
	for _, i := range s.whens {
		if w := &s.general.whens[i]; (s.now[w.of] == w.value) != w.not {
			s.holds = append(s.holds, i)
		}
	}
	for n, i := range s.holds {
		s.note(together{i, i, i})
		for m, j := range s.holds[:n] {
			s.note(together{j, i, i})
			for _, k := range s.holds[:m] {
				if s.triples {
					s.note(together{k, j, i})
				}
			}
		}
	}
}

// note notes what registers are while conditions hold.
func (s *seenApart) note(while together) {
	list := s.ranges[while]
	if list == nil {
		for _, n := range s.near {
			if len(s.general.registers[n].states) > 1 {
				list = append(list, other{of: n, least: math.MaxUint64})
			}
		}
		s.ranges[while] = list
	}
	s.counts[while]++
	for i := range list {
		o := &list[i]
		o.least, o.greatest = min(o.least, s.now[o.of]), max(o.greatest, s.now[o.of])
	}
}

// unseen returns what others never were, where what is known of all states, or with one condition
// less, does not say so.
func (s *seenApart) unseen() (all []apartWhile) {
	g := s.general
	for n, i := range s.near {
		for side := range s.values {
			if v := s.values[side][n]; v != nil && !bytes.Equal(v, g.registers[i].values) {
				all = append(all, apartWhile{differs: s.states, register: g.registers[i].states, side: side, seen: string(v)})
			}
			// Of a bit there are two values only, so that neither is missed by chance. A register
			// without a reset may differ from power-up on. So what is seen in the reset counts,
			// too: what holds in the first cycle behind it follows from that.
			for b, state := range g.registers[i].states {
				was := [2]bool{s.bits[side][n][0]>>b&1 != 0, s.bits[side][n][1]>>b&1 != 0}
				if was[0] != was[1] {
					only := uint64(0)
					if was[1] {
						only = 1
					}
					all = append(all, apartWhile{differs: s.states, register: []int{state}, side: side, below: only, above: only, always: true})
				}
			}
		}
	}
	for n, i := range s.whens {
		for _, j := range s.whens[:n] {
			if g.whens[i].of != g.whens[j].of && s.counts[together{j, i, i}] == 0 {
				all = append(all, apartWhile{differs: s.states, while: g.conditions([]int{j, i})})
			}
		}
	}
	// What needs fewer conditions comes first, as there may be too much to say.
	for _, while := range slices.SortedFunc(maps.Keys(s.ranges), func(a, b together) int {
		return cmp.Or(a.conditions()-b.conditions(), slices.Compare(a[:], b[:]))
	}) {
		if s.counts[while] < often {
			continue
		}
		for i, o := range s.ranges[while] {
			if slices.ContainsFunc(while[:], func(w int) bool { return g.whens[w].of == o.of }) {
				continue
			}
			least, greatest := uint64(0), uint64(math.MaxUint64)
			for _, w := range while {
				known := g.alone[w].other(o.of)
				least, greatest = max(least, known.least), min(greatest, known.greatest)
			}
			for _, fewer := range while.lessOne() {
				known := s.ranges[fewer][i]
				least, greatest = max(least, known.least), min(greatest, known.greatest)
			}
			if o.least > least || o.greatest < greatest {
				all = append(all, apartWhile{
					differs: s.states, while: g.conditions(while[:while.conditions()]), register: g.registers[o.of].states, below: o.least, above: o.greatest,
				})
			}
		}
	}
	return all
}

// apart says that some states differ between the copies.
func (x *miter) apart(states []int) (any literal) {
	for _, i := range states {
		any = x.a.or(any, x.a.xor(x.now[0][i], x.now[1][i]))
	}
	return any
}

// apartWhile says that a register differs between the copies while a narrow register has a value,
// or another one has what it was never seen to have then. For most values that happens, and
// induction finds those for which it does not: a count may be another while nothing is counted.
// Each is an output of its own, as hints are.
func (x *miter) apartWhile(seen *Apart, conditions int, done literal) (all []literal) {
	registers := x.made.registers
	for _, name := range slices.Sorted(maps.Keys(registers)) {
		differs := x.a.and(done, x.apart(registers[name]))
		if differs == 0 {
			continue
		}
		for _, other := range slices.Sorted(maps.Keys(registers)) {
			states := registers[other]
			if len(states) > narrow {
				continue
			}
			for value := range uint64(1) << len(states) {
				all = append(all, x.a.and(differs, x.holds(condition{register: states, value: value}, 0)))
			}
		}
	}
	if seen == nil {
		return all
	}
	begin := len(x.a.ands)
	for _, w := range seen.while {
		if len(x.a.ands)-begin > mostNodes {
			break
		}
		if len(w.while) > conditions {
			continue
		}
		while := x.apart(w.differs)
		if !w.always {
			while = x.a.and(done, while)
		}
		for _, c := range w.while {
			while = x.a.and(while, x.holds(c, 0))
		}
		if w.register == nil {
			all = append(all, while)
			continue
		}
		register := x.registerOf(w.register, w.side)
		if w.seen != "" {
			all = append(all, x.a.and(while, x.outside(register, w.seen, map[string]literal{})))
			continue
		}
		all = append(all, x.a.and(while, x.above(register, w.above)))
		if w.below > 0 {
			all = append(all, x.a.and(while, x.above(register, w.below-1).not()))
		}
	}
	return all
}
