package lanes

import "slices"

// maybe is what a node is of which it is not known whether it is 0 or 1.
const maybe = 2

// ternarySimulation plays a circuit whose inputs may be anything. What is known of a node then
// holds whatever they are.
type ternarySimulation struct {
	a     *aig
	nodes []uint8 // 0, 1, or maybe
}

// newTernarySimulation begins with latches of which nothing is known, either.
func (a *aig) newTernarySimulation() *ternarySimulation {
	t := &ternarySimulation{a, slices.Repeat([]uint8{maybe}, 1+a.inputs+len(a.latches)+len(a.ands))}
	t.nodes[0] = 0
	return t
}

func (t *ternarySimulation) is(l literal) uint8 {
	if v := t.nodes[l/2]; v != maybe {
		return v ^ uint8(l&1)
	}
	return maybe
}

// latches are what the latches are in this cycle.
func (t *ternarySimulation) latches() []uint8 { return t.nodes[1+t.a.inputs:][:len(t.a.latches)] }

// cycle finds what follows from the latches in a cycle.
func (t *ternarySimulation) cycle() {
	results := t.nodes[1+t.a.inputs+len(t.a.latches):]
	for i, in := range t.a.ands {
		switch x, y := t.is(in[0]), t.is(in[1]); {
		case x == 0, y == 0:
			results[i] = 0
		case x == 1 && y == 1:
			results[i] = 1
		default:
			results[i] = maybe
		}
	}
}

// settled returns which states stay what they are once they all have this value, whatever the rest
// is. Such is a bit of a register that is loaded with 0 each time: it is 1 at power-up only, until
// the register takes something; and a flag that says that the first reset has begun. States that
// begin with this value are left out.
func (x *miter) settled(value uint8) []bool {
	t := x.a.newTernarySimulation()
	t.nodes[x.first/2] = uint8(x.first & 1) // the first cycle is over
	all := make([]bool, len(x.c.States))
	for i, s := range x.c.States {
		if all[i] = s.Initial != int8(value); all[i] {
			t.latches()[x.latch(0, i)] = value
		}
	}
	for fewer := true; fewer; {
		t.cycle()
		fewer = false
		for i := range all {
			if k := x.latch(0, i); all[i] && t.is(x.a.latches[k]) != value {
				all[i], fewer = false, true
				t.latches()[k] = maybe
			}
		}
	}
	return all
}

// afterReset makes a miter that begins behind the reset: with what registers are then, or with
// anything where that depends on what they were at power-up. Induction would otherwise have to find
// out what happens in the reset.
func (m *Model) afterReset(o MiterOptions) (*miter, literal, error) {
	x, done, err := m.alone(o)
	if err != nil {
		return nil, 0, err
	}
	t := x.a.newTernarySimulation()
	clear(t.latches())
	for t.cycle(); t.is(done) == 0; t.cycle() {
		var next []uint8
		for _, l := range x.a.latches {
			next = append(next, t.is(l))
		}
		copy(t.latches(), next)
	}
	c := *m.program.c
	c.States = slices.Clone(c.States)
	for i := range c.States {
		c.States[i].Initial = -1
		if v := t.is(x.now[0][i]); v != maybe {
			c.States[i].Initial = int8(v)
		}
	}
	program, later := *m.program, *m
	program.c, later.program, o.Reset = &c, &program, 0
	return later.alone(o)
}
