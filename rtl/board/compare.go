package board

import (
	"errors"

	"github.com/cosimate/cosimate/sim"
)

// pressCycles is for how long Compare presses the reset, whatever the RTL was doing: see
// Model.Reset.
const pressCycles = 4

// piece is how many cycles are played before they are compared: what comes after a difference is of
// no use.
const piece = 4096

// Compare presses the reset of the RTL, whose parameters are p, plays the inputs and compares every
// pin in every cycle with [Model]. The [sim.Difference] that it returns says in its note what all
// blocks were about.
func Compare(d *sim.DUT[In, Out], p Params, in []In) error {
	if err := d.Reset(pressCycles); err != nil {
		return err
	}
	m := NewModel(p)
	want, got := make([]Out, piece), make([]Out, piece)
	first := d.Cycle()
	for from := 0; from < len(in); from += piece {
		part := in[from:min(from+piece, len(in))]
		for i := range part {
			want[i] = m.Step(part[i])
		}
		if err := m.Err(); err != nil {
			return err
		}
		err := d.ExpectInto(part, want[:len(part)], got[:len(part)], nil)
		var diff *sim.Difference
		if errors.As(err, &diff) {
			at := diff.Cycle - first
			again := NewModel(p)
			for i := range at {
				again.Step(in[i])
			}
			diff.Note = again.Explain(in[at])
		}
		if err != nil {
			return err
		}
	}
	return nil
}
