package search

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cosimate/cosimate/engine"
)

// aheadPlies is by how much deeper than the others every second thread searches, so that the table
// has what it finds in a depth that spares them the same work. BenchmarkThreads of engine/uci says
// what that gains.
const aheadPlies = 2

// found is what the threads of a search have found together. All search on their own, and share
// the transposition table. The first to complete an iteration has done so for all: those at work
// on the same or an earlier one leave it, and go on with what it knows of the root moves.
type found struct {
	depth atomic.Int32 // of the deepest iteration that is complete; changed under mu

	mu       sync.Mutex // of what follows
	root     []rootMove
	lines    []Line
	finished bool // no limit has cut the search short
	report   func(Line)
}

// clear begins a search.
func (f *found) clear(report func(Line)) {
	f.depth.Store(0)
	f.root, f.lines, f.finished, f.report = nil, nil, false, report
}

// join has a thread that is late begin with what is known of the root moves.
func (f *found) join(w *worker) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.root) > 0 {
		w.root = copyRoot(w.root, f.root)
	}
}

// tell reports a line of an iteration that is not complete, unless another thread has completed it.
func (f *found) tell(l Line) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.report != nil && l.Depth > int(f.depth.Load()) {
		f.report(l)
	}
}

// publish notes and reports the lines of an iteration.
func (f *found) publish(lines []Line) {
	f.lines = lines
	if f.report != nil {
		for _, l := range lines {
			f.report(l)
		}
	}
}

// most is the depth of the last iteration.
func (l *Limits) most() int {
	if l.Depth > 0 {
		return min(MaxPly-1, l.Depth)
	}
	return MaxPly - 1
}

// timed reports whether the search is one of a game: not one that is to go on until it is stopped.
func (l *Limits) timed() bool { return (l.MoveTime > 0 || l.Clock != Clock{}) && !l.Ponder }

// deepen searches deeper and deeper.
func (w *worker) deepen(number int, moves []engine.Move) {
	w.root = w.root[:0]
	list := w.stack[0].list[:0]
	// In the order of the source, as for any other position.
	all, err := w.source.List(list, w.e.o.Order, All)
	w.fail(err)
	for _, m := range all {
		for _, wanted := range moves {
			if pack(m) == pack(wanted) {
				w.root = append(w.root, rootMove{move: m, value: -infinite})
			}
		}
	}
	w.e.found.join(w)
	lines := min(w.e.o.MultiPV, len(w.root))
	most := w.e.limits.most()
	for !w.e.stop.Load() {
		depth := int(w.e.found.depth.Load()) + 1
		if number&1 != 0 && depth > 3 {
			depth += aheadPlies
		}
		depth = min(depth, most)
		w.first = pack(w.root[0].move)
		for rank := 0; rank < lines && !w.halt; rank++ {
			w.iterate(depth, rank)
		}
		if !w.halt {
			// A later line may have turned out better than the ones before it.
			slices.SortStableFunc(w.root[:lines], func(a, b rootMove) int { return b.value - a.value })
		}
		w.complete(depth, lines)
	}
}

// complete ends an iteration: for all threads, if none has been faster, and for this one in any
// case.
func (w *worker) complete(depth, lines int) {
	e, f := w.e, &w.e.found
	f.mu.Lock()
	defer f.mu.Unlock()
	switch before := int(f.depth.Load()); {
	case depth <= before:
		w.root, w.halt = copyRoot(w.root, f.root), false
	case w.halt:
		// A move that has turned out better in part of the next iteration is better. What this
		// thread began with may be what an earlier iteration of another one has found best.
		if best := pack(w.root[0].move); depth == before+1 && lines == 1 && len(f.lines) == 1 && best != w.first && best != pack(f.lines[0].Moves[0]) {
			f.publish(w.found(depth, lines))
		}
	default:
		f.depth.Store(int32(depth))
		if len(e.workers) > 1 {
			f.root = copyRoot(f.root, w.root)
		}
		f.publish(w.found(depth, lines))
		if e.enough(depth, w.root) {
			f.finished = true
			e.stop.Store(true)
		}
	}
}

// copyRoot copies root moves to a list, which it returns, and leaves what lines it has their own.
func copyRoot(to, from []rootMove) []rootMove {
	to = append(to[:0], from...)
	for i := range to {
		to[i].line = slices.Clone(to[i].line)
	}
	return to
}

// enough reports whether the search is at its end with an iteration.
func (e *Engine) enough(depth int, root []rootMove) bool {
	l := &e.limits
	mate := MateIn(root[0].value)
	switch {
	case depth >= l.most(), e.late():
		return true
	case l.Mate > 0 && mate > 0 && mate <= l.Mate:
		return true
	case e.soft.Load() != math.MaxInt64 && len(root) == 1 && depth >= 4:
		return true // there is nothing to choose
	}
	return mate != 0 && l.timed() && depth > 2*max(mate, -mate)+2 // deeper it stays the same
}

// found returns what is known of the lines of an iteration, best first.
func (w *worker) found(depth, lines int) (list []Line) {
	for rank := range lines {
		list = append(list, w.line(depth, rank))
	}
	return list
}
