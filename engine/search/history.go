package search

import "github.com/cosimate/cosimate/engine"

// What moves have done before says in which order they are searched, how deep, and whether at all.
// A history is a number between minus and plus historyMost.
const historyMost = 1 << 14

// replies is a history of moves, by piece and destination.
type replies [7][64]int16

// histories are what a worker learns from the moves that it searches.
type histories struct {
	quiet    [2][64][64]int16     // by side, origin and destination
	follow   [2][7][64]replies    // of the answers to a move: by its side, piece and destination
	sequel   [2][7][64]replies    // of later moves of the same side
	captures [2][7][64][7]int16   // by side, piece, destination and victim
	counters [2][7][64]packedMove // the last move that refuted a move
}

// learn moves a history, the less the nearer it is to its bound.
func learn(h *int16, bonus int32) {
	*h += int16(bonus - int32(*h)*max(bonus, -bonus)/historyMost)
}

// bonus is how much is learnt from a search of some depth.
func (w *worker) bonus(depth int) int32 {
	if w.e.o.Features&LongHistory == 0 {
		return int32(min(depth*depth*8+32, 1200))
	}
	return int32(min(12*depth*depth+180*depth-60, 2400))
}

// historyOf is how well a quiet move has done before, as such and after the moves before it.
func (w *worker) historyOf(ply int, side engine.Color, m engine.Move) int32 {
	s := int32(w.quiet[side&1][m.From&63][m.To&63])
	if ply > 0 {
		if r := w.stack[ply-1].reply; r != nil {
			s += int32(r[m.Piece&7][m.To&63])
		}
	}
	if w.e.o.Features&LongHistory != 0 {
		for before := ply - 2; before >= max(0, ply-4); before -= 2 {
			if r := w.stack[before].sequel; r != nil {
				s += int32(r[m.Piece&7][m.To&63])
			}
		}
	}
	return s
}

// captureHistory is how well a capture or promotion has done before.
func (w *worker) captureHistory(side engine.Color, m engine.Move) *int16 {
	return &w.captures[side&1][m.Piece&7][m.To&63][m.Captured&7]
}

// reward adds to the history of a quiet move.
func (w *worker) reward(ply int, side engine.Color, m engine.Move, bonus int32) {
	learn(&w.quiet[side&1][m.From&63][m.To&63], bonus)
	w.rewardAfter(ply, m, bonus)
}

// rewardAfter adds to what is known of a quiet move after the moves before it.
func (w *worker) rewardAfter(ply int, m engine.Move, bonus int32) {
	if ply > 0 {
		if r := w.stack[ply-1].reply; r != nil {
			learn(&r[m.Piece&7][m.To&63], bonus)
		}
	}
	if w.e.o.Features&LongHistory != 0 {
		for before := ply - 2; before >= max(0, ply-4); before -= 2 {
			if r := w.stack[before].sequel; r != nil {
				learn(&r[m.Piece&7][m.To&63], bonus)
			}
		}
	}
}

// refuted notes that a move refuted a position, and that those tried before it did not.
func (w *worker) refuted(ply, depth int, side engine.Color, m engine.Move) {
	f := &w.stack[ply]
	bonus := w.bonus(depth)
	if quiet(m) {
		if x := pack(m); f.killers[0] != x {
			f.killers[1], f.killers[0] = f.killers[0], x
		}
		if ply > 0 && w.stack[ply-1].reply != nil {
			before := &w.stack[ply-1]
			w.counters[side&1][before.piece&7][before.made.To&63] = pack(m)
		}
		w.reward(ply, side, m, bonus)
		for _, t := range f.tried {
			w.reward(ply, side, t, -bonus)
		}
	}
	if b, ok := w.before(ply); ok && w.stack[ply-1].number == 1 {
		w.rewardAfter(ply-1, b, -w.bonus(depth+1)) // the first move should have been better
	}
	if w.e.o.Features&CaptureHistory == 0 {
		return
	}
	if !quiet(m) {
		learn(w.captureHistory(side, m), bonus)
	}
	for _, t := range f.taken {
		learn(w.captureHistory(side, t), -bonus)
	}
}

// before returns the last move, if histories learn from it: a quiet one.
func (w *worker) before(ply int) (m engine.Move, ok bool) {
	if w.e.o.Features&LongHistory == 0 || ply == 0 {
		return m, false
	}
	f := &w.stack[ply-1]
	return f.made, f.reply != nil && quiet(f.made)
}
