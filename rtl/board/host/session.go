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

	conn     *frame.Conn
	asked    int  // ply of the engine's move that was sent to the board, or -1
	mustMove bool // the engine is to move: the board has refused what it wanted to do instead
	refused  int  // how many of the engine's moves the board has refused in a row
}

// never is the time of day for all of the game: the board keeps the clocks.
var never time.Time

// tries is how often something that the board refuses is attempted.
const tries = 3

// Run plays until the context is done or the line fails. The error is nil if the context is done.
// The session goes on after the end of a game: the next one begins at the board.
func (s *Session) Run(ctx context.Context, conn *frame.Conn) error {
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

// synchronise makes board and host have the same game. If the board is a move or two ahead of what
// was saved, the host takes these moves. Otherwise the board gets the host's game, move by move,
// because it counts repetitions. After the end of a game the board's position begins the next.
func (s *Session) synchronise(ctx context.Context) error {
	s.asked = -1
	if err := s.send(ctx, s.players()); err != nil {
		return err
	}
	var theirs engine.Setup
	for try := range tries {
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

// bcdTime returns a time in the digits of the board: rounded up, from 0.1 s to 99:59.9.
func bcdTime(d time.Duration) uint32 {
	return uint32(codes.DigitsOf(min(max(1, int((d+tenth-1)/tenth)), 59_999)))
}

// bcdSeconds returns whole seconds in two decimal digits of 4 bits.
func bcdSeconds(d time.Duration) uint8 {
	seconds := min(int(d/time.Second), 99)
	return uint8(seconds/10<<4 | seconds%10)
}

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
