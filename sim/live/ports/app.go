package ports

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/probe"
)

//go:embed page
var page embed.FS

// Options are choices of a page.
type Options struct {
	Seed uint64 // of power-up values under Verilator; 0 means 1
	// Wave records all signals into this FST file, if it is not empty. A simulation that begins
	// again gets a file of its own, with a number before the extension.
	Wave string
	// NoReset leaves the design in its power-up state. Without it, the reset is held for two cycles
	// first.
	NoReset bool
	// Notes are shown on the page, for example what was taken for the clock.
	Notes []string
}

// resetCycles is how long a reset is held.
const resetCycles = 2

// readyMost is up to how many signals are ready to be added in Icarus. It looks each of them up
// among all of its scope when it starts: 10 000 take half a minute. Of more signals, those that are
// added are compiled in.
const readyMost = 2000

// App is the page of a design. It is a [live.App].
type App struct {
	ctx       context.Context
	design    sim.Design
	simulator sim.Simulator
	opts      Options
	signals   []string // that can be watched
	model     bridge.Model
	machine   *machine
	begun     int // instances so far

	trigger  *probe.Trigger
	building *rebuilding
	wakes    chan struct{}
	problem  string
	problems int // how many there were
	said     int // messages of earlier instances
}

var (
	_ live.App        = (*App)(nil)
	_ live.Saver      = (*App)(nil)
	_ live.Background = (*App)(nil)
)

// Open compiles a design and starts it. The context bounds the App's life. Close must be called.
func Open(ctx context.Context, d sim.Design, s sim.Simulator, o Options) (*App, error) {
	if o.Seed == 0 {
		o.Seed = 1
	}
	description, err := sim.Describe(ctx, d, s)
	if err != nil {
		return nil, err
	}
	a := &App{ctx: ctx, design: d, simulator: s, opts: o, signals: description.Signals, wakes: make(chan struct{})}
	if s == sim.Icarus && len(a.signals) <= readyMost {
		// In Icarus they cost nothing. Some may be of a kind that cannot be reached.
		a.design.Internals = a.signals
	}
	if a.model, err = build(ctx, a.design, s, o.Wave != ""); err != nil {
		if len(a.design.Internals) == 0 {
			return nil, err
		}
		a.design.Internals = d.Internals
		if a.model, err = build(ctx, a.design, s, o.Wave != ""); err != nil {
			return nil, err
		}
	}
	if a.machine, err = a.start(a.model, a.design); err != nil {
		return nil, err
	}
	if err := a.begin(); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// start starts an instance of a model.
func (a *App) start(m bridge.Model, d sim.Design) (*machine, error) {
	o := bridge.Options{Seed: a.opts.Seed}
	if a.opts.Wave != "" {
		o.Wave = bridge.Wave{Path: a.opts.Wave, To: 1 << 62}
		if a.begun > 0 {
			dot := strings.LastIndexByte(a.opts.Wave, '.')
			if dot <= strings.LastIndexByte(a.opts.Wave, '/') {
				dot = len(a.opts.Wave)
			}
			o.Wave.Path = fmt.Sprintf("%s-%d%s", a.opts.Wave[:dot], a.begun+1, a.opts.Wave[dot:])
		}
	}
	c, err := newMachine(m, d, a.simulator, o)
	if err == nil {
		a.begun++
	}
	return c, err
}

// begin resets a new instance.
func (a *App) begin() error {
	if a.design.Reset == "" || a.opts.NoReset || !a.Clocked() {
		return nil
	}
	return a.machine.reset(a.ctx, resetCycles)
}

// Close ends the simulation.
func (a *App) Close() error {
	if r := a.building; r != nil {
		r.stop()
		<-r.ended
		if r.machine != nil {
			r.machine.close()
		}
	}
	return a.machine.close()
}

// Clocked reports whether the design has a clock.
func (a *App) Clocked() bool { return a.design.Clock != "" || len(a.design.Clocks) > 0 }

// Files implements [live.App].
func (a *App) Files() []fs.FS {
	sub, err := fs.Sub(page, "page")
	if err != nil {
		panic(err) // it is embedded
	}
	return append(probe.Files(), sub)
}

// Time implements [live.App].
func (a *App) Time() (uint64, time.Duration) { return a.machine.cycle, a.machine.since() }

// Step implements [live.App].
func (a *App) Step(ctx context.Context, n int) (done int, err error) {
	if a.building != nil && a.building.replaying {
		// It stands still until the other instance has done what this one has.
		select {
		case <-ctx.Done():
		case <-time.After(5 * time.Millisecond):
		}
		return 0, nil
	}
	if a.trigger == nil {
		done, err = a.machine.play(ctx, n)
		return done, ended(err)
	}
	done, err = a.trigger.Run(a.machine, n, func() (uint64, error) {
		_, err := a.machine.play(ctx, 1)
		if err == nil {
			err = a.machine.settle(ctx)
		}
		return a.machine.cycle, err
	})
	return done, ended(err)
}

// ended returns how the end of a simulation is told: that of the RTL's own wish is no fault.
func ended(err error) error {
	if stop, ok := errors.AsType[*bridge.StopError](err); ok && stop.Task == "$finish" {
		return &live.Pause{Reason: stop.Error() + ". Restart begins anew."}
	}
	return err
}

// Handle implements [live.App].
func (a *App) Handle(_ *live.Viewer, name string, args json.RawMessage) (any, error) {
	var m struct {
		Name, Value, Query string
	}
	if args != nil {
		if err := json.Unmarshal(args, &m); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	switch name {
	case "view.search":
		return probe.Search(a.signals, a.machine.watched, m.Query), nil
	case "unwatch":
		a.machine.watched = slices.DeleteFunc(slices.Clone(a.machine.watched), func(n string) bool { return n == m.Name })
		a.machine.history.Forget(a.machine.watched)
		return nil, nil
	}
	if a.building != nil {
		return nil, errors.New("one moment: " + a.building.doing())
	}
	switch name {
	case "set":
		return nil, a.set(m.Name, m.Value)
	case "reset":
		return nil, a.machine.reset(a.ctx, resetCycles)
	case "restart":
		return nil, a.restart()
	case "watch":
		return nil, a.watch(m.Name)
	case "trigger":
		return nil, a.arm(m.Name, m.Value)
	}
	return nil, fmt.Errorf("the page does not know %q", name)
}

// set sets an input. Without a clock, that is a cycle.
func (a *App) set(name, value string) error {
	if err := a.machine.set(name, value); err != nil {
		return err
	}
	if a.Clocked() {
		return nil
	}
	_, err := a.machine.play(a.ctx, 1)
	return err
}

// restart begins anew, from power-up.
func (a *App) restart() error {
	c, err := a.start(a.model, a.design)
	if err != nil {
		return err
	}
	a.replace(c)
	return a.begin()
}

// replace takes another instance in place of the present one, with what is watched in it.
func (a *App) replace(c *machine) {
	c.watched = a.machine.watched
	a.machine.close()
	a.said += a.machine.said
	a.machine = c
	if a.trigger != nil {
		a.trigger.Forget()
	}
}

// arm sets the trigger; an empty name removes it.
func (a *App) arm(name, value string) error {
	if name == "" {
		a.trigger = nil
		return nil
	}
	if err := a.machine.settle(a.ctx); err != nil {
		return err
	}
	t, err := probe.Arm(a.machine, name, value)
	if err == nil {
		a.trigger = t
	}
	return err
}
