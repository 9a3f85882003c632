package cover

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/sim/cover/coverdb"
)

// Integer are the types of points. For bool there is [Bool].
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// maxBins bounds the bins of a point and of a cross. Nobody would look at more.
const maxBins = 1 << 16

// autoBinMax is how many bins a point without definitions gets (auto_bin_max in SystemVerilog).
const autoBinMax = 64

// Coverpoint is an integer that is computed from each sample, and its bins. A value can be in
// several bins. But an illegal value is in no other bin, and an ignored value in none but ignored
// ones.
type Coverpoint[S any, V Integer] struct {
	item[S]
	expr func(S) V
	iff  func(S) bool

	sets     []*Set[S, V]
	fallback *Set[S, V] // the bin of Default

	// The following are set by seal, when all bins are known. The values are cut into ranges; all
	// values of a range are in the same bins.
	sealed bool
	starts []uint64  // the first key of each range; the first is 0
	ranges []segment // the bins of each range
	dense  []uint16  // indices into ranges, for the keys from first on
	first  uint64

	matcher matcher
	now     *segment // the range of the present sample's value; nil: not sampled
}

// segment is a range of values.
type segment struct {
	bins    []int32  // the bins with the values, but for illegal ones
	crossed []int32  // those of them that count in crosses
	illegal int32    // the illegal bin, or -1
	mask    []uint64 // for the matcher of transitions
}

// Point adds a coverpoint to a group. Define its bins next. Without any, up to 64 bins divide all
// values of the type.
func Point[S any, V Integer](g *Group[S], name string, expr func(S) V) *Coverpoint[S, V] {
	g.t.Helper()
	g.claim(name)
	p := &Coverpoint[S, V]{item: item[S]{group: g, name: name, order: len(g.names), goal: g.goal}, expr: expr}
	g.points = append(g.points, p)
	return p
}

// Bit is the value of a [Bool] point.
type Bit uint8

func (b Bit) String() string {
	if b == 0 {
		return "false"
	}
	return "true"
}

// Bool adds a coverpoint with bins "false" and "true".
func Bool[S any](g *Group[S], name string, expr func(S) bool) *Coverpoint[S, Bit] {
	g.t.Helper()
	p := Point(g, name, func(s S) Bit {
		if expr(s) {
			return 1
		}
		return 0
	})
	p.Bins("", 0, 1)
	return p
}

// AtLeast sets how many hits a bin needs. It returns the point.
func (p *Coverpoint[S, V]) AtLeast(hits uint64) *Coverpoint[S, V] {
	p.group.t.Helper()
	if hits == 0 {
		p.fail(noGoal)
	}
	p.goal = hits
	return p
}

// Iff sets a guard. A sample for which it is false counts neither in the point nor in its crosses,
// and is no part of transitions.
func (p *Coverpoint[S, V]) Iff(guard func(S) bool) *Coverpoint[S, V] {
	p.iff = guard
	return p
}

// Set is the values of a bin, or of an array of bins.
type Set[S any, V Integer] struct {
	p      *Coverpoint[S, V]
	kind   coverdb.BinKind
	name   string
	array  bool
	split  int // number of bins in the array; 0: one for each value
	values []interval[V]
	bins   []int // indices into p.bins, when sealed
}

// interval is the values from lo to hi.
type interval[V Integer] struct{ lo, hi V }

// Bin defines one bin of values: bins name = {values}.
func (p *Coverpoint[S, V]) Bin(name string, values ...V) *Set[S, V] {
	p.group.t.Helper()
	return p.define(coverdb.Goal, name, values)
}

// Bins defines a bin for each value: bins name[] = {values}. The bins are called name[value]. If
// the name is empty, they are called as the values are printed, with their String method if they
// have one.
func (p *Coverpoint[S, V]) Bins(name string, values ...V) *Set[S, V] {
	p.group.t.Helper()
	s := p.define(coverdb.Goal, name, values)
	s.array = true
	return s
}

// Illegal defines a bin of values that must not come: illegal_bins name = {values}.
func (p *Coverpoint[S, V]) Illegal(name string, values ...V) *Set[S, V] {
	p.group.t.Helper()
	return p.define(coverdb.Illegal, name, values)
}

