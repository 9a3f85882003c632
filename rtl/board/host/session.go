package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/clock/codes"
	"github.com/cosimate/cosimate/rtl/link/frame"
	"github.com/cosimate/cosimate/rtl/link/message"
)

// Session plays with a person at the board. The board finds and judges what was played; the session
// keeps the game, saves it, and answers with the engine's moves. After a restart of either end both
// have the same game again.
type Session struct {
	Game     *Game
	Store    *Store // may be nil
	Opponent *Opponent
	Engine   [2]bool   // the sides that the engine plays, by engine.Color
	Log      io.Writer // gets a line for each event
	// Changed is called by Run's goroutine whenever the game has changed. It may be nil.
	Changed func(*Game)

	conn     Conn
	asked    int  // ply of the engine's move that was sent to the board, or -1
	mustMove bool // the engine is to move: the board has refused what it wanted to do instead
	refused  int  // how many of the engine's moves the board has refused in a row
}

// Conn is a link with the board: a [frame.Conn], or one whose other end is simulated.
type Conn interface {
	// Send sends a message and returns when the board has it.
	Send(ctx context.Context, m frame.Message) error
	// Receive returns the next message from the board, or [frame.ErrRestarted] if the board has
	// forgotten the session.
	Receive(ctx context.Context) (frame.Message, error)
}

// never is the time of day for all of the game: the board keeps the clocks.
var never time.Time

// tries is how often something that the board refuses is attempted.
const tries = 3

// Run plays until the context is done or the line fails. The error is nil if the context is done.
// The session goes on after the end of a game: the next one begins at the board.
func (s *Session) Run(ctx context.Context, conn Conn) error {
	s.conn = conn
	err := s.synchronise(ctx)
	for {
		if err == nil {
			err = s.engineMoves(ctx)
		}
		if err == nil {
			var v any
			if v, err = s.receive(ctx); err == nil {
				err = s.handle(ctx, v)
			}
		}
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, frame.ErrRestarted):
			s.log("the board has been restarted")
			err = s.synchronise(ctx)
		case err != nil:
			return err
		}
	}
}

func (s *Session) log(format string, args ...any) { fmt.Fprintf(s.Log, format+"\n", args...) }

func (s *Session) send(ctx context.Context, v any) error { return s.conn.Send(ctx, message.Encode(v)) }

// receive returns the next message. It logs and skips messages that this program does not know.
func (s *Session) receive(ctx context.Context) (any, error) {
	for {
		m, err := s.conn.Receive(ctx)
		if err != nil {
			return nil, err
		}
		v, err := message.Decode(m)
		if err == nil {
			return v, nil
		}
		s.log("from the board: %v", err)
	}
}

// await returns the next message of type T that ok accepts. It drops the others; the caller asks
// for the position afterwards.
func await[T any](ctx context.Context, s *Session, ok func(T) bool) (v T, err error) {
	for {
		m, err := s.receive(ctx)
		if err != nil {
			return v, err
		}
		if v, is := m.(T); is && ok(v) {
			return v, nil
		}
	}
}

// ply returns how many moves come before the one that is due, as the board counts.
func (s *Session) ply() int {
	p := s.Game.Position()
	return int(message.Ply(&p))
}

// handle acts on a message from the board.
func (s *Session) handle(ctx context.Context, v any) error {
	switch v := v.(type) {
	case message.Move:
		return s.move(ctx, v)
	case message.Answer:
		return s.answer(ctx, v)
	case message.Restore:
		if v.Squares != 0 {
			s.log("to be put right at the board: %s (%v)", squareNames(v.Squares), rules.Reason(v.Reason))
		} else {
			s.log("the board is as it should be")
		}
	case message.State: // not asked for: two moves came faster than the line takes them
		return s.synchronise(ctx)
	case message.Clock:
		s.clock(v)
	case message.Result:
		s.finish(rules.Result(v.Result), rules.Cause(v.Cause))
	case message.Draw:
		return s.draw(ctx, v)
	case message.Resign:
		s.log("%v resigns", engine.Color(v.Side&1))
	}
	return nil
}

// move takes a move that was made at the board.
func (s *Session) move(ctx context.Context, v message.Move) error {
	p := s.Game.Position()
	m, ok := legal(&p, v)
	switch {
	case ok && int(v.Ply) == s.ply():
		s.made(m)
		return nil
	case s.known(v): // it was replayed, or found by the position
		return nil
	}
	s.log("the board reports %v%v as move %d, which does not fit", engine.Square(v.From), engine.Square(v.To), v.Ply)
	return s.synchronise(ctx)
}

// known reports whether a message's move was made in the game before.
func (s *Session) known(v message.Move) bool {
	moves := s.Game.Moves()
	at := len(moves) - (s.ply() - int(v.Ply))
	if at < 0 || at >= len(moves) {
		return false
	}
	m := moves[at]
	return uint8(m.From) == v.From && uint8(m.To) == v.To && uint8(m.Promotion) == v.Promotion
}

