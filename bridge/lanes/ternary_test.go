package lanes

import (
	"slices"
	"testing"
)

// A bit settles that becomes 0 or stays, or that becomes another such bit. One does not that may
// become anything.
func TestSettled(t *testing.T) {
	a := &aig{known: map[[2]literal]literal{}}
	load, in := a.input(), a.input()
	first := a.latch()
	x := &miter{a: a, first: first.not(), c: &circuit{}}
	for _, initial := range []int8{-1, -1, -1, -1, 0} {
		x.c.States = append(x.c.States, state{Initial: initial})
		x.latches[0] = append(x.latches[0], a.latch())
	}
	q := x.latches[0]
	a.become(first, 1)
	a.become(q[0], a.and(load.not(), q[0]))    // it is loaded with 0
	a.become(q[1], a.choose(load, q[1], q[0])) // with what that is
	a.become(q[2], a.choose(load, q[2], in))   // with anything
	a.become(q[3], a.and(q[3], q[2].not()))    // it may become 0, and stays 0
	a.become(q[4], a.and(load.not(), q[4]))    // known at power-up
	if got, want := x.settled(0), []bool{true, true, false, true, false}; !slices.Equal(got, want) {
		t.Errorf("settled at 0 are %v, not %v", got, want)
	}
	if got := x.settled(1); slices.Contains(got, true) {
		t.Errorf("settled at 1 are %v: what others change is not settled", got)
	}
}
