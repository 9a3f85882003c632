package lanes

import (
	"cmp"
	"maps"
	"slices"
)

// A register that is seldom written, such as a word of a FIFO, would be stored in each cycle, and
// stores are what small designs spend their time with. So registers that hold their values under
// the same condition are stored together, and only if a lane has new values. With the same inputs
// in all lanes that is seldom.

// fewestGuarded is how many registers make up for a branch.
const fewestGuarded = 4

// guard is a condition, that a value is 1 or that it is 0, without which registers stay as they
// are.
type guard struct {
	by   value
	when uint8
}

// guarded are registers with the same guard.
type guarded struct {
	guard
	states []int
	luts   []int // what computes the next value of each, and nothing else
}

// holds reports whether a LUT gives the value q wherever a guard does not hold.
func (l lut) holds(q value, g guard) bool {
	reads := false
	for i := range uint8(8) {
		bits, possible := map[value]uint8{zero: 0, one: 1}, true
		for k, v := range l.In {
			bit := i >> k & 1
			if known, ok := bits[v]; ok && known != bit {
				possible = false
			}
			bits[v] = bit
		}
		was, ok := bits[q]
		reads = ok
		if possible && bits[g.by] != g.when && l.Table>>i&1 != was {
			return false
		}
	}
	return reads
}

// guards returns the guarded registers, ordered such that those that read others come first.
func (o *orderer) guards(s *stages) []*guarded {
	candidates := map[guard][]int{}
	options := make([][]guard, len(o.c.States))
	for n := range o.c.States {
		l := o.c.lutOf(o.c.States[n].Next)
		if l < 0 || len(o.fanout[l]) > 0 || len(o.sinks[l]) != 1 || s.readsMemory(l) {
			continue
		}
		q := o.firstState + value(n)
		for _, v := range o.c.LUTs[l].In {
			for when := range uint8(2) {
				g := guard{v, when}
				if v == q || v == zero || v == one || slices.Contains(options[n], g) || !o.c.LUTs[l].holds(q, g) {
					continue
				}
				options[n] = append(options[n], g)
				candidates[g] = append(candidates[g], n)
			}
		}
	}
	groups := map[guard]*guarded{}
	for n, all := range options {
		if len(all) == 0 {
			continue
		}
		g := slices.MaxFunc(all, func(x, y guard) int { return cmp.Compare(len(candidates[x]), len(candidates[y])) })
		if groups[g] == nil {
			groups[g] = &guarded{guard: g}
		}
		groups[g].states = append(groups[g].states, n)
	}
	byGuard := func(x, y guard) int { return cmp.Or(cmp.Compare(x.by, y.by), cmp.Compare(x.when, y.when)) }
	var all []*guarded
	of := map[int]*guarded{} // by state
	for _, key := range slices.SortedFunc(maps.Keys(groups), byGuard) {
		g := groups[key]
		// They are stored one after the other: none may read another.
		within := map[int]bool{}
		for _, n := range g.states {
			within[n] = true
		}
		g.states = slices.DeleteFunc(g.states, func(n int) bool {
			return slices.ContainsFunc(o.c.LUTs[o.c.lutOf(o.c.States[n].Next)].In[:], func(v value) bool {
				at := o.state(v)
				return at != n && at >= 0 && within[at]
			})
		})
		if len(g.states) < fewestGuarded {
			continue
		}
		for _, n := range g.states {
			g.luts = append(g.luts, o.c.lutOf(o.c.States[n].Next))
			of[n] = g
		}
		all = append(all, g)
	}
	return o.withoutCircles(all, of)
}

// withoutCircles returns groups ordered such that those that read others come first. Of groups that
// read each other in a circle, one is left out.
func (o *orderer) withoutCircles(all []*guarded, of map[int]*guarded) (sorted []*guarded) {
	const open, done, out = 1, 2, 3
	state := map[*guarded]int{}
	var visit func(g *guarded)
	visit = func(g *guarded) {
		state[g] = open
		for _, l := range g.luts {
			for _, v := range o.c.LUTs[l].In {
				read := of[o.state(v)]
				switch {
				case read == nil || read == g:
				case state[read] == open:
					state[g] = out
					return
				case state[read] == 0:
					visit(read)
				}
			}
		}
		state[g] = done
		sorted = append(sorted, g)
	}
	for _, g := range all {
		if state[g] == 0 {
			visit(g)
		}
	}
	slices.Reverse(sorted)
	return sorted
}

// inputs are the values that guarded registers depend on, without those registers.
func (g *guarded) inputs(o *orderer) []value {
	all := []value{g.by}
	for i, l := range g.luts {
		for _, v := range o.c.LUTs[l].In {
			if v != o.firstState+value(g.states[i]) {
				all = append(all, v)
			}
		}
	}
	return all
}
