package movegen

import (
	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/order"
)

// Order is the order of a list: the value of pos_order_i.
type Order = order.Order

// The orders. Package order says what they mean.
const (
	Plain          = order.Plain
	CapturesFirst  = order.CapturesFirst
	LeastAggressor = order.LeastAggressor
	MostAggressor  = order.MostAggressor
)

// Orders are all orders.
var Orders = []Order{Plain, CapturesFirst, LeastAggressor, MostAggressor}

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
