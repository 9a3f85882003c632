package search

import (
	"math/bits"

	"github.com/cosimate/cosimate/engine"
)

// The evaluation is a sum of terms. A term is something that a side has on the board: a knight on a
// square, a passed pawn on its sixth rank. A side may have a term several times. What a term is
// worth, in the middlegame and in the endgame, stands in weights.go.
//
// Squares are seen from the side that has the term: its own pawns move up. Files a to d stand for h
// to e as well.

// First term of each group. A group's terms follow from there.
const (
	termSquare      = 0                               // kind and square: 6 * 32
	termMobility    = termSquare + 6*32               // knight 9, bishop 14, rook 15, queen 28
	termPassed      = termMobility + 9 + 14 + 15 + 28 // by rank
	termFreePassed  = termPassed + 8                  // by rank: nothing stands before it
	termPasserOwn   = termFreePassed + 8              // by the own king's distance to the square before it
	termPasserOther = termPasserOwn + 8               // by the other king's
	termConnected   = termPasserOther + 8             // by rank: a pawn beside or behind defends it
	termIsolated    = termConnected + 8               // on a closed file, on a half-open one
	termDoubled     = termIsolated + 2
	termBackward    = termDoubled + 1  // on a closed file, on a half-open one
	termRookFile    = termBackward + 2 // half-open, open
	termPair        = termRookFile + 2 // two bishops
	termOutpost     = termPair + 1     // knight, bishop: defended by a pawn, attacked by none
	termShield      = termOutpost + 2  // by how far the next own pawn is, on three files at the king
	termStorm       = termShield + 3*8 // by how far the next pawn of the other side is
	termDanger      = termStorm + 3*8  // by what attacks the squares around the own king
	termThreat      = termDanger + 32  // pawn, minor, rook attacks: by what is attacked
	termHanging     = termThreat + 3*6 // by kind: attacked, and not defended
	termTempo       = termHanging + 6  // to be on the move
	numTerms        = termTempo + 1
)

var mobilityTerms = [7]int{
	engine.Knight: termMobility, engine.Bishop: termMobility + 9,
	engine.Rook: termMobility + 9 + 14, engine.Queen: termMobility + 9 + 14 + 15,
}

// phases are what pieces count towards the middlegame; 24 is all of it.
var phases = [7]int{engine.Knight: 1, engine.Bishop: 1, engine.Rook: 2, engine.Queen: 4}

const fullPhase = 24

// dangers are what an attack on a square beside the king counts, by the kind that attacks.
var dangers = [7]int{engine.Knight: 2, engine.Bishop: 2, engine.Rook: 3, engine.Queen: 4}

// maxTerms is more than a side can have, and a power of two.
const maxTerms = 256

// features are the terms of both sides in a position.
type features struct {
	terms [2][maxTerms]uint16
	n     [2]int
	phase int // of the pieces on the board: 0 to 24
}

func (f *features) add(side engine.Color, term int) {
	f.terms[side&1][f.n[side&1]&(maxTerms-1)] = uint16(term)
	f.n[side&1]++
}

const (
	fileA = 0x0101010101010101
	fileH = fileA << 7
)

// fill returns the squares of b and all above them.
func fillUp(b uint64) uint64 {
	b |= b << 8
	b |= b << 16
	return b | b<<32
}

func fillDown(b uint64) uint64 {
	b |= b >> 8
	b |= b >> 16
	return b | b>>32
}

func sideways(b uint64) uint64 { return b&^fileA>>1 | b&^fileH<<1 }

// distance is how many moves a king needs.
func distance(a, b int) int {
	files, ranks := a&7-b&7, a>>3-b>>3
	return max(files, -files, ranks, -ranks)
}

// half is a square's number among the 32 of files a to d.
func half(s int) int {
	file := s & 7
	return s>>3<<2 | min(file, 7-file)
}

// sideView is a position seen from one side.
type sideView struct {
	own, other [7]uint64 // by kind; all together at 0
	king       int
	// The other side's pawns' attacks, and the squares they may come to attack.
	pawnAttacked, pawnReach uint64
	attacks                 [7]uint64 // by the own kinds; all together at 0
	ring                    uint64    // the own king's square and those beside it
}

func (v *sideView) turn(p *engine.Position, side engine.Color) {
	for k := engine.Pawn; k <= engine.King; k++ {
		own, other := p.Bitboard(side, k), p.Bitboard(side.Other(), k)
		if side == engine.Black {
			own, other = bits.ReverseBytes64(own), bits.ReverseBytes64(other)
		}
		v.own[k], v.other[k] = own, other
	}
	v.own[0] = v.own[1] | v.own[2] | v.own[3] | v.own[4] | v.own[5] | v.own[6]
	v.other[0] = v.other[1] | v.other[2] | v.other[3] | v.other[4] | v.other[5] | v.other[6]
	v.king = bits.TrailingZeros64(v.own[engine.King]) & 63
	v.ring = engine.Attacks(engine.King, engine.Square(v.king), 0) | v.own[engine.King]
	v.pawnAttacked = engine.PawnAttacks(engine.Black, v.other[engine.Pawn])
	v.pawnReach = fillDown(v.pawnAttacked)
}

// collect finds the terms of both sides.
func (f *features) collect(p *engine.Position) {
	f.n = [2]int{}
	f.phase = 0
	var views [2]sideView
	for side := range views {
		views[side].turn(p, engine.Color(side))
	}
	for side := range views {
		f.pieces(engine.Color(side), &views[side], views[1-side].king^56)
		f.pawns(engine.Color(side), &views[side], views[1-side].king^56)
	}
	for side := range views {
		f.fights(engine.Color(side), &views[side], &views[1-side])
	}
	f.add(p.SideToMove(), termTempo)
}

