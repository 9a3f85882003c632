package engine

import "math/bits"

// play sets c to the board after whatever stands on from has gone to to, taking
// what stood there, as the opponent sees it. Double steps, en passant,
// promotion and castling need more.
func (b *board) play(c *board, from, to int) {
	from, to = from&63, to&63
	gone := uint64(1)<<from | 1<<to
	move := func(w uint64) uint64 {
		return bits.ReverseBytes64(w&^gone | w>>from&1<<to)
	}
	c.own = bits.ReverseBytes64(b.opp &^ gone)
	c.opp = move(b.own)
	c.pawns = move(b.pawns)
	c.knights = move(b.knights)
	c.diag = move(b.diag)
	c.orth = move(b.orth)
	c.kings = move(b.kings)
	c.castling = bits.ReverseBytes64(b.castling &^ gone)
	if b.kings>>from&1 != 0 {
		c.castling &^= rank8
	}
	c.ep = 0
}

// playDouble is play for a pawn's double step.
func (b *board) playDouble(c *board, from, to int) {
	b.play(c, from, to)
	c.ep = bits.ReverseBytes64(1 << ((to - 8) & 63))
}

// playEnPassant is play for the capture en passant by the pawn on from.
func (b *board) playEnPassant(c *board, from int) {
	b.play(c, from, bits.TrailingZeros64(b.ep))
	captured := bits.ReverseBytes64(b.ep >> 8)
	c.own &^= captured
	c.pawns &^= captured
}

// playPromotion is play for a pawn that becomes a piece of another kind.
func (b *board) playPromotion(c *board, from, to int, kind Piece) {
	b.play(c, from, to)
	c.promote(bits.ReverseBytes64(1<<(to&63)), kind)
}

// promote turns the pawn on a square into a piece.
func (b *board) promote(sq uint64, kind Piece) {
	b.pawns &^= sq
	switch kind {
	case Knight:
		b.knights |= sq
	case Bishop:
		b.diag |= sq
	case Rook:
		b.orth |= sq
	default:
		b.diag |= sq
		b.orth |= sq
	}
}

// playCastling is play for the king's move to g1 or c1 and its rook's over it.
func (b *board) playCastling(c *board, to int) {
	b.play(c, 4, to)
	rook := bits.ReverseBytes64(1<<5 | 1<<7)
	if to == 2 {
		rook = bits.ReverseBytes64(1<<3 | 1<<0)
	}
	c.opp ^= rook
	c.orth ^= rook
}

// Make returns the position after m, which must be one of p's legal moves; the
// result of any other is meaningless. The counters follow FEN: a double step
// leaves its en passant square whether or not a pawn can capture there.
func (p *Position) Make(m Move) (next Position) {
	from, to := int(m.From^p.flip()), int(m.To^p.flip())
	switch {
	case m.Promotion != NoPiece:
		p.playPromotion(&next.board, from, to, m.Promotion)
	case m.EnPassant:
		p.playEnPassant(&next.board, from)
	case m.Castling:
		p.playCastling(&next.board, to)
	case m.Piece == Pawn && to-from == 16:
		p.playDouble(&next.board, from, to)
	default:
		p.play(&next.board, from, to)
	}
	next.advance(p, m.Piece == Pawn || m.Captured != NoPiece)
	return next
}

// MakeNull returns the position after a null move: the other side is to move, nothing can be taken
// en passant, and the counters go on. The side to move must not be in check; the result is
// meaningless then.
func (p *Position) MakeNull() (next Position) {
	next.board = p.turned()
	next.advance(p, false)
	return next
}

// advance sets the side to move and the counters of the position that follows before.
func (p *Position) advance(before *Position, irreversible bool) {
	p.side = before.side.Other()
	p.half = before.half
	if irreversible {
		p.half = 0
	} else if p.half < maxCounter {
		p.half++
	}
	p.full = before.full
	if before.side == Black && p.full < maxCounter {
		p.full++
	}
}
