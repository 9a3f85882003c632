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

// Process is a function that runs beside the RTL. Its waiting methods are for the
// function itself: each returns when what it waits for has come. When the bench
// ends, a wait does not return: the function's deferred calls are run.
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
	left     int // cycles to go, of waits that are bounded
	bound    int // of them at the start
	deadline time.Duration
	cond     func() bool // of waitCondition
	met      bool        // the condition was, or the event came
	what     string      // for people, of waits that are named
	joined   *Process
	rng      *rand.Rand
	onEnd    []*Process // who joins this
	stopping bool
	cancel   func() // takes the process off the list it waits in
	where    string // of the wait in which it was stopped
	said     string // what it waited for then
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
	waitOther // an event, a queue, a process: someone else makes it ready
	waitTurn  // made ready, not yet run
	waitNone  // it runs
	ended
)

// timed tells whether the wait lets cycles pass.
func (w wait) timed() bool { return waitCycles <= w && w <= waitSettle }

// Name is what the process was started as.
func (p *Process) Name() string { return p.name }

// Ended tells whether the process has returned or was stopped.
func (p *Process) Ended() bool { return p.wait == ended }

// Cycle is the index of the cycle done last, whose outputs are in Bench.Out; -1 before
// the first. It counts those of all clocks.
func (p *Process) Cycle() int { return p.cycle }

// Time is the simulated time of the clock edge at the end of the cycle done last.
func (p *Process) Time() time.Duration { return p.instant }

// On makes the process belong to a clock, named by its port: cycles in which this clock does
// not rise are then none for it.
func (p *Process) On(clock string) {
	for i, c := range p.clocks {
		if c.Port == clock {
			p.domain = 1 << i
			return
		}
	}
	p.Failf("the design has no clock %q", clock)
}

// Rand is the process's own source of random numbers. It depends on the bench's seed and
// the process's name only: another process more does not change what this one draws.
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

// Fail ends the bench with an error, a *[ProcessError], which names the process, the cycle and the
// line of the call.
func (p *Process) Fail(err error) {
	panic(failure{err, userPlaces()})
}

// Failf is Fail with a message.
func (p *Process) Failf(format string, args ...any) { p.Fail(fmt.Errorf(format, args...)) }

// Go starts a process in the present cycle, after those that are to run already. It must
// return before Run does.
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

// AtEnd adds a check that is made at the end of this run, as those of [Bench.AtEnd] are, even if
// the process has ended by then: that a monitor has seen anything at all, for example.
func (p *Process) AtEnd(check func() error) {
	p.toRun("a check of AtEnd")
	p.runEnd = append(p.runEnd, check)
}

// ToRun says, when no run goes on, that one must follow, as after [Bench.AtEnd]: something, which
// is named for the message, waits for the checks at its end. Scoreboards call it for what they are
// told to expect.
func (p *Process) ToRun(what string) { p.toRun(what) }

// Flipped calls f while each bit of Bench.Out that is X or Z reads the other way round: what f
// finds different then, depends on such bits. Without any, as always under Verilator, it does not
// call f and returns false. f must not wait.
func (p *Process) Flipped(f func()) bool {
	if !p.flip() {
		return false
	}
	defer p.flip()
	f()
	return true
}

// Next waits for one cycle. It returns true always, to be a loop's condition.
func (p *Process) Next() bool {
	p.Wait(1)
	return true
}

// Wait waits for n cycles. Less than one is no wait.
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

// Until waits until cond is true after a cycle. The coming cycle is the first that
// counts: what held before does not. After n cycles without, the bench fails with
// a *[StuckError].
func (p *Process) Until(n int, cond func() bool) {
	p.what = "a condition"
	p.until(n, cond)
}

// Within is Until that returns false after n cycles.
func (p *Process) Within(n int, cond func() bool) bool {
	p.what = "a condition"
	return p.within(n, cond)
}

// Rising waits until *bit is true after a cycle and was not before it; at most n cycles, as
// Until does. bit points into Bench.Out, or Bench.In for a monitor.
func (p *Process) Rising(n int, bit *bool) {
	p.what = "a rising edge"
	p.edge(n, bit, true)
}

// Falling waits until *bit is false after a cycle and was not before it; at most n
// cycles, as Until does.
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

// Settle returns when the inputs as they are now have been applied and combinational logic has
// settled, in the coming cycle, before its clock edge: Bench.Out then has the outputs of that
// cycle. Inputs may be changed, and settled, again. RTL on the falling edge takes those settled
// first, and latches, strobes and asynchronous resets react to each: see Settle of sim.DUT.
// Monitors see completed cycles only and cannot settle.
func (p *Process) Settle() {
	if p.role == monitor {
		p.Failf("a monitor cannot settle: it would change the cycle that it watches; use Go or Background")
	}
	p.suspend(waitSettle)
}

// Join waits until others have ended. Those that have already are no wait.
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

// Stop ends another process: its deferred calls are run, who joins it goes on. Stopping
// one that has ended does nothing.
func (p *Process) Stop() {
	if p.wait == waitNone {
		p.Failf("a process cannot stop itself: let it return")
	}
	p.end()
}

// suspend gives the turn back until the wait is over.
func (p *Process) suspend(w wait) {
	if p.stopping {
		panic(stopped{}) // a deferred function waits while the process is being stopped
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

// callers are the places in which a process waits, innermost first, without those of this
// package: "axi/manager.go:70, called from regs_test.go:31".
func callers() string {
	return inWords(places(func(f runtime.Frame) bool { return strings.HasPrefix(f.Function, ownPackage+".") }))
}

// userPlaces are those without the ready-made processes and scoreboards, too: empty if none is
// left.
func userPlaces() []runtime.Frame {
	return places(func(f runtime.Frame) bool {
		return strings.HasPrefix(f.Function, framework) && !strings.HasSuffix(f.File, "_test.go")
	})
}

// inWords is places as callers has them.
func inWords(places []runtime.Frame) string {
	var words []string
	for _, f := range places {
		words = append(words, fmt.Sprintf("%s:%d", shortPath(f.File), f.Line))
	}
	return strings.Join(words, ", called from ")
}

// places are those on the stack, innermost first, up to where the process or the test begins.
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

// bottom is what begins a process, a condition that the scheduler evaluates, a test, or one of
// fuzzing.
var bottom = []string{"runtime.", "iter.", ownPackage + ".(*scheduler).run", "testing.", "reflect."}

// shortPath is a file's name with its folder.
func shortPath(file string) string {
	parts := strings.Split(file, "/")
	return strings.Join(parts[max(0, len(parts)-2):], "/")
}
