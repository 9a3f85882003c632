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
	termSafePassed  = termFreePassed + 8              // by rank: the square before it is not attacked
	termPasserOwn   = termSafePassed + 8              // by rank from 4 on, and how far the own king is from there
	termPasserOther = termPasserOwn + 4*8             // how far the other king is
	termPasserRook  = termPasserOther + 4*8           // an own rook behind it, one of the other side
	termDefended    = termPasserRook + 2              // by rank: a pawn defended by a pawn
	termPhalanx     = termDefended + 8                // by rank: a pawn with one beside it
	termIsolated    = termPhalanx + 8                 // on a closed file, on a half-open one
	termDoubled     = termIsolated + 2
	termBackward    = termDoubled + 1     // on a closed file, on a half-open one
	termRookFile    = termBackward + 2    // half-open, open
	termPair        = termRookFile + 2    // two bishops, by the number of own pawns
	termKnightPawns = termPair + 9        // a knight, by the number of own pawns
	termRookPawns   = termKnightPawns + 9 // a rook
	termBishopPawns = termRookPawns + 9   // a bishop, by the own pawns on squares of its colour
	termOutpost     = termBishopPawns + 9 // knight, bishop: defended by a pawn, attacked by none
	termBehindPawn  = termOutpost + 2     // knight or bishop with a pawn before it
	termNearKing    = termBehindPawn + 1  // knight, bishop: by the distance to the own king
	termDiagonal    = termNearKing + 2*8  // a bishop sees two squares of the middle
	termShield      = termDiagonal + 1    // by how far the next own pawn is, on three files at the king
	termStorm       = termShield + 3*8    // by how far the next pawn of the other side is
	termBlocked     = termStorm + 3*8     // by how far it is, if an own pawn stops it
	termKingPawns   = termBlocked + 8     // by the king's distance to the nearest pawn
	termDanger      = termKingPawns + 8   // by what the other side has near the own king
	termPinned      = termDanger + 64     // an own piece before the own king
	termThreat      = termPinned + 1      // pawn, minor, rook, king attacks: by what is attacked
	termHanging     = termThreat + 4*6    // by kind: attacked, and not defended
	termPush        = termHanging + 6     // a pawn could go where it attacks: by kind
	termSpace       = termPush + 6        // safe squares behind the own pawns in the middle
	termTempo       = termSpace + 16      // to be on the move
	numTerms        = termTempo + 1
)

var mobilityTerms = [7]int{
	engine.Knight: termMobility, engine.Bishop: termMobility + 9,
	engine.Rook: termMobility + 9 + 14, engine.Queen: termMobility + 9 + 14 + 15,
}

// phases are what pieces count towards the middlegame; 24 is all of it.
var phases = [7]int{engine.Knight: 1, engine.Bishop: 1, engine.Rook: 2, engine.Queen: 4}

const fullPhase = 24

// What there is near a king counts towards its danger, which is a number from 0 to 63.
var (
	attackerDanger = [7]int{engine.Knight: 6, engine.Bishop: 4, engine.Rook: 4, engine.Queen: 2} // times how many attack
	checkDanger    = [7]int{engine.Knight: 11, engine.Bishop: 9, engine.Rook: 14, engine.Queen: 10}
)

const (
	weakDanger    = 3  // a square beside the king that only king and queen defend, or nothing
	pinDanger     = 2  // a piece that stands between the king and an attacker
	noQueenDanger = 12 // less without a queen
)

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
	twice                   uint64    // what is attacked more than once
	// What attacks the squares at the other king: how many, what they count, how many squares.
	attackers, attackerSum, ringAttacks int
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
	v.pawnAttacked = engine.PawnAttacks(engine.Black, v.other[engine.Pawn])
	v.pawnReach = fillDown(v.pawnAttacked)
}

// attack notes what a piece attacks.
func (v *sideView) attack(k engine.Piece, to uint64) {
	v.twice |= v.attacks[0] & to
	v.attacks[0] |= to
	v.attacks[k&7] |= to
}

// ring returns the squares at a king: those that it attacks if it is not at the edge.
func ring(king int) uint64 {
	inner := min(max(king&7, 1), 6) | min(max(king>>3, 1), 6)<<3
	return engine.Attacks(engine.King, engine.Square(inner), 0) | 1<<inner
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
	}
	for side := range views {
		f.pawns(engine.Color(side), &views[side], &views[1-side])
		f.shelter(engine.Color(side), &views[side])
		f.fights(engine.Color(side), &views[side], &views[1-side])
	}
	f.add(p.SideToMove(), termTempo)
}

