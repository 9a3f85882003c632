package search

import (
	"math"

	"github.com/cosimate/cosimate/engine"
)

// reductions are by how many plies late moves are searched less deep: by depth and number.
var reductions = func() (r [64][64]int) {
	for depth := 1; depth < 64; depth++ {
		for number := 1; number < 64; number++ {
			// Rounded, so that all machines agree.
			r[depth][number] = int(math.Round(750+math.Log(float64(depth))*math.Log(float64(number))*440) / 1000)
		}
	}
	return r
}()

// node returns the value of the present position, searched to a depth: at most alpha and at least
// beta are bounds, what lies between is exact.
func (w *worker) node(depth, ply, alpha, beta int, mayPass bool) int {
	on := w.e.o.Features
	f := &w.stack[ply]
	f.length = 0
	p := w.source.Position()
	check := p.InCheck()
	if check && on&CheckExtension != 0 {
		depth++
	}
	if depth <= 0 {
		return w.quiesce(ply, alpha, beta, check)
	}
	if w.visit() {
		return 0
	}
	w.selected = max(w.selected, ply)
	if on&Repetition != 0 && w.repeated(p) {
		return 0
	}
	fifty := on&FiftyMoves != 0 && p.Halfmove() >= 100
	if fifty && !check {
		return 0
	}
	if ply >= MaxPly {
		return w.e.o.Evaluate(p)
	}
	if on&MateDistance != 0 {
		alpha = max(alpha, ply-Mate)
		beta = min(beta, Mate-ply-1)
		if alpha >= beta {
			return alpha
		}
	}

	wide := beta-alpha > 1 // on the line that is expected to be played
	key := w.keys[len(w.keys)-1]
	var known entry
	if on&(Table|TableMove) != 0 {
		var found bool
		known, found = w.e.table.probe(key)
		// Near the fifty moves a value found on another way here need not hold.
		if value := fromTable(known.value, ply); found && on&Table != 0 && !wide && int(known.depth) >= depth && p.Halfmove() < 90 {
			switch {
			case known.bound == exact, known.bound == lower && value >= beta, known.bound == upper && value <= alpha:
				return value
			}
		}
	}

	if check {
		f.static = -infinite
	} else {
		f.static = w.e.o.Evaluate(p)
	}
	improving := ply >= 2 && !check && f.static > w.stack[ply-2].static
	if !wide && !check && beta > -mateFrom && beta < mateFrom {
		if on&Futility != 0 && depth <= 6 {
			margin := 80 * depth
			if improving {
				margin -= 60
			}
			if f.static-margin >= beta {
				return f.static - margin
			}
		}
		if on&NullMove != 0 && mayPass && depth >= 3 && f.static >= beta && pieces(p) {
			reduction := 3 + depth/4 + min((f.static-beta)/200, 3)
			w.null(ply)
			value := -w.node(depth-1-reduction, ply+1, -beta, -beta+1, false)
			w.unmake()
			if w.halt {
				return 0
			}
			if value >= beta {
				if value > mateFrom {
					value = beta
				}
				// Deep down it is verified, for the sake of positions in which any move harms.
				if depth < 10 {
					return value
				}
				if w.node(depth-1-reduction, ply, beta-1, beta, false) >= beta {
					return value
				}
				if w.halt {
					return 0
				}
				f.length = 0
			}
		}
	}
	if on&TableMove != 0 && known.move == 0 && depth >= 5 && on&LateReductions != 0 {
		depth-- // without a move to begin with it takes long, and the next iteration has one
	}

	list, err := w.source.List(f.list[:0], w.e.o.Order, All)
	if w.fail(err); w.halt {
		return 0
	}
	f.list = list
	if len(list) == 0 {
		if check {
			return ply - Mate
		}
		return 0
	}
	if fifty {
		return 0
	}
	w.stack[ply+1].killers = [2]packedMove{}
	side := p.SideToMove()
	moves := w.score(ply, p, list, known.move)
	f.tried = f.tried[:0]
	best, bestMove, kind := -infinite, packedMove(0), upper
	for i := range moves {
		m := next(moves, i)
		silent := quiet(m)
		losing := moves[i].score < 0 && !silent
		if on&Futility != 0 && best > -mateFrom && !check && !wide {
			hopeless := silent && depth <= 7 && len(f.tried) >= lateCount(depth, improving) ||
				silent && depth <= 6 && f.static+100+90*depth <= alpha ||
				losing && depth <= 5 && !wins(p, m, -90*depth)
			if hopeless && !checks(p, m) {
				continue
			}
		}
		w.make(ply, m)
		reduction := 0
		if on&LateReductions != 0 && depth >= 3 && i >= 2 && (silent || losing) {
			reduction = reductions[min(depth, 63)][min(i, 63)]
			if wide {
				reduction--
			}
			if !improving {
				reduction++
			}
			if check {
				reduction--
			}
			if silent {
				reduction -= int(min(max(moves[i].score, -historyMost), 2*historyMost)) / 8192
				if moves[i].score >= scoreKiller {
					reduction -= 1
				}
			}
			if w.source.Position().InCheck() {
				reduction--
			}
			reduction = max(0, min(reduction, depth-2))
		}
		value := 0
		switch {
		case i == 0 || on&PVS == 0 && reduction == 0:
			value = -w.node(depth-1, ply+1, -beta, -alpha, true)
		default:
			value = -w.node(depth-1-reduction, ply+1, -alpha-1, -alpha, true)
			if reduction > 0 && value > alpha && !w.halt {
				value = -w.node(depth-1, ply+1, -alpha-1, -alpha, true)
			}
			if value > alpha && value < beta && !w.halt {
				value = -w.node(depth-1, ply+1, -beta, -alpha, true)
			}
		}
		w.unmake()
		if w.halt {
			return 0
		}
		if value > best {
			best = value
			if value > alpha {
				alpha = value
				bestMove, kind = pack(m), exact
				f.line[0] = m
				below := &w.stack[ply+1]
				copy(f.line[1:], below.line[:below.length])
				f.length = below.length + 1
				if value >= beta {
					kind = lower
					if silent {
						w.learn(ply, depth, side, m, f.tried)
					}
					break
				}
			}
		}
		if silent {
			f.tried = append(f.tried, m)
		}
	}
	if on&(Table|TableMove) != 0 {
		w.e.table.store(key, entry{move: bestMove, value: toTable(best, ply), depth: int8(min(depth, 127)), bound: kind})
	}
	return best
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

// quiesce returns the value of the present position when captures have come to their end.
func (w *worker) quiesce(ply, alpha, beta int, check bool) int {
	if w.visit() {
		return 0
	}
	on := w.e.o.Features
	f := &w.stack[ply]
	f.length = 0
	w.selected = max(w.selected, ply)
	p := w.source.Position()
	if on&Repetition != 0 && w.repeated(p) {
		return 0
	}
	if on&FiftyMoves != 0 && p.Halfmove() >= 100 && !check {
		return 0
	}
	if ply >= MaxPly {
		return w.e.o.Evaluate(p)
	}
	if on&Quiescence == 0 {
		// Mate and stalemate are no matter of captures.
		list, err := w.source.List(f.list[:0], w.e.o.Order, All)
		if w.fail(err); w.halt {
			return 0
		}
		switch {
		case len(list) == 0 && check:
			return ply - Mate
		case len(list) == 0 || on&FiftyMoves != 0 && p.Halfmove() >= 100:
			return 0
		}
		return w.e.o.Evaluate(p)
	}

	key := w.keys[len(w.keys)-1]
	var known entry
	wide := beta-alpha > 1
	if on&(Table|TableMove) != 0 {
		var found bool
		known, found = w.e.table.probe(key)
		if value := fromTable(known.value, ply); found && on&Table != 0 && !wide && p.Halfmove() < 90 {
			switch {
			case known.bound == exact, known.bound == lower && value >= beta, known.bound == upper && value <= alpha:
				return value
			}
		}
	}
	best, filter, static := -infinite, Captures, 0
	if check {
		filter = All
	} else {
		static = w.e.o.Evaluate(p)
		if best = static; best >= beta {
			return best
		}
		alpha = max(alpha, best)
	}
	list, err := w.source.List(f.list[:0], w.e.o.Order, filter)
	if w.fail(err); w.halt {
		return 0
	}
	f.list = list
	if len(list) == 0 && check {
		return ply - Mate
	}
	if on&FiftyMoves != 0 && p.Halfmove() >= 100 {
		return 0
	}
	moves := w.score(ply, p, list, known.move)
	bestMove, kind := packedMove(0), upper
	for i := range moves {
		m := next(moves, i)
		if on&ExchangePrune != 0 && best > -mateFrom {
			if check && quiet(m) {
				break // one answer is enough
			}
			if !check && (moves[i].score < 0 || !wins(p, m, 0)) {
				continue
			}
			if !check && m.Promotion == engine.NoPiece && static+exchangeValues[m.Captured]+180 <= alpha {
				best = max(best, static+exchangeValues[m.Captured]+180)
				continue
			}
		}
		w.make(ply, m)
		value := -w.quiesce(ply+1, -beta, -alpha, w.source.Position().InCheck())
		w.unmake()
		if w.halt {
			return 0
		}
		if value > best {
			best = value
			if value > alpha {
				alpha = value
				bestMove, kind = pack(m), exact
				f.line[0] = m
				below := &w.stack[ply+1]
				copy(f.line[1:], below.line[:below.length])
				f.length = below.length + 1
				if value >= beta {
					kind = lower
					break
				}
			}
		}
	}
	if on&(Table|TableMove) != 0 {
		w.e.table.store(key, entry{move: bestMove, value: toTable(best, ply), bound: kind})
	}
	return best
}

// toTable and fromTable count mates from the position instead of from the root, and back.
func toTable(value, ply int) int16 {
	switch {
	case value > mateFrom:
		value += ply
	case value < -mateFrom:
		value -= ply
	}
	return int16(value)
}

func fromTable(value int16, ply int) int {
	v := int(value)
	switch {
	case v > mateFrom:
		v -= ply
	case v < -mateFrom:
		v += ply
	}
	return v
}
