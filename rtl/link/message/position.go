package message

import "github.com/cosimate/cosimate/engine"

// Position returns a position as two messages.
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
	s.Halfmove, s.Fullmove = uint16(p.Halfmove()), uint16(p.Fullmove())
	return s, q
}

// Setup returns what the two messages describe, whether or not it is a chess position. It is the
// inverse of [Position].
func Setup(s State, q Squares) engine.Setup {
	setup := engine.Setup{
		Castling: s.Castling, EnPassant: uint64(s.EnPassant) << 40,
		Halfmove: int(s.Halfmove), Fullmove: int(s.Fullmove),
	}
	if s.Black != 0 {
		setup.SideToMove, setup.EnPassant = engine.Black, uint64(s.EnPassant)<<16
	}
	for n := range engine.Square(64) {
		code := q.Code0>>n&1 | q.Code1>>n&1<<1 | q.Code2>>n&1<<2
		if code != 0 {
			setup.Put(engine.Piece(code), engine.Color(q.Black>>n&1), n)
		}
	}
	return setup
}

// Ply returns how many moves of both sides come before the one that is due.
func Ply(p *engine.Position) uint16 {
	return uint16(2*(p.Fullmove()-1) + int(p.SideToMove()))
}
