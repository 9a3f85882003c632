package paper

import (
	"slices"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/published"
)

// The published FIFOs are large enough for every position, and the table shows by how much.
func TestMostMoves(t *testing.T) {
	var f Figures
	for _, kind := range []engine.Piece{engine.Pawn, engine.Knight, engine.Queen, engine.King} {
		if err := mostMoves(t.Context(), &f, kind); err != nil {
			t.Fatal(err)
		}
	}
	for i := range f.MostMoves {
		r := &f.MostMoves[i]
		if most, places := r.Moves, published.Places(r.Kind); most > places && (r.Kind != engine.Pawn || r.OnePromotion) {
			t.Errorf("%s: %d moves in a FIFO of %d places", r.Kind, most, places)
		}
	}
	rows := mostMovesTable(&f).Rows
	want := [][]string{
		{"pawn", "32", "27", "8"}, {"pawn, each promotion", "-", "59", "8"}, {"knight", "128", "76", "10"},
		{"queen", "256", "193", "9"}, {"king", "8", "8", "1"},
	}
	for i, w := range want {
		if i >= len(rows) || !slices.Equal(rows[i][:4], w) {
			t.Fatalf("%q, want rows that begin %q", rows, want)
		}
	}
}
