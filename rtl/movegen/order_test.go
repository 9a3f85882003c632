package movegen_test

import (
	"strings"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/movegen"
)

// What the orders and the filters mean, written out by hand: the model's lists of two positions,
// the first also with the colours swapped.
func TestLists(t *testing.T) {
	const (
		corner   = "n6k/1P6/8/8/8/8/1R6/K7 w - - 0 1"
		mirrored = "k7/1r6/8/8/8/8/1p6/N6K b - - 0 1"
		victims  = "7k/8/8/3q3p/r1P5/4N3/8/1K1Q4 w - - 0 1"
		rook     = "b2c2 b2d2 b2e2 b2f2 b2g2 b2h2 b2b3 b2b4 b2b5 b2b6"
		captures = "b7a8q b7a8r b7a8b b7a8n"
		pushes   = "b7b8q b7b8r b7b8b b7b8n"
	)
	for _, c := range []struct {
		fen    string
		order  movegen.Order
		filter movegen.Filter
		want   string
	}{
		{corner, movegen.Plain, movegen.All, "b2b1 a1b1 b2a2 a1a2 " + rook + " " + captures + " " + pushes},
		{corner, movegen.CapturesFirst, movegen.All, captures + " " + pushes + " b2b1 a1b1 b2a2 a1a2 " + rook},
		{corner, movegen.LeastAggressor, movegen.All, captures + " " + pushes + " b2b1 a1b1 b2a2 a1a2 " + rook},
		{corner, movegen.MostAggressor, movegen.All, captures + " " + pushes + " a1b1 b2b1 a1a2 b2a2 " + rook},
		{corner, movegen.Plain, movegen.Captures, captures + " " + pushes},
		{corner, movegen.Plain, movegen.Checks, "b2h2 b7a8q b7a8r b7b8q b7b8r"},
		{mirrored, movegen.CapturesFirst, movegen.Checks, "b2a1q b2a1r b2b1q b2b1r b7h7"},
		{victims, movegen.Plain, movegen.Captures, "d1a4 c4d5 e3d5 d1d5 d1h5"},
		{victims, movegen.CapturesFirst, movegen.Captures, "d1a4 c4d5 e3d5 d1d5 d1h5"},
		{victims, movegen.LeastAggressor, movegen.Captures, "c4d5 e3d5 d1d5 d1a4 d1h5"},
		{victims, movegen.MostAggressor, movegen.Captures, "d1d5 e3d5 c4d5 d1a4 d1h5"},
	} {
		p, err := engine.ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		in := movegen.Encode(&p)
		in.PosValid, in.PosList, in.PosOrder, in.PosFilter, in.MoveReady = true, true, c.order, c.filter, true
		var moves []string
		m := movegen.NewModel()
		for range 100 {
			out := m.Step(in)
			in.PosValid = false
			if out.MoveValid && !out.MoveNone {
				moves = append(moves, movegen.Decode(out, p.SideToMove()).String())
			}
		}
		if got := strings.Join(moves, " "); got != c.want {
			t.Errorf("%s, %v, %v:\ngot  %s\nwant %s", c.fen, c.filter, c.order, got, c.want)
		}
	}
}
