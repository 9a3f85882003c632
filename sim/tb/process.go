package tb

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Process is a function that runs beside the RTL. Only the function itself may call the methods
// that wait; each returns when what it waits for has happened. If the process is stopped, a wait
// does not return: the function's deferred calls are run.
type Process struct {
	*scheduler
	name   string
	role   role
	domain uint16 // clocks whose cycles count
	body   func(*Process)
	next   func() (struct{}, bool)
	stop   func()
	yield  func(struct{}) bool

	wait     wait
	left     int // cycles that a bounded wait may still take
	bound    int // cycles that it may take in all
	deadline time.Duration
	cond     func() bool // of waitCondition
	met      bool        // the condition was true, or the event has happened
	what     string      // what is waited for, in words
	joined   *Process
	rng      *rand.Rand
	onEnd    []*Process // processes that join this one
	stopping bool
	cancel   func() // takes the process off the list it waits in
	where    string // the place of the wait in which it was stopped
	stopWait string // what it waited for then
	lastRow  *row   // the row of its last item
}

type role uint8

const (
	worker role = iota
	background
	monitor
)

// wait is what a process waits for.
type wait uint8

const (
	waitStart wait = iota // to be started
	waitCycles
	waitCondition
	waitTime
	waitSettle
	waitOther // for an event, a queue or a process's end: another process makes it ready
	waitTurn  // is ready, but has not run yet
	waitNone  // runs
	ended
)

// timed reports whether the wait lets cycles pass.
func (w wait) timed() bool { return waitCycles <= w && w <= waitSettle }

// Name returns the name that the process was started with.
func (p *Process) Name() string { return p.name }

// Ended reports whether the process has returned or was stopped.
func (p *Process) Ended() bool { return p.wait == ended }

// Cycle returns the index of the cycle done last, whose outputs are in Bench.Out, or -1 before
// the first. Cycles of all clocks count.
func (p *Process) Cycle() int { return p.cycle }

// Time returns the simulated time of the clock edge at the end of the cycle done last.
func (p *Process) Time() time.Duration { return p.instant }

// On makes the process belong to a clock, which is named by its port. From then on the process
// waits, counts and samples in the cycles only in which this clock rises.
func (p *Process) On(clock string) {
	for i, c := range p.clocks {
		if c.Port == clock {
			p.domain = 1 << i
			return
		}
	}
	p.Failf("the design has no clock %q", clock)
}

// Rand returns the process's own source of random numbers. What it draws depends only on the
// bench's seed and the process's name, and so not on the other processes.
func (p *Process) Rand() *rand.Rand {
	if p.rng == nil {
		h := fnv.New64a()
		h.Write([]byte(p.name))
		p.rng = rand.New(rand.NewPCG(p.seed, h.Sum64()))
	}
	return p.rng
}

// Logf writes a line to the transcript, with the cycle and the process's name.
func (p *Process) Logf(format string, args ...any) {
	if p.transcript == nil {
		return
	}
	fmt.Fprintf(p.transcript, "%6d %s: %s\n", p.cycle, p.name, fmt.Sprintf(format, args...))
}

// Fail ends the bench. [Bench.Run] then returns a *[ProcessError] with err, the process, the cycle
// and the line of the call.
func (p *Process) Fail(err error) {
	panic(failure{err, userPlaces()})
}

// Failf is Fail with a message.
func (p *Process) Failf(format string, args ...any) { p.Fail(fmt.Errorf(format, args...)) }

// Go starts a process in the present cycle, after the processes that are ready already. The run
// does not end before the process has returned.
func (p *Process) Go(name string, body func(*Process)) *Process {
	return p.add(name, worker, body)
}

// Background starts a process as [Bench.Background] does.
func (p *Process) Background(name string, body func(*Process)) *Process {
	return p.add(name, background, body)
}

// Monitor starts a process as [Bench.Monitor] does.
func (p *Process) Monitor(name string, body func(*Process)) *Process {
	return p.add(name, monitor, body)
}

