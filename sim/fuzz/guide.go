// Package fuzz lets Go's own fuzzer explore RTL: `go test -fuzz` keeps the inputs that reach
// code of the RTL which no input before has reached, and goes on from there.
//
//	func FuzzLock(f *testing.F) {
//		dut := sim.OpenTest[In, Out](f, lock, sim.Verilator, sim.WithCoverage())
//		guide, err := fuzz.NewGuide(dut)
//		...
//		decoder, err := fuzz.NewDecoder[In](64) // at most 64 cycles
//		...
//		f.Fuzz(func(t *testing.T, data []byte) {
//			guide.Case(func() { sim.Check(t, dut, &model{}, slices.Values(decoder.Decode(data))) })
//		})
//	}
//
// runs with
//
//	go test -fuzz FuzzLock -fuzzminimizetime 1000x ./lock
//
// and, as any other test, with plain go test: that runs the seeds (f.Add) and the failures found
// before, which go test keeps in testdata/fuzz. Short inputs are worth something, as a change is then more likely to
// be where it matters: Go tries up to 1000 ways to shorten each input that it keeps. (Without
// -fuzzminimizetime it does so for up to a minute each; with less than some 1000, finding takes longer.)
//
// # How it works
//
// When fuzzing, the go command compiles all packages of the test with a counter, 8 bits wide, in
// each basic block (the compiler's -d=libfuzzer), and keeps an input if a counter reaches a power of two
// that it has not reached before. It cannot see into a Verilated model. But that has counters of its own, code coverage: for each
// that a case has moved, [Guide.Case] runs one case of a switch, whose counter says to Go that something
// new has happened. As in AFL (M. Zalewski, "Technical details for afl-fuzz"), how often a point was reached
// matters by class only: 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more times.
//
// Two cases of the switch belong to a point, each for four of the classes: one run 1, 2, 4 or 8 times
// is four things to Go. There are 4096 cases, enough for 2048 coverage points. Those of larger designs are hashed, and two
// of them may share a case. More cases would cost time in each run: Go looks at all of its counters after each.
//
// A case must depend on its input alone: reset the DUT at its start. What keeps state beyond the reset
// (memories, counters without one) makes Go keep inputs for nothing. Models and testbenches in Go guide the
// fuzzer as well: that is why it finds corners of a reference model without any of this.
package fuzz

//go:generate go run ./internal/gen -o cases.go

import (
	"errors"
	"math/bits"
)

// Counted has live code coverage counters: a DUT opened with coverage.
type Counted interface {
	// Counters counts how often each coverage point was reached, always in the same order. The memory
	// changes as the simulation goes on. Nil means that there are none.
	Counters() []uint32
}

// Guide tells Go's fuzzer what a case has reached in the RTL.
type Guide struct {
	live   []uint32
	before []uint32
	run    func(n uint16) // a case of the switch: cases, but for tests
}

// NewGuide makes a guide by the counters of a DUT.
func NewGuide(dut Counted) (*Guide, error) {
	live := dut.Counters()
	if len(live) == 0 {
		return nil, errors.New("fuzz: the DUT has no coverage counters to guide by: open it under Verilator, with sim.WithCoverage()")
	}
	return &Guide{live: live, before: make([]uint32, len(live)), run: cases}, nil
}

// Case runs one case, which is to reset the DUT and play one input, and reports what coverage
// points it has reached. If the case fails the test, or panics, nothing is reported, nor is there need to.
func (g *Guide) Case(run func()) {
	copy(g.before, g.live)
	run()
	for i := range g.live {
		if n := g.live[i] - g.before[i]; n != 0 {
			which, times := caseOf(i, len(g.live), class(n))
			for range times {
				g.run(which)
			}
		}
	}
}

// class is the class of a count that is not 0, from 0 to 7, as in AFL.
func class(n uint32) int {
	switch {
	case n <= 3:
		return int(n) - 1
	case n <= 127:
		return min(bits.Len32(n), 6)
	}
	return 7
}

// caseOf says which case stands for a class of one of n coverage points, and how many times to run it.
func caseOf(point, n, class int) (which uint16, times int) {
	bucket := uint32(2*point + class/4)
	if 2*n > count {
		// Multiplicative hashing, with 2^32 divided by the golden ratio: Knuth, "The Art of Computer Programming" 3, 6.4.
		bucket = uint32(uint64(bucket*0x9e3779b1) * count >> 32)
	}
	return uint16(bucket), 1 << (class % 4)
}
