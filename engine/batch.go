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

// dependence says on which squares something depends: by what comes there and
// what goes away, and more for each kind of piece.
type dependence struct{ come, leave kinds }

// kinds holds a set of squares for whatever piece, and more for each kind; what
// depends on a queen is in diag and orth.
type kinds struct{ any, pawn, knight, diag, orth, king uint64 }

// batch returns the number of leaves two plies below b, given its moves, of
// which it leaves s with some only. The side to move must not be in check: it
// could not have passed.
func (b *board) batch(s *moveSets) uint64 {
	t := b.turned()
	king := bits.TrailingZeros64(t.kings & t.own)
	if king == 64 {
		return b.expand(s, 2, false)
	}
	_, target, diagPins, orthPins := t.constrain(king)
	steps := t.kingMoves(king)
	again := recounter{t, t, diagPins, orthPins, 0}
	kings := bits.OnesCount64(steps)
	if t.castling&rank1 != 0 {
		kings += bits.OnesCount64(t.castlings(steps))
	}
	mobile := bits.ReverseBytes64(t.mobilitySquares()) | b.opp
	d := t.kingSquares(king)

	var same, partly int
	for i := range s.n {
		set := &s.pieces[i&(maxPieceSets-1)]
		is := func(w uint64) uint64 { return -(w >> (set.from & 63) & 1) }
		knight, diag, orth, king := is(b.knights), is(b.diag), is(b.orth), is(b.kings)
		come := d.come.any | d.come.knight&knight | d.come.diag&diag | d.come.orth&orth | d.come.king&king
		leave := d.leave.any | d.leave.knight&knight | d.leave.diag&diag | d.leave.orth&orth | d.leave.king&king
		full := set.to & (come | is(leave))
		rest := set.to &^ full
		part := rest & (mobile | is(mobile))
		same += bits.OnesCount64(rest ^ part)
		partly += bits.OnesCount64(part)
		set.to = full
		again.piece(1<<((set.from^56)&63), bits.ReverseBytes64(part))
	}
	come, leave := d.come.any|d.come.pawn, d.leave.any|d.leave.pawn
	split := func(set *uint64, up, turned int, full uint64) {
		made := *set & (come | leave<<up | full)
		rest := *set &^ made
		part := rest & (mobile | mobile<<up)
		same += bits.OnesCount64(rest ^ part)
		partly += bits.OnesCount64(part)
		*set = made
		again.pawns(bits.ReverseBytes64(part), turned)
	}
	split(&s.single, 8, 8, rank8)
	split(&s.left, 7, 9, rank8)
	split(&s.right, 9, 7, rank8)
	// Where a pawn could be captured en passant, all is counted.
	split(&s.double, 16, 16, bits.ReverseBytes64(pawnAttacksUp(t.pawns&t.own))<<8)

	n := again.moves + kings*(same+partly)
	if same > 0 {
		n += same * t.mobility(target, diagPins, orthPins)
	}
	return uint64(n) + b.expand(s, 2, false)
}

// recounter counts again the replies of all pieces but the king after moves that
// leave checks and pins as they are. For that the turned board need not be right
// about the side that has moved, but for the squares it occupies.
type recounter struct {
	turned, after      board
	diagPins, orthPins uint64
	moves              int // the sum
}

// piece adds the replies to the moves of the piece on from, a bit, in the turned
// view.
func (r *recounter) piece(from, to uint64) {
	for ; to != 0; to &= to - 1 {
		r.move(from|to&-to, to&-to)
	}
}

// pawns adds the replies to the moves of pawns, from as many bits higher.
func (r *recounter) pawns(to uint64, higher int) {
	for ; to != 0; to &= to - 1 {
		r.move(to&-to|to&-to<<(higher&63), to&-to)
	}
}