// pieces adds where pieces stand and what they attack. enemyKing is the other king's square.
func (f *features) pieces(side engine.Color, v *sideView, enemyKing int) {
	const middle = 1<<27 | 1<<28 | 1<<35 | 1<<36
	occupied := v.own[0] | v.other[0]
	pawns := v.own[engine.Pawn]
	v.twice = (pawns &^ fileA << 7) & (pawns &^ fileH << 9)
	v.attacks[engine.Pawn] = engine.PawnAttacks(engine.White, pawns)
	v.attacks[0] = v.attacks[engine.Pawn]
	v.attack(engine.King, engine.Attacks(engine.King, engine.Square(v.king), 0))
	// A square counts for mobility unless a pawn guards it, or an own pawn or the king stands
	// there.
	free := ^(v.pawnAttacked | pawns | v.own[engine.King])
	ring := ring(enemyKing)
	number := bits.OnesCount64(pawns)
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
			bit := b & -b
			to := engine.Attacks(k, engine.Square(s), seen)
			v.attack(k, to)
			f.add(side, termSquare+int(k-1)*32+half(s))
			f.add(side, mobilityTerms[k]+bits.OnesCount64(to&free))
			f.phase += phases[k]
			if on := to & ring; on != 0 {
				v.attackers++
				v.attackerSum += attackerDanger[k]
				v.ringAttacks += bits.OnesCount64(on)
			}
			if k <= engine.Bishop {
				if bit&v.attacks[engine.Pawn]&^v.pawnReach != 0 && s>>3 >= 3 && s>>3 <= 5 {
					f.add(side, termOutpost+int(k-engine.Knight))
				}
				if bit<<8&(pawns|v.other[engine.Pawn]) != 0 {
					f.add(side, termBehindPawn)
				}
				f.add(side, termNearKing+int(k-engine.Knight)*8+distance(s, v.king))
			}
			switch k {
			case engine.Knight:
				f.add(side, termKnightPawns+number)
			case engine.Bishop:
				colour := uint64(darkSquares)
				if bit&darkSquares == 0 {
					colour = ^colour
				}
				f.add(side, termBishopPawns+bits.OnesCount64(pawns&colour))
				if x := to & middle; x&(x-1) != 0 {
					f.add(side, termDiagonal)
				}
			case engine.Rook:
				f.add(side, termRookPawns+number)
				file := uint64(fileA) << (s & 7)
				if pawns&file == 0 {
					if v.other[engine.Pawn]&file == 0 {
						f.add(side, termRookFile+1)
					} else {
						f.add(side, termRookFile)
					}
				}
			}
		}
	}
	f.add(side, termSquare+5*32+half(v.king))
	if b := v.own[engine.Bishop]; b&(b-1) != 0 {
		f.add(side, termPair+number)
	}
}

// pawns adds the pawns.
func (f *features) pawns(side engine.Color, v, enemy *sideView) {
	own, other := v.own[engine.Pawn], v.other[engine.Pawn]
	occupied := v.own[0] | v.other[0]
	enemyKing := enemy.king ^ 56
	attacked := bits.ReverseBytes64(enemy.attacks[0])
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
		if bit&v.attacks[engine.Pawn] != 0 {
			f.add(side, termDefended+rank)
		}
		if bit&beside != 0 {
			f.add(side, termPhalanx+rank)
		}
		switch {
		case own&neighbours == 0:
			f.add(side, termIsolated+open)
		case bit&(v.attacks[engine.Pawn]|beside) != 0:
		case own&neighbours&fillDown(sideways(bit)|bit) == 0 && bit<<8&v.pawnAttacked != 0:
			f.add(side, termBackward+open)
		}
		if (above|sideways(above))&other != 0 || above&own != 0 {
			continue
		}
		f.add(side, termPassed+rank)
		if above&occupied == 0 {
			f.add(side, termFreePassed+rank)
		}
		if bit<<8&attacked == 0 {
			f.add(side, termSafePassed+rank)
		}
		if rank >= 3 {
			f.add(side, termPasserOwn+(rank-3)*8+distance(v.king, s+8))
			f.add(side, termPasserOther+(rank-3)*8+distance(enemyKing, s+8))
		}
		if behind := file & (bit - 1); behind&(v.own[engine.Rook]|v.other[engine.Rook]) != 0 {
			between := engine.Attacks(engine.Rook, engine.Square(s), occupied) & behind
			if between&v.own[engine.Rook] != 0 {
				f.add(side, termPasserRook)
			}
			if between&v.other[engine.Rook] != 0 {
				f.add(side, termPasserRook+1)
			}
		}
	}
}

