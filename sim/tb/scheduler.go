package tb

import (
	"fmt"
	"io"
	"iter"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/report"
)

// scheduler decides which process runs. It does not depend on the types of the ports.
type scheduler struct {
	what       string // "counter on icarus", for messages
	seed       uint64
	transcript io.Writer
	clocks     []bridge.Clock
	cycle      int           // index of the cycle done last
	instant    time.Duration // time of its clock edge
	rises      uint16        // the clocks that rose in it

	step, settle func() error
	changed      func() bool // reports whether the inputs were changed since the last step
	flip         func() bool // inverts the unknown bits of the outputs; false: there are none

	lists     [2][]*Process // all that have not ended, in the order of their start: see phase
	ready     [2]fifo       // processes that are to run
	running   *Process
	timed     int // how many processes wait for cycles
	workers   int // how many processes of Go have not ended
	someEnded bool
	turns     int // taken in this cycle
	inRun     bool
	atEnd     []func() error // checks of Bench.AtEnd, made in every run
	runEnd    []func() error // checks of Process.AtEnd, made in this run

	observing bool // the monitors run

	rows      map[string]*row       // the last items, by whose they are
	constants map[reflect.Type]bool // see constant

	unfinished func(error) (done func()) // see sim.DUT.Unfinished
	ran        func()                    // the done of toRun's call of unfinished; nil without one
}

// Monitors and all other processes run in separate phases.
const (
	watching = iota
	driving
)

func (p *Process) phase() int {
	if p.role == monitor {
		return watching
	}
	return driving
}

// maxTurns bounds the turns of all processes in one cycle. Processes that take more are assumed to
// wake each other forever.
const maxTurns = 1_000_000

// fifo is a queue of processes.
type fifo struct {
	items []*Process
	head  int
}

func (f *fifo) push(p *Process) { f.items = append(f.items, p) }

func (f *fifo) pop() *Process {
	if f.head == len(f.items) {
		f.items, f.head = f.items[:0], 0
		return nil
	}
	p := f.items[f.head]
	f.items[f.head] = nil
	f.head++
	return p
}

// toRun notes that the bench must be run after something was added to it. If it is not, the test
// fails: nothing would be checked.
func (s *scheduler) toRun(what string) {
	if s.inRun || s.ran != nil {
		return
	}
	s.ran = s.unfinished(fmt.Errorf("the bench of %s was not run after %s was added to it at %s: nothing was checked; end the test with b.Check(t, cycles)",
		s.what, what, inWords(userPlaces())))
}

func (s *scheduler) add(name string, r role, body func(*Process)) *Process {
	s.toRun(fmt.Sprintf("process %q", name))
	p := &Process{scheduler: s, name: name, role: r, body: body, wait: waitStart, domain: ^uint16(0)}
	s.lists[p.phase()] = append(s.lists[p.phase()], p)
	if r == worker {
		s.workers++
	}
	// Monitors are started with the drivers, too, so that they see the coming cycle.
	s.ready[driving].push(p)
	return p
}

// wake makes a waiting process ready.
func (s *scheduler) wake(p *Process) {
	p.wait = waitTurn
	s.ready[p.phase()].push(p)
}

// run is Bench.Run.
func (s *scheduler) run(cycles int) error {
	if s.inRun {
		return fmt.Errorf("the bench of %s runs already", s.what)
	}
	if s.ran != nil {
		s.ran()
		s.ran = nil
	}
	if s.workers == 0 {
		return fmt.Errorf("the bench of %s has no process started with Go: its run would end before the first cycle", s.what)
	}
	defer func() { s.runEnd = nil }()
	if err := s.toTheEnd(cycles); err != nil {
		return err
	}
	// The checks come when all processes have ended, as deferred calls may still find something.
	return s.finalChecks()
}

// toTheEnd runs until the workers have ended, and then stops all others.
func (s *scheduler) toTheEnd(cycles int) (err error) {
	s.inRun = true
	completed := false
	defer func() {
		if !completed {
			// r is nil after a Goexit, which goes on when this function returns.
			if r := recover(); r != nil {
				if s.running == nil {
					panic(r)
				}
				err = s.running.errorOf(r)
				s.running = nil
			}
		}
		all := slices.Concat(s.lists[watching], s.lists[driving])
		stuck, _ := err.(*StuckError)
		for _, p := range all {
			p.stopWait = p.waitsFor() // before the first is stopped, which may wake another
		}
		s.stopAll(all, &err)
		if stuck != nil {
			stuck.What, stuck.Cycle, stuck.When = s.what, s.cycle, s.when()
			for _, p := range all {
				if p.stopWait != "" {
					stuck.Waits = append(stuck.Waits, Waiting{p.name, p.stopWait, p.where})
				}
			}
		}
		s.lists, s.ready = [2][]*Process{}, [2]fifo{}
		s.timed, s.workers, s.inRun, s.observing = 0, 0, false, false
	}()
	err = s.cycles(cycles)
	completed = true
	return err
}

