package count

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/cosimate/cosimate/engine"
)

// Tree is a position whose moves are counted to a depth.
type Tree struct {
	Position engine.Position
	Depth    int
}

// Part is the part of a tree behind its first moves: two, or fewer in a tree of few plies.
type Part struct {
	Path     []engine.Move
	Position engine.Position // after them
	Depth    int             // plies that are left
	Nodes    uint64
	Cycles   uint64 // of the lanes that had jobs of it, its part of the lists included
}

// Count is what lanes say of a tree.
type Count struct {
	Nodes  uint64 // perft
	Cycles uint64
	Parts  []Part // in the order of the notation of their paths
	Wrong  string // why there is no count: what the RTL did that no perft engine may

	roots []engine.Move // of the tree, if it was split
}

// Divide returns the counts by first move, in the order of UCI notation. A tree that was counted in
// one job has none.
func (c *Count) Divide() []engine.RootCount {
	all := make([]engine.RootCount, len(c.roots))
	for i, m := range c.roots {
		all[i].Move = m
		for _, p := range c.Parts {
			if p.Path[0] == m {
				all[i].Nodes += p.Nodes
			}
		}
	}
	slices.SortFunc(all, func(a, b engine.RootCount) int { return cmp.Compare(a.Move.String(), b.Move.String()) })
	return all
}

// splitDepth is the depth of the jobs that lanes count. Jobs must be many more than lanes, so that
// all are busy until the end, and long beside the 20 cycles that the pipeline takes to fill. In
// deep trees they are a ply deeper, as there are enough.
const splitDepth, deepSplitDepth, deep = 3, 4, 7

// node is a position of a tree that a lane is to count, or to list.
type node struct {
	tree     *tree
	part     *part // nil above the parts
	position engine.Position
	depth    int
	path     []engine.Move // above the parts, and at their roots
}

// tree is a tree under way.
type tree struct {
	Tree
	index     int
	split     int // jobs have this depth at most
	partDepth int // plies that parts have
	count     Count
	open      int // nodes that are not done
}

type part struct {
	Part
	open int
}

// work is what the lanes of several crews have to do. Trees are split into nodes by the lists that
// the RTL gives of their positions.
type work struct {
	o      Options
	mu     sync.Mutex
	more   sync.Cond // nodes came, or all is done
	trees  []Tree
	next   int    // of the trees
	nodes  []node // to be done; the last first
	taken  int    // nodes that lanes have
	leaves uint64
	err    error // ends all
}

func newWork(trees []Tree, o Options) *work {
	w := &work{o: o, trees: trees}
	w.more.L = &w.mu
	return w
}

// begin puts the root of the next tree among the nodes.
func (w *work) begin() {
	t := &tree{Tree: w.trees[w.next], index: w.next, split: splitDepth, open: 1}
	w.next++
	if t.Depth >= deep {
		t.split = deepSplitDepth
	}
	if w.o.Divide && t.Depth > 0 {
		t.split = min(t.split, t.Depth-1)
	}
	t.partDepth = t.Depth - min(2, max(0, t.Depth-t.split))
	n := node{tree: t, position: t.Position, depth: t.Depth}
	w.push(&n)
}

// push adds a node. A part that is known is not counted again.
func (w *work) push(n *node) {
	t := n.tree
	if n.depth != t.partDepth || n.part != nil {
		if n.part != nil {
			n.part.open++
		}
		w.nodes = append(w.nodes, *n)
		return
	}
	n.part = &part{Part: Part{Path: n.path, Position: n.position, Depth: n.depth}, open: 1}
	if w.o.Known != nil {
		if nodes, cycles, ok := w.o.Known(t.index, n.path); ok {
			n.part.Nodes, n.part.Cycles = nodes, cycles
			t.count.Nodes += nodes
			t.count.Cycles += cycles
			w.leaves += nodes
			w.partDone(n)
			return
		}
	}
	w.nodes = append(w.nodes, *n)
}

// splits reports whether a node is listed, and its moves are counted.
func (w *work) splits(n *node) bool { return n.depth > n.tree.split }

