package lanes

import (
	"bytes"
	"context"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"
)

// Hints are what was never seen of a design's registers in some runs. They may be wrong: what of
// them holds is proved together with what a fault changes, as that may follow from it. Digits are
// below ten, of a one-hot state one bit is 1, a counter stands still while nothing is counted, a
// clock that runs is not at zero.
//
// They are numbers of states, which all models with faults that are made of the same [Pins] share.
type Hints struct {
	never [][]stateIs   // all of these were never so at once
	words []unseenValue // of registers
	// proved says of each whether it is proved that it holds, or is nil if that was not tried.
	proved []bool
}

// stateIs is a state and a value of it.
type stateIs struct{ state, value int }

// unseenValue says that a register never had certain values while another one had one of its own.
type unseenValue struct {
	while        []stateIs
	register     []int  // states, the least significant first
	below, above uint64 // it was never less, and never greater
	seen         string // 0 or 1 by value, or "": then these two are all that is known
}

const (
	// mostHints is how many pairs of states are taken never to be something at once, at most.
	mostHints = 50_000
	// mostNodes is how many ANDs all that is said of registers may have.
	mostNodes = 20_000
	// widest is how many bits the registers have whose greatest values are noted.
	widest = 32
	// wide is how many bits the registers have of which each value is noted.
	wide = 10
	// narrow is how many bits a register has for whose values it is noted what others are.
	narrow = 3
	// often is in how many cycles a value was seen for which that is noted.
	often = 16
)

