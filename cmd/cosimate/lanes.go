package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/internal/shell"
	"github.com/cosimate/cosimate/rtl/movegen/perft"
	"github.com/cosimate/cosimate/rtl/perftengine/count"
	"github.com/cosimate/cosimate/sim"
)

// errFailures ends a run after --max-failures.
var errFailures = errors.New("as many positions fail as were asked for")

// laneGroup counts the tasks with 512 copies of the hardware perft engine at once, for each job.
func laneGroup(ctx context.Context, flags *perftFlags, _ sim.Simulator, g *group) error {
	if flags.keep != "" && len(g.tasks) > 1 {
		return &misuse{fmt.Sprintf("--keep %s: one position is kept in a file, and these are %d", flags.keep, len(g.tasks)), "give one --fen, or an --epd file with one position"}
	}
	kept, err := openKept(flags.keep, g.tasks[0])
	if err != nil {
		return err
	}
	defer kept.close()
	m := startGroup(flags, g)
	defer m.close()
	begin := time.Now()
	trees := make([]count.Tree, len(g.tasks))
	for i, t := range g.tasks {
		trees[i] = count.Tree{Position: t.walk.Position, Depth: t.walk.Depth}
	}
	wrong := map[int]count.Count{}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	err = count.Trees(inner, trees, count.Options{
		Jobs: flags.jobs, Divide: flags.divide, Progress: m.update, Known: kept.known,
		Part: func(i int, p *count.Part) error {
			r := &g.tasks[i].result
			r.Positions, r.Nodes, r.Cycles = 1, r.Nodes+p.Nodes, r.Cycles+p.Cycles
			g.tasks[i].verdict = perft.Unfinished
			return kept.add(p)
		},
		Tree: func(i int, c count.Count) {
			t := g.tasks[i]
			t.result = perft.Result{Nodes: c.Nodes, Divide: c.Divide(), Positions: 1, Cycles: c.Cycles}
			if c.Wrong == "" && c.Nodes == t.due() {
				t.result.Complete = true
				t.verdict = perft.Pass
				return
			}
			t.verdict = perft.Differs
			wrong[i] = c
			if len(wrong) == flags.maxFailures {
				cancel(errFailures)
			}
		},
	})
	g.time = time.Since(begin)
	g.shareTime()
	if errors.Is(err, errFailures) {
		err = nil
	}
	if err != nil {
		return err
	}
	for i, t := range g.tasks {
		if c, found := wrong[i]; found {
			if t.why, err = whyWrong(ctx, trees[i], &c, t.due()); err != nil {
				return err
			}
		} else if t.reference.Complete {
			t.verdict, t.why = perft.Judge(t.walk, t.reference, t.result)
		}
	}
	return nil
}

// due is the count that a task should have.
func (t *task) due() uint64 {
	if t.reference.Complete {
		return t.reference.Nodes
	}
	return *t.walk.Published
}

// whyWrong says what lanes count wrong, and how to see it.
func whyWrong(ctx context.Context, t count.Tree, c *count.Count, want uint64) (string, error) {
	text, at, err := count.Explain(ctx, t, c, want)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%sagain: cosimate perft --hardware --sim verilator --depth %d --fen %s\n", text, at.Depth, shell.Quote(at.Position.FEN())), nil
}

// shareTime gives each task its share of the time of all, by cycles.
func (g *group) shareTime() {
	var all uint64
	for _, t := range g.tasks {
		all += t.result.Cycles
	}
	for _, t := range g.tasks {
		if all > 0 {
			t.result.Time = time.Duration(float64(g.time) * float64(t.result.Cycles) / float64(all))
		}
	}
}

// pathName is the name of a part in a file that is kept.
func pathName(path []engine.Move) string {
	text := "-"
	for i, m := range path {
		if i == 0 {
			text = m.String()
		} else {
			text += "," + m.String()
		}
	}
	return text
}