// take returns up to so many nodes. If wait is set it waits for at least one, unless all is done.
func (w *work) take(ctx context.Context, n int, wait bool) ([]node, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		for len(w.nodes) < n && w.next < len(w.trees) && w.err == nil {
			w.begin()
		}
		switch {
		case w.err != nil:
			return nil, w.err
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case len(w.nodes) > 0:
			n = min(n, len(w.nodes))
			nodes := slices.Clone(w.nodes[len(w.nodes)-n:])
			w.nodes = w.nodes[:len(w.nodes)-n]
			w.taken += n
			return nodes, nil
		case w.taken == 0 || !wait:
			w.more.Broadcast()
			return nil, nil
		}
		w.more.Wait()
	}
}

// listed takes the moves of a node's position.
func (w *work) listed(n *node, moves []engine.Move, cycles uint64) {
	legal := n.position.AppendMoves(nil)
	for i, m := range moves {
		at := slices.IndexFunc(legal, func(l engine.Move) bool {
			return l.From == m.From && l.To == m.To && l.Promotion == m.Promotion
		})
		if at < 0 {
			w.failed(n, fmt.Sprintf("it lists the move %v, which is not legal in %s", m, n.position.FEN()))
			return
		}
		moves[i] = legal[at]
	}
	if w.o.check && len(moves) != len(legal) {
		w.failed(n, fmt.Sprintf("it lists %d moves and not %d, in %s", len(moves), len(legal), n.position.FEN()))
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.taken--
	defer w.more.Broadcast()
	n.tree.count.Cycles += cycles
	if n.depth == n.tree.Depth {
		n.tree.count.roots = slices.Clone(moves)
	}
	if n.part != nil {
		n.part.Cycles += cycles
	}
	if n.tree.count.Wrong == "" {
		for _, m := range moves {
			child := node{tree: n.tree, part: n.part, position: n.position.Make(m), depth: n.depth - 1}
			if n.part == nil {
				child.path = append(slices.Clip(n.path), m)
			}
			n.tree.open++
			w.push(&child)
		}
	}
	w.done(n)
}

// counted takes the count of a node.
func (w *work) counted(n *node, nodes, cycles uint64) {
	why := ""
	if w.o.check {
		if want := engine.Perft(&n.position, n.depth); nodes != want {
			why = fmt.Sprintf("it counts %d at depth %d, the reference %d, in %s", nodes, n.depth, want, n.position.FEN())
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.taken--
	if w.taken == 0 {
		w.more.Broadcast()
	}
	n.tree.count.Nodes += nodes
	n.tree.count.Cycles += cycles
	n.part.Nodes += nodes
	n.part.Cycles += cycles
	w.leaves += nodes
	w.wrong(n, why)
	w.done(n)
}

// failed takes that the RTL did something wrong.
func (w *work) failed(n *node, why string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.taken--
	w.more.Broadcast()
	w.wrong(n, why)
	w.done(n)
}

// wrong notes what is wrong with a tree. Nothing more of it is counted.
func (w *work) wrong(n *node, why string) {
	t := n.tree
	if why == "" || t.count.Wrong != "" {
		return
	}
	t.count.Wrong = why
	if w.o.at != nil {
		*w.o.at = Tree{n.position, n.depth}
	}
	w.nodes = slices.DeleteFunc(w.nodes, func(m node) bool {
		if m.tree == t {
			t.open--
		}
		return m.tree == t
	})
}

// done ends a node, and the part and the tree whose last it is.
func (w *work) done(n *node) {
	if n.part != nil {
		if n.part.open--; n.part.open == 0 {
			w.partDone(n)
			return
		}
	}
	w.nodeDone(n.tree)
}

// partDone ends the part of a node.
func (w *work) partDone(n *node) {
	t := n.tree
	if t.count.Wrong == "" {
		t.count.Parts = append(t.count.Parts, n.part.Part)
		if w.o.Part != nil && w.err == nil {
			w.err = w.o.Part(t.index, &n.part.Part)
		}
	}
	w.nodeDone(t)
}

func (w *work) nodeDone(t *tree) {
	if w.o.Progress != nil {
		w.o.Progress(w.leaves)
	}
	if t.open--; t.open > 0 {
		return
	}
	slices.SortFunc(t.count.Parts, func(a, b Part) int { return cmp.Compare(pathText(a.Path), pathText(b.Path)) })
	if w.o.Tree != nil {
		w.o.Tree(t.index, t.count)
	}
}

// pathText returns moves as text.
func pathText(path []engine.Move) string {
	text := ""
	for i, m := range path {
		if i > 0 {
			text += " "
		}
		text += m.String()
	}
	return text
}
