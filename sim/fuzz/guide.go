// Package fuzz lets Go's fuzzer explore RTL: `go test -fuzz` keeps the inputs that reach new code
// of the RTL, and tries changes of them.
//
//	func FuzzFIFO(f *testing.F) {
//		fuzz.Run(f, fifo, 64, func(t *testing.T, dut *sim.DUT[In, Out], in []In) { // at most 64 cycles
//			sim.Check(t, dut, &model{}, slices.Values(in))
//		})
//	}
//
// runs with
//
//	go test ./fifo -run '^$' -fuzz FuzzFIFO -fuzzminimizetime 10000x
//
// until a test fails. Go keeps the input that fails in testdata/fuzz. Plain go test runs it again
// like any other test, and then leaves a report, waveforms and the shrunk stimulus.
//
// Short inputs are better, as a change is then more likely to matter. Go tries up to 10 000 ways to
// shorten each input that it keeps, which is enough for some 100 bytes; [Decoder.Size] is the
// number of bytes of a cycle. Without -fuzzminimizetime it tries for up to a minute each. If your
// inputs are much longer, give -fuzzminimizetime 0: inputs for which Go could not try all ways are
// often lost, for the reason that [Spare] explains.
//
// With [Run], the fuzzer chooses the inputs of each cycle. [RunWith] takes a decoder of your own
// from bytes to stimulus.
//
// Run consists of a [Decoder] and a [Guide], which shows Go what is new. Use these two for DUTs
// with options, or for more than one DUT.
//
// # How it works
//
// For fuzzing, the go command compiles all packages of the test with an 8-bit counter in each basic
// block (the compiler's -d=libfuzzer). It keeps an input if a counter reaches a power of two that
// it has not reached before. It cannot see into a Verilated model, but the model counts code
// coverage. For each coverage point that was reached, [Guide.Case] runs one case of a Go switch,
// and the counter of this case shows Go that something new has happened.
//
// How often a point was reached matters by class only, as in AFL (M. Zalewski, "Technical details
// for afl-fuzz"): once, 2 to 7 times, 8 to 31 times, or more. Every input that is kept takes a
// share of Go's time. In RTL most lines run once a cycle, so that finer classes would mostly
// measure the length of an input. For the same reason toggles are not counted: data move every bit
// of a bus.
//
// There are 4096 cases, one for each coverage point. In larger designs the points are hashed, and
// two may share a case. More cases would make each run slower, as Go looks at all its counters
// after every run.
//
// A run must depend on its input alone. If state survives the reset (in memories, or in counters
// without a reset), Go keeps inputs that reach nothing new, and a failure need not happen again.
// Models and testbenches in Go guide the fuzzer, too, without this package.
package fuzz

//go:generate go run ./internal/gen -o cases.go

import (
	"errors"
	"math/bits"

	"github.com/cosimate/cosimate/bridge"
)

// DUT is a *[sim.DUT] with any ports.
type DUT interface {
	Design() bridge.Design
	Reset(cycles int) error
	ResetCycles() int
	// Counters returns how often each coverage point was reached, always in the same order. The
	// memory changes as the simulation goes on. Nil means that there are no points.
	Counters() []uint32
}

// Guide shows Go's fuzzer what a run has reached in the RTL.
type Guide struct {
	dut    DUT
	live   []uint32
	before []uint32
	run    func(n uint16) // runs a case of the switch: function cases, but in tests
}

// NewGuide returns a guide by the coverage counters of a DUT. It is an error if the DUT has none.
func NewGuide(dut DUT) (*Guide, error) {
	live := dut.Counters()
	if len(live) == 0 {
		return nil, errors.New("fuzz: the DUT has no coverage counters to guide by: open it under Verilator, with sim.WithLineCoverage()")
	}
	return &Guide{dut: dut, live: live, before: make([]uint32, len(live)), run: cases}, nil
}

// Case resets the DUT as sim.Check does, calls run, which plays one input, and shows Go the
// coverage points that it has reached. Points that the reset reaches are not shown, as they depend
// on the run before. If run fails the test or panics, nothing is shown, and need not be.
//
// A design without a reset is not reset. If it has a clock, it needs a new DUT and a new guide for
// each call, as in [Run].
func (g *Guide) Case(run func()) {
	if g.dut.Design().Reset != "" {
		g.dut.Reset(g.dut.ResetCycles()) // after an error the DUT has ended: run gets the same error
	}
	copy(g.before, g.live)
	run()
	for i := range g.live {
		// Cover properties begin to count anew after the first reset. A counter that is less than
		// before was not reached.
		if n := g.live[i] - g.before[i]; int32(n) > 0 {
			which := caseOf(i, len(g.live))
			for range 1 << class(n) {
				g.run(which)
			}
		}
	}
}

// class returns the class of a count that is not 0, from 0 to 3. The case is run 1, 2, 4 or 8 times
// by class, which are four different things to Go.
func class(n uint32) int { return min(bits.Len32(n)/2, 3) }

// caseOf returns the case for one of n coverage points.
func caseOf(point, n int) uint16 {
	if n > count {
		// Multiplicative hashing, with 2^32 divided by the golden ratio: Knuth, "The Art of
		// Computer Programming" 3, 6.4.
		return uint16(uint64(uint32(point)*0x9e3779b1) * count >> 32)
	}
	return uint16(point)
}
