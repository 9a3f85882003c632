// Package perft walks the move trees of chess positions through the RTL move
// generator and compares it with the reference engine at every node.
//
// [Run] plays the positions of a tree to the design in a simulator: each position
// whose moves are needed goes through the RTL, which lists and counts them, and
// every output of every clock cycle is compared with [movegen.Model]. So a wrong
// move, a wrong count, a beat too many and a cycle too late are all found. The perft
// number of a [Result] is the sum of the RTL's own count_o one ply above the
// leaves: nothing of it comes from the reference.
//
// Where RTL and reference differ, the [Fault] names the position and the moves: the
// position is given once more, alone, to a new instance of the design, which is
// then asked for its list in single steps. [Reference] counts the same trees with
// the engine, and [Judge] sets the two beside each other and beside the published
// count.
//
// The command cosimate perft is this package on the command line.
package perft

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/sim"
)

// MaxDepth is the greatest depth of a [Case]. A tree of more plies can have more
// leaves than 64 bits count.
const MaxDepth = 15

// Case is a position whose tree of legal moves is walked.
type Case struct {
	Position  engine.Position
	Depth     int     // in plies, 1 to MaxDepth
	Published *uint64 // the perft count that others have found, if there is one
}

// Result is what is known of a case. If the case could not be walked to its end, it
// is what was known by then.
type Result struct {
	Nodes    uint64             // leaves: perft, when Complete
	Divide   []engine.RootCount // the same by first move, in the order of UCI notation
	Complete bool               // the whole tree was walked
	Time     time.Duration      // share of wall-clock time

	// For the RTL only.
	Positions uint64 // that the RTL has taken and answered
	Cycles    uint64 // clock cycles spent on them
	Fault     *Fault // where RTL and reference differ
}

// Options are the choices in [Run]. The zero Options are good.
type Options struct {
	// Design is the RTL. If it has no top module, it is movegen.Design.
	Design sim.Design
	// Jobs is how many instances of the design share the work, each in a
	// goroutine. Below 1: one.
	Jobs int
	// MaxFaults is after how many cases with a Fault the run ends. Zero: never.
	MaxFaults int
	// Command is how the line begins with which a report says how to run into the
	// fault again. The default is "cosimate perft".
	Command string
	// Progress, if set, is called often with the leaves counted and the cycles
	// done so far in all cases, by one goroutine at a time.
	Progress func(nodes, cycles uint64)
	// Sim is passed to sim.Open.
	Sim []sim.Option
}

// Run walks the trees of the cases through the RTL in a simulator. The results
// are those of the cases, in order, and always as many; a difference
// between RTL and reference is the Fault of its case, not an error of Run.
//
// The error is the cause of ctx, or what is wrong with a simulator, or the RTL
// ending the simulation by itself; then what was known so far is in the results.
func Run(ctx context.Context, s sim.Simulator, cases []Case, o Options) ([]Result, error) {
	for i := range cases {
		if err := cases[i].check(); err != nil {
			return make([]Result, len(cases)), err
		}
	}
	if o.Design.Top == "" {
		o.Design = movegen.Design
	}
	if o.Command == "" {
		o.Command = "cosimate perft"
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &run{simulator: s, options: o, cancel: cancel, cases: make([]progress, len(cases))}
	for i := range cases {
		r.cases[i].Case = cases[i]
	}
	units := make(chan *unit, 16)
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(units)
		r.share(gctx, units)
		return nil
	})
	for range max(o.Jobs, 1) {
		g.Go(func() error { return r.work(gctx, units) })
	}
	err := g.Wait()
	if errors.Is(err, errFaults) {
		err = nil
	}
	results := make([]Result, len(cases))
	for i := range r.cases {
		results[i] = r.cases[i].result()
	}
	return results, err
}

// Reference counts a case with the engine alone, on as many goroutines as jobs
// says. The error is the cause of ctx.
func Reference(ctx context.Context, c Case, jobs int) (Result, error) {
	if err := c.check(); err != nil {
		return Result{}, err
	}
	begin := time.Now()
	divide, err := engine.Divide(ctx, &c.Position, c.Depth, jobs)
	if err != nil {
		return Result{}, context.Cause(ctx)
	}
	r := Result{Divide: divide, Complete: true, Time: time.Since(begin)}
	for _, m := range divide {
		r.Nodes += m.Nodes
	}
	return r, nil
}

func (c *Case) check() error {
	if c.Depth < 1 || c.Depth > MaxDepth {
		return fmt.Errorf("depth %d is not between 1 and %d", c.Depth, MaxDepth)
	}
	return nil
}

// Verdict is what a result comes to.
type Verdict string

const (
	Pass    Verdict = "pass"    // all agree
	Differs Verdict = "differs" // RTL and reference differ
	// they agree with each other, but not with the published count
	Published  Verdict = "published"
	Unfinished Verdict = "unfinished" // the walk ended before the tree did
	NotRun     Verdict = "not run"    // nothing of it was walked
)

// Failed reports whether the verdict is one against the RTL, the reference or the
// published count.
func (v Verdict) Failed() bool { return v == Differs || v == Published }

// Judge compares a result with that of the reference and with the published count of its
// case, and says why if it does not pass. The reference may be judged
// against itself.
func Judge(c Case, reference, got Result) (Verdict, string) {
	switch {
	case got.Fault != nil:
		return Differs, got.Fault.Error()
	case !got.Complete && got.Positions == 0:
		return NotRun, ""
	case !got.Complete || !reference.Complete:
		return Unfinished, ""
	case got.Nodes != reference.Nodes:
		return Differs, differentTotals(c, reference, got)
	case c.Published != nil && got.Nodes != *c.Published:
		who := "RTL and reference, which agree on"
		if got.Positions == 0 {
			who = "the reference, which has"
		}
		return Published, fmt.Sprintf("published count %d at depth %d differs from %s %d: compare the divide of a third program",
			*c.Published, c.Depth, who, got.Nodes)
	}
	return Pass, ""
}

// differentTotals explains totals that differ although no cycle did: then the two
// ways in which the reference counts differ, or the walk does.
func differentTotals(c Case, reference, got Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "RTL counts %d at depth %d, the reference %d, although the RTL did what its model does in every cycle", got.Nodes, c.Depth, reference.Nodes)
	if c.Published != nil {
		fmt.Fprintf(&b, "; published are %d", *c.Published)
	}
	b.WriteString("; by first move:\n")
	for i, m := range reference.Divide {
		if i < len(got.Divide) && got.Divide[i] != m {
			fmt.Fprintf(&b, "  %s: RTL %d, reference %d\n", m.Move, got.Divide[i].Nodes, m.Nodes)
		}
	}
	return b.String()
}
