package fuzz

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"strconv"
	"strings"
	"testing"
)

type counted []uint32

func (c counted) Counters() []uint32 { return c }

// The switch has each case once, empty, and no default: each is a counter of its own for the fuzzer.
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
	if _, err := NewGuide(counted(nil)); err == nil || !strings.Contains(err.Error(), "sim.WithCoverage()") {
		t.Errorf("error %v", err)
	}
}

func TestCase(t *testing.T) {
	live := counted{math.MaxUint32, 0, 7, 0}
	g, err := NewGuide(live)
	if err != nil {
		t.Fatal(err)
	}
	ran := map[uint16]int{}
	g.run = func(n uint16) { ran[n]++ }
	g.Case(func() {
		live[0] += 3   // wraps: class 2 of the lower four
		live[2] += 1   // class 0
		live[3] += 200 // class 7
	})
	if want := map[uint16]int{0: 4, 4: 1, 7: 8}; !maps.Equal(ran, want) {
		t.Errorf("ran %v, want %v", ran, want)
	}
	clear(ran)
	g.Case(func() { live[1]++ })
	if want := map[uint16]int{2: 1}; !maps.Equal(ran, want) {
		t.Errorf("the second case: ran %v, want %v: what the first has counted is no news", ran, want)
	}
	// A case that fails its test ends its goroutine, and so reports nothing; the next one starts afresh.
	clear(ran)
	done := make(chan struct{})
	go func() {
		defer func() { recover(); close(done) }()
		g.Case(func() { live[1]++; panic("failed") })
	}()
	<-done
	g.Case(func() { live[2]++ })
	if want := map[uint16]int{4: 1}; !maps.Equal(ran, want) {
		t.Errorf("after a failure: ran %v, want %v", ran, want)
	}
}

func TestClasses(t *testing.T) {
	for n, want := range map[uint32]int{1: 0, 2: 1, 3: 2, 4: 3, 7: 3, 8: 4, 15: 4, 16: 5, 31: 5, 32: 6, 127: 6, 128: 7, 1 << 31: 7, math.MaxUint32: 7} {
		if got := class(n); got != want {
			t.Errorf("class of %d is %d, want %d", n, got, want)
		}
	}
}

// All classes of all points are different things to Go while there is room, and spread evenly beyond.
func TestCaseOf(t *testing.T) {
	for _, n := range []int{1, 100, 2048, 2049, 100_000} {
		used := map[[2]int]int{}
		for point := range n {
			for class := range 8 {
				which, times := caseOf(point, n, class)
				if which >= count || times < 1 || times > 8 {
					t.Fatalf("point %d of %d, class %d: case %d, %d times", point, n, class, which, times)
				}
				used[[2]int{int(which), times}]++
			}
		}
		most := 0
		for _, shared := range used {
			most = max(most, shared)
		}
		if fair := 2 * n / count; n <= 2048 && most != 1 || most > 2*fair+2 {
			t.Errorf("%d points: up to %d share a case, %d would be fair", n, most, fair)
		}
	}
}
