package lanes

import (
	"context"
	"iter"
	"maps"
	"slices"
	"time"
)

const (
	byFlags = "the registers that change are the same while a flag is set, and no output changes then (abc &fraig)"
	// mostFlags is how many flags are made use of at most. Each costs a claim for each register that
	// may differ.
	mostFlags = 160
	// fewBits is how many bits a register has at most whose values are flags.
	fewBits = 3
	// mostRounds is how often claims are given up at most.
	mostRounds = 40
	// mostCases is in how many cases it is looked at at most how a flag is set: it is taken over
	// from another flag, or stays set.
	mostCases = 4
)

// claims say of registers that may differ between the copies when they do not. A pipeline that
// waits takes what comes, valid or not, and a flag beside it says which it was: what registers are
// while the flag is 0 does not matter.
type claims struct {
	words []*claimed
	flags []flag
	of    map[int]*claimed // by state
}

// claimed is what is said of a register.
type claimed struct {
	states []int
	always bool   // it never differs
	while  []bool // it does not while this flag is set
}

// flag is a value of a register: of one bit, that which it does not have after the reset, or of a
// few bits, such as the state of a sequence.
type flag struct {
	states []int
	value  int
	resets bool // it has this value after the reset
}

// set says whether a flag is, in the first copy.
func (f flag) set(x *miter) literal {
	return f.is(x, func(state int) literal { return x.now[0][state] })
}

// is says that all bits of a flag are those of its value.
func (f flag) is(x *miter, bit func(state int) literal) literal {
	set := literal(1)
	for b, state := range f.states {
		set = x.a.and(set, bit(state)^literal(1-f.value>>b&1))
	}
	return set
}

// apart limits what says that a state differs to where that is not excluded.
func (c *claims) apart(x *miter, state int, differs literal) literal {
	if c == nil {
		return differs
	}
	w := c.of[state]
	if w.always {
		return 0
	}
	var same literal
	for k, f := range c.flags {
		if w.while[k] {
			same = x.a.or(same, f.set(x))
		}
	}
	return x.a.and(differs, same.not())
}

// Flagged proves that the copies of a miter never differ where that follows from flags: each
// register that a fault changes, or that depends on such a one, is the same in both copies while
// some flags are set. Which flags is found out by taking all that the runs do not exclude, and
// giving up what does not follow in one cycle from the rest, until all does (the greatest set that
// proves itself, as in Flanagan and Leino's Houdini). What the copies share may be anything that
// hints do not exclude. It answers Equal or Unknown.
func (m *Model) Flagged(ctx context.Context, o MiterOptions, runs iter.Seq[*Runs], limit time.Duration) (*Proof, error) {
	unknown := &Proof{By: byFlags}
	o.Local, o.Own, o.Open, o.Taken = false, nil, false, false
	c, err := m.claims(o, runs)
	if c == nil || err != nil {
		return unknown, err
	}
	for range mostRounds {
		failed, differ, took, err := m.claim(ctx, o, c, limit-unknown.Took)
		unknown.Took += took
		if err != nil || differ || unknown.Took > limit {
			return unknown, err
		}
		if failed == 0 {
			return &Proof{Answer: Equal, By: byFlags, Took: unknown.Took}, nil
		}
	}
	return unknown, nil
}

// claims returns all that may hold, or nil if nothing can be proved so: it holds behind the reset,
// and the runs do not exclude it.
func (m *Model) claims(o MiterOptions, runs iter.Seq[*Runs]) (*claims, error) {
	x, done, err := m.newMiter(o)
	if err != nil {
		return nil, err
	}
	for side := range x.now {
		for i := range x.c.States {
			if side == 0 || x.dirty[i] {
				x.next(side, i)
			}
		}
	}
	writes := x.writes()
	t := x.a.newTernarySimulation()
	clear(t.latches())
	var known []map[literal]literal // latches, in each cycle of the reset
	for t.cycle(); t.is(done) == 0; t.cycle() {
		known = append(known, map[literal]literal{})
		var next []uint8
		for k, l := range x.a.latches {
			if n := literal(1 + x.a.inputs + k); t.nodes[n] != maybe {
				known[len(known)-1][n] = literal(t.nodes[n])
			}
			next = append(next, t.is(l))
		}
		copy(t.latches(), next)
	}
	same, ok := x.sameAfter(known, writes)
	if !ok {
		return nil, nil
	}
	c := &claims{of: map[int]*claimed{}}
	registers := x.c.registers()
	if c.flags = x.flags(t); len(c.flags) == 0 {
		return nil, nil
	}
	word := func(states []int) {
		w := &claimed{states: states, always: true}
		for _, i := range states {
			w.always = w.always && same[i]
			c.of[i] = w
		}
		for _, f := range c.flags {
			w.while = append(w.while, w.always || !f.resets)
		}
		c.words = append(c.words, w)
	}
	for _, name := range slices.Sorted(maps.Keys(registers)) {
		if states := slices.DeleteFunc(slices.Clone(registers[name]), func(i int) bool { return !x.dirty[i] }); len(states) > 0 {
			word(states)
		}
	}
	for i, dirty := range x.dirty {
		if dirty && c.of[i] == nil {
			word([]int{i})
		}
	}
	apart := make([]literal, len(c.words))
	for k, w := range c.words {
		for _, i := range w.states {
			apart[k] = x.a.or(apart[k], x.latches[1][i])
		}
	}
	set := make([]literal, len(c.flags))
	for n, f := range c.flags {
		set[n] = f.set(x)
	}
	for r := range runs {
		x.a.play(r, func(is func(literal) uint64, going uint64) bool {
			going &= is(done)
			for k := range c.words {
				differs := is(apart[k]) & going
				if differs == 0 {
					continue
				}
				w := c.words[k]
				w.always = false
				for n := range c.flags {
					w.while[n] = w.while[n] && is(set[n])&differs == 0
				}
			}
			return false
		})
	}
	return c, nil
}

