package cover

import (
	"slices"
	"strings"

	"github.com/cosimate/cosimate/sim/cover/coverdb"
)

// Crossable is a coverpoint of any type of value.
type Crossable[S any] interface {
	sampler[S]
	present() **segment
	named(name string) map[int]bool
}

// Cross counts which bins of its points are hit by the same sample. It has a bin for each
// combination, called <a,b>. Default, ignored and illegal bins and transitions are not combined.
type Cross[S any] struct {
	item[S]
	points   []Crossable[S]
	combined [][]int     // the bins of each point that are combined
	strides  []int       // a combination's cell is the sum of strides times places in combined
	now      []**segment // the points' Coverpoint.now
	offset   [][]int32   // stride times place, by point and bin
	cells    []int32     // the bin of each combination
}

// Cross adds a cross of two or more of the group's points. Their bins must have been defined.
func (g *Group[S]) Cross(name string, points ...Crossable[S]) *Cross[S] {
	g.t.Helper()
	g.claim(name)
	c := &Cross[S]{item: item[S]{group: g, name: name, order: len(g.names), goal: g.goal}, points: points}
	if len(points) < 2 {
		g.fail(name, "a cross needs two points or more")
	}
	cells := 1
	for i, p := range points {
		of := p.common()
		switch {
		case of.group != g:
			g.fail(name, "point %q is not of this group", of.name)
		case slices.ContainsFunc(points[:i], func(q Crossable[S]) bool { return q.common() == of }):
			g.fail(name, "point %q comes twice", of.name)
		}
		p.seal()
		var combined []int
		for b := range of.bins {
			if of.bins[b].kind == coverdb.Goal && !of.bins[b].path {
				combined = append(combined, b)
			}
		}
		if len(combined) == 0 {
			g.fail(name, "point %q has no bins to combine", of.name)
		}
		c.combined = append(c.combined, combined)
		c.now = append(c.now, p.present())
		if cells *= len(combined); cells > maxBins {
			g.fail(name, "it would have more than %d bins: use fewer bins in its points", maxBins)
		}
	}
	c.strides = make([]int, len(points))
	c.offset = make([][]int32, len(points))
	stride := 1
	for i := range slices.Backward(points) {
		c.strides[i] = stride
		c.offset[i] = make([]int32, len(points[i].common().bins))
		for place, b := range c.combined[i] {
			c.offset[i][b] = int32(stride * place)
		}
		stride *= len(c.combined[i])
	}
	for cell := range cells {
		names := make([]string, len(points))
		for i, p := range points {
			names[i] = p.common().bins[c.bin(i, cell)].name
		}
		c.cells = append(c.cells, int32(cell))
		c.bins = append(c.bins, bin{name: "<" + strings.Join(names, ",") + ">", kind: coverdb.Goal})
	}
	g.crosses = append(g.crosses, c)
	return c
}

// bin returns the bin of a point in the combination of a cell.
func (c *Cross[S]) bin(point, cell int) int {
	return c.combined[point][cell/c.strides[point]%len(c.combined[point])]
}

// AtLeast sets how many hits a bin needs. It returns the cross.
func (c *Cross[S]) AtLeast(hits uint64) *Cross[S] {
	c.group.t.Helper()
	if hits == 0 {
		c.group.fail(c.name, noGoal)
	}
	c.goal = hits
	return c
}

// Binsof selects combinations by some bins of a point: binsof(p.a) || binsof(p.b).
type Binsof[S any] struct {
	point *item[S]
	bins  map[int]bool
}

// Binsof selects the combinations with one of these bins of the point. The name of an array of bins
// stands for all of them.
func (p *Coverpoint[S, V]) Binsof(names ...string) Binsof[S] {
	p.group.t.Helper()
	p.seal()
	b := Binsof[S]{&p.item, map[int]bool{}}
	for _, name := range names {
		found := p.named(name)
		if len(found) == 0 {
			p.fail("there is no bin %q to select", name)
		}
		for i := range found {
			b.bins[i] = true
		}
	}
	return b
}

// Ignore leaves out the combinations that are in all selections: ignore_bins name = binsof(a) &&
// binsof(b).
func (c *Cross[S]) Ignore(name string, selections ...Binsof[S]) *Cross[S] {
	c.group.t.Helper()
	c.exclude(coverdb.Ignored, name, selections)
	return c
}

// Illegal forbids the combinations that are in all selections: illegal_bins name = binsof(a) &&
// binsof(b).
func (c *Cross[S]) Illegal(name string, selections ...Binsof[S]) *Cross[S] {
	c.group.t.Helper()
	c.exclude(coverdb.Illegal, name, selections)
	return c
}

func (c *Cross[S]) exclude(kind coverdb.BinKind, name string, selections []Binsof[S]) {
	c.group.t.Helper()
	switch {
	case c.group.sealed:
		c.group.fail(c.name, "bin %q is defined after the first sample", name)
	case name == "" || slices.ContainsFunc(c.bins, func(b bin) bool { return b.name == name }):
		c.group.fail(c.name, "bin %q has no name, or one that is taken", name)
	case len(selections) == 0:
		c.group.fail(c.name, "bin %q selects nothing", name)
	}
	where := make([]int, len(selections)) // the point of each selection
	for n, s := range selections {
		where[n] = slices.IndexFunc(c.points, func(p Crossable[S]) bool { return p.common() == s.point })
		if where[n] < 0 {
			c.group.fail(c.name, "bin %q selects bins of %q, which is no point of this cross", name, s.point.name)
		}
	}
	taken := false
	for cell, now := range c.cells {
		selected := true
		for n, s := range selections {
			selected = selected && s.bins[c.bin(where[n], cell)]
		}
		// An illegal bin stays illegal.
		if !selected || c.bins[now].kind == coverdb.Illegal {
			continue
		}
		if c.bins[now].kind == coverdb.Goal {
			c.bins[now].kind = ""
		}
		c.cells[cell] = int32(len(c.bins))
		taken = true
	}
	if !taken {
		c.group.fail(c.name, "bin %q: no combination is left for it", name)
	}
	c.bins = append(c.bins, bin{name: name, kind: kind})
}

func (c *Cross[S]) sample() {
	cell := int32(0)
	for i, now := range c.now {
		seg := *now
		if seg == nil || len(seg.crossed) == 0 {
			return
		}
		if len(seg.crossed) > 1 {
			c.overlapping(0, 0)
			return
		}
		cell += c.offset[i][seg.crossed[0]]
	}
	c.hit(cell)
}

// overlapping hits all combinations of a sample whose values are in several bins of their points.
func (c *Cross[S]) overlapping(point int, cell int32) {
	if point == len(c.now) {
		c.hit(cell)
		return
	}
	seg := *c.now[point]
	if seg == nil {
		return
	}
	for _, b := range seg.crossed {
		c.overlapping(point+1, cell+c.offset[point][b])
	}
}

func (c *Cross[S]) hit(cell int32) {
	b := c.cells[cell]
	if c.bins[b].kind != coverdb.Illegal {
		c.bins[b].count++
		return
	}
	c.group.t.Helper()
	names := make([]string, len(c.points))
	for i, p := range c.points {
		names[i] = p.common().bins[c.bin(i, int(cell))].name
	}
	c.illegal(int(b), "the combination <"+strings.Join(names, ",")+">")
}

func (c *Cross[S]) store(into *coverdb.Data) { c.item.store(into, true) }
