// Package tb runs testbench processes beside RTL: functions that look as if they ran
// at the same time, each waiting for cycles, edges, conditions, times and each other.
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
// All processes share two structs: [Bench.In], what the RTL's inputs are to be, and
// [Bench.Out], its outputs as they were last sampled. A cycle goes like this:
//
//  1. Processes run until each waits, and leave in In what they want applied.
//  2. Those that wait in [Process.Settle] see in Out how the outputs of this very
//     cycle answer to In, and may change In again.
//  3. The cycle is done: In is applied, Out is sampled, then comes the clock edge.
//  4. Monitors run. They see In and Out of the cycle just done together, and
//     so handshakes. A monitor that changes In is an error.
//
// In a design with several clocks a cycle is an instant in which one or more of them rise; a
// process that belongs to one of them ([Process.On]) sees, and counts in what it waits for, its
// cycles only.
//
// Processes are coroutines: exactly one runs at a time, and no order depends on the
// Go scheduler. Those whose wait is over run in the order in which they were
// started; those woken by others (events, queues, ends) run after them, in the
// order in which they were woken, still in the same cycle. With the same seed a bench
// does the same, byte for byte.
//
// Ready-made processes are in the packages stream, axi and uart beside this one,
// scoreboards in package score.
package tb

import (
	"fmt"
	"io"
	"reflect"
	"testing"
	"time"
	"unsafe"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
)

// Bench is a DUT with processes around it. It is not safe for concurrent use.
type Bench[I, O any] struct {
	In  I // the inputs of the coming cycle, or for a monitor those of the cycle just done
	Out O // the outputs as last sampled or settled; unknown bits read as sim.DUT.Step says
	// Unknown has the bits set that are X or Z in Out. Under Verilator there are none. See
	// Process.Flipped.
	Unknown O

	scheduler
	dut      *sim.DUT[I, O]
	applied  I // in the cycle just done
	schedule *bridge.Schedule
}

// New makes a bench without processes. A test that adds some, or checks of [Bench.AtEnd], and ends
// without [Bench.Check] or [Bench.Run] after that, fails: it has checked nothing. The bench's seed
// is that of -sim.seed, and its transcript goes to the test of [Bench.Check]: see [Bench.SetSeed],
// [Bench.SetTranscript].
func New[I, O any](dut *sim.DUT[I, O]) *Bench[I, O] {
	b := &Bench[I, O]{dut: dut}
	d := dut.Design()
	clocks, err := d.AllClocks()
	if err != nil {
		panic(err) // not after sim.Open
	}
	b.scheduler = scheduler{seed: sim.Seed(), clocks: clocks, cycle: -1}
	b.schedule = bridge.NewSchedule(clocks)
	b.step, b.settle, b.changed = b.stepDUT, b.settleDUT, func() bool { return false }
	b.flip, b.unfinished = b.flipUnknown, dut.Unfinished
	if reflect.TypeFor[I]().Comparable() {
		b.changed = func() bool { return any(b.In) != any(b.applied) }
	}
	b.what = fmt.Sprintf("%s on %s", d.Top, dut.Simulator())
	return b
}

// DUT is the device under test. Processes leave stepping it to the bench.
func (b *Bench[I, O]) DUT() *sim.DUT[I, O] { return b.dut }

// SetSeed sets what [Process.Rand] draws from, for processes started later.
func (b *Bench[I, O]) SetSeed(seed uint64) { b.seed = seed }

// SetTranscript sets where [Process.Logf] writes. Without it that is the log of [Bench.Check]'s
// test, or nowhere under [Bench.Run].
func (b *Bench[I, O]) SetTranscript(w io.Writer) { b.transcript = w }

// Go adds a process that must return before [Bench.Run] does.
func (b *Bench[I, O]) Go(name string, body func(*Process)) *Process {
	return b.add(name, worker, body)
}

// Background adds a process that is stopped when all those of [Bench.Go] have returned:
// a sink, a responder.
func (b *Bench[I, O]) Background(name string, body func(*Process)) *Process {
	return b.add(name, background, body)
}

// Monitor adds a process that only watches. Monitors run before all others after each
// cycle, when In still is what was applied. They end as those of [Bench.Background].
func (b *Bench[I, O]) Monitor(name string, body func(*Process)) *Process {
	return b.add(name, monitor, body)
}

// AtEnd adds a check that is made at the end of this run and of every later one, when all processes
// of [Bench.Go] have returned without error and the others were stopped: of what is left over, for
// example.
func (b *Bench[I, O]) AtEnd(check func() error) {
	b.toRun("a check of AtEnd")
	b.atEnd = append(b.atEnd, check)
}

// Run runs the processes for at most so many cycles, until all those of [Bench.Go]
// have returned, and stops the others. The error says which process failed in which cycle
// (a *[ProcessError]), or, if they got nowhere, what each waited for (a *[StuckError]);
// others are the simulator's. A runtime.Goexit in a process, as of t.FailNow, ends the
// caller of Run.
//
// Run may be called again with new processes; cycles go on counting.
func (b *Bench[I, O]) Run(cycles int) error {
	for b.cycle+1 < int(b.dut.Cycle()) { // done by others, a reset for example
		b.tick()
	}
	return b.run(cycles)
}

// Check is Run in a test: an error ends the test, with the last cycles as a waveform and the
// command that runs into it again. If a process calls t.FailNow or t.Fatal,
// the test's log says which process it was, and in which cycle.
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
		b.dut.Fail(t, b.brief(err))
	}
}

// brief is an error without what a report's first line says before it: the design, the cycle and
// the time.
func (b *Bench[I, O]) brief(err error) error {
	on := fmt.Sprintf("on %s", b.dut.Simulator())
	// the line says otherwise, or nothing that is true
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

// tick counts a cycle.
func (b *Bench[I, O]) tick() {
	b.cycle++
	b.instant, b.rises = b.schedule.Next()
}

// Cycle is the index of the cycle done last, -1 before the first.
func (b *Bench[I, O]) Cycle() int { return b.cycle }

// Time is the simulated time of the clock edge at the end of the cycle done last.
func (b *Bench[I, O]) Time() time.Duration { return b.instant }
