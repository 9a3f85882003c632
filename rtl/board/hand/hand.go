// Package hand is how a person carries out a move: which pieces are lifted and placed, in every
// order that one hand or two can choose.
//
//	for _, touch := range hand.Orders(move)[0] {
//		fmt.Println(touch) // lift e2, place e4
//	}
package hand

import (
	"fmt"

	"github.com/cosimate/cosimate/engine"
)

// Touch is what a hand does to a square.
type Touch struct {
	Square engine.Square
	Place  bool // a piece on it, or else lift the one there
}

func (t Touch) String() string {
	if t.Place {
		return fmt.Sprintf("place %v", t.Square)
	}
	return fmt.Sprintf("lift %v", t.Square)
}

// Lift empties a square.
func Lift(s engine.Square) Touch { return Touch{s, false} }

// Place fills one.
func Place(s engine.Square) Touch { return Touch{s, true} }

// Orders are all ways in which one hand or two can carry out a legal move.
func Orders(m engine.Move) [][]Touch {
	switch {
	case m.Castling:
		rook, to := m.From+3, m.To-1
		if m.To < m.From {
			rook, to = m.From-4, m.To+1
		}
		return [][]Touch{
			{Lift(m.From), Place(m.To), Lift(rook), Place(to)},
			{Lift(m.From), Lift(rook), Place(m.To), Place(to)},
			{Lift(m.From), Lift(rook), Place(to), Place(m.To)},
			{Lift(rook), Lift(m.From), Place(m.To), Place(to)},
			{Lift(rook), Lift(m.From), Place(to), Place(m.To)},
			{Lift(rook), Place(to), Lift(m.From), Place(m.To)},
		}
	case m.EnPassant:
		taken := m.From&^7 | m.To&7
		return [][]Touch{
			{Lift(m.From), Lift(taken), Place(m.To)},
			{Lift(m.From), Place(m.To), Lift(taken)},
			{Lift(taken), Lift(m.From), Place(m.To)},
		}
	case m.Captured != engine.NoPiece:
		return [][]Touch{
			{Lift(m.From), Lift(m.To), Place(m.To)},
			{Lift(m.To), Lift(m.From), Place(m.To)},
		}
	}
	return [][]Touch{{Lift(m.From), Place(m.To)}}
}

// Occupied are the squares that hold a piece.
func Occupied(p *engine.Position) uint64 { return p.Pieces(engine.White) | p.Pieces(engine.Black) }
