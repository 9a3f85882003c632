package cover_test

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cosimate/cosimate/sim/cover"
	"github.com/cosimate/cosimate/sim/cover/coverdb"
)

// recorder is a cover.T that records errors.
type recorder struct {
	errors  []string
	cleanup []func()
}

type fatal struct{}

func (r *recorder) Helper()                   {}
func (r *recorder) Errorf(f string, a ...any) { r.errors = append(r.errors, fmt.Sprintf(f, a...)) }
func (r *recorder) Fatalf(f string, a ...any) { r.Errorf(f, a...); panic(fatal{}) }
func (r *recorder) Cleanup(f func())          { r.cleanup = append(r.cleanup, f) }

func (r *recorder) end() {
	for len(r.cleanup) > 0 {
		f := r.cleanup[len(r.cleanup)-1]
		r.cleanup = r.cleanup[:len(r.cleanup)-1]
		f()
	}
}

// bins returns what a group has counted, in words: "point: bin 3/1, ...".
func bins(d *coverdb.Data) string {
	var b strings.Builder
	item := ""
	for _, bin := range d.SortedBins() {
		if bin.Item != item {
			item = bin.Item
			fmt.Fprintf(&b, "%s:\n", item)
		}
		h := d.Bins[bin]
		fmt.Fprintf(&b, "  %s %d/%d %s\n", bin.Kind, h.Count, h.AtLeast, bin.Name)
	}
	return b.String()
}

func check(t *testing.T, d *coverdb.Data, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), bins(d)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

type op uint8

const (
	idle op = iota
	read
	write
)

func (o op) String() string { return [...]string{"idle", "read", "write"}[o] }

type beat struct {
	op    op
	size  uint8
	valid bool
	delta int8
}

func newBeats(t cover.T) *cover.Group[beat] {
	g := cover.NewGroup[beat](t, "beats")
	op := cover.Point(g, "op", func(b beat) op { return b.op })
	op.Bins("", idle, read, write)
	op.Transition("write", "read")
	op.Transition("idle", "read", "idle")
	op.IllegalTransition("write", "idle", "write")
	size := cover.Point(g, "size", func(b beat) uint8 { return b.size }).AtLeast(2).Iff(func(b beat) bool { return b.op != idle })
	size.Bin("one", 1)
	size.Bin("burst", 2).Range(4, 16)
	size.Ignore("three", 3)
	size.Illegal("too long").Range(17, 200)
	size.Default("others")
	g.Cross("op x size", op, size).Ignore("idle", op.Binsof("idle")).Illegal("long write", op.Binsof("write"), size.Binsof("burst"))
	cover.Bool(g, "valid", func(b beat) bool { return b.valid })
	cover.Point(g, "delta", func(b beat) int8 { return b.delta }).Bins("d").Range(-3, 4).Split(3)
	return g
}

func TestGroup(t *testing.T) {
	r := &recorder{}
	g := newBeats(r)
	for _, b := range []beat{
		{write, 1, true, -3}, {read, 2, true, -2}, {read, 16, true, -1}, {read, 3, true, 0}, {read, 255, true, 4},
		{idle, 17, true, 5}, {read, 1, true, -128}, {idle, 1, true, 127},
	} {
		g.Sample(b)
	}
	if r.errors != nil {
		t.Fatalf("errors: %q", r.errors)
	}
	check(t, g.Data(), `
op:
  bin 2/1 idle
  bin 5/1 read
  bin 1/1 write
  bin 1/1 write=>read
  bin 1/1 idle=>read=>idle
  illegal 0/0 write=>idle=>write
size:
  bin 2/2 one
  bin 2/2 burst
  ignore 1/0 three
  illegal 0/0 too long
  default 1/0 others
op x size:
  bin 1/1 <read,one>
  bin 2/1 <read,burst>
  bin 1/1 <write,one>
  ignore 0/0 idle
  illegal 0/0 long write
valid:
  bin 0/1 false
  bin 8/1 true
delta:
  bin 2/1 d[-3:-2]
  bin 2/1 d[-1:0]
  bin 1/1 d[1:4]
`)
}

