package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/internal/shell"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/rtl/movegen/perft"
	"github.com/cosimate/cosimate/rtl/perftengine"
	"github.com/cosimate/cosimate/sim"
)

// runPerft is cosimate perft.
func runPerft(ctx context.Context, args []string) error {
	flags, err := parsePerft(args)
	if errors.Is(err, errHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	positions, err := readPositions(flags)
	if err != nil {
		return err
	}
	groups, err := walk(ctx, flags, positions)
	return errors.Join(publish(ctx, flags, groups, err), err)
}

// walk does the work. The groups that it returns hold all results so far, even with an error.
func walk(ctx context.Context, flags *perftFlags, positions []*position) ([]*group, error) {
	pl := &planner{flags: flags, known: map[caseKey]perft.Result{}}
	groups, err := pl.plan(ctx, positions)
	if err != nil {
		return nil, err
	}
	// If a tool is missing or the RTL does not compile, this shows before the counting.
	var built error
	for _, s := range flags.simulators {
		err := openOnce(ctx, flags, s)
		if errors.Is(err, bridge.ErrBuilt) { // and so are the models of the others
			built = err
			continue
		}
		if err != nil {
			return groups, err
		}
	}
	if built != nil {
		return groups, built
	}
	if flags.published {
		for _, t := range groups[0].tasks {
			if t.walk.Published == nil {
				return groups, &misuse{fmt.Sprintf("--published: %s has no published count of depth %d", t.name(), t.walk.Depth), "leave --published out: the reference counts it"}
			}
		}
	} else if err := countReference(ctx, pl, groups); err != nil {
		return groups, err
	}
	for i, s := range flags.simulators {
		g := groups[i]
		do := walkGroup
		switch {
		case s == inLanes:
			do = laneGroup
		case flags.hardware:
			do = countGroup
		}
		if g.err = do(ctx, flags, s, g); g.err != nil {
			return groups, g.err
		}
	}
	for _, g := range groups {
		for _, t := range g.tasks {
			if t.verdict.Failed() {
				return groups, differs(groups)
			}
		}
	}
	return groups, nil
}

// openOnce opens the design in a simulator, and closes it.
func openOnce(ctx context.Context, flags *perftFlags, s sim.Simulator) error {
	var dut io.Closer
	var err error
	switch {
	case s == inLanes:
		dut, err = sim.OpenLanes[perftengine.In, perftengine.Out](ctx, perftengine.RTL)
	case flags.hardware:
		dut, err = perftengine.Open(ctx, s, sim.WithLogger(flags.logger))
	default:
		flags.logger.Debug("building", "design", flags.design.Top, "simulator", s)
		dut, err = sim.Open[movegen.In, movegen.Out](ctx, flags.design, s, sim.WithLogger(flags.logger))
	}
	if err != nil {
		return err
	}
	return dut.Close()
}

// differs returns the error that says how many results fail.
func differs(groups []*group) error {
	failed, all := 0, 0
	for _, g := range groups {
		for _, t := range g.tasks {
			all++
			if t.verdict.Failed() {
				failed++
			}
		}
	}
	return fmt.Errorf("%w: %d of %d results fail", errDiffers, failed, all)
}

// countReference counts all tasks with the reference. If no simulator was asked for, these counts
// are the results.
func countReference(ctx context.Context, pl *planner, groups []*group) error {
	m := newMeter(reference, expected(groups...), "nodes")
	defer m.close()
	nodes := uint64(0)
	for _, g := range groups {
		begin := time.Now()
		for _, t := range g.tasks {
			r, err := pl.count(ctx, t.position, t.walk.Depth)
			if err != nil {
				return err
			}
			nodes += r.Nodes
			m.update(nodes)
			t.reference = r
			if g.by == reference {
				t.result = r
				t.verdict, t.why = perft.Judge(t.walk, r, r)
			}
		}
		if g.by == reference {
			g.time = time.Since(begin)
		}
	}
	return nil
}

// expected returns how many nodes the tasks have, as far as that is known.
func expected(groups ...*group) (nodes uint64) {
	for _, g := range groups {
		for _, t := range g.tasks {
			switch {
			case t.reference.Complete:
				nodes += t.reference.Nodes
			case t.walk.Published != nil:
				nodes += *t.walk.Published
			}
		}
	}
	return nodes
}

// many is a number of things, in words.
func many(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprint(n, " ", thing)
}

// startGroup begins to show the progress of a group.
func startGroup(flags *perftFlags, g *group) *meter {
	total := expected(g)
	m := newMeter(g.by, total, "nodes")
	if m.bar == nil {
		fmt.Fprintf(os.Stderr, "%s: %s, %s nodes, %s\n", g.by, many(len(g.tasks), "position"), short(float64(total)), many(flags.jobs, "job"))
	}
	return m
}

// walkGroup walks the tasks of one simulator.
func walkGroup(ctx context.Context, flags *perftFlags, s sim.Simulator, g *group) error {
	m := startGroup(flags, g)
	defer m.close()
	cases := make([]perft.Case, len(g.tasks))
	for i, t := range g.tasks {
		cases[i] = t.walk
	}
	command := "cosimate perft"
	if flags.rtl != "" {
		command += " --rtl " + shell.Quote(flags.rtl)
	}
	begin := time.Now()
	results, err := perft.Run(ctx, s, cases, perft.Options{
		Design: flags.design, Jobs: flags.jobs, MaxFaults: flags.maxFailures, Command: command,
		Progress: func(nodes, _ uint64) { m.update(nodes) },
		Sim:      []sim.Option{sim.WithLogger(flags.logger)},
	})
	g.time = time.Since(begin)
	for i, t := range g.tasks {
		t.result = results[i]
		t.verdict, t.why = perft.Judge(t.walk, t.reference, t.result)
	}
	return err
}
