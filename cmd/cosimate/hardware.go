package main

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/rtl/movegen/perft"
	"github.com/cosimate/cosimate/rtl/perftengine"
	"github.com/cosimate/cosimate/sim"
)

// countGroup counts the tasks of one simulator with the hardware perft engine.
func countGroup(ctx context.Context, flags *perftFlags, s sim.Simulator, g *group) error {
	m := startGroup(flags, g)
	defer m.close()
	var nodes, failures atomic.Uint64
	var next atomic.Int64
	var mu sync.Mutex // held while an engine is opened: the first builds it for the others
	begin := time.Now()
	workers, ctx := errgroup.WithContext(ctx)
	for range min(flags.jobs, len(g.tasks)) {
		workers.Go(func() error {
			mu.Lock()
			e, err := perftengine.Open(ctx, s, sim.WithLogger(flags.logger))
			mu.Unlock()
			if err != nil {
				return err
			}
			defer e.Close()
			for {
				at := int(next.Add(1)) - 1
				if at >= len(g.tasks) || flags.maxFailures > 0 && failures.Load() >= uint64(flags.maxFailures) {
					return nil
				}
				t := g.tasks[at]
				if err := countTask(ctx, flags, e, t); err != nil {
					return err
				}
				if t.verdict.Failed() {
					failures.Add(1)
				}
				m.update(nodes.Add(t.result.Nodes))
			}
		})
	}
	err := workers.Wait()
	g.time = time.Since(begin)
	return err
}

// countTask counts one task and compares it with the reference.
func countTask(ctx context.Context, flags *perftFlags, e *perftengine.Engine, t *task) error {
	p, depth := t.walk.Position, t.walk.Depth
	begin := time.Now()
	r, why, err := e.Check(ctx, &p, depth, flags.divide, t.reference.Nodes)
	t.result = perft.Result{Nodes: r.Nodes, Divide: r.Divide, Positions: 1, Cycles: r.Cycles, Time: time.Since(begin)}
	if err != nil {
		return err
	}
	if why != "" {
		t.verdict, t.why = perft.Differs, why
		return nil
	}
	t.result.Complete = true
	t.verdict, t.why = perft.Judge(t.walk, t.reference, t.result)
	return nil
}
