// Package touch lists the ways in which a player can carry out a move on a board: which pieces are
// lifted and placed, in which order.
//
//	for _, action := range touch.Orders(move)[0] {
//		fmt.Println(action) // lift e2, place e4
//	}
package touch

import (
	"fmt"

	"github.com/cosimate/cosimate/engine"
)

// Action is what a player does at one square: lifts the piece on it, or places one.
type Action struct {
	Square engine.Square
	Place  bool // a piece is placed on the square; false: the piece there is lifted
}

func (a Action) String() string {
	if a.Place {
		return fmt.Sprintf("place %v", a.Square)
	}
	return fmt.Sprintf("lift %v", a.Square)
}

// Lift returns the action that empties square s.
func Lift(s engine.Square) Action { return Action{s, false} }

// Place returns the action that fills square s.
func Place(s engine.Square) Action { return Action{s, true} }

// Orders returns all ways in which one hand or two can carry out the legal move m.
func Orders(m engine.Move) [][]Action {
	switch {
	case m.Castling:
		rook, to := m.From+3, m.To-1
		if m.To < m.From {
			rook, to = m.From-4, m.To+1
		}
		return [][]Action{
			{Lift(m.From), Place(m.To), Lift(rook), Place(to)},
			{Lift(m.From), Lift(rook), Place(m.To), Place(to)},
			{Lift(m.From), Lift(rook), Place(to), Place(m.To)},
			{Lift(rook), Lift(m.From), Place(m.To), Place(to)},
			{Lift(rook), Lift(m.From), Place(to), Place(m.To)},
			{Lift(rook), Place(to), Lift(m.From), Place(m.To)},
		}
	case m.EnPassant:
		taken := m.From&^7 | m.To&7
		return [][]Action{
			{Lift(m.From), Lift(taken), Place(m.To)},
			{Lift(m.From), Place(m.To), Lift(taken)},
			{Lift(taken), Lift(m.From), Place(m.To)},
		}
	case m.Captured != engine.NoPiece:
		return [][]Action{
			{Lift(m.From), Lift(m.To), Place(m.To)},
			{Lift(m.To), Lift(m.From), Place(m.To)},
		}
	}
	return [][]Action{{Lift(m.From), Place(m.To)}}
}

// Occupied returns the squares of p that hold a piece: bit 8*rank + file of each, a1 = bit 0.
func Occupied(p *engine.Position) uint64 { return p.Pieces(engine.White) | p.Pieces(engine.Black) }
