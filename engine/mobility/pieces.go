package mobility

import (
	"context"
	"math/bits"
	"slices"

	"github.com/cosimate/cosimate/engine"
)

// pieces finds the most moves of up to so many pieces of a kind, by branch and bound. A square more
// in a set of pieces never gives the others a move, so the moves of a set and what the squares left
// can add bound the moves of all sets that contain it.
//
// Other pieces of the own side only stand in the way; so do the other side's, but where they shield
// its king, which must not be in check. So a set's best position has two kings and such shields.
func pieces(ctx context.Context, kind engine.Piece, most int) (Result, error) {
	b := &branch{ctx: ctx, kind: kind}
	b.extend(0, ^uint64(0), most)
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	return b.position()
}

// branch is a search for the set of pieces with the most moves.
type branch struct {
	ctx   context.Context
	kind  engine.Piece
	tried uint64
	halt  bool // the context has ended
	best  placed
}

// placed is a set of pieces with kings and shields, as sets of squares.
type placed struct {
	moves      int
	set        uint64
	own, other engine.Square // the kings
	shields    uint64
}

// square is a square on which a piece can be added, and the most moves that it adds to the set.
type square struct {
	at   engine.Square
	adds int
}

// extend tries a set, and it with up to so many more pieces on squares that are allowed.
func (b *branch) extend(set, allowed uint64, more int) {
	if b.tried++; b.tried&0xfff == 1 {
		b.halt = b.ctx.Err() != nil
	}
	if b.halt {
		return
	}
	moves := b.moves(set, set, set)
	if moves > b.best.moves {
		b.place(set)
	}
	if more == 0 {
		return
	}
	var squares [64]square
	n := 0
	for a := allowed; a != 0; a &= a - 1 {
		s := square{at: engine.Square(bits.TrailingZeros64(a))}
		reach := engine.Attacks(b.kind, s.at, set)
		// Those pieces of the set that reach it lose at least the move to it. For different squares
		// these are different moves: what several squares add is at most the sum.
		if s.adds = bits.OnesCount64(reach&^set) - bits.OnesCount64(reach&set); s.adds > 0 {
			squares[n] = s
			n++
		}
	}
	left := squares[:n]
	slices.SortStableFunc(left, func(x, y square) int { return y.adds - x.adds })
	for i, s := range left {
		bound := moves
		for _, t := range left[i:min(i+more, n)] {
			bound += t.adds
		}
		if bound <= b.best.moves || b.halt {
			return
		}
		allowed &^= 1 << s.at
		b.extend(set|1<<s.at, allowed, more-1)
	}
}

// moves returns how many moves a set has on a board that is occupied so, own by its own side.
func (b *branch) moves(set, own, occupied uint64) int {
	n := 0
	for s := set; s != 0; s &= s - 1 {
		n += bits.OnesCount64(engine.Attacks(b.kind, engine.Square(bits.TrailingZeros64(s)), occupied) &^ own)
	}
	return n
}

// place keeps the set with the kings and shields that leave it the most moves, if these are more
// than the best.
func (b *branch) place(set uint64) {
	for e := ^set; e != 0; e &= e - 1 {
		other := engine.Square(bits.TrailingZeros64(e))
		// The own king leaves no more moves than nothing or a shield does in its place.
		if !b.shield(placed{set: set, own: noSquare, other: other}, false) {
			continue
		}
		for o := ^set &^ (1 << other) &^ engine.Attacks(engine.King, other, 0); o != 0; o &= o - 1 {
			b.shield(placed{set: set, own: engine.Square(bits.TrailingZeros64(o)), other: other}, true)
		}
	}
}

const noSquare engine.Square = 64

// shield reports whether the other king can be shielded from the set so that it has more moves than
// the best. It keeps the position if asked to.
func (b *branch) shield(p placed, keep bool) bool {
	own := p.set
	if p.own != noSquare {
		own |= 1 << p.own
	}
	occupied := own | p.shields | 1<<p.other
	p.moves = b.moves(p.set, own, occupied)
	if p.moves <= b.best.moves {
		return false // another shield leaves no more
	}
	// A piece of these kinds reaches the king from where the king would reach it as such a piece.
	checking := engine.Attacks(b.kind, p.other, occupied) & p.set
	if checking == 0 {
		if keep {
			b.best = p
		}
		return true
	}
	if b.kind == engine.Knight {
		return false
	}
	from := bits.TrailingZeros64(checking)
	to := int(p.other)
	step := sign(from&7-to&7) + 8*sign(from>>3-to>>3)
	better := false
	for s := to + step; s != from; s += step {
		q := p
		q.shields |= 1 << s
		if b.shield(q, keep) {
			better = true
		}
	}
	return better
}

func sign(x int) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// position builds the best position. The shields are of kinds that neither check nor pin.
func (b *branch) position() (Result, error) {
	r := Result{Kind: b.kind, Moves: b.best.moves, Tried: b.tried}
	var err error
	for _, kind := range []engine.Piece{engine.Knight, engine.Bishop, engine.Rook, engine.Pawn} {
		s := engine.Setup{White: b.best.set}
		s.Kinds[b.kind] = b.best.set
		s.Put(engine.King, engine.White, b.best.own)
		s.Put(engine.King, engine.Black, b.best.other)
		s.Kinds[kind] |= b.best.shields
		var found Result
		if found, err = r.verified(&s); err == nil {
			return found, nil
		}
	}
	return Result{}, err
}
