package search

import "math"

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

	wide := beta-alpha > 1 // on the line that is expected to be played
	key := w.keys[len(w.keys)-1]
	var known entry
	if on&(Table|TableMove) != 0 {
		var found bool
		known, found = w.e.table.probe(key)
		// Near the fifty moves a value found on another way here need not hold.
		if value := fromTable(known.value, ply); found && on&Table != 0 && !wide && f.excluded == 0 && int(known.depth) >= depth && p.Halfmove() < 90 {
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
		// What a search has found is better than what stands on the board.
		if value := fromTable(known.value, ply); on&Table != 0 && value > -mateFrom && value < mateFrom &&
			(known.bound == exact || known.bound == lower && value > f.static || known.bound == upper && value < f.static) {
			f.static = value
		}
	}
	improving := ply >= 2 && !check && f.static > w.stack[ply-2].static
	if !wide && !check && f.excluded == 0 && beta > -mateFrom && beta < mateFrom {
		if value, ok := w.early(p, depth, ply, beta, improving, mayPass, cut); ok || w.halt {
			return value
		}
	}
	if on&InternalReduction != 0 && on&TableMove != 0 && known.bound == noBound && depth >= 5 {
		depth--
	}
	extension := 0 // of the move in the table
	if on&Singular != 0 && depth >= 7 && f.excluded == 0 && known.move != 0 && int(known.depth) >= depth-3 &&
		known.bound&lower != 0 && int(known.value) > -mateFrom && int(known.value) < mateFrom && ply < 2*w.depth {
		least := int(known.value) - 2*depth
		f.excluded = known.move
		value := w.node((depth-1)/2, ply, least-1, least, mayPass, cut)
		f.excluded = 0
		if w.halt {
			return 0
		}
		switch {
		case value < least:
			extension = 1
		case least >= beta && !wide:
			return least // there are two moves that are too good
		case int(known.value) >= beta:
			extension = -1
		}
		f.length = 0
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
	side := p.SideToMove()
	moves := w.score(ply, p, list, known.move)
	f.tried = f.tried[:0]
	best, bestMove, kind := -infinite, packedMove(0), upper
	for i := range moves {
		m := next(moves, i)
		if f.excluded != 0 && pack(m) == f.excluded {
			continue
		}
		silent := quiet(m)
		losing := moves[i].score < 0 && !silent
		if best > -mateFrom && !check && !wide && w.hopeless(p, m, depth, alpha, f, int(moves[i].score), improving) && !checks(p, m) {
			continue
		}
		deeper := 0
		if pack(m) == known.move {
			deeper = extension
		}
		w.make(ply, m)
		reduction := 0
		if on&LateReductions != 0 && depth >= 3 && i >= 2 && (silent || losing) {
			reduction = w.reduction(depth, i, int(moves[i].score), silent, check, improving, wide, cut)
		}
		value := 0
		switch {
		case i == 0 || on&PVS == 0 && reduction == 0:
			value = -w.node(depth-1+deeper, ply+1, -beta, -alpha, true, !wide && !cut)
		default:
			value = -w.node(depth-1-reduction, ply+1, -alpha-1, -alpha, true, reduction > 0 || !cut)
			if reduction > 0 && value > alpha && !w.halt {
				value = -w.node(depth-1, ply+1, -alpha-1, -alpha, true, !cut)
			}
			if value > alpha && value < beta && !w.halt {
				value = -w.node(depth-1, ply+1, -beta, -alpha, true, false)
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
	if on&(Table|TableMove) != 0 && f.excluded == 0 {
		w.e.table.store(key, entry{move: bestMove, value: toTable(best, ply), depth: int8(min(depth, 127)), bound: kind})
	}
	return best
}

// reduction returns by how many plies the move just made is searched less deep. number is its place
// in the order, and check is whether it answers one.
func (w *worker) reduction(depth, number, score int, silent, check, improving, wide, cut bool) int {
	r := reductions[min(depth, 63)][min(number, 63)]
	if wide {
		r--
	}
	if !improving {
		r++
	}
	if cut {
		r++
	}
	if check {
		r--
	}
	if silent {
		r -= min(max(score, -historyMost), 2*historyMost) / 8192
		if score >= scoreKiller {
			r--
		}
	}
	if w.source.Position().InCheck() {
		r--
	}
	return max(0, min(r, depth-2))
}

// rootReduction is the same for a quiet move of the root, which is searched deeper than others are.
func (w *worker) rootReduction(depth, number int) int {
	if w.source.Position().InCheck() {
		return 0
	}
	return max(0, min(reductions[min(depth, 63)][min(number, 63)]-1, depth-2))
}
