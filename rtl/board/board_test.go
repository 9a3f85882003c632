package board_test

import (
	"math/rand/v2"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/rtl/board/bench"
	"github.com/cosimate/cosimate/sim"
)

type dut = sim.DUT[board.In, board.Out]

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(sim.Seed(), n)) }

// newBench returns a bench of a board whose sensors bounce as much as they may.
func newBench(t testing.TB, d *dut, p board.Params, seed uint64) *bench.Bench {
	t.Helper()
	b, err := bench.New(d, p, bench.Noisy(p), sim.Seed()+seed)
	if err != nil {
		d.Fail(t, err)
	}
	return b
}

var start = engine.StartPosition()
