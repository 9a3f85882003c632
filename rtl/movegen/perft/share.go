package perft

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/sim"
)

// run is one call of Run.
type run struct {
	simulator sim.Simulator
	options   Options
	cancel    context.CancelCauseFunc
	cases     []progress
	active    atomic.Int32 // workers at work

	mu            sync.Mutex
	faults        int
	nodes, cycles uint64
}

// errFaults ends a run that has found Options.MaxFaults.
var errFaults = errors.New("as many positions differ as were asked for")

// progress is what is known of a case.
type progress struct {
	Case
	failed atomic.Bool // a fault is known: nothing more of the case needs to be walked

	mu      sync.Mutex
	known   Result
	made    int // units
	done    int // units walked to their end
	allMade bool
}

// unit is a share of the work: a subtree of a case. It is walked by one
// worker at a time, and what it counted is added to its case at its end.
type unit struct {
	c        *progress
	root     int // index of the first move, or -1 for the case's own position
	position engine.Position
	depth    int           // remaining
	whole    bool          // walk the subtree; otherwise just its own position
	path     []engine.Move // that lead to it

	nodes     uint64
	listed    []engine.Move // by the RTL, for a case of depth 1
	positions uint64
	cycles    uint64
	nanos     float64
	awaited   int  // positions given to the RTL and not yet answered
	walked    bool // all positions were given to the RTL
}

// share hands out the cases as units: small enough to keep all workers busy to the
// end and to lose little when one must be walked again, large enough to cost
// nothing.
func (r *run) share(ctx context.Context, units chan<- *unit) {
	for i := range r.cases {
		c := &r.cases[i]
		give := func(u unit) bool {
			u.c = c
			c.mu.Lock()
			c.made++
			c.mu.Unlock()
			select {
			case units <- &u:
				return true
			case <-ctx.Done():
				return false
			}
		}
		moves := c.Position.AppendMoves(nil)
		slices.SortFunc(moves, func(a, b engine.Move) int { return cmp.Compare(a.String(), b.String()) })
		c.mu.Lock()
		c.known.Divide = make([]engine.RootCount, 0, len(moves))
		for _, m := range moves {
			c.known.Divide = append(c.known.Divide, engine.RootCount{Move: m})
		}
		c.mu.Unlock()
		if !give(unit{root: -1, position: c.Position, depth: c.Depth}) {
			return
		}
		if c.Depth > 1 && !r.shareMoves(c, moves, give) {
			return
		}
		c.mu.Lock()
		c.allMade = true
		c.mu.Unlock()
	}
}

func (r *run) shareMoves(c *progress, moves []engine.Move, give func(unit) bool) bool {
	for i, m := range moves {
		if c.failed.Load() {
			return true
		}
		child := c.Position.Make(m)
		path := []engine.Move{m}
		deep := c.Depth > 3 // then it is shared out by replies
		if !give(unit{root: i, position: child, depth: c.Depth - 1, whole: !deep, path: path}) {
			return false
		}
		if !deep {
			continue
		}
		for _, reply := range child.AppendMoves(nil) {
			u := unit{root: i, position: child.Make(reply), depth: c.Depth - 2, whole: true, path: []engine.Move{m, reply}}
			if !give(u) {
				return false
			}
		}
	}
	return true
}

// add adds a unit to its case. The unit is done, or it is given up.
func (c *progress) add(u *unit, done bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := &c.known
	k.Nodes += u.nodes
	k.Positions += u.positions
	k.Cycles += u.cycles
	k.Time += time.Duration(u.nanos)
	if u.root >= 0 {
		k.Divide[u.root].Nodes += u.nodes
	}
	for _, m := range u.listed {
		for i := range k.Divide {
			if d := &k.Divide[i]; d.Move.From == m.From && d.Move.To == m.To && d.Move.Promotion == m.Promotion {
				d.Nodes++
			}
		}
	}
	if done {
		c.done++
	}
}

// fail notes a fault of a case. Only the first counts.
func (r *run) fail(c *progress, f *Fault) {
	c.mu.Lock()
	first := c.known.Fault == nil
	if first {
		c.known.Fault = f
	}
	c.mu.Unlock()
	c.failed.Store(true)
	if !first {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults++
	if r.options.MaxFaults > 0 && r.faults >= r.options.MaxFaults {
		r.cancel(errFaults)
	}
}

func (c *progress) result() Result {
	c.known.Complete = c.allMade && c.made == c.done && c.known.Fault == nil
	return c.known
}

// report adds to the totals and passes them on. Nodes may be taken back.
func (r *run) report(nodes int64, cycles uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.nodes += uint64(nodes)
	r.cycles += cycles
	if r.options.Progress != nil {
		r.options.Progress(r.nodes, r.cycles)
	}
}
