package host

import (
	"context"
	"fmt"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/clock/codes"
	"github.com/cosimate/cosimate/rtl/link/message"
)

// synchronise makes board and host have the same game. If the board is a move or two ahead of what
// was saved, the host takes these moves. Otherwise the board gets the host's game, move by move,
// because it counts repetitions. After the end of a game the board's position begins the next.
func (s *Session) synchronise(ctx context.Context) error {
	s.asked = -1
	if err := s.send(ctx, s.players()); err != nil {
		return err
	}
	var theirs engine.Setup
	again := false
	for try := 0; try < tries; {
		var state message.State
		var err error
		if state, theirs, err = s.position(ctx); err != nil {
			return err
		}
		if !s.same(theirs) {
			for _, m := range missed(s.Game.Position(), state.Last, theirs) {
				s.made(m)
			}
		}
		// State and Squares are two messages. With a move made in between they are of two
		// positions.
		if !s.same(theirs) && !again {
			again = true
			continue
		}
		if !s.same(theirs) && s.Game.Over() {
			if err := s.begin(theirs); err != nil {
				return err
			}
		}
		if s.same(theirs) {
			if try > 0 {
				s.log("the board has the game")
			}
			s.finish(rules.Result(state.Result), rules.Cause(state.Cause))
			return nil
		}
		if err := s.restore(ctx); err != nil {
			return err
		}
		try, again = try+1, false
	}
	p := s.Game.Position()
	return fmt.Errorf("the board is at %s, and does not go to %s", theirs.FEN(), p.FEN())
}

func (s *Session) players() message.Players {
	var remote uint8
	for side, plays := range s.Engine {
		if plays {
			remote |= 1 << side
		}
	}
	return message.Players{Remote: remote}
}

// position asks the board for its position.
func (s *Session) position(ctx context.Context) (state message.State, theirs engine.Setup, err error) {
	if err := s.send(ctx, message.Request{}); err != nil {
		return state, theirs, err
	}
	state, err = await(ctx, s, func(message.State) bool { return true })
	if err != nil {
		return state, theirs, err
	}
	squares, err := await(ctx, s, func(message.Squares) bool { return true })
	return state, message.Setup(state, squares), err
}

// same reports whether the game is at the board's position.
func (s *Session) same(theirs engine.Setup) bool {
	p := s.Game.Position()
	return p.Setup() == theirs
}

// missed returns the one or two moves that lead to the board's position, if there are such. last is
// the last of them. The board is never more than two moves ahead.
func missed(p engine.Position, last message.Move, theirs engine.Setup) []engine.Move {
	if last.From == last.To {
		return nil
	}
	leads := func(p engine.Position) (engine.Move, bool) {
		m, ok := legal(&p, last)
		if !ok {
			return m, false
		}
		next := p.Make(m)
		return m, next.Setup() == theirs
	}
	if m, ok := leads(p); ok {
		return []engine.Move{m}
	}
	for _, first := range p.AppendMoves(nil) {
		if m, ok := leads(p.Make(first)); ok {
			return []engine.Move{first, m}
		}
	}
	return nil
}

// begin begins a new game at the board's position.
func (s *Session) begin(theirs engine.Setup) error {
	p, err := theirs.Position()
	if err != nil {
		return fmt.Errorf("the board's position: %w", err)
	}
	s.Game = NewGame(p)
	s.Opponent.next()
	s.save()
	s.log("a new game: %v", s.Opponent)
	return nil
}

// legal returns the legal move that a message means, if there is one.
func legal(p *engine.Position, v message.Move) (engine.Move, bool) {
	for _, m := range p.AppendMoves(nil) {
		if uint8(m.From) == v.From && uint8(m.To) == v.To && uint8(m.Promotion) == v.Promotion {
			return m, true
		}
	}
	return engine.Move{}, false
}

// restore gives the board the host's game: the position after the last capture or pawn move, and
// the moves since. No earlier position can occur again.
func (s *Session) restore(ctx context.Context) error {
	s.log("the board gets the game: %d moves", len(s.Game.Moves()))
	p, moves := s.Game.Start(), s.Game.Moves()
	for i, next := 0, p; i < len(s.Game.Moves()); i++ {
		if next = next.Make(s.Game.Moves()[i]); next.Halfmove() == 0 {
			p, moves = next, s.Game.Moves()[i+1:]
		}
	}
	state, squares := message.Position(&p)
	for _, v := range []any{state, squares} {
		if err := s.send(ctx, v); err != nil {
			return err
		}
	}
	replay := message.Type(message.Replay{})
	for _, m := range moves {
		v := message.Replay(encode(&p, m))
		if err := s.send(ctx, v); err != nil {
			return err
		}
		answer, err := await(ctx, s, func(a message.Answer) bool { return a.To == replay && a.Ply == v.Ply })
		if err != nil {
			return err
		}
		if answer.Reason != 0 {
			return fmt.Errorf("the board refuses %v of the saved game in %s: %v", m, p.FEN(), rules.Reason(answer.Reason))
		}
		p = p.Make(m)
	}
	return s.restoreClock(ctx)
}

// restoreClock gives the board the clocks of the game, if it has any.
func (s *Session) restoreClock(ctx context.Context) error {
	c := &s.Game.Clock
	if c.Base == 0 || s.Game.Over() {
		return nil
	}
	control := 0
	for i, named := range Controls {
		if named.Base <= c.Base {
			control = i
		}
	}
	commands := []message.Time{{Command: uint8(codes.CmdSet), Control: uint8(control), Increment: bcdSeconds(c.Increment)}}
	for side := range engine.Color(2) {
		commands = append(commands, message.Time{Command: uint8(codes.CmdLoad), Side: uint8(side), Left: bcdTime(c.Left(side, never))})
	}
	if len(s.Game.Moves()) > 0 {
		p := s.Game.Position()
		commands = append(commands, message.Time{Command: uint8(codes.CmdStart), Side: uint8(p.SideToMove())})
	}
	for _, v := range commands {
		if err := s.send(ctx, v); err != nil {
			return err
		}
	}
	return nil
}

// encode returns a move as a message.
func encode(p *engine.Position, m engine.Move) message.Move {
	return message.Move{Ply: message.Ply(p), From: uint8(m.From), To: uint8(m.To), Promotion: uint8(m.Promotion)}
}

// bcdTime returns a time in the digits of the board: rounded up, from 0.1 s to 99:59.9.
func bcdTime(d time.Duration) uint32 {
	return uint32(codes.DigitsOf(min(max(1, int((d+tenth-1)/tenth)), 59_999)))
}

// bcdSeconds returns whole seconds in two decimal digits of 4 bits.
func bcdSeconds(d time.Duration) uint8 {
	seconds := min(int(d/time.Second), 99)
	return uint8(seconds/10<<4 | seconds%10)
}
