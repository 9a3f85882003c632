package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cosimate/cosimate/rtl/movegen/perft"
)

// manyRows is how many positions a table shows one by one, at most.
const manyRows = 40

// publish writes the results so far: first as JUnit, and then to standard output. If that is a pipe
// that nobody reads, writing to it ends the program. broke is the error that ended the run early.
func publish(ctx context.Context, flags *perftFlags, groups []*group, broke error) error {
	var junitErr error
	if flags.junit != nil {
		junitErr = writeJUnit(ctx, flags.junit, groups, broke)
	}
	var err error
	if flags.json {
		err = printJSON(os.Stdout, flags, groups, broke)
	} else {
		var out strings.Builder
		printReport(&out, flags, groups)
		_, err = io.WriteString(os.Stdout, visible(out.String()))
	}
	if err != nil {
		err = fmt.Errorf("standard output: %w", err)
	}
	return errors.Join(junitErr, err)
}

// printReport prints the positions that fail, the counts by first move if they were asked for, and
// the table. If no task was begun, it prints nothing.
func printReport(w io.Writer, flags *perftFlags, groups []*group) {
	begun := slices.ContainsFunc(groups, func(g *group) bool {
		return slices.ContainsFunc(g.tasks, func(t *task) bool { return t.verdict != perft.NotRun })
	})
	if !begun {
		return
	}
	for _, g := range groups {
		for _, t := range g.tasks {
			if t.why != "" {
				fmt.Fprintf(w, "%s, %s, depth %d: %s\n", g.by, t.name(), t.walk.Depth, t.why)
			}
		}
	}
	if flags.divide {
		printDivide(w, groups)
	}
	tb := &table{left: map[int]bool{0: true, 1: true, 7: true}}
	tb.add("by", "position", "depth", "nodes", "cycles", "cycles/node", "nodes/s", "verdict")
	if len(groups[0].tasks) <= manyRows || flags.verbose {
		for _, g := range groups {
			for _, t := range g.tasks {
				addTask(tb, g, t)
			}
		}
		if len(groups[0].tasks) > 1 {
			for _, g := range groups {
				addSum(tb, g, "all", g.tasks, g.time)
			}
		}
		tb.print(w)
		return
	}
	for _, g := range groups {
		files := byFile(g)
		for _, f := range files {
			spent := time.Duration(0)
			if len(files) == 1 {
				spent = g.time
			}
			addSum(tb, g, cmp.Or(f[0].file, "--fen"), f, spent)
		}
		if len(files) > 1 {
			addSum(tb, g, "all", g.tasks, g.time)
		}
	}
	for _, g := range groups {
		for _, t := range g.tasks {
			if t.verdict.Failed() {
				addTask(tb, g, t)
			}
		}
	}
	tb.print(w)
}

// byFile returns the tasks of a group, divided by their files.
func byFile(g *group) [][]*task {
	var files [][]*task
	for i, t := range g.tasks {
		if i == 0 || t.file != g.tasks[i-1].file {
			files = append(files, nil)
		}
		files[len(files)-1] = append(files[len(files)-1], t)
	}
	return files
}

func addTask(tb *table, g *group, t *task) {
	tb.add(append(append([]string{g.by, t.name(), strconv.Itoa(t.walk.Depth)}, figures(t.result.Nodes, t.result.Cycles, t.result.Time)...),
		string(t.verdict))...)
}

// addSum adds a row for several positions. If spent is zero, it adds up the times of the tasks.
func addSum(tb *table, g *group, name string, tasks []*task, spent time.Duration) {
	var nodes, cycles uint64
	low, high := tasks[0].walk.Depth, tasks[0].walk.Depth
	sum := time.Duration(0)
	count := map[perft.Verdict]int{}
	for _, t := range tasks {
		nodes += t.result.Nodes
		cycles += t.result.Cycles
		sum += t.result.Time
		low, high = min(low, t.walk.Depth), max(high, t.walk.Depth)
		count[t.verdict]++
	}
	depth := strconv.Itoa(low)
	if high > low {
		depth += "-" + strconv.Itoa(high)
	}
	var verdicts []string
	for _, v := range []perft.Verdict{perft.Pass, perft.Differs, perft.Published, perft.Unfinished, perft.NotRun} {
		if count[v] > 0 {
			verdicts = append(verdicts, fmt.Sprintf("%d %s", count[v], v))
		}
	}
	row := []string{g.by, fmt.Sprintf("%s (%d)", name, len(tasks)), depth}
	row = append(row, figures(nodes, cycles, cmp.Or(spent, sum))...)
	tb.add(append(row, strings.Join(verdicts, ", "))...)
}

// figures returns the columns nodes, cycles, cycles/node and nodes/s.
func figures(nodes, cycles uint64, spent time.Duration) []string {
	perNode, rate, clocks := "-", "-", "-"
	if cycles > 0 {
		clocks = strconv.FormatUint(cycles, 10)
	}
	if cycles > 0 && nodes > 0 {
		perNode = fmt.Sprintf("%.2f", float64(cycles)/float64(nodes))
	}
	if spent > 0 && nodes > 0 {
		rate = short(float64(nodes) / spent.Seconds())
	}
	return []string{strconv.FormatUint(nodes, 10), clocks, perNode, rate}
}

// printDivide prints the counts by first move as Stockfish does. In each line the reference's count
// comes first, and then each simulator's.
func printDivide(w io.Writer, groups []*group) {
	ref := groups[0].tasks[0].reference
	if !ref.Complete { // with --published
		ref = groups[0].tasks[0].result
		for _, m := range ref.Divide {
			fmt.Fprintf(w, "%s: %d\n", m.Move, m.Nodes)
		}
		fmt.Fprintf(w, "\nNodes searched: %d\n\n", ref.Nodes)
		return
	}
	for i, m := range ref.Divide {
		fmt.Fprintf(w, "%s: %d", m.Move, m.Nodes)
		for _, g := range groups {
			if g.by == reference {
				continue
			}
			n, mark := uint64(0), ""
			if d := g.tasks[0].result.Divide; i < len(d) {
				n = d[i].Nodes
			}
			if n != m.Nodes && g.tasks[0].verdict.Failed() {
				mark = " (differs)"
			}
			fmt.Fprintf(w, "  %s %d%s", g.by, n, mark)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "\nNodes searched: %d\n\n", ref.Nodes)
}
