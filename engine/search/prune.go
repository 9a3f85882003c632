package search

import "github.com/cosimate/cosimate/engine"

// early returns a value without a look at each move, if that is safe enough: the position is so
// good, or so bad, that a full search would hardly find it otherwise. The window is a null one.
func (w *worker) early(p *engine.Position, s *spot, alpha, beta, eval int, mayPass bool, known entry) (value int, ok bool) {
	depth, ply := s.depth, s.ply
	on := w.e.o.Features
	f := &w.stack[ply]
	if on&Razoring != 0 && depth <= 4 && eval < alpha-180-120*depth*depth {
		value := w.quiesce(ply, 1, alpha, beta, false)
		if value <= alpha || w.halt {
			return value, true
		}
	}
	if on&ReverseFutility != 0 && depth <= 8 && !s.pv {
		margin := 80 * depth
		if s.improving {
			margin -= 60
		}
		if eval-margin >= beta {
			return beta + (eval-beta)/3, true
		}
	}
	if value, ok := w.pass(p, s, beta, eval, mayPass); ok || w.halt {
		return value, ok
	}
	f.length = 0
	if on&ProbCut != 0 && depth >= 5 {
		return w.probCut(p, s, beta, known)
	}
	return 0, false
}

// pass lets the other side move: if that does not help it, the position is good.
func (w *worker) pass(p *engine.Position, s *spot, beta, eval int, mayPass bool) (value int, ok bool) {
	depth, ply := s.depth, s.ply
	on := w.e.o.Features
	f := &w.stack[ply]
	if on&NullMove == 0 || !mayPass || depth < 3 || eval < beta || !pieces(p) {
		return 0, false
	}
	less := depth - 1 - (3 + depth/4 + min((eval-beta)/200, 3))
	if on&NullMargin != 0 {
		margin := 130 - 12*depth
		if s.improving {
			margin -= 20
		}
		if f.static < beta+margin {
			return 0, false
		}
		less = depth - (4 + depth/3 + min((eval-beta)/100, 5))
	}
	w.null(ply)
	value = -w.node(less, ply+1, -beta, -beta+1, false, !s.cut)
	w.unmake()
	if w.halt || value < beta {
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

// probCut looks for a capture that is so far above beta in a shallow search that it would be above
// beta in a deep one.
func (w *worker) probCut(p *engine.Position, s *spot, beta int, known entry) (value int, ok bool) {
	depth, ply := s.depth, s.ply
	f := &w.stack[ply]
	least := beta + 110
	if s.improving {
		least -= 30
	}
	if known.bound != noBound && int(known.depth) >= depth-3 && int(known.value) < least || least >= mateFrom {
		return 0, false
	}
	list, err := w.source.List(f.list[:0], w.e.o.Order, Captures)
	if w.fail(err); w.halt {
		return 0, false
	}
	f.list = list
	moves := w.score(ply, p, list, known.move)
	for i := range moves {
		m := w.next(p, moves, i)
		if !wins(p, m, least-f.static) {
			continue
		}
		w.make(ply, m)
		f.number = i + 1
		value := -w.quiesce(ply+1, 1, -least, -least+1, w.source.Position().InCheck())
		if value >= least && !w.halt {
			value = -w.node(depth-4, ply+1, -least, -least+1, true, !s.cut)
		}
		w.unmake()
		if w.halt {
			return 0, false
		}
		if value >= least {
			w.e.table.store(w.keys[len(w.keys)-1], entry{move: pack(m), value: toTable(value, ply), depth: int8(depth - 3), bound: lower, pv: s.pv})
			f.length = 0
			return value - (least - beta), true
		}
	}
	f.length = 0
	return 0, false
}

// hopeless reports whether a move need not be searched: near the leaves, with a move searched
// before it that does not lose by mate. What gives check is not hopeless but for what it loses.
// How near the leaves are is counted with what the move would be reduced by.
func (w *worker) hopeless(p *engine.Position, s *spot, m engine.Move, alpha, reduction, score, history int) bool {
	depth, ply := s.depth, s.ply
	on := w.e.o.Features
	f := &w.stack[ply]
	if !quiet(m) {
		return score < 0 && on&ExchangePrune != 0 && depth <= 6 && !wins(p, m, -90*depth)
	}
	if checks(p, m) {
		return on&ExchangePrune != 0 && depth <= 6 && !wins(p, m, -90*depth)
	}
	near := depth - 1
	if on&LateReductions != 0 {
		near = max(0, near-(reduction-history/8)/ply1)
	}
	switch {
	case on&HistoryPruning != 0 && near <= 5 && history < -4000*depth:
	case on&Futility != 0 && !s.check && near <= 8 && f.static+90+80*near <= alpha:
	case on&ExchangePrune != 0 && near <= 8 && !wins(p, m, -25*near*near-10*near):
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
