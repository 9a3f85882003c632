package search

import (
	"slices"

	"github.com/cosimate/cosimate/engine"
)

// Order is the order in which a list of moves is wanted. The numbers are those of the move
// generator in hardware.
type Order uint8

// The orders. In each of them equal moves ascend by destination, then by the moving piece from pawn
// to king (from king to pawn in MostAggressor), then by origin; a promotion to a queen comes before
// one to a rook, bishop and knight. Squares are seen from the side to move: with Black to move the
// ranks count from the other end.
const (
	Plain          Order = iota // all moves are equal
	CapturesFirst               // captures, then promotions that capture nothing, then the rest
	LeastAggressor              // the same, captures by victim from queen to pawn (MVV/LVA)
	MostAggressor               // the same, and the strongest aggressor first (MVV/MVA)
)

// String returns the order's name, such as "MVV/LVA".
func (o Order) String() string {
	return [...]string{"plain", "captures first", "MVV/LVA", "MVV/MVA"}[o&3]
}

// Filter is what a list is restricted to.
type Filter uint8

// The filters.
const (
	All      Filter = iota
	Captures        // captures and promotions
)

// Moves is where a search gets its moves from: a game that lists its legal moves. [Generator] is one
// in software; hardware behind a driver can be another. Every call but Position may fail if moves
// come from a device: the search ends with that error.
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
		g.keys = append(g.keys, orderedMove{o.key(m, side), m})
	}
	slices.SortFunc(g.keys, func(a, b orderedMove) int { return int(a.key) - int(b.key) })
	for i, k := range g.keys {
		moves[i] = k.move
	}
}

// key is the place of a move in an order: lists ascend by it.
func (o Order) key(m engine.Move, side engine.Color) uint32 {
	aggressor := uint32(m.Piece)
	if o == MostAggressor {
		aggressor = uint32(engine.King) - aggressor
	}
	flip := uint32(side) * 56
	key := o.class(m)
	key = key<<6 | uint32(m.To) ^ flip
	key = key<<3 | aggressor
	key = key<<6 | uint32(m.From) ^ flip
	return key<<3 | (7 - uint32(m.Promotion))
}

// class is the class of a move in an order, lower ones first.
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
