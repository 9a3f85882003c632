// Package mobility finds the most legal moves that one side's pieces of one kind can have at the
// same time. Hardware that keeps a kind's moves in a FIFO of its own needs that many places.
//
//	most, err := mobility.Most(ctx, engine.Queen)
//	fmt.Println(most.Moves, most.Position.FEN())
//
// Each answer is exact. It comes with a position that has so many moves, as package engine lists
// them, and with a proof by exhaustion that none has more. A position is one that
// [engine.Setup.Position] accepts: a side has at most eight pawns and pieces that pawns have
// become.
package mobility

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/cosimate/cosimate/engine"
)

// Result is the most moves of a kind of piece.
type Result struct {
	Kind   engine.Piece
	Pieces int // of this kind in the position
	Moves  int // legal moves of these pieces, each promotion counted
	// OnePromotion says that Moves counts the four promotions of a pawn to a square as one.
	OnePromotion bool
	// Position has so many, with White to move.
	Position engine.Position
	// Tried is how many placements of the pieces the search looked at.
	Tried uint64
}

// Count returns how many legal moves the pieces of a kind have. With onePromotion, the four
// promotions of a pawn to a square count as one.
func Count(p *engine.Position, kind engine.Piece, onePromotion bool) int {
	n := 0
	for _, m := range p.AppendMoves(nil) {
		if m.Piece == kind && (!onePromotion || m.Promotion == engine.NoPiece || m.Promotion == engine.Queen) {
			n++
		}
	}
	return n
}

// Most returns the most moves of a kind. Rooks take minutes, the other kinds at most seconds. The
// error is the context's if that ends before.
func Most(ctx context.Context, kind engine.Piece) (Result, error) {
	switch kind {
	case engine.Pawn:
		return pawns(false)
	case engine.King:
		return king()
	case engine.Knight, engine.Bishop, engine.Rook:
		return pieces(ctx, kind, 2+8)
	case engine.Queen:
		return pieces(ctx, kind, 1+8)
	}
	return Result{}, fmt.Errorf("there is no kind of piece %d: the kinds are 1 to 6, pawn to king", int(kind))
}

// MostSquares is [Most] for pawns, with the four promotions of a pawn to a square counted as one.
func MostSquares() (Result, error) { return pawns(true) }

// verified returns the result with what the engine counts in its position, which must be so many.
func (r Result) verified(s *engine.Setup) (Result, error) {
	s.Fullmove = 1
	p, err := s.Position()
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", s.FEN(), err)
	}
	if n := Count(&p, r.Kind, r.OnePromotion); n != r.Moves {
		return Result{}, fmt.Errorf("%s: the %s's moves are %d, expected %d", s.FEN(), r.Kind, n, r.Moves)
	}
	r.Position, r.Pieces = p, bits.OnesCount64(s.Kinds[r.Kind]&s.White)
	return r, nil
}

// king tries every square of both kings, with and without castling.
func king() (Result, error) {
	r := Result{Kind: engine.King}
	var best engine.Setup
	for own := range engine.Square(64) {
		for other := range engine.Square(64) {
			for _, rights := range []uint8{0, 3} {
				s := engine.Setup{Castling: rights, Fullmove: 1}
				s.Put(engine.King, engine.White, own)
				if rights != 0 {
					s.Put(engine.Rook, engine.White, 0)
					s.Put(engine.Rook, engine.White, 7)
				}
				s.Put(engine.King, engine.Black, other)
				p, err := s.Position()
				if err != nil {
					continue // not a chess position
				}
				r.Tried++
				if n := Count(&p, engine.King, false); n > r.Moves {
					r.Moves, best = n, s
				}
			}
		}
	}
	return r.verified(&best)
}
