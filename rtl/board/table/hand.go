package table

import (
	"fmt"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/link/message"
)

// Touch is what a hand does to a square.
type Touch struct {
	Square engine.Square
	Place  bool // a piece on it, or else lift the one there
}

func (h Touch) String() string {
	if h.Place {
		return fmt.Sprintf("place %v", h.Square)
	}
	return fmt.Sprintf("lift %v", h.Square)
}

func lift(s engine.Square) Touch  { return Touch{s, false} }
func place(s engine.Square) Touch { return Touch{s, true} }

// Orders are all ways in which one hand or two can carry out a legal move.
func Orders(m engine.Move) [][]Touch {
	switch {
	case m.Castling:
		rook, to := m.From+3, m.To-1
		if m.To < m.From {
			rook, to = m.From-4, m.To+1
		}
		return [][]Touch{
			{lift(m.From), place(m.To), lift(rook), place(to)},
			{lift(m.From), lift(rook), place(m.To), place(to)},
			{lift(m.From), lift(rook), place(to), place(m.To)},
			{lift(rook), lift(m.From), place(m.To), place(to)},
			{lift(rook), lift(m.From), place(to), place(m.To)},
			{lift(rook), place(to), lift(m.From), place(m.To)},
		}
	case m.EnPassant:
		taken := m.From&^7 | m.To&7
		return [][]Touch{
			{lift(m.From), lift(taken), place(m.To)},
			{lift(m.From), place(m.To), lift(taken)},
			{lift(taken), lift(m.From), place(m.To)},
		}
	case m.Captured != engine.NoPiece:
		return [][]Touch{
			{lift(m.From), lift(m.To), place(m.To)},
			{lift(m.To), lift(m.From), place(m.To)},
		}
	}
	return [][]Touch{{lift(m.From), place(m.To)}}
}

// Occupied are the squares that hold a piece.
func Occupied(p *engine.Position) uint64 { return p.Pieces(engine.White) | p.Pieces(engine.Black) }

// Encode is a position as the link has it.
func Encode(p *engine.Position) (message.State, message.Squares) {
	var s message.State
	var q message.Squares
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
		s.Castling |= uint8(number(kingSide)|number(queenSide)<<1) << (2 * c)
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
	s, _ := Encode(p)
	return 2*(s.Fullmove-1) + uint16(s.Black)
}

// Same is an error unless what the board says is position p.
func Same(p *engine.Position, s message.State, q message.Squares) error {
	want, squares := Encode(p)
	switch {
	case q != squares:
		return fmt.Errorf("the board's pieces are\n%s\nnot\n%s", draw(q), p.Board())
	case s.Black != want.Black, s.Castling != want.Castling, s.EnPassant != want.EnPassant,
		s.Halfmove != want.Halfmove, s.Fullmove != want.Fullmove:
		return fmt.Errorf("the board says Black %d, castling %04b, en passant %08b, counters %d %d; it is %s",
			s.Black, s.Castling, s.EnPassant, s.Halfmove, s.Fullmove, p.FEN())
	}
	return nil
}

// draw is a board of what the link says.
func draw(q message.Squares) string {
	var b []byte
	for rank := 7; rank >= 0; rank-- {
		for file := range 8 {
			n := 8*rank + file
			c := ".PNBRQK?"[q.Code0>>n&1|q.Code1>>n&1<<1|q.Code2>>n&1<<2]
			if c >= 'A' && q.Black>>n&1 != 0 {
				c += 'a' - 'A'
			}
			b = append(b, ' ', c)
		}
		b = append(b, '\n')
	}
	return string(b)
}
