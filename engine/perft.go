package engine

import "math/bits"

// Perft returns the number of sequences of depth legal moves from p, on one
// thread and without a hash table. A depth below 1 gives 1. It counts leaves
// without visiting them, and most of the moves before them; [PerftPlain] does
// without the second.
func Perft(p *Position, depth int) uint64 {
	if depth < 1 {
		return 1
	}
	return p.perft(depth, true)
}

// PerftPlain returns the same as [Perft] by plain recursion that counts the last
// ply's moves instead of making them. It is the check on Perft, and what speed
// comparisons with other generators should use.
func PerftPlain(p *Position, depth int) uint64 {
	if depth < 1 {
		return 1
	}
	return p.perft(depth, false)
}

func (b *board) perft(depth int, batched bool) uint64 {
	if depth == 1 {
		return uint64(b.count())
	}
	var s moveSets
	inCheck := b.moves(&s)
	if depth == 2 && batched && !inCheck {
		return b.batch(&s)
	}
	return b.expand(&s, &below{depth: depth - 1, batched: batched})
}

// below says how to count what is below a move.
type below struct {
	depth   int // plies; 0 to count the replies partly, as follows
	batched bool

	// Sibling batching: the king's replies, and the pins.
	fixed              int
	diagPins, orthPins uint64
}

func (w *below) count(c *board) uint64 {
	switch w.depth {
	case 0:
		return uint64(w.fixed + c.mobility(^c.own, w.diagPins, w.orthPins))
	case 1:
		return uint64(c.count())
	}
	return c.perft(w.depth, w.batched)
}

// expand returns the sum over the moves in s of what is below them.
func (b *board) expand(s *moveSets, w *below) (nodes uint64) {
	var c board
	for i := range s.n {
		set := &s.pieces[i&(maxPieceSets-1)]
		for to := set.to; to != 0; to &= to - 1 {
			b.play(&c, set.from, bits.TrailingZeros64(to))
			nodes += w.count(&c)
		}
	}
	nodes += b.expandPawns(s.single, 8, w)
	nodes += b.expandPawns(s.left, 7, w)
	nodes += b.expandPawns(s.right, 9, w)
	for to := s.double; to != 0; to &= to - 1 {
		sq := bits.TrailingZeros64(to)
		b.playDouble(&c, sq-16, sq)
		nodes += w.count(&c)
	}
	for from := s.enPassant; from != 0; from &= from - 1 {
		b.playEnPassant(&c, bits.TrailingZeros64(from))
		nodes += w.count(&c)
	}
	for to := s.castling; to != 0; to &= to - 1 {
		b.playCastling(&c, bits.TrailingZeros64(to))
		nodes += w.count(&c)
	}
	return nodes
}

// expandPawns is expand for pawns that go up by as many squares.
func (b *board) expandPawns(to uint64, up int, w *below) (nodes uint64) {
	var c board
	for ; to != 0; to &= to - 1 {
		sq := bits.TrailingZeros64(to)
		if sq < 56 {
			b.play(&c, sq-up, sq)
			nodes += w.count(&c)
			continue
		}
		for kind := Knight; kind <= Queen; kind++ {
			b.playPromotion(&c, sq-up, sq, kind)
			nodes += w.count(&c)
		}
	}
	return nodes
}