// An illegal value fails the test once, with group, point and value, and is in no other bin.
func TestIllegal(t *testing.T) {
	r := &recorder{}
	g := newBeats(r)
	for _, b := range []beat{{op: read, size: 17}, {op: read, size: 18}, {op: write, size: 4}, {op: idle}, {op: write, size: 1}} {
		g.Sample(b)
	}
	want := []string{
		`coverage group "beats", "size": the value 17 is in the illegal bin "too long" (sample 0 of the group)`,
		`coverage group "beats", "op x size": the combination <write,burst> is in the illegal bin "long write" (sample 2 of the group)`,
		`coverage group "beats", "op": the transition is in the illegal bin "write=>idle=>write" (sample 4 of the group)`,
	}
	if diff := cmp.Diff(want, r.errors); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	h := g.Data().Bins[coverdb.Bin{Group: "beats", Item: "size", Kind: coverdb.Illegal, Name: "too long"}]
	if h.Count != 2 {
		t.Errorf("the illegal bin has %d hits, not 2", h.Count)
	}
}

// A point without bins gets 64, which divide all values. Ignored values need not be hit.
func TestAuto(t *testing.T) {
	g := cover.NewGroup[int16](&recorder{}, "g")
	identity := func(v int16) int16 { return v }
	cover.Point(g, "all", identity)
	few := cover.Point(g, "few", identity)
	few.Ignore("negative").Range(math.MinInt16, -1)
	few.Illegal("large").Range(1024, math.MaxInt16)
	wide := cover.NewGroup[uint64](&recorder{}, "wide")
	cover.Point(wide, "wide", func(v uint64) uint64 { return v })
	cover.Point(wide, "one", func(v uint64) uint64 { return v }).Bins("").Range(0, math.MaxUint64).Split(1)
	for _, v := range []uint64{0, 1<<58 - 1, 1 << 58, math.MaxUint64} {
		wide.Sample(v)
	}
	g.Sample(-32768)
	g.Sample(1023)
	d := g.Data()
	if err := d.Merge(wide.Data()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[[2]string]uint64{
		{"all", "auto[-32768:-31745]"}: 1, {"all", "auto[0:1023]"}: 1, {"few", "auto[0:1023]"}: 1,
		{"wide", "auto[0:288230376151711743]"}: 2, {"wide", "auto[288230376151711744:576460752303423487]"}: 1,
		{"wide", "auto[18158513697557839872:18446744073709551615]"}: 1, {"one", "0:18446744073709551615"}: 4,
	} {
		group := "g"
		if name[0] == "wide" || name[0] == "one" {
			group = "wide"
		}
		if got, ok := d.Bins[coverdb.Bin{Group: group, Item: name[0], Kind: coverdb.Goal, Name: name[1]}]; !ok || got.Count != want {
			t.Errorf("%q: %d hits (%v), not %d", name, got.Count, ok, want)
		}
	}
	count := map[string]int{}
	for b := range d.Bins {
		if b.Kind == coverdb.Goal {
			count[b.Item]++
		}
	}
	if diff := cmp.Diff(map[string]int{"all": 64, "few": 1, "wide": 64, "one": 1}, count); diff != "" {
		t.Errorf("numbers of bins (-want +got)\n%s", diff)
	}
}

// The table finds the same bins as looking at each bin's values.
func TestLookup(t *testing.T) {
	type kinds struct {
		kind   string
		lo, hi int32
	}
	edge := rapid.OneOf(rapid.Int32Range(-20, 20), rapid.Int32Range(-5000, 5000), rapid.Int32())
	rapid.Check(t, func(t *rapid.T) {
		sets := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) kinds {
			k := kinds{rapid.SampledFrom([]string{"bin", "bin", "bins", "ignore", "illegal"}).Draw(t, "kind"), edge.Draw(t, "lo"), edge.Draw(t, "hi")}
			k.lo, k.hi = min(k.lo, k.hi), max(k.lo, k.hi)
			return k
		}), 1, 8).Draw(t, "sets")
		values := rapid.SliceOfN(edge, 1, 50).Draw(t, "values")
		for _, s := range sets { // the ends of ranges are what goes wrong
			values = append(values, s.lo, s.hi, s.lo-1, s.hi+1)
		}
		g := cover.NewGroup[int32](&recorder{}, "g")
		p := cover.Point(g, "p", func(v int32) int32 { return v })
		p.Default("default")
		p.Bin("all").Range(math.MinInt32, math.MaxInt32)
		in := func(v int32, kind string) (names []string) {
			for i, s := range sets {
				if s.kind == kind && s.lo <= v && v <= s.hi {
					names = append(names, fmt.Sprint(kind, i))
				}
			}
			return names
		}
		for i, s := range sets {
			name := fmt.Sprint(s.kind, i)
			switch s.kind {
			case "bin":
				p.Bins(name).Range(s.lo, s.hi).Split(1)
			case "bins":
				p.Bins(name).Range(s.lo, s.hi).Split(3)
			case "ignore":
				p.Ignore(name).Range(s.lo, s.hi)
			case "illegal":
				p.Illegal(name).Range(s.lo, s.hi)
			}
		}
		// Bin "all" must keep a value. If any value is left, the first of all is, or one right
		// behind an excluded range.
		left := func(v int32) bool { return in(v, "ignore") == nil && in(v, "illegal") == nil }
		kept := left(math.MinInt32)
		for _, s := range sets {
			kept = kept || s.hi < math.MaxInt32 && left(s.hi+1)
		}
		if !kept {
			t.Skip("all values are excluded")
		}
		want := map[string]uint64{}
		for _, v := range values {
			g.Sample(v)
			illegal, ignored := in(v, "illegal"), in(v, "ignore")
			switch {
			case illegal != nil:
				want[illegal[0]]++
			case ignored != nil:
				for _, n := range ignored {
					want[n]++
				}
			default:
				want["all"]++
				for _, n := range append(in(v, "bin"), in(v, "bins")...) {
					want[n]++
				}
			}
		}
		got := map[string]uint64{}
		for b, h := range g.Data().Bins {
			if name, _, _ := strings.Cut(b.Name, "["); h.Count > 0 {
				got[name] += h.Count
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got)\n%s", diff)
		}
	})
}

