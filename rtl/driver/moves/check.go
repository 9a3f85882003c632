package moves

import (
	"fmt"
	"slices"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/search"
	"github.com/cosimate/cosimate/rtl/driver"
)

// Checked compares each list of a source of moves with that of the reference in software. Where
// they differ the search ends with a *[Difference].
type Checked struct {
	search.Moves
	Scheme Scheme

	reference search.Generator
	root      engine.Position
	path      []engine.Move // made since; the zero Move is a null move
	lists     int
	due       []engine.Move
}

// Difference is the error of a list that differs from the reference's. It is a
// [driver.ErrMismatch].
type Difference struct {
	Root         engine.Position
	Path         []engine.Move // the node: what was made since Root; the zero Move is a null move
	Position     engine.Position
	Scheme       Scheme
	Order        search.Order
	Filter       search.Filter
	List         int // its number since the game was loaded, the first is 1
	Due, Listed  []engine.Move
	FirstDiffers int // the first place at which the lists differ
}

func (d *Difference) Error() string {
	at := func(moves []engine.Move) string {
		if d.FirstDiffers < len(moves) {
			return moves[d.FirstDiffers].String()
		}
		return "the end"
	}
	what := "all moves"
	if d.Filter == search.Captures {
		what = "captures and promotions"
	}
	node := "the root"
	for i, m := range d.Path {
		name := m.String()
		if m == (engine.Move{}) {
			name = "a null move"
		}
		if i == 0 {
			node = name
		} else {
			node += ", " + name
		}
	}
	s := fmt.Sprintf("the hardware's list %d of %s, at the node %s (%s), is wrong: %s, order %v, scheme %v: in place %d %s is due, it has %s",
		d.List, d.Root.FEN(), node, d.Position.FEN(), what, d.Order, d.Scheme, d.FirstDiffers+1, at(d.Due), at(d.Listed))
	for _, m := range d.Due {
		if !slices.Contains(d.Listed, m) {
			return s + fmt.Sprintf("; %v is missing", m)
		}
	}
	return s
}

// Unwrap makes it a driver.ErrMismatch.
func (d *Difference) Unwrap() error { return driver.ErrMismatch }

// Load begins a game at a position.
func (c *Checked) Load(p *engine.Position) error {
	c.root, c.path, c.lists = *p, c.path[:0], 0
	c.reference.Ordered = true
	return c.Moves.Load(p)
}

// Make makes a legal move.
func (c *Checked) Make(m engine.Move) error {
	c.path = append(c.path, m)
	return c.Moves.Make(m)
}

// Null passes the turn.
func (c *Checked) Null() error {
	c.path = append(c.path, engine.Move{})
	return c.Moves.Null()
}

// Unmake takes back the last move or null move.
func (c *Checked) Unmake() error {
	c.path = c.path[:max(0, len(c.path)-1)]
	return c.Moves.Unmake()
}

// List appends the legal moves that pass the filter to dst, in the order, and compares them with
// the reference's.
func (c *Checked) List(dst []engine.Move, o search.Order, f search.Filter) ([]engine.Move, error) {
	c.lists++
	from := len(dst)
	dst, err := c.Moves.List(dst, o, f)
	if err != nil {
		return dst, err
	}
	p := c.Position()
	if err := c.reference.Load(p); err != nil {
		return dst, err
	}
	if c.due, err = c.reference.List(c.due[:0], o, f); err != nil {
		return dst, err
	}
	if listed := dst[from:]; !slices.Equal(listed, c.due) {
		d := &Difference{
			Root: c.root, Path: slices.Clone(c.path), Position: *p, Scheme: c.Scheme, Order: o, Filter: f, List: c.lists,
			Due: slices.Clone(c.due), Listed: slices.Clone(listed),
		}
		for d.FirstDiffers < min(len(d.Due), len(d.Listed)) && d.Due[d.FirstDiffers] == d.Listed[d.FirstDiffers] {
			d.FirstDiffers++
		}
		return dst, d
	}
	return dst, nil
}
