package live

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"time"
)

// App is a page and the simulation behind it. All of its methods are called by one goroutine.
type App interface {
	// Files are the files of the page, most often of embed.FS. They are served side by side, with
	// base.css and live.js of this package, so their names must differ. There must be an
	// index.html: the page's own styles and scripts, and its body. What goes before is the same on
	// all pages: the title, base.css, and icon.svg if there is one.
	Files() []fs.FS
	// Join is called when a viewer has come, and Leave when it has gone.
	Join(v *Viewer)
	Leave(v *Viewer)
	// Handle does what a viewer asks for. The answer is sent as JSON; an error is shown to that
	// viewer in words. It must not take long.
	Handle(v *Viewer, name string, args json.RawMessage) (answer any, err error)
	// Step simulates at most n cycles and returns how many it did. It may do fewer without an
	// error. An error ends the run: it is shown to all viewers. A [*Pause] is no fault, but the
	// App's own wish to pause.
	Step(ctx context.Context, n int) (done int, err error)
	// Time returns the cycles done since the simulation began and the simulated time.
	Time() (cycles uint64, simulated time.Duration)
	// State returns what a viewer sees, to be sent as JSON. It is called when the viewer can take
	// it, some 25 times a second while something happens, so it may return what is new to this
	// viewer only: [Viewer.Data] is a place to note what it has.
	State(v *Viewer) any
}

// A Saver is an App whose simulation outlives the server: see [Options.Save].
type Saver interface {
	// Save returns what Restore needs. It must not take long.
	Save() ([]byte, error)
	// Restore is called once, before any other method, with what an earlier server has saved. An
	// error is shown to all viewers, and the App begins anew.
	Restore(ctx context.Context, saved []byte) error
}

// A Background is an App that works beside the runner, for example compiles.
type Background interface {
	// Wakes returns a channel on which the App says that it wants Wake to be called by the runner.
	Wakes() <-chan struct{}
	Wake()
}

// Pause is the error with which App.Step pauses the simulation.
type Pause struct{ Reason string }

func (p *Pause) Error() string { return p.Reason }

// A Viewer is one open page.
type Viewer struct {
	// Data is the App's: what it notes about this viewer.
	Data any

	*connection
}

// Unit is a number of cycles that has a name for a person: a cycle, a scan of a keyboard, a frame.
type Unit struct {
	Name   string `json:"name"`
	Cycles int    `json:"cycles"`
}

// Status is what the server itself says about the simulation, in each message with a state.
type Status struct {
	Running   bool    `json:"running"`
	Speed     float64 `json:"speed"` // cycles a second that are asked for, 0 as fast as it goes
	Rate      float64 `json:"rate"`  // cycles a second in the last second
	Cycles    uint64  `json:"cycles"`
	Simulated float64 `json:"simulated"` // seconds since the simulation began
	Wall      float64 `json:"wall"`      // seconds in which it ran
	Hand      string  `json:"hand"`      // you, other or nobody
	Viewers   int     `json:"viewers"`
	Notice    string  `json:"notice"` // why the run ended, or ""
	Fault     bool    `json:"fault"`  // Notice is an error, and not a pause that somebody wanted

	Title  string    `json:"title"`
	Units  []Unit    `json:"units"`
	Speeds []float64 `json:"speeds"`
	Clock  bool      `json:"clock"` // the simulation can run
}

// Options are the choices of a server. The zero value is fit for use.
type Options struct {
	// Title is the name of the page; "" is Cosimate.
	Title string
	// Address is where to listen: host:port. "" is 127.0.0.1 and any free port. Another host lets
	// other machines in: whoever has the address with its token can drive the simulation.
	Address string
	// Token is the secret in the address, of letters, digits, - and _. "" makes a new one. A
	// server that is started again with the same token at the same address gets its pages back.
	Token string
	// Ready is called with the page's address, when it can be opened.
	Ready func(address string)
	// Save is the file in which a [Saver]'s simulation is kept. "" keeps none. It is written when
	// the simulation pauses, every few seconds while it runs, and at the end.
	Save string

	// Running begins with a running simulation.
	Running bool
	// Speed is the cycles a second at the beginning; 0 is as fast as it goes.
	Speed float64
	// Speeds are those offered on the page, in cycles a second; nil for a choice from 1 to as fast
	// as it goes.
	Speeds []float64
	// Units are the steps that the page offers; nil for one cycle.
	Units []Unit
	// NoClock is for a simulation without cycles: nothing runs, and no step is offered.
	NoClock bool
}

var (
	defaultSpeeds = []float64{1, 10, 100, 1e3, 1e4, 1e5, 1e6, 0}
	defaultUnits  = []Unit{{"cycle", 1}}
)

// errHand is the answer to somebody who does not have the hand.
var errHand = errors.New("another viewer has the hand: take it first")