// Ignore defines a bin of values that do not matter: ignore_bins name = {values}.
func (p *Coverpoint[S, V]) Ignore(name string, values ...V) *Set[S, V] {
	p.group.t.Helper()
	return p.define(coverdb.Ignored, name, values)
}

// Default defines a bin of the values that are in no other bin: bins name = default. It is shown in
// reports, but is no part of the coverage or of a cross.
func (p *Coverpoint[S, V]) Default(name string) {
	p.group.t.Helper()
	if p.fallback != nil {
		p.fail("there is a default bin already, %q", p.fallback.name)
	}
	p.fallback = p.define(coverdb.Default, name, nil)
}

func (p *Coverpoint[S, V]) fail(format string, args ...any) {
	p.group.t.Helper()
	p.group.fail(p.name, format, args...)
}

func (p *Coverpoint[S, V]) define(kind coverdb.BinKind, name string, values []V) *Set[S, V] {
	p.group.t.Helper()
	if p.sealed {
		p.fail("bin %q is defined too late: define bins before transitions, crosses and samples", name)
	}
	s := &Set[S, V]{p: p, kind: kind, name: name}
	for _, v := range values {
		s.values = append(s.values, interval[V]{v, v})
	}
	p.sets = append(p.sets, s)
	return s
}

// Range adds the values from lo to hi, both included.
func (s *Set[S, V]) Range(lo, hi V) *Set[S, V] {
	s.p.group.t.Helper()
	switch {
	case s.p.sealed:
		s.p.fail("bin %q gets values too late: define bins before transitions, crosses and samples", s.name)
	case lo > hi:
		s.p.fail("bin %q: no value is in the range from %v to %v", s.name, lo, hi)
	}
	s.values = append(s.values, interval[V]{lo, hi})
	return s
}

// Split divides the values of Bins into n bins, in the order in which they were given: bins name[n]
// = {values}. All bins get equally many values, and the last one also the values that are left
// over.
func (s *Set[S, V]) Split(n int) *Set[S, V] {
	s.p.group.t.Helper()
	switch {
	case !s.array:
		s.p.fail("bin %q cannot be split: define it with Bins", s.name)
	case n < 1 || n > maxBins:
		s.p.fail("bins %q cannot be split into %d", s.name, n)
	}
	s.split = n
	return s
}

// key maps values to unsigned integers of the same order.
func key[V Integer](v V) uint64 {
	zero := V(0)
	if zero-1 < zero { // signed
		return uint64(int64(v)) ^ 1<<63
	}
	return uint64(v)
}

// limits returns the lowest and the highest value of a type.
func limits[V Integer]() (lo, hi V) {
	zero := V(0)
	if zero-1 > zero {
		return 0, zero - 1
	}
	for hi = 1; hi<<1|1 > hi; hi = hi<<1 | 1 {
	}
	return -hi - 1, hi
}

// count returns the number of values less one. The number itself need not fit a uint64.
func (i interval[V]) count() uint64 { return key(i.hi) - key(i.lo) }

func valueName[V Integer](lo, hi V) string {
	if lo == hi {
		return fmt.Sprint(lo)
	}
	return fmt.Sprintf("%v:%v", lo, hi)
}

// seal makes the bins, and the table that finds the bins of a value.
func (p *Coverpoint[S, V]) seal() {
	p.group.t.Helper()
	if p.sealed {
		return
	}
	if !slices.ContainsFunc(p.sets, func(s *Set[S, V]) bool { return s.kind == coverdb.Goal || s.kind == coverdb.Default }) {
		p.define(coverdb.Goal, "auto", nil)
		lo, hi := limits[V]()
		s := p.sets[len(p.sets)-1].Range(lo, hi)
		s.array, s.split = true, autoBinMax
	}
	p.sealed = true
	placed := make([]placedSet[V], 0, len(p.sets))
	for _, s := range p.sets {
		placed = append(placed, p.place(s)...)
	}
	names := map[string]bool{}
	for _, b := range p.bins {
		if names[b.name] {
			p.fail("bin %q is defined twice", b.name)
		}
		names[b.name] = true
	}
	p.cut(placed)
	p.dropEmpty()
}

