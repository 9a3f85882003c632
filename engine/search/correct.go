package search

import (
	"math/bits"

	"github.com/cosimate/cosimate/engine"
)

// The value of a position without search is often wrong in the same way in positions that have
// something in common: their pawns, the pieces of one side, the last moves. How wrong it was is
// learnt from searches, by these.

const (
	correctionBits = 14
	correctionMost = 1024
	// The sum of the corrections over this is in hundredths of a pawn.
	correctionScale = 24
)

// corrections are how much higher searches have found the values of positions, by side to move.
type corrections struct {
	pawns  [2][1 << correctionBits]int16
	pieces [2][2][1 << correctionBits]int16 // of either side
	moves  [7][64][7][64]int16              // the last two
}

// mix makes a small number of sets of squares, the same only by chance if they are not.
func mix(a, b, c, d uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 ^ bits.RotateLeft64(b*0xc2b2ae3d27d4eb4f, 21) ^
		bits.RotateLeft64(c*0x165667b19e3779f9, 42) ^ d*0xd6e8feb86659fd93
	x ^= x >> 32
	return x * 0x9e3779b97f4a7c15 >> (64 - correctionBits)
}

// findCorrections finds those for a position.
func (w *worker) findCorrections(p *engine.Position, ply int) (list [4]*int16) {
	c := w.corrections
	side := p.SideToMove() & 1
	list[0] = &c.pawns[side][mix(p.Bitboard(engine.White, engine.Pawn), p.Bitboard(engine.Black, engine.Pawn), 0, 0)]
	for own := range engine.Color(2) {
		list[1+own] = &c.pieces[side][own][mix(p.Bitboard(own, engine.Knight), p.Bitboard(own, engine.Bishop)^p.Bitboard(own, engine.Queen)<<1,
			p.Bitboard(own, engine.Rook)^p.Bitboard(own, engine.Queen), p.Bitboard(own, engine.King))]
	}
	var a, b *frame
	a, b = &w.stack[max(ply-2, 0)], &w.stack[max(ply-1, 0)]
	list[3] = &c.moves[a.piece&7][a.made.To&63][b.piece&7][b.made.To&63]
	return list
}

// corrected is the value of a position without search. The frame keeps what it was corrected by.
func (w *worker) corrected(p *engine.Position, ply int) int {
	value := w.evaluate(p)
	f := &w.stack[ply]
	f.corrections[0] = nil
	if w.e.o.Features&Correction == 0 || value >= wonEndgame || value <= -wonEndgame {
		return value
	}
	f.corrections = w.findCorrections(p, ply)
	sum := 0
	for _, c := range f.corrections {
		sum += int(*c)
	}
	return value + sum/correctionScale
}

// correct learns from the value that a search of some depth has found.
func (w *worker) correct(ply, depth, value int) {
	f := &w.stack[ply]
	if f.corrections[0] == nil {
		return // the value is known
	}
	bonus := min(max((value-f.static)*depth/8, -correctionMost/4), correctionMost/4)
	for _, c := range f.corrections {
		*c += int16(bonus - int(*c)*max(bonus, -bonus)/correctionMost)
	}
}

const evaluationBits = 16

// evaluate is the value of a position by what stands on it. The last ones are kept: a search comes
// to the same position often.
func (w *worker) evaluate(p *engine.Position) int {
	if w.evaluations == nil {
		return w.e.o.Evaluate(p)
	}
	key := w.keys[len(w.keys)-1]
	slot := &w.evaluations[key&(1<<evaluationBits-1)]
	if *slot>>evaluationBits == key>>evaluationBits {
		return int(int16(*slot))
	}
	value := w.e.o.Evaluate(p)
	*slot = key&^(1<<evaluationBits-1) | uint64(uint16(value))
	return value
}