// Hints looks at registers in runs after the reset. play returns them as inputs of a miter. The
// options are those of a miter.
func (m *Model) Hints(o MiterOptions, play func(inputs []MiterInput) *Runs) (*Hints, error) {
	o.Local, o.Own, o.Open = true, nil, false
	x, done, err := m.newMiter(o)
	if err != nil {
		return nil, err
	}
	for i := range x.c.States {
		x.next(0, i)
	}
	h := &Hints{}
	s := newSeen(x.c)
	x.a.play(play(x.made.Inputs), func(is func(literal) uint64, going uint64) bool {
		for going &= is(done); going != 0; going &= going - 1 {
			k := bits.TrailingZeros64(going)
			s.see(func(i int) bool { return is(x.now[0][i])>>k&1 != 0 })
		}
		return false
	})
	if s.cycles > 0 {
		h.never, h.words = s.never(), s.unseen()
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
	contexts  []alongside
}

// register is some states that are a register of the source.
type register struct {
	states   []int
	now      uint64
	least    uint64
	greatest uint64
	values   []byte // by value, 0 or 1: whether it had it; nil if it is too wide
}

// alongside is the value of a narrow register, and what others were while it had it.
type alongside struct {
	of, value int // the register, by its number
	cycles    int
	least     []uint64 // by register
	greatest  []uint64
	values    [][]byte
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
	for _, name := range slices.Sorted(maps.Keys(of)) {
		states := of[name]
		if len(states) <= widest {
			s.registers = append(s.registers, register{states: states, least: math.MaxUint64, values: allValues(len(states))})
		}
	}
	for i, r := range s.registers {
		if len(r.states) > narrow {
			continue
		}
		for value := range 1 << len(r.states) {
			x := alongside{of: i, value: value, values: make([][]byte, len(s.registers))}
			x.least, x.greatest = slices.Repeat([]uint64{math.MaxUint64}, len(s.registers)), make([]uint64, len(s.registers))
			for k, other := range s.registers {
				x.values[k] = allValues(len(other.states))
			}
			s.contexts = append(s.contexts, x)
		}
	}
	return s
}

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

// allValues has room for each value of a register, or is nil if it is too wide.
func allValues(width int) []byte {
	if width > wide {
		return nil
	}
	return bytes.Repeat([]byte{'0'}, 1<<width)
}

// see notes the values of states in a cycle.
func (s *seen) see(is func(state int) bool) {
	s.cycles++
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
	for i := range s.contexts {
		x := &s.contexts[i]
		if s.registers[x.of].now != uint64(x.value) {
			continue
		}
		x.cycles++
		for k := range s.registers {
			now := s.registers[k].now
			x.least[k] = min(x.least[k], now)
			if x.greatest[k] = max(x.greatest[k], now); x.values[k] != nil {
				x.values[k][now] = '1'
			}
		}
	}
}

func (s *seen) one(i int) int { return int(s.ones[i/64] >> (i % 64) & 1) }

// never returns what single states, and two of them at once, never were.
func (s *seen) never() (all [][]stateIs) {
	was := func(i, value, k, other int) bool { return s.pairs[value][i][other][k/64]>>(k%64)&1 != 0 }
	for i := range s.n {
		for value := range 2 {
			if !was(i, value, i, value) {
				all = append(all, []stateIs{{i, value}})
				continue
			}
			for k := range i {
				for other := range 2 {
					if was(k, other, k, other) && !was(i, value, k, other) {
						all = append(all, []stateIs{{i, value}, {k, other}})
					}
				}
			}
		}
	}
	if len(all) > mostHints {
		return nil
	}
	return all
}

// unseen returns the values that registers never had: at all, and while another register had a
// value, where that says more.
func (s *seen) unseen() (all []unseenValue) {
	for i := range s.registers {
		if r := &s.registers[i]; len(r.states) > 1 {
			all = append(all, unseenValue{nil, r.states, r.least, r.greatest, string(r.values)})
		}
	}
	for i := range s.contexts {
		x := &s.contexts[i]
		if x.cycles < often {
			continue
		}
		var while []stateIs
		for b, state := range s.registers[x.of].states {
			while = append(while, stateIs{state, x.value >> b & 1})
		}
		for k := range s.registers {
			r := &s.registers[k]
			if k == x.of || len(r.states) < 2 || x.least[k] == r.least && x.greatest[k] == r.greatest && bytes.Equal(x.values[k], r.values) {
				continue
			}
			all = append(all, unseenValue{while, r.states, x.least[k], x.greatest[k], string(x.values[k])})
		}
	}
	return all
}

// add returns what says that states after the reset are what they never were. Each of the hints has
// a node of its own, so that it is among the signals that are taken to be 0 until induction shows
// that they need not be. Once some were proved, only these are used.
func (h *Hints) add(x *miter, done literal) (any literal) {
	for i, l := range h.each(x, done) {
		if h.proved == nil || h.proved[i] {
			any = x.a.or(any, l)
		}
	}
	return any
}

// each returns for each of the hints what says that states after the reset are what that says they
// never were. All models have them in the same order, and once some were proved, as many.
func (h *Hints) each(x *miter, done literal) (all []literal) {
	if h == nil {
		return nil
	}
	is := func(s stateIs) literal { return x.now[0][s.state] ^ literal(1-s.value) }
	note := func(while []stateIs, more literal) {
		for _, s := range while {
			more = x.a.and(more, is(s))
		}
		all = append(all, x.a.and(done, more))
	}
	for _, states := range h.never {
		note(states, 1)
	}
	begin := len(x.a.ands)
	for _, u := range h.words {
		if h.proved == nil && len(x.a.ands)-begin > mostNodes || h.proved != nil && len(all) >= len(h.proved) {
			break
		}
		var register []literal
		for _, state := range u.register {
			register = append(register, x.now[0][state])
		}
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
func (m *Model) ProveHints(ctx context.Context, h *Hints, o MiterOptions, limit time.Duration) error {
	o.Local, o.Own, o.Hints, o.Open = true, nil, nil, false
	x, done, err := m.newMiter(o)
	if err != nil {
		return err
	}
	for i := range x.c.States {
		x.next(0, i)
	}
	all := h.each(x, done) // none of nil
	if len(all) == 0 {
		return nil
	}
	a, err := (&Miter{AIGER: x.a.write(all...)}).newABC()
	if err != nil {
		return err
	}
	defer a.close()
	outputs, err := a.reduce(ctx, limit, len(all), false)
	if err != nil || outputs == nil {
		return err
	}
	h.proved = make([]bool, len(all))
	for i, output := range outputs {
		h.proved[i] = output == "0" && all[i] != 0
	}
	return nil
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
