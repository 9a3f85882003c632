package sim_test

import (
	"math/rand/v2"
	"os"
	"testing"

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
