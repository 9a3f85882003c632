package search

import (
	"cmp"
	"slices"
	"sync/atomic"
	"time"

	"github.com/cosimate/cosimate/engine"
)

// worker is one thread of a search.
type worker struct {
	e      *Engine
	source Moves
	nodes  atomic.Uint64
	count  uint64 // the same, without others looking on
	each   uint64 // the clock is looked at each time that these bits of count are 0
	err    error  // of the source

	keys   []uint64 // of all positions from the game's start to the present one
	pieces []uint64 // the pieces' part of the last of them, by ply
	stack  [MaxPly + 2]frame
	histories
	corrections *corrections
	evaluations []uint64 // nil: they are not kept
	selected    int
	depth       int // of the iteration
	rootKeys    int

	root  []rootMove
	first packedMove // of root, as the iteration began
	halt  bool       // it leaves the iteration
}

// rootMove is a move of the position that is searched.
type rootMove struct {
	move  engine.Move
	value int
	line  []engine.Move
	nodes uint64
}

// frame is what a worker keeps at each ply.
type frame struct {
	made  engine.Move  // that led to the next ply; the zero Move is a null move
	piece engine.Piece // that moved; NoPiece for a null move
	// The histories of what follows on that move: of answers, and of later moves. A null move has
	// none.
	reply, sequel *replies
	number        int // its place in the order
	killers       [2]packedMove
	// A move that is left out, to see how good the others are.
	excluded    packedMove
	static      int       // value without search; unknown in check
	corrections [4]*int16 // of it
	pv          bool      // it has been on the line that was expected to be played
	cutoffs     int       // of the nodes below
	doubles     int       // extensions by two plies on the way here
	list        []engine.Move
	moves       []scored
	tried       []engine.Move // quiet moves
	taken       []engine.Move // captures and promotions
	line        [MaxPly + 2]engine.Move
	length      int
}

func newWorker(e *Engine, source Moves) *worker {
	w := &worker{e: e, source: source, corrections: &corrections{}}
	if e.keep {
		w.evaluations = make([]uint64, 1<<evaluationBits)
	}
	// A look at the clock takes longer than a node in software, but not than one on a device.
	if _, ok := source.(*Generator); ok {
		w.each = 255
	}
	for i := range w.stack {
		f := &w.stack[i]
		f.list = make([]engine.Move, 0, 256)
		f.moves = make([]scored, 0, 256)
		f.tried = make([]engine.Move, 0, 256)
		f.taken = make([]engine.Move, 0, 256)
	}
	return w
}

// forget clears what earlier searches have taught.
func (w *worker) forget() {
	w.histories = histories{}
	*w.corrections = corrections{}
	for i := range w.stack {
		w.stack[i].killers = [2]packedMove{}
	}
}

// load begins a search.
func (w *worker) load(g *Game) error {
	p := g.Start
	w.keys = append(w.keys[:0], Key(&p))
	for _, m := range g.Moves {
		p = p.Make(m)
		w.keys = append(w.keys, Key(&p))
	}
	w.pieces = append(w.pieces[:0], piecesKey(&p))
	w.rootKeys = len(w.keys)
	w.nodes.Store(0)
	w.count, w.selected = 0, 0
	w.err, w.halt = nil, false
	for i := range w.stack {
		w.stack[i].killers, w.stack[i].excluded = [2]packedMove{}, 0
	}
	w.fail(w.source.Load(&p))
	return w.err
}

// fail ends the search if err is one.
func (w *worker) fail(err error) {
	if err != nil && w.err == nil {
		w.err = err
		w.halt = true
		w.e.stop.Store(true)
	}
}

// visit counts a node and looks whether the search is to end.
func (w *worker) visit() (halt bool) {
	w.count++
	if w.count&w.each == 0 {
		w.nodes.Store(w.count)
		if int64(time.Since(w.e.began)) >= w.e.deadline.Load() {
			w.e.stop.Store(true)
		}
	}
	if n := w.e.limits.Nodes; n > 0 && (w.count >= n || len(w.e.workers) > 1 && w.count&w.each == 0 && w.e.nodes() >= n) {
		w.e.stop.Store(true)
	}
	if w.e.stop.Load() || int(w.e.found.depth.Load()) >= w.depth {
		w.halt = true
		w.nodes.Store(w.count)
	}
	return w.halt
}

// make makes a move.
func (w *worker) make(ply int, m engine.Move) {
	p := w.source.Position()
	f := &w.stack[ply]
	f.made, f.piece = m, m.Piece
	side := p.SideToMove() & 1
	f.sequel = &w.sequel[side][m.Piece&7][m.To&63]
	if w.e.o.Features&LongHistory == 0 {
		side = 0
	}
	f.reply = &w.follow[side][m.Piece&7][m.To&63]
	pieces := w.pieces[len(w.pieces)-1] ^ moveKey(m, p.SideToMove())
	w.fail(w.source.Make(m))
	w.push(pieces)
}

