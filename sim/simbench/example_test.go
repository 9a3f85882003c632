package simbench_test

import (
	"os"
	"testing"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/simbench"
)

type counterIn struct{ Rst, Enable bool }

type counterOut struct {
	Count uint8
	Wrap  bool
}

var counter = sim.Design{Top: "counter", FS: os.DirFS("../testdata"), Dir: "sim/testdata", Files: []string{"counter.sv"}, Clock: "clk_i", Reset: "rst_i"}

// A benchmark of your own RTL: go test -run '^$' -bench Counter prints its speeds and their ratios
// to those of the bare simulators.
func Example() {
	BenchmarkCounter := func(b *testing.B) {
		in := make([]counterIn, 100_000)
		for i := range in {
			in[i] = counterIn{Rst: i < 2, Enable: i%3 != 0}
		}
		simbench.Run[counterIn, counterOut](b, counter, sim.Verilator, in)
	}
	_ = BenchmarkCounter // a function in a _test.go file
}

// Run fails the benchmark if it would compare nothing.
func TestTooFewInputs(t *testing.T) {
	r := testing.Benchmark(func(b *testing.B) {
		simbench.Run[counterIn, counterOut](b, counter, sim.Icarus, make([]counterIn, simbench.Warmup))
	})
	if r.N != 0 {
		t.Errorf("%d inputs were measured %d times", simbench.Warmup, r.N)
	}
}
