package sim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/shrink"
)

// shrunkFile is the stimulus shrunk to the fewest steps.
const shrunkFile = "shrunk.txt"

// Bounds of shrinking: what is longer is not kept, and the best found in this time is good enough.
const (
	shrinkCycles = 1 << 20
	shrinkTime   = 15 * time.Second
)

// shrinkFor leaves the stimulus of a test that failed with an error in a folder, shrunk to the
// fewest steps with which it still fails in the same way. Each try has a DUT of its own.
func shrinkFor[I, O any](t testing.TB, dir string, d *DUT[I, O], m Model[I, O], stimulus []I, failed error) error {
	try := func(s Simulator, in []I) (err error) {
		defer func() {
			// the model's: what is left of the stimulus may break a protocol
			if r := recover(); r != nil {
				err = fmt.Errorf("the model panicked: %v", r)
			}
		}()
		dut, err := Open[I, O](t.Context(), d.design, s, d.opts...)
		if err != nil {
			return err
		}
		defer dut.Close()
		return Compare(dut, m, slices.Values(in))
	}
	same := func(err error) bool { return alike(err, failed) }
	// Instances of Verilator are made a hundred times faster.
	on := Verilator
	if !same(try(on, stimulus)) {
		on = d.simulator
	}
	// From here on all is compiled.
	ctx, cancel := context.WithTimeout(t.Context(), shrinkTime)
	defer cancel()
	r, err := shrink.Minimize(ctx, stimulus, func(in []I) (bool, error) { return same(try(on, in)), nil }, shrink.Options{})
	if err != nil {
		return err
	}
	last := try(d.simulator, r.Inputs)
	if !same(last) {
		return fmt.Errorf("the stimulus was not shrunk: %d steps fail on %s but not on %s", len(r.Inputs), on, d.simulator)
	}
	table, err := shrink.Table(r.Inputs)
	if err != nil {
		return err
	}
	source, err := shrink.Go(r.Inputs)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d steps of %d still fail", len(r.Inputs), len(stimulus))
	if !r.Complete {
		fmt.Fprintf(&b, ", the best of %d tries in %v", r.Runs, shrinkTime)
	}
	fmt.Fprintf(&b, ".\n\n%s\nAs Go, for sim.Check(t, dut, model, slices.Values(stimulus)):\n\nstimulus := %s\n\n", table, source)
	fmt.Fprintf(&b, "%v\n", last)
	return os.WriteFile(filepath.Join(dir, shrunkFile), []byte(b.String()), 0o666)
}

// alike tells whether two errors are of one fault, as far as one can tell: they are of the same
// kind and about the same output, or come from the same line of the RTL.
func alike(a, b error) bool {
	return reflect.TypeOf(a) == reflect.TypeOf(b) && subject(a) == subject(b)
}

// subject is what an error is about, whatever its cycle and its values.
func subject(err error) string {
	var diff *Difference
	var message *MessageError
	var stop *bridge.StopError
	switch {
	case errors.As(err, &diff):
		for _, name := range diff.Differing() {
			return name // later ones may come and go with the stimulus
		}
	case errors.As(err, &message):
		return cmp.Or(message.Message.Where, message.Message.Text)
	case errors.As(err, &stop):
		return stop.Task + stop.Where
	}
	return ""
}

// recorded is a model that notes what it is given, in the second run of a test that failed.
type recorded[I, O any] struct {
	Model[I, O]
	in []I
}

func (r *recorded[I, O]) Step(in I) O {
	if len(r.in) <= shrinkCycles {
		r.in = append(r.in, in)
	}
	return r.Model.Step(in)
}

func (r *recorded[I, O]) follow(s *bridge.Schedule) {
	if c, ok := r.Model.(scheduled); ok {
		c.follow(s)
	}
}

func (r *recorded[I, O]) DontCare(want O) (mask O) {
	if dc, ok := r.Model.(DontCarer[O]); ok {
		return dc.DontCare(want)
	}
	return mask
}

// culprit is the DUT that an error is about.
func culprit[I, O any](duts []*DUT[I, O], err error) *DUT[I, O] {
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

// check compares, and fails the test with a report. In the second run of a test it shrinks the
// stimulus as well.
func check[I, O any](t testing.TB, duts []*DUT[I, O], m Model[I, O], stimulus iter.Seq[I]) {
	t.Helper()
	run := runOf(t)
	if run.again == nil || !run.again.Shrink || run.again.Test != t.Name() {
		err := compare(t.Helper, duts, m, stimulus)
		if err == errAllIgnored && strings.HasPrefix(t.Name(), "Fuzz") {
			return // such an input is no find
		}
		if err != nil {
			culprit(duts, err).Fail(t, err)
		}
		return
	}
	noted := &recorded[I, O]{Model: m}
	err := compare(t.Helper, duts, noted, stimulus)
	if err == nil {
		return
	}
	failing := culprit(duts, err)
	var diff *Difference
	if n := failing.began + uint64(len(noted.in)); errors.As(err, &diff) && diff.Cycle < n {
		// What was prepared beyond the failing cycle was of no consequence.
		noted.in = noted.in[:len(noted.in)-int(min(uint64(len(noted.in))-1, failing.cycle-diff.Cycle-1))]
	}
	if len(noted.in) <= shrinkCycles {
		if problem := shrinkFor(t, run.again.Dir, failing, m, noted.in, err); problem != nil {
			text := fmt.Sprintf("The stimulus is not shrunk: %v\n", problem)
			err = errors.Join(err, problem, os.WriteFile(filepath.Join(run.again.Dir, shrunkFile), []byte(text), 0o666))
		}
	}
	t.Fatal(err)
}