// AtEnd adds a check that is made at the end of this run, as a check of [Bench.AtEnd] is, even if
// the process has ended by then. A monitor can check that it has seen anything, for example.
func (p *Process) AtEnd(check func() error) {
	p.toRun("a check of AtEnd")
	p.runEnd = append(p.runEnd, check)
}

// ToRun demands, if no run is under way, that another one follows; otherwise the test fails, as
// after [Bench.AtEnd]. The message names what would not be checked without. Scoreboards call it
// when an item is expected.
func (p *Process) ToRun(what string) { p.toRun(what) }

// Flipped calls f with every bit of Bench.Out that is X or Z inverted, and returns true. A value
// that differs then depends on such bits. If there are none, as always under Verilator, it returns
// false and does not call f. f must not wait.
func (p *Process) Flipped(f func()) bool {
	if !p.flip() {
		return false
	}
	defer p.flip()
	f()
	return true
}

// Next waits for one cycle. It always returns true, so that it can be the condition of a loop.
func (p *Process) Next() bool {
	p.Wait(1)
	return true
}

// Wait waits for n cycles. If n is less than 1 it returns at once.
func (p *Process) Wait(n int) {
	if n > 0 {
		p.left, p.bound = n, n
		p.suspend(waitCycles)
	}
}

// Sleep waits for simulated time: until the first clock edge that comes no sooner than d
// after the last.
func (p *Process) Sleep(d time.Duration) {
	if d > 0 {
		p.deadline = p.instant + d
		p.suspend(waitTime)
	}
}

// Until waits for at least one cycle, until cond is true after a cycle. If it is not true after any
// of n cycles, the bench fails with a *[StuckError].
func (p *Process) Until(n int, cond func() bool) {
	p.what = "a condition"
	p.until(n, cond)
}

// Within is like [Process.Until], but returns whether cond was true within n cycles.
func (p *Process) Within(n int, cond func() bool) bool {
	p.what = "a condition"
	return p.within(n, cond)
}

// Rising waits until *bit is true after a cycle and was false before it. If that does not happen
// within n cycles, the bench fails with a *[StuckError]. bit points into Bench.Out, or for a
// monitor into Bench.In.
func (p *Process) Rising(n int, bit *bool) {
	p.what = "a rising edge"
	p.edge(n, bit, true)
}

// Falling waits until *bit is false after a cycle and was true before it, like [Process.Rising].
func (p *Process) Falling(n int, bit *bool) {
	p.what = "a falling edge"
	p.edge(n, bit, false)
}

func (p *Process) edge(n int, bit *bool, to bool) {
	last := *bit
	p.until(n, func() bool {
		rose := *bit == to && last != to
		last = *bit
		return rose
	})
}

func (p *Process) until(n int, cond func() bool) {
	if !p.within(n, cond) {
		panic(&StuckError{
			Reason: fmt.Sprintf("process %q has waited in vain", p.name),
			Waits:  []Waiting{{p.name, fmt.Sprintf("%s, for %d cycles", p.what, n), callers()}},
		})
	}
}

func (p *Process) within(n int, cond func() bool) bool {
	if n < 1 {
		return false
	}
	p.left, p.bound, p.cond, p.met = n, n, cond, false
	p.suspend(waitCondition)
	return p.met
}

// Settle applies the inputs as they are now in the coming cycle, before its clock edge, and returns
// when combinational logic has settled. Bench.Out then has the outputs of that cycle. Inputs may be
// changed and settled again, but RTL on the falling edge takes the inputs settled first, and
// latches, strobes and asynchronous resets react to each: see Settle of sim.DUT. Monitors see
// completed cycles only and cannot settle.
func (p *Process) Settle() {
	if p.role == monitor {
		p.Failf("a monitor cannot settle: it would change the cycle that it watches; use Go or Background")
	}
	p.suspend(waitSettle)
}

