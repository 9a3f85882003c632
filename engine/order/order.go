// Package order says in which order a list of moves can be: the one meaning of what the search asks
// for and what the model of the move generator in hardware expects. The hardware itself shares
// nothing with it.
package order

import "github.com/cosimate/cosimate/engine"

// Order is the order of a list. The numbers are those that the hardware knows it by.
//
// A list is sorted by class (see [Order.Key]); within it ascending by destination; then by the
// piece that moves, from pawn to king (from king to pawn with MostAggressor); then ascending by
// origin; then queen, rook, bishop, knight. Squares are seen from the side to move: with Black to
// move the ranks count from the other end.
type Order uint8

// The orders. Those by victim go square by square, as one looks for a victim and then for its
// aggressors: another victim of the same kind comes after all aggressors of the first.
const (
	Plain         Order = iota // one class
	CapturesFirst              // captures, promotions that capture nothing, other moves
	// the same, captures by victim: queens first, then rooks, bishops, knights, pawns (MVV/LVA)
	LeastAggressor
	MostAggressor // the same, and moves to one square from king to pawn (MVV/MVA)
)

// String returns the order's name, such as "MVV/LVA".
func (o Order) String() string {
	return [...]string{"plain", "captures first", "MVV/LVA", "MVV/MVA"}[o&3]
}

// Fields of a key: the lowest bit of each. A class and a destination name a destination, with an
// aggressor the moves of one kind of piece, with an origin a move, or the promotions of one pawn.
const (
	KeyFrom      = 3
	KeyAggressor = 9
	KeyTo        = 12
	KeyClass     = 18
)

// Key is the place of a move of a side in this order: lists ascend by it. Its fields, from the
// lowest bit of each on, are the steps in which the hardware comes to a move.
func (o Order) Key(m engine.Move, side engine.Color) uint32 {
	aggressor := uint32(m.Piece)
	if o == MostAggressor {
		aggressor = uint32(engine.King) - aggressor
	}
	flip := uint32(side) * 56
	return o.class(m)<<KeyClass |
		(uint32(m.To)^flip)<<KeyTo |
		aggressor<<KeyAggressor |
		(uint32(m.From)^flip)<<KeyFrom |
		(7 - uint32(m.Promotion))
}

// class is the class of a move in this order, lower ones first.
func (o Order) class(m engine.Move) uint32 {
	switch {
	case o == Plain:
		return 0
	case m.Captured != engine.NoPiece && o == CapturesFirst:
		return 0
	case m.Captured != engine.NoPiece:
		return uint32(engine.Queen - m.Captured)
	case m.Promotion != engine.NoPiece:
		return 5
	}
	return 6
}
