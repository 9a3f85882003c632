package live

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/pieces"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/probe"
)

//go:embed page
var page embed.FS

// App is a [Session] as a page of package sim/live.
type App struct {
	*Session
	ctx    context.Context
	stop   context.CancelFunc
	built  chan built
	waking chan struct{}
	real   bool  // the times that are wanted
	fault  error // why there is no board
	units  []live.Unit
	inside inside
}

// built is a board, or why there is none.
type built struct {
	machine *Machine
	err     error
	real    bool
}

// NewApp returns the page. The board's RTL is compiled meanwhile. Close must be called.
func NewApp(ctx context.Context, o Options) *App {
	a := &App{Session: New(o), built: make(chan built, 1), waking: make(chan struct{}, 1)}
	a.ctx, a.stop = context.WithCancel(ctx)
	a.units = []live.Unit{{Name: "cycle", Cycles: 1}, {Name: "scan", Cycles: a.Times().period()}}
	a.build(false)
	return a
}

// Options completes a server's options for this page.
func (a *App) Options(o live.Options) live.Options {
	o.Title, o.Running, o.Speed, o.Units = "Sensing board", true, a.Times().Speed, a.units
	o.Speeds = []float64{100, 1e3, 1e4, 1e5, 1e6, 0}
	return o
}

// Close ends the session.
func (a *App) Close() error {
	a.stop()
	a.abandon()
	if a.built != nil {
		if b := <-a.built; b.machine != nil {
			b.machine.Close()
		}
	}
	return a.Session.Close()
}

// build compiles a board beside the runner.
func (a *App) build(real bool) {
	a.abandon()
	a.real, a.fault = real, nil
	a.built = make(chan built, 1)
	result, more := a.built, a.inside.more
	go func() {
		m, err := Build(a.ctx, a.options, real, more)
		result <- built{m, err, real}
		signal(a.waking)
	}()
}

// Wakes says when a board has been compiled, or has done what another one has.
func (a *App) Wakes() <-chan struct{} { return a.waking }

// Wake plugs it in.
func (a *App) Wake() {
	a.added()
	select {
	case b := <-a.built:
		a.built = nil
		if a.fault = b.err; b.err == nil {
			a.plug(b.machine)
		}
	default:
	}
}

// plug plugs a board in, of which the same is watched as of the one before.
func (a *App) plug(m *Machine) {
	if a.machine != nil {
		m.watched = a.machine.watched
	}
	if err := a.Plug(m); err != nil {
		a.fault = err
	}
	a.units[1].Cycles = a.Times().period()
	a.inside.instance++
	if a.inside.trigger != nil {
		a.inside.trigger.Forget()
	}
}

// Files are those of the page.
func (a *App) Files() []fs.FS {
	sub, err := fs.Sub(page, "page")
	if err != nil {
		panic(err) // it is embedded
	}
	return append(probe.Files(), sub, pieces.Files)
}

// Step plays cycles.
func (a *App) Step(_ context.Context, n int) (int, error) {
	if a.fault != nil {
		return 0, a.fault
	}
	if a.machine == nil {
		time.Sleep(2 * time.Millisecond) // until it is compiled
		return 0, nil
	}
	if a.inside.trigger != nil {
		return a.playTriggered(n)
	}
	return n, a.Run(n)
}

// Time returns the cycles played, and the simulated time.
func (a *App) Time() (uint64, time.Duration) { return a.Cycles(), a.Simulated() }

// Save and Restore keep the game over the end of the server.
func (a *App) Restore(_ context.Context, data []byte) error { return a.Session.Restore(data) }

// sent is what a viewer has.
type sent struct {
	parts   map[string][]byte
	heard   int
	inside  bool // it looks inside
	machine int  // the board that it has been told of, by number
	wave    probe.Seen
}

// Join begins with nothing sent.
func (a *App) Join(v *live.Viewer) { v.Data = &sent{parts: map[string][]byte{}} }

// Leave has nothing to do.
func (a *App) Leave(*live.Viewer) {}