// cycles runs until the workers have ended.
func (s *scheduler) cycles(n int) error {
	for done := 0; ; done++ {
		s.turns = 0
		s.drain(driving)
		if err := s.react(); err != nil {
			return err
		}
		switch {
		case s.workers == 0 && done == 0 && len(s.lists[watching]) > 0:
			return fmt.Errorf("the run of %s ended before its first cycle: monitor %q has seen nothing", s.what, s.lists[watching][0].name)
		case s.workers == 0:
			return nil
		case s.timed == 0 && s.ready[watching].head == len(s.ready[watching].items):
			return &StuckError{Reason: "deadlock: every process waits for another"}
		case done >= n:
			return &StuckError{Reason: fmt.Sprintf("not done after %d cycles", n)}
		}
		if err := s.step(); err != nil {
			return err
		}
		s.observing = true
		s.pass(watching)
		s.drain(watching)
		s.observing = false
		s.pass(driving)
		s.removeEnded()
	}
}

// react lets logic settle as long as a process waits for that.
func (s *scheduler) react() error {
	for {
		var waiting []*Process
		for _, p := range s.lists[driving] {
			if p.wait == waitSettle {
				waiting = append(waiting, p)
			}
		}
		if waiting == nil || s.workers == 0 {
			return nil
		}
		if err := s.settle(); err != nil {
			return err
		}
		for _, p := range waiting {
			s.timed--
			s.wake(p)
		}
		s.drain(driving)
	}
}

func (s *scheduler) finalChecks() error {
	for _, check := range slices.Concat(s.atEnd, s.runEnd) {
		if err := check(); err != nil {
			return fmt.Errorf("at the end of %s, after cycle %d: %w", s.what, s.cycle, err)
		}
	}
	return nil
}

// pass runs the processes whose wait for cycles, a condition or a time is over.
func (s *scheduler) pass(phase int) {
	for _, p := range s.lists[phase] {
		if p.domain&s.rises == 0 {
			continue
		}
		switch p.wait {
		case waitCycles:
			if p.left--; p.left == 0 {
				s.resume(p)
			}
		case waitCondition:
			p.left--
			s.running = p
			p.met = p.cond()
			s.running = nil
			if p.met || p.left == 0 {
				s.resume(p)
			}
		case waitTime:
			if s.instant >= p.deadline {
				s.resume(p)
			}
		}
	}
}

// drain runs all processes that are ready, and those that become ready by that.
func (s *scheduler) drain(phase int) {
	for p := s.ready[phase].pop(); p != nil; p = s.ready[phase].pop() {
		if p.wait == waitTurn || p.wait == waitStart {
			s.resume(p)
		}
	}
}

// resume runs a process until it waits again or ends.
func (s *scheduler) resume(p *Process) {
	if p.wait.timed() {
		s.timed--
	}
	s.running = p
	if s.turns++; s.turns > maxTurns {
		panic(&StuckError{Reason: fmt.Sprintf("processes have woken each other %d times within a cycle", maxTurns)})
	}
	if p.next == nil {
		p.next, p.stop = iter.Pull(p.coroutine)
	}
	_, alive := p.next()
	if s.observing && s.changed() {
		p.Failf("a monitor changed the inputs: use Go or Background for a process that drives")
	}
	s.running = nil
	if !alive {
		s.finish(p)
	}
}

// coroutine runs a process's body. It has the form of an iterator; what it yields does not matter.
func (p *Process) coroutine(yield func(struct{}) bool) {
	p.yield, p.wait = yield, waitNone
	defer func() {
		r := recover()
		if _, ok := r.(stopped); r != nil && !ok {
			panic(p.errorOf(r)) // here, as the stack is still that of the panic
		}
	}()
	p.body(p)
}

// stopped is the panic that unwinds a process that is being stopped.
type stopped struct{}

// failure is the panic with which Process.Fail leaves the process.
type failure struct {
	err   error
	where []runtime.Frame
}

// Error returns what is printed if the process fails outside of a run.
func (f failure) Error() string {
	return fmt.Sprintf("a process failed outside of its bench's run, at %s: %v", inWords(f.where), f.err)
}

