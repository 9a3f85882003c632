package search

import (
	"math"
	"slices"

	"github.com/cosimate/cosimate/engine"
)

// Reductions are counted in parts of a ply.
const ply1 = 1024

// reductions are by how much late moves are searched less deep: by depth and number.
var reductions = func() (r [64][64]int) {
	for depth := 1; depth < 64; depth++ {
		for number := 1; number < 64; number++ {
			// Rounded, so that all machines agree.
			r[depth][number] = int(math.Round((0.85 + math.Log(float64(depth))*math.Log(float64(number))*0.42) * ply1))
		}
	}
	return r
}()

// spot is what a node knows of itself.
type spot struct {
	ply, depth       int
	check, improving bool
	wide             bool // on the line that is expected to be played
	pv               bool // it has been there in an earlier iteration, or is
	cut              bool // it is expected to have a move that reaches beta
}

// node returns the value of the present position, searched to a depth: at most alpha and at least
// beta are bounds, what lies between is exact. A cut node is one that is expected to have a move
// that reaches beta: its parent's first move is believed to be the best.
func (w *worker) node(depth, ply, alpha, beta int, mayPass, cut bool) int {
	on := w.e.o.Features
	f := &w.stack[ply]
	f.length = 0
	p := w.source.Position()
	check := p.InCheck()
	if check && on&CheckExtension != 0 {
		depth++
	}
	if depth <= 0 {
		return w.quiesce(ply, 0, alpha, beta, check)
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

	wide := beta-alpha > 1
	key := w.keys[len(w.keys)-1]
	side := p.SideToMove()
	var known entry
	found := false
	if on&(Table|TableMove) != 0 {
		known, found = w.e.table.probe(key)
		// Near the fifty moves a value found on another way here need not hold.
		if value := fromTable(known.value, ply); found && on&Table != 0 && !wide && f.excluded == 0 && int(known.depth) >= depth && p.Halfmove() < 90 {
			switch {
			case known.bound == exact, known.bound == lower && value >= beta, known.bound == upper && value <= alpha:
				return value
			}
		}
	}
	tableValue := fromTable(known.value, ply)
	pv := wide || known.pv
	f.pv = pv
	if ply > 0 {
		f.doubles = w.stack[ply-1].doubles
	}
	w.stack[ply+1].cutoffs = 0

	f.static = unknown
	eval := unknown // what is known of the value: more than what stands on the board
	if !check {
		f.static = w.corrected(p, ply)
		eval = f.static
		if on&Table != 0 && tableValue > -mateFrom && tableValue < mateFrom && f.excluded == 0 &&
			(known.bound == exact || known.bound == lower && tableValue > eval || known.bound == upper && tableValue < eval) {
			eval = tableValue
		}
		// A move after which the other side stands better than it seemed was bad.
		if b, ok := w.before(ply); ok && w.stack[ply-1].static != unknown && f.excluded == 0 {
			learn(&w.quiet[side&1^1][b.From&63][b.To&63], int32(min(max(-8*(w.stack[ply-1].static+f.static), -800), 800)))
		}
	}
	here := spot{ply: ply, depth: depth, check: check, improving: !check && w.improving(ply), wide: wide, pv: pv, cut: cut}
	if !wide && !check && f.excluded == 0 && beta > -mateFrom && beta < mateFrom {
		if value, ok := w.early(p, &here, alpha, beta, eval, mayPass, known); ok || w.halt {
			return value
		}
	}
	if on&InternalReduction != 0 && on&TableMove != 0 && known.move == 0 && depth >= 4 && (wide || cut) {
		depth--
		here.depth--
	}
	extension := 0 // of the move in the table
	if on&Singular != 0 && depth >= 5 && f.excluded == 0 && known.move != 0 && int(known.depth) >= depth-3 &&
		known.bound&lower != 0 && tableValue > -mateFrom && tableValue < mateFrom && ply < 2*w.depth {
		least := tableValue - 3*depth/2
		f.excluded = known.move
		value := w.node((depth-1)/2, ply, least-1, least, false, cut)
		f.excluded = 0
		if w.halt {
			return 0
		}
		switch {
		case value < least:
			extension = 1
			if !wide && value < least-20 && f.doubles < 6 {
				extension = 2
			}
		case least >= beta && !wide:
			return least // there are two moves that are too good
		case tableValue >= beta:
			extension = -2
		case cut:
			extension = -1
		}
		f.length = 0
		f.pv = pv
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
	if f.excluded != 0 && len(list) == 1 {
		return alpha // it is the only move: no other is as good
	}
	w.stack[ply+1].killers = [2]packedMove{}
	moves := w.score(ply, p, list, known.move)
	f.tried, f.taken = f.tried[:0], f.taken[:0]
	best, bestMove, kind := -infinite, packedMove(0), upper
	var bestQuiet bool
	mayPrune := pieces(p)
	tableTakes := false
	number := 0
	for i := 0; i < len(moves); i++ {
		m := w.next(p, moves, i)
		if f.excluded != 0 && pack(m) == f.excluded {
			continue
		}
		silent := quiet(m)
		score, history := int(moves[i].score), int(moves[i].history)
		number++
		reduction := reductions[min(depth, 63)][min(number, 63)]
		if wide {
			reduction -= ply1
		}
		if silent && on&LatePruning != 0 && best > -mateFrom && mayPrune && !check && len(f.tried) >= lateCount(depth, here.improving) {
			// So many quiet moves are enough.
			moves = append(moves[:i], withoutQuiet(moves[i+1:])...)
			i--
			continue
		}
		if best > -mateFrom && mayPrune && w.hopeless(p, &here, m, alpha, reduction, score, history) {
			continue
		}
		deeper := depth - 1
		if i == 0 && score == scoreTable {
			tableTakes = !silent
			deeper += extension
		}
		w.make(ply, m)
		f.number = number
		if extension == 2 && i == 0 {
			f.doubles++
		}
		value := 0
		if number == 1 || on&PVS == 0 && (on&LateReductions == 0 || depth < 3) {
			value = -w.node(deeper, ply+1, -beta, -alpha, true, !wide && !cut)
		} else {
			less := deeper
			if on&LateReductions != 0 && depth >= 2 && (silent || score < 0 || !pv || cut) {
				less = w.reduced(&here, m, deeper, reduction, history, score, tableTakes)
			}
			value = -w.node(less, ply+1, -alpha-1, -alpha, true, less < deeper || !cut)
			if less < deeper && value > alpha && !w.halt {
				// By how much it surprises says how deep it is looked at again.
				if value > best+60+8*deeper {
					deeper++
				} else if value < best+8 {
					deeper--
				}
				if less < deeper {
					value = -w.node(deeper, ply+1, -alpha-1, -alpha, true, !cut)
				}
				if silent && !w.halt && on&LongHistory != 0 {
					if value <= alpha {
						w.rewardAfter(ply, m, -w.bonus(deeper))
					} else if value >= beta {
						w.rewardAfter(ply, m, w.bonus(deeper))
					}
				}
			}
			if value > alpha && value < beta && !w.halt {
				value = -w.node(deeper, ply+1, -beta, -alpha, true, false)
			}
		}
		w.unmake()
		if extension == 2 && i == 0 {
			f.doubles--
		}
		if w.halt {
			return 0
		}
		if value > best {
			best = value
			if value > alpha {
				alpha = value
				bestMove, kind, bestQuiet = pack(m), exact, silent
				f.line[0] = m
				below := &w.stack[ply+1]
				copy(f.line[1:], below.line[:below.length])
				f.length = below.length + 1
				if value >= beta {
					kind = lower
					f.cutoffs++
					w.refuted(ply, depth, side, m)
					break
				}
			}
		}
		if silent {
			f.tried = append(f.tried, m)
		} else {
			f.taken = append(f.taken, m)
		}
	}
	if kind == upper && f.excluded == 0 && (depth >= 4 || wide) {
		// Nothing helps against the move before.
		if b, ok := w.before(ply); ok {
			w.rewardAfter(ply-1, b, w.bonus(depth))
		}
	}
	if f.excluded != 0 {
		return best
	}
	if on&Correction != 0 && !check && (bestMove == 0 || bestQuiet) && best > -mateFrom && best < mateFrom &&
		(kind != lower || best > f.static) && (kind != upper || best < f.static) {
		w.correct(ply, depth, best)
	}
	if on&(Table|TableMove) != 0 {
		w.e.table.store(key, entry{move: bestMove, value: toTable(best, ply), depth: int8(min(depth, 127)), bound: kind, pv: pv})
	}
	return best
}

// withoutQuiet leaves captures and promotions in a list.
func withoutQuiet(list []scored) []scored {
	return slices.DeleteFunc(list, func(x scored) bool { return quiet(x.move) })
}

// improving reports whether the side to move stands better than a move ago.
func (w *worker) improving(ply int) bool {
	for before := ply - 2; before >= max(0, ply-4); before -= 2 {
		if s := w.stack[before].static; s != unknown {
			return w.stack[ply].static > s
		}
	}
	return ply >= 2
}

// reduced returns how deep the late move just made is searched first. deeper is how deep it would
// be without a reduction.
func (w *worker) reduced(s *spot, m engine.Move, deeper, r, history, score int, tableTakes bool) int {
	if !s.improving {
		r += ply1
	}
	if s.pv {
		r -= 3 * ply1 / 2
	}
	if s.cut {
		r += 3 * ply1 / 2
	}
	if s.check {
		r -= ply1 / 2
	}
	if tableTakes {
		r += ply1
	}
	if w.stack[s.ply+1].cutoffs > 3 {
		r += ply1
	}
	if quiet(m) {
		r -= history / 8
		if score >= scoreKiller {
			r -= ply1
		}
	} else {
		r -= ply1 + history/8
	}
	if w.source.Position().InCheck() {
		r -= ply1
	}
	return min(max(deeper-max(r, 0)/ply1, 1), deeper)
}

// rootReduction is by how many plies a late quiet move of the root is searched less deep: less than
// others are.
func (w *worker) rootReduction(depth, number int) int {
	if w.source.Position().InCheck() {
		return 0
	}
	return max(0, min(reductions[min(depth, 63)][min(number, 63)]/ply1-1, depth-2))
}