// pieces adds where pieces stand and what they attack. enemyKing is the other king's square.
func (f *features) pieces(side engine.Color, v *sideView, enemyKing int) {
	occupied := v.own[0] | v.other[0]
	v.attacks[engine.Pawn] = engine.PawnAttacks(engine.White, v.own[engine.Pawn])
	v.attacks[engine.King] = engine.Attacks(engine.King, engine.Square(v.king), 0)
	// A square counts for mobility unless a pawn guards it, or an own pawn or the king stands there.
	free := ^(v.pawnAttacked | v.own[engine.Pawn] | v.own[engine.King])
	ring := engine.Attacks(engine.King, engine.Square(enemyKing), 0) | 1<<enemyKing
	danger := 0
	for k := engine.Knight; k <= engine.Queen; k++ {
		seen := occupied
		switch k { // through those that could follow
		case engine.Bishop:
			seen &^= v.own[engine.Queen]
		case engine.Rook:
			seen &^= v.own[engine.Queen] | v.own[engine.Rook]
		}
		for b := v.own[k]; b != 0; b &= b - 1 {
			s := bits.TrailingZeros64(b)
			to := engine.Attacks(k, engine.Square(s), seen)
			v.attacks[k] |= to
			f.add(side, termSquare+int(k-1)*32+half(s))
			f.add(side, mobilityTerms[k]+bits.OnesCount64(to&free))
			f.phase += phases[k]
			if on := to & ring; on != 0 {
				danger += dangers[k] * bits.OnesCount64(on)
			}
			switch {
			case k == engine.Rook:
				file := uint64(fileA) << (s & 7)
				if v.own[engine.Pawn]&file == 0 {
					if v.other[engine.Pawn]&file == 0 {
						f.add(side, termRookFile+1)
					} else {
						f.add(side, termRookFile)
					}
				}
			case k <= engine.Bishop && b&-b&v.attacks[engine.Pawn]&^v.pawnReach != 0 && s>>3 >= 3 && s>>3 <= 5:
				f.add(side, termOutpost+int(k-engine.Knight))
			}
		}
	}
	f.add(side, termSquare+5*32+half(v.king))
	if b := v.own[engine.Bishop]; b&(b-1) != 0 {
		f.add(side, termPair)
	}
	v.attacks[0] = v.attacks[1] | v.attacks[2] | v.attacks[3] | v.attacks[4] | v.attacks[5] | v.attacks[6]
	// It is the other king that is in danger.
	f.add(side.Other(), termDanger+min(danger, 31))
}

// pawns adds the pawns and what stands before the king.
func (f *features) pawns(side engine.Color, v *sideView, enemyKing int) {
	own, other := v.own[engine.Pawn], v.other[engine.Pawn]
	occupied := v.own[0] | v.other[0]
	beside := sideways(own)
	for b := own; b != 0; b &= b - 1 {
		s := bits.TrailingZeros64(b)
		bit, rank := b&-b, s>>3
		file := uint64(fileA) << (s & 7)
		neighbours := sideways(file)
		above := fillUp(bit << 8)
		f.add(side, termSquare+half(s))
		if above&own != 0 {
			f.add(side, termDoubled)
		}
		open := 0
		if other&file == 0 {
			open = 1
		}
		switch {
		case own&neighbours == 0:
			f.add(side, termIsolated+open)
		case bit&(v.attacks[engine.Pawn]|beside) != 0:
			f.add(side, termConnected+rank)
		case own&neighbours&fillDown(sideways(bit)|bit) == 0 && bit<<8&v.pawnAttacked != 0:
			f.add(side, termBackward+open)
		}
		if (above|sideways(above))&other == 0 && above&own == 0 {
			f.add(side, termPassed+rank)
			if above&occupied == 0 {
				f.add(side, termFreePassed+rank)
			}
			if rank >= 3 {
				f.add(side, termPasserOwn+distance(v.king, s+8))
				f.add(side, termPasserOther+distance(enemyKing, s+8))
			}
		}
	}
	// Three files at the king: its own, and those beside it, nearer to the middle at the edge.
	first := min(max(v.king&7-1, 0), 5)
	for i := range 3 {
		file := uint64(fileA) << (first + i) & ^uint64(0) << (v.king &^ 7)
		edge := min(first+i, 7-first-i)
		edge = min(edge, 2)
		shield, storm := 0, 0
		if x := own & file; x != 0 {
			shield = bits.TrailingZeros64(x) >> 3
		}
		if x := other & file; x != 0 {
			storm = bits.TrailingZeros64(x) >> 3
		}
		f.add(side, termShield+edge*8+shield)
		f.add(side, termStorm+edge*8+storm)
	}
}

// fights adds what a side attacks.
func (f *features) fights(side engine.Color, v, enemy *sideView) {
	minor := v.attacks[engine.Knight] | v.attacks[engine.Bishop]
	defended := bits.ReverseBytes64(enemy.attacks[0])
	for k := engine.Pawn; k <= engine.Queen; k++ {
		target := v.other[k]
		if target&v.attacks[0] == 0 {
			continue
		}
		if k != engine.Pawn {
			for range bits.OnesCount64(target & v.attacks[engine.Pawn]) {
				f.add(side, termThreat+int(k))
			}
			for range bits.OnesCount64(target & minor &^ v.attacks[engine.Pawn]) {
				f.add(side, termThreat+6+int(k))
			}
			for range bits.OnesCount64(target & v.attacks[engine.Rook] &^ (v.attacks[engine.Pawn] | minor)) {
				f.add(side, termThreat+12+int(k))
			}
		}
		for range bits.OnesCount64(target & v.attacks[0] &^ defended) {
			f.add(side, termHanging+int(k))
		}
	}
}
