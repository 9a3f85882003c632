package host

import (
	"math/bits"
	"slices"

	"github.com/cosimate/cosimate/engine"
)

// Search is an opponent. It searches with alpha-beta, one ply deeper each time until it has seen
// Nodes positions, and follows captures to their end. The same position gives the same move.
type Search struct {
	Nodes int // positions to look at for a move; one ply is searched in any case

	seen  int
	moves [64][256]engine.Move // a list of moves for each ply
}

const (
	mate    = 100_000 // value of a mate, less the plies to it
	endless = 1_000_000
)

// values are the pieces' values in hundredths of a pawn.
var values = [...]int{engine.Pawn: 100, engine.Knight: 310, engine.Bishop: 325, engine.Rook: 500, engine.Queen: 950, engine.King: 0}

// Best returns a legal move and its value for the side to move in hundredths of a pawn; ok is false
// if there is none.
func (s *Search) Best(p *engine.Position) (best engine.Move, value int, ok bool) {
	s.seen = 0
	root := p.AppendMoves(nil)
	if len(root) == 0 {
		return engine.Move{}, 0, false
	}
	order(root)
	for depth := 1; depth < 40; depth++ {
		alpha, chosen := -endless, 0
		for i, m := range root {
			next := p.Make(m)
			v := -s.alphaBeta(&next, depth-1, 1, -endless, -alpha)
			if s.seen > s.Nodes && depth > 1 {
				return root[0], value, true
			}
			if v > alpha {
				alpha, chosen = v, i
			}
		}
		value = alpha
		m := root[chosen] // searched first the next time
		root = slices.Insert(slices.Delete(root, chosen, chosen+1), 0, m)
		if value > mate-1000 || value < 1000-mate || s.seen > s.Nodes {
			break
		}
	}
	return root[0], value, true
}

// acceptsDraw reports whether a side accepts a draw: it is worse by more than half a pawn.
func (s *Search) acceptsDraw(p *engine.Position, side engine.Color) bool {
	_, value, _ := s.Best(p)
	if p.SideToMove() != side {
		value = -value
	}
	return value < -50
}

// alphaBeta returns the position's value for the side to move.
func (s *Search) alphaBeta(p *engine.Position, depth, ply, alpha, beta int) int {
	s.seen++
	moves := p.AppendMoves(s.moves[ply][:0])
	check := p.InCheck()
	if len(moves) == 0 {
		if check {
			return ply - mate
		}
		return 0
	}
	if ply == len(s.moves)-1 || s.seen > s.Nodes && (depth > 0 || check) {
		return evaluate(p, len(moves))
	}
	quiet := depth <= 0 && !check // only captures and promotions, where stopping is no better
	if quiet {
		alpha = max(alpha, evaluate(p, len(moves)))
		if alpha >= beta {
			return alpha
		}
		moves = slices.DeleteFunc(moves, func(m engine.Move) bool {
			return m.Captured == engine.NoPiece && m.Promotion != engine.Queen
		})
	}
	order(moves)
	for _, m := range moves {
		next := p.Make(m)
		alpha = max(alpha, -s.alphaBeta(&next, depth-1, ply+1, -beta, -alpha))
		if alpha >= beta {
			break
		}
	}
	return alpha
}

// order puts promotions and captures first, the most valuable victim by the least valuable piece.
func order(moves []engine.Move) {
	gain := func(m engine.Move) int {
		g := values[m.Promotion]
		if m.Captured != engine.NoPiece {
			g += 10*values[m.Captured] - values[m.Piece]
		}
		return g
	}
	slices.SortStableFunc(moves, func(a, b engine.Move) int { return gain(b) - gain(a) })
}

// evaluate returns a position's value for the side to move: material, pieces near the centre,
// advanced pawns, and a little for each legal move.
func evaluate(p *engine.Position, moves int) int {
	score := 0
	for side := range engine.Color(2) {
		sum := 0
		for k := engine.Pawn; k <= engine.King; k++ {
			for b := p.Bitboard(side, k); b != 0; b &= b - 1 {
				s := bits.TrailingZeros64(b)
				rank, file := s>>3, s&7
				if side == engine.Black {
					rank = 7 - rank
				}
				central := min(rank, 7-rank) + min(file, 7-file)
				sum += values[k]
				switch k {
				case engine.Pawn:
					sum += 4*rank + 3*min(file, 7-file)
				case engine.Knight, engine.Bishop:
					sum += 6 * central
				case engine.King:
					if p.Bitboard(side.Other(), engine.Queen) != 0 {
						sum -= 8 * central
					} else {
						sum += 4 * central
					}
				}
			}
		}
		if side == p.SideToMove() {
			score += sum
		} else {
			score -= sum
		}
	}
	return score + 2*moves
}