// dropEmpty drops the bins of arrays that have lost all their values to ignored and illegal bins.
// Of another bin, that is an error.
func (p *Coverpoint[S, V]) dropEmpty() {
	p.group.t.Helper()
	reached := map[int32]bool{}
	for _, r := range p.ranges {
		for _, b := range r.crossed {
			reached[b] = true
		}
	}
	for _, s := range p.sets {
		for _, b := range s.bins {
			switch {
			case s.kind != coverdb.Goal || reached[int32(b)]:
			case !s.array:
				p.fail("bin %q: all its values are ignored or illegal", s.name)
			default:
				p.bins[b].kind = ""
			}
		}
	}
}

// placedSet is a bin with its values.
type placedSet[V Integer] struct {
	bin    int
	values []interval[V]
}

// place makes the bins of a set.
func (p *Coverpoint[S, V]) place(s *Set[S, V]) (placed []placedSet[V]) {
	p.group.t.Helper()
	if len(s.values) == 0 && s.kind != coverdb.Default {
		p.fail("bin %q has no values", s.name)
	}
	add := func(name string, values ...interval[V]) {
		p.group.t.Helper()
		if len(p.bins) == maxBins {
			p.fail("there are more than %d bins: use ranges, or Split", maxBins)
		}
		s.bins = append(s.bins, len(p.bins))
		placed = append(placed, placedSet[V]{len(p.bins), values})
		b := bin{name: name, array: s.name, kind: s.kind, values: valuesOf(values)}
		if b.values == name || s.array && name == s.name+"["+b.values+"]" {
			b.values = ""
		}
		p.bins = append(p.bins, b)
	}
	if !s.array {
		if s.name == "" {
			p.fail("a bin needs a name")
		}
		add(s.name, s.values...)
		return placed
	}
	element := func(name string) string {
		if s.name == "" {
			return name
		}
		return s.name + "[" + name + "]"
	}
	if s.split == 0 {
		for _, i := range s.values {
			if i.count() >= maxBins {
				p.fail("bins %q: there are more than %d values from %v to %v: use Split", s.name, maxBins, i.lo, i.hi)
			}
			for v := i.lo; ; v++ {
				add(element(fmt.Sprint(v)), interval[V]{v, v})
				if v == i.hi {
					break
				}
			}
		}
		return placed
	}
	// The values are divided in the order given, size to a bin.
	total := uint64(0) // number of values less one
	for n, i := range s.values {
		c := i.count()
		if n > 0 {
			c++
		}
		if total+c < total {
			p.fail("bins %q: there are more than 2^64 values to split", s.name)
		}
		total += c
	}
	n := uint64(s.split)
	// size = (total+1)/n, without overflow.
	size := total / n
	if total%n == n-1 && n > 1 {
		size++
	}
	if size == 0 { // fewer values than bins: a bin without a value would never be hit
		size, n = 1, total+1
	}
	var part []interval[V]
	room := size // values that the present bin still takes
	for _, i := range s.values {
		for {
			if last := uint64(len(s.bins)) == n-1; last || i.count() < room {
				part = append(part, i)
				if !last {
					room -= i.count() + 1
				}
				break
			}
			end := i.lo + V(room-1)
			part = append(part, interval[V]{i.lo, end})
			add(element(partName(part)), part...)
			part, room = nil, size
			if end == i.hi {
				break
			}
			i.lo = end + 1
		}
		if room == 0 {
			add(element(partName(part)), part...)
			part, room = nil, size
		}
	}
	if len(part) > 0 {
		add(element(partName(part)), part...)
	}
	return placed
}

// valuesOf returns the values in intervals as a text such as "0:3,7". It does not depend on how
// they are divided and ordered.
func valuesOf[V Integer](in []interval[V]) string {
	var all []interval[V]
	for _, i := range slices.SortedFunc(slices.Values(in), func(a, b interval[V]) int { return cmp.Compare(a.lo, b.lo) }) {
		if n := len(all); n > 0 && (i.lo <= all[n-1].hi || i.lo == all[n-1].hi+1) {
			all[n-1].hi = max(all[n-1].hi, i.hi)
		} else {
			all = append(all, i)
		}
	}
	texts := make([]string, len(all))
	for n, i := range all {
		texts[n] = fmt.Sprintf("%d", i.lo)
		if i.hi != i.lo {
			texts[n] += fmt.Sprintf(":%d", i.hi)
		}
	}
	return strings.Join(texts, ",")
}

