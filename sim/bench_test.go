package sim_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"testing/fstest"
	"time"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/simbench"
)

var pipe = sim.Design{Top: "pipe", FS: os.DirFS("testdata"), Dir: "sim/testdata", Files: []string{"pipe.sv"}, Clock: "clk_i", Reset: "rst_i"}

type pipeIn struct {
	Rst   bool   `port:"rst_i"`
	Valid bool   `port:"valid_i"`
	Op    uint8  `port:"op_i"`
	A     uint64 `port:"a_i"`
	B     uint64 `port:"b_i"`
	Tag   uint16 `port:"tag_i"`
}

type pipeOut struct {
	Valid  bool   `port:"valid_o"`
	Result uint64 `port:"result_o"`
	Tag    uint16 `port:"tag_o"`
	Zero   bool   `port:"zero_o"`
	Count  uint32 `port:"count_o"`
}

// The cost of co-simulation on a block of 12 ports that is nearly free to
// simulate: the worst case.
func BenchmarkPipe(b *testing.B) {
	for _, c := range []struct {
		simulator sim.Simulator
		cycles    int
	}{{sim.Verilator, 2_000_000}, {sim.Icarus, 100_000}} {
		b.Run(string(c.simulator), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			in := make([]pipeIn, c.cycles)
			for i := range in {
				in[i] = pipeIn{Rst: i < 4, Valid: r.IntN(4) > 0, Op: uint8(r.IntN(4)), A: r.Uint64(), B: r.Uint64(), Tag: uint16(r.Uint32())}
			}
			simbench.Run[pipeIn, pipeOut](b, pipe, c.simulator, in)
		})
	}
}

// What lockstep of all simulators costs over the slowest of them alone: they work side by side.
func BenchmarkLockstep(b *testing.B) {
	const cycles = 30_000
	in := func(yield func(counterIn) bool) {
		for i := range cycles {
			if !yield(counterIn{Enable: i%3 > 0}) {
				return
			}
		}
	}
	var alone, together time.Duration
	for b.Loop() {
		for _, simulators := range [][]sim.Simulator{{sim.Icarus}, sim.Simulators} {
			start := time.Now()
			if len(simulators) > 1 {
				sim.Lockstep(b, counter, &counterModel{}, in)
				together += time.Since(start)
			} else {
				sim.Check(b, sim.OpenTest[counterIn, counterOut](b, counter, simulators[0]), &counterModel{}, in)
				alone += time.Since(start)
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(alone)/float64(together), "lockstep/icarus")
}

// From Open to the first cycle done, compiled before.
func BenchmarkWarmStart(b *testing.B) {
	for _, s := range sim.Simulators {
		b.Run(string(s), func(b *testing.B) {
			for b.Loop() {
				dut, err := sim.Open[counterIn, counterOut](b.Context(), counter, s)
				if err == nil {
					_, err = dut.Step(counterIn{})
				}
				if err != nil {
					b.Fatal(err)
				}
				dut.Close()
			}
		})
	}
}

// From a changed source to the first cycle done.
func BenchmarkChangedSource(b *testing.B) {
	text, err := os.ReadFile("testdata/counter.sv")
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range sim.Simulators {
		b.Run(string(s), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				d := counter
				d.FS = fstest.MapFS{"counter.sv": {Data: fmt.Appendf(text, "// %d %d", time.Now().UnixNano(), i)}}
				dut, err := sim.Open[counterIn, counterOut](b.Context(), d, s)
				if err == nil {
					_, err = dut.Step(counterIn{})
				}
				if err != nil {
					b.Fatal(err)
				}
				dut.Close()
			}
		})
	}
}
