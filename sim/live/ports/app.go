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
	wavepage "github.com/cosimate/cosimate/sim/wave"
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

	trigger  *trigger
	building *rebuilding
	wakes    chan struct{}
	problem  string
	problems int // how many there were
	said     int // messages of earlier instances
}

// trigger pauses the simulation when a signal gets a value.
type trigger struct {
	Name  string `json:"name"`
	Value string `json:"value"` // in binary digits
	was   bool   // it has the value already
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
	if s == sim.Icarus {
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
	return []fs.FS{sub, wavepage.Files}
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
	for deadline := time.Now().Add(5 * time.Millisecond); done < n; {
		k, err := a.machine.play(ctx, 1)
		done += k
		if err != nil {
			return done, ended(err)
		}
		hit, err := a.hit(ctx)
		if err != nil {
			return done, ended(err)
		}
		if hit {
			return done, &live.Pause{Reason: fmt.Sprintf("%s is now %s, after %d cycles.", a.trigger.Name, shown(a.trigger.Value), a.machine.cycle)}
		}
		if done%64 == 0 && time.Now().After(deadline) {
			break
		}
	}
	return done, nil
}

// ended returns how the end of a simulation is told: that of the RTL's own wish is no fault.
func ended(err error) error {
	if stop, ok := errors.AsType[*bridge.StopError](err); ok && stop.Task == "$finish" {
		return &live.Pause{Reason: stop.Error() + ". Restart begins anew."}
	}
	return err
}

// hit reports whether the trigger's signal has just got its value.
func (a *App) hit(ctx context.Context) (bool, error) {
	if err := a.machine.settle(ctx); err != nil {
		return false, err
	}
	value, err := a.machine.value(a.trigger.Name)
	if err != nil {
		return false, err
	}
	was := a.trigger.was
	a.trigger.was = matches(value, a.trigger.Value)
	return a.trigger.was && !was, nil
}

// shown writes a value for a message: in binary if it is short or has X in it.
func shown(value string) string {
	if len(value) <= 4 || strings.Trim(value, "01") != "" {
		return value
	}
	v := bridge.Value{Width: len(value)}
	for i := len(value); i > 0; i -= 64 {
		var word uint64
		for _, c := range value[max(0, i-64):i] {
			word = word<<1 | uint64(c-'0')
		}
		v.Bits = append(v.Bits, word)
	}
	return v.String()
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
		return a.search(m.Query), nil
	case "unwatch":
		a.machine.watched = slices.DeleteFunc(slices.Clone(a.machine.watched), func(n string) bool { return n == m.Name })
		a.machine.history.forget(a.machine.watched)
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
		a.trigger.was = false
	}
}

// arm sets the trigger; an empty name removes it.
func (a *App) arm(name, value string) error {
	if name == "" {
		a.trigger = nil
		return nil
	}
	if value == "" || strings.Trim(value, "01xz") != "" {
		return fmt.Errorf("%q is not a value in binary", value)
	}
	if err := a.machine.settle(a.ctx); err != nil {
		return err
	}
	now, err := a.machine.value(name)
	if err != nil {
		return fmt.Errorf("%w; to have the page pause at an internal signal, add it first", err)
	}
	if len(strings.TrimLeft(value, "0")) > len(now) {
		return fmt.Errorf("%s has %d bits, and the value needs more", name, len(now))
	}
	a.trigger = &trigger{Name: name, Value: value, was: matches(now, value)}
	return nil
}

// found are how many signals a search returns.
const found = 50

// search returns the internal signals whose names have all words of a query in them.
func (a *App) search(query string) (result struct {
	Signals []string `json:"signals"`
	More    int      `json:"more"`
}) {
	words := strings.Fields(strings.ToLower(query))
	result.Signals = []string{}
	for _, s := range a.signals {
		low := strings.ToLower(s)
		if slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(low, w) }) || slices.Contains(a.machine.watched, s) {
			continue
		}
		if len(result.Signals) == found {
			result.More++
			continue
		}
		result.Signals = append(result.Signals, s)
	}
	return result
}
