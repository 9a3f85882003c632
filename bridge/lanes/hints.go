package lanes

import (
	"bytes"
	"context"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// Hints are what was never seen of a design's registers in some runs. They may be wrong: what of
// them holds is proved together with what a fault changes, as that may follow from it. Digits are
// below ten, of a one-hot state one bit is 1, a counter stands still while nothing is counted, a
// clock that runs is not at zero, a length is in bounds once it has come and was not refused.
//
// They are numbers of states, which all models with faults that are made of the same [Pins] share.
type Hints struct {
	never [][]stateIs   // all of these were never so at once
	words []unseenValue // of registers
	seen  *seen
	// proved says of each whether it is proved that it holds, or is nil if that was not tried.
	proved []bool
}

// stateIs is a state and a value of it.
type stateIs struct{ state, value int }

// unseenValue says that a register never had certain values while conditions held: none, one or
// two.
type unseenValue struct {
	while        []condition
	register     []int  // states, the least significant first
	below, above uint64 // it was never less, and never greater
	seen         string // 0 or 1 by value, or "": then these two are all that is known
}

const (
	// mostHints is how many pairs of states are taken never to be something at once, at most.
	mostHints = 50_000
	// mostLooks is how many words are looked at in all cycles, at most: that takes some seconds.
	mostLooks = 5_000_000_000
	// mostNodes is how many ANDs all that is said of registers may have.
	mostNodes = 100_000
	// widest is how many bits the registers have whose greatest values are noted.
	widest = 32
	// wide is how many bits the registers have of which each value is noted.
	wide = 10
	// narrow is how many bits a register has for each of whose values it is noted what others are.
	// Of wider ones that is noted for whether they are 0.
	narrow = 3
	// often is in how many cycles a condition held for which that is noted.
	often = 16
	// mostPairs is of how many pairs of conditions that is noted, at most.
	mostPairs = 4096
)

// condition is that a register has a value, or that it has not.
type condition struct {
	register []int // states, the least significant first
	value    uint64
	not      bool
}

// Hints looks at registers in runs after the reset. play returns them as inputs of a miter. The
// options are those of a miter.
func (m *Model) Hints(o MiterOptions, play func(inputs []MiterInput) *Runs) (*Hints, error) {
	x, done, err := m.alone(o)
	if err != nil {
		return nil, err
	}
	h := &Hints{}
	s := newSeen(x.c)
	runs := play(x.made.Inputs)
	n, most := 0, mostLooks/s.looks()
	x.a.play(runs, func(is func(literal) uint64, going uint64) bool {
		n++
		for k := range runs.spread(going&is(done), n, most, &s.cycles) {
			s.see(func(i int) bool { return is(x.now[0][i])>>k&1 != 0 })
		}
		return false
	})
	if s.cycles > 0 {
		h.never, h.words, h.seen = s.never(x), s.unseen(), s
	}
	return h, nil
}

// seen is what was seen of states.
type seen struct {
	cycles int
	n      int
	ones   []uint64         // the present values of states
	pairs  [2][][2][]uint64 // by the value of a state, by its number, by the value of the others

	registers []register
	home      map[string]string // by register of the source: the module that decides what it becomes
	whens     []when
	alone     []alongside // while one of whens holds, in their order
	both      []alongside
}

// register is some states that are a register of the source.
type register struct {
	module   string // the instance that it is in
	states   []int
	now      uint64
	least    uint64
	greatest uint64
	values   []byte // by value, 0 or 1: whether it had it; nil if it is too wide
}

// when is a condition on a register, by its number.
type when struct {
	of    int
	value uint64
	not   bool
	holds bool // in the present cycle
}

// alongside is what registers were while one or two of whens held.
type alongside struct {
	while  []int
	cycles int
	others []other
}

// other is what a register was.
type other struct {
	of              int
	least, greatest uint64
	values          []byte
}

func newSeen(c *circuit) *seen {
	s := &seen{n: len(c.States)}
	words := (s.n + 63) / 64
	s.ones = make([]uint64, words)
	for value := range s.pairs {
		s.pairs[value] = make([][2][]uint64, s.n)
		for i := range s.n {
			for other := range 2 {
				s.pairs[value][i][other] = make([]uint64, words)
			}
		}
	}
	of := c.registers()
	s.home = c.homes(of)
	for _, name := range slices.Sorted(maps.Keys(of)) {
		states := of[name]
		if len(states) <= widest {
			s.registers = append(s.registers, register{module: moduleOf(name), states: states, least: math.MaxUint64, values: allValues(len(states))})
		}
	}
	for i, r := range s.registers {
		if len(r.states) > narrow {
			s.whens = append(s.whens, when{of: i}, when{of: i, not: true})
			continue
		}
		for value := range uint64(1) << len(r.states) {
			s.whens = append(s.whens, when{of: i, value: value})
		}
	}
	for i, w := range s.whens {
		x := alongside{while: []int{i}}
		for k, r := range s.registers {
			if k == w.of {
				continue
			}
			o := other{of: k, least: math.MaxUint64}
			if len(s.registers[w.of].states) <= narrow {
				o.values = allValues(len(r.states))
			}
			x.others = append(x.others, o)
		}
		s.alone = append(s.alone, x)
	}
	// What depends on two registers is looked for within a module, or between two modules if both
	// are flags. Of other modules only flags are looked at.
	for i, w := range s.whens {
		for k, v := range s.whens[:i] {
			a, b := &s.registers[w.of], &s.registers[v.of]
			flags := len(a.states) == 1 && len(b.states) == 1
			if v.of == w.of || a.module != b.module && !flags || len(s.both) == mostPairs {
				continue
			}
			x := alongside{while: []int{k, i}}
			for n, r := range s.registers {
				near := r.module == a.module || r.module == b.module
				if flag := len(r.states) == 1; n != w.of && n != v.of && near != flag {
					x.others = append(x.others, other{of: n, least: math.MaxUint64})
				}
			}
			s.both = append(s.both, x)
		}
	}
	return s
}

// moduleOf returns the instance that a register is in, by its name.
func moduleOf(register string) string { return register[:strings.LastIndexByte(register, '.')+1] }

// registers returns the states of each register of the source, the least significant first.
func (c *circuit) registers() map[string][]int {
	of := map[string][]int{}
	for i, x := range c.States {
		if x.Register != "" {
			of[x.Register] = append(of[x.Register], i)
		}
	}
	for _, states := range of {
		slices.SortFunc(states, func(a, b int) int { return c.States[a].Bit - c.States[b].Bit })
	}
	return of
}

// homes returns for each register the module of most registers that it depends on. That is not the
// module that it is in by its name if it has the name of a wire of a module above.
func (c *circuit) homes(of map[string][]int) map[string]string {
	home := map[string]string{}
	seen := make([]string, len(c.LUTs)) // for which register
	for name, states := range of {
		from := map[string]bool{}
		var visit func(v value)
		visit = func(v value) {
			if i := int(v - c.firstState()); i >= 0 && i < len(c.States) {
				if r := c.States[i].Register; r != "" && r != name {
					from[r] = true
				}
				return
			}
			n := c.lutOf(v)
			if n < 0 || seen[n] == name {
				return
			}
			seen[n] = name
			for _, in := range c.LUTs[n].In {
				visit(in)
			}
		}
		for _, i := range states {
			visit(c.States[i].Next)
		}
		votes := map[string]int{}
		for r := range from {
			votes[moduleOf(r)]++
		}
		home[name] = moduleOf(name)
		for _, module := range slices.Sorted(maps.Keys(votes)) {
			if votes[module] > votes[home[name]] {
				home[name] = module
			}
		}
	}
	return home
}

// allValues has room for each value of a register, or is nil if it is too wide.
func allValues(width int) []byte {
	if width > wide {
		return nil
	}
	return bytes.Repeat([]byte{'0'}, 1<<width)
}

// looks returns about how many words are looked at in a cycle.
func (s *seen) looks() (n int) {
	n = 1 + 2*s.n*len(s.ones)
	for _, list := range [][]alongside{s.alone, s.both} {
		for i := range list {
			n += len(list[i].others)
		}
	}
	return n
}

// see notes the values of states in a cycle.
func (s *seen) see(is func(state int) bool) {
	clear(s.ones)
	for i := range s.n {
		if is(i) {
			s.ones[i/64] |= 1 << (i % 64)
		}
	}
	for i := range s.n {
		p := &s.pairs[s.one(i)][i]
		for w, bits := range s.ones {
			p[0][w] |= ^bits
			p[1][w] |= bits
		}
	}
	for i := range s.registers {
		r := &s.registers[i]
		r.now = 0
		for b, state := range r.states {
			r.now |= uint64(s.one(state)) << b
		}
		r.least = min(r.least, r.now)
		if r.greatest = max(r.greatest, r.now); r.values != nil {
			r.values[r.now] = '1'
		}
	}
	for i := range s.whens {
		w := &s.whens[i]
		w.holds = (s.registers[w.of].now == w.value) != w.not
	}
	for _, list := range [][]alongside{s.alone, s.both} {
		for i := range list {
			list[i].see(s)
		}
	}
}

// see notes what the others are, if the conditions hold.
func (x *alongside) see(s *seen) {
	for _, i := range x.while {
		if !s.whens[i].holds {
			return
		}
	}
	x.cycles++
	for i := range x.others {
		o := &x.others[i]
		now := s.registers[o.of].now
		o.least = min(o.least, now)
		if o.greatest = max(o.greatest, now); o.values != nil {
			o.values[now] = '1'
		}
	}
}

func (s *seen) one(i int) int { return int(s.ones[i/64] >> (i % 64) & 1) }

// was reports whether two states were ever these values at once.
func (s *seen) was(i, value, k, other int) bool {
	return s.pairs[value][i][other][k/64]>>(k%64)&1 != 0
}

// never returns what single states, and two of them at once, never were. Where that is too much to
// prove, of two states one is a flag, and the other is what it was at power-up at most: until its
// stage takes something, and then a flag says that the stage is valid.
func (s *seen) never(x *miter) (all [][]stateIs) {
	for i := range s.n {
		for value := range 2 {
			if !s.was(i, value, i, value) {
				all = append(all, []stateIs{{i, value}})
				continue
			}
			for k := range i {
				for other := range 2 {
					if s.was(k, other, k, other) && !s.was(i, value, k, other) {
						all = append(all, []stateIs{{i, value}, {k, other}})
					}
				}
			}
		}
	}
	if len(all) > mostHints {
		all = s.neverAgain(x)
	}
	if len(all) > mostHints { // of single states at least: assertions need that a reset has begun
		all = slices.DeleteFunc(all, func(never []stateIs) bool { return len(never) > 1 })
	}
	return all
}

// neverAgain returns what states never were that are it at power-up only, at all or while a flag
// had a value.
func (s *seen) neverAgain(x *miter) (all [][]stateIs) {
	for value := range 2 {
		for i, settled := range x.settled(uint8(1 - value)) {
			if !settled {
				continue
			}
			if !s.was(i, value, i, value) {
				all = append(all, []stateIs{{i, value}}) // perhaps in these runs only
			}
			for _, r := range s.registers {
				if k := r.states[0]; len(r.states) == 1 && k != i {
					for other := range 2 {
						if s.was(k, other, k, other) && !s.was(i, value, k, other) {
							all = append(all, []stateIs{{i, value}, {k, other}})
						}
					}
				}
			}
		}
	}
	return all
}

// unseen returns the values that registers never had: at all, and while conditions on others held,
// where that says more.
func (s *seen) unseen() (all []unseenValue) {
	for i := range s.registers {
		if r := &s.registers[i]; len(r.states) > 1 {
			all = append(all, unseenValue{nil, r.states, r.least, r.greatest, string(r.values)})
		}
	}
	for i := range s.alone {
		x := &s.alone[i]
		for k := range x.others {
			o := &x.others[k]
			r := &s.registers[o.of]
			if x.cycles >= often && len(r.states) > 1 &&
				(o.least != r.least || o.greatest != r.greatest || o.values != nil && !bytes.Equal(o.values, r.values)) {
				all = append(all, unseenValue{s.conditions(x.while), r.states, o.least, o.greatest, string(o.values)})
			}
		}
	}
	for i := range s.both {
		x := &s.both[i]
		for k := range x.others {
			o := &x.others[k]
			least, greatest := uint64(0), uint64(math.MaxUint64)
			for _, w := range x.while {
				known := s.alone[w].other(o.of)
				least, greatest = max(least, known.least), min(greatest, known.greatest)
			}
			if x.cycles >= often && (o.least > least || o.greatest < greatest) {
				all = append(all, unseenValue{s.conditions(x.while), s.registers[o.of].states, o.least, o.greatest, ""})
			}
		}
	}
	return all
}

// other returns what a register was that is not the one of the condition.
func (x *alongside) other(of int) *other {
	i, _ := slices.BinarySearchFunc(x.others, of, func(o other, of int) int { return o.of - of })
	return &x.others[i]
}

// conditions returns whens by their numbers.
func (s *seen) conditions(while []int) (list []condition) {
	for _, i := range while {
		w := &s.whens[i]
		list = append(list, condition{s.registers[w.of].states, w.value, w.not})
	}
	return list
}

// known returns for each of the hints what says that states after the reset are what they never
// were. Each is an output of a miter, so that it is among the signals that are taken to be 0 until
// induction shows that they need not be. Once some were proved, only these are used.
//
// That is proved of the design, which is the first copy. Of the second one it may be wrong.
func (h *Hints) known(x *miter, done literal, side int) (all []literal) {
	for i, l := range h.each(x, done, side) {
		if h.proved == nil || h.proved[i] {
			all = append(all, l)
		}
	}
	return all
}

// add says that any of these is so.
func (h *Hints) add(x *miter, done literal, side int) (any literal) {
	for _, l := range h.known(x, done, side) {
		any = x.a.or(any, l)
	}
	return any
}

// each returns for each of the hints what says that states after the reset are what that says they
// never were. All models have them in the same order, and once some were proved, as many.
func (h *Hints) each(x *miter, done literal, side int) (all []literal) {
	if h == nil {
		return nil
	}
	for _, states := range h.never {
		both := done
		for _, s := range states {
			both = x.a.and(both, x.now[side][s.state]^literal(1-s.value))
		}
		all = append(all, both)
	}
	note := func(while []condition, more literal) {
		for _, c := range while {
			more = x.a.and(more, x.holds(c, side))
		}
		all = append(all, x.a.and(done, more))
	}
	for _, k := range x.c.Checks {
		if !k.Assumed {
			enable, holds := x.looked(k, side)
			all = append(all, x.a.and(done, x.a.and(enable, holds.not())))
		}
	}
	begin := len(x.a.ands)
	for _, u := range h.words {
		if h.proved == nil && len(x.a.ands)-begin > mostNodes || h.proved != nil && len(all) >= len(h.proved) {
			break
		}
		register := x.registerOf(u.register, side)
		note(u.while, x.above(register, u.above))
		if u.below > 0 {
			note(u.while, x.above(register, u.below-1)^1)
		}
		if u.below > 1 { // that it was never 0 may hold where the least value was seen by chance
			note(u.while, x.above(register, 0)^1)
		}
		if u.seen != "" {
			note(u.while, x.outside(register, u.seen, map[string]literal{}))
		}
	}
	return all
}

// ProveHints finds out which hints hold in all states after the reset, by induction over all of
// them together. From then on only these are used. The options are those of a miter. If there is
// not enough time, all stay hints.
//
// Most of what was never seen in some runs is seen in others. It takes induction far longer than a
// run to find that out. So more runs are played before, until one shows little.
func (m *Model) ProveHints(ctx context.Context, h *Hints, o MiterOptions, more iter.Seq[*Runs], limit time.Duration) error {
	o.Hints = nil
	x, done, err := m.alone(o)
	if err != nil {
		return err
	}
	all := h.each(x, done, 0) // none of nil
	if len(all) == 0 {
		return nil
	}
	left := x.a.leaveOut(all, more)
	if x, done, err = m.afterReset(o); err != nil {
		return err
	}
	same := h.each(x, done, 0)
	left = slices.DeleteFunc(left, func(i int) bool { return i >= len(same) || all[i] == 0 })
	var outputs []literal
	for _, i := range left {
		outputs = append(outputs, same[i])
	}
	a, err := (&Miter{AIGER: x.a.write(outputs...)}).newABC()
	if err != nil {
		return err
	}
	defer a.close()
	proved, err := a.reduce(ctx, limit, len(outputs), 0)
	if err != nil || proved == nil {
		return err
	}
	h.proved = make([]bool, len(all))
	for k, i := range left {
		h.proved[i] = proved[k] == "0"
	}
	if len(x.a.ands) <= manyANDs {
		return nil
	}
	asserted, err := m.proveAssertions(ctx, o, assertedLonger*limit)
	copy(h.proved[len(h.never):], asserted)
	return err
}

// assertedLonger is how many times as long there is to prove the assertions of a design for which
// abc's newer induction is used. That one does not take for granted in a cycle what is to be proved
// of the next: it makes equal signals one, and nothing else reads an assertion. So it proves none
// but the simplest. The other one takes two minutes for those of validity.
const assertedLonger = 60

// alone makes a miter of which only the design is used, which is the first copy.
func (m *Model) alone(o MiterOptions) (*miter, literal, error) {
	o.Local, o.Own, o.Open, o.Taken, o.step = true, nil, false, false, true
	x, done, err := m.newMiter(o)
	if err != nil {
		return nil, 0, err
	}
	for i := range x.c.States {
		x.next(0, i)
	}
	return x, done, nil
}

// leaveOut returns the numbers of the literals that are 0 in all cycles of the runs. It ends with
// the first runs in which less than one in twenty of them is not.
func (a *aig) leaveOut(all []literal, more iter.Seq[*Runs]) []int {
	left := make([]int, len(all))
	for i := range all {
		left[i] = i
	}
	for runs := range more {
		before := len(left)
		a.play(runs, func(is func(literal) uint64, going uint64) bool {
			left = slices.DeleteFunc(left, func(i int) bool { return is(all[i])&going != 0 })
			return false
		})
		if before-len(left) < before/20 {
			break
		}
	}
	return left
}

// holds says that a condition does in one of the copies.
func (x *miter) holds(c condition, side int) literal {
	l := literal(1)
	for b, state := range c.register {
		l = x.a.and(l, x.now[side][state]^literal(1-c.value>>b&1))
	}
	if c.not {
		l = l.not()
	}
	return l
}

// registerOf returns the bits of a register in one of the copies.
func (x *miter) registerOf(states []int, side int) (register []literal) {
	for _, state := range states {
		register = append(register, x.now[side][state])
	}
	return register
}

// above says that a register is greater than a number.
func (x *miter) above(register []literal, number uint64) (greater literal) {
	for b, l := range register { // from the least significant bit on
		if number>>b&1 != 0 {
			greater = x.a.and(l, greater)
		} else {
			greater = x.a.or(l, greater)
		}
	}
	return greater
}

// outside says that a register has a value that was not seen.
func (x *miter) outside(register []literal, seen string, known map[string]literal) literal {
	switch {
	case !strings.Contains(seen, "0"):
		return 0
	case !strings.Contains(seen, "1"):
		return 1
	}
	l, ok := known[seen]
	if !ok {
		half, top := len(seen)/2, len(register)-1
		l = x.a.choose(register[top], x.outside(register[:top], seen[:half], known), x.outside(register[:top], seen[half:], known))
		known[seen] = l
	}
	return l
}