// The transitions found are the same as by a search in every window of the sequence.
func TestTransitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"a", "b", "c", "ab"} // ab overlaps a and b
		paths := rapid.SliceOfNDistinct(rapid.SliceOfN(rapid.SampledFrom(names), 2, 30), 1, 8, func(p []string) string { return strings.Join(p, "=>") }).Draw(t, "paths")
		values := rapid.SliceOfN(rapid.IntRange(0, 3), 0, 60).Draw(t, "values")
		g := cover.NewGroup[int](&recorder{}, "g")
		p := cover.Point(g, "p", func(v int) int { return v })
		p.Bin("a", 0)
		p.Bin("b", 1)
		p.Bin("c", 2)
		p.Bin("ab", 0, 1)
		member := map[string][]int{"a": {0}, "b": {1}, "c": {2}, "ab": {0, 1}}
		for _, path := range paths {
			p.Transition(path...)
		}
		for _, v := range values {
			g.Sample(v)
		}
		for _, path := range paths {
			want := uint64(0)
			for at := range values {
				match := at+len(path) <= len(values)
				for i := 0; match && i < len(path); i++ {
					match = false
					for _, m := range member[path[i]] {
						match = match || values[at+i] == m
					}
				}
				if match {
					want++
				}
			}
			name := strings.Join(path, "=>")
			if got := g.Data().Bins[coverdb.Bin{Group: "g", Item: "p", Kind: coverdb.Goal, Name: name}].Count; got != want {
				t.Fatalf("%s: %d hits, not %d", name, got, want)
			}
		}
	})
}

// A combination is hit if all its bins are, also where bins overlap.
func TestCrossOverlap(t *testing.T) {
	g := cover.NewGroup[[2]int](&recorder{}, "g")
	a := cover.Point(g, "a", func(v [2]int) int { return v[0] })
	a.Bin("low").Range(0, 5)
	a.Bin("high").Range(5, 9)
	b := cover.Point(g, "b", func(v [2]int) int { return v[1] })
	b.Bin("even", 0, 2, 4)
	b.Bin("small", 0, 1)
	g.Cross("x", a, b)
	for _, v := range [][2]int{{5, 0}, {1, 1}, {5, 7}, {20, 0}} {
		g.Sample(v)
	}
	d := g.Data()
	for b := range d.Bins {
		if !b.Cross {
			delete(d.Bins, b)
		}
	}
	check(t, d, `
x:
  bin 1/1 <low,even>
  bin 2/1 <low,small>
  bin 1/1 <high,even>
  bin 1/1 <high,small>
`)
}

// A combination that is illegal and ignored is illegal, whichever is defined first.
func TestCrossExcluded(t *testing.T) {
	for _, first := range []string{"ignore", "illegal"} {
		r := &recorder{}
		g := cover.NewGroup[[2]int](r, "g")
		a := cover.Point(g, "a", func(v [2]int) int { return v[0] })
		a.Bins("", 0, 1)
		b := cover.Point(g, "b", func(v [2]int) int { return v[1] })
		b.Bins("", 0, 1)
		x := g.Cross("x", a, b)
		if first == "ignore" {
			x.Ignore("zero", a.Binsof("0")).Illegal("both", a.Binsof("0"), b.Binsof("0"))
		} else {
			x.Illegal("both", a.Binsof("0"), b.Binsof("0")).Ignore("zero", a.Binsof("0"))
		}
		g.Sample([2]int{0, 0})
		g.Sample([2]int{0, 1})
		if len(r.errors) != 1 || !strings.Contains(r.errors[0], `the combination <0,0> is in the illegal bin "both"`) {
			t.Errorf("%s first: %q", first, r.errors)
		}
	}
}

