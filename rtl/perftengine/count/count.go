// Package count counts move trees with the perft engine in 512 lanes: as many copies of the RTL run
// at once on a core, and each gets a job when it is free. See [Trees].
package count

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/perftengine"
	"github.com/cosimate/cosimate/sim"
)

// Options are the choices in [Trees]. The functions are called by one goroutine at a time.
type Options struct {
	Jobs   int  // how often there are 512 lanes, each in a goroutine; below 1: once
	Divide bool // count by first move, trees of few plies too
	// Tree is called with each tree that was counted.
	Tree func(index int, c Count)
	// Part is called with each part that was counted. Its error ends all.
	Part func(tree int, p *Part) error
	// Known returns what was counted of a part before: it is not counted again.
	Known func(tree int, path []engine.Move) (nodes, cycles uint64, ok bool)
	// Progress is called often with the leaves counted so far.
	Progress func(leaves uint64)

	check bool  // compare each job with the reference
	at    *Tree // with check: gets the position and the depth of the first that is wrong
}

// Trees counts trees with the RTL in lanes: 512 copies of it run at once. A tree is split near its
// root, by the lists that the RTL gives, into jobs for lanes as these get free. So the count is the
// RTL's. Trees that the RTL gets wrong are no error of Trees, see [Explain].
func Trees(ctx context.Context, trees []Tree, o Options) error {
	for i := range trees {
		if err := perftengine.CheckJob(&trees[i].Position, trees[i].Depth); err != nil {
			return err
		}
	}
	if len(trees) == 0 {
		return nil
	}
	w := newWork(trees, o)
	first, err := openCrew(ctx, w) // it builds the model for the others
	if err != nil {
		return err
	}
	crews, ctx := errgroup.WithContext(ctx)
	for i := range max(o.Jobs, 1) {
		crews.Go(func() (err error) {
			c := first
			if i > 0 {
				if c, err = openCrew(ctx, w); err != nil {
					w.end(err)
					return err
				}
			}
			defer c.lanes.Close()
			err = c.run(ctx)
			w.end(err)
			return err
		})
	}
	return crews.Wait()
}

// end wakes crews that wait for work: another one has ended, maybe with an error.
func (w *work) end(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = err
	}
	w.more.Broadcast()
}

// Explain says what is wrong with the count of a tree that differs from the reference: in which
// position, and what the RTL does with that in Verilator. It returns the position and its depth
// too. If the count is right, the text is empty.
func Explain(ctx context.Context, t Tree, c *Count, want uint64) (text string, at Tree, err error) {
	if c.Wrong == "" && c.Nodes == want {
		return "", t, nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "the hardware perft engine in lanes counts %d at depth %d, the reference %d, in\n  %s\n", c.Nodes, t.Depth, want, t.Position.FEN())
	at = t
	if c.Wrong == "" {
		at = c.wrongPart(t, &b)
	}
	// Once more, and each job is compared.
	again := Options{check: true, at: &at}
	found := ""
	again.Tree = func(_ int, c Count) { found = c.Wrong }
	if err := Trees(ctx, []Tree{at}, again); err != nil {
		return "", at, err
	}
	switch {
	case found != "":
		fmt.Fprintf(&b, "  %s\n", found)
	case c.Wrong != "":
		fmt.Fprintf(&b, "  %s\n  Counted once more in lanes, it is right.\n", c.Wrong)
	default:
		b.WriteString("  Counted once more in lanes, it is right.\n")
	}
	e, err := perftengine.Open(ctx, sim.Verilator)
	if err != nil {
		return "", at, err
	}
	defer e.Close()
	_, why, err := e.Check(ctx, &at.Position, at.Depth, false, engine.Perft(&at.Position, at.Depth))
	switch {
	case err != nil:
		return "", at, err
	case why == "":
		fmt.Fprintf(&b, "Verilator counts it right: %d at depth %d.\n", engine.Perft(&at.Position, at.Depth), at.Depth)
	default:
		fmt.Fprintf(&b, "In Verilator %s", why)
	}
	return b.String(), at, nil
}

// wrongPart finds the first part that the reference counts otherwise, or else returns the tree.
func (c *Count) wrongPart(t Tree, b *strings.Builder) Tree {
	for _, p := range c.Parts {
		if want := engine.Perft(&p.Position, p.Depth); p.Nodes != want {
			if len(p.Path) > 0 {
				fmt.Fprintf(b, "  after %s it counts %d at depth %d, the reference %d\n", pathText(p.Path), p.Nodes, p.Depth, want)
			}
			return Tree{p.Position, p.Depth}
		}
	}
	return t
}
