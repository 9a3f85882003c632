package board_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/sim"
)

var (
	games = flag.Int("board.games", 2, "recorded games that are played")
	first = flag.Int("board.first", 0, "the number of the first of the games, or of the sequences")
)

// Recorded games are played at the board, from pins to pins: by two persons, or by a person and the
// PC over either link. After each move the board's position is engine's.
func TestGames(t *testing.T) {
	t.Parallel()
	all := records(t)
	const simulator = sim.Verilator // a game takes some million cycles
	d := sim.OpenTest[board.In, board.Out](t, board.Scaled.Design(), simulator)
	h := newPlayer(newBench(t, d, board.Scaled, 1), seeded(1))
	began, cycles := time.Now(), h.Cycle()
	moves, last := 0, min(*first+*games, len(all))
	for i := *first; i < last; i++ {
		h.r = seeded(uint64(2000 + i)) // each game by itself as among others
		// Which ones depends on the seed.
		g := &all[(i*17+int(sim.Seed()%uint64(len(all))))%len(all)]
		remote, lines := uint8(i%4), uint8(0)
		if i%5 == 4 {
			remote, lines = 0, remote
		}
		if err := h.game(g, remote, lines); err != nil {
			d.Fail(t, h.wrong(fmt.Errorf("game %d (alone: -board.first=%d -board.games=1), %s, remote %02b, over the lines %02b: %w",
				i, i, g.name, remote, lines, err)))
		}
		moves += len(g.moves)
		if testing.Verbose() {
			fmt.Printf("game %d: %s, %d moves, %v\n", i, g.name, len(g.moves), g.cause)
		}
	}
	took, cycles := time.Since(began), h.Cycle()-cycles
	t.Logf("%d games, %d moves, %d cycles, %.2f M cycles/s", max(0, last-*first), moves, cycles, float64(cycles)/1e6/took.Seconds())
	t.Log(h.seen)
}