// Bins whose names do not say their values list them, always in the same form.
func TestValues(t *testing.T) {
	g := cover.NewGroup[op](&recorder{}, "g")
	p := cover.Point(g, "p", func(o op) op { return o })
	p.Bin("some", 9, 4).Range(5, 6).Range(6, 7)
	p.Bin("11", 11)
	p.Bins("", read)
	p.Default("rest")
	p.Transition("some", "11")
	for name, want := range map[string]string{"some": "4:7,9", "11": "", read.String(): fmt.Sprint(uint64(read)), "rest": "", "some=>11": ""} {
		found := false
		for b, h := range g.Data().Bins {
			if b.Name == name {
				if found = true; h.Values != want {
					t.Errorf("bin %q has the values %q, want %q", name, h.Values, want)
				}
			}
		}
		if !found {
			t.Errorf("no bin %q", name)
		}
	}
}

// A transition does not go from one run to the next one.
func TestRestart(t *testing.T) {
	g := cover.NewGroup[int](&recorder{}, "g")
	p := cover.Point(g, "p", func(v int) int { return v })
	p.Bins("", 0, 3)
	p.Transition("3", "0")
	for range 2 {
		g.Restart()
		g.Sample(0)
		g.Sample(3)
	}
	bin := coverdb.Bin{Group: "g", Item: "p", Kind: coverdb.Goal, Name: "3=>0"}
	if n := g.Data().Bins[bin].Count; n != 0 {
		t.Errorf("3=>0 was hit %d times over a restart", n)
	}
	g.Sample(0)
	if n := g.Data().Bins[bin].Count; n != 1 {
		t.Errorf("3=>0 was hit %d times, not once", n)
	}
}

