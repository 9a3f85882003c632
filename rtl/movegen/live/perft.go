package live

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/rtl/movegen/perft"
	"github.com/cosimate/cosimate/sim"
)

// maxDepth is how deep perft goes.
const maxDepth = 6

// perftRun is a perft that is being counted beside the runner, move by move.
type perftRun struct {
	depth  int
	stop   context.CancelFunc
	moves  []engine.Move
	p      engine.Position
	ended  chan struct{}
	result struct {
		sync.Mutex
		rows    []perftRow
		now     uint64 // leaves of the move that is being counted
		cycles  uint64
		running bool
		err     error
	}
}

// perftRow is a first move: its leaves by the RTL and by the reference.
type perftRow struct {
	Move      string `json:"move"`
	RTL       uint64 `json:"rtl"`
	Reference uint64 `json:"reference"`
}

// perftState is a perft for the page.
type perftState struct {
	Depth     int        `json:"depth"`
	Rows      []perftRow `json:"rows"`
	Moves     int        `json:"moves"`
	RTL       uint64     `json:"rtl"` // the sum so far
	Reference uint64     `json:"reference"`
	Cycles    uint64     `json:"cycles"`
	Running   bool       `json:"running"`
	Error     string     `json:"error"`
}

// startPerft begins to count the leaves of the position's tree through the RTL in Verilator.
func (a *App) startPerft(depth int) error {
	if depth < 1 || depth > maxDepth {
		return fmt.Errorf("perft goes from depth 1 to depth %d", maxDepth)
	}
	a.stopPerft()
	ctx, stop := context.WithCancel(a.ctx)
	r := &perftRun{depth: depth, stop: stop, p: a.position, moves: a.position.AppendMoves(nil), ended: make(chan struct{})}
	r.result.running = true
	a.perft = r
	go func() {
		defer close(r.ended)
		err := r.count(ctx, a)
		r.result.Lock()
		r.result.running, r.result.err = false, err
		r.result.Unlock()
		a.wake(ctx)
	}()
	return nil
}

// count counts all first moves.
func (r *perftRun) count(ctx context.Context, a *App) error {
	told := time.Now()
	for _, m := range r.moves {
		child := r.p.Make(m)
		row := perftRow{Move: notation.SAN(&r.p, m), RTL: 1, Reference: 1}
		var cycles uint64
		if r.depth > 1 {
			var err error
			if row.Reference, err = engine.PerftParallel(ctx, &child, r.depth-1, 1); err != nil {
				return err
			}
			results, err := perft.Run(ctx, sim.Verilator, []perft.Case{{Position: child, Depth: r.depth - 1}}, perft.Options{
				Design: a.opts.Design,
				Progress: func(nodes, _ uint64) {
					r.result.Lock()
					r.result.now = nodes
					r.result.Unlock()
					if time.Since(told) > 100*time.Millisecond {
						told = time.Now()
						a.wake(ctx)
					}
				},
			})
			if err != nil {
				return err
			}
			if f := results[0].Fault; f != nil {
				return fmt.Errorf("after %s the RTL differs from the reference:\n%v", row.Move, f)
			}
			row.RTL, cycles = results[0].Nodes, results[0].Cycles
		}
		r.result.Lock()
		r.result.rows = append(r.result.rows, row)
		r.result.now = 0
		r.result.cycles += cycles
		r.result.Unlock()
		a.wake(ctx)
	}
	return nil
}

// stopPerft ends a perft, and forgets it.
func (a *App) stopPerft() {
	if a.perft != nil {
		a.perft.stop()
		<-a.perft.ended
		a.perft = nil
	}
}

func (a *App) wake(ctx context.Context) {
	select {
	case a.wakes <- struct{}{}:
	case <-ctx.Done():
	}
}

// Wakes implements [live.Background].
func (a *App) Wakes() <-chan struct{} { return a.wakes }

// Wake implements [live.Background]. State has what is new.
func (a *App) Wake() {}

func (a *App) perftState() *perftState {
	r := a.perft
	if r == nil {
		return nil
	}
	r.result.Lock()
	defer r.result.Unlock()
	s := &perftState{Depth: r.depth, Rows: append([]perftRow{}, r.result.rows...), Moves: len(r.moves), RTL: r.result.now, Cycles: r.result.cycles, Running: r.result.running}
	for _, row := range r.result.rows {
		s.RTL += row.RTL
		s.Reference += row.Reference
	}
	if r.result.err != nil {
		s.Error = r.result.err.Error()
	}
	return s
}