// Join waits until all others have ended. If they have, it returns at once.
func (p *Process) Join(others ...*Process) {
	for _, q := range others {
		if q == p {
			p.Failf("a process cannot wait for its own end")
		}
		if !q.Ended() {
			q.onEnd = append(q.onEnd, p)
			p.joined = q
			p.cancel = func() { q.onEnd = without(q.onEnd, p) }
			p.suspend(waitOther)
			p.joined = nil
		}
	}
}

// Stop ends another process: its deferred calls are run, and processes that join it go on. If it
// has ended already, nothing happens.
func (p *Process) Stop() {
	if p.wait == waitNone {
		p.Failf("a process cannot stop itself: let it return")
	}
	p.end()
}

// suspend lets other processes run until the wait is over.
func (p *Process) suspend(w wait) {
	if p.stopping {
		panic(stopped{}) // a deferred call waits, though the process is being stopped
	}
	if p.running == p && p.wait != waitNone {
		panic("a condition must not wait")
	}
	if p.running != p {
		panic(fmt.Sprintf("a wait of process %q was called from outside of it", p.name))
	}
	p.wait = w
	if w.timed() {
		p.timed++
	}
	if !p.yield(struct{}{}) {
		p.where = callers()
		panic(stopped{})
	}
	p.wait, p.cancel = waitNone, nil
}

// waitsFor says what a suspended process waits for.
func (p *Process) waitsFor() string {
	switch p.wait {
	case waitStart:
		return "its start"
	case waitCycles:
		if p.bound == 1 {
			return "the next cycle"
		}
		return fmt.Sprintf("%d of %d cycles", p.left, p.bound)
	case waitCondition:
		return fmt.Sprintf("%s, for another %d of %d cycles", p.what, p.left, p.bound)
	case waitTime:
		return fmt.Sprintf("%v to come", p.deadline)
	case waitSettle:
		return "the inputs to settle"
	case waitTurn:
		return "its turn"
	case waitOther:
		if p.joined != nil {
			return fmt.Sprintf("the end of process %q", p.joined.name)
		}
		return p.what
	default:
		return "" // it runs, or has ended
	}
}

// callers returns the places of a process's wait in words, innermost first, without those in this
// package: "axi/manager.go:70, called from regs_test.go:31".
func callers() string {
	return inWords(places(func(f runtime.Frame) bool { return strings.HasPrefix(f.Function, ownPackage+".") }))
}

// userPlaces returns the places on the stack that are not in the framework. There may be none.
func userPlaces() []runtime.Frame {
	return places(func(f runtime.Frame) bool {
		return strings.HasPrefix(f.Function, framework) && !strings.HasSuffix(f.File, "_test.go")
	})
}

// inWords returns places in the form of callers.
func inWords(places []runtime.Frame) string {
	var words []string
	for _, f := range places {
		words = append(words, fmt.Sprintf("%s:%d", shortPath(f.File), f.Line))
	}
	return strings.Join(words, ", called from ")
}

// places returns the calls on the stack, innermost first, up to the beginning of the process or the
// test. Calls for which without returns true are left out.
func places(without func(runtime.Frame) bool) (places []runtime.Frame) {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		f, more := frames.Next()
		if slices.ContainsFunc(bottom, func(b string) bool { return strings.HasPrefix(f.Function, b) }) {
			break
		}
		if !without(f) {
			places = append(places, f)
		}
		if !more {
			break
		}
	}
	return places
}

const (
	framework  = "github.com/cosimate/cosimate/sim"
	ownPackage = framework + "/tb"
)

// bottom are functions that call a process, a condition that the scheduler evaluates, a test or a
// fuzz test.
var bottom = []string{"runtime.", "iter.", ownPackage + ".(*scheduler).run", "testing.", "reflect."}

// shortPath returns a file's name with its folder.
func shortPath(file string) string {
	parts := strings.Split(file, "/")
	return strings.Join(parts[max(0, len(parts)-2):], "/")
}
