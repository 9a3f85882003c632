package tb

import (
	"errors"
	"io"
	"time"

	"github.com/cosimate/cosimate/bridge"
)

// processes are the processes of a bench, whatever its ports are.
type processes struct {
	scheduler
	schedule *bridge.Schedule
}

func newProcesses(seed uint64, clocks []bridge.Clock) processes {
	return processes{scheduler{seed: seed, clocks: clocks, cycle: -1}, bridge.NewSchedule(clocks)}
}

// SetSeed sets the seed of [Process.Rand] in processes that are started later.
func (b *processes) SetSeed(seed uint64) { b.seed = seed }

// SetTranscript sets where [Process.Logf] writes. Without it, lines go to the log of the test under
// [Bench.Check], and nowhere under [Bench.Run].
func (b *processes) SetTranscript(w io.Writer) { b.transcript = w }

// Go adds a process. [Bench.Run] goes on until all processes of Go have returned.
func (b *processes) Go(name string, body func(*Process)) *Process {
	return b.add(name, worker, body)
}

// Background adds a process that is stopped when all processes of [Bench.Go] have returned: a sink
// or a responder, for example.
func (b *processes) Background(name string, body func(*Process)) *Process {
	return b.add(name, background, body)
}

// Monitor adds a process that only watches. Monitors run after each cycle before all other
// processes, while In is still what was applied. They are stopped as processes of
// [Bench.Background] are.
func (b *processes) Monitor(name string, body func(*Process)) *Process {
	return b.add(name, monitor, body)
}

// AtEnd adds a check that is made at the end of this run and of every later one, for example that
// nothing is left over. It is made if all processes of [Bench.Go] have returned without error,
// after the others were stopped.
func (b *processes) AtEnd(check func() error) {
	b.toRun("a check of AtEnd")
	b.atEnd = append(b.atEnd, check)
}

// runToEnd runs the processes. An error of them has the last things that they have done.
func (b *processes) runToEnd(cycles int) error {
	err := b.run(cycles)
	var failed *ProcessError
	var stuck *StuckError
	switch {
	case errors.As(err, &failed):
		failed.last = b.transactions(failed.Process)
	case errors.As(err, &stuck):
		stuck.last = b.transactions("")
	}
	return err
}

// tick counts a cycle.
func (b *processes) tick() {
	b.cycle++
	b.instant, b.rises = b.schedule.Next()
}

// Cycle returns the index of the cycle done last, or -1 before the first.
func (b *processes) Cycle() int { return b.cycle }

// Time returns the simulated time of the clock edge at the end of the cycle done last.
func (b *processes) Time() time.Duration { return b.instant }
