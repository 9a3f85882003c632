package vectors

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cosimate/cosimate/sim/report"
	"github.com/cosimate/cosimate/sim/stream"
	"github.com/cosimate/cosimate/sim/tb"
)

// agents are those of a run. Each has a process that carries out its orders one after the other;
// the vector is a process beside them.
type agents struct {
	pl   *rowPlayer
	rows *tb.Rows
	me   *tb.Process // the vector's
	all  []*agentRun
	next mark // of the coming cycle
	open []*task
}

type agentRun struct {
	*agent
	speaker speaker
	orders  tb.Queue[*task]
	now     *task
}

// task is an order that is under way.
type task struct {
	run   *agentRun
	step  *step
	do    order
	bound uint64 // the cycle before which it must be done; 0: it has not begun
	ended tb.Event
}

// orderError is what is wrong with what an order has met.
type orderError struct {
	word    Word
	problem string
	notes   []string
	help    string
	kind    string // of a fault in the RTL, "" if only the vector's expectation is not met
}

func (e *orderError) Error() string { return e.problem }

// idle sets the ports that agents drive to their values at rest, for the reset before the vector.
func (pl *rowPlayer) idle() error {
	l := pl.bench.Layout()
	for _, a := range pl.p.agents {
		if _, err := a.bind(pinList(tb.PinsOf(l, pl.in, make([]byte, l.OutSize), nil)), nil, pl.d.reset); err != nil {
			return fmt.Errorf("%s:%d: %w", pl.p.file.Name, a.line.At, err)
		}
	}
	return nil
}

// withAgents plays all rows and statements with agents beside them.
func (pl *rowPlayer) withAgents() error {
	if len(pl.p.steps) == 0 {
		return nil
	}
	rtl := pl.d.rtl(pl.p.config)
	clocks, err := rtl.AllClocks()
	if err != nil {
		return err
	}
	_, unknown := pl.bench.Outputs(0, 0)
	g := &agents{pl: pl, next: mark{step: &pl.p.steps[0]}}
	g.rows = tb.NewRows(pl.bench.Layout(), tb.RowsOptions{
		What: pl.d.name, Clocks: clocks, Seed: pl.p.seed, Done: pl.first, Unknown: unknown != nil, Step: func(*tb.Rows) error { return g.step() },
		Settle: func(*tb.Rows) error { return errors.New("an agent does not look within a cycle") },
	})
	copy(g.rows.In, pl.in)
	pl.in, pl.agents = g.rows.In, g
	var reset *tb.Reset
	for _, pin := range g.rows.Pins() {
		if pin.Port == pl.d.reset {
			reset = &tb.Reset{Bit: pin.Bit(), ActiveLow: pl.d.resetActive.Sign() == 0}
			g.rows.Reset = reset
		}
	}
	for _, a := range pl.p.agents {
		s, err := a.bind(g.rows, reset, pl.d.reset)
		if err != nil {
			return err
		}
		run := &agentRun{agent: a, speaker: s}
		if m, ok := s.(*memorySpeaker); ok {
			m.join(g.all, pl.p.seed)
		}
		g.all = append(g.all, run)
		s.start(g.rows, a)
		g.rows.Background(a.name, run.serve(pl))
	}
	var end error
	g.rows.Go("vector", func(p *tb.Process) {
		g.me = p
		if end = pl.steps(); end == nil {
			end = g.finish()
		}
	})
	err = g.rows.Run(math.MaxInt)
	switch {
	case pl.failure != nil || pl.err != nil:
		return errStop
	case end != nil:
		return end
	case err != nil && pl.cycle() == 0 && len(g.open) == 0:
		return errors.New("the vector plays no cycle: its agents have seen nothing")
	case err != nil:
		return g.failed(err)
	}
	for _, run := range g.all {
		if left := run.speaker.left(); left != "" && !pl.o.ignore {
			return g.blame(run, mark{step: &step{line: run.line, first: run.word}}, &orderError{
				problem: fmt.Sprintf("%s has received what no statement expects: %s", run.name, left),
				help:    fmt.Sprintf("%s drop takes what has come and does not matter", run.name),
			})
		}
	}
	return nil
}

// serve is the process that carries out an agent's orders.
func (run *agentRun) serve(pl *rowPlayer) func(*tb.Process) {
	return func(p *tb.Process) {
		if run.clock != "" {
			p.On(run.clock)
		}
		for {
			t := run.orders.Pop(p)
			run.now = t
			t.bound = pl.cycle() + defaultBound
			if t.step.cycles > 0 {
				t.bound = pl.cycle() + uint64(t.step.cycles)
			}
			if err := t.do(p, pl, run.speaker); err != nil {
				p.Fail(err)
			}
			run.now = nil
			t.ended.Set()
		}
	}
}

// play has the vector's process wait for a cycle.
func (g *agents) play(m mark) error {
	g.next = m
	g.me.Next()
	return nil
}

