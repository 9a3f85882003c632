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
	return b.expand(&s, depth, batched)
}

// expand returns the sum of perft over the moves in s: depth counts them.
func (b *board) expand(s *moveSets, depth int, batched bool) (nodes uint64) {
	var c board
	for i := range s.n {
		set := &s.pieces[i&(maxPieceSets-1)]
		for to := set.to; to != 0; to &= to - 1 {
			b.play(&c, set.from, bits.TrailingZeros64(to))
			nodes += c.perft(depth-1, batched)
		}
	}
	nodes += b.expandPawns(s.single, 8, depth, batched)
	nodes += b.expandPawns(s.left, 7, depth, batched)
	nodes += b.expandPawns(s.right, 9, depth, batched)
	for to := s.double; to != 0; to &= to - 1 {
		sq := bits.TrailingZeros64(to)
		b.playDouble(&c, sq-16, sq)
		nodes += c.perft(depth-1, batched)
	}
	for from := s.enPassant; from != 0; from &= from - 1 {
		b.playEnPassant(&c, bits.TrailingZeros64(from))
		nodes += c.perft(depth-1, batched)
	}
	for to := s.castling; to != 0; to &= to - 1 {
		b.playCastling(&c, bits.TrailingZeros64(to))
		nodes += c.perft(depth-1, batched)
	}
	return nodes
}

// expandPawns is expand for pawns that go up by as many squares.
func (b *board) expandPawns(to uint64, up, depth int, batched bool) (nodes uint64) {
	var c board
	for ; to != 0; to &= to - 1 {
		sq := bits.TrailingZeros64(to)
		if sq < 56 {
			b.play(&c, sq-up, sq)
			nodes += c.perft(depth-1, batched)
			continue
		}
		for kind := Knight; kind <= Queen; kind++ {
			b.playPromotion(&c, sq-up, sq, kind)
			nodes += c.perft(depth-1, batched)
		}
	}
	return nodes
}
