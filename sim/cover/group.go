// Package cover has functional coverage. It counts in bins which situations a test has brought
// about, like covergroups in SystemVerilog (IEEE 1800-2017, clause 19). It also collects functional
// and code coverage over tests and processes. With
//
//	go test ./rtl/... -sim.cover=out/cover
//	cosimate cover --html cover.html --fail-under functional=100,line=90 out/cover
//
// each test process writes a database into the folder, and the command merges and shows them.
//
// A [Group] samples values of one type, for example a beat of a bus. Its points ([Point]) are
// integers computed from a sample, each with bins. Crosses combine bins of several points, and
// transitions are sequences of bins:
//
//	func newBeats(t cover.T) *cover.Group[Beat] {
//		g := cover.NewGroup[Beat](t, "beats")
//		op := cover.Point(g, "op", func(b Beat) Op { return b.Op })
//		op.Bins("", Read, Write)              // one bin for each value: "read", "write"
//		op.Transition("write", "read")        // a read right after a write
//		size := cover.Point(g, "size", func(b Beat) uint8 { return b.Size })
//		size.Bin("one", 1)
//		size.Bin("burst").Range(2, 16)
//		size.Illegal("too long").Range(17, 255)
//		g.Cross("op x size", op, size)
//		return g
//	}
//
// Then g.Sample(beat) counts, and fails the test if a value is illegal. Each test makes a group of
// its own, and so does each of several parallel subtests. When the tests end, the counts of groups
// of the same name are added up. It is an error if a bin has other values in one of them.
package cover

import (
	"fmt"

	"github.com/cosimate/cosimate/sim/cover/coverdb"
)

// T is the part of testing.TB that a group needs: a *testing.T, *testing.B or *testing.F, or
// outside of tests a type of your own.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Cleanup(func())
}

// Group is a covergroup: points and crosses that are sampled together. A mistake in its definition,
// such as a name given twice, fails the test at once.
//
// A Group must be used by one goroutine at a time. Make one for each test and for each stream of
// samples: groups of the same name are merged.
type Group[S any] struct {
	t       T
	name    string
	goal    uint64
	points  []sampler[S]
	crosses []*Cross[S]
	names   map[string]bool // of points and crosses
	samples uint64
	sealed  bool // sampling has begun: nothing more can be defined
	ended   bool // the test has ended
}

// sampler is a point of any type.
type sampler[S any] interface {
	sample(S)
	seal()
	restart()
	store(into *coverdb.Data)
	common() *item[S]
}

// NewGroup returns a group without points. At the end of the test its counts are written into the
// folder of -sim.cover.
func NewGroup[S any](t T, name string) *Group[S] {
	t.Helper()
	g := &Group[S]{t: t, name: name, goal: 1, names: map[string]bool{}}
	release := hold(t)
	t.Cleanup(func() {
		defer release()
		g.ended = true
		if Enabled() {
			t.Helper()
			add(t, g.Data())
		}
	})
	return g
}

// AtLeast sets how many hits a bin needs, for points and crosses that are added later. The default
// is 1, and less is an error.
func (g *Group[S]) AtLeast(hits uint64) {
	g.t.Helper()
	if hits == 0 {
		g.t.Fatalf("coverage group %q: %s", g.name, noGoal)
	}
	g.goal = hits
}

const noGoal = "a goal of no hits is reached without a sample: use 1 or more, or Ignore for values that do not matter"

// fail reports a mistake in the definition, at the line that makes it.
func (g *Group[S]) fail(item, format string, args ...any) {
	g.t.Helper()
	g.t.Fatalf("coverage group %q, %q: %s", g.name, item, fmt.Sprintf(format, args...))
}

// claim checks the name of a new point or cross.
func (g *Group[S]) claim(name string) {
	g.t.Helper()
	switch {
	case g.sealed:
		g.fail(name, "defined after the first sample")
	case name == "":
		g.fail(name, "a point or cross needs a name")
	case g.names[name]:
		g.fail(name, "the group has a point or cross of this name already")
	}
	g.names[name] = true
}

// Sample counts a sample in all points and crosses. An illegal value or transition fails the test
// with an [IllegalError] when it first comes, and is in no other bin. Sample takes a few
// nanoseconds for a point and allocates nothing.
func (g *Group[S]) Sample(s S) {
	if !g.sealed || g.ended {
		g.t.Helper()
		g.slow()
	}
	for _, p := range g.points {
		p.sample(s)
	}
	for _, c := range g.crosses {
		c.sample()
	}
	g.samples++
}

// Restart begins a new sequence of samples: no transition leads from earlier samples to later ones.
// Call it where runs of a test begin. A model that samples calls it in its Reset.
func (g *Group[S]) Restart() {
	for _, p := range g.points {
		p.restart()
	}
}

// slow handles the first sample, and samples after the end of the test.
func (g *Group[S]) slow() {
	g.t.Helper()
	if g.ended {
		g.t.Errorf("coverage group %q is sampled after the end of its test: what comes now is not counted", g.name)
	}
	g.seal()
}

func (g *Group[S]) seal() {
	if g.sealed {
		return
	}
	g.sealed = true
	for _, p := range g.points {
		p.seal()
	}
}

// Data returns what has been counted so far.
func (g *Group[S]) Data() *coverdb.Data {
	g.seal()
	d := &coverdb.Data{}
	for _, p := range g.points {
		p.store(d)
	}
	for _, c := range g.crosses {
		c.store(d)
	}
	return d
}

// IllegalError is the error for a value or a transition that is in an illegal bin.
type IllegalError struct {
	Group  string
	Item   string // the point or cross
	Bin    string // the illegal bin
	Value  string // the value, or the combination of bins in a cross
	Sample uint64 // the number of the sample in the group, from 0
}

func (e *IllegalError) Error() string {
	return fmt.Sprintf("coverage group %q, %q: %s is in the illegal bin %q (sample %d of the group)", e.Group, e.Item, e.Value, e.Bin, e.Sample)
}

// item is what points and crosses have in common.
type item[S any] struct {
	group *Group[S]
	name  string
	order int
	goal  uint64
	bins  []bin
}

// bin is a bin and its count.
type bin struct {
	name   string
	array  string          // the name of the array that it belongs to
	kind   coverdb.BinKind // "": dropped from a cross
	path   bool            // a transition: of kind Goal or Illegal, without values
	count  uint64
	values string // see coverdb.Hits
}

func (i *item[S]) store(into *coverdb.Data, cross bool) {
	for order, b := range i.bins {
		if b.kind == "" {
			continue
		}
		h := coverdb.Hits{Count: b.count, ItemOrder: i.order, Order: order, Values: b.values}
		if b.kind == coverdb.Goal {
			h.AtLeast = i.goal
		}
		bin := coverdb.Bin{Group: i.group.name, Item: i.name, Cross: cross, Kind: b.kind, Name: b.name}
		if err := into.AddBin(bin, h); err != nil {
			panic(err) // cannot be: all bins of a group have different names
		}
	}
}

// illegal counts a hit of an illegal bin, and fails the test the first time.
func (i *item[S]) illegal(b int, value string) {
	i.group.t.Helper()
	i.bins[b].count++
	if i.bins[b].count == 1 {
		i.group.t.Errorf("%v", &IllegalError{i.group.name, i.name, i.bins[b].name, value, i.group.samples})
	}
}
