package search

import (
	"context"
	"math"
	"math/rand/v2"
)

// Bounds of [Strength.Elo].
const (
	MinElo = 800
	MaxElo = 2000
)

// Strength makes an engine play like a player of some Elo. The zero Strength plays as well as it
// can. It looks at fewer positions, and takes a move that is not the best by chance, the more often
// the nearer its value is to the best. The same seed, game and limits give the same move.
// From 1400 to 2000 the scale is that of Stockfish's UCI_Elo: docs/results.md has the matches.
// Below it goes on in the same way.
type Strength struct {
	Elo  int // MinElo to MaxElo
	Seed uint64
}

// nodes is how many positions are looked at: found by matches, as error is, at 1400 and 2000.
func (s Strength) nodes() uint64 {
	return uint64(12_500 * math.Exp2(float64(s.Elo-MaxElo)/211))
}

// error is by how much values are mistaken, in hundredths of a pawn.
func (s Strength) error() float64 { return float64(MaxElo-s.Elo) / 6 }

// SearchAs is [Engine.Search] with a strength. A weak player answers as soon as it has seen what it
// can see.
func (e *Engine) SearchAs(ctx context.Context, s Strength, g Game, l Limits, report func(Line)) (Result, error) {
	if s.Elo == 0 {
		return e.Search(ctx, g, l, report)
	}
	if n := s.nodes(); l.Nodes == 0 || l.Nodes > n {
		l.Nodes = n
	}
	if s.error() == 0 {
		return e.Search(ctx, g, l, report)
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
