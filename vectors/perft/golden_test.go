package perft_test

import (
	"fmt"
	"testing"

	golden "github.com/cosimate/cosimate/vectors/perft"
)

// Each position has its published number of moves, by the reference.
func TestMovesOfTheReference(t *testing.T) {
	all := golden.Suites()
	if len(all) < 3000 || len(golden.Positions()) != len(all) {
		t.Fatalf("there are %d positions with counts, and %d positions", len(all), len(golden.Positions()))
	}
	for _, e := range all {
		if c := e.Counts[0]; c.Depth == 1 && uint64(e.Position.Count()) != c.Nodes {
			t.Errorf("%s: the reference counts %d moves, published are %d", e.FEN, e.Position.Count(), c.Nodes)
		}
	}
}

// The first golden position is the start of a game.
func Example() {
	e := golden.Suites()[0]
	fmt.Println(e.FEN, "has", e.Counts[0].Nodes, "moves")
	// Output: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 has 20 moves
}
