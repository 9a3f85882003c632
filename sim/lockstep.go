package sim

import (
	"errors"
	"iter"
	"testing"

	"github.com/cosimate/cosimate/bridge"
)

// Lockstep is [Check] with all simulators at once: the model, Icarus and Verilator do each cycle,
// and the report of the first difference shows them side by side. The simulators run at the same
// time. Under -sim.only it is Check with that simulator.
func Lockstep[I, O any](t testing.TB, d Design, m Model[I, O], stimulus iter.Seq[I], opts ...Option) {
	t.Helper()
	var duts []*DUT[I, O]
	for _, s := range chosen(t) {
		duts = append(duts, OpenTest[I, O](t, d, s, opts...))
	}
	check(t, duts, m, stimulus)
}

// devices returns what DUTs are without their types.
func devices[I, O any](duts []*DUT[I, O]) (list []*device) {
	for _, d := range duts {
		list = append(list, d.device)
	}
	return list
}

// first returns what went wrong first in a tape, given the error of each DUT. That is the earliest
// difference, to which it adds the other simulators' outputs in that cycle, or an error of a cycle
// before.
func first(duts []*device, errs []error, got [][]byte) error {
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
			continue // the column is there, or the DUT ended before
		}
		earliest.Columns = append(earliest.Columns, string(d.simulator))
		for k := range earliest.Ports {
			p := &earliest.Ports[k]
			p.Values = append(p.Values, d.sample(d.layout.Outputs[k], int(earliest.Cycle-d.began), got[i]))
		}
	}
	return earliest
}

// culprit returns the DUT that an error is about.
func culprit(duts []*device, err error) *device {
	var diff *Difference
	var message *MessageError
	var stop *bridge.StopError
	for _, d := range duts {
		switch {
		case errors.As(err, &diff):
			if diff.Simulator == d.simulator {
				return d
			}
		case errors.As(err, &message):
			if message.Simulator == d.simulator {
				return d
			}
		case errors.As(err, &stop) && stop.Simulator == string(d.simulator):
			return d
		}
	}
	return duts[0]
}
