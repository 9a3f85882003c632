package paper

import (
	"context"
	"fmt"
	"slices"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/burst"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/rtl/perftengine"
	"github.com/cosimate/cosimate/sim"
)

// idle is how many cycles there are between the end of a list and the next position, so that each
// position is alone in the RTL.
const idle = 16

// patience is how many cycles a list may take, which is far more than any list does.
const patience = 512

// bursts measures the burst list.
func bursts(ctx context.Context, design sim.Design, s sim.Simulator, o Options, groups ...[]Position) error {
	d, err := sim.Open[burst.In, burst.Out](ctx, design, s, o.Sim...)
	if err != nil {
		return err
	}
	defer d.Close()
	return lengths(d, groups, func(p *Position) func(cycle int) burst.In {
		offer := burst.Encode(&p.Position)
		return func(cycle int) burst.In {
			in := burst.In{BeatReady: true}
			if cycle == 0 {
				in = offer
				in.PosValid, in.BeatReady = true, true
			}
			return in
		}
	}, func(p *Position, cycle int, out burst.Out) (moves []engine.Move, last bool) {
		for _, w := range out.Move {
			if m, ok := burst.Decode(w, p.SideToMove()); ok && out.BeatValid {
				moves = append(moves, m)
			}
		}
		if last = out.BeatValid && out.BeatLast; last {
			p.Burst = cycle
		}
		return moves, last
	})
}

// lists measures the ordered list.
func lists(ctx context.Context, design sim.Design, s sim.Simulator, o Options, groups ...[]Position) error {
	d, err := sim.Open[movegen.In, movegen.Out](ctx, design, s, o.Sim...)
	if err != nil {
		return err
	}
	defer d.Close()
	return lengths(d, groups, func(p *Position) func(cycle int) movegen.In {
		offer := movegen.Encode(&p.Position)
		return func(cycle int) movegen.In {
			in := movegen.In{MoveReady: true}
			if cycle == 0 {
				in = offer
				in.PosValid, in.PosList, in.PosOrder, in.MoveReady = true, true, movegen.LeastAggressor, true
			}
			return in
		}
	}, func(p *Position, cycle int, out movegen.Out) (moves []engine.Move, last bool) {
		if out.MoveValid && !out.MoveNone {
			moves = append(moves, movegen.Decode(out, p.SideToMove()))
		}
		if last = out.MoveValid && out.MoveLast; last {
			p.List = cycle
		}
		return moves, last
	})
}

// lengths gives positions to the RTL, each alone and with a receiver that is always ready, and
// compares the moves with the reference's. offer returns the inputs for a position, which is taken
// in cycle 0. see gets the outputs.
func lengths[I, O any](d *sim.DUT[I, O], groups [][]Position, offer func(*Position) func(cycle int) I,
	see func(p *Position, cycle int, out O) (moves []engine.Move, last bool)) error {
	if err := d.Reset(3); err != nil {
		return err
	}
	for _, positions := range groups {
		for i := range positions {
			p := &positions[i]
			in := offer(p)
			p.Legal = p.Count()
			for range idle {
				if _, err := d.Step(in(-1)); err != nil {
					return err
				}
			}
			var listed []engine.Move
			for cycle, last := 0, false; !last; cycle++ {
				if cycle == patience {
					return fmt.Errorf("%s on %s: %w: the list of %s does not end within %d cycles", d.Design().Top, d.Simulator(), ErrDiffers, p.FEN(), patience)
				}
				out, err := d.Step(in(cycle))
				if err != nil {
					return err
				}
				var moves []engine.Move
				moves, last = see(p, cycle, out)
				listed = append(listed, moves...)
			}
			if err := same(&p.Position, listed); err != nil {
				return fmt.Errorf("%s on %s: %w", d.Design().Top, d.Simulator(), err)
			}
		}
	}
	return nil
}

// same compares a list of any order with the reference's.
func same(p *engine.Position, listed []engine.Move) error {
	legal := p.AppendMoves(nil)
	for _, m := range listed {
		at := slices.Index(legal, m)
		if at < 0 {
			return fmt.Errorf("%w: %v of %s is listed twice or is not legal", ErrDiffers, m, p.FEN())
		}
		legal = slices.Delete(legal, at, at+1)
	}
	if len(legal) > 0 {
		return fmt.Errorf("%w: %v of %s are not listed", ErrDiffers, legal, p.FEN())
	}
	return nil
}

// count measures the perft engine.
func count(ctx context.Context, s sim.Simulator, o Options) (all []Perft, err error) {
	e, err := perftengine.Open(ctx, s, o.Sim...)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	for _, c := range perftPositions {
		p, err := engine.ParseFEN(c.fen)
		if err != nil {
			return nil, err
		}
		r, err := e.Run(ctx, &p, o.Depth, false)
		if err != nil {
			return nil, err
		}
		if err := sameCount(&p, o.Depth, r.Nodes); err != nil {
			return nil, fmt.Errorf("perftengine on %s: %w", s, err)
		}
		all = append(all, Perft{Name: c.name, Depth: o.Depth, Nodes: r.Nodes, Counted: engine.Perft(&p, o.Depth-1), Cycles: r.Cycles})
	}
	return all, nil
}

// sameCount compares a count with the reference's.
func sameCount(p *engine.Position, depth int, nodes uint64) error {
	if want := engine.Perft(p, depth); nodes != want {
		return fmt.Errorf("%w: perft %d of %s is %d, the reference counts %d", ErrDiffers, depth, p.FEN(), nodes, want)
	}
	return nil
}
