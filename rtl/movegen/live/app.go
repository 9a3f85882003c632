package live

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/rtl/internal/pieces"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live"
)

//go:embed page
var page embed.FS

// Options are choices of the page.
type Options struct {
	Simulator sim.Simulator // of the list; "" is Icarus
	Design    sim.Design    // instead of movegen.Design, if it has files
	Sim       []sim.Option
}

// App is the move generator's page. It is a [live.App].
type App struct {
	ctx    context.Context
	opts   Options
	design sim.Design
	dut    *sim.DUT[movegen.In, movegen.Out]

	position engine.Position
	order    movegen.Order
	filter   movegen.Filter
	due      []engine.Move // the reference's list

	in    movegen.In
	taken int64 // cycle in which the position was taken, or -1
	beats []beat
	count *count
	done  bool
	seen  map[string]uint64 // overlays by id

	perft *perftRun
	wakes chan struct{}
}

// beat is a beat of the list.
type beat struct {
	cycle int64 // after the position was taken
	move  engine.Move
	none  bool // it says that there is no move
}

type count struct {
	Value int   `json:"value"`
	Check bool  `json:"check"`
	Cycle int64 `json:"cycle"`
}

var (
	_ live.App        = (*App)(nil)
	_ live.Saver      = (*App)(nil)
	_ live.Background = (*App)(nil)
)

// Open compiles the RTL and starts it, with the start position. The context bounds the App's life.
// Close must be called.
func Open(ctx context.Context, o Options) (*App, error) {
	if o.Simulator == "" {
		o.Simulator = sim.Icarus
	}
	a := &App{ctx: ctx, opts: o, design: movegen.Design, wakes: make(chan struct{})}
	if len(o.Design.Files) > 0 {
		a.design = o.Design
	}
	d := a.design
	d.Internals = internals()
	var err error
	if a.dut, err = sim.Open[movegen.In, movegen.Out](ctx, d, o.Simulator, o.Sim...); err != nil {
		return nil, err
	}
	a.position = engine.StartPosition()
	if err := a.begin(); err != nil {
		a.dut.Close()
		return nil, err
	}
	return a, nil
}

// Close ends the simulation.
func (a *App) Close() error {
	a.stopPerft()
	return a.dut.Close()
}

// Options are those of the page's server.
func (a *App) Options() live.Options {
	return live.Options{Title: "Move generator - Cosimate", Speed: 2, Speeds: []float64{1, 2, 5, 20, 100, 0}}
}

// Files implements [live.App].
func (a *App) Files() []fs.FS {
	sub, err := fs.Sub(page, "page")
	if err != nil {
		panic(err) // it is embedded
	}
	return []fs.FS{sub, pieces.Files}
}

// Join implements [live.App].
func (a *App) Join(*live.Viewer) {}

// Leave implements [live.App].
func (a *App) Leave(*live.Viewer) {}

// Time implements [live.App].
func (a *App) Time() (uint64, time.Duration) {
	return a.dut.Cycle(), time.Duration(a.dut.Cycle()) * 10 * time.Nanosecond
}

// begin resets the RTL and offers it the position.
func (a *App) begin() error {
	a.in = movegen.Encode(&a.position)
	a.in.PosValid, a.in.PosList, a.in.MoveReady = true, true, true
	a.in.PosOrder, a.in.PosFilter = a.order, a.filter
	a.taken, a.beats, a.count, a.done, a.seen = -1, nil, nil, false, map[string]uint64{}
	a.due = a.due[:0]
	for _, m := range a.position.AppendMoves(nil) {
		if a.filter.Passes(&a.position, m) {
			a.due = append(a.due, m)
		}
	}
	side := a.position.SideToMove()
	slices.SortFunc(a.due, func(m, n engine.Move) int { return int(a.order.Key(m, side)) - int(a.order.Key(n, side)) })
	return a.dut.Reset(2)
}

// patience is how many cycles a list may take, however broken the RTL is.
const patience = 2000

// Step implements [live.App].
func (a *App) Step(_ context.Context, n int) (int, error) {
	if a.done {
		return 0, a.begin() // once more
	}
	for i := range n {
		if err := a.cycle(); err != nil {
			return i, err
		}
		if a.done {
			return i + 1, &live.Pause{Reason: a.summary()}
		}
	}
	return n, nil
}