// order gives an agent an order, and waits until it is done unless it is only started.
func (g *agents) order(a *agent, do order, start bool) error {
	pl := g.pl
	t := &task{step: pl.step, do: do}
	for _, run := range g.all {
		if run.agent == a {
			t.run = run
		}
	}
	g.open = append(g.open, t)
	t.run.orders.Push(t)
	if !start {
		g.await(t)
	}
	return nil
}

// await waits for the end of a task.
func (g *agents) await(t *task) {
	g.next = mark{step: t.step}
	g.me.Await(&t.ended)
	g.open = slices.DeleteFunc(g.open, func(o *task) bool { return o.ended.IsSet() })
}

// finish waits for what was started.
func (g *agents) finish() error {
	for len(g.open) > 0 {
		g.await(g.open[0])
	}
	return nil
}

// step plays a cycle of the bench.
func (g *agents) step() error {
	pl := g.pl
	if err := pl.enough(); err != nil {
		return err
	}
	if err := pl.add(g.next, true); err != nil {
		return err
	}
	if s := g.next.step; s.op == "act" {
		g.next.rep++
	}
	out, unknown := pl.bench.Outputs(0, pl.last)
	copy(g.rows.Out, out)
	copy(g.rows.Unknown, unknown)
	for _, t := range g.open {
		// The last cycle may just have done it: that is known after the next.
		if t.bound > 0 && pl.cycle() > t.bound && !t.ended.IsSet() {
			return g.blame(t.run, mark{step: t.step}, &orderError{
				problem: fmt.Sprintf("too late: %s", t.run.waits()), help: "give it more time: within TIME; look whether the RTL hangs",
			})
		}
	}
	return nil
}

// waits says what an agent waits for.
func (run *agentRun) waits() string {
	if w, ok := run.speaker.(interface{ waits() string }); ok {
		return fmt.Sprintf("%s: %s", run.name, w.waits())
	}
	return fmt.Sprintf("%s has not done this", run.name)
}

// failed sets the failure for an error of the bench.
func (g *agents) failed(err error) error {
	failed, ok := errors.AsType[*tb.ProcessError](err)
	var run *agentRun
	if ok {
		for _, r := range g.all {
			if failed.Process == r.name || strings.HasPrefix(failed.Process, r.name+" ") {
				run = r
			}
		}
	}
	if run == nil || failed.Panic != nil {
		if checked := strings.Index(err.Error(), "checked nothing"); checked >= 0 {
			return errors.New("the rules of an agent's protocol were not checked: there was no cycle after a reset; hold the reset, or write reset: none")
		}
		if stuck, ok := errors.AsType[*tb.StuckError](err); ok {
			return errors.New(stuck.Reason)
		}
		g.pl.err = err
		return errStop
	}
	m := g.next
	if run.now != nil && failed.Process == run.name {
		m = mark{step: run.now.step}
	}
	line := fmt.Sprintf("agent %s, line %d: %s", run.name, run.line.At, strings.Join(texts(run.line.Words[2:]), " "))
	if wrong, ok := errors.AsType[*orderError](err); ok {
		if wrong.word.Text == "" {
			wrong.notes = append(wrong.notes, line)
		}
		return g.blame(run, m, wrong, failed.Transactions()...)
	}
	wrong := &orderError{problem: fmt.Sprintf("%s: %s", run.name, strings.TrimPrefix(failed.Err.Error(), "uart: ")), kind: failed.Err.Error()}
	if v, ok := errors.AsType[*stream.Violation](err); ok {
		wrong.problem = fmt.Sprintf("%s: %s %s", run.name, v.Signal, v.What)
		wrong.kind = fmt.Sprint(v.Signal, v.Rule)
		wrong.notes = []string{"rule: " + v.Rule}
	}
	wrong.notes = append(wrong.notes, line)
	return g.blame(run, m, wrong, failed.Transactions()...)
}

// blame sets the failure of what an agent has found in the last cycle, at a place in the vector.
func (g *agents) blame(run *agentRun, m mark, wrong *orderError, last ...report.Transaction) error {
	pl := g.pl
	cycle := max(pl.cycle(), 1) - 1
	w := wrong.word
	if w.Text == "" {
		w = m.step.first
	}
	e := pl.p.file.at(m.step.line.At, w.Column, utf8.RuneCountInString(w.Text), wrong.problem)
	e.Label, e.Notes, e.Help = fmt.Sprintf("cycle %d, %v", cycle, pl.at(cycle)), wrong.notes, wrong.help
	pl.failure = &Failure{Errors: Errors{e}, Cycle: cycle, RTL: wrong.kind != "", Ports: nil, Report: pl.stands(cycle, wrong.problem)}
	if wrong.kind != "" {
		pl.failure.kind = "agent " + run.name + " " + wrong.kind
	}
	g.tell(pl.failure, last)
	return errStop
}

// tell adds what agents have done last to the report of a failure.
func (g *agents) tell(f *Failure, last []report.Transaction) {
	first := g.pl.first
	for _, t := range last {
		if t.To >= first {
			t.From, t.To = max(t.From, first)-first, t.To-first
			f.Report.Transactions = append(f.Report.Transactions, t)
		}
	}
}