// State returns the parts of the view that this viewer does not have yet.
func (a *App) State(v *live.Viewer) any {
	view, err := a.View()
	if err != nil {
		a.fault = err
	}
	if a.fault != nil {
		view.Rules = Verdict{State: "fault", Title: "There is no board", Text: a.fault.Error(), Mend: []string{}}
	}
	has, news := v.Data.(*sent), map[string]any{}
	for name, part := range map[string]any{
		"pieces": view.Pieces, "leds": view.LEDs, "busy": view.Busy, "board": view.Board, "rules": view.Rules, "game": view.Game,
		"clock": view.Clock, "pc": view.PC, "faults": view.Faults, "times": view.Times,
	} {
		data, err := json.Marshal(part)
		if err != nil {
			data = []byte(fmt.Sprintf("%q", err))
		}
		if !bytes.Equal(has.parts[name], data) {
			has.parts[name], news[name] = data, json.RawMessage(data)
		}
	}
	if heard := a.Heard(has.heard); len(heard) > 0 {
		has.heard = heard[len(heard)-1].N
		news["heard"] = heard
	}
	if has.inside {
		if inside := a.look(v, has); inside != nil {
			news["inside"] = inside
		}
	}
	return news
}

// pageRequest is the arguments of all that a page asks for.
type pageRequest struct {
	ID        int     `json:"id"`
	To        *Place  `json:"to"`
	Text      string  `json:"text"`
	Kind      string  `json:"kind"`
	Button    Button  `json:"button"`
	Side      string  `json:"side"`
	On        bool    `json:"on"`
	FEN       string  `json:"fen"`
	Play      *Play   `json:"play"`
	Faults    *Faults `json:"faults"`
	Control   string  `json:"control"`
	Increment int     `json:"increment"`
	Name      string  `json:"name"`
	Value     string  `json:"value"`
	Query     string  `json:"query"`
}

// Handle does what a person wants.
func (a *App) Handle(v *live.Viewer, name string, args json.RawMessage) (any, error) {
	var r pageRequest
	if args != nil {
		if err := json.Unmarshal(args, &r); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	side, err := engine.White, error(nil)
	switch r.Side {
	case "white", "":
	case "black":
		side = engine.Black
	default:
		return nil, fmt.Errorf("%q is no side: white and black are", r.Side)
	}
	missing := fmt.Errorf("%s: something is missing in %s", name, args)
	switch name {
	case "move":
		if r.To == nil {
			return nil, missing
		}
		err = a.Move(r.ID, *r.To)
	case "knock":
		err = a.Knock(r.ID)
	case "carry":
		err = a.Carry(r.Text)
	case "add":
		return a.Add(r.Kind)
	case "remove":
		err = a.Remove(r.ID)
	case "tidy":
		a.TidyUp()
	case "clear":
		a.Arrange(nil)
	case "press":
		err = a.Press(r.Button)
	case "switch":
		a.Switch(side, r.On)
	case "power":
		a.Power(r.On)
	case "faults":
		if r.Faults == nil {
			return nil, missing
		}
		a.SetFaults(*r.Faults)
	case "new":
		if r.Play == nil {
			return nil, missing
		}
		err = a.NewGame(*r.Play, r.FEN)
	case "here":
		err = a.FromHere(side)
	case "resign":
		a.Resign(side)
	case "draw":
		a.Draw(side, r.On)
	case "clock":
		err = a.SetClock(r.Control, r.Increment)
	case "times":
		if r.On && a.options.Simulator == sim.Icarus {
			return nil, errors.New("with the real time constants a scan takes five million cycles, which is half an hour in Icarus Verilog: use Verilator")
		}
		if a.built == nil && a.real != r.On {
			a.build(r.On)
		}
		speed := Real.Speed
		if !r.On {
			speed = scaled(a.options.Simulator).Speed
		}
		return map[string]float64{"cycles": speed}, nil
	case "view.inside":
		has := v.Data.(*sent)
		*has = sent{parts: has.parts, heard: has.heard, inside: r.On}
	case "view.search":
		if a.machine == nil {
			return probe.Search(nil, nil, r.Query), nil
		}
		return probe.Search(a.machine.about.Signals, a.machine.watched, r.Query), nil
	case "watch":
		err = a.watch(r.Name)
	case "unwatch":
		a.unwatch(r.Name)
	case "trigger":
		err = a.arm(r.Name, r.Value)
	default:
		return nil, fmt.Errorf("the board knows no %q", name)
	}
	return nil, err
}
