package ports

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live/probe"
)

// rebuilding is what is done beside the runner so that a signal can be watched: compile a model
// that has it, and do in it all that was done so far.
type rebuilding struct {
	signal string // what was asked for
	design sim.Design
	stop   context.CancelFunc
	ended  chan struct{} // closed when the goroutine has ended

	// What a goroutine leaves before it wakes the runner.
	model   bridge.Model
	machine *machine
	err     error

	replaying bool // the runner stands still
	from      uint64
}

func (r *rebuilding) doing() string {
	if r.replaying {
		return fmt.Sprintf("%d cycles are done again, to have %s from the beginning.", r.from, r.signal)
	}
	return fmt.Sprintf("the design is compiled with %s.", r.signal)
}

// watch adds a signal to those that are read in each cycle.
func (a *App) watch(name string) error {
	if slices.Contains(a.machine.watched, name) {
		return nil
	}
	if len(a.machine.watched) >= probe.Most {
		return fmt.Errorf("%d signals are watched already: remove one", probe.Most)
	}
	if l := a.machine.layout; probe.Port(l.Inputs, name) != nil || probe.Port(l.Outputs, name) != nil {
		return fmt.Errorf("%s is a port, which is shown already", name)
	}
	if a.machine.err != nil {
		return errors.New("the simulation has ended: restart it")
	}
	whole := probe.Whole(a.signals, name)
	if slices.Contains(a.design.Internals, whole) {
		if _, err := probe.Value(a.machine, name); err != nil {
			return reasonOf(err)
		}
		if a.machine.cycle > replayAtOnce {
			a.machine.watched = append(slices.Clone(a.machine.watched), name)
			return nil
		}
	} else if !slices.Contains(a.signals, whole) {
		return fmt.Errorf("there is no signal %s: search finds those that there are", name)
	}
	d := a.design
	if !slices.Contains(d.Internals, whole) {
		d.Internals = append(slices.Clone(d.Internals), whole)
	}
	ctx, stop := context.WithCancel(a.ctx)
	r := &rebuilding{signal: name, design: d, stop: stop, ended: make(chan struct{})}
	a.building = r
	go func() {
		defer close(r.ended)
		r.model, r.err = build(ctx, d, a.simulator, a.opts.Wave != "")
		a.wake(ctx)
	}()
	return nil
}

// replayAtOnce is how many cycles are done again to have the past of a signal that the model has
// anyway.
const replayAtOnce = 20_000

// reasonOf returns a signal's error without the name of the design, which the page shows.
func reasonOf(err error) error {
	if e, ok := errors.AsType[*bridge.SignalError](err); ok {
		return fmt.Errorf("%s: %s", e.Name, e.Reason)
	}
	return err
}

func (a *App) wake(ctx context.Context) {
	select {
	case a.wakes <- struct{}{}:
	case <-ctx.Done():
	}
}

// Wakes implements [live.Background].
func (a *App) Wakes() <-chan struct{} { return a.wakes }

// Wake implements [live.Background].
func (a *App) Wake() {
	r := a.building
	switch {
	case r == nil:
	case r.err != nil:
		a.fail(fmt.Errorf("%s cannot be watched: %w", r.signal, reasonOf(r.err)))
		if r.machine != nil {
			r.machine.close()
		}
		a.building = nil
		r.stop()
	case !r.replaying:
		ctx, stop := context.WithCancel(a.ctx)
		r.stop()
		r.stop = stop
		if r.machine, r.err = a.start(r.model, r.design); r.err != nil {
			a.Wake()
			return
		}
		r.replaying, r.from = true, a.machine.cycle
		record := slices.Clone(a.machine.record)
		names := append(slices.Clone(a.machine.watched), r.signal)
		r.machine.watched = names
		<-r.ended // it has nothing more to do
		r.ended = make(chan struct{})
		go func() {
			defer close(r.ended)
			r.err = r.machine.replay(ctx, record, r.from, func(uint64) error { return nil })
			a.wake(ctx)
		}()
	default:
		in, names, said := bytes.Clone(a.machine.in), r.machine.watched, a.said
		r.machine.messages, r.machine.said = a.machine.messages, a.machine.said // it has said them again
		a.replace(r.machine)
		a.machine.watched, a.said = names, said
		if !bytes.Equal(a.machine.in, in) {
			copy(a.machine.in, in)
			a.machine.settled, a.machine.inChanged = false, true
		}
		a.model, a.design = r.model, r.design
		a.building = nil
		r.stop()
	}
}

