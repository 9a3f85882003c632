package lanes

import (
	"context"
	"maps"
	"slices"
	"time"
)

const (
	byTransient = "what registers change to is the same again a few cycles later, and no output changes until then (abc &fraig, sat)"
	// mostTransient is after how many cycles at most.
	mostTransient = 3
	// mostOwn is how many states a fault changes at most in one cycle for all of them to be
	// followed.
	mostOwn = 256
)

// Transient proves that what a fault changes is gone after a few cycles, without an effect until
// then. The states that change are those in Own and those that the fault itself acts on. It asks
// about two runs of the copy with the fault, from a state in which the copies are the same: of the
// second run the first cycle is without the fault. If after so many cycles both are in the same
// state, what the fault has done in one cycle is always gone then, and a run of any length consists
// of such cycles. Nothing else is known of that state but what is proved by Hints. It answers Equal
// or Unknown.
func (m *Model) Transient(ctx context.Context, o MiterOptions, limit time.Duration) (*Proof, error) {
	unknown := &Proof{By: byTransient}
	own := o.Own
	o.Local, o.Own, o.Open, o.Taken, o.step = true, nil, false, false, true
	x, done, err := m.newMiter(o)
	if err != nil {
		return nil, err
	}
	x.bad(o, done)
	if changed := slices.Sorted(maps.Keys(x.made.changed)); len(changed) <= mostOwn {
		own = append(slices.Clone(own), changed...)
	}
	if o.Own = own; len(own) == 0 {
		return unknown, nil
	}
	if x, done, err = m.newMiter(o); err != nil {
		return nil, err
	}
	bad := x.bad(o, done)
	for side := range x.now {
		for i := range x.c.States {
			if side == 0 || x.dirty[i] {
				x.next(side, i)
			}
		}
	}
	var unreached literal
	if o.Hints != nil && o.Hints.proved != nil { // those that are not proved may be wrong
		unreached = o.Hints.add(x, done, 0)
	}
	for cycles := 1; cycles <= mostTransient && unknown.Took < limit; cycles++ {
		proved, took, err := x.transient(ctx, bad, unreached, cycles, limit-unknown.Took)
		unknown.Took += took
		if err != nil {
			return nil, err
		}
		if proved {
			return &Proof{Answer: Equal, By: byTransient, Took: unknown.Took}, nil
		}
	}
	return unknown, nil
}

// transient reports whether what a fault changes is proved to be gone after so many cycles.
func (x *miter) transient(ctx context.Context, bad, unreached literal, cycles int, limit time.Duration) (proved bool, took time.Duration, err error) {
	u := x.newUnrolled(cycles + 1)
	var outputs []literal
	reached := literal(1)
	for t := range cycles + 1 {
		reached = u.a.and(reached, u.is(0, t, unreached).not())
		outputs = append(outputs, u.a.and(reached, u.is(0, t, bad)))
	}
	reached = u.a.and(reached, u.is(0, cycles, x.assumed))
	for i, dirty := range x.dirty {
		if next := x.a.latches[x.latch(1, i)]; dirty {
			outputs = append(outputs, u.a.and(reached, u.a.xor(u.is(0, cycles, next), u.is(1, cycles, next))))
		}
	}
	outputs = slices.DeleteFunc(outputs, func(l literal) bool { return l == 0 })
	if len(outputs) == 0 {
		return true, 0, nil
	}
	a, err := (&Miter{AIGER: u.a.write(outputs...)}).newABC()
	if err != nil {
		return false, 0, err
	}
	defer a.close()
	left, err := a.sweep(ctx, limit, len(outputs))
	if err != nil || left == nil {
		return false, a.took, err
	}
	took = a.took
	for k, output := range outputs {
		if left[k] == "0" {
			continue
		}
		one, err := (&Miter{AIGER: u.a.write(output)}).newABC()
		if err != nil {
			return false, took, err
		}
		proved, _, err := one.once(ctx)
		took += one.took
		one.close()
		if err != nil || !proved {
			return false, took, err
		}
	}
	return true, took, nil
}

// unrolled is some cycles of a miter, one after the other, as a circuit without latches. There are
// two runs. In the first cycle of each run the copies are the same, which is cycle 0 or 1.
type unrolled struct {
	x    *miter
	a    *aig
	free [][]literal // of each cycle, the inputs
	from []literal   // latches in cycle 0; those that say that copies differ are 0
	made [2][]map[literal]literal
}

func (x *miter) newUnrolled(cycles int) *unrolled {
	u := &unrolled{x: x, a: &aig{known: map[[2]literal]literal{}}, from: make([]literal, len(x.a.latches))}
	for range cycles {
		var inputs []literal
		for range x.a.inputs {
			inputs = append(inputs, u.a.input())
		}
		u.free = append(u.free, inputs)
	}
	differ := make([]bool, len(x.a.latches))
	for i, dirty := range x.dirty {
		if dirty {
			differ[x.latch(1, i)] = true
		}
	}
	for k := range u.from {
		if !differ[k] {
			u.from[k] = u.a.input()
		}
	}
	for run := range u.made {
		for range cycles {
			u.made[run] = append(u.made[run], map[literal]literal{})
		}
	}
	return u
}

// is returns what a literal of the miter is in a cycle of a run.
func (u *unrolled) is(run, cycle int, l literal) literal {
	n := l / 2
	switch k := int(n) - 1 - u.x.a.inputs; {
	case n == 0:
		return l
	case k < 0:
		return u.free[cycle][n-1] ^ l&1
	case k < len(u.x.a.latches):
		if cycle > run {
			return u.is(run, cycle-1, u.x.a.latches[k]) ^ l&1
		}
		if run == 0 || u.from[k] == 0 {
			return u.from[k] ^ l&1
		}
		return u.is(0, cycle, l)
	default:
		made := u.made[run][cycle]
		is, ok := made[n]
		if !ok {
			in := u.x.a.ands[k-len(u.x.a.latches)]
			is = u.a.and(u.is(run, cycle, in[0]), u.is(run, cycle, in[1]))
			made[n] = is
		}
		return is ^ l&1
	}
}
