package search

import (
	"flag"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
)

var minimaxPositions = flag.Int("search.minimax", 5, "positions whose value to depth 4 is compared with that of a plain minimax; the night has more")

// minimax is a search without any of the search's code: it looks at all moves, and keeps neither
// bounds nor tables.
type minimax struct {
	on   Features    // Quiescence, CheckExtension, Repetition and FiftyMoves are what it knows
	past []rules.Key // positions from the start of the game to the present one
	root int         // the index of the one that is searched
}

// value is that of a position for the side to move, some plies from the root.
func (x *minimax) value(p *engine.Position, depth, ply int) int {
	check := p.InCheck()
	if check && ply > 0 && x.on&CheckExtension != 0 {
		depth++
	}
	moves := p.AppendMoves(nil)
	if ply > 0 && x.repeated() {
		return 0
	}
	switch {
	case len(moves) == 0 && check:
		return ply - Mate
	case depth <= 0 && x.on&Quiescence != 0:
		// It looks for no stalemate, at its first ply as at others.
		return x.captures(p, ply, -infinite, infinite)
	case len(moves) == 0, x.on&FiftyMoves != 0 && ply > 0 && p.Halfmove() >= 100:
		return 0
	case depth <= 0:
		return evaluate(p)
	}
	best := -infinite
	for _, m := range moves {
		next := p.Make(m)
		x.enter(&next)
		best = max(best, -x.value(&next, depth-1, ply+1))
		x.leave()
	}
	return best
}

// captures is the value when only captures and promotions are played, and any move out of check.
// Trees of captures are large: here alone are bounds.
func (x *minimax) captures(p *engine.Position, ply, alpha, beta int) int {
	check := p.InCheck()
	moves := p.AppendMoves(nil)
	if x.repeated() {
		return 0
	}
	switch {
	case len(moves) == 0 && check:
		return ply - Mate
	case x.on&FiftyMoves != 0 && p.Halfmove() >= 100:
		return 0
	}
	best := -infinite
	if !check {
		best = evaluate(p)
	}
	for _, m := range moves {
		if best >= beta {
			break
		}
		if !check && m.Captured == engine.NoPiece && m.Promotion == engine.NoPiece {
			continue
		}
		next := p.Make(m)
		x.enter(&next)
		best = max(best, -x.captures(&next, ply+1, -beta, -max(alpha, best)))
		x.leave()
	}
	return best
}

func (x *minimax) enter(p *engine.Position) {
	if x.on&Repetition != 0 {
		x.past = append(x.past, rules.KeyOf(p))
	}
}

func (x *minimax) leave() {
	if x.on&Repetition != 0 {
		x.past = x.past[:len(x.past)-1]
	}
}

// repeated reports whether the present position was there since the root, or twice in the game.
func (x *minimax) repeated() bool {
	if x.on&Repetition == 0 {
		return false
	}
	now, before := len(x.past)-1, 0
	for i, s := range x.past[:now] {
		if s == x.past[now] {
			before++
			if i >= x.root || before == 2 {
				return true
			}
		}
	}
	return false
}

// parallel calls f with the numbers below n, on all processors.
func parallel(n int, f func(i int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				f(int(i))
			}
		})
	}
	wg.Wait()
}

// agree compares a search with minimax.
func agree(t *testing.T, g Game, depth int, on Features, with ...Features) {
	t.Helper()
	x := &minimax{on: on}
	p := g.Start
	x.enter(&p)
	for _, m := range g.Moves {
		p = p.Make(m)
		x.enter(&p)
	}
	x.root = len(x.past) - 1
	want := x.value(&p, depth, 0)
	for _, f := range with {
		e, err := New(Options{Features: on | f, Hash: 1 << 16})
		if err != nil {
			t.Error(err)
			return
		}
		r, err := e.Search(t.Context(), g, Limits{Depth: depth}, nil)
		if err != nil || r.Value != want {
			t.Errorf("%s at depth %d with %v: value %d, minimax %d, %v", p.FEN(), depth, on|f, r.Value, want, err)
		}
	}
}

// endgames are positions of random games in which much was captured: 5 to 14 pieces are left.
func endgames(seed uint64, n int) (list []engine.Position) {
	r := rand.New(rand.NewPCG(seed, 0))
	for len(list) < n {
		p, wanted := engine.StartPosition(), 5+r.IntN(10)
		for range 300 {
			moves := p.AppendCaptures(nil)
			if len(moves) == 0 || r.IntN(3) == 0 {
				moves = p.AppendMoves(nil)
			}
			if len(moves) == 0 || bits.OnesCount64(p.Pieces(engine.White)|p.Pieces(engine.Black)) <= wanted {
				break
			}
			p = p.Make(moves[r.IntN(len(moves))])
		}
		if p.Count() > 0 {
			list = append(list, p)
		}
	}
	return list
}

