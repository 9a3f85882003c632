package mobility

import (
	"fmt"
	"math/bits"

	"github.com/cosimate/cosimate/engine"
)

// pawns adds up what pawns can have at most, rank by rank, and finds that as many are to be had.
//
// A pawn has a push and two captures: three moves, en passant included. On its second rank it may
// have a double push too, and on its seventh each move is four promotions. Pawns of one rank stand
// in each other's way: a file's square in front of them holds a piece to capture, or is free for a
// push. How many of them can be had is tried for every set of files and of pieces in front. Pawns
// elsewhere are counted with three, as if nothing stood in their way. So the sum is an upper bound,
// and the position that is built has that many.
func pawns(onePromotion bool) (Result, error) {
	r := Result{Kind: engine.Pawn, OnePromotion: onePromotion}
	each := 4 // moves for a move to the last rank
	if onePromotion {
		each = 1
	}
	var second, seventh [9]row // the best rows of so many pawns
	for files := range 1 << 8 {
		for front := range 1 << 8 {
			r.Tried++
			n := bits.OnesCount(uint(files))
			second[n].keep(files, front, 2, 1)
			seventh[n].keep(files, front, each, each)
		}
	}
	var a, b *row
	elsewhere := 0
	for i := range second {
		for j := range seventh {
			if free := 8 - i - j; free >= 0 {
				// Among equals the one with the fewest pawns elsewhere.
				if n := second[i].moves + seventh[j].moves + 3*free; n > r.Moves || n == r.Moves && free <= elsewhere {
					r.Moves, a, b, elsewhere = n, &second[i], &seventh[j], free
				}
			}
		}
	}
	var s engine.Setup
	a.put(&s, 1)
	b.put(&s, 6)
	// Pawns elsewhere: on the fifth rank, files b, d and f, whose neighbours can hold pieces to
	// capture.
	for i := range min(elsewhere, 3) {
		at := engine.Square(4*8 + 2*i + 1)
		s.Put(engine.Pawn, engine.White, at)
		capturable(&s, at+7)
		capturable(&s, at+9)
	}
	return withKings(r, s)
}

// withKings adds the kings where they are in nobody's way.
func withKings(r Result, s engine.Setup) (found Result, err error) {
	for own := range engine.Square(64) {
		for other := range engine.Square(64) {
			with := s
			with.Put(engine.King, engine.White, own)
			with.Put(engine.King, engine.Black, other)
			if found, err = r.verified(&with); err == nil {
				return found, nil
			}
		}
	}
	return Result{}, fmt.Errorf("%s: %d moves of pawns are an upper bound, and no squares for the kings leave them: %w", s.FEN(), r.Moves, err)
}

// capturable puts a piece to capture on a square: a pawn where there can be one.
func capturable(s *engine.Setup, at engine.Square) {
	if (s.Kinds[engine.Knight]|s.Kinds[engine.Pawn])>>at&1 != 0 {
		return
	}
	kind := engine.Pawn
	if at >= 56 || bits.OnesCount64(s.Kinds[engine.Pawn]&^s.White) == 8 {
		kind = engine.Knight
	}
	s.Put(kind, engine.Black, at)
}

// row is a rank of pawns, and the pieces on the rank in front of them: files a to h are bits 0 to
// 7.
type row struct{ files, front, moves int }

// keep keeps the row with the most moves. A push is worth so many moves, and a capture.
func (r *row) keep(files, front, push, capture int) {
	n := push*bits.OnesCount(uint(files&^front)) +
		capture*(bits.OnesCount(uint(files<<1&0xff&front))+bits.OnesCount(uint(files>>1&front)))
	if n > r.moves {
		*r = row{files, front, n}
	}
}

// put puts the row on a rank, 0 to 7.
func (r *row) put(s *engine.Setup, rank int) {
	for f := range 8 {
		if r.files>>f&1 != 0 {
			s.Put(engine.Pawn, engine.White, engine.Square(rank*8+f))
		}
		if r.front>>f&1 != 0 {
			capturable(s, engine.Square(rank*8+8+f))
		}
	}
}