func TestMistakes(t *testing.T) {
	type group = cover.Group[int]
	same := func(v int) int { return v }
	for want, define := range map[string]func(g *group){
		`coverage group "g", "p": the group has a point or cross of this name already`:                                                   func(g *group) { cover.Point(g, "p", same); cover.Point(g, "p", same) },
		`coverage group "g", "": a point or cross needs a name`:                                                                          func(g *group) { cover.Point(g, "", same) },
		`coverage group "g", "p": bin "b" is defined twice`:                                                                              func(g *group) { p := cover.Point(g, "p", same); p.Bin("b", 1); p.Bin("b", 2); g.Sample(1) },
		`coverage group "g", "p": bin "b" has no values`:                                                                                 func(g *group) { cover.Point(g, "p", same).Bin("b"); g.Sample(1) },
		`coverage group "g", "p": a bin needs a name`:                                                                                    func(g *group) { cover.Point(g, "p", same).Bin("", 1); g.Sample(1) },
		`coverage group "g", "p": bin "b": no value is in the range from 4 to 3`:                                                         func(g *group) { cover.Point(g, "p", same).Bin("b").Range(4, 3) },
		`coverage group "g", "p": bins "b": there are more than 65536 values from 0 to 65536: use Split`:                                 func(g *group) { cover.Point(g, "p", same).Bins("b").Range(0, 65536); g.Sample(1) },
		`coverage group "g", "p": bin "b" cannot be split: define it with Bins`:                                                          func(g *group) { cover.Point(g, "p", same).Bin("b", 1).Split(2) },
		`coverage group "g", "p": bin "b": all its values are ignored or illegal`:                                                        func(g *group) { p := cover.Point(g, "p", same); p.Bin("b", 1); p.Ignore("i", 1); g.Sample(1) },
		`coverage group "g", "p": transition b=>c: there is no bin "c"`:                                                                  func(g *group) { p := cover.Point(g, "p", same); p.Bin("b", 1); p.Transition("b", "c") },
		`coverage group "g", "p": transition "b" has 1 bins, not 2 to 64`:                                                                func(g *group) { p := cover.Point(g, "p", same); p.Bin("b", 1); p.Transition("b") },
		`coverage group "g", "p": there is a default bin already, "d"`:                                                                   func(g *group) { p := cover.Point(g, "p", same); p.Default("d"); p.Default("e") },
		`coverage group "g": a goal of no hits is reached without a sample: use 1 or more, or Ignore for values that do not matter`:      func(g *group) { g.AtLeast(0) },
		`coverage group "g", "p": a goal of no hits is reached without a sample: use 1 or more, or Ignore for values that do not matter`: func(g *group) { cover.Point(g, "p", same).AtLeast(0) },
		`coverage group "g", "x": a goal of no hits is reached without a sample: use 1 or more, or Ignore for values that do not matter`: func(g *group) {
			p, q := cover.Point(g, "p", same), cover.Point(g, "q", same)
			p.Bin("b", 1)
			q.Bin("b", 1)
			g.Cross("x", p, q).AtLeast(0)
		},
		`coverage group "g", "x": a cross needs two points or more`: func(g *group) { g.Cross("x", cover.Point(g, "p", same)) },
		`coverage group "g", "x": point "p" comes twice`:            func(g *group) { p := cover.Point(g, "p", same); g.Cross("x", p, p) },
		`coverage group "g", "p": there is no bin "c" to select`:    func(g *group) { p := cover.Point(g, "p", same); p.Bin("b", 1); p.Binsof("c") },
		`coverage group "g", "x": point "q" is not of this group`: func(g *group) {
			g.Cross("x", cover.Point(g, "p", same), cover.Point(cover.NewGroup[int](&recorder{}, "h"), "q", same))
		},
		`coverage group "g", "q": defined after the first sample`:                                                   func(g *group) { cover.Point(g, "p", same); g.Sample(1); cover.Point(g, "q", same) },
		`coverage group "g", "p": bin "b" is defined too late: define bins before transitions, crosses and samples`: func(g *group) { p := cover.Point(g, "p", same); g.Sample(1); p.Bin("b", 1) },
		`coverage group "g", "x": it would have more than 65536 bins: use fewer bins in its points`: func(g *group) {
			p, q := cover.Point(g, "p", same), cover.Point(g, "q", same)
			p.Bins("p").Range(0, 256)
			q.Bins("q").Range(0, 256)
			g.Cross("x", p, q)
		},
	} {
		r := &recorder{}
		func() {
			defer func() {
				if e := recover(); e != nil && e != (fatal{}) {
					panic(e)
				}
			}()
			define(cover.NewGroup[int](r, "g"))
		}()
		if diff := cmp.Diff([]string{want}, r.errors); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
	r := &recorder{}
	g := cover.NewGroup[int](r, "late")
	cover.Point(g, "p", same)
	r.end()
	g.Sample(1)
	if diff := cmp.Diff([]string{`coverage group "late" is sampled after the end of its test: what comes now is not counted`}, r.errors); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// The merged counts of many streams are those of one stream with all samples.
func TestMergeOfStreams(t *testing.T) {
	values := func(n int) []beat {
		var all []beat
		for i := range 200 {
			all = append(all, beat{op: read, size: uint8((i*n)%16 + 1), valid: i&n == 0})
		}
		return all
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	var merged coverdb.Data
	for n := range 8 {
		wg.Go(func() {
			g := newBeats(&recorder{})
			for _, b := range values(n) {
				g.Sample(b)
			}
			mu.Lock()
			defer mu.Unlock()
			if err := merged.Merge(g.Data()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	all := newBeats(&recorder{})
	for n := range 8 {
		for _, b := range values(n) {
			all.Sample(b)
		}
	}
	if diff := cmp.Diff(all.Data(), &merged); diff != "" {
		t.Errorf("(-one +merged)\n%s", diff)
	}
}

func TestSampleDoesNotAllocate(t *testing.T) {
	g := newBeats(t)
	b := beat{op: read, size: 1}
	g.Sample(b)
	if n := testing.AllocsPerRun(1000, func() { g.Sample(b) }); n != 0 {
		t.Errorf("%v allocations a sample", n)
	}
}

func BenchmarkSample(b *testing.B) {
	b.Run("one point", func(b *testing.B) {
		g := cover.NewGroup[uint8](&recorder{}, "g")
		cover.Point(g, "p", func(v uint8) uint8 { return v })
		for i := 0; b.Loop(); i++ {
			g.Sample(uint8(i))
		}
	})
	b.Run("one point, sparse", func(b *testing.B) {
		g := cover.NewGroup[uint64](&recorder{}, "g")
		cover.Point(g, "p", func(v uint64) uint64 { return v })
		for i := uint64(0); b.Loop(); i += 1 << 55 {
			g.Sample(i)
		}
	})
	b.Run("four points, a cross, three transitions", func(b *testing.B) {
		g := newBeats(&recorder{})
		for i := 0; b.Loop(); i++ {
			g.Sample(beat{op: read, size: uint8(i & 1), valid: i&2 == 0, delta: int8(i & 3)})
		}
	})
}
