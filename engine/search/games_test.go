package search

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/corentings/chess/v2"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/engine/rules"
)

var (
	update        = flag.Bool("update", false, "write testdata/game.pgn anew: the search plays another game")
	games         = flag.Int("search.games", 20, "games in which every move is checked; the night has more")
	gamesSeed     = flag.Uint64("search.seed", 1, "of their openings")
	endgamesTried = flag.Int("search.endgames", 4, "positions of each endgame that are to be mated; the night has more")
)

// play plays a game from an opening, both sides with the same number of nodes, until it is over or
// a draw can be claimed. look sees each position with the result of its search.
func play(ctx context.Context, e [2]*Engine, g Game, nodes [2]uint64, look func(p *engine.Position, r Result) error) (Game, rules.Result, error) {
	seen := map[rules.Key]int{}
	p := g.Start
	seen[rules.KeyOf(&p)]++
	for _, m := range g.Moves {
		p = p.Make(m)
		seen[rules.KeyOf(&p)]++
	}
	for {
		end, _ := rules.End(&p, seen[rules.KeyOf(&p)])
		if threefold, fifty := rules.Claims(&p, seen[rules.KeyOf(&p)]); end == rules.InPlay && (threefold || fifty) {
			end = rules.Draw
		}
		if end != rules.InPlay {
			return g, end, nil
		}
		side := p.SideToMove()
		r, err := e[side].Search(ctx, g, Limits{Nodes: nodes[side]}, nil)
		if err != nil {
			return g, end, fmt.Errorf("%s: %w", p.FEN(), err)
		}
		if look != nil {
			if err := look(&p, r); err != nil {
				return g, end, fmt.Errorf("%s: %w", p.FEN(), err)
			}
		}
		g.Moves = append(g.Moves, r.Moves[0])
		p = p.Make(r.Moves[0])
		seen[rules.KeyOf(&p)]++
	}
}

// engineOf makes an engine with all features and a small table.
func engineOf(t testing.TB, f Features) *Engine {
	t.Helper()
	e, err := New(Options{Features: f, Hash: 1 << 18})
	if err != nil {
		t.Error(err) // a Generator does not fail
	}
	return e
}

// legalFor checks a move by a program of others.
func legalFor(g *chess.Game, m engine.Move) error {
	return g.PushNotationMove(m.String(), chess.UCINotation{}, nil)
}

// All moves of games are legal, by our own generator and by corentings/chess, and there is one as
// long as the game goes on. Of each line every move is, too.
func TestGames(t *testing.T) {
	results := map[rules.Result]int{}
	engines := []*Engine{engineOf(t, AllFeatures), engineOf(t, AllFeatures)}
	for number := range *games {
		r := rand.New(rand.NewPCG(*gamesSeed, uint64(number)))
		var opening Game
		for p := engine.StartPosition(); len(opening.Moves) == 0; {
			opening.Start = p
			for range 1 + r.IntN(12) {
				moves := p.AppendMoves(nil)
				if len(moves) == 0 {
					break
				}
				m := moves[r.IntN(len(moves))]
				opening.Moves = append(opening.Moves, m)
				p = p.Make(m)
			}
		}
		other := chess.NewGame()
		for _, m := range opening.Moves {
			if err := legalFor(other, m); err != nil {
				t.Fatalf("opening of game %d: %v: %v", number, m, err)
			}
		}
		_, result, err := play(t.Context(), [2]*Engine(engines), opening, [2]uint64{1000, 1000}, func(p *engine.Position, r Result) error {
			now := *p
			for _, m := range r.Moves {
				if !slices.Contains(now.AppendMoves(nil), m) {
					return fmt.Errorf("%v of %v is not legal", m, r.Moves)
				}
				now = now.Make(m)
			}
			return legalFor(other, r.Moves[0])
		})
		if err != nil {
			t.Fatalf("game %d: %v", number, err)
		}
		results[result]++
		if want := string(other.Outcome()); result != rules.Draw && want != result.PGN() {
			t.Errorf("game %d: it ends %v, by corentings/chess %s", number, result, want)
		}
		for _, e := range engines {
			e.Clear()
		}
	}
	t.Logf("%d games at 1000 nodes a move: %v", *games, results)
	if *games >= 20 && len(results) < 2 {
		t.Errorf("all games end alike: %v", results)
	}
}

