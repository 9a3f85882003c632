package lanes

import (
	"fmt"
	"maps"
	"slices"
)

// MiterOptions say what two copies of a design are compared in.
type MiterOptions struct {
	// On is an input of one bit. It is 0 in the first copy and 1 in the second.
	On string
	// Any are inputs of one bit, in place of On: 0 in the first copy, and anything in the second in
	// each cycle. That the copies never differ is proved for each of these faults at once, and for
	// all of them together. That they differ implies nothing of a single one.
	Any []string
	// Off are inputs that are 0 in both.
	Off []string
	// Reset is for how many cycles the design's reset is held at the beginning. Outputs are
	// compared from then on.
	Reset int
	// Valid says when a field of the outputs counts. It is compared where the conditions hold in
	// the first copy, which are about other outputs. [ParseField] reads the one, [ParseConditions]
	// the others. Conditions about ports that the design does not have say nothing.
	Valid map[string]string
	// Local makes the copies share their registers, but for those in Own: they differ as soon as
	// another register would become something else, or an output does. That they never do is easier
	// to prove, and implies that copies with registers of their own never differ. The opposite
	// implies nothing, unless an output differs: see [Miter.Changed].
	Local bool
	Own   []int
	// Apart is what was seen of registers while they differ, or nil. What of it holds is proved
	// together with the rest where copies share registers.
	Apart *Apart
	// Conditions is with how many conditions at most what was seen by Apart is proved. There is far
	// less of it with one than with three.
	Conditions int
	// Open lets the registers that the copies share be anything in each cycle, but for what is
	// proved by Hints. Few registers are left then: that the copies never differ is soon proved, if
	// it does not depend on what the others are. That they differ implies nothing.
	Open bool
	// Keep is which registers Open leaves as they are.
	Keep Keep
	// Hints are what registers never were in some runs, or nil. What of them holds is proved
	// together with the rest where copies share registers.
	Hints *Hints
	// Unassumed compares the copies in all runs, also in those in which something is not as the
	// design assumes it to be. That they never differ is more than without it, and is sooner proved
	// where it does not depend on what is assumed: of a position that is legal, for example, that
	// is a large circuit.
	Unassumed bool
	// Taken takes what is proved by Hints to hold, in place of proving it again with the rest, and
	// uses nothing else that was only seen. That is quicker, and enough for most.
	Taken bool

	// step is for a single cycle: nothing is known of what memories hold, but that it is the same.
	step   bool
	claims *claims
}

// Keep is which registers [MiterOptions].Open leaves as they are. The zero value is none.
type Keep struct {
	// Bits is how many bits at most. Those nearest to where copies may differ come first.
	Bits int
	// Few is on how many bits of a register it depends at most whether copies differ. Those with
	// more are not kept. Up to 5 are bits of control: a state, a short counter, or how many words
	// are in a queue of 16. Of a wide register, such as a word of the queue, few may count, too.
	Few int
}

// Miter is a circuit of two copies of a design with the same inputs, and with the same values at
// power-up. Its output is 1 when they differ, until the first cycle in which something is not as
// the design assumes it to be (see [MiterOptions].Unassumed).
type Miter struct {
	// AIGER is the circuit in the binary form of AIGER. Latches begin with 0.
	AIGER []byte
	// Inputs are the inputs of the circuit, in their order, which is the same for all models that
	// are made of the same [Pins].
	Inputs []MiterInput
	// Exact reports whether a run in which the output is 1 is one of the design. Where it is not,
	// the design has memories: their words are taken to be any as soon as the copies read at
	// different addresses, and a difference in what is written counts as one, unless the copies
	// share all registers: then it does when it is read. So a proof that the output is never 1
	// holds, and a run in which it is need not be one.
	Exact bool
	// Same is set if the output is the constant 0: nothing depends on the input.
	Same bool
	// MayDiffer are the states that may differ between the copies, by what depends on what.
	MayDiffer []int

	latches   int
	local     bool
	open      bool // registers that the copies share may be anything
	hinted    int  // how many outputs there are of hints, behind the first
	a         *aig
	outputs   literal          // an output differs that counts, or what is written to a memory
	changed   map[int]literal  // states that the copies share would become different
	differs   map[int]literal  // states of registers do between the copies; none: they never do
	done      literal          // the reset at the beginning is over, and assumed is 1
	assumed   literal          // all is, and has been, as the design assumes it to be
	now       [2][]literal     // states of each copy
	registers map[string][]int // the states of each
}

// MiterInput is a bit of an input port. Port is "" for an input that the design does not have:
// values at power-up, words of memories, clocks that rise.
type MiterInput struct {
	Port string
	Bit  int
}