// flags returns the flags of a design, whose registers have these values after the reset: those of
// one bit first, and as many as there may be.
func (x *miter) flags(t *ternarySimulation) (flags []flag) {
	registers := x.c.registers()
	names := slices.Sorted(maps.Keys(registers))
	slices.SortStableFunc(names, func(a, b string) int { return len(registers[a]) - len(registers[b]) })
	for _, name := range names {
		states, resets := registers[name], 0
		known := len(states) <= fewBits
		for b, state := range states {
			v := t.is(x.now[0][state])
			known = known && v != maybe
			resets |= int(v&1) << b
		}
		switch {
		case !known:
		case len(states) == 1 && len(flags) < mostFlags:
			flags = append(flags, flag{states, 1 - resets, false})
		case len(states) > 1 && len(flags)+1<<len(states) <= mostFlags:
			for value := range 1 << len(states) {
				flags = append(flags, flag{states, value, value == resets})
			}
		}
	}
	return flags
}

// sameAfter returns which states are the same in both copies behind the reset, of whose cycles it
// is given what latches are. ok reports whether nothing else is written to a memory until then.
func (x *miter) sameAfter(known []map[literal]literal, writes literal) (same []bool, ok bool) {
	same = slices.Repeat([]bool{true}, len(x.c.States)) // at power-up
	for _, latches := range known {
		for i, is := range same {
			if is && x.dirty[i] {
				latches[x.latches[1][i]/2] = 0
			}
		}
		then := x.a.cofactor(latches)
		if then(writes) != 0 {
			return nil, false
		}
		for i := range same {
			same[i] = !x.dirty[i] || then(x.a.latches[x.latch(1, i)]) == 0
		}
	}
	return same, true
}

// claim gives up what does not follow from all claims in one cycle, and returns how many that were.
// differ reports whether an output may differ in spite of them.
func (m *Model) claim(ctx context.Context, o MiterOptions, c *claims, limit time.Duration) (failed int, differ bool, took time.Duration, err error) {
	o.claims = c
	x, done, err := m.newMiter(o)
	if err != nil {
		return 0, false, 0, err
	}
	reached := x.a.and(done, x.first.not())
	if o.Hints != nil && o.Hints.proved != nil { // those that are not proved may be wrong
		reached = x.a.and(reached, o.Hints.add(x, done, 0).not())
	}
	behind := x.a.given(reached) // the reset, and with what is proved of all cycles
	set := make([]literal, len(c.flags))
	for k, f := range c.flags {
		set[k] = f.is(x, func(state int) literal { return behind(x.value(0, x.c.States[state].Next)) })
	}
	outputs := []literal{x.a.and(reached, behind(x.bad(o, done)))}
	var given []*bool // what is given up if the output behind it may be 1
	differs := make([]literal, len(c.words))
	for k := range c.words {
		w := c.words[k]
		var next []value
		for _, i := range w.states {
			next = append(next, x.c.States[i].Next)
		}
		differs[k] = behind(x.differ(next))
		if !w.always {
			continue
		}
		cases := []literal{reached}
		// What a flag becomes depends on what it was.
		if own := x.now[0][w.states[0]]; len(w.states) == 1 {
			cases = []literal{x.a.and(reached, own), x.a.and(reached, own.not())}
		}
		for _, while := range cases {
			then := x.a.given(while)
			outputs, given = append(outputs, x.a.and(while, then(differs[k]))), append(given, &w.always)
		}
	}
	for n := range c.flags {
		for _, set := range x.a.cases(set[n], mostCases) {
			while := x.a.and(reached, set)
			then := x.a.given(while)
			for k := range c.words {
				if w := c.words[k]; w.while[n] && !w.always {
					outputs, given = append(outputs, x.a.and(while, then(differs[k]))), append(given, &w.while[n])
				}
			}
		}
	}
	a, err := (&Miter{AIGER: x.a.writeStep(outputs...)}).newABC()
	if err != nil {
		return 0, false, 0, err
	}
	defer a.close()
	left, err := a.sweep(ctx, limit, len(outputs))
	if err != nil || left == nil {
		return 0, true, a.took, err
	}
	var open []int // what the sweep has left
	for k := range outputs {
		if left[k] != "0" {
			open = append(open, k)
		}
	}
	refuted, alone, err := x.alone(ctx, outputs, open, limit-a.took)
	for _, k := range refuted {
		if k == 0 {
			differ = true
		} else if *given[k-1] {
			*given[k-1] = false
			failed++
		}
	}
	return failed, differ, a.took + alone, err
}
