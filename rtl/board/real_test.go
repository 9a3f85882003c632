package board_test

import (
	"flag"
	"testing"
	"time"

	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/sim"
)

var realTime = flag.Bool("board.real", false, "play a game at the real time constants")

// At the time constants of the real board, 100 MHz, 0.4 ms a sensor, 115 200 baud: 5 million cycles
// a scan.
func TestReal(t *testing.T) {
	if !*realTime {
		t.Skip("it takes minutes: -board.real plays it, as make nightly does")
	}
	t.Parallel()
	names := []string{"f2f3", "e7e5", "g2g4", "d8h4"}
	d := sim.OpenTest[board.In, board.Out](t, board.Real.Design(), sim.Verilator)
	began := time.Now()
	h := newPlayer(newBench(t, d, board.Real, 1), seeded(1))
	play := func() error {
		if err := h.begin(start, 2, 0); err != nil {
			return err
		}
		for _, name := range names {
			m, _ := uci(&h.p, name)
			if err := h.move(m); err != nil {
				return err
			}
		}
		return h.ended(rules.BlackWins, rules.Mate)
	}
	if err := play(); err != nil {
		d.Fail(t, h.wrong(err))
	}
	simulated, took := float64(h.Cycle())/float64(board.Real.ClockHz), time.Since(began).Seconds()
	t.Logf("%d moves at real time constants: %.1f s simulated in %.0f s, %.4f simulated seconds per second (%.2f M cycles/s)",
		len(names), simulated, took, simulated/took, float64(h.Cycle())/1e6/took)
}