func (r *recounter) move(moved, to uint64) {
	r.after.own = r.turned.own &^ to
	r.after.opp = r.turned.opp ^ moved
	r.moves += r.after.mobility(^r.after.own, r.diagPins, r.orthPins)
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
// king's moves and castling of the side to move depend, as long as it is the
// opponent's move and the king is not in check.
func (b *board) kingSquares(king int) (d dependence) {
	occupied := b.own | b.opp
	come, leave := &d.come, &d.leave

	// What the opponent's sliders have on a line with the king: a pin, which ends
	// with the pinner or behind whatever comes between; a piece that leaves a
	// check behind; or one that leaves a pin behind. And what they see: there a
	// piece that comes blocks, and one that leaves uncovers.
	var sees kinds
	between := &betweens[king&63]
	sniper := func(s uint64) {
		line := between[bits.TrailingZeros64(s)&63]
		blockers := line & occupied
		theirs := blockers & b.opp
		switch mine := blockers & b.own; {
		case mine&(mine-1) != 0 || theirs&(theirs-1) != 0:
		case theirs != 0:
			leave.any |= theirs
		default:
			come.any |= line
			leave.any |= s & -s
		}
	}
	for s := b.diag & b.opp; s != 0; s &= s - 1 {
		sees.diag |= bishopAttacks(bits.TrailingZeros64(s), occupied)
	}
	for s := b.orth & b.opp; s != 0; s &= s - 1 {
		sees.orth |= rookAttacks(bits.TrailingZeros64(s), occupied)
	}
	for s := b.diag & b.opp & bishopRays[king&63]; s != 0; s &= s - 1 {
		sniper(s)
	}
	for s := b.orth & b.opp & rookRays[king&63]; s != 0; s &= s - 1 {
		sniper(s)
	}

	// The squares the king may come to or pass, and whence they are attacked. His
	// own piece beside him, once taken, may be one he can take back; castling past
	// a piece of its own side stays impossible.
	zone := kingAttacks(king) &^ b.own
	path := kingAttacks(king) & b.own
	if b.castling&(1<<7) != 0 && b.own&(1<<5|1<<6) == 0 {
		zone |= 1<<5 | 1<<6
		path |= 1<<5 | 1<<6 | 1<<7
	}
	if b.castling&(1<<0) != 0 && b.own&(1<<1|1<<2|1<<3) == 0 {
		zone |= 1<<2 | 1<<3
		path |= 1<<0 | 1<<1 | 1<<2 | 1<<3
	}
	leave.pawn = pawnAttacksUp(zone)
	files := zone | zone&^fileA>>1 | zone&^fileH<<1
	leave.king = files | files<<8 | files>>8
	// A square that a pawn or the king attacks stays so unless that one moves.
	zone &^= pawnAttacksDown(b.pawns&b.opp) | kingAttacks(bits.TrailingZeros64(b.kings&b.opp))
	through := occupied &^ (1 << (king & 63))
	for ; zone != 0; zone &= zone - 1 {
		sq := bits.TrailingZeros64(zone)
		leave.knight |= knightAttacks(sq)
		leave.diag |= bishopAttacks(sq, through)
		leave.orth |= rookAttacks(sq, through)
	}
	uncovered := leave.diag&sees.diag | leave.orth&sees.orth
	come.any |= uncovered | path
	leave.any |= uncovered | path

	// Whence the king is attacked: his lines as far as the second piece, for one
	// of his own may be pinned.
	diag, orth := bishopAttacks(king, occupied), rookAttacks(king, occupied)
	come.pawn = leave.pawn | pawnAttacksUp(1<<(king&63))
	come.knight = leave.knight | knightAttacks(king)
	come.diag = leave.diag | diag | bishopAttacks(king, occupied&^(diag&b.own))
	come.orth = leave.orth | orth | rookAttacks(king, occupied&^(orth&b.own))
	come.king = leave.king
	come.turn()
	leave.turn()
	return d
}

// turn mirrors the squares.
func (k *kinds) turn() {
	k.any, k.pawn, k.knight = bits.ReverseBytes64(k.any), bits.ReverseBytes64(k.pawn), bits.ReverseBytes64(k.knight)
	k.diag, k.orth, k.king = bits.ReverseBytes64(k.diag), bits.ReverseBytes64(k.orth), bits.ReverseBytes64(k.king)
}
