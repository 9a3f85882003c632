package search

import (
	"github.com/cosimate/cosimate/engine"
)

// scored is a move and its place in the order of search: higher scores come first, and among equal
// ones the first in the list.
type scored struct {
	move  engine.Move
	score int32
}

// Scores: the move from the table, captures that lose nothing, killers, quiet moves by history,
// captures that lose material.
const (
	scoreTable  = 1 << 28
	scoreWins   = 1 << 26
	scoreKiller = 1 << 25
	scoreLoses  = -1 << 26
	historyMost = 1 << 14
)

// quiet reports whether a move neither captures nor promotes.
func quiet(m engine.Move) bool {
	return m.Captured == engine.NoPiece && m.Promotion == engine.NoPiece
}

// score gives each move of a list its place.
func (w *worker) score(ply int, p *engine.Position, moves []engine.Move, best packedMove) []scored {
	f := &w.stack[ply]
	list := f.moves[:0]
	on := w.e.o.Features
	side := p.SideToMove() & 1
	var counter packedMove
	if ply > 0 {
		counter = w.counters[side][w.stack[ply-1].piece&7][w.stack[ply-1].made.To&63]
	}
	for _, m := range moves {
		s := int32(0)
		switch x := pack(m); {
		case on&TableMove != 0 && x == best && best != 0:
			s = scoreTable
		case !quiet(m):
			if on&CaptureOrder != 0 {
				s = scoreWins
			}
			if on&VictimOrder != 0 {
				s += int32(m.Captured)<<10 - int32(m.Piece) + int32(m.Promotion)<<8
			}
			if on&ExchangeOrder != 0 && !wins(p, m, 0) {
				s += scoreLoses - scoreWins
			}
		case on&Killers != 0 && x == f.killers[0]:
			s = scoreKiller + 2
		case on&Killers != 0 && x == f.killers[1]:
			s = scoreKiller + 1
		case on&Killers != 0 && x == counter:
			s = scoreKiller
		case on&History != 0:
			s = w.historyOf(ply, side, m)
		}
		list = append(list, scored{m, s})
	}
	f.moves = list
	return list
}

// next moves the best of the moves from i on to place i, and keeps the others in their order.
func next(list []scored, i int) engine.Move {
	best := i
	for j := i + 1; j < len(list); j++ {
		if list[j].score > list[best].score {
			best = j
		}
	}
	x := list[best]
	copy(list[i+1:best+1], list[i:best])
	list[i] = x
	return x.move
}

// historyOf is how well a quiet move has done before, as such and after the move before it.
func (w *worker) historyOf(ply int, side engine.Color, m engine.Move) int32 {
	s := int32(w.history[side][m.From&63][m.To&63])
	if ply > 0 {
		if before := &w.stack[ply-1]; before.piece != engine.NoPiece {
			s += int32(w.follow[before.piece&7][before.made.To&63][m.Piece&7][m.To&63])
		}
	}
	return s
}

// learn notes that a quiet move refuted a position, and that those searched before it did not.
func (w *worker) learn(ply, depth int, side engine.Color, m engine.Move, tried []engine.Move) {
	f := &w.stack[ply]
	if x := pack(m); f.killers[0] != x {
		f.killers[1], f.killers[0] = f.killers[0], x
	}
	var before *frame
	if ply > 0 && w.stack[ply-1].piece != engine.NoPiece {
		before = &w.stack[ply-1]
		w.counters[side&1][before.piece&7][before.made.To&63] = pack(m)
	}
	bonus := int32(min(depth*depth*8+32, 1200))
	w.reward(before, side, m, bonus)
	for _, t := range tried {
		w.reward(before, side, t, -bonus)
	}
}

// reward adds to a move's history, the less the nearer it is to its bound.
func (w *worker) reward(before *frame, side engine.Color, m engine.Move, bonus int32) {
	add := func(h *int16) {
		*h += int16(bonus - int32(*h)*max(bonus, -bonus)/historyMost)
	}
	add(&w.history[side&1][m.From&63][m.To&63])
	if before != nil {
		add(&w.follow[before.piece&7][before.made.To&63][m.Piece&7][m.To&63])
	}
}
