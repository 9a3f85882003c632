package message

import (
	"fmt"

	"github.com/cosimate/cosimate/engine"
)

// CheckPosition returns an error unless the board's messages s and q say that its game is at p.
func CheckPosition(p *engine.Position, s State, q Squares) error {
	want, squares := Position(p)
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

// draw returns a drawing of the pieces in q, rank 8 on top.
func draw(q Squares) string {
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
