package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/movegen/perft"
)

// position is a position to walk, and where it comes from.
type position struct {
	file   string // "" if it is from --fen
	line   int
	fen    string
	counts []engine.DepthCount // published
	engine.Position
}

// name returns the name of the position in tables.
func (p *position) name() string {
	if p.file == "" {
		return p.fen
	}
	return fmt.Sprintf("%s:%d", p.file, p.line)
}

// readPositions returns all positions that the flags name.
func readPositions(f *perftFlags) ([]*position, error) {
	var all []*position
	for _, fen := range f.fens {
		if fen == "startpos" {
			start := engine.StartPosition()
			fen = start.FEN()
		}
		p, err := engine.ParseFEN(fen)
		if err != nil {
			if fault, ok := errors.AsType[*engine.FENError](err); ok {
				return nil, &misuse{fmt.Sprintf("--fen %s: %s, column %d: %s", quote(fen), fault.Field, fault.Offset+1, fault.Problem), fault.Mend}
			}
			return nil, &misuse{fmt.Sprintf("--fen %s: %v", quote(fen), err), ""}
		}
		all = append(all, &position{fen: fen, Position: p})
	}
	for _, name := range f.epds {
		suite, err := readEPD(name)
		if err != nil {
			return nil, err
		}
		for _, e := range suite {
			for _, c := range e.Counts {
				if c.Depth > perft.MaxDepth {
					return nil, &misuse{fmt.Sprintf("%s:%d: a count of depth %d cannot be checked: trees are walked to depth %d", name, e.Line, c.Depth, perft.MaxDepth),
						"take this count out"}
				}
			}
			all = append(all, &position{file: name, line: e.Line, fen: e.FEN, counts: e.Counts, Position: e.Position})
		}
	}
	if f.random > 0 {
		all = randomPositions(all, f.random, f.seed)
	}
	if f.divide && len(all) > 1 {
		return nil, errDivideMany
	}
	return all, nil
}

// randomPositions returns n positions of games of random moves. Each game begins with one of the
// starts.
func randomPositions(starts []*position, n int, seed uint64) []*position {
	const plies = 200 // of a game, at most
	r := rand.New(rand.NewPCG(seed, 0))
	from := fmt.Sprintf("random games of seed %d", seed)
	var all []*position
	for len(all) < n {
		p := starts[r.IntN(len(starts))].Position
		for range min(plies, n-len(all)) {
			all = append(all, &position{file: from, line: len(all) + 1, fen: p.FEN(), Position: p})
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			p = p.Make(moves[r.IntN(len(moves))])
		}
	}
	return all
}

func readEPD(name string) ([]engine.EPD, error) {
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &misuse{fmt.Sprintf("--epd %s: there is no such file", name), ""}
	}
	if err != nil {
		return nil, &misuse{fmt.Sprintf("--epd: %v", err), ""}
	}
	defer file.Close()
	suite, err := engine.ReadEPD(file, name)
	if err != nil {
		return nil, &misuse{err.Error(), ""}
	}
	return suite, nil
}

// task is a position and the depth to which a simulator walks it, or the reference if it works
// alone.
type task struct {
	*position
	walk      perft.Case
	reference perft.Result
	result    perft.Result
	verdict   perft.Verdict
	why       string // the reason, if the verdict is a failure
}

// group is the tasks of one simulator, or of the reference alone.
type group struct {
	by    string
	tasks []*task
	time  time.Duration // wall-clock time
	err   error         // the error that ended it early
}

// planner chooses the depths of positions. For this it counts with the reference, each depth of a
// position once.
type planner struct {
	flags *perftFlags
	known map[caseKey]perft.Result
}

type caseKey struct {
	position *position
	depth    int
}

// depth returns how deep a position is walked within a budget of nodes.
func (pl *planner) depth(ctx context.Context, p *position, budget uint64) (int, error) {
	most := perft.MaxDepth
	if pl.flags.depth > 0 {
		most = pl.flags.depth
	}
	lowest, best := 0, 0
	for _, c := range p.counts {
		if c.Depth > most {
			continue
		}
		if lowest == 0 || c.Depth < lowest {
			lowest = c.Depth
		}
		if c.Nodes <= budget && c.Depth > best {
			best = c.Depth
		}
	}
	if lowest > 0 {
		return max(lowest, best), nil
	}
	// Nothing is published. So it follows from --depth, or from what the reference counts.
	if budget == unlimited && pl.flags.depth > 0 {
		return most, nil
	}
	for depth := 1; depth < most; depth++ {
		r, err := pl.count(ctx, p, depth+1)
		if err != nil {
			return 0, err
		}
		if r.Nodes > budget || r.Nodes == 0 {
			return depth, nil
		}
	}
	return most, nil
}

// count counts with the reference.
func (pl *planner) count(ctx context.Context, p *position, depth int) (perft.Result, error) {
	key := caseKey{p, depth}
	if r, ok := pl.known[key]; ok {
		return r, nil
	}
	r, err := perft.Reference(ctx, perft.Case{Position: p.Position, Depth: depth}, pl.flags.jobs)
	if err == nil {
		pl.known[key] = r
	}
	return r, err
}

// plan makes the groups, without results.
func (pl *planner) plan(ctx context.Context, positions []*position) ([]*group, error) {
	names := []string{reference}
	if len(pl.flags.simulators) > 0 {
		names = nil
		for _, s := range pl.flags.simulators {
			names = append(names, string(s))
		}
	}
	var groups []*group
	for _, name := range names {
		g := &group{by: name}
		for _, p := range positions {
			budget := pl.flags.budgets[name]
			if pl.flags.divide { // the counts are shown side by side, so they must have one depth
				for _, other := range names {
					budget = min(budget, pl.flags.budgets[other])
				}
			}
			depth, err := pl.depth(ctx, p, budget)
			if err != nil {
				return nil, err
			}
			t := &task{position: p, walk: perft.Case{Position: p.Position, Depth: depth}, verdict: perft.NotRun}
			for _, c := range p.counts {
				if c.Depth == depth {
					t.walk.Published = &c.Nodes
				}
			}
			g.tasks = append(g.tasks, t)
		}
		groups = append(groups, g)
	}
	return groups, nil
}
