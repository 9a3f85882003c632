// Package paper compares the published hardware move generator (package published) with this
// project's: the clock cycles of the RTL in a simulator, at the clocks of the place-and-route
// reports in docs/pnr, and the time to hand a list over to software.
//
//	reports, err := paper.Reports(os.DirFS("docs/pnr"))
//	figures, err := paper.Measure(ctx, sim.Verilator, paper.Options{Depth: 5, SearchDepth: 3})
//	for _, table := range paper.Tables(figures, reports) { ... }
//
// All figures of our hardware are measured. Cycles come from the RTL, whose lists and counts are
// compared with the reference, and clocks and sizes from the reports. The command is cosimate
// paper.
package paper

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/mobility"
	"github.com/cosimate/cosimate/rtl/burst"
	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/rtl/published"
	"github.com/cosimate/cosimate/sim"
)

// ErrDiffers is the error if lists or counts of the RTL differ from those of the reference.
var ErrDiffers = errors.New("RTL and reference differ")

// Figures are what was measured.
type Figures struct {
	Simulator sim.Simulator
	Positions []Position
	Suite     []Position // the positions of Options.Suite
	Perft     []Perft
	Depth     int // of searches; 0: there are none
	MostMoves []mobility.Result
}

// Position is a position with our figures and, in Published, the report's. Of a suite's position
// only Published.Cycles is known, from the model of the published design's timing.
type Position struct {
	engine.Position
	Published published.Position

	Legal int // number of legal moves
	// List is the number of cycles of the ordered list, from the one in which it takes the position
	// to the last move. Burst is that of the burst list.
	List, Burst int
	// Transfers are the times to hand over the list, one for each of [Schemes]; nil for a suite.
	Transfers []Transfer
	Software  time.Duration // the reference in Go lists the moves on this machine; 0 for a suite

	Searches []Search // to Options.SearchDepth; nil for a suite
	Program  Program  // the same in software
}

// Perft is a count of the hardware perft engine.
type Perft struct {
	Name           string
	Depth          int
	Nodes, Counted uint64 // leaves, and positions one ply above, whose moves were counted
	Cycles         uint64
}

// Options say what is measured.
type Options struct {
	Depth       int // of perft, in plies, at least 1
	SearchDepth int // of searches, in plies; 0: there are none
	// MostMoves are the kinds of piece whose most moves are searched for. Rooks take minutes.
	MostMoves []engine.Piece
	// Suite has positions for the burst and the ordered list, besides the published ones.
	Suite    []engine.Position
	Sim      []sim.Option
	Progress func(what string) // is called with what is measured next; may be nil
}

// perftPositions are the two positions by which perft engines are mostly compared.
var perftPositions = []struct{ name, fen string }{
	{"start position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
	{"Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"},
}

// Measure runs the RTL in a simulator and returns the figures. The error is [ErrDiffers] if a list
// or a count is wrong.
func Measure(ctx context.Context, s sim.Simulator, o Options) (*Figures, error) {
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	f := &Figures{Simulator: s, Depth: o.SearchDepth}
	for _, p := range published.Positions() {
		q, err := p.Parse()
		if err != nil {
			return nil, err
		}
		f.Positions = append(f.Positions, Position{Position: q, Published: p})
	}
	for i := range o.Suite {
		p := published.Position{Cycles: published.Generate(&o.Suite[i]).Cycles}
		f.Suite = append(f.Suite, Position{Position: o.Suite[i], Published: p})
	}
	type step struct {
		what string
		run  func() error
	}
	steps := []step{
		{"burst list", func() error { return bursts(ctx, burst.Design, s, o, f.Positions, f.Suite) }},
		{"ordered list", func() error { return lists(ctx, movegen.Design, s, o, f.Positions, f.Suite) }},
		{"lists over the bus", func() error { return handOver(ctx, core.Design, s, o, f.Positions) }},
		{fmt.Sprintf("perft to depth %d", o.Depth), func() (err error) { f.Perft, err = count(ctx, s, o); return err }},
		{"the reference in Go", func() error { return software(ctx, f.Positions) }},
	}
	if o.SearchDepth > 0 {
		steps = append(steps, step{fmt.Sprintf("searches to depth %d", o.SearchDepth), func() error { return searchAll(ctx, core.Design, s, o, f.Positions) }})
	}
	for _, kind := range o.MostMoves {
		steps = append(steps, step{fmt.Sprintf("the most moves of %ss", kind), func() error { return mostMoves(ctx, f, kind) }})
	}
	for _, step := range steps {
		o.Progress(step.what)
		if err := step.run(); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// software measures the reference. It takes the least time of several runs, as other programs on
// the machine can only make a run slower.
func software(ctx context.Context, positions []Position) error {
	const runs, lists = 30, 500
	var moves []engine.Move
	for i := range positions {
		p := &positions[i]
		for range runs {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			begin := time.Now()
			for range lists {
				moves = p.AppendMoves(moves[:0])
			}
			if spent := time.Since(begin) / lists; p.Software == 0 || spent < p.Software {
				p.Software = spent
			}
		}
	}
	return nil
}
