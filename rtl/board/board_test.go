package board_test

import (
	"math/rand/v2"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/rtl/board/table"
	"github.com/cosimate/cosimate/sim"
)

type dut = sim.DUT[board.In, board.Out]

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(sim.Seed(), n)) }

// sit puts a board on a table, with sensors that bounce as much as they may.
func sit(t testing.TB, d *dut, p board.Params, seed uint64) *table.Table {
	t.Helper()
	b, err := table.New(d, p, table.Noisy(p), sim.Seed()+seed)
	if err != nil {
		d.Fail(t, err)
	}
	return b
}

var start = engine.StartPosition()
