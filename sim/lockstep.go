package sim

import (
	"errors"
	"iter"
	"slices"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/bridge"
)

// Lockstep is [Check] with all simulators at once: each cycle is done by the model, Icarus and
// Verilator, and the report of the first difference has them side by side. The simulators work at
// the same time. Under -sim.only it is Check with that one.
func Lockstep[I, O any](t testing.TB, d Design, m Model[I, O], stimulus iter.Seq[I], opts ...Option) {
	t.Helper()
	var duts []*DUT[I, O]
	for _, s := range chosen(t) {
		duts = append(duts, OpenTest[I, O](t, d, s, opts...))
	}
	check(t, duts, m, stimulus)
}

// compare resets all DUTs, which are of one design, plays the stimulus through them and the model,
// and returns the first difference, or the simulators' errors. helper is the test's Helper, for a
// stimulus that ends the test.
func compare[I, O any](helper func(), duts []*DUT[I, O], m Model[I, O], stimulus iter.Seq[I]) error {
	helper()
	if m == nil {
		return errors.New("there is no model to compare with: it is nil")
	}
	if duts[0].reset >= 0 {
		for _, d := range duts {
			if err := d.Reset(d.resetLength()); err != nil {
				return err
			}
		}
	}
	if c, ok := m.(scheduled); ok {
		s := bridge.NewSchedule(duts[0].clocks)
		for range duts[0].cycle {
			s.Next()
		}
		c.follow(s)
	}
	m.Reset()
	var dontCare func(O) O
	if dc, ok := m.(DontCarer[O]); ok {
		dontCare = dc.DontCare
	}
	n := duts[0].rows
	in, want := make([]I, 0, n), make([]O, 0, n)
	got := make([][]O, len(duts))
	for i := range got {
		got[i] = make([]O, n)
	}
	played, compared := false, dontCare == nil
	flush := func() error {
		played = played || len(in) > 0
		for i := 0; i < len(want) && !compared; i++ { // mostly just once
			compared = !duts[0].out.maskedBy(rowsOf([]O{dontCare(want[i])}))
		}
		errs := make([]error, len(duts))
		var g errgroup.Group
		for i, d := range duts {
			g.Go(func() error {
				errs[i] = d.ExpectInto(in, want, got[i][:len(in)], dontCare)
				return nil
			})
		}
		g.Wait()
		in, want = in[:0], want[:0]
		return first(duts, errs, got)
	}
	for i := range stimulus {
		in = append(in, i)
		want = append(want, m.Step(i))
		if len(in) == n {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	switch {
	case !played:
		return errors.New("the stimulus is empty: nothing was compared")
	case !compared:
		return errAllIgnored
	}
	return nil
}

// errAllIgnored is of a model that does not care about anything.
var errAllIgnored = errors.New("the model's DontCare masks all bits of all outputs in every cycle: nothing was compared")

// resetLength is for how many cycles a reset must be held for each clock to rise resetCycles times
// in it.
func (d *DUT[I, O]) resetLength() int {
	if len(d.clocks) <= 1 {
		return resetCycles
	}
	s := d.schedule.Copy()
	risen := make([]int, len(d.clocks))
	for n := 0; ; n++ {
		if slices.Min(risen) >= resetCycles {
			return n
		}
		_, rises := s.Next()
		for i := range risen {
			risen[i] += int(rises >> i & 1)
		}
	}
}

// first is the earliest difference, with what the other simulators had in its cycle; or else the
// errors: where one of them came before the difference, it is what went wrong first.
func first[I, O any](duts []*DUT[I, O], errs []error, got [][]O) error {
	var earliest *Difference
	var others []error
	for _, err := range errs {
		var diff *Difference
		if !errors.As(err, &diff) {
			others = append(others, err)
		} else if earliest == nil || diff.Cycle < earliest.Cycle {
			earliest = diff
		}
	}
	other := errors.Join(others...)
	if earliest == nil {
		return other
	}
	for _, err := range others {
		if at, ok := happened(err); ok && at < earliest.Cycle {
			return other
		}
	}
	if other != nil {
		earliest.Note = "beside that: " + other.Error()
	}
	for i, d := range duts {
		if d.simulator == earliest.Simulator || d.cycle <= earliest.Cycle {
			continue // itself, or it ended before
		}
		earliest.Columns = append(earliest.Columns, string(d.simulator))
		for k := range earliest.Ports {
			p := &earliest.Ports[k]
			p.Values = append(p.Values, d.sample(d.layout.Outputs[k], int(earliest.Cycle-d.began), got[i]))
		}
	}
	return earliest
}
