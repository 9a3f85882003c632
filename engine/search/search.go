package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cosimate/cosimate/engine"
)

// Values are in hundredths of a pawn for the side to move. Those beyond Mate less [MaxPly] are
// mates.
const (
	Mate     = 32_000 // less the plies to it
	infinite = 32_100
	mateFrom = Mate - MaxPly
	unknown  = -infinite
)

// MaxPly is how deep a line of a search can get.
const MaxPly = 128

// MateIn returns in how many moves a value is a mate: negative if the side to move is mated, 0 if
// it is none.
func MateIn(value int) int {
	switch {
	case value > mateFrom:
		return (Mate - value + 1) / 2
	case value < -mateFrom:
		return -(Mate + value + 1) / 2
	}
	return 0
}

// Game is what is searched: a position and how it came about.
type Game struct {
	Start engine.Position
	Moves []engine.Move // made since; those before count for repetitions
}

// Position returns the position after the moves.
func (g *Game) Position() engine.Position {
	p := g.Start
	for _, m := range g.Moves {
		p = p.Make(m)
	}
	return p
}

// Limits say when a search ends. The zero Limits are none: it ends with its context, or at MaxPly.
type Limits struct {
	Depth    int           // after this iteration
	Nodes    uint64        // about: it is exact with one thread
	MoveTime time.Duration // after this time
	Mate     int           // when a mate in so many moves is found
	Clock    Clock         // as the clock has it
	Only     []engine.Move // look at these moves only
	Ponder   bool          // time counts from [Engine.PonderHit] on
}

// Line is what a search knows at some time of one of its best moves.
type Line struct {
	Rank     int // 1 is the best; more with MultiPV
	Depth    int
	Selected int // the deepest ply that was reached
	Value    int
	Bound    Bound // what Value is
	Moves    []engine.Move
	Nodes    uint64
	Time     time.Duration
	Full     int // thousandths of the table in use
}

// Bound says how a value compares with that of the whole search to this depth.
type Bound int8

// The bounds.
const (
	Exact Bound = iota
	AtLeast
	AtMost
)

// Result is what a search ends with.
type Result struct {
	Line            // the best
	Lines    []Line // all, best first: as many as MultiPV
	Finished bool   // the iteration of Depth was completed
}

// Options are those of an [Engine].
type Options struct {
	Features Features // AllFeatures plays best
	Hash     int      // bytes of the transposition table; 0: 16 MiB
	Threads  int      // 0: one
	MultiPV  int      // how many of the best moves to find; 0: one
	Order    Order    // in which moves are listed
	// Source makes a source of moves for each thread; nil: a Generator.
	Source func() (Moves, error)
	// Evaluate is the value of a position by what stands on it; nil: the sum of terms.
	Evaluate func(p *engine.Position) int
}

// Engine searches. It keeps what it found from one search to the next; a new game begins with
// Clear. One search runs at a time.
type Engine struct {
	o       Options
	table   *table
	workers []*worker

	found    found
	stop     atomic.Bool
	deadline atomic.Int64 // in nanoseconds since began; math.MaxInt64: none
	began    time.Time
	limits   Limits
	keep     bool         // values of positions are kept
	soft     atomic.Int64 // no new iteration from then on
	mu       sync.Mutex   // of ponder
	ponder   bool
}

// ErrNoMoves is that there is nothing to search: the game is over.
var ErrNoMoves = errors.New("there is no legal move")

// New makes an engine. An error is one of the source of moves.
func New(o Options) (*Engine, error) {
	o.Hash = cmp.Or(o.Hash, 16<<20)
	o.Threads = max(1, o.Threads)
	o.MultiPV = max(1, o.MultiPV)
	if o.Source == nil {
		o.Source = func() (Moves, error) { return &Generator{}, nil }
	}
	e := &Engine{table: newTable(o.Hash)}
	if o.Evaluate == nil {
		o.Evaluate = evaluate
		e.keep = true
	}
	e.o = o
	for range o.Threads {
		source, err := o.Source()
		if err != nil {
			return nil, errors.Join(fmt.Errorf("the source of moves: %w", err), e.Close())
		}
		e.workers = append(e.workers, newWorker(e, source))
	}
	return e, nil
}

// Close frees what the engine's sources of moves hold, if they are an io.Closer. The engine cannot
// be used after that.
func (e *Engine) Close() error {
	var errs []error
	for _, w := range e.workers {
		if c, ok := w.source.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}

// Clear forgets what was found in earlier searches.
func (e *Engine) Clear() {
	e.table.clear()
	for _, w := range e.workers {
		w.forget()
	}
}

// Stop ends a search that is under way; it returns what it has.
func (e *Engine) Stop() { e.stop.Store(true) }

// PonderHit says that the move that was pondered on was played: from now on the clock runs.
func (e *Engine) PonderHit() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ponder {
		e.ponder = false
		e.start(time.Since(e.began))
	}
}

// start sets when the search must end, from a time since it began.
func (e *Engine) start(from time.Duration) {
	soft, hard := e.limits.Clock.budget()
	if t := e.limits.MoveTime; t > 0 {
		soft, hard = t, t
	}
	if hard > 0 {
		e.soft.Store(int64(from + soft))
		e.deadline.Store(int64(from + hard))
	}
}

// Search looks for the best move until a limit is reached or the context ends, which is no error.
// report, if it is not nil, is told of each line as it is found, by one thread at a time. The error
// is [ErrNoMoves] or that of a source of moves.
func (e *Engine) Search(ctx context.Context, g Game, l Limits, report func(Line)) (Result, error) {
	e.began = time.Now()
	e.limits = l
	e.found.clear(report)
	e.stop.Store(ctx.Err() != nil)
	e.soft.Store(math.MaxInt64)
	e.deadline.Store(math.MaxInt64)
	e.mu.Lock()
	if e.ponder = l.Ponder; !l.Ponder {
		e.start(0)
	}
	e.mu.Unlock()
	defer context.AfterFunc(ctx, e.Stop)()

	root := g.Position()
	moves := root.AppendMoves(nil)
	if len(l.Only) > 0 {
		moves = slices.DeleteFunc(moves, func(m engine.Move) bool {
			return !slices.ContainsFunc(l.Only, func(o engine.Move) bool { return pack(o) == pack(m) })
		})
	}
	if len(moves) == 0 {
		return Result{}, ErrNoMoves
	}
	e.table.next()
	for _, w := range e.workers {
		if err := w.load(&g); err != nil {
			return Result{}, err
		}
	}

	var wg sync.WaitGroup
	for i, w := range e.workers {
		wg.Go(func() { w.deepen(i, moves) })
	}
	wg.Wait()
	for _, w := range e.workers {
		if w.err != nil {
			return Result{}, w.err
		}
	}
	r := Result{Lines: e.found.lines, Finished: e.found.finished}
	if len(r.Lines) == 0 { // stopped before anything was known
		r.Lines = []Line{{Rank: 1, Moves: moves[:1]}}
	}
	r.Line = r.Lines[0]
	r.Nodes, r.Time = e.nodes(), time.Since(e.began)
	return r, nil
}

// nodes is how many nodes all threads have seen.
func (e *Engine) nodes() (n uint64) {
	for _, w := range e.workers {
		n += w.nodes.Load()
	}
	return n
}

// late reports whether no new iteration should begin.
func (e *Engine) late() bool { return int64(time.Since(e.began)) >= e.soft.Load() }
