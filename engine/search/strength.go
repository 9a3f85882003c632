package search

import (
	"context"
	"math"
	"math/rand/v2"
)

// Bounds of [Strength.Elo].
const (
	MinElo = 800
	MaxElo = 2400
)

// Strength makes an engine play like a player of some Elo. The zero Strength plays as well as it
// can. It looks at fewer positions, and takes a move that is not the best by chance, the more often
// the nearer its value is to the best. The same seed, game and limits give the same move.
// The scale is not calibrated yet: docs/results.md has what was measured.
type Strength struct {
	Elo  int // MinElo to MaxElo
	Seed uint64
}

// nodes is how many positions are looked at.
func (s Strength) nodes() uint64 {
	// 150 nodes at 800, and the double for every 120 points.
	return uint64(150 * math.Exp2(float64(s.Elo-MinElo)/120))
}

// error is by how much values are mistaken, in hundredths of a pawn.
func (s Strength) error() float64 { return max(0, float64(2200-s.Elo)) / 12 }

// SearchAs is [Engine.Search] with a strength. A weak player answers as soon as it has seen what it
// can see.
func (e *Engine) SearchAs(ctx context.Context, s Strength, g Game, l Limits, report func(Line)) (Result, error) {
	if s.Elo == 0 {
		return e.Search(ctx, g, l, report)
	}
	if n := s.nodes(); l.Nodes == 0 || l.Nodes > n {
		l.Nodes = n
	}
	lines := e.o.MultiPV
	e.o.MultiPV = max(lines, 4)
	defer func() { e.o.MultiPV = lines }()
	r, err := e.Search(ctx, g, l, func(x Line) {
		if report != nil && x.Rank <= lines {
			report(x)
		}
	})
	if err != nil || len(r.Lines) < 2 {
		return r, err
	}
	p := g.Position()
	random := rand.New(rand.NewPCG(s.Seed, Key(&p)^uint64(len(g.Moves))))
	best, most := 0, math.Inf(-1)
	for i, x := range r.Lines {
		if v := float64(x.Value) + s.error()*random.NormFloat64(); v > most {
			best, most = i, v
		}
	}
	took, nodes := r.Time, r.Nodes
	r.Line = r.Lines[best]
	r.Time, r.Nodes = took, nodes
	return r, nil
}
