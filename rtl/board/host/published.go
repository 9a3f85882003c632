package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/engine/search"
	"github.com/cosimate/cosimate/rtl/movelink/pair"
)

// Lines are the seven parallel lines of the published link, which lead to the board through a
// microcontroller.
type Lines interface {
	// Set puts a value on the lines, line 0 in bit 0. It returns when the board must have taken it.
	Set(ctx context.Context, value uint8) error
}

// SerialLines are lines behind a microcontroller that puts each byte that it gets on the lines.
type SerialLines struct {
	Port io.Writer
	Hold time.Duration // for which a value stays at least; 0: 10 ms
}

// Set sends a value to the microcontroller, and waits.
func (l SerialLines) Set(ctx context.Context, value uint8) error {
	if _, err := l.Port.Write([]byte{value}); err != nil {
		return err
	}
	hold := l.Hold
	if hold == 0 {
		hold = 10 * time.Millisecond
	}
	select {
	case <-time.After(hold):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Published plays with a person at the board over the published link. Moves of the person come as
// pairs of bytes, and the engine's are put on the lines. The board says nothing else: the engine's
// move counts as made as soon as it was given. What the bytes of a move say is checked, and what is
// not legal is dropped.
type Published struct {
	Game     *Game
	Store    *Store // may be nil
	Opponent *Opponent
	Engine   engine.Color // the side that the engine plays; the person plays the other one
	Log      io.Writer    // gets a line for each event

	lines Lines
}

// Run plays until the context is done, or reading or the lines fail. The error is nil if the
// context is done. After the end of a game the next one begins with a move from the start position.
func (s *Published) Run(ctx context.Context, bytes io.Reader, lines Lines) error {
	s.lines = lines
	err := s.resume(ctx)
	if err == nil {
		err = s.play(ctx, bytes)
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (s *Published) play(ctx context.Context, bytes io.Reader) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	moves, failed := make(chan pair.Move), make(chan error, 1)
	go func() {
		var d pair.Decoder
		buffer := make([]byte, 256)
		for {
			n, err := bytes.Read(buffer)
			for _, b := range buffer[:n] {
				if m, ok := d.Byte(b); ok {
					select {
					case moves <- m:
					case <-ctx.Done():
						return
					}
				}
			}
			if err != nil {
				failed <- err
				return
			}
		}
	}()
	for {
		if err := s.engineMoves(ctx); err != nil {
			return err
		}
		select {
		case m := <-moves:
			s.person(m)
		case err := <-failed:
			if errors.Is(err, io.EOF) {
				return errors.New("the line from the board has ended")
			}
			return err
		case <-ctx.Done():
			return nil
		}
	}
}

func (s *Published) log(format string, args ...any) { fmt.Fprintf(s.Log, format+"\n", args...) }

// resume gives the engine's last move again, if it is the last of the game: the program may have
// ended before the board got it. A move that was made already has no effect there.
func (s *Published) resume(ctx context.Context) error {
	p := s.Game.Position()
	moves := s.Game.Moves()
	if len(moves) == 0 || s.Game.Over() || p.SideToMove() == s.Engine {
		return nil
	}
	return s.give(ctx, moves[len(moves)-1])
}

// person takes a move that was made at the board.
func (s *Published) person(v pair.Move) {
	if s.Game.Over() {
		start := engine.StartPosition()
		if _, ok := fits(&start, v); ok {
			s.Game = NewGame(start)
			s.Opponent.next()
			s.log("a new game: %v", s.Opponent)
		}
	}
	p := s.Game.Position()
	m, ok := fits(&p, v)
	switch {
	case s.Game.Over() || p.SideToMove() == s.Engine:
		ok = false
	case !ok:
	default:
		s.made(m)
	}
	if !ok {
		s.log("the board says %v%v, which is no move of the person's here: %s", engine.Square(v.From), engine.Square(v.To), p.FEN())
	}
}

// fits returns the legal move that two bytes mean. They do not say what a pawn becomes: a queen.
func fits(p *engine.Position, v pair.Move) (engine.Move, bool) {
	for _, m := range p.AppendMoves(nil) {
		if uint8(m.From) == v.From && uint8(m.To) == v.To && (m.Promotion == engine.NoPiece || m.Promotion == engine.Queen) {
			return m, true
		}
	}
	return engine.Move{}, false
}

// made makes a move in the game, and saves it.
func (s *Published) made(m engine.Move) {
	p := s.Game.Position()
	if err := s.Game.Make(m, never); err != nil {
		s.log("refused: %v", err)
		return
	}
	if s.Store != nil {
		if err := s.Store.Save(s.Game.PGN(never)); err != nil {
			s.log("warning: the game is not saved: %v", err)
		}
	}
	s.log("%d. %v: %s", p.Fullmove(), p.SideToMove(), notation.SAN(&p, m))
	if s.Game.Over() {
		s.log("game over: %s", s.Game.Outcome())
	}
}

// engineMoves makes the engine's move, if it is its turn, and gives it to the board. There is no
// way to tell the board of draws and resignation, so the engine plays on; and a pawn becomes a
// queen.
func (s *Published) engineMoves(ctx context.Context) error {
	p := s.Game.Position()
	if s.Game.Over() || p.SideToMove() != s.Engine {
		return nil
	}
	d, err := s.Opponent.Decide(ctx, s.Game, search.Clock{})
	if err != nil {
		return err
	}
	if d.Move.Promotion != engine.NoPiece {
		d.Move.Promotion = engine.Queen
	}
	s.made(d.Move)
	return s.give(ctx, d.Move)
}

// give puts a move on the lines.
func (s *Published) give(ctx context.Context, m engine.Move) error {
	s.log("%v goes to %v at the board", m.From, m.To)
	for _, value := range (pair.Move{From: uint8(m.From), To: uint8(m.To)}).Lines() {
		if err := s.lines.Set(ctx, value); err != nil {
			return fmt.Errorf("the lines to the board: %w", err)
		}
	}
	return nil
}
