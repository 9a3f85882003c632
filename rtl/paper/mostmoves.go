package paper

import (
	"context"
	"strconv"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/mobility"
	"github.com/cosimate/cosimate/rtl/published"
)

// mostMoves finds the most moves of a kind of piece. Of pawns there are two figures.
func mostMoves(ctx context.Context, f *Figures, kind engine.Piece) error {
	if kind == engine.Pawn {
		r, err := mobility.MostSquares()
		if err != nil {
			return err
		}
		f.MostMoves = append(f.MostMoves, r)
	}
	r, err := mobility.Most(ctx, kind)
	if err != nil {
		return err
	}
	f.MostMoves = append(f.MostMoves, r)
	return nil
}

func mostMovesTable(f *Figures) Table {
	t := Table{
		Title: "The most moves that the pieces of a kind can have (published: table 4.3)",
		Notes: []string{
			"Places: of the published FIFO for the kind. Most: legal moves in one position, proved by exhaustion, and a position that has them. " +
				"The published FIFO holds a promotion once. movegen has no FIFO: a move leaves in the cycle in which it is found. " +
				"That of core holds a whole list.",
		},
		Head: []string{"kind", "places", "most", "pieces", "position"},
	}
	for i := range f.MostMoves {
		r := &f.MostMoves[i]
		name, places := r.Kind.String(), strconv.Itoa(published.Places(r.Kind))
		if r.Kind == engine.Pawn && !r.OnePromotion {
			name, places = "pawn, each promotion", "-"
		}
		t.Rows = append(t.Rows, []string{name, places, strconv.Itoa(r.Moves), strconv.Itoa(r.Pieces), r.Position.FEN()})
	}
	return t
}
