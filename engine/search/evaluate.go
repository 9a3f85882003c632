package search

import (
	"math/bits"

	"github.com/cosimate/cosimate/engine"
)

// weight is what a term is worth in hundredths of a pawn: in the middlegame and in the endgame.
type weight struct{ Middle, End int16 }

// evaluate returns what a position is worth for the side to move, in hundredths of a pawn, by what
// stands on the board alone.
func evaluate(p *engine.Position) int {
	if value, ok := known(p); ok {
		return value
	}
	var f features
	f.collect(p)
	middle, end := 0, 0
	for _, t := range f.terms[engine.White][:f.n[engine.White]] {
		w := &weights[t]
		middle += int(w.Middle)
		end += int(w.End)
	}
	for _, t := range f.terms[engine.Black][:f.n[engine.Black]] {
		w := &weights[t]
		middle -= int(w.Middle)
		end -= int(w.End)
	}
	end = end * scale(p, end > 0) / 64
	phase := min(f.phase, fullPhase)
	value := (middle*phase + end*(fullPhase-phase)) / fullPhase
	if p.SideToMove() == engine.Black {
		value = -value
	}
	return value
}

const darkSquares = 0xaa55aa55aa55aa55 // a1 is dark

// scale returns how much of an endgame's advantage counts, of 64: without pawns a small advantage
// does not win, nor often with bishops of different colours.
func scale(p *engine.Position, white bool) int {
	strong := engine.Black
	if white {
		strong = engine.White
	}
	material := func(c engine.Color) int {
		return 3*bits.OnesCount64(p.Bitboard(c, engine.Knight)|p.Bitboard(c, engine.Bishop)) +
			5*bits.OnesCount64(p.Bitboard(c, engine.Rook)) + 9*bits.OnesCount64(p.Bitboard(c, engine.Queen))
	}
	pawns := bits.OnesCount64(p.Bitboard(strong, engine.Pawn))
	more := material(strong) - material(strong.Other())
	if pawns == 0 && more <= 3 {
		return 8
	}
	b, w := p.Bitboard(engine.Black, engine.Bishop), p.Bitboard(engine.White, engine.Bishop)
	if bits.OnesCount64(b) == 1 && bits.OnesCount64(w) == 1 && (b&darkSquares == 0) != (w&darkSquares == 0) {
		if material(engine.White) == 3 && material(engine.Black) == 3 {
			return 24
		}
		return 48
	}
	return min(64, 40+8*pawns)
}

// wonEndgame is the least value of an endgame that is won by force.
const wonEndgame = 2000

// known returns the value of endgames of which the terms know too little: those that cannot be
// won, and those against a bare king, which is driven to where it is mated.
func known(p *engine.Position) (value int, ok bool) {
	all := p.Pieces(engine.White) | p.Pieces(engine.Black)
	if bits.OnesCount64(all) > 5 {
		return 0, false
	}
	strong := engine.White
	switch {
	case bits.OnesCount64(p.Pieces(engine.Black)) == 1:
	case bits.OnesCount64(p.Pieces(engine.White)) == 1:
		strong = engine.Black
	default:
		return 0, false
	}
	if p.Bitboard(strong, engine.Pawn) != 0 {
		return 0, false
	}
	bishops, knights := p.Bitboard(strong, engine.Bishop), p.Bitboard(strong, engine.Knight)
	heavy := bits.OnesCount64(p.Bitboard(strong, engine.Rook))*5 + bits.OnesCount64(p.Bitboard(strong, engine.Queen))*9
	bare := bits.TrailingZeros64(p.Bitboard(strong.Other(), engine.King))
	king := bits.TrailingZeros64(p.Bitboard(strong, engine.King))
	file, rank := bare&7, bare>>3
	// How far the bare king is from the middle: 0 to 6.
	edge := max(3-file, file-4) + max(3-rank, rank-4)
	switch {
	case heavy > 0:
	case bishops&darkSquares != 0 && bishops&^darkSquares != 0:
		edge += 2
	case bishops != 0 && knights != 0:
		// The corner is of the bishop's colour: a1 is dark.
		if bishops&darkSquares == 0 {
			file = 7 - file
		}
		corner := min(file+rank, 14-file-rank)
		// The corner counts most: the way to it along the edge leads away from the other corner
		// first.
		value = wonEndgame + 60*(7-corner) + 5*edge - 10*distance(bare, king)
		for b := knights; b != 0; b &= b - 1 {
			value -= 2 * distance(bare, bits.TrailingZeros64(b))
		}
	default:
		return 0, true // bare king, one minor piece, two knights, bishops of one colour
	}
	if value == 0 {
		value = wonEndgame + 100*heavy + 20*edge - 10*distance(bare, king)
	}
	if strong != p.SideToMove() {
		value = -value
	}
	return value, true
}
