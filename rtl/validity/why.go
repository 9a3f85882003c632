package validity

import (
	"math/bits"

	"github.com/cosimate/cosimate/engine"
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

// onto tells whether one piece is up and squares were filled again since, no others: so it may
// stand on one of them.
func (d *diff) onto() bool { return d.filled == 0 && d.refilled != 0 && single(d.lifted) }

// tried finds what was tried: a move, or else a reason why not.
func (d *diff) tried(p *engine.Position, shown, waits bool) (r Reason, from, to engine.Square) {
	side := p.SideToMove()
	own, theirs := d.lifted&p.Pieces(side), d.lifted&p.Pieces(side.Other())
	target := d.filled
	if target == 0 {
		target = d.refilled
	}
	if waits {
		return NotYourTurn, 0, 0
	}
	if shown {
		return NotShown, 0, 0
	}
	for _, wing := range wings(side) {
		if wing.stands(p) && wing.tried(d) {
			return NoReason, wing.king, wing.kingTo
		}
	}
	switch {
	case bits.OnesCount64(own) > 1:
		return TwoPieces, 0, 0
	case own != 0 && single(target) && (theirs == 0 || enPassant(p, own, theirs, d.filled)):
		return NoReason, square(own), square(target)
	case own == 0 && single(theirs) && single(target):
		return NotYourTurn, 0, 0
	}
	return Unclear, 0, 0
}

// enPassant tells whether a pawn was put where it would stand after taking the lifted pawn of the
// opponent's, if that had just made a double step.
func enPassant(p *engine.Position, own, theirs, filled uint64) bool {
	if filled == 0 || !single(theirs) {
		return false
	}
	mover, _ := p.PieceAt(square(own))
	taken, _ := p.PieceAt(square(theirs))
	to, passed := square(filled), square(theirs)
	up := forward(p.SideToMove())
	return mover == engine.Pawn && taken == engine.Pawn && rank(to, p.SideToMove()) == 6 && int(to)-int(passed) == 8*up
}

// wing is castling on one side of the board.
type wing struct {
	king, kingTo, rook, rookTo engine.Square
	side                       engine.Color
}

func wings(side engine.Color) [2]wing {
	base := engine.Square(56 * side)
	return [2]wing{
		{king: base + 4, kingTo: base + 6, rook: base + 7, rookTo: base + 5, side: side},
		{king: base + 4, kingTo: base + 2, rook: base + 0, rookTo: base + 3, side: side},
	}
}

// stands tells whether king and rook stand where they castle from.
func (w *wing) stands(p *engine.Position) bool {
	return p.Bitboard(w.side, engine.King)&bit(w.king) != 0 && p.Bitboard(w.side, engine.Rook)&bit(w.rook) != 0
}

// tried tells whether a reading looks like castling: nothing else has moved; and the king stands
// where castling puts it, or king and rook are both up and one has been put where castling does.
func (w *wing) tried(d *diff) bool {
	if d.lifted&bit(w.king) == 0 || d.lifted&^(bit(w.king)|bit(w.rook)) != 0 || d.filled&^(bit(w.kingTo)|bit(w.rookTo)) != 0 {
		return false
	}
	return d.filled&bit(w.kingTo) != 0 || d.filled != 0 && d.lifted&bit(w.rook) != 0
}

// reason tells why the move from one square to another is not legal, and after how many questions
// the RTL knows. The rules are written down here anew, square by square: neither the engine nor the
// RTL has anything to do with them.
func reason(p *engine.Position, from, to engine.Square) (r Reason, questions int) {
	side := p.SideToMove()
	piece, color := p.PieceAt(from)
	taken, takenColor := p.PieceAt(to)
	switch {
	case piece == engine.NoPiece:
		return NoPiece, 0
	case color != side:
		return NotYourTurn, 0
	}
	for _, w := range wings(side) {
		if piece == engine.King && from == w.king && to == w.kingTo && w.stands(p) {
			return w.reason(p)
		}
	}
	if taken != engine.NoPiece && takenColor == side {
		return OwnPiece, 0
	}
	if goes(p, from, to) {
		switch {
		case piece == engine.King:
			return KingIntoCheck, 1
		case p.InCheck():
			return StillInCheck, 1
		}
		return Pinned, 1
	}
	if piece != engine.Pawn {
		if shape(piece, from, to) {
			return Blocked, 2
		}
		return NotAMove, 2
	}
	up, files := forward(side)*(int(to>>3)-int(from>>3)), abs(int(to&7)-int(from&7))
	switch {
	case files == 0 && (up == 1 || up == 2 && rank(from, side) == 2):
		if taken != engine.NoPiece {
			return PawnForward, 2
		}
		return Blocked, 2
	case files == 1 && up == 1:
		beside := engine.Square(int(to) - 8*forward(side))
		if k, c := p.PieceAt(beside); rank(to, side) == 6 && k == engine.Pawn && c != side {
			return EnPassant, 3
		}
		return PawnCapture, 4
	}
	return NotAMove, 4
}

// reason tells why castling is not legal.
func (w *wing) reason(p *engine.Position) (r Reason, questions int) {
	kingSide, queenSide := p.Castling(w.side)
	if w.kingTo > w.king && !kingSide || w.kingTo < w.king && !queenSide {
		return CastlingRights, 0
	}
	for s := min(w.king, w.rook) + 1; s < max(w.king, w.rook); s++ {
		if k, _ := p.PieceAt(s); k != engine.NoPiece {
			return CastlingBlocked, 1
		}
	}
	switch {
	case p.InCheck():
		return CastlingOut, 1
	case attacked(p, w.rookTo):
		return CastlingThrough, 1
	}
	return KingIntoCheck, 1
}

// goes tells whether a piece of the side to move goes from one square to another as its rule has
// it, whatever that means for its king; castling apart.
func goes(p *engine.Position, from, to engine.Square) bool {
	side := p.SideToMove()
	piece, _ := p.PieceAt(from)
	taken, takenColor := p.PieceAt(to)
	if taken != engine.NoPiece && takenColor == side {
		return false
	}
	if piece != engine.Pawn {
		return shape(piece, from, to) && free(p, from, to)
	}
	up, files := forward(side)*(int(to>>3)-int(from>>3)), abs(int(to&7)-int(from&7))
	switch {
	case files == 0 && up == 1:
		return taken == engine.NoPiece
	case files == 0 && up == 2:
		return rank(from, side) == 2 && taken == engine.NoPiece && free(p, from, to)
	case files == 1 && up == 1:
		passed, ok := p.EnPassant()
		return taken != engine.NoPiece || ok && passed == to
	}
	return false
}

// shape tells whether a piece other than a pawn goes so on an empty board.
func shape(piece engine.Piece, from, to engine.Square) bool {
	ranks, files := abs(int(to>>3)-int(from>>3)), abs(int(to&7)-int(from&7))
	straight, aslant := ranks == 0 || files == 0, ranks == files
	switch piece {
	case engine.Knight:
		return ranks*files == 2
	case engine.Bishop:
		return from != to && aslant
	case engine.Rook:
		return from != to && straight
	case engine.Queen:
		return from != to && (straight || aslant)
	case engine.King:
		return max(ranks, files) == 1
	}
	return false
}

// free tells whether no piece stands between two squares on a line; squares that are on none have
// nothing between them.
func free(p *engine.Position, from, to engine.Square) bool {
	ranks, files := int(to>>3)-int(from>>3), int(to&7)-int(from&7)
	if ranks != 0 && files != 0 && abs(ranks) != abs(files) {
		return true
	}
	step := 8*sign(ranks) + sign(files)
	for s := int(from) + step; s != int(to); s += step {
		if k, _ := p.PieceAt(engine.Square(s)); k != engine.NoPiece {
			return false
		}
	}
	return true
}

// attacked tells whether the opponent attacks a square.
func attacked(p *engine.Position, s engine.Square) bool {
	side := p.SideToMove()
	for from := range engine.Square(64) {
		piece, color := p.PieceAt(from)
		if piece == engine.NoPiece || color == side {
			continue
		}
		if piece == engine.Pawn {
			if abs(int(s&7)-int(from&7)) == 1 && int(s>>3)-int(from>>3) == -forward(side) {
				return true
			}
		} else if shape(piece, from, s) && free(p, from, s) {
			return true
		}
	}
	return false
}

// forward is the sign of the step of a side's pawns.
func forward(side engine.Color) int { return 1 - 2*int(side) }

// rank is a square's rank from 1 to 8 as a side counts.
func rank(s engine.Square, side engine.Color) int {
	if side == engine.Black {
		return 8 - int(s>>3)
	}
	return 1 + int(s>>3)
}

func abs(n int) int { return max(n, -n) }

func sign(n int) int { return min(max(n, -1), 1) }
