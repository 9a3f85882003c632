package main

import (
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/search"
	"github.com/cosimate/cosimate/engine/uci"
	"github.com/cosimate/cosimate/rtl/simcore"
	"github.com/cosimate/cosimate/sim"
)

// The engine plays some plies against itself, as a chess program would have it, with the moves from
// the RTL in both simulators. The games are the same, as both list the same moves in the same
// order.
func TestGenerators(t *testing.T) {
	program, err := exec.LookPath("cosimate")
	if err != nil {
		t.Fatal(err)
	}
	start, err := engine.ParseFEN("8/1k4P1/8/8/2pp4/8/1K1P4/8 w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	var games [][]engine.Move
	for _, s := range sim.Simulators {
		// Its model is compiled now, however long that takes.
		player, err := simcore.OpenPlayer(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if err := player.Close(); err != nil {
			t.Fatal(err)
		}
		c, err := uci.Start(t.Context(), []string{"Generator=" + string(s), "Hash=1"}, program, "uci")
		if err != nil {
			t.Fatal(err)
		}
		g := search.Game{Start: start}
		for range 3 {
			a, err := c.Go(&g, "depth 2", 2*time.Minute)
			if err != nil {
				t.Fatalf("%s, after %v: %v", s, g.Moves, err)
			}
			g.Moves = append(g.Moves, a.Move)
		}
		if err := c.Close(); err != nil {
			t.Errorf("%s: %v", s, err)
		}
		if g.Moves[0].String() != "g7g8q" {
			t.Errorf("%s: the first move is %v", s, g.Moves[0])
		}
		games = append(games, g.Moves)
	}
	if !slices.Equal(games[0], games[1]) {
		t.Errorf("in %v the games are %v", sim.Simulators, games)
	}
}
