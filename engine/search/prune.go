package search

import "github.com/cosimate/cosimate/engine"

// early returns a value without a look at each move, if that is safe enough: the position is so
// good that a full search would hardly find it otherwise. The window is a null one.
func (w *worker) early(p *engine.Position, depth, ply, beta int, improving, mayPass, cut bool) (value int, ok bool) {
	on := w.e.o.Features
	f := &w.stack[ply]
	if on&ReverseFutility != 0 && depth <= 6 {
		margin := 80 * depth
		if improving {
			margin -= 60
		}
		if f.static-margin >= beta {
			return f.static - margin, true
		}
	}
	if on&NullMove == 0 || !mayPass || depth < 3 || f.static < beta || !pieces(p) {
		return 0, false
	}
	less := depth - 1 - (3 + depth/4 + min((f.static-beta)/200, 3))
	w.null(ply)
	value = -w.node(less, ply+1, -beta, -beta+1, false, !cut)
	w.unmake()
	if w.halt || value < beta {
		f.length = 0
		return 0, false
	}
	if value > mateFrom {
		value = beta // a mate after a move that is none is not one
	}
	// Deep down it is verified, for the sake of positions in which any move harms.
	if depth < 10 {
		return value, true
	}
	ok = w.node(less, ply, beta-1, beta, false, false) >= beta
	f.length = 0
	return value, ok
}

// hopeless reports whether a move need not be searched: near the leaves, with enough other moves
// searched before it. What gives check is not hopeless, which the caller looks at.
func (w *worker) hopeless(p *engine.Position, m engine.Move, depth, alpha int, f *frame, score int, improving bool) bool {
	on := w.e.o.Features
	if !quiet(m) {
		return score < 0 && on&ExchangePrune != 0 && depth <= 5 && !wins(p, m, -90*depth)
	}
	switch {
	case on&LatePruning != 0 && depth <= 7 && len(f.tried) >= lateCount(depth, improving):
	case on&Futility != 0 && depth <= 6 && f.static+100+90*depth <= alpha:
	case on&HistoryPruning != 0 && depth <= 4 && score < -2500*depth:
	case on&ExchangePrune != 0 && depth <= 6 && !wins(p, m, -50*depth):
	default:
		return false
	}
	return true
}

// lateCount is how many quiet moves are searched near the leaves.
func lateCount(depth int, improving bool) int {
	n := 3 + depth*depth
	if !improving {
		n /= 2
	}
	return max(n, 2)
}

// checks reports whether a move gives check with the piece that moves.
func checks(p *engine.Position, m engine.Move) bool {
	side := p.SideToMove()
	king := p.Bitboard(side.Other(), engine.King)
	kind := m.Piece
	if m.Promotion != engine.NoPiece {
		kind = m.Promotion
	}
	if kind == engine.Pawn {
		return engine.PawnAttacks(side, 1<<m.To)&king != 0
	}
	occupied := p.Pieces(engine.White) | p.Pieces(engine.Black)
	return engine.Attacks(kind, m.To, occupied&^(1<<m.From))&king != 0
}

// pieces reports whether the side to move has more than pawns: else there may be positions in which
// any move harms, and passing tells nothing.
func pieces(p *engine.Position) bool {
	side := p.SideToMove()
	return p.Pieces(side)&^(p.Bitboard(side, engine.Pawn)|p.Bitboard(side, engine.King)) != 0
}
