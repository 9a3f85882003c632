package search

import (
	"github.com/cosimate/cosimate/engine"
)

// exchangeValues are what pieces count in exchanges, in hundredths of a pawn.
var exchangeValues = [8]int{
	engine.Pawn: 100, engine.Knight: 320, engine.Bishop: 330, engine.Rook: 500, engine.Queen: 950,
	engine.King: 20_000,
}

// wins reports whether a move gains at least so much, in hundredths of a pawn, if both sides go on
// to capture on its destination for as long as that pays (static exchange evaluation). Pins are not
// looked at. A promotion counts for what the pawn becomes.
func wins(p *engine.Position, m engine.Move, least int) bool {
	side := p.SideToMove()
	gain := exchangeValues[m.Captured&7] - least
	onSquare := m.Piece
	if m.Promotion != engine.NoPiece {
		gain += exchangeValues[m.Promotion&7] - exchangeValues[engine.Pawn]
		onSquare = m.Promotion
	}
	if gain < 0 {
		return false
	}
	// The worst case: the piece is lost for nothing.
	if gain -= exchangeValues[onSquare&7]; gain >= 0 || m.Castling {
		return true
	}

	var kinds [7]uint64
	for k := engine.Pawn; k <= engine.King; k++ {
		kinds[k] = p.Bitboard(engine.White, k) | p.Bitboard(engine.Black, k)
	}
	sides := [2]uint64{p.Pieces(engine.White), p.Pieces(engine.Black)}
	occupied := (sides[0]|sides[1])&^(1<<m.From) | 1<<m.To
	if m.EnPassant {
		occupied &^= 1 << (m.To ^ 8)
	}
	diagonal, orthogonal := kinds[engine.Bishop]|kinds[engine.Queen], kinds[engine.Rook]|kinds[engine.Queen]
	attackers := engine.PawnAttacks(engine.White, 1<<m.To)&kinds[engine.Pawn]&sides[1] |
		engine.PawnAttacks(engine.Black, 1<<m.To)&kinds[engine.Pawn]&sides[0] |
		engine.Attacks(engine.Knight, m.To, 0)&kinds[engine.Knight] |
		engine.Attacks(engine.King, m.To, 0)&kinds[engine.King] |
		engine.Attacks(engine.Bishop, m.To, occupied)&diagonal |
		engine.Attacks(engine.Rook, m.To, occupied)&orthogonal

	// gain is what the side that has just captured has if it loses the piece on the square. The
	// sides take turns; one that is behind and cannot recapture has lost.
	for moved := true; ; moved = !moved {
		side = side.Other()
		attackers &= occupied
		own := attackers & sides[side]
		if own == 0 {
			return moved
		}
		least := engine.Pawn
		for kinds[least]&own == 0 {
			least++
		}
		if least == engine.King && attackers&sides[side.Other()] != 0 {
			return moved // the king would be captured
		}
		gain = -gain - 1 - exchangeValues[least]
		if gain >= 0 {
			return !moved
		}
		from := kinds[least] & own
		occupied &^= from & -from
		if least == engine.Pawn || least == engine.Bishop || least == engine.Queen {
			attackers |= engine.Attacks(engine.Bishop, m.To, occupied) & diagonal
		}
		if least == engine.Rook || least == engine.Queen {
			attackers |= engine.Attacks(engine.Rook, m.To, occupied) & orthogonal
		}
	}
}
