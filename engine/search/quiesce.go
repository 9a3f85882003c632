package search

import "github.com/cosimate/cosimate/engine"

// quiesce returns the value of the present position when captures have come to their end. since is
// how many plies it goes on already.
func (w *worker) quiesce(ply, since, alpha, beta int, check bool) int {
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
	f.static = unknown
	best, filter, static := -infinite, Captures, 0
	checking := on&QuietChecks != 0 && since == 0 && !check
	if check || checking {
		filter = All
	}
	if !check {
		f.static = w.corrected(p, ply)
		static = f.static
		best = static
		if v := fromTable(known.value, ply); on&Correction != 0 && v > -mateFrom && v < mateFrom &&
			(known.bound == exact || known.bound == lower && v > best || known.bound == upper && v < best) {
			best = v
		}
		if best >= beta {
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
	if checking {
		list = list[:0]
		for _, m := range f.list {
			if !quiet(m) || checks(p, m) {
				list = append(list, m)
			}
		}
	}
	moves := w.score(ply, p, list, known.move)
	bestMove, kind := packedMove(0), upper
	for i := range moves {
		m := w.next(p, moves, i)
		if checking && quiet(m) && !wins(p, m, 0) {
			continue
		}
		if on&ExchangePrune != 0 && best > -mateFrom {
			if check && quiet(m) {
				break // one answer is enough
			}
			if !check && !quiet(m) && (moves[i].score < 0 || (on&ExchangeOrder == 0 || moves[i].score == scoreTable) && !wins(p, m, 0)) {
				continue
			}
			// What gives check may be mate, whatever it captures.
			if !check && !quiet(m) && m.Promotion == engine.NoPiece && static+exchangeValues[m.Captured]+180 <= alpha && !checks(p, m) {
				best = max(best, static+exchangeValues[m.Captured]+180)
				continue
			}
		}
		w.make(ply, m)
		value := -w.quiesce(ply+1, since+1, -beta, -alpha, w.source.Position().InCheck())
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