// made makes a move in the game, and saves it.
func (s *Session) made(m engine.Move) {
	p := s.Game.Position()
	if err := s.Game.Make(m, never); err != nil {
		s.log("refused: %v", err)
		return
	}
	s.refused, s.mustMove = 0, false
	s.save()
	s.log("%d. %v: %s", message.Ply(&p)/2+1, p.SideToMove(), notation.SAN(&p, m))
	if s.Game.Over() {
		s.log("game over: %s", s.Game.Outcome())
	}
}

func (s *Session) save() {
	if s.Changed != nil {
		s.Changed(s.Game)
	}
	if s.Store == nil {
		return
	}
	if err := s.Store.Save(s.Game.PGN(never)); err != nil {
		s.log("warning: the game is not saved: %v", err)
	}
}

func (s *Session) finish(r rules.Result, c rules.Cause) {
	if s.Game.Over() || r == rules.InPlay {
		return
	}
	s.Game.Finish(r, c, never)
	s.save()
	s.log("game over: %s", s.Game.Outcome())
}

// byHand is how long the person at the board may take to carry out a move that is shown, while the
// engine's clock runs.
const byHand = 5 * time.Second

// engineMoves sends what the engine does to the board, once, if it is the engine's turn: a move, or
// that it resigns or claims a draw.
func (s *Session) engineMoves(ctx context.Context) error {
	p := s.Game.Position()
	side := p.SideToMove()
	if s.Game.Over() || !s.Engine[side] || s.asked == s.ply() {
		return nil
	}
	d, err := s.Opponent.Decide(ctx, s.Game, s.Game.Clock.thinking(side, never, byHand))
	if err != nil {
		return err
	}
	s.asked = s.ply()
	switch {
	case s.mustMove:
	case d.Resign:
		s.log("the engine resigns")
		return s.send(ctx, message.Resign{Side: uint8(side)})
	case d.Draw:
		s.log("the engine takes a draw")
		claim := uint8(0)
		if s.Game.Claimable() != rules.NoCause {
			claim = 1
		}
		return s.send(ctx, message.Draw{Side: uint8(side), Claim: claim})
	}
	s.log("the engine plays %s: %v goes to %v at the board", notation.SAN(&p, d.Move), d.Move.From, d.Move.To)
	return s.send(ctx, encode(&p, d.Move))
}

// answer takes the board's answer to a message.
func (s *Session) answer(ctx context.Context, a message.Answer) error {
	if a.Reason == 0 {
		return nil
	}
	switch a.To {
	case message.Type(message.Time{}):
		s.log("the board's clock refuses: %v", codes.Error(a.Reason))
	case message.Type(message.Draw{}), message.Type(message.Resign{}):
		p := s.Game.Position()
		if !s.Game.Over() && s.Engine[p.SideToMove()] && s.asked == s.ply() {
			s.log("the board refuses, and the engine goes on: %v", rules.Reason(a.Reason))
			s.mustMove, s.asked = true, -1
		}
	case message.Type(message.Move{}):
		if int(a.Ply) != s.ply() { // about an earlier move
			return nil
		}
		s.log("the board refuses the engine's move: %v", rules.Reason(a.Reason))
		if s.refused++; s.refused == tries {
			return fmt.Errorf("the board has refused the engine's move %d times: %v", tries, rules.Reason(a.Reason))
		}
		return s.synchronise(ctx)
	}
	return nil
}

// draw answers an offer of a draw.
func (s *Session) draw(ctx context.Context, v message.Draw) error {
	side := engine.Color(v.Side & 1)
	if v.Claim != 0 || s.Game.Over() || !s.Engine[side.Other()] || s.Engine[side] {
		return nil
	}
	accepts, err := s.Opponent.AcceptsDraw(ctx, s.Game, side.Other())
	if err != nil {
		return err
	}
	if !accepts {
		s.log("%v offers a draw; %v declines", side, side.Other())
		return nil
	}
	s.log("%v offers a draw; %v accepts", side, side.Other())
	return s.send(ctx, message.Draw{Side: uint8(side.Other())})
}

// clock takes the times of the board's clocks.
func (s *Session) clock(v message.Clock) {
	if int(v.Control) >= len(Controls) {
		return
	}
	increment := time.Duration(v.Increment>>4*10+v.Increment&15) * time.Second
	c := &s.Game.Clock
	if c.Base == 0 || len(s.Game.Moves()) == 0 {
		c.Set(Controls[v.Control].Base, increment)
	}
	c.left = [2]time.Duration{tenth * time.Duration(codes.Digits(v.White).Tenths()), tenth * time.Duration(codes.Digits(v.Black).Tenths())}
	s.save()
}

// tenth is the unit of the board's times.
const tenth = 100 * time.Millisecond

// squareNames returns the names of the squares of a bitboard.
func squareNames(b uint64) string {
	var names []string
	for s := range engine.Square(64) {
		if b>>s&1 != 0 {
			names = append(names, s.String())
		}
	}
	return strings.Join(names, " ")
}
