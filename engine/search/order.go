package search

import (
	"github.com/cosimate/cosimate/engine"
)

// scored is a move and its place in the order of search: higher scores come first, and among equal
// ones the first in the list.
type scored struct {
	move    engine.Move
	score   int32
	history int32 // how well it has done before
	weighed bool  // a capture: whether it loses material is in the score
}

// Scores: the move from the table, captures that lose nothing, killers, quiet moves by history,
// captures that lose material.
const (
	scoreTable  = 1 << 28
	scoreWins   = 1 << 26
	scoreKiller = 1 << 25
	scoreLoses  = -1 << 26
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
		s, history := int32(0), int32(0)
		switch still := quiet(m); {
		case still && on&History != 0:
			history = w.historyOf(ply, side, m)
		case !still && on&CaptureHistory != 0:
			history = int32(*w.captureHistory(side, m))
		}
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
			s += history / 8
		case on&Killers != 0 && x == f.killers[0]:
			s = scoreKiller + 2
		case on&Killers != 0 && x == f.killers[1]:
			s = scoreKiller + 1
		case on&Killers != 0 && x == counter:
			s = scoreKiller
		default:
			s = history
		}
		list = append(list, scored{move: m, score: s, history: history})
	}
	f.moves = list
	return list
}

// next moves the best of the moves from i on to place i, and keeps the others in their order. Of a
// capture it finds out only now whether it loses material: most are never searched.
func (w *worker) next(p *engine.Position, list []scored, i int) engine.Move {
	for {
		best := i
		for j := i + 1; j < len(list); j++ {
			if list[j].score > list[best].score {
				best = j
			}
		}
		x := list[best]
		if w.e.o.Features&ExchangeOrder != 0 && x.score != scoreTable && !quiet(x.move) && !x.weighed {
			list[best].weighed = true
			if !wins(p, x.move, 0) {
				list[best].score += scoreLoses - scoreWins
				continue
			}
		}
		copy(list[i+1:best+1], list[i:best])
		list[i] = x
		return x.move
	}
}