// miter is a Miter that is being made.
type miter struct {
	c     *circuit
	a     *aig
	made  *Miter
	fixed map[value]literal // planes of inputs, clocks and forces
	on    value
	any   map[value]literal // inputs: planes that are 0 in the first copy
	first literal           // 1 in the first cycle
	// With Open or Taken: a latch that is 1 if registers were what it is proved that they never
	// are.
	unreached literal
	violated  literal // a latch that is 1 if something was not as the design assumes it to be
	assumed   literal // all is, and has been, as the design assumes it to be
	checked   []bool  // the states that are there for a check only
	dirty     []bool  // the states that may differ between the copies
	claims    *claims // when they do not
	words     map[value]literal
	other     map[value]literal // what the second copy reads if its address, or the word, differs
	places    []literal         // inputs: the addresses of the words that are followed
	follow    []*followed       // words of memories, one a read port; nil: none is followed
	now       [2][]literal      // states
	latches   [2][]literal
	luts      [2][]literal
	seen      [2][]bool
}

// Miter makes a miter of the design.
func (m *Model) Miter(o MiterOptions) (*Miter, error) {
	x, done, err := m.newMiter(o)
	if err != nil {
		return nil, err
	}
	bad := x.bad(o, done)
	x.made.registers = x.c.registers()
	if o.taken() {
		bad = x.a.and(bad, x.reached(o, done))
	}
	outputs := []literal{bad}
	if o.Local && !o.taken() {
		hints := x.apartWhile(o.Apart, o.Conditions, done)
		for side := range x.now {
			hints = append(hints, o.Hints.known(x, done, side)...)
		}
		slices.Sort(hints)
		hints = slices.DeleteFunc(slices.Compact(hints), func(l literal) bool { return l == 0 })
		outputs, x.made.hinted = append(outputs, hints...), len(hints)
	}
	for side := range x.now {
		for i := range x.c.States {
			if side == 0 || x.dirty[i] {
				x.next(side, i)
			}
		}
	}
	x.differingWords()
	open := x.open(o, bad)
	x.made.AIGER, x.made.Same, x.made.latches, x.made.a = x.a.writeOpen(open, outputs...), bad == 0, len(x.a.latches), x.a
	x.made.local, x.made.open = o.Local, o.Open
	x.made.differs, x.made.done, x.made.assumed, x.made.now = map[int]literal{}, done, x.assumed, x.now
	for _, states := range x.made.registers {
		for _, i := range states {
			if differs := x.apart([]int{i}); differs != 0 {
				x.made.differs[i] = differs
			}
		}
	}
	return x.made, nil
}

// taken reports whether what is proved by Hints is taken to hold.
func (o *MiterOptions) taken() bool { return o.Open || o.Taken }

// reached says that in no cycle until now registers were what it is proved that they never are.
func (x *miter) reached(o MiterOptions, done literal) literal {
	if o.Hints == nil || o.Hints.proved == nil { // those that are not proved may be wrong
		return 1
	}
	ever := x.a.or(x.unreached, o.Hints.add(x, done, 0))
	x.a.become(x.unreached, ever)
	return ever.not()
}

// open returns which latches may be anything, and adds them to the inputs: those of registers that
// the copies share.
func (x *miter) open(o MiterOptions, bad literal) []bool {
	if !o.Open {
		return nil
	}
	open, kept := make([]bool, len(x.a.latches)), x.kept(o.Keep, bad)
	for i := range x.c.States {
		if l := x.latch(0, i); !x.dirty[i] && !kept[l] {
			open[l] = true
			x.made.Inputs = append(x.made.Inputs, MiterInput{"", i})
		}
	}
	return open
}

// latch returns the number of a state's latch.
func (x *miter) latch(side, i int) int { return int(x.latches[side][i]/2) - x.a.inputs - 1 }