// end stops a process that waits.
func (p *Process) end() {
	if p.wait == ended {
		return
	}
	if p.wait.timed() {
		p.timed--
	}
	if p.cancel != nil {
		p.cancel()
	}
	p.stopping = true
	if p.stop != nil {
		before := p.running
		p.running = p
		p.stop()
		p.running = before
	}
	p.scheduler.finish(p)
}

// finish is called when a process has ended, for whatever reason.
func (s *scheduler) finish(p *Process) {
	p.wait = ended
	if p.role == worker {
		s.workers--
	}
	s.someEnded = true
	for _, q := range p.onEnd {
		s.wake(q)
	}
	p.onEnd = nil
}

// removeEnded takes processes that have ended off the lists.
func (s *scheduler) removeEnded() {
	if s.someEnded {
		for i := range s.lists {
			s.lists[i] = slices.DeleteFunc(s.lists[i], (*Process).Ended)
		}
		s.someEnded = false
	}
}

// stopAll ends processes. If one fails while it is stopped, that is the error if there is none
// before. A process that calls Goexit does not keep the others from being stopped.
func (s *scheduler) stopAll(all []*Process, err *error) {
	if len(all) == 0 {
		return
	}
	defer s.stopAll(all[1:], err)
	p := all[0]
	defer func() {
		if r := recover(); r != nil && *err == nil {
			*err = p.errorOf(r)
		}
	}()
	p.end()
}

func without(list []*Process, p *Process) []*Process {
	return slices.DeleteFunc(list, func(q *Process) bool { return q == p })
}

// when returns the cycle, for messages.
func (s *scheduler) when() string {
	if s.cycle < 0 {
		return "before the first cycle of " + s.what
	}
	return fmt.Sprintf("in cycle %d (%v) of %s", s.cycle, s.instant, s.what)
}

// ProcessError is the error of a bench in which a process failed or panicked.
type ProcessError struct {
	Process string
	Cycle   int    // index of the cycle done last, -1 before the first
	When    string // the cycle in words, with the time, the design and the simulator
	Err     error  // the error of Fail; nil after a panic
	// Where is folder/file.go:line of the call of Fail and its callers, without those in the
	// framework. It is empty if no other is left.
	Where  string
	Panic  any    // what the process panicked with, or nil
	Stack  string // the stack of the panic
	places []runtime.Frame
	last   []report.Transaction
}

// Place returns the file, with its whole path, and the line that Where begins with. It returns ""
// and 0 if Where is empty.
func (e *ProcessError) Place() (file string, line int) {
	if len(e.places) == 0 {
		return "", 0
	}
	return e.places[0].File, e.places[0].Line
}

func (e *ProcessError) Error() string { return e.text(e.When) }

func (e *ProcessError) text(when string) string {
	switch {
	case e.Err == nil:
		return fmt.Sprintf("process %q panicked %s: %v\n%s", e.Process, when, e.Panic, e.Stack)
	case e.Where == "":
		return fmt.Sprintf("process %q failed %s: %v", e.Process, when, e.Err)
	}
	return fmt.Sprintf("process %q failed %s, at %s: %v", e.Process, when, e.Where, e.Err)
}

func (e *ProcessError) Unwrap() error { return e.Err }

// StuckError is the error of a bench that cannot go on: every process waits for another, or a wait
// or the run has taken too many cycles.
type StuckError struct {
	Reason string
	What   string
	Cycle  int    // index of the cycle done last, -1 before the first
	When   string // the cycle in words, with the time, the design and the simulator
	Waits  []Waiting
	last   []report.Transaction
}

// Waiting is one process in a [StuckError].
type Waiting struct {
	Process string
	For     string // what it waits for, in words
	Where   string // folder/file.go:line of the wait and its callers; empty before its start
}

func (e *StuckError) Error() string { return e.text(e.When) }

func (e *StuckError) text(when string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s; the processes wait:", e.Reason, when)
	width := 0
	for _, w := range e.Waits {
		width = max(width, len(w.Process))
	}
	for _, w := range e.Waits {
		fmt.Fprintf(&b, "\n  %-*s  for %s", width, w.Process, w.For)
		if w.Where != "" {
			fmt.Fprintf(&b, "\n  %-*s  at %s", width, "", w.Where)
		}
	}
	return b.String()
}

// errorOf returns the error for what a process panicked with.
func (p *Process) errorOf(r any) error {
	e := &ProcessError{Process: p.name, Cycle: p.cycle, When: p.when()}
	switch r := r.(type) {
	case *StuckError:
		return r
	case *ProcessError:
		return r
	case failure:
		e.Err, e.Where, e.places = r.err, inWords(r.where), r.where
	default:
		e.Panic, e.Stack = r, string(debug.Stack())
	}
	return e
}
