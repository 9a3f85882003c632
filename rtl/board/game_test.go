package board_test

import (
	"fmt"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/board/bench"
	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/link/message"
)

// uci is a legal move by its name.
func uci(p *engine.Position, name string) (engine.Move, bool) {
	for _, m := range p.AppendMoves(nil) {
		if m.String() == name {
			return m, true
		}
	}
	return engine.Move{}, false
}

// game plays a recorded game to its end, with some sides remote.
func (h *player) game(g *record, remote, lines uint8) error {
	if err := h.begin(g.start, remote, lines); err != nil {
		return err
	}
	for _, m := range g.moves {
		if h.lines>>h.p.SideToMove()&1 != 0 && m.Promotion != engine.NoPiece && m.Promotion != engine.Queen {
			h.In.LinesPlay, h.lines = 0, 0 // the lines cannot say so
			if err := h.Run(2 * h.Params.ButtonCycles); err != nil {
				return err
			}
		}
		if err := h.move(m); err != nil {
			return err
		}
	}
	if err := h.end(g); err != nil {
		return err
	}
	return h.ended(g.result, g.cause)
}

// end does what ends a game that no move has ended.
func (h *player) end(g *record) error {
	toMove := uint8(h.p.SideToMove())
	loser := uint8(engine.White)
	if g.result == rules.WhiteWins {
		loser = uint8(engine.Black)
	}
	switch g.cause {
	case rules.Threefold, rules.Fifty:
		return h.Demand(message.Draw{Side: toMove, Claim: 1})
	case rules.Resignation:
		return h.Demand(message.Resign{Side: loser})
	case rules.Agreement:
		if err := h.Demand(message.Draw{Side: toMove}); err != nil {
			return err
		}
		offer, err := bench.Await[message.Draw](h.Bench, 4)
		if err == nil && offer != (message.Draw{Side: toMove}) {
			err = fmt.Errorf("side %d offers a draw, the board says %+v", toMove, offer)
		}
		if err != nil {
			return err
		}
		return h.Demand(message.Draw{Side: 1 - toMove})
	case rules.Time, rules.TimeNoMate:
		// The side to move has a tenth of a second left.
		for _, c := range []clock.In{clock.Set(clock.Blitz, 0), clock.Load(clock.Side(toMove), 1), clock.Start(clock.Side(toMove))} {
			if err := h.Demand(timeOf(c)); err != nil {
				return err
			}
		}
		r, err := bench.Await[message.Result](h.Bench, 8+h.Params.ClockHz/10/h.Params.Scanner().Period())
		if err == nil && rules.Cause(r.Cause) != g.cause {
			err = fmt.Errorf("time is over, the board says %+v", r)
		}
		return err
	}
	return nil
}

// timeOf is a command to the clock as a message.
func timeOf(c clock.In) message.Time {
	return message.Time{Command: uint8(c.Cmd), Side: uint8(c.Side), Control: uint8(c.Control), Increment: c.Increment, Left: uint32(c.Time)}
}