// kept returns latches on which bad depends: first those on which it depends in the same cycle,
// then those on which these depend, and so on. They are of registers of which it depends on few
// bits.
func (x *miter) kept(keep Keep, bad literal) map[int]bool {
	kept := map[int]bool{}
	if keep.Bits == 0 {
		return kept
	}
	state := make([]int, len(x.a.latches)) // of each latch that the copies share; or -1
	for k := range state {
		state[k] = -1
	}
	next := []literal{bad}
	for i, s := range x.c.States {
		if x.dirty[i] {
			next = append(next, x.a.latches[x.latch(0, i)], x.a.latches[x.latch(1, i)])
		} else if s.Register != "" {
			state[x.latch(0, i)] = i
		}
	}
	first := 1 + x.a.inputs
	seen := make([]bool, first+len(x.a.latches)+len(x.a.ands))
	bits := map[string]int{} // of each register, that bad depends on
	for len(next) > 0 {
		var reached []int // latches
		for len(next) > 0 {
			n := int(next[len(next)-1] / 2)
			next = next[:len(next)-1]
			if n < first || seen[n] {
				continue
			}
			seen[n] = true
			if k := n - first; k >= len(x.a.latches) {
				next = append(next, x.a.ands[k-len(x.a.latches)][0], x.a.ands[k-len(x.a.latches)][1])
			} else if state[k] >= 0 {
				reached = append(reached, k)
				bits[x.c.States[state[k]].Register]++
			}
		}
		slices.Sort(reached)
		for _, k := range reached {
			if bits[x.c.States[state[k]].Register] <= keep.Few && len(kept) < keep.Bits {
				kept[k] = true
				next = append(next, x.a.latches[k])
			}
		}
	}
	return kept
}

// newMiter makes all of a miter but what the latches become, and its output. done is 1 when the
// reset at the beginning is over, as long as all has been as the design assumes it to be.
func (m *Model) newMiter(o MiterOptions) (x *miter, done literal, err error) {
	c := m.program.c
	x = &miter{c: c, a: &aig{known: map[[2]literal]literal{}}, made: &Miter{Exact: len(c.Memory) == 0}, fixed: map[value]literal{}, on: -1, any: map[value]literal{},
		words: map[value]literal{}, other: map[value]literal{}}
	var reset literal
	for _, p := range c.Inputs {
		for i, v := range p.Bits {
			switch {
			case p.Name == o.On:
				x.on, x.fixed[v] = v, 0
			case slices.Contains(o.Any, p.Name):
				x.any[v], x.fixed[v] = x.input("", i), 0
			case slices.Contains(o.Off, p.Name):
				x.fixed[v] = 0
			default:
				x.fixed[v] = x.input(p.Name, i)
			}
		}
		if p.Name == m.design.Reset && len(p.Bits) == 1 {
			reset = x.fixed[p.Bits[0]]
		}
	}
	if x.on < 0 && len(x.any) == 0 && !(o.step && o.On == "") {
		return nil, 0, fmt.Errorf("lanes: module %s has no input %s", m.design.Top, o.On)
	}
	for i := range c.Rises {
		x.fixed[c.firstState()-value(c.Rises)+value(i)] = x.input("", i)
	}
	for _, f := range c.Forces {
		for i := range f.Mask {
			x.fixed[f.Mask[i]], x.fixed[f.Forced[i]] = 0, 0
		}
	}
	x.powerUp()
	done = x.begin(max(o.Reset, 1))
	if o.taken() {
		x.unreached = x.a.latch()
	}
	if len(m.Assumptions()) > 0 && !o.Unassumed {
		x.violated = x.a.latch()
	}
	if o.Local && len(o.Own) == 0 && !o.step {
		x.followWords()
	}
	x.checked = c.checked()
	x.spread()
	for i, differs := range x.dirty {
		if differs {
			x.made.MayDiffer = append(x.made.MayDiffer, i)
		}
	}
	if o.Local {
		own := make([]bool, len(x.dirty))
		for _, i := range o.Own {
			own[i] = x.dirty[i]
		}
		x.dirty = own
	}
	x.claims = o.claims
	x.states()
	if reset != 0 && o.Reset > 0 {
		for v, l := range x.fixed {
			if l == reset {
				active := literal(1)
				if m.design.ResetActiveLow {
					active = 0
				}
				x.fixed[v] = x.a.choose(done, active, l)
			}
		}
	}
	if reset == 0 || o.Reset == 0 {
		done = 1
	}
	x.begunWords()
	x.assume(done)
	return x, x.a.and(done, x.assumed), nil
}

// assume says in which cycles all is, and has been since the reset, as the design assumes it to be.
// The design is the first copy.
func (x *miter) assume(done literal) {
	if x.violated == 0 {
		x.assumed = 1
		return
	}
	var now literal
	for _, k := range x.c.Checks {
		if k.Assumed {
			enable, holds := x.looked(k, 0)
			now = x.a.or(now, x.a.and(enable, holds.not()))
		}
	}
	ever := x.a.or(x.violated, x.a.and(done, now))
	x.a.become(x.violated, ever)
	x.assumed = ever.not()
}

// looked returns whether an assumption, or an assertion, is looked at, and whether it holds. At a
// clock edge these are two flip-flops: then they are what these become.
func (x *miter) looked(k check, side int) (enable, holds literal) {
	if e, h, ok := x.c.clocked(k); ok {
		return x.value(side, x.c.States[e].Next), x.value(side, x.c.States[h].Next)
	}
	return x.value(side, k.Enable), x.value(side, k.Holds)
}

