package engine

import "math/bits"

// Sibling batching counts the leaves below most moves of a position without
// making them. Two plies above the leaves the opponent's replies are counted
// once as if the side to move had passed. What a move changes on few squares
// then tells how much of that count still holds:
//
//   - If the number of replies depends on none of the squares that the move
//     changes, it has as many replies.
//   - If checks, pins and the king's moves do not depend on them, only the
//     replies of the other pieces are counted again.
//   - Else all replies are counted.
//
// This is an algorithm, not a faster way to do the same: whoever compares speeds
// has to say which of Perft and PerftPlain ran.

// dependence says on which squares something depends: by what comes there, by
// what goes away, and more for some kinds of pieces that come or go.
type dependence struct {
	come, leave                    uint64
	pawn, knight, diag, orth, king uint64
}

// batch returns the number of leaves two plies below b, given its moves, of
// which it leaves s with some only. The side to move must not be in check: it
// could not have passed.
func (b *board) batch(s *moveSets) uint64 {
	t := b.turned()
	king := bits.TrailingZeros64(t.kings & t.own)
	if king == 64 {
		return b.expand(s, &below{depth: 1})
	}
	_, target, diagPins, orthPins := t.constrain(king)
	steps := t.kingMoves(king)
	again := below{fixed: bits.OnesCount64(steps), diagPins: diagPins, orthPins: orthPins}
	if t.castling&rank1 != 0 {
		again.fixed += bits.OnesCount64(t.castlings(steps))
	}
	mobile := bits.ReverseBytes64(t.mobilitySquares()) | b.opp
	d := t.kingSquares(king, diagPins|orthPins)

	var same int
	var recount moveSets
	for i := range s.n {
		set := &s.pieces[i&(maxPieceSets-1)]
		is := func(w uint64) uint64 { return -(w >> (set.from & 63) & 1) }
		kind := d.knight&is(b.knights) | d.diag&is(b.diag) | d.orth&is(b.orth) | d.king&is(b.kings)
		full := set.to & (d.come | kind | is(d.leave|kind))
		rest := set.to &^ full
		partly := rest & (mobile | is(mobile))
		same += bits.OnesCount64(rest ^ partly)
		set.to = full
		recount.add(set.from, partly)
	}
	come, leave := d.come|d.pawn, d.leave|d.pawn
	split := func(set *uint64, up int, full uint64) (partly uint64) {
		made := *set & (come | leave<<up | full)
		rest := *set &^ made
		partly = rest & (mobile | mobile<<up)
		same += bits.OnesCount64(rest ^ partly)
		*set = made
		return partly
	}
	recount.single = split(&s.single, 8, rank8)
	recount.left = split(&s.left, 7, rank8)
	recount.right = split(&s.right, 9, rank8)
	// Where a pawn could be captured en passant, all is counted.
	recount.double = split(&s.double, 16, bits.ReverseBytes64(pawnAttacksUp(t.pawns&t.own))<<8)

	nodes := b.expand(s, &below{depth: 1}) + b.expand(&recount, &again)
	if same > 0 {
		nodes += uint64(same) * uint64(again.fixed+t.mobility(target, diagPins, orthPins))
	}
	return nodes
}

// mobilitySquares returns the squares on which the number of moves of the side to
// move's pieces other than its king depends.
func (b *board) mobilitySquares() (squares uint64) {
	occupied := b.own | b.opp
	// Knights do not matter: whether a square is empty or has something to take is
	// the same to them.
	pawns := b.pawns & b.own
	squares = pawns<<8 | pawns<<8&^occupied&rank3<<8 | pawnAttacksUp(pawns)
	// Nor does what stands at the end of a slider's line when the board ends there.
	for s := b.diag & b.own; s != 0; s &= s - 1 {
		sq := bits.TrailingZeros64(s)
		squares |= bishopAttacks(sq, occupied) & magics[sq&63].bishop.mask
	}
	for s := b.orth & b.own; s != 0; s &= s - 1 {
		sq := bits.TrailingZeros64(s)
		squares |= rookAttacks(sq, occupied) & magics[sq&63].rook.mask
	}
	return squares
}

// kingSquares returns on which squares, in the opponent's view, checks, pins, the
// king's moves and castling of the side to move depend, as long as the opponent
// is to move.
func (b *board) kingSquares(king int, pins uint64) (d dependence) {
	occupied := b.own | b.opp

	// What the opponent's sliders see. Where it meets the lines below, a piece
	// that comes blocks and one that leaves uncovers.
	var seesDiag, seesOrth uint64
	for s := b.diag & b.opp; s != 0; s &= s - 1 {
		seesDiag |= bishopAttacks(bits.TrailingZeros64(s), occupied)
	}
	for s := b.orth & b.opp; s != 0; s &= s - 1 {
		seesOrth |= rookAttacks(bits.TrailingZeros64(s), occupied)
	}

	// The king's lines as far as the second piece.
	diag, orth := bishopAttacks(king, occupied), rookAttacks(king, occupied)
	first := diag | orth
	d.diag = diag | bishopAttacks(king, occupied&^(diag&b.own))
	d.orth = orth | rookAttacks(king, occupied&^(orth&b.own))

	// The squares the king may come to or pass, and whence they are attacked.
	zone := kingAttacks(king) &^ b.own
	// His own piece beside him, once taken, may be one he can take back.
	d.come = pins | kingAttacks(king)&b.own
	if b.castling&(1<<7) != 0 {
		zone |= 1<<5 | 1<<6
		d.come |= 1<<5 | 1<<6 | 1<<7
	}
	if b.castling&(1<<0) != 0 {
		zone |= 1<<2 | 1<<3
		d.come |= 1<<0 | 1<<1 | 1<<2 | 1<<3
	}
	d.pawn = pawnAttacksUp(zone | 1<<(king&63))
	d.knight = knightAttacks(king)
	occupied &^= 1 << (king & 63)
	for ; zone != 0; zone &= zone - 1 {
		sq := bits.TrailingZeros64(zone)
		d.knight |= knightAttacks(sq)
		d.king |= kingAttacks(sq)
		d.diag |= bishopAttacks(sq, occupied)
		d.orth |= rookAttacks(sq, occupied)
	}
	d.come |= d.diag&seesDiag | d.orth&seesOrth
	// A piece next to the king on a line may hide one that would be pinned.
	d.leave = d.come | first

	for _, w := range []*uint64{&d.come, &d.leave, &d.pawn, &d.knight, &d.diag, &d.orth, &d.king} {
		*w = bits.ReverseBytes64(*w)
	}
	return d
}
