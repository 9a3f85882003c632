package engine

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// RootCount is the number of move sequences that start with a move.
type RootCount struct {
	Move  Move
	Nodes uint64
}

// PerftParallel is [Perft] with the moves shared out to as many goroutines as
// jobs says (below 1: one). It ends early, with the context's error, when ctx
// does.
func PerftParallel(ctx context.Context, p *Position, depth, jobs int) (uint64, error) {
	if depth < 1 {
		return 1, ctx.Err()
	}
	counts, err := Divide(ctx, p, depth, jobs)
	if err != nil {
		return 0, err
	}
	var nodes uint64
	for _, c := range counts {
		nodes += c.Nodes
	}
	return nodes, nil
}

// Divide returns the perft count of every legal move of p, ordered by the moves'
// UCI notation; they sum up to perft of depth. It works on as many goroutines
// as jobs says (below 1: one) and returns the context's error when ctx ends
// first. A depth below 1 counts as 1.
func Divide(ctx context.Context, p *Position, depth, jobs int) ([]RootCount, error) {
	moves := p.AppendMoves(nil)
	slices.SortFunc(moves, func(a, b Move) int { return cmp.Compare(a.String(), b.String()) })
	type task struct {
		root int
		Position
		depth int
	}
	var tasks []task
	for i, m := range moves {
		child := p.Make(m)
		if depth < 5 {
			tasks = append(tasks, task{i, child, depth - 1})
			continue
		}
		// Two plies of moves share out better than one.
		for _, reply := range child.AppendMoves(nil) {
			tasks = append(tasks, task{i, child.Make(reply), depth - 2})
		}
	}
	nodes := make([]atomic.Uint64, len(moves))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(max(jobs, 1), len(tasks)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(tasks)); i = next.Add(1) - 1 {
				t := &tasks[i]
				n, ok := t.perftUntil(ctx.Done(), t.depth)
				if !ok {
					return
				}
				nodes[t.root].Add(n)
			}
		})
	}
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	counts := make([]RootCount, len(moves))
	for i, m := range moves {
		counts[i] = RootCount{m, nodes[i].Load()}
	}
	return counts, nil
}

// perftUntil is perft unless done is closed first. It looks at done only where
// thousands of leaves follow, so that it is as fast as perft.
func (p *Position) perftUntil(done <-chan struct{}, depth int) (nodes uint64, ok bool) {
	select {
	case <-done:
		return 0, false
	default:
	}
	if depth <= 3 {
		return Perft(p, depth), true
	}
	var room [256]Move
	for _, m := range p.AppendMoves(room[:0]) {
		child := p.Make(m)
		n, ok := child.perftUntil(done, depth-1)
		if !ok {
			return 0, false
		}
		nodes += n
	}
	return nodes, true
}
