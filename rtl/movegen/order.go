package movegen

import "github.com/cosimate/cosimate/engine"

// Order is the order of a list: the value of pos_order_i.
//
// A list is sorted by class (see [Order.class]); within it ascending by destination; then by the
// piece that moves, from pawn to king (from king to pawn with MostAggressor); then ascending by
// origin; then queen, rook, bishop, knight. Squares are those of the view of the side to move.
type Order uint8

// The orders. Those by victim go square by square, as one looks for a victim and then for
// its aggressors: another victim of the same kind comes after all aggressors of the first.
const (
	Plain         Order = iota // one class
	CapturesFirst              // captures, promotions that capture nothing, other moves
	// the same, captures by victim: queens first, then rooks, bishops, knights, pawns (MVV/LVA)
	LeastAggressor
	MostAggressor // the same, and moves to one square from king to pawn (MVV/MVA)
)

// Orders are all orders.
var Orders = []Order{Plain, CapturesFirst, LeastAggressor, MostAggressor}

func (o Order) String() string {
	return [...]string{"plain", "captures first", "MVV/LVA", "MVV/MVA"}[o&3]
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

// key is a move's place in this order: lists ascend by it. Its fields, from the lowest bit of each
// on, are the steps in which the RTL comes to a move.
func (o Order) key(m engine.Move, side engine.Color) uint32 {
	aggressor := uint32(m.Piece)
	if o == MostAggressor {
		aggressor = uint32(engine.King) - aggressor
	}
	return o.class(m)<<keyClass |
		uint32(mirror(uint8(m.To), side))<<keyTo |
		aggressor<<keyAggressor |
		uint32(mirror(uint8(m.From), side))<<keyFrom |
		(7 - uint32(m.Promotion))
}

// Fields of a key: the lowest bit of each. A class and a destination name a destination, with an
// aggressor the moves of one kind of piece, with an origin a move, or the promotions of one pawn.
const (
	keyFrom      = 3
	keyAggressor = 9
	keyTo        = 12
	keyClass     = 18
	keyBits      = 21
)

// Filter is what a list is restricted to: the value of pos_filter_i. Other values are as All.
type Filter uint8

// The filters. In check, all of them leave only moves that answer it, as others are not legal.
const (
	All      Filter = iota
	Captures        // captures and promotions
	Checks          // moves that give check
)

// Filters are all filters.
var Filters = []Filter{All, Captures, Checks}

func (f Filter) String() string {
	return [...]string{"all moves", "captures and promotions", "checks", "all moves"}[f&3]
}

// Passes reports whether a legal move in position p passes the filter.
func (f Filter) Passes(p *engine.Position, m engine.Move) bool {
	switch f {
	case Captures:
		return m.Captured != engine.NoPiece || m.Promotion != engine.NoPiece
	case Checks:
		next := p.Make(m)
		return next.InCheck()
	}
	return true
}
