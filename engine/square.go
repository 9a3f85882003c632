package engine

import "fmt"

// Square is a square of the board, in board coordinates for both colours:
// a1 = 0, b1 = 1, ... h1 = 7, a2 = 8, ... h8 = 63. Bit n of a bitboard is
// square n.
type Square uint8

// String returns the square's algebraic name, such as "e4" (FIDE Laws of
// Chess, appendix C.4).
func (s Square) String() string {
	if s > 63 {
		return fmt.Sprintf("square(%d)", uint8(s))
	}
	return string([]byte{'a' + byte(s&7), '1' + byte(s>>3)})
}

// ParseSquare is the inverse of [Square.String].
func ParseSquare(name string) (Square, error) {
	if len(name) != 2 || name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8' {
		return 0, fmt.Errorf("square %q: want a file a to h and a rank 1 to 8, such as e4", name)
	}
	return Square(name[0] - 'a' + (name[1]-'1')<<3), nil
}

// Piece is a kind of chessman, without its colour.
type Piece uint8

// The kinds of chessmen. Their numbers are part of the interface: hardware
// encodes them in three bits.
const (
	NoPiece Piece = iota
	Pawn
	Knight
	Bishop
	Rook
	Queen
	King
)

// String returns the kind's English name, such as "knight".
func (k Piece) String() string {
	names := [...]string{"no piece", "pawn", "knight", "bishop", "rook", "queen", "king"}
	if int(k) >= len(names) {
		return fmt.Sprintf("piece(%d)", uint8(k))
	}
	return names[k]
}

// letter returns the FEN letter of a kind: upper case for White.
func (k Piece) letter(c Color) byte {
	if c == White {
		return "?PNBRQK?"[k&7]
	}
	return "?pnbrqk?"[k&7]
}

// Color is a side.
type Color uint8

// The sides.
const (
	White Color = iota
	Black
)

// String returns "white" or "black".
func (c Color) String() string {
	if c == White {
		return "white"
	}
	return "black"
}

// Other returns the opponent.
func (c Color) Other() Color { return c ^ 1 }

// Move is a move in board coordinates, for both colours alike.
type Move struct {
	From, To  Square
	Piece     Piece // what moves; a promoting pawn is a Pawn
	Captured  Piece // NoPiece unless a capture; Pawn for en passant too
	Promotion Piece // NoPiece unless a pawn reaches the last rank
	Castling  bool  // the king's two-square move; To is g1, c1, g8 or c8
	EnPassant bool  // To is empty: the captured pawn stands behind it
}

// String returns the move in the notation of the Universal Chess Interface:
// "e2e4", "e7e8q", castling as the king's move "e1g1", and "0000" for the zero
// Move.
func (m Move) String() string {
	if m == (Move{}) {
		return "0000"
	}
	s := m.From.String() + m.To.String()
	if m.Promotion != NoPiece {
		s += string(m.Promotion.letter(Black))
	}
	return s
}