// null passes the turn.
func (w *worker) null(ply int) {
	f := &w.stack[ply]
	f.made, f.piece = engine.Move{}, engine.NoPiece
	f.reply, f.sequel = nil, nil
	w.fail(w.source.Null())
	w.push(w.pieces[len(w.pieces)-1])
}

func (w *worker) push(pieces uint64) {
	w.pieces = append(w.pieces, pieces)
	w.keys = append(w.keys, pieces^stateKey(w.source.Position()))
}

// unmake takes the last move back.
func (w *worker) unmake() {
	w.pieces = w.pieces[:len(w.pieces)-1]
	w.keys = w.keys[:len(w.keys)-1]
	w.fail(w.source.Unmake())
}

// repeated reports whether the position has been there before: once since the root, or twice in the
// game (FIDE article 9.2).
func (w *worker) repeated(p *engine.Position) bool {
	last := len(w.keys) - 1
	key, before := w.keys[last], 0
	for i, far := last-4, max(0, last-p.Halfmove()); i >= far; i -= 2 {
		if w.keys[i] == key {
			if i >= w.rootKeys-1 {
				return true
			}
			if before++; before == 2 {
				return true
			}
		}
	}
	return false
}

// iterate searches the root moves from a rank on to a depth.
func (w *worker) iterate(depth, rank int) {
	before := w.root[rank].value
	alpha, beta, width := -infinite, infinite, 20
	if w.e.o.Features&Aspiration != 0 && depth >= 5 && before > -mateFrom && before < mateFrom {
		alpha, beta = max(before-width, -infinite), min(before+width, infinite)
	}
	for {
		value := w.searchRoot(depth, rank, alpha, beta)
		if w.halt {
			return
		}
		switch {
		case value <= alpha && alpha > -infinite:
			beta = (alpha + beta) / 2
			alpha = value - width
		case value >= beta && beta < infinite:
			beta = value + width
		default:
			return
		}
		if width *= 2; width > 600 {
			alpha, beta = -infinite, infinite
		}
		alpha, beta = max(alpha, -infinite), min(beta, infinite)
		if time.Since(w.e.began) > time.Second {
			line := w.line(depth, rank)
			line.Bound = AtLeast
			if value < before {
				line.Bound = AtMost
			}
			w.e.found.tell(line)
		}
	}
}

// searchRoot searches the root moves from a rank on and puts the best there.
func (w *worker) searchRoot(depth, rank, alpha, beta int) int {
	w.depth = depth
	if w.visit() {
		return 0
	}
	best := -infinite
	f := &w.stack[0]
	f.static, f.pv, f.doubles = unknown, true, 0
	if p := w.source.Position(); !p.InCheck() {
		f.static = w.corrected(p, 0)
	}
	w.stack[1].cutoffs = 0
	if w.e.o.Features&Aspiration != 0 {
		// What was hard to refute until now comes early.
		slices.SortStableFunc(w.root[rank+1:], func(a, b rootMove) int { return cmp.Compare(b.nodes, a.nodes) })
	}
	for i := rank; i < len(w.root); i++ {
		r := &w.root[i]
		nodes := w.count
		w.make(0, r.move)
		f.number = i - rank + 1
		value := 0
		if i == rank || w.e.o.Features&PVS == 0 {
			value = -w.node(depth-1, 1, -beta, -max(alpha, best), true, false)
		} else {
			reduction := 0
			if w.e.o.Features&LateReductions != 0 && depth >= 3 && i >= rank+2 && quiet(r.move) {
				reduction = w.rootReduction(depth, i-rank)
			}
			value = -w.node(depth-1-reduction, 1, -max(alpha, best)-1, -max(alpha, best), true, true)
			if reduction > 0 && value > max(alpha, best) && !w.halt {
				value = -w.node(depth-1, 1, -max(alpha, best)-1, -max(alpha, best), true, true)
			}
			if value > max(alpha, best) && value < beta && !w.halt {
				value = -w.node(depth-1, 1, -beta, -max(alpha, best), true, false)
			}
		}
		w.unmake()
		if w.halt {
			// What was found better is kept: the first move of an iteration is searched fully.
			return best
		}
		r.nodes += w.count - nodes
		if value > best && (i == rank || value > alpha) {
			best = value
			r.value = value
			r.line = append(append(r.line[:0], r.move), w.stack[1].line[:w.stack[1].length]...)
			x := *r
			copy(w.root[rank+1:i+1], w.root[rank:i])
			w.root[rank] = x
		}
		if best >= beta {
			break
		}
	}
	return best
}

// line is what is known of a rank.
func (w *worker) line(depth, rank int) Line {
	r := &w.root[rank]
	w.nodes.Store(w.count)
	return Line{
		Rank: rank + 1, Depth: depth, Selected: w.selected, Value: r.value,
		Moves: append([]engine.Move(nil), r.line...),
		Nodes: w.e.nodes(), Time: time.Since(w.e.began), Full: w.e.table.full(),
	}
}
