// Package tb runs testbench processes beside RTL. A process is a function that waits for cycles,
// edges, conditions, times and other processes; all seem to run at the same time.
//
//	b := tb.New(dut)
//	b.Go("writer", func(p *tb.Process) {
//		b.In.Valid, b.In.Data = true, 7
//		p.Until(100, func() bool { return b.Out.Ready })
//		b.In.Valid = false
//	})
//	b.Monitor("watch", func(p *tb.Process) {
//		for p.Next() {
//			if b.In.Valid && b.Out.Ready { ... }
//		}
//	})
//	b.Check(t, 10_000)
//
// All processes share two structs: [Bench.In], the RTL's inputs in the coming cycle, and
// [Bench.Out], its outputs as they were last sampled. A cycle has four steps:
//
//  1. Processes run until each waits. They set the inputs in In.
//  2. Processes that wait in [Process.Settle] see in Out the outputs of this very cycle, and may
//     change In again.
//  3. In is applied, Out is sampled, and then comes the clock edge.
//  4. Monitors run. They see In and Out of the same cycle, the one just done, and so see
//     handshakes. A monitor that changes In is an error.
//
// In a design with several clocks, a cycle is an instant in which one or more of them rise. A
// process that belongs to a clock ([Process.On]) sees and counts only the cycles of this clock.
//
// Processes are coroutines: exactly one runs at a time, and no order depends on the Go scheduler.
// Processes whose wait for cycles is over run in the order in which they were started. Processes
// woken by others (events, queues, ends) run after them in the same cycle, in the order in which
// they were woken. With the same seed a bench does the same, byte for byte.
//
// The page of a failure lists and draws the last things that processes have done. Ready-made
// processes and scoreboards keep them; your own call [Process.Note] or [Process.Begin].
//
// Ready-made processes are in the packages stream, axi, wishbone and uart beside this one,
// scoreboards in package score.
package tb

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"unsafe"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/report"
)

// Bench is a DUT with processes around it. It is not safe for concurrent use.
type Bench[I, O any] struct {
	In  I // the inputs of the coming cycle, or for a monitor those of the cycle just done
	Out O // the outputs as last sampled or settled; unknown bits read as sim.DUT.Step says
	// Unknown has those bits set that are X or Z in Out. Under Verilator there are none. See
	// Process.Flipped.
	Unknown O

	processes
	dut     *sim.DUT[I, O]
	applied I // the inputs of the cycle just done
}

// New returns a bench without processes. A test fails if it adds a process, or a check with
// [Bench.AtEnd], and does not call [Bench.Check] or [Bench.Run] after that: it has checked nothing.
// The bench's seed is that of -sim.seed, see [Bench.SetSeed]. Its transcript goes to the log of
// [Bench.Check]'s test, see [Bench.SetTranscript].
func New[I, O any](dut *sim.DUT[I, O]) *Bench[I, O] {
	b := &Bench[I, O]{dut: dut}
	d := dut.Design()
	clocks, err := d.AllClocks()
	if err != nil {
		panic(err) // cannot be: sim.Open has checked the types
	}
	b.processes = newProcesses(sim.Seed(), clocks)
	b.step, b.settle, b.changed = b.stepDUT, b.settleDUT, func() bool { return false }
	b.flip, b.unfinished = b.flipUnknown, dut.Unfinished
	if reflect.TypeFor[I]().Comparable() {
		b.changed = func() bool { return any(b.In) != any(b.applied) }
	}
	b.what = fmt.Sprintf("%s on %s", d.Top, dut.Simulator())
	return b
}

// DUT returns the device under test. Processes must not step it: the bench does.
func (b *Bench[I, O]) DUT() *sim.DUT[I, O] { return b.dut }

// Run runs the processes until all processes of [Bench.Go] have returned, and then stops the
// others. It is an error if that takes more cycles. The error is a *[ProcessError] if a process has
// failed, a *[StuckError] if the processes cannot go on, that of a check of [Bench.AtEnd], or the
// simulator's. A runtime.Goexit in a process, as of t.FailNow, ends the caller of Run.
//
// Run may be called again with new processes. The cycles are counted on.
func (b *Bench[I, O]) Run(cycles int) error {
	for b.cycle+1 < int(b.dut.Cycle()) { // cycles played before, of a reset for example
		b.tick()
	}
	return b.runToEnd(cycles)
}

// Check is [Bench.Run] in a test. An error ends the test with a report: the last cycles as a
// waveform, and the command that repeats the failure. If a process calls t.FailNow or t.Fatal, the
// test's log says which process it was and in which cycle.
func (b *Bench[I, O]) Check(t testing.TB, cycles int) {
	t.Helper()
	if b.transcript == nil {
		b.transcript = t.Output()
		defer func() { b.transcript = nil }()
	}
	left := true
	defer func() {
		if p := b.running; left && p != nil {
			t.Logf("process %q ended the test %s", p.name, b.when())
		}
	}()
	err := b.Run(cycles)
	left = false
	if err != nil {
		err = b.brief(err)
		if !errors.As(err, new(interface{ Transactions() []report.Transaction })) { // of the simulator, or a check of AtEnd
			err = withTransactions{err, b.transactions("no process")}
		}
		b.dut.Fail(t, err)
	}
}

// brief returns an error without the design, the cycle and the time, which the first line of a
// report has already.
func (b *Bench[I, O]) brief(err error) error {
	on := fmt.Sprintf("on %s", b.dut.Simulator())
	// The first line would name another cycle, or one that has not been.
	if b.cycle < 0 || b.dut.Cycle() != uint64(b.cycle)+1 {
		return err
	}
	switch e := err.(type) {
	case *ProcessError:
		return briefError{err, e.text(on)}
	case *StuckError:
		return briefError{err, e.text(on)}
	}
	return err
}

type briefError struct {
	error
	text string
}

func (e briefError) Error() string { return e.text }
func (e briefError) Unwrap() error { return e.error }

func (b *Bench[I, O]) stepDUT() (err error) {
	b.applied = b.In
	b.tick()
	if done := b.dut.Cycle(); done != uint64(b.cycle) {
		return fmt.Errorf("%d cycles of %s are done, but %d by the bench: while it runs, processes leave that to it (Process.Next, Process.Settle)", done, b.what, b.cycle)
	}
	b.Out, err = b.dut.Step(b.In)
	b.noteUnknown()
	return err
}

func (b *Bench[I, O]) settleDUT() (err error) {
	b.Out, err = b.dut.Settle(b.In)
	b.noteUnknown()
	return err
}

func (b *Bench[I, O]) noteUnknown() {
	if b.dut.Simulator() == sim.Icarus {
		b.Unknown = b.dut.Unknown()
	}
}

func (b *Bench[I, O]) flipUnknown() bool {
	if b.dut.Simulator() != sim.Icarus {
		return false
	}
	memory := func(o *O) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(o)), unsafe.Sizeof(*o)) }
	out, any := memory(&b.Out), byte(0)
	for i, x := range memory(&b.Unknown) {
		out[i] ^= x
		any |= x
	}
	return any != 0
}