// clocked returns the states of a check at a clock edge. They have no names.
func (c *circuit) clocked(k check) (enable, holds int, ok bool) {
	unnamed := func(i int) bool { return i >= 0 && i < len(c.States) && c.States[i].Register == "" }
	enable, holds = int(k.Enable-c.firstState()), int(k.Holds-c.firstState())
	return enable, holds, unnamed(enable) && unnamed(holds)
}

// checked returns which states are those of checks at a clock edge: no output depends on them.
func (c *circuit) checked() []bool {
	is := make([]bool, len(c.States))
	for _, k := range c.Checks {
		if e, h, ok := c.clocked(k); ok {
			is[e], is[h] = true, true
		}
	}
	return is
}

// bad returns what says that the copies differ.
func (x *miter) bad(o MiterOptions, done literal) literal {
	bad := x.a.and(done, x.outputs(o))
	if x.follow == nil {
		bad = x.a.or(bad, x.writes())
	}
	bad = x.a.and(x.assumed, bad)
	x.made.outputs = bad
	if o.Local {
		x.made.changed = map[int]literal{}
		for i, s := range x.c.States {
			if x.dirty[i] || x.checked[i] {
				continue
			}
			if differs := x.differ([]value{s.Next}); differs != 0 {
				x.made.changed[i] = differs
				bad = x.a.or(bad, x.a.and(x.assumed, differs))
			}
		}
	}
	return bad
}

func (x *miter) input(port string, bit int) literal {
	x.made.Inputs = append(x.made.Inputs, MiterInput{port, bit})
	return x.a.input()
}

// powerUp adds the inputs for values that are not known: of states, and of words of memories.
func (x *miter) powerUp() {
	x.now[0] = make([]literal, len(x.c.States))
	for i, s := range x.c.States {
		if s.Initial < 0 {
			x.now[0][i] = x.input("", i)
		}
	}
	for _, m := range x.c.Memory {
		for _, r := range m.Reads {
			for i, v := range r.Data {
				x.words[v], x.other[v] = x.input("", i), x.input("", i)
			}
			for i := range r.Address {
				x.places = append(x.places, x.input("", i))
			}
		}
	}
}

// begin adds latches that say when the reset at the beginning is over.
func (x *miter) begin(cycles int) (done literal) {
	done = 1
	for i := range cycles {
		l := x.a.latch()
		x.a.become(l, done)
		if done = l; i == 0 {
			x.first = l.not()
		}
	}
	return done
}

// states adds the latches. States that cannot differ have one for both copies. Others have one for
// the first copy, and one that says whether the second is different: a prover then sees "these do
// not differ while that is 1" as something about two latches.
func (x *miter) states() {
	up := x.now[0]
	latches := [2][]literal{make([]literal, len(up)), make([]literal, len(up))}
	for i := range x.c.States {
		latches[0][i] = x.a.latch()
		latches[1][i] = latches[0][i]
		if x.dirty[i] {
			latches[1][i] = x.a.latch()
		}
	}
	for side := range x.now {
		x.now[side] = make([]literal, len(up))
		x.luts[side], x.seen[side] = make([]literal, len(x.c.LUTs)), make([]bool, len(x.c.LUTs))
		for i, s := range x.c.States {
			switch l := latches[side][i]; s.Initial {
			case 0:
				x.now[side][i] = l
			case 1:
				x.now[side][i] = l.not()
			default:
				x.now[side][i] = x.a.choose(x.first, l, up[i])
			}
		}
	}
	for i, l := range latches[1] {
		if l != latches[0][i] {
			x.now[1][i] = x.a.xor(x.now[0][i], x.claims.apart(x, i, l))
		}
	}
	x.latches = latches
}

// next says what a state becomes.
func (x *miter) next(side, i int) {
	s := x.c.States[i]
	next := x.value(side, s.Next)
	if side == 1 { // whether it differs
		next = x.a.xor(next, x.value(0, s.Next))
	} else if s.Initial == 1 {
		next = next.not()
	}
	x.a.become(x.latches[side][i], next)
}

