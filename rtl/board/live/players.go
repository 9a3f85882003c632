package live

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/board/host"
	"github.com/cosimate/cosimate/rtl/clock/codes"
	"github.com/cosimate/cosimate/rtl/link/message"
)

// NewGame begins a game with these players. The pieces are put as it begins. Without a FEN it
// begins at the start position.
func (s *Session) NewGame(p Play, fen string) error {
	if _, err := p.sides(); err != nil {
		return err
	}
	start := engine.StartPosition()
	if fen = strings.TrimSpace(fen); fen != "" {
		var err error
		if start, err = engine.ParseFEN(fen); err != nil {
			return err
		}
	}
	s.Begin(host.NewGame(start), p)
	return nil
}

// Standing returns the FEN of what stands on the board, with this side to move. Kings and rooks at
// home may castle.
func (s *Session) Standing(side engine.Color) string {
	setup := engine.Setup{SideToMove: side, Fullmove: 1}
	for i := range s.pieces {
		p := &s.pieces[i]
		if at, on := p.At.Square(); on && !p.Lying {
			k, c := p.kind()
			setup.Put(k, c, at)
		}
	}
	kings, rooks := setup.Kinds[engine.King], setup.Kinds[engine.Rook]
	for c, home := range []uint64{setup.White, ^setup.White} {
		base := 56 * c
		if kings&home>>(base+4)&1 == 0 {
			continue
		}
		for wing, file := range []int{7, 0} {
			if rooks&home>>(base+file)&1 != 0 {
				setup.Castling |= 1 << (2*c + wing)
			}
		}
	}
	return setup.FEN()
}

// FromHere begins a game from what stands on the board. The pieces stay.
func (s *Session) FromHere(side engine.Color) error {
	p, err := engine.ParseFEN(s.Standing(side))
	if err != nil {
		return fmt.Errorf("no game can begin so: %w", err)
	}
	pieces := slices.Clone(s.pieces)
	s.Begin(host.NewGame(p), s.play)
	s.Arrange(pieces)
	return nil
}

// TidyUp puts the pieces as the game has them.
func (s *Session) TidyUp() {
	p := s.Reference()
	s.Arrange(piecesOf(&p))
}

// Resign has the PC tell the board that a side resigns.
func (s *Session) Resign(side engine.Color) { s.pc.post(message.Resign{Side: uint8(side)}) }

// Draw has the PC tell the board that a side offers a draw or agrees to one, or claims one.
func (s *Session) Draw(side engine.Color, claim bool) {
	m := message.Draw{Side: uint8(side)}
	if claim {
		m.Claim = 1
	}
	s.pc.post(m)
}

// SetClock has the PC set the chess clock: a control of [host.Controls] by its name, and seconds
// after each move.
func (s *Session) SetClock(control string, increment int) error {
	for i, c := range host.Controls {
		if c.Name != control {
			continue
		}
		if increment < 0 || increment > 99 {
			return fmt.Errorf("an increment of %d s: from 0 to 99 are possible", increment)
		}
		s.pc.post(message.Time{Command: uint8(codes.CmdSet), Control: uint8(i), Increment: uint8(increment/10<<4 | increment%10)})
		return nil
	}
	return fmt.Errorf("%q is no time control: bullet, blitz, rapid and classical are", control)
}
