package fuzz

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/bridge"
)

// Observe makes the guide call f instead of running cases of the switch.
func (g *Guide) Observe(f func(n uint16)) { g.run = f }

// counted is a DUT that has nothing but counters. The last one counts resets.
type counted []uint32

func (c counted) Design() bridge.Design { return bridge.Design{Reset: "rst_i"} }
func (c counted) Reset(int) error       { c[len(c)-1]++; return nil }
func (c counted) ResetCycles() int      { return 3 }
func (c counted) Counters() []uint32    { return c }

// noReset is a DUT whose design has no reset.
type noReset struct{ counted }

func (noReset) Design() bridge.Design { return bridge.Design{} }

// The switch has each case once, empty, and no default. So each has its own counter for the fuzzer.
func TestCasesAreComplete(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "cases.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if c, ok := n.(*ast.CaseClause); ok {
			if len(c.List) != 1 || len(c.Body) != 0 {
				t.Fatalf("a case has %d values and %d statements", len(c.List), len(c.Body))
			}
			v, err := strconv.Atoi(c.List[0].(*ast.BasicLit).Value)
			if err != nil || seen[v] || v < 0 || v >= count {
				t.Fatalf("case %d is surplus (error %v)", v, err)
			}
			seen[v] = true
		}
		return true
	})
	if len(seen) != count {
		t.Errorf("%d cases of %d; go generate writes them", len(seen), count)
	}
}

func TestNoCounters(t *testing.T) {
	if _, err := NewGuide(counted(nil)); err == nil || !strings.Contains(err.Error(), "sim.WithLineCoverage()") {
		t.Errorf("error %v", err)
	}
}

// Case shows what the run has reached itself, but not what the reset has.
func TestCase(t *testing.T) {
	live := counted{math.MaxUint32, 2, 7, 0, 0}
	g, err := NewGuide(live)
	if err != nil {
		t.Fatal(err)
	}
	ran := map[uint16]int{}
	g.Observe(func(n uint16) { ran[n]++ })
	g.Case(func() {
		live[0] += 3   // wraps around: class 1
		live[2] += 1   // class 0
		live[3] += 200 // class 3
		live[1] -= 2   // begins anew
	})
	if want := map[uint16]int{0: 2, 2: 1, 3: 8}; !maps.Equal(ran, want) {
		t.Errorf("ran %v, want %v", ran, want)
	}
	clear(ran)
	g.Case(func() { live[1]++ })
	if want := map[uint16]int{1: 1}; !maps.Equal(ran, want) {
		t.Errorf("the second case: ran %v, want %v: what the first has counted is no news", ran, want)
	}
	// A run that fails its test ends its goroutine, and nothing is shown. The next one is not
	// affected.
	clear(ran)
	done := make(chan struct{})
	go func() {
		defer func() { recover(); close(done) }()
		g.Case(func() { live[1]++; panic("failed") })
	}()
	<-done
	g.Case(func() { live[2]++ })
	if want := map[uint16]int{2: 1}; !maps.Equal(ran, want) {
		t.Errorf("after a failure: ran %v, want %v", ran, want)
	}
	if live[4] != 4 {
		t.Errorf("%d resets in 4 cases", live[4])
	}
	g.dut = noReset{live}
	g.Case(func() {})
	if live[4] != 4 {
		t.Error("a design without a reset was reset")
	}
}

func TestClasses(t *testing.T) {
	for n, want := range map[uint32]int{1: 0, 2: 1, 7: 1, 8: 2, 31: 2, 32: 3, 1 << 31: 3, math.MaxUint32: 3} {
		if got := class(n); got != want {
			t.Errorf("class of %d is %d, want %d", n, got, want)
		}
	}
}

// Each point has a case of its own if there are enough. More points are spread evenly.
func TestCaseOf(t *testing.T) {
	for _, n := range []int{1, 100, count, count + 1, 100_000} {
		used := map[uint16]int{}
		for point := range n {
			which := caseOf(point, n)
			if which >= count {
				t.Fatalf("point %d of %d: case %d", point, n, which)
			}
			used[which]++
		}
		most := slices.Max(slices.Collect(maps.Values(used)))
		if fair := n / count; n <= count && most != 1 || most > 2*fair+2 {
			t.Errorf("%d points: up to %d share a case, %d would be fair", n, most, fair)
		}
	}
}
