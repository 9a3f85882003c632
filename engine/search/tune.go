package search

import "github.com/cosimate/cosimate/engine"

// Share is how much of a term's weights is in the value of a position for White.
type Share struct {
	Term        int
	Middle, End float64
}

// AppendShares appends what a position's value for White is made of: the sum of each share times
// the weights of its term. It is not ok for endgames whose value is known otherwise. It is there to
// fit the weights (scripts/tune).
func AppendShares(dst []Share, p *engine.Position) (shares []Share, ok bool) {
	if _, ok := known(p); ok {
		return dst, false
	}
	var f features
	f.collect(p)
	var counts [numTerms]int
	end := 0
	for _, t := range f.terms[engine.White][:f.n[engine.White]] {
		counts[t]++
		end += int(weights[t].End)
	}
	for _, t := range f.terms[engine.Black][:f.n[engine.Black]] {
		counts[t]--
		end -= int(weights[t].End)
	}
	middle := float64(min(f.phase, fullPhase)) / fullPhase
	late := (1 - middle) * float64(scale(p, end > 0)) / 64
	for t, n := range counts {
		if n != 0 {
			dst = append(dst, Share{t, float64(n) * middle, float64(n) * late})
		}
	}
	return dst, true
}

// Weights returns the terms' weights, for the middlegame and for the endgame, in hundredths of a
// pawn.
func Weights() [][2]int {
	list := make([][2]int, numTerms)
	for t, w := range weights {
		list[t] = [2]int{int(w.Middle), int(w.End)}
	}
	return list
}
