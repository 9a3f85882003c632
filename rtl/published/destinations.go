package published

import "github.com/cosimate/cosimate/engine"

// A step is a number of files and ranks.
type step struct{ files, ranks int }

var (
	straight = []step{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	diagonal = []step{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
	around   = append(append([]step{}, straight...), diagonal...)
	leaps    = []step{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}
)

// destinations returns where the piece on a square can go by the way it moves, whether or not its
// king is in check then. Castling needs its right and free squares between king and rook.
func destinations(p *engine.Position, from engine.Square) (to []engine.Square) {
	kind, side := p.PieceAt(from)
	// at returns the square n steps away, whether it is empty, and whether it has a piece to
	// capture.
	at := func(s step, n int) (square engine.Square, empty, captures bool) {
		file, rank := int(from&7)+n*s.files, int(from>>3)+n*s.ranks
		if file < 0 || file > 7 || rank < 0 || rank > 7 {
			return 0, false, false
		}
		square = engine.Square(8*rank + file)
		k, c := p.PieceAt(square)
		return square, k == engine.NoPiece, k != engine.NoPiece && c != side
	}
	move := func(steps []step, most int) {
		for _, s := range steps {
			for n := 1; n <= most; n++ {
				square, empty, captures := at(s, n)
				if empty || captures {
					to = append(to, square)
				}
				if !empty {
					break
				}
			}
		}
	}
	switch kind {
	case engine.Pawn:
		up, start := 1, engine.Square(1)
		if side == engine.Black {
			up, start = -1, 6
		}
		for n := 1; n <= 2; n++ {
			square, empty, _ := at(step{0, up}, n)
			if !empty || n == 2 && from>>3 != start {
				break
			}
			to = append(to, square)
		}
		target, ep := p.EnPassant()
		for _, file := range []int{-1, 1} {
			square, empty, captures := at(step{file, up}, 1)
			if captures || ep && empty && square == target {
				to = append(to, square)
			}
		}
	case engine.Knight:
		move(leaps, 1)
	case engine.Bishop:
		move(diagonal, 7)
	case engine.Rook:
		move(straight, 7)
	case engine.Queen:
		move(around, 7)
	case engine.King:
		move(around, 1)
		kingSide, queenSide := p.Castling(side)
		free := func(file, n int) bool {
			_, empty, _ := at(step{file, 0}, n)
			return empty
		}
		if kingSide && free(1, 1) && free(1, 2) {
			to = append(to, from+2)
		}
		if queenSide && free(-1, 1) && free(-1, 2) && free(-1, 3) {
			to = append(to, from-2)
		}
	}
	return to
}
