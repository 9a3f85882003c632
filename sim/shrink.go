package sim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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

// Bounds of shrinking: a longer stimulus is not shrunk, and the best found in this time is taken.
const (
	shrinkCycles = 1 << 20
	shrinkTime   = 15 * time.Second
)

// shrinkFor leaves the stimulus of a test that failed with an error in a folder, shrunk to the
// fewest steps with which it still fails in the same way. Each try has a DUT of its own.
func shrinkFor[I, O any](t testing.TB, dir string, d *DUT[I, O], m Model[I, O], stimulus []I, failed error) error {
	try := func(s Simulator, in []I, explain bool) (err error) {
		defer func() {
			// the model's: what is left of the stimulus may break a protocol
			if r := recover(); r != nil {
				err = fmt.Errorf("the model panicked: %v", r)
			}
		}()
		dut, err := d.reopen(s)
		if err != nil {
			return err
		}
		defer dut.Close()
		c := comparison[I, O]{duts: []*DUT[I, O]{dut}, model: m, explain: explain}
		return c.run(slices.Values(in))
	}
	same := func(err error) bool { return alike(err, failed) }
	// Instances of Verilator are made a hundred times faster.
	on := Verilator
	if !same(try(on, stimulus, false)) {
		on = d.device.simulator
	}
	// From here on all is compiled.
	ctx, cancel := context.WithTimeout(t.Context(), shrinkTime)
	defer cancel()
	r, err := shrink.Minimize(ctx, stimulus, func(in []I) (bool, error) { return same(try(on, in, false)), nil }, shrink.Options{})
	if err != nil {
		return err
	}
	last := try(d.device.simulator, r.Inputs, true)
	if !same(last) {
		return fmt.Errorf("the stimulus was not shrunk: %d steps fail on %s but not on %s", len(r.Inputs), on, d.device.simulator)
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
	steps := "steps"
	if len(r.Inputs) == 1 {
		steps = "step"
	}
	fmt.Fprintf(&b, "%d %s of %d still fail", len(r.Inputs), steps, len(stimulus))
	if !r.Complete {
		fmt.Fprintf(&b, ", the best of %d tries in %v", r.Runs, shrinkTime)
	}
	fmt.Fprintf(&b, ".\n\n%s\nAs Go, for sim.Check(t, dut, model, slices.Values(stimulus)):\n\nstimulus := %s\n\n", table, source)
	fmt.Fprintf(&b, "%v\n", last)
	return os.WriteFile(filepath.Join(dir, shrunkFile), []byte(b.String()), 0o666)
}

// alike reports whether two errors seem to be of one fault: they are of the same type, and about
// the same output or from the same line of the RTL.
func alike(a, b error) bool {
	return reflect.TypeOf(a) == reflect.TypeOf(b) && subject(a) == subject(b)
}

// subject returns what an error is about, without its cycle and its values.
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
