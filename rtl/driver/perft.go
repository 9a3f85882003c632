package driver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/regmap"
)

// Perft drives the perft engine. It is not safe for concurrent use.
type Perft struct {
	bus   Bus
	depth int
}

// PerftResult is the result of a job.
type PerftResult struct {
	Nodes uint64 // sequences of legal moves
	// by root move, in the order of UCI notation; nil without Divide
	Divide []engine.RootCount
	Cycles uint64 // clock cycles that the job took
}

// OpenPerft checks that the engine is there, and aborts a job under way.
func OpenPerft(bus Bus) (*Perft, error) {
	if err := identify(bus, "perft engine", regmap.PerftIdentityValue, regmap.PerftVersionValue); err != nil {
		return nil, err
	}
	config, err := bus.Read32(regmap.PerftConfig)
	if err != nil {
		return nil, err
	}
	err = writes{
		{regmap.PerftInterruptEnable, 0},
		{regmap.PerftAbort, 0},
		{regmap.PerftError, 0},
		{regmap.PerftInterruptStatus, ^uint32(0)},
	}.to(bus)
	return &Perft{bus, int(regmap.PerftConfigDepth.Of(config))}, err
}

// Count counts the sequences of depth legal moves from the position of a FEN record. It aborts the
// job when the context ends.
func (p *Perft) Count(ctx context.Context, fen string, depth int) (PerftResult, error) {
	position, err := p.start(fen, depth, false)
	if err != nil {
		return PerftResult{}, err
	}
	return p.finish(ctx, &position, nil)
}

// Divide is Count with the counts by root move too.
func (p *Perft) Divide(ctx context.Context, fen string, depth int) (PerftResult, error) {
	position, err := p.start(fen, depth, true)
	if err != nil {
		return PerftResult{}, err
	}
	divide := []engine.RootCount{}
	return p.finish(ctx, &position, &divide)
}

// Abort ends the job under way.
func (p *Perft) Abort() error { return p.bus.Write32(regmap.PerftAbort, 0) }

func (p *Perft) start(fen string, depth int, divide bool) (engine.Position, error) {
	from, err := engine.ParseFEN(fen)
	if err != nil {
		return from, err
	}
	if depth < 0 || depth > p.depth {
		return from, fmt.Errorf("driver: the engine counts depths of 0 to %d plies, not %d", p.depth, depth)
	}
	job := regmap.PerftStartDepth.Put(uint32(depth)) | regmap.PerftStartDivide.Put(bit(divide))
	if err := WritePosition(p.bus, &regmap.Perft, &from); err != nil {
		return from, err
	}
	if err := (writes{{regmap.PerftInterruptStatus, ^uint32(0)}, {regmap.PerftStart, job}}).to(p.bus); err != nil {
		return from, err
	}
	word, err := p.bus.Read32(regmap.PerftError)
	if err == nil && regmap.PerftErrorReason.Of(word) != regmap.PerftErrorReasonNone {
		err = errors.Join(
			fmt.Errorf("driver: %w Start: a job of somebody else is under way (Error = %#x)", ErrRefused, word),
			p.bus.Write32(regmap.PerftError, 0))
	}
	return from, err
}

// finish waits for the end of the job. It adds the root moves that come until then to divide,
// unless that is nil.
func (p *Perft) finish(ctx context.Context, from *engine.Position, divide *[]engine.RootCount) (r PerftResult, err error) {
	events := regmap.PerftInterruptsDone
	if divide != nil {
		events |= regmap.PerftInterruptsRoot
	}
	for {
		status, err := p.wait(ctx, uint32(events))
		if err != nil {
			return r, errors.Join(err, p.Abort())
		}
		if divide != nil {
			if err := p.roots(from, divide); err != nil {
				return r, errors.Join(err, p.Abort())
			}
		}
		if regmap.PerftInterruptsDone.Is(status) {
			break
		}
	}
	if r.Nodes, err = p.read64(regmap.PerftCountLow, regmap.PerftCountHigh); err != nil {
		return r, err
	}
	if r.Cycles, err = p.read64(regmap.PerftCyclesLow, regmap.PerftCyclesHigh); err != nil || divide == nil {
		return r, err
	}
	r.Divide = *divide
	slices.SortFunc(r.Divide, func(a, b engine.RootCount) int { return strings.Compare(a.Move.String(), b.Move.String()) })
	return r, nil
}

// wait waits for one of some events. It returns those that have come, and clears them.
func (p *Perft) wait(ctx context.Context, events uint32) (status uint32, err error) {
	if line, ok := p.bus.(Interrupter); ok {
		if err := p.bus.Write32(regmap.PerftInterruptEnable, events); err != nil {
			return 0, err
		}
		if err := line.WaitInterrupt(ctx); err != nil {
			return 0, fmt.Errorf("driver: %w: %w", ErrTimeout, err)
		}
	}
	for {
		status, err := p.bus.Read32(regmap.PerftInterruptStatus)
		if err != nil {
			return 0, err
		}
		if status&events != 0 {
			return status, p.bus.Write32(regmap.PerftInterruptStatus, status)
		}
		if err := context.Cause(ctx); err != nil {
			return 0, fmt.Errorf("driver: %w: the job has not come to its end: %w", ErrTimeout, err)
		}
	}
}

// roots adds the root moves that wait to be read to divide.
func (p *Perft) roots(from *engine.Position, divide *[]engine.RootCount) error {
	for {
		word, err := p.bus.Read32(regmap.PerftRootMove)
		if err != nil || !regmap.PerftMoveValid.Is(word) {
			return err
		}
		nodes, err := p.read64(regmap.PerftRootCountLow, regmap.PerftRootCountHigh)
		if err != nil {
			return err
		}
		root := engine.Move{
			From: engine.Square(regmap.PerftMoveFrom.Of(word)), To: engine.Square(regmap.PerftMoveTo.Of(word)),
			Promotion: engine.Piece(regmap.PerftMovePromotion.Of(word)),
		}
		legal := from.AppendMoves(nil)
		at := slices.IndexFunc(legal, func(m engine.Move) bool {
			return m.From == root.From && m.To == root.To && m.Promotion == root.Promotion
		})
		if at < 0 {
			return fmt.Errorf("driver: %w: the engine has a count for the root move %v, which is not legal in %s", ErrMismatch, root, from.FEN())
		}
		*divide = append(*divide, engine.RootCount{Move: legal[at], Nodes: nodes})
	}
}

func (p *Perft) read64(low, high uint32) (uint64, error) {
	l, err := p.bus.Read32(low)
	if err != nil {
		return 0, err
	}
	h, err := p.bus.Read32(high)
	return uint64(h)<<32 | uint64(l), err
}
