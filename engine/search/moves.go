package search

import (
	"slices"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/order"
)

// Order is the order in which a list of moves is wanted.
type Order = order.Order

// The orders. Package order says what they mean.
const (
	Plain          = order.Plain
	CapturesFirst  = order.CapturesFirst
	LeastAggressor = order.LeastAggressor
	MostAggressor  = order.MostAggressor
)

// Filter is what a list is restricted to.
type Filter uint8

// The filters.
const (
	All      Filter = iota
	Captures        // captures and promotions
)

// Moves is where a search gets its moves from: a game that lists its legal moves. [Generator] is
// one in software; hardware behind a driver can be another. Every call but Position may fail if
// moves come from a device: the search ends with that error.
type Moves interface {
	// Load begins a game at a position.
	Load(p *engine.Position) error
	// Position returns the present position. It is valid until the next call that changes it.
	Position() *engine.Position
	// List appends the legal moves that pass the filter to dst, in the order.
	List(dst []engine.Move, o Order, f Filter) ([]engine.Move, error)
	// Make makes a legal move.
	Make(m engine.Move) error
	// Null passes the turn. The side to move must not be in check.
	Null() error
	// Unmake takes back the last move or null move.
	Unmake() error
}

// Generator is the [Moves] of package engine. The zero Generator must be loaded before use.
type Generator struct {
	// Ordered makes List keep to the order that it is given. Without it moves come as the engine
	// finds them, which is faster: a search that orders by itself does not need it.
	Ordered bool

	line []engine.Position // from the position loaded to the present one
	keys []orderedMove
}

type orderedMove struct {
	key  uint32
	move engine.Move
}

// Load begins a game at a position.
func (g *Generator) Load(p *engine.Position) error {
	g.line = append(g.line[:0], *p)
	return nil
}

// Position returns the present position.
func (g *Generator) Position() *engine.Position { return &g.line[len(g.line)-1] }

// List appends the legal moves that pass the filter to dst.
func (g *Generator) List(dst []engine.Move, o Order, f Filter) ([]engine.Move, error) {
	p, from := g.Position(), len(dst)
	if f == Captures {
		dst = p.AppendCaptures(dst)
	} else {
		dst = p.AppendMoves(dst)
	}
	if g.Ordered {
		g.sort(dst[from:], o, p.SideToMove())
	}
	return dst, nil
}

// Make makes a legal move.
func (g *Generator) Make(m engine.Move) error {
	g.line = append(g.line, g.Position().Make(m))
	return nil
}

// Null passes the turn.
func (g *Generator) Null() error {
	g.line = append(g.line, g.Position().MakeNull())
	return nil
}

// Unmake takes back the last move or null move.
func (g *Generator) Unmake() error {
	g.line = g.line[:len(g.line)-1]
	return nil
}

// sort puts moves in an order.
func (g *Generator) sort(moves []engine.Move, o Order, side engine.Color) {
	g.keys = g.keys[:0]
	for _, m := range moves {
		g.keys = append(g.keys, orderedMove{o.Key(m, side), m})
	}
	slices.SortFunc(g.keys, func(a, b orderedMove) int { return int(a.key) - int(b.key) })
	for i, k := range g.keys {
		moves[i] = k.move
	}
}
