// Package fuzz lets Go's own fuzzer explore RTL: `go test -fuzz` keeps the inputs that reach
// code of the RTL which no input before has reached, and goes on from there.
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
// until something fails. Go keeps that input in testdata/fuzz, and runs it, as any other test, with
// plain go test: then it leaves a report and waveforms as well, and the stimulus, shrunk.
//
// Short inputs are worth something, as a change is then more likely to be where it matters: Go
// tries up to 10 000 ways to shorten each input that it keeps, enough for some 100 bytes. (Without
// -fuzzminimizetime it does so for up to a minute each. If yours are much longer, -fuzzminimizetime
// 0 is better: an input that Go could not try all ways for is often lost, for the reason that
// [Spare] gives.) How many bytes a cycle takes is [Decoder.Size].
//
// The stimulus of [Run] is cycles whose inputs the fuzzer chooses, each by itself. [RunWith] takes
// a decoder from bytes to stimulus of your own.
//
// Run is made of a [Decoder] and a [Guide], which tells Go what is new. Use them by
// themselves for DUTs with options, or for more than one DUT.
//
// # How it works
//
// When fuzzing, the go command compiles all packages of the test with a counter, 8 bits wide, in
// each basic block (the compiler's -d=libfuzzer), and keeps an input if a counter reaches a power
// of two that it has not reached before. It cannot see into a Verilated model. But that has
// counters of its own, code coverage: for each that a case has moved, [Guide.Case] runs one case of
// a switch, whose counter says to Go that something new has happened. As in AFL (M. Zalewski,
// "Technical details for afl-fuzz"), how often a point was reached matters by class only: once, 2
// to 7 times, 8 to 31, or more. Each input kept is one more that shares Go's time, and in RTL most
// lines run once a cycle: finer classes tell how long an input is, and little else. So do toggles:
// a bus has as many as bits, and data move them all.
//
// There are 4096 cases, one for each coverage point. The points of larger designs are hashed, and
// two of them may share a case. More cases would cost time in each run: Go looks at all of its
// counters after each.
//
// A case must depend on its input alone. What keeps state beyond the reset (memories, counters
// without one) makes Go keep inputs for nothing, and what fails because of it need not fail again.
// Models and testbenches in Go guide the fuzzer as well: that is why it finds corners of a
// reference model without any of this.
package fuzz

//go:generate go run ./internal/gen -o cases.go

import (
	"errors"
	"math/bits"

	"github.com/cosimate/cosimate/bridge"
)

// DUT is a *[sim.DUT] of any ports.
type DUT interface {
	Design() bridge.Design
	Reset(cycles int) error
	// Counters counts how often each coverage point was reached, always in the same order. The
	// memory changes as the simulation goes on. Nil means that there are none.
	Counters() []uint32
}

// Guide tells Go's fuzzer what a case has reached in the RTL.
type Guide struct {
	dut    DUT
	live   []uint32
	before []uint32
	run    func(n uint16) // a case of the switch: cases, but for tests
}

// NewGuide makes a guide by the counters of a DUT.
func NewGuide(dut DUT) (*Guide, error) {
	live := dut.Counters()
	if len(live) == 0 {
		return nil, errors.New("fuzz: the DUT has no coverage counters to guide by: open it under Verilator, with sim.WithLineCoverage()")
	}
	return &Guide{dut: dut, live: live, before: make([]uint32, len(live)), run: cases}, nil
}

// resetCycles is how long Case holds the reset: as long as sim.Check does.
const resetCycles = 3

// Case resets the DUT, if its design has a reset (what has a clock but none needs a new DUT and
// guide for each case, as in [Run]), runs one case, which is to play one input, and reports what
// coverage points it has reached. Those that the reset reaches are not among them: they are the
// work of the case before. If the case fails the test, or panics, nothing is reported, nor is there
// need to.
func (g *Guide) Case(run func()) {
	if g.dut.Design().Reset != "" {
		g.dut.Reset(resetCycles) // an error has ended the DUT: run meets it again
	}
	copy(g.before, g.live)
	run()
	for i := range g.live {
		// Out of the first reset cover properties begin to count anew: less than before is nothing
		// reached.
		if n := g.live[i] - g.before[i]; int32(n) > 0 {
			which := caseOf(i, len(g.live))
			for range 1 << class(n) {
				g.run(which)
			}
		}
	}
}

// class is the class of a count that is not 0, from 0 to 3. A case run 1, 2, 4 or 8 times is four
// things to Go.
func class(n uint32) int { return min(bits.Len32(n)/2, 3) }

// caseOf says which case stands for one of n coverage points.
func caseOf(point, n int) uint16 {
	if n > count {
		// Multiplicative hashing, with 2^32 divided by the golden ratio: Knuth, "The Art of
		// Computer Programming" 3, 6.4.
		return uint16(uint64(uint32(point)*0x9e3779b1) * count >> 32)
	}
	return uint16(point)
}
