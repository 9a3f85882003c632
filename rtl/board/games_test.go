package board_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/sim"
)

var games = flag.Int("board.games", 2, "recorded games that are played; more than there are: all")

// Recorded games are played at the board, from pins to pins: by two persons, or by a person and the PC over either
// link. After each move the board's position is engine's.
func TestGames(t *testing.T) {
	all := records(t)
	const simulator = sim.Verilator // a game takes some million cycles
	d := sim.OpenTest[board.In, board.Out](t, board.Scaled.Design(), simulator)
	h := newPlayer(sit(t, d, board.Scaled, 1), seeded(1))
	began, cycles := time.Now(), h.Cycle()
	moves := 0
	for i := range min(*games, len(all)) {
		// Which ones depends on the seed.
		g := &all[(i*17+int(sim.Seed()%uint64(len(all))))%len(all)]
		remote, lines := uint8(i%4), uint8(0)
		if i%5 == 4 {
			remote, lines = 0, remote
		}
		if err := h.game(g, remote, lines); err != nil {
			d.Fail(t, h.wrong(fmt.Errorf("%s, remote %02b, over the lines %02b: %w", g.name, remote, lines, err)))
		}
		moves += len(g.moves)
	}
	took, cycles := time.Since(began), h.Cycle()-cycles
	t.Logf("%d games, %d moves, %d cycles, %.2f M cycles/s", min(*games, len(all)), moves, cycles, float64(cycles)/1e6/took.Seconds())
	t.Log(h.seen)
}
