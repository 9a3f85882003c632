package paper

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/search"
	"github.com/cosimate/cosimate/rtl/driver"
	"github.com/cosimate/cosimate/rtl/driver/moves"
	"github.com/cosimate/cosimate/rtl/simcore"
	"github.com/cosimate/cosimate/sim"
)

// Search is a search whose moves come from the core in a simulator.
type Search struct {
	Scheme moves.Scheme
	Order  search.Order // of the lists
	// Own says that the program orders moves by itself, as search.Classic does. Without it they are
	// searched in the order of the list, but for the one in the transposition table.
	Own   bool
	Nodes uint64
	// Counts and Bus are what the search took from the core and what was on the bus; zero if it has
	// more than mostNodes nodes, and was not simulated.
	Counts moves.Counts
	Bus    simcore.Counts
}

// mostNodes is how many nodes a search may have to be simulated. One that is not has its nodes from
// the same search in software, which are the same: the tests of package simcore show that.
const mostNodes = 1_000_000

// Program is the search with moves from the reference in software, on this machine.
type Program struct {
	Nodes uint64
	Time  time.Duration
}

// hash is the size of the transposition table.
const hash = 16 << 20

// searchWays are the searches that are measured, without their figures: as a program that orders
// moves by itself uses the core, and in the order of the list alone.
func searchWays() (all []Search) {
	for _, s := range moves.Schemes {
		all = append(all, Search{Scheme: s, Own: true})
	}
	for _, s := range []moves.Scheme{moves.FIFO, moves.Stream} {
		for o := search.Plain; o <= search.MostAggressor; o++ {
			all = append(all, Search{Scheme: s, Order: o})
		}
	}
	return all
}

func (s *Search) features() search.Features {
	if s.Own {
		return search.Classic
	}
	return search.Classic &^ search.OwnOrder
}

func (s *Search) String() string {
	if s.Own {
		return fmt.Sprintf("scheme %v, ordered by the program", s.Scheme)
	}
	return fmt.Sprintf("scheme %v, in the order of the list (%v)", s.Scheme, s.Order)
}

// searchAll measures searches of the positions to Options.SearchDepth.
func searchAll(ctx context.Context, design sim.Design, s sim.Simulator, o Options, positions []Position) error {
	c, err := simcore.Open(ctx, design, s, o.Sim...)
	if err != nil {
		return err
	}
	defer c.Close()
	for i := range positions {
		p := &positions[i]
		if err := p.program(ctx, o.SearchDepth); err != nil {
			return err
		}
		// Searches that list in the same order see the same nodes, whatever the scheme.
		software := map[[2]any]search.Result{}
		for _, w := range searchWays() {
			o.Progress(fmt.Sprintf("search of %s to depth %d: %v", p.name(), o.SearchDepth, &w))
			same := [2]any{w.Order, w.Own}
			soft, ok := software[same]
			if !ok {
				if soft, err = find(ctx, &p.Position, w, o.SearchDepth, &search.Generator{Ordered: true}); err != nil {
					return err
				}
				software[same] = soft
			}
			w.Nodes = soft.Nodes
			if soft.Nodes <= mostNodes {
				if err := w.simulate(ctx, c, p, o.SearchDepth, soft); err != nil {
					return err
				}
			}
			p.Searches = append(p.Searches, w)
		}
	}
	return nil
}

// simulate searches with the core's moves, and compares the result with that in software.
func (s *Search) simulate(ctx context.Context, c *simcore.Core, p *Position, depth int, soft search.Result) error {
	before, err := c.Counts()
	if err != nil {
		return err
	}
	var hard search.Result
	err = c.Run(s.Scheme, func(source *moves.Source) (err error) {
		hard, err = find(ctx, &p.Position, *s, depth, &moves.Checked{Moves: source, Scheme: s.Scheme})
		s.Counts = source.Counts
		return err
	})
	if errors.Is(err, driver.ErrMismatch) {
		return fmt.Errorf("core on %s: %w: %w", c.Simulator(), ErrDiffers, err)
	}
	if err != nil {
		return err
	}
	after, err := c.Counts()
	if err != nil {
		return err
	}
	if hard.Nodes != soft.Nodes || hard.Value != soft.Value || !slices.Equal(hard.Moves, soft.Moves) {
		return fmt.Errorf("%w: the search of %s to depth %d, %v, has %d nodes, value %d and the line %v; in software %d, %d and %v",
			ErrDiffers, p.FEN(), depth, s, hard.Nodes, hard.Value, hard.Moves, soft.Nodes, soft.Value, soft.Moves)
	}
	s.Bus = simcore.Counts{Reads: after.Reads - before.Reads, Writes: after.Writes - before.Writes, Cycles: after.Cycles - before.Cycles}
	// What the core refused on the way, though it was trusted, would be seen here.
	return c.Do(func(d *driver.Core) error {
		_, err := d.ReadPosition()
		return err
	})
}

// find searches a position to a depth with the moves of a source.
func find(ctx context.Context, p *engine.Position, s Search, depth int, source search.Moves) (search.Result, error) {
	e, err := search.New(search.Options{
		Features: s.features(), Order: s.Order, Hash: hash,
		Source: func() (search.Moves, error) { return source, nil },
	})
	if err != nil {
		return search.Result{}, err
	}
	r, err := e.Search(ctx, search.Game{Start: *p}, search.Limits{Depth: depth}, nil)
	if err == nil {
		err = context.Cause(ctx) // a search that was stopped has a result, too
	}
	return r, err
}

// program measures the search in software. It takes the least time of several runs, as other
// programs on the machine can only make a run slower.
func (p *Position) program(ctx context.Context, depth int) error {
	for range 3 {
		r, err := find(ctx, &p.Position, Search{Own: true}, depth, &search.Generator{})
		if err != nil {
			return err
		}
		if p.Program.Time == 0 || r.Time < p.Program.Time {
			p.Program = Program{r.Nodes, r.Time}
		}
	}
	return nil
}