// cycle does one cycle.
func (a *App) cycle() error {
	cycle := int64(a.dut.Cycle())
	out, err := a.dut.Step(a.in)
	if err != nil {
		return err
	}
	if a.taken < 0 && out.PosReady {
		a.taken = cycle
		a.in = movegen.In{MoveReady: true}
	}
	since := cycle - a.taken
	if a.taken < 0 {
		if cycle > patience {
			return errors.New("pos_ready_o stays 0: the RTL does not take the position")
		}
		return nil
	}
	if out.CountValid && a.count == nil {
		a.count = &count{int(out.Count), out.CountCheck, since}
	}
	if out.MoveValid && !a.done {
		a.beats = append(a.beats, beat{since, movegen.Decode(out, a.position.SideToMove()), out.MoveNone})
		a.done = out.MoveLast
	}
	if since > patience {
		return errors.New("move_last_o does not come: the list has no end")
	}
	// After the clock's edge a stage has what the one before it had.
	for i := range overlays {
		o := &overlays[i]
		if int64(o.stage) == since+1 {
			if a.seen[o.id], err = o.read(a.dut, &a.position); err != nil {
				return err
			}
		}
	}
	return nil
}

// wrong returns how many of the beats are not the reference's moves, and how many are missing.
func (a *App) wrong() int {
	n := 0
	for i, b := range a.beats {
		if !a.right(i, b) {
			n++
		}
	}
	if a.done {
		n += max(0, len(a.due)-len(a.beats))
	}
	return n
}

// right reports whether a beat is what the reference has in its place.
func (a *App) right(i int, b beat) bool {
	if b.none || i >= len(a.due) {
		return b.none && i == 0 && len(a.due) == 0
	}
	return b.move == a.due[i]
}

func (a *App) summary() string {
	last := a.beats[len(a.beats)-1].cycle
	text := fmt.Sprintf("The list is complete: %d moves, the last in cycle %d.", len(a.due), last)
	if n := a.wrong(); n > 0 {
		text = fmt.Sprintf("The list ends in cycle %d. It differs from the reference's in %d places.", last, n)
	}
	return text
}

// Handle implements [live.App].
func (a *App) Handle(_ *live.Viewer, name string, args json.RawMessage) (any, error) {
	var m struct {
		FEN           string
		Order, Filter int
		Depth         int
	}
	if args != nil {
		if err := json.Unmarshal(args, &m); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	switch name {
	case "position":
		p, err := engine.ParseFEN(m.FEN)
		if err != nil {
			return nil, fenError(err)
		}
		a.stopPerft()
		a.position = p
		return nil, a.begin()
	case "list":
		if m.Order < 0 || m.Order >= len(movegen.Orders) || m.Filter < 0 || m.Filter >= len(movegen.Filters) {
			return nil, errors.New("there is no such order or filter")
		}
		a.order, a.filter = movegen.Orders[m.Order], movegen.Filters[m.Filter]
		return nil, a.begin()
	case "restart":
		return nil, a.begin()
	case "perft":
		return nil, a.startPerft(m.Depth)
	case "stop":
		a.stopPerft()
		return nil, nil
	}
	return nil, fmt.Errorf("the page does not know %q", name)
}

// fenError returns what is wrong with a FEN, and what to do.
func fenError(err error) error {
	if fault, ok := errors.AsType[*engine.FENError](err); ok {
		if fault.Mend != "" {
			return fmt.Errorf("%s: %s; %s", fault.Field, fault.Problem, fault.Mend)
		}
		return fmt.Errorf("%s: %s", fault.Field, fault.Problem)
	}
	return err
}

// move is a move for the page.
type move struct {
	UCI   string `json:"uci"`
	SAN   string `json:"san"`
	Cycle int64  `json:"cycle,omitempty"`
	Right bool   `json:"right"`
}

// saved is what is kept.
type saved struct {
	FEN    string `json:"fen"`
	Order  int    `json:"order"`
	Filter int    `json:"filter"`
}

// Save implements [live.Saver].
func (a *App) Save() ([]byte, error) {
	return json.Marshal(saved{a.position.FEN(), slices.Index(movegen.Orders, a.order), slices.Index(movegen.Filters, a.filter)})
}

// Restore implements [live.Saver].
func (a *App) Restore(_ context.Context, data []byte) error {
	var s saved
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	p, err := engine.ParseFEN(s.FEN)
	if err != nil {
		return err
	}
	if s.Order < 0 || s.Order >= len(movegen.Orders) || s.Filter < 0 || s.Filter >= len(movegen.Filters) {
		return errors.New("its order or filter is none of these")
	}
	a.position, a.order, a.filter = p, movegen.Orders[s.Order], movegen.Filters[s.Filter]
	return a.begin()
}

// inWords returns a legal move in SAN, and any other as its squares.
func (a *App) inWords(m engine.Move) string {
	if slices.Contains(a.due, m) {
		return notation.SAN(&a.position, m)
	}
	return m.String()
}
