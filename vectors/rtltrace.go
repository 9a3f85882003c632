package vectors

import (
	"math/big"
)

// This file hands out the cycles of vectors for RTL that a header names, for playOptions.trace.

// trace calls playOptions.trace with the first n cycles of those that were played.
func (pl *rowPlayer) trace(n int) {
	if pl.o.trace == nil {
		return
	}
	for i := range n {
		pl.o.trace(pl.traced(i))
	}
}

// traceFailed is trace for the row that ended the run.
func (pl *rowPlayer) traceFailed(row int) {
	if pl.o.trace == nil || len(pl.marks) == 0 {
		return
	}
	t := &traced{step: pl.marks[0].step, rep: pl.marks[0].rep}
	for k := range pl.d.ports {
		if p := &pl.d.ports[k]; p.Input {
			v, _ := get(pl.tape[row*len(pl.in):], nil, &pl.slots[k])
			t.values = append(t.values, v)
		} else {
			t.values, t.ignored = append(t.values, new(big.Int)), append(t.ignored, p.mask())
		}
	}
	pl.o.trace(t)
}

func (pl *rowPlayer) traced(row int) *traced {
	m := pl.marks[row]
	t := &traced{step: m.step, rep: m.rep, expect: m.expect, failing: pl.wrong(row, m.expect) >= 0}
	for k := range pl.d.ports {
		p := &pl.d.ports[k]
		if p.Input {
			v, _ := get(pl.tape[row*len(pl.in):], nil, &pl.slots[k])
			t.values = append(t.values, v)
			continue
		}
		out, hidden := pl.bench.Outputs(0, row)
		v, unknown := get(out, hidden, &pl.slots[k])
		if unknown == nil {
			unknown = new(big.Int)
		}
		t.values, t.ignored = append(t.values, v), append(t.ignored, unknown)
	}
	return t
}
