package validity

import "github.com/cosimate/cosimate/engine"

// Why tells why the side to move may not go from one square to another, as the board would: for
// programs at its side. The move must not be legal.
func Why(p *engine.Position, from, to engine.Square) Reason {
	r, _ := reason(p, from, to)
	return r
}

// CanMate tells whether a side has the material to mate, with the opponent's help if need be (FIDE
// 5.2.2, 6.9).
func CanMate(p *engine.Position, side engine.Color) bool { return canMate(p, side) }

// Place is what makes a position the same as another (FIDE 9.2.3), for counting repetitions.
func Place(p *engine.Position) string { return place(p, p.AppendMoves(nil)) }
