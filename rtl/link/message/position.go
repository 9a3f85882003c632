package message

import (
	"fmt"

	"github.com/cosimate/cosimate/engine"
)

// Position is a position as two messages: to begin a game from, or where it is.
func Position(p *engine.Position) (s State, q Squares) {
	q.Black = p.Pieces(engine.Black)
	for k := engine.Pawn; k <= engine.King; k++ {
		squares := p.Bitboard(engine.White, k) | p.Bitboard(engine.Black, k)
		for i, code := range []*uint64{&q.Code0, &q.Code1, &q.Code2} {
			if k>>i&1 != 0 {
				*code |= squares
			}
		}
	}
	s.Black = uint8(p.SideToMove())
	for c := range engine.Color(2) {
		kingSide, queenSide := p.Castling(c)
		if kingSide {
			s.Castling |= 1 << (2 * c)
		}
		if queenSide {
			s.Castling |= 2 << (2 * c)
		}
	}
	if square, ok := p.EnPassant(); ok {
		s.EnPassant = 1 << (square & 7)
	}
	var board, side, rights, ep string
	if _, err := fmt.Sscan(p.FEN(), &board, &side, &rights, &ep, &s.Halfmove, &s.Fullmove); err != nil {
		panic(err) // engine writes all six fields
	}
	return s, q
}

// Ply is how many moves of both sides come before the one that is due.
func Ply(p *engine.Position) uint16 {
	s, _ := Position(p)
	return 2*(s.Fullmove-1) + uint16(s.Black)
}