// fail shows an error to all viewers.
func (a *App) fail(err error) {
	a.problem = err.Error()
	a.problems++
}

// saved is what is kept of a simulation.
type saved struct {
	Design  string         `json:"design"`
	Cycle   uint64         `json:"cycle"`
	Record  []savedChange  `json:"record"`
	In      []byte         `json:"in"`
	Inputs  []bridge.Port  `json:"inputs"` // the shape of a row
	Watched []string       `json:"watched"`
	Trigger *probe.Trigger `json:"trigger"`
}

type savedChange struct {
	Cycle uint64 `json:"c"`
	In    []byte `json:"i"`
}

// name is a design's and its simulator's name in what is saved.
func (a *App) name() string {
	return fmt.Sprintf("%s of %v on %s, %v, seed %d", a.design.Top, a.design.Files, a.simulator, a.design.Params, a.opts.Seed)
}

// Save implements [live.Saver].
func (a *App) Save() ([]byte, error) {
	c := a.machine
	s := saved{Design: a.name(), Cycle: c.cycle, In: c.in, Inputs: c.layout.Inputs, Watched: c.watched, Trigger: a.trigger}
	for _, r := range c.record {
		s.Record = append(s.Record, savedChange(r))
	}
	return json.Marshal(s)
}

// replayWithin is how long a saved simulation may take to be done again.
var replayWithin = 20 * time.Second // less in a test

// Restore implements [live.Saver].
func (a *App) Restore(ctx context.Context, data []byte) error {
	var s saved
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	if s.Design != a.name() {
		return fmt.Errorf("it is of %s, and this is %s", s.Design, a.name())
	}
	if !slices.Equal(s.Inputs, a.machine.layout.Inputs) || len(s.In) != a.machine.layout.InSize {
		return errors.New("the design's inputs have changed since")
	}
	record := make([]change, len(s.Record))
	for i, r := range s.Record {
		if len(r.In) != len(s.In) || i > 0 && r.Cycle <= s.Record[i-1].Cycle {
			return errors.New("its recording is damaged")
		}
		record[i] = change(r)
	}
	d, model := a.design, a.model
	for _, name := range s.Watched {
		name = probe.Whole(a.signals, name)
		if !slices.Contains(d.Internals, name) {
			d.Internals = append(slices.Clone(d.Internals), name)
		}
	}
	var err error
	if len(d.Internals) != len(a.design.Internals) {
		if model, err = build(ctx, d, a.simulator, a.opts.Wave != ""); err != nil {
			return err
		}
	}
	c, err := a.start(model, d)
	if err != nil {
		return err
	}
	c.watched = s.Watched
	begin := time.Now()
	err = c.replay(ctx, record, s.Cycle, func(cycle uint64) error {
		if time.Since(begin) > replayWithin {
			return fmt.Errorf("it had done %d cycles, of which %d were done again in %v", s.Cycle, cycle, replayWithin)
		}
		return nil
	})
	if err != nil {
		c.close()
		return err
	}
	a.machine.close()
	a.machine, a.model, a.design = c, model, d
	copy(c.in, s.In)
	c.settled, c.inChanged = false, true
	if s.Trigger != nil {
		return a.arm(s.Trigger.Name, s.Trigger.Value)
	}
	return nil
}