// shelter adds the pawns at the king.
func (f *features) shelter(side engine.Color, v *sideView) {
	own, other := v.own[engine.Pawn], v.other[engine.Pawn]
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
		if storm > 0 && shield == storm-1 {
			f.add(side, termBlocked+storm)
		} else {
			f.add(side, termStorm+edge*8+storm)
		}
	}
	near := 7
	if own|other != 0 {
		near = 0
		for reach := v.own[engine.King]; reach&(own|other) == 0; near++ {
			reach |= sideways(reach)
			reach |= reach<<8 | reach>>8
		}
	}
	f.add(side, termKingPawns+near)
}

// fights adds what a side attacks.
func (f *features) fights(side engine.Color, v, enemy *sideView) {
	var guard [7]uint64 // what the other side attacks
	for k, b := range enemy.attacks {
		guard[k] = bits.ReverseBytes64(b)
	}
	guardTwice := bits.ReverseBytes64(enemy.twice)
	minor := v.attacks[engine.Knight] | v.attacks[engine.Bishop]
	for k := engine.Pawn; k <= engine.Queen; k++ {
		target := v.other[k] & v.attacks[0]
		if target == 0 {
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
		for range bits.OnesCount64(target & v.attacks[engine.King]) {
			f.add(side, termThreat+18+int(k))
		}
		for range bits.OnesCount64(target &^ guard[0]) {
			f.add(side, termHanging+int(k))
		}
	}

	occupied := v.own[0] | v.other[0]
	const third = 0xff << 16
	push := v.own[engine.Pawn] << 8 &^ occupied
	push |= push & third << 8 &^ occupied
	push &^= guard[engine.Pawn]
	push &= v.attacks[0] | ^guard[0]
	if hit := engine.PawnAttacks(engine.White, push) & v.other[0] &^ v.attacks[engine.Pawn]; hit != 0 {
		for k := engine.Knight; k <= engine.Queen; k++ {
			for range bits.OnesCount64(hit & v.other[k]) {
				f.add(side, termPush+int(k))
			}
		}
	}

	const field = 0x3c3c3c00 // files c to f, ranks 2 to 4
	space := field &^ (v.own[engine.Pawn] | guard[engine.Pawn])
	behind := fillDown(v.own[engine.Pawn] >> 8)
	f.add(side, termSpace+min(15, bits.OnesCount64(space)+bits.OnesCount64(space&behind&^guard[0])))

	f.danger(side, v, enemy, &guard, guardTwice)
}

// danger adds how much the other king is in danger, and what is pinned before it.
func (f *features) danger(side engine.Color, v, enemy *sideView, guard *[7]uint64, guardTwice uint64) {
	king := engine.Square(enemy.king ^ 56)
	occupied := v.own[0] | v.other[0]
	lines, diagonals := engine.Attacks(engine.Rook, king, occupied), engine.Attacks(engine.Bishop, king, occupied)
	danger := 0
	// A piece is pinned if it is the only one between the king and what would attack it.
	through := occupied &^ (v.other[0] & (lines | diagonals))
	pins := engine.Attacks(engine.Rook, king, through)&^lines&(v.own[engine.Rook]|v.own[engine.Queen]) |
		engine.Attacks(engine.Bishop, king, through)&^diagonals&(v.own[engine.Bishop]|v.own[engine.Queen])
	for range bits.OnesCount64(pins) {
		f.add(side.Other(), termPinned)
		danger += pinDanger
	}
	weak := v.attacks[0] &^ guardTwice & (^guard[0] | guard[engine.King] | guard[engine.Queen])
	safe := ^v.own[0] & (^guard[0] | weak&v.twice)
	if q := v.other[engine.Queen]; q&(lines|diagonals) != 0 { // it would have to move out of the way
		lines, diagonals = engine.Attacks(engine.Rook, king, occupied&^q), engine.Attacks(engine.Bishop, king, occupied&^q)
	}
	if lines&safe&v.attacks[engine.Rook] != 0 {
		danger += checkDanger[engine.Rook]
	}
	if diagonals&safe&v.attacks[engine.Bishop] != 0 {
		danger += checkDanger[engine.Bishop]
	}
	if (lines|diagonals)&safe&v.attacks[engine.Queen]&^guard[engine.Queen] != 0 {
		danger += checkDanger[engine.Queen]
	}
	if engine.Attacks(engine.Knight, king, 0)&safe&v.attacks[engine.Knight] != 0 {
		danger += checkDanger[engine.Knight]
	}
	danger += v.attackers*v.attackerSum/5 + v.ringAttacks + weakDanger*bits.OnesCount64(ring(int(king))&weak)
	if v.own[engine.Queen] == 0 {
		danger -= noQueenDanger
	}
	f.add(side.Other(), termDanger+min(max(danger, 0), 63))
}
