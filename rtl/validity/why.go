package validity

import (
	"math/bits"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
)

// diff is how a reading of the board differs from the position.
type diff struct {
	lifted   uint64 // occupied there, empty here
	filled   uint64 // empty there, occupied here
	refilled uint64 // filled together last, if nothing was emptied since
}

func bit(s engine.Square) uint64 { return 1 << s }

func single(b uint64) bool { return bits.OnesCount64(b) == 1 }

func square(b uint64) engine.Square { return engine.Square(bits.TrailingZeros64(b)) }

// match compares with a legal move: it has been made; it may be on its way; only the rook of
// castling has moved.
func (d *diff) match(p *engine.Position, m engine.Move) (made, begun, half bool) {
	next := p.Make(m)
	before := p.Pieces(engine.White) | p.Pieces(engine.Black)
	after := next.Pieces(engine.White) | next.Pieces(engine.Black)
	empties, fills := before&^after, after&^before
	passing := uint64(0) // emptied on the way
	if fills == 0 {      // a piece was taken where the captor is now
		passing = bit(m.To)
	}
	exact := d.lifted == empties && d.filled == fills
	made = exact && (passing == 0 || d.refilled&passing != 0)
	begun = d.lifted&^(empties|passing) == 0 && d.filled&^fills == 0
	half = m.Castling && d.lifted == empties&^bit(m.From) && d.filled == fills&^bit(m.To)
	return made, begun, half
}

// onto reports whether one piece is up and squares were filled again since, no others: so it may
// stand on one of them.
func (d *diff) onto() bool { return d.filled == 0 && d.refilled != 0 && single(d.lifted) }

// tried finds what was tried: a move, or else a reason why not.
func (d *diff) tried(p *engine.Position, shown, waits bool) (r rules.Reason, from, to engine.Square) {
	side := p.SideToMove()
	own, theirs := d.lifted&p.Pieces(side), d.lifted&p.Pieces(side.Other())
	target := d.filled
	if target == 0 {
		target = d.refilled
	}
	if waits {
		return rules.NotYourTurn, 0, 0
	}
	if shown {
		return rules.NotShown, 0, 0
	}
	for _, c := range rules.Castlings(side) {
		if c.Stands(p) && d.castled(c) {
			return rules.NoReason, c.King, c.KingTo
		}
	}
	switch {
	case bits.OnesCount64(own) > 1:
		return rules.TwoPieces, 0, 0
	case own != 0 && single(target) && (theirs == 0 || enPassant(p, own, theirs, d.filled)):
		return rules.NoReason, square(own), square(target)
	case own == 0 && single(theirs) && single(target):
		return rules.NotYourTurn, 0, 0
	}
	return rules.Unclear, 0, 0
}

// enPassant reports whether a pawn was put where it would stand after taking the lifted pawn of the
// opponent's, if that had just made a double step.
func enPassant(p *engine.Position, own, theirs, filled uint64) bool {
	if filled == 0 || !single(theirs) {
		return false
	}
	mover, _ := p.PieceAt(square(own))
	taken, _ := p.PieceAt(square(theirs))
	to, passed := square(filled), square(theirs)
	// The mover goes to the square ahead of the pawn that it takes, on this rank from 0.
	ahead, rank := engine.Square(8), engine.Square(5)
	if p.SideToMove() == engine.Black {
		ahead, rank = -ahead, 2
	}
	return mover == engine.Pawn && taken == engine.Pawn && to>>3 == rank && to-passed == ahead
}

// castled reports whether a reading looks like castling. Nothing else has moved; and the king
// stands where castling puts it, or king and rook are both up and one stands where castling puts
// it.
func (d *diff) castled(c rules.Castling) bool {
	if d.lifted&bit(c.King) == 0 || d.lifted&^(bit(c.King)|bit(c.Rook)) != 0 || d.filled&^(bit(c.KingTo)|bit(c.RookTo)) != 0 {
		return false
	}
	return d.filled&bit(c.KingTo) != 0 || d.filled != 0 && d.lifted&bit(c.Rook) != 0
}

// questions returns after how many questions to the move generator the RTL knows why a move of a
// piece is not legal.
func questions(r rules.Reason, piece engine.Piece) int {
	switch r {
	case rules.NoPiece, rules.NotYourTurn, rules.OwnPiece, rules.CastlingRights:
		return 0
	case rules.KingIntoCheck, rules.StillInCheck, rules.Pinned,
		rules.CastlingBlocked, rules.CastlingOut, rules.CastlingThrough:
		return 1
	case rules.EnPassant:
		return 3
	case rules.PawnCapture:
		return 4
	case rules.NotAMove:
		if piece == engine.Pawn {
			return 4
		}
	}
	return 2
}
