package perftengine

import (
	"errors"

	"github.com/cosimate/cosimate/sim"
)

// piece is how many cycles are played before they are compared: Icarus is slow, and what comes
// after a difference is of no use.
const piece = 64

// Compare resets the RTL, plays the inputs and compares every output in every cycle with
// [Model]. The [sim.Difference] that it returns says in its note which job was under way and
// what was counted last.
func Compare(d *sim.DUT[In, Out], in []In) error {
	if err := d.Reset(resetCycles); err != nil {
		return err
	}
	m := NewModel()
	want := make([]Out, len(in))
	for i := range in {
		want[i] = m.Step(in[i])
	}
	if err := m.Err(); err != nil {
		return err
	}
	first := d.Cycle()
	var err error
	for from := 0; from < len(in) && err == nil; from += piece {
		to := min(from+piece, len(in))
		err = d.Expect(in[from:to], want[from:to], m.DontCare)
	}
	var diff *sim.Difference
	if errors.As(err, &diff) {
		m := NewModel()
		job := ""
		at := int(diff.Cycle - first)
		for i := range at {
			if i == at-1 {
				diff.Note = job + m.explain()
			}
			if out := m.Step(in[i]); out.JobReady && in[i].JobValid {
				job = "last job offered: " + in[i].position.FEN() + "\n"
			}
		}
	}
	return err
}