func partName[V Integer](part []interval[V]) string {
	names := make([]string, len(part))
	for i, v := range part {
		names[i] = valueName(v.lo, v.hi)
	}
	return strings.Join(names, ",")
}

// cut makes the table of ranges. They begin where a range of values of some bin begins or ends.
func (p *Coverpoint[S, V]) cut(placed []placedSet[V]) {
	type event struct {
		at    uint64
		enter bool
		bin   int
	}
	var events []event
	p.starts = []uint64{0}
	for _, s := range placed {
		for _, i := range s.values {
			events = append(events, event{key(i.lo), true, s.bin})
			p.starts = append(p.starts, key(i.lo))
			if end := key(i.hi) + 1; end != 0 {
				events = append(events, event{end, false, s.bin})
				p.starts = append(p.starts, end)
			}
		}
	}
	slices.Sort(p.starts)
	p.starts = slices.Compact(p.starts)
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	inside := map[int]int{} // in how many ranges of a bin the value is: ranges may overlap
	for _, start := range p.starts {
		for len(events) > 0 && events[0].at == start {
			e := events[0]
			if e.enter {
				inside[e.bin]++
			} else if inside[e.bin]--; inside[e.bin] == 0 {
				delete(inside, e.bin)
			}
			events = events[1:]
		}
		p.ranges = append(p.ranges, p.segmentOf(inside))
	}
	// Where the ranges lie close together, as they mostly do, a table has the range of each key.
	const most = 1 << 12
	if n := len(p.starts); n > 1 && n < 1<<16 && p.starts[n-1]-p.starts[1] < most {
		p.first = p.starts[1]
		p.dense = make([]uint16, p.starts[n-1]-p.first+1)
		for r := 1; r < n; r++ {
			for k := p.starts[r] - p.first; k < uint64(len(p.dense)); k++ {
				if r+1 < n && k >= p.starts[r+1]-p.first {
					break
				}
				p.dense[k] = uint16(r)
			}
		}
	}
}

// segmentOf returns which bins count, of the bins that a value is in.
func (p *Coverpoint[S, V]) segmentOf(inside map[int]int) segment {
	seg := segment{illegal: -1}
	kinds := map[coverdb.BinKind][]int32{}
	for b := range inside {
		kinds[p.bins[b].kind] = append(kinds[p.bins[b].kind], int32(b))
	}
	for _, k := range kinds {
		slices.Sort(k)
	}
	switch {
	case kinds[coverdb.Illegal] != nil:
		seg.illegal = kinds[coverdb.Illegal][0]
	case kinds[coverdb.Ignored] != nil:
		seg.bins = kinds[coverdb.Ignored]
	case kinds[coverdb.Goal] != nil:
		seg.bins = kinds[coverdb.Goal]
		seg.crossed = seg.bins
	case p.fallback != nil:
		seg.bins = []int32{int32(p.fallback.bins[0])}
	}
	return seg
}

// find returns the range of a value's key.
func (p *Coverpoint[S, V]) find(k uint64) *segment {
	if i := k - p.first; i < uint64(len(p.dense)) {
		return &p.ranges[p.dense[i]]
	}
	// Search the last range that starts at or before k.
	lo, hi := 0, len(p.starts)
	for hi-lo > 1 {
		if mid := int(uint(lo+hi) / 2); p.starts[mid] <= k {
			lo = mid
		} else {
			hi = mid
		}
	}
	return &p.ranges[lo]
}

func (p *Coverpoint[S, V]) sample(s S) {
	if p.iff != nil && !p.iff(s) {
		p.now = nil
		return
	}
	v := p.expr(s)
	seg := p.find(key(v))
	p.now = seg
	for _, b := range seg.bins {
		p.bins[b].count++
	}
	if seg.illegal >= 0 {
		p.group.t.Helper()
		p.illegal(int(seg.illegal), fmt.Sprintf("the value %v", v))
	}
	if p.matcher.state != nil {
		p.transitions(seg)
	}
}

