package perftengine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/cosimate/cosimate/engine"
)

// Check is Run for RTL that may be wrong, where want is the count that is due: it ends even if the
// RTL does not, and if the RTL counts something else, why is not empty and says in which tree, the
// smallest that shows it.
func (e *Engine) Check(ctx context.Context, p *engine.Position, depth int, divide bool, want uint64) (r Result, why string, err error) {
	if r, err = e.bounded(ctx, p, depth, divide); errors.Is(err, errWrong) {
		return r, err.Error(), nil
	}
	if err == nil && r.Nodes != want {
		why, err = e.narrow(ctx, *p, depth)
	}
	return r, why, err
}

// bounded is Run with a bound on the cycles.
func (e *Engine) bounded(ctx context.Context, p *engine.Position, depth int, divide bool) (Result, error) {
	e.limit = Bound(p, depth)
	defer func() { e.limit = 0 }()
	return e.Run(ctx, p, depth, divide)
}

// Bound is how many cycles a job may take: each position of the tree takes one when it is counted,
// and not much more when it is listed and the pipeline waits for it.
func Bound(p *engine.Position, depth int) uint64 {
	const each, start = 64, 4096
	limit := uint64(start)
	for ply := range depth {
		limit += each * engine.Perft(p, ply)
	}
	return limit
}

// narrow finds the smallest tree in p's that is counted wrong, and says what is known of it.
func (e *Engine) narrow(ctx context.Context, p engine.Position, depth int) (string, error) {
	var b strings.Builder
	var path []string
	for {
		r, err := e.bounded(ctx, &p, depth, true)
		if err != nil && !errors.Is(err, errWrong) {
			return "", err
		}
		want, stop := engine.Divide(ctx, &p, depth, 1)
		if stop != nil {
			return "", stop
		}
		fmt.Fprintf(&b, "the hardware perft engine counts %d at depth %d, the reference %d, in\n  %s\n", r.Nodes, depth, engine.Perft(&p, depth), p.FEN())
		if len(path) > 0 {
			fmt.Fprintf(&b, "  after %s\n", strings.Join(path, " "))
		}
		if err != nil {
			fmt.Fprintf(&b, "  %v\n", err)
			return b.String(), nil
		}
		got := map[string]uint64{}
		for _, c := range r.Divide {
			got[c.Move.String()] = c.Nodes
		}
		var below *engine.Position
		right := true
		for _, c := range want {
			n, listed := got[c.Move.String()]
			right = right && n == c.Nodes
			switch {
			case !listed:
				fmt.Fprintf(&b, "  %s: not among its root moves\n", c.Move)
			case n != c.Nodes:
				fmt.Fprintf(&b, "  %s: %d, the reference %d\n", c.Move, n, c.Nodes)
				if below == nil && depth > 1 {
					q := p.Make(c.Move)
					if alone, err := e.bounded(ctx, &q, depth-1, false); err != nil && !errors.Is(err, errWrong) {
						return "", err
					} else if err != nil || alone.Nodes != c.Nodes {
						below = &q
						path = append(path, c.Move.String())
					}
				}
			}
		}
		if right {
			b.WriteString("  by root move it counts right\n")
		}
		if below == nil {
			return b.String(), nil
		}
		p, depth = *below, depth-1
	}
}