// spread finds the states that may differ between the copies.
func (x *miter) spread() {
	x.dirty = make([]bool, len(x.c.States))
	firstState := x.c.firstState()
	read := map[value]bool{} // data of ports whose address may differ
	for changed := true; changed; {
		changed = false
		memo := make([]int8, len(x.c.LUTs))
		var touched func(v value) bool
		touched = func(v value) bool {
			if _, any := x.any[v]; any || v == x.on || read[v] {
				return true
			}
			if i := int(v - firstState); i >= 0 && i < len(x.dirty) {
				return x.dirty[i]
			}
			n := x.c.lutOf(v)
			if n < 0 {
				return false
			}
			if memo[n] == 0 {
				memo[n] = 1
				l := x.c.LUTs[n]
				if touched(l.In[0]) || touched(l.In[1]) || touched(l.In[2]) {
					memo[n] = 2
				}
			}
			return memo[n] == 2
		}
		for i, s := range x.c.States {
			if !x.dirty[i] && !x.checked[i] && touched(s.Next) {
				x.dirty[i], changed = true, true
			}
		}
		for _, m := range x.c.Memory {
			for _, r := range m.Reads {
				if len(r.Data) > 0 && !read[r.Data[0]] && slices.ContainsFunc(r.Address, touched) {
					for _, v := range r.Data {
						read[v] = true
					}
					changed = true
				}
			}
		}
	}
}

// value returns what a value is in a copy.
func (x *miter) value(side int, v value) literal {
	switch {
	case v == zero, v == one:
		return literal(v)
	case v == x.on:
		return literal(side)
	}
	if l, ok := x.any[v]; ok && side == 1 {
		return l
	}
	if l, ok := x.fixed[v]; ok {
		return l
	}
	if i := int(v - x.c.firstState()); i >= 0 && i < len(x.c.States) {
		return x.now[side][i]
	}
	n := x.c.lutOf(v)
	if n < 0 {
		return x.word(side, v)
	}
	if !x.seen[side][n] {
		l := x.c.LUTs[n]
		var in [3]literal
		for i := range in {
			in[i] = x.value(side, l.In[i])
		}
		x.luts[side][n], x.seen[side][n] = x.a.table(l.Table, in), true
	}
	return x.luts[side][n]
}

// word returns a bit that a memory reads: in both copies the same where the addresses are, unless
// it is of a word that is followed and differs.
func (x *miter) word(side int, v value) literal {
	if side == 0 {
		return x.words[v]
	}
	n := 0
	for _, m := range x.c.Memory {
		for _, r := range m.Reads {
			if slices.Contains(r.Data, v) {
				other := x.differ(r.Address)
				if x.follow != nil {
					f := x.follow[n]
					other = x.a.or(other, x.a.and(f.differs, x.is(0, r.Address, f.address)))
				}
				return x.a.choose(other, x.words[v], x.other[v])
			}
			n++
		}
	}
	return x.words[v]
}

// differ reports whether any of some values differ between the copies.
func (x *miter) differ(all []value) literal {
	var any literal
	for _, v := range all {
		any = x.a.or(any, x.a.xor(x.value(0, v), x.value(1, v)))
	}
	return any
}

// outputs reports whether an output differs that counts.
func (x *miter) outputs(o MiterOptions) (any literal) {
	type rule struct {
		Field
		counts literal
	}
	rules := map[string][]rule{} // by port
	for _, name := range slices.Sorted(maps.Keys(o.Valid)) {
		counts := literal(0).not()
		for _, said := range ParseConditions(o.Valid[name]) {
			i := slices.IndexFunc(x.c.Outputs, func(q portBits) bool { return q.Name == said.Port })
			if i < 0 {
				continue
			}
			var set literal
			for bit, v := range x.c.Outputs[i].Bits {
				if said.Has(bit) {
					set = x.a.or(set, x.value(0, v))
				}
			}
			if said.Zero {
				set = set.not()
			}
			counts = x.a.and(counts, set)
		}
		f := ParseField(name)
		rules[f.Port] = append(rules[f.Port], rule{f, counts})
	}
	for _, p := range x.c.Outputs {
		left := slices.Clone(p.Bits)
		for _, r := range rules[p.Name] {
			var some []value
			for bit, v := range p.Bits {
				if r.Has(bit) {
					some, left[bit] = append(some, v), zero
				}
			}
			any = x.a.or(any, x.a.and(x.differ(some), r.counts))
		}
		any = x.a.or(any, x.differ(left))
	}
	return any
}

// writes reports whether the copies write differently to a memory.
func (x *miter) writes() (any literal) {
	for _, m := range x.c.Memory {
		for _, w := range m.Writes {
			var enabled literal
			for i, e := range w.Enable {
				enabled = x.a.or(enabled, x.value(0, e))
				both := x.a.and(x.value(0, e), x.differ([]value{w.Data[i]}))
				any = x.a.or(any, x.a.or(both, x.differ([]value{e})))
			}
			any = x.a.or(any, x.a.and(enabled, x.differ(w.Address)))
		}
	}
	return any
}