// With a limit of nodes and one thread, the same game is played on every machine, byte for byte.
func TestGoldenGame(t *testing.T) {
	record := func() []byte {
		e := [2]*Engine{engineOf(t, AllFeatures), engineOf(t, AllFeatures)}
		var nodes uint64
		g, result, err := play(t.Context(), e, Game{Start: engine.StartPosition()}, [2]uint64{2000, 2000}, func(_ *engine.Position, r Result) error {
			nodes += r.Nodes
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		pgn := notation.Game{Start: g.Start, Moves: g.Moves, Result: result.PGN()}
		pgn.SetTag("Nodes", fmt.Sprint(nodes))
		return pgn.AppendPGN(nil)
	}
	got := record()
	if again := record(); !bytes.Equal(got, again) {
		t.Errorf("two games:\n%s\n%s", got, again)
	}
	const file = "testdata/game.pgn"
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the search has changed. If that is what you want, go test ./engine/search -update; it plays\n%s\nand not\n%s", got, want)
	}
}

// TestEndgames: who has the pieces to mate does so within fifty moves, against a defence that
// searches, too.
func TestEndgames(t *testing.T) {
	letters := map[engine.Piece]string{engine.Queen: "Q", engine.Rook: "R", engine.Bishop: "B", engine.Knight: "N"}
	for _, kinds := range [][]engine.Piece{
		{engine.Queen}, {engine.Rook}, {engine.Bishop, engine.Bishop}, {engine.Bishop, engine.Knight},
	} {
		r := rand.New(rand.NewPCG(21, uint64(len(kinds))<<8|uint64(kinds[len(kinds)-1])))
		name := "K"
		for _, k := range kinds {
			name += letters[k]
		}
		positions := make([]engine.Position, *endgamesTried)
		for i := range positions {
			positions[i] = bareKing(r, kinds)
		}
		moves := make([]int, len(positions)) // to the mate
		parallel(len(positions), func(i int) {
			p := positions[i]
			e := [2]*Engine{engineOf(t, AllFeatures), engineOf(t, AllFeatures)}
			nodes := [2]uint64{5000, 5000}
			nodes[p.SideToMove()] = 20_000
			g, result, err := play(t.Context(), e, Game{Start: p}, nodes, nil)
			if err != nil || result != rules.Win(p.SideToMove()) {
				t.Errorf("%sK, %s: %v after %d plies: %v, %v", name, p.FEN(), result, len(g.Moves), g.Moves, err)
				return
			}
			moves[i] = (len(g.Moves) + 1) / 2
		})
		t.Logf("%sK: %d positions, the longest mate in %d moves", name, len(moves), slices.Max(moves))
	}
}

// bareKing is a random position of a king and pieces to move, none attacked, against a king.
// Bishops stand on different colours.
func bareKing(r *rand.Rand, kinds []engine.Piece) engine.Position {
	for {
		var s engine.Setup
		strong := engine.Color(r.IntN(2))
		s.SideToMove, s.Fullmove = strong, 1
		squares := r.Perm(64)
		s.Put(engine.King, strong, engine.Square(squares[0]))
		s.Put(engine.King, strong.Other(), engine.Square(squares[1]))
		bishops := uint64(0)
		loose := false
		for i, k := range kinds {
			to := engine.Square(squares[2+i])
			s.Put(k, strong, to)
			if k == engine.Bishop {
				bishops |= 1 << to
			}
			loose = loose || engine.Attacks(engine.King, engine.Square(squares[1]), 0)&(1<<to) != 0
		}
		const dark = 0xaa55aa55aa55aa55
		if len(kinds) == 2 && kinds[1] == engine.Bishop && (bishops&dark == 0 || bishops&^dark == 0) {
			continue
		}
		if p, err := s.Position(); err == nil && !loose && p.Count() > 0 {
			return p
		}
	}
}

// mateIn is in how many moves the side to move mates by force, at most so many; 0: it does not. It
// looks at everything.
func mateIn(p *engine.Position, most int) int {
	for n := 1; n <= most; n++ {
		if forces(p, n) {
			return n
		}
	}
	return 0
}

func forces(p *engine.Position, moves int) bool {
	for _, m := range p.AppendMoves(nil) {
		next := p.Make(m)
		replies := next.AppendMoves(nil)
		if len(replies) == 0 && next.InCheck() {
			return true
		}
		if moves == 1 || len(replies) == 0 {
			continue
		}
		all := true
		for _, reply := range replies {
			after := next.Make(reply)
			if !forces(&after, moves-1) {
				all = false
				break
			}
		}
		if all {
			return true
		}
	}
	return false
}

// With the table and without it, the same mates are found: those that there are.
func TestTableKeepsMates(t *testing.T) {
	e, plain := engineOf(t, AllFeatures), engineOf(t, AllFeatures&^(Table|TableMove))
	count := map[int]int{}
	try := func(p engine.Position, most int) {
		want := mateIn(&p, most)
		if want == 0 {
			return
		}
		count[want]++
		for _, x := range []*Engine{e, plain} {
			r, err := x.Search(t.Context(), Game{Start: p}, Limits{Depth: 2*want + 8}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := MateIn(r.Value); got != want {
				t.Errorf("%s with %v: mate in %d (value %d), want %d", p.FEN(), x.o.Features, got, r.Value, want)
			}
		}
	}
	// The ends of quick games, and random positions. One engine for all of them: what it keeps from
	// one position must not be wrong in another.
	for seed := range uint64(16) {
		quick := [2]*Engine{engineOf(t, AllFeatures), engineOf(t, AllFeatures)}
		g, _, err := play(t.Context(), quick, Game{Start: randomPositions(seed, 1)[0]}, [2]uint64{300, 300}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for back, most := range map[int]int{1: 1, 3: 2, 5: 3} {
			if back <= len(g.Moves) {
				try((&Game{g.Start, g.Moves[:len(g.Moves)-back]}).Position(), most)
			}
		}
	}
	for _, p := range randomPositions(31, 100) {
		try(p, 2)
	}
	t.Logf("positions by moves to the mate: %v", count)
	if min(count[1], count[2], count[3]) < 3 {
		t.Errorf("too few positions: %v", count)
	}
}
