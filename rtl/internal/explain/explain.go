// Package explain compares RTL with models that can say in words which rule a cycle is about.
package explain

import (
	"errors"
	"iter"
	"testing"

	"github.com/cosimate/cosimate/sim"
)

// Model is a reference that knows why its outputs are what they are.
type Model[I, O any] interface {
	sim.Model[I, O]
	// Explain says why the outputs for these inputs in the present state are due.
	Explain(in I) string
}

// Compare is [sim.Compare]; the note of the [sim.Difference] that it returns is what the model
// explains of the cycle that differs.
func Compare[I, O any](d *sim.DUT[I, O], m Model[I, O], stimulus iter.Seq[I]) error {
	c := &counted[I, O]{Model: m, dut: d}
	err := sim.Compare(d, c, stimulus)
	var diff *sim.Difference
	if !errors.As(err, &diff) {
		return err
	}
	m.Reset()
	cycle := c.first
	for in := range stimulus {
		if cycle == diff.Cycle {
			diff.Note = m.Explain(in)
			break
		}
		m.Step(in)
		cycle++
	}
	return err
}

// Check is Compare in a test: a difference fails it.
func Check[I, O any](t testing.TB, d *sim.DUT[I, O], m Model[I, O], stimulus iter.Seq[I]) {
	t.Helper()
	if err := Compare(d, m, stimulus); err != nil {
		d.Fail(t, err)
	}
}

// counted notes the first cycle that is compared: the one after the reset.
type counted[I, O any] struct {
	Model[I, O]
	dut   *sim.DUT[I, O]
	first uint64
}

func (c *counted[I, O]) Reset() {
	c.first = c.dut.Cycle()
	c.Model.Reset()
}

// DontCare is the model's, if it leaves outputs open.
func (c *counted[I, O]) DontCare(want O) (mask O) {
	if m, ok := c.Model.(sim.DontCarer[O]); ok {
		mask = m.DontCare(want)
	}
	return mask
}