// The features that change no values, in several sets: a fault in one is not to be hidden by
// another.
var exactSets = []Features{0, exactFeatures, exactFeatures &^ PVS, exactFeatures &^ Aspiration, PVS | MateDistance}

// With the features that change no values, a search has the value of minimax.
func TestMinimax(t *testing.T) {
	for i, p := range randomPositions(1, 60) {
		depth := 2
		if i%10 == 0 {
			depth = 3
		}
		agree(t, Game{Start: p}, depth, 0, exactSets...)
	}
}

// The same at depth 4: in a test of seconds with the positions of fewest moves.
func TestMinimaxDeep(t *testing.T) {
	all := randomPositions(11, 300)
	if n := *minimaxPositions; n < len(all) {
		var few []engine.Position
		for most := 4; len(few) < n; most++ {
			few = few[:0]
			for _, p := range all {
				if p.Count() <= most {
					few = append(few, p)
				}
			}
		}
		all = few[:n]
	}
	// White can do nothing but stalemate or lose the pawn; and where mate is near.
	all = append(all, position(t, "k7/P7/8/1K6/8/8/8/8 w - - 0 1"))
	r := rand.New(rand.NewPCG(14, 0))
	for range 4 {
		all = append(all, bareKing(r, []engine.Piece{engine.Queen}))
	}
	parallel(len(all), func(i int) {
		agree(t, Game{Start: all[i]}, 4, 0, exactFeatures, exactFeatures&^Aspiration)
	})
}

// The rules of the game change values, and so do longer lines; a plain search with the same rules
// has the same ones. Here are games that have gone to and fro, and that are near the fifty moves.
func TestMinimaxOfRules(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	r := rand.New(rand.NewPCG(12, 0))
	var games []Game
	for _, p := range endgames(12, *minimaxPositions) {
		g := Game{Start: p}
		for range r.IntN(3) {
			g = toAndFro(g)
		}
		games = append(games, g)
	}
	for i, p := range endgames(13, *minimaxPositions) {
		s := p.Setup()
		s.Halfmove = 96 + i%4
		s.EnPassant = 0
		s.Fullmove = 90
		if p, err := s.Position(); err == nil {
			games = append(games, Game{Start: p})
		}
	}
	for _, on := range []Features{
		Repetition, FiftyMoves, CheckExtension, Quiescence, Repetition | FiftyMoves | CheckExtension | Quiescence,
	} {
		parallel(len(games), func(i int) { agree(t, games[i], 3, on, exactFeatures, PVS) })
	}
}

// A move to a position that was there once in the game is worth what it is worth; one to a position
// that was there twice is a draw. So it is at the leaves and above.
func TestRepetitionOfTheGame(t *testing.T) {
	tried := 0
	for _, p := range endgames(15, 12) {
		g := Game{Start: p}
		for times := 1; times <= 2; times++ {
			if g = toAndFro(g); len(g.Moves) != 4*times {
				break
			}
			for depth := 1; depth <= 2; depth++ {
				value := func(f Features) int {
					r, err := engineOf(t, f).Search(t.Context(), g, Limits{Depth: depth, Only: g.Moves[:1]}, nil)
					if err != nil {
						t.Fatal(err)
					}
					return r.Value
				}
				for _, f := range []Features{exactFeatures, exactFeatures | Quiescence} {
					want := value(f)
					if times == 2 {
						want = 0
					}
					if got := value(f | Repetition); got != want {
						t.Errorf("%s, %v to a position that was there %d times, depth %d with %v: value %d, want %d", p.FEN(), g.Moves[0], times, depth, f, got, want)
					}
					tried++
				}
			}
		}
	}
	if tried < 40 {
		t.Errorf("%d values only were compared", tried)
	}
}

// toAndFro adds moves after which the position is the same, if it finds any.
func toAndFro(g Game) Game {
	p := g.Position()
	for _, a := range p.AppendMoves(nil) {
		q := p.Make(a)
		for _, b := range q.AppendMoves(nil) {
			r := q.Make(b)
			for _, c := range r.AppendMoves(nil) {
				if c.From != a.To || c.To != a.From {
					continue
				}
				s := r.Make(c)
				for _, d := range s.AppendMoves(nil) {
					if d.From != b.To || d.To != b.From {
						continue
					}
					if end := s.Make(d); rules.KeyOf(&end) == rules.KeyOf(&p) {
						g.Moves = append(g.Moves, a, b, c, d)
						return g
					}
				}
			}
		}
	}
	return g
}
