package engine

import (
	"math/bits"
	"strings"
)

// board is a position as the side to move sees it: its own pieces move up the
// board. With Black to move the board is mirrored vertically (square n is at
// n^56), so that one code path serves both colours.
//
// A queen stands in both slider boards, which spares a word and an OR wherever
// attacks are looked up.
type board struct {
	own, opp uint64 // the side to move's pieces, the opponent's
	pawns    uint64 // of both sides, as all that follow
	knights  uint64
	diag     uint64 // bishops and queens
	orth     uint64 // rooks and queens
	kings    uint64
	castling uint64 // the rooks that may still castle
	ep       uint64 // the square a pawn just passed over in a double step, or 0
}

// Position is a chess position with the counters of a FEN record. It is a small
// comparable value: a move makes a new one and leaves the old as it was. The
// zero Position is an empty board without moves; get real ones from
// [StartPosition] and [ParseFEN].
type Position struct {
	board
	full uint16 // number of the move, from 1
	half uint16 // plies since the last capture or pawn move
	side Color
}

// maxCounter is the largest halfmove clock and fullmove number held. Under the
// 75-move rule (FIDE article 9.6.2) no game comes near it; Make stays there.
const maxCounter = 1<<16 - 1

// StartPosition returns the position in which every game starts.
func StartPosition() Position {
	p, err := ParseFEN("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
	if err != nil {
		panic(err) // a constant that the tests parse
	}
	return p
}

// SideToMove returns whose turn it is.
func (p *Position) SideToMove() Color { return p.side }

// Halfmove returns the halfmove clock: how many moves were made, by either side, since the last
// capture or pawn move. It stays at 65535.
func (p *Position) Halfmove() int { return int(p.half) }

// Fullmove returns the number of the move that is due, from 1. It advances after Black's moves and
// stays at 65535. Of the zero Position it is 0.
func (p *Position) Fullmove() int { return int(p.full) }

// absolute turns a view bitboard into board coordinates, and back.
func (p *Position) absolute(b uint64) uint64 {
	if p.side == Black {
		return bits.ReverseBytes64(b)
	}
	return b
}

// flip is what to exclusive-or to a view square for board coordinates.
func (p *Position) flip() Square { return Square(p.side&1) * 56 }

// Pieces returns all the pieces of side c: bit n is square n.
func (p *Position) Pieces(c Color) uint64 {
	if c == p.side {
		return p.absolute(p.own)
	}
	return p.absolute(p.opp)
}

// Bitboard returns where side c has pieces of kind k: bit n is square n in board
// coordinates. It is 0 for NoPiece.
func (p *Position) Bitboard(c Color, k Piece) uint64 {
	return p.Pieces(c) & p.absolute(p.kind(k))
}

// turned returns the board as the opponent would see it were the move passed: no
// en passant capture outlives it.
func (b *board) turned() board {
	return board{
		own:      bits.ReverseBytes64(b.opp),
		opp:      bits.ReverseBytes64(b.own),
		pawns:    bits.ReverseBytes64(b.pawns),
		knights:  bits.ReverseBytes64(b.knights),
		diag:     bits.ReverseBytes64(b.diag),
		orth:     bits.ReverseBytes64(b.orth),
		kings:    bits.ReverseBytes64(b.kings),
		castling: bits.ReverseBytes64(b.castling),
	}
}

// kind returns the pieces of kind k of both sides.
func (b *board) kind(k Piece) uint64 {
	switch k {
	case Pawn:
		return b.pawns
	case Knight:
		return b.knights
	case Bishop:
		return b.diag &^ b.orth
	case Rook:
		return b.orth &^ b.diag
	case Queen:
		return b.diag & b.orth
	case King:
		return b.kings
	}
	return 0
}

// at returns the kind of piece on a square given as a bit.
func (b *board) at(sq uint64) Piece {
	for k := Pawn; k <= King; k++ {
		if b.kind(k)&sq != 0 {
			return k
		}
	}
	return NoPiece
}

// PieceAt returns the kind of piece on square s and its colour. The colour means
// nothing when the kind is NoPiece.
func (p *Position) PieceAt(s Square) (Piece, Color) {
	bit := p.absolute(1 << s)
	c := p.side
	if p.opp&bit != 0 {
		c = c.Other()
	}
	return p.at(bit), c
}

// Castling returns the sides on which side c has kept the right to castle (FIDE
// article 3.8.2.1): its king and that rook have not moved. It does not say that
// castling is legal now.
func (p *Position) Castling(c Color) (kingSide, queenSide bool) {
	rooks := p.absolute(p.castling) >> (56 * (c & 1))
	return rooks&(1<<7) != 0, rooks&1 != 0
}

// EnPassant returns the square that a pawn passed over with the last move, a
// double step. It need not be capturable.
func (p *Position) EnPassant() (Square, bool) {
	if p.ep == 0 {
		return 0, false
	}
	return Square(bits.TrailingZeros64(p.ep)) ^ p.flip(), true
}

// InCheck reports whether the side to move is in check (FIDE article 3.9).
func (p *Position) InCheck() bool { return p.checkers() != 0 }

// Board returns the position as a diagram of nine lines, White's first rank at
// the bottom, empty squares as dots.
func (p *Position) Board() string {
	var s strings.Builder
	for rank := 7; rank >= 0; rank-- {
		s.WriteByte('1' + byte(rank))
		for file := range 8 {
			k, c := p.PieceAt(Square(rank<<3 + file))
			letter := byte('.')
			if k != NoPiece {
				letter = k.letter(c)
			}
			s.WriteByte(' ')
			s.WriteByte(letter)
		}
		s.WriteByte('\n')
	}
	s.WriteString("  a b c d e f g h\n")
	return s.String()
}