func (p *Coverpoint[S, V]) store(into *coverdb.Data) { p.item.store(into, false) }
func (p *Coverpoint[S, V]) common() *item[S]         { return &p.item }
func (p *Coverpoint[S, V]) present() **segment       { return &p.now }

// All transitions are searched at once, with one bit for each of their bins (the Shift-And method,
// Baeza-Yates and Gonnet 1992). A bit is set if the last values were in the bins of the transition
// up to this one.

// matcher is the state of all transitions of a point.
type matcher struct {
	state  []uint64
	starts []uint64 // first bins
	ends   []uint64 // last bins
	bins   [][]int  // the bin of the transition that ends at each bit
	used   int      // number of bits used of the last word
}

// Transition defines a bin that is hit when successive samples hit these bins of the point in turn:
// bins a_b = (a => b). It is called "a=>b". The name of an array stands for any of its bins.
func (p *Coverpoint[S, V]) Transition(bins ...string) *Coverpoint[S, V] {
	p.group.t.Helper()
	p.transition(coverdb.Goal, bins)
	return p
}

// IllegalTransition defines a sequence of bins that must not come; see [Coverpoint.Transition].
func (p *Coverpoint[S, V]) IllegalTransition(bins ...string) *Coverpoint[S, V] {
	p.group.t.Helper()
	p.transition(coverdb.Illegal, bins)
	return p
}

func (p *Coverpoint[S, V]) transition(kind coverdb.BinKind, steps []string) {
	p.group.t.Helper()
	p.seal()
	name := strings.Join(steps, "=>")
	const most = 64 // bits of a word
	switch {
	case p.group.sealed:
		p.fail("transition %s is defined after the first sample", name)
	case len(steps) < 2 || len(steps) > most:
		p.fail("transition %q has %d bins, not 2 to %d", name, len(steps), most)
	case slices.ContainsFunc(p.bins, func(b bin) bool { return b.name == name }):
		p.fail("bin %q is defined twice", name)
	}
	m := &p.matcher
	if len(m.state) == 0 || m.used+len(steps) > most {
		m.state, m.starts, m.ends = append(m.state, 0), append(m.starts, 0), append(m.ends, 0)
		m.bins = append(m.bins, make([]int, most))
		m.used = 0
		for i := range p.ranges {
			p.ranges[i].mask = append(p.ranges[i].mask, 0)
		}
	}
	word := len(m.state) - 1
	for i, step := range steps {
		found := p.named(step)
		if len(found) == 0 {
			p.fail("transition %s: there is no bin %q", name, step)
		}
		for r := range p.ranges {
			if slices.ContainsFunc(p.ranges[r].crossed, func(b int32) bool { return found[int(b)] }) {
				p.ranges[r].mask[word] |= 1 << (m.used + i)
			}
		}
	}
	last := m.used + len(steps) - 1
	m.starts[word] |= 1 << m.used
	m.ends[word] |= 1 << last
	m.bins[word][last] = len(p.bins)
	m.used = last + 1
	p.bins = append(p.bins, bin{name: name, kind: kind, path: true})
}

func (p *Coverpoint[S, V]) restart() { clear(p.matcher.state) }

// transitions moves all transitions on by one sample, and counts those that are complete.
func (p *Coverpoint[S, V]) transitions(seg *segment) {
	m := &p.matcher
	for w := range m.state {
		m.state[w] = (m.state[w]<<1 | m.starts[w]) & seg.mask[w]
		for hits := m.state[w] & m.ends[w]; hits != 0; hits &= hits - 1 {
			b := m.bins[w][bits.TrailingZeros64(hits)]
			if p.bins[b].kind == coverdb.Illegal {
				p.group.t.Helper()
				p.illegal(b, "the transition")
			} else {
				p.bins[b].count++
			}
		}
	}
}

// named returns the bins of a name that can be hit. It may be the name of an array.
func (p *Coverpoint[S, V]) named(name string) map[int]bool {
	found := map[int]bool{}
	for i, b := range p.bins {
		if b.kind == coverdb.Goal && !b.path && (b.name == name || b.array != "" && b.array == name) {
			found[i] = true
		}
	}
	return found
}
