package sim

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/bridge"
)

// resetCycles is how often each clock rises while Check holds the reset.
const resetCycles = 3

// ResetCycles is for how many cycles [Check] holds the reset: three, or with several clocks as many
// as it takes for each of them to rise three times.
func (d *DUT[I, O]) ResetCycles() int { return d.device.resetCycles() }

func (d *device) resetCycles() int { return resetRows(d.clocks, d.schedule.Copy()) }

// ResetRows is for how many cycles [Check] holds the reset of a design after power-up.
func ResetRows(d Design) int {
	clocks, err := d.AllClocks()
	if err != nil {
		return resetCycles // and Open has the error
	}
	return resetRows(clocks, bridge.NewSchedule(clocks))
}

func resetRows(clocks []bridge.Clock, s *bridge.Schedule) int {
	if len(clocks) <= 1 {
		return resetCycles
	}
	risen := make([]int, len(clocks))
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

// Check resets the DUT for [DUT.ResetCycles] and the model, plays the stimulus through both and
// compares every output in every cycle. It fails the test with a report of the first difference.
//
// A model that is a [DontCarer] says what is not compared, one that is an [Explainer] says in the
// report what the difference is about, and one that is [Fallible] refuses inputs.
func Check[I, O any](t testing.TB, dut *DUT[I, O], m Model[I, O], stimulus iter.Seq[I]) {
	t.Helper()
	check(t, []*DUT[I, O]{dut}, m, stimulus)
}

// Compare is Check without a test: it returns the *[Difference], or the simulator's or the model's
// error.
func Compare[I, O any](dut *DUT[I, O], m Model[I, O], stimulus iter.Seq[I]) error {
	c := comparison[I, O]{duts: []*DUT[I, O]{dut}, model: m, explain: true}
	return c.run(stimulus)
}

// comparison is DUTs of one design and a model that are given the same inputs.
type comparison[I, O any] struct {
	duts    []*DUT[I, O]
	model   Model[I, O]
	explain bool   // have the model explain a difference, if it is an Explainer
	record  bool   // keep the inputs, even if it is none
	helper  func() // the test's Helper, for a stimulus that ends the test; nil outside of tests

	dontCare func(want O) (mask O) // nil: all bits are compared
	compared bool                  // some bit was
	past     Recording[I]          // what was played, up to the end of the last tape

	in   []I // the tape to be played next
	want []O
	got  [][]O // of each DUT
}

// shortest is how many rows the first tapes have. A tape is played to its end though a difference
// may be in its first row, and a cycle of a large design in Icarus takes a millisecond. So tapes
// grow with the run: what is played in vain is at most a quarter of what was played before.
const shortest = 64

// run resets all, plays the stimulus and returns the first difference, or what else went wrong.
func (c *comparison[I, O]) run(stimulus iter.Seq[I]) error {
	if c.helper != nil {
		c.helper()
	}
	if c.model == nil {
		return errors.New("there is no model to compare with: it is nil")
	}
	if err := c.reset(); err != nil {
		return err
	}
	fallible, _ := extra(c.model).(Fallible)
	played, tape := 0, min(shortest, c.duts[0].device.rows)
	for in := range stimulus {
		want := c.model.Step(in)
		if fallible != nil {
			if wrong := fallible.Err(); wrong != nil {
				if err := c.play(); err != nil {
					return err // it came before
				}
				return fmt.Errorf("the model is no reference for the inputs of cycle %d: %w", c.duts[0].device.cycle, wrong)
			}
		}
		c.in, c.want = append(c.in, in), append(c.want, want)
		if len(c.in) == tape {
			if err := c.play(); err != nil {
				return err
			}
			played += tape
			tape = min(max(tape, played/4), c.duts[0].device.rows)
		}
	}
	played += len(c.in)
	if err := c.play(); err != nil {
		return err
	}
	switch {
	case played == 0:
		return errors.New("the stimulus is empty: nothing was compared")
	case !c.compared:
		return errAllIgnored
	}
	return nil
}

// errAllIgnored is returned if the model does not care about anything.
var errAllIgnored = errors.New("the model's DontCare masks all bits of all outputs in every cycle: nothing was compared")

// reset resets the DUTs and the model.
func (c *comparison[I, O]) reset() error {
	if c.duts[0].device.reset >= 0 {
		for _, d := range c.duts {
			if err := d.Reset(d.ResetCycles()); err != nil {
				return err
			}
		}
	}
	c.past.Begin(c.duts[0].device.cycle)
	resetTo(c.model, c.duts[0].device.clocks, c.duts[0].device.cycle)
	if _, ok := extra(c.model).(Explainer[I, O]); !ok {
		c.explain = false
	}
	c.dontCare = dontCareOf(c.model)
	c.compared = c.dontCare == nil
	c.got = make([][]O, len(c.duts))
	for i := range c.got {
		c.got[i] = make([]O, c.duts[0].device.rows)
	}
	return nil
}

// play plays the tape to all DUTs at the same time, and compares.
func (c *comparison[I, O]) play() error {
	if len(c.in) == 0 {
		return nil
	}
	if c.explain || c.record {
		c.past.Add(c.in...)
	}
	for i := 0; i < len(c.want) && !c.compared; i++ { // mostly just once
		c.compared = !c.duts[0].device.out.maskedBy(rowsOf([]O{c.dontCare(c.want[i])}))
	}
	begin := c.duts[0].device.cycle
	errs := make([]error, len(c.duts))
	var g errgroup.Group
	for i, d := range c.duts {
		g.Go(func() error {
			errs[i] = d.ExpectInto(c.in, c.want, c.got[i][:len(c.in)], c.dontCare)
			return nil
		})
	}
	g.Wait()
	var got [][]byte
	for i := range c.got {
		got = append(got, rowsOf(c.got[i]))
	}
	err := first(devices(c.duts), errs, got)
	if diff, ok := err.(*Difference); ok && c.explain {
		for i, d := range c.duts {
			if d.device.simulator == diff.Simulator {
				row := diff.Cycle - begin
				diff.note(Explain(c.model, &c.past, Mismatch[I, O]{
					Cycle: diff.Cycle, In: c.in[row], Want: c.want[row], Got: c.got[i][row], DUT: d,
				}))
			}
		}
	}
	c.in, c.want = c.in[:0], c.want[:0]
	return err
}

// check compares, and fails the test with a report. In the second run of a test it shrinks the
// stimulus as well.
func check[I, O any](t testing.TB, duts []*DUT[I, O], m Model[I, O], stimulus iter.Seq[I]) {
	t.Helper()
	run := runOf(t)
	c := comparison[I, O]{duts: duts, model: m, helper: t.Helper}
	if run.again == nil || !run.again.Shrink || run.again.Test != t.Name() {
		c.explain = true
		err := c.run(stimulus)
		if err == errAllIgnored && strings.HasPrefix(t.Name(), "Fuzz") {
			return // such an input is no find
		}
		if err != nil {
			t.Fatal(culprit(devices(duts), err).report(t, err))
		}
		return
	}
	c.record = true
	err := c.run(stimulus)
	if err == nil {
		return
	}
	failing := &DUT[I, O]{culprit(devices(duts), err)}
	n := uint64(c.past.n)
	if diff, ok := errors.AsType[*Difference](err); ok {
		n = min(n, diff.Cycle-c.past.first+1) // later inputs did not matter
	}
	if !c.past.full && n <= shrinkCycles {
		if problem := shrinkFor(t, run.again.Dir, failing, m, c.past.all(n), err); problem != nil {
			text := fmt.Sprintf("The stimulus is not shrunk: %v\n", problem)
			err = errors.Join(err, problem, os.WriteFile(filepath.Join(run.again.Dir, shrunkFile), []byte(text), 0o666))
		}
	}
	t.Fatal(err)
}
