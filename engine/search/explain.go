package search

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/cosimate/cosimate/engine"
)

// groups are the terms by what they are about, in the order of terms.go.
var groups = []struct {
	name string
	from int
}{
	{"pieces and their squares", termSquare}, {"mobility", termMobility}, {"passed pawns", termPassed},
	{"connected pawns", termDefended}, {"isolated pawns", termIsolated}, {"doubled pawns", termDoubled},
	{"backward pawns", termBackward}, {"rooks on open files", termRookFile}, {"two bishops", termPair},
	{"pieces and own pawns", termKnightPawns}, {"outposts", termOutpost}, {"minor pieces' places", termBehindPawn},
	{"pawns before the king", termShield}, {"danger to the king", termDanger}, {"threats", termThreat},
	{"space", termSpace}, {"the move", termTempo},
}

// Explain returns a table of what each group of terms is worth in a position, in hundredths of a
// pawn for White, and the value of the whole.
func Explain(p *engine.Position) string {
	var f features
	f.collect(p)
	phase := min(f.phase, fullPhase)
	sums := make([][2]int, len(groups))
	for side := range f.terms {
		for _, t := range f.terms[side][:f.n[side]] {
			g := len(groups) - 1
			for groups[g].from > int(t) {
				g--
			}
			w := weights[t]
			sums[g][side] += int(w.Middle)*phase + int(w.End)*(fullPhase-phase)
		}
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%-26s %7s %7s\n", "", "White", "Black")
	for i, g := range groups {
		fmt.Fprintf(&s, "%-26s %7d %7d\n", g.name, sums[i][0]/fullPhase, sums[i][1]/fullPhase)
	}
	value := evaluate(p)
	if p.SideToMove() == engine.Black {
		value = -value
	}
	all := bits.OnesCount64(p.Pieces(engine.White) | p.Pieces(engine.Black))
	fmt.Fprintf(&s, "value for White %d (%d pieces, %d of %d towards the middlegame)", value, all, phase, fullPhase)
	return s.String()
}
