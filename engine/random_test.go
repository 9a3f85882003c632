package engine_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/corentings/chess/v2"
	"github.com/cosimate/cosimate/engine"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestMain keeps rapid from writing into the source tree when a test fails: what
// it prints is enough to run the failure again.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// starts are positions that random games begin from; those of the suites that
// stress a rule bring it up often.
func starts(t *testing.T) []engine.Position {
	var all []engine.Position
	for _, name := range []string{"perft-known.epd", "perft-random.epd"} {
		for _, e := range suite(t, name) {
			all = append(all, e.Position)
		}
	}
	return all
}

// drawMove picks a legal move, rare kinds more often than their share.
func drawMove(t *rapid.T, moves []engine.Move) engine.Move {
	rare := slices.DeleteFunc(slices.Clone(moves), func(m engine.Move) bool {
		return !m.EnPassant && !m.Castling && m.Promotion == engine.NoPiece && m.Captured == engine.NoPiece
	})
	if len(rare) > 0 && rapid.IntRange(0, 2).Draw(t, "rare") == 0 {
		return rapid.SampledFrom(rare).Draw(t, "move")
	}
	return rapid.SampledFrom(moves).Draw(t, "move")
}

// TestAgainstOtherLibrary plays random games here and in an independent library
// and compares the legal moves and the position after each.
func TestAgainstOtherLibrary(t *testing.T) {
	from := starts(t)
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(from).Draw(t, "start")
		for range 60 {
			option, err := chess.FEN(p.FEN())
			if err != nil {
				t.Fatalf("%s: %v", p.FEN(), err)
			}
			other := chess.NewGame(option).Position()
			theirs := map[string]*chess.Move{}
			var want []string
			for _, m := range other.ValidMoves() {
				theirs[m.String()] = &m
				want = append(want, m.String())
			}
			moves := p.AppendMoves(nil)
			var got []string
			for _, m := range moves {
				got = append(got, m.String())
			}
			slices.Sort(got)
			slices.Sort(want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s\n%s", p.FEN(), diff)
			}
			if len(moves) == 0 {
				return
			}
			m := drawMove(t, moves)
			next := p.Make(m)
			if want := other.Update(theirs[m.String()]).String(); next.FEN() != want {
				t.Fatalf("%s after %s is\n%s, want\n%s", p.FEN(), m, next.FEN(), want)
			}
			p = next
		}
	})
}

// mirror returns the position with the colours and the ranks exchanged.
func mirror(t *rapid.T, p *engine.Position) engine.Position {
	f := strings.Fields(p.FEN())
	ranks := strings.Split(f[0], "/")
	slices.Reverse(ranks)
	swap := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r|0x20 >= 'a' && r|0x20 <= 'z' {
				return r ^ 0x20
			}
			return r
		}, s)
	}
	rights := []byte(swap(f[2]))
	slices.SortFunc(rights, func(a, b byte) int { return strings.IndexByte("KQkq", a) - strings.IndexByte("KQkq", b) })
	side := map[string]string{"w": "b", "b": "w"}[f[1]]
	ep := strings.NewReplacer("3", "6", "6", "3").Replace(f[3])
	q, err := engine.ParseFEN(fmt.Sprintf("%s %s %s %s %s %s", swap(strings.Join(ranks, "/")), side, rights, ep, f[4], f[5]))
	if err != nil {
		t.Fatalf("mirror of %s: %v", p.FEN(), err)
	}
	return q
}

// TestProperties holds what must be so in every position of a random game.
func TestProperties(t *testing.T) {
	from := starts(t)
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(from).Draw(t, "start")
		for range 40 {
			moves := p.AppendMoves(nil)
			checkPosition(t, &p, moves)
			if len(moves) == 0 {
				break
			}
			p = p.Make(drawMove(t, moves))
		}
	})
}

func checkPosition(t *rapid.T, p *engine.Position, moves []engine.Move) {
	if again, err := engine.ParseFEN(p.FEN()); err != nil || again != *p {
		t.Fatalf("%s does not come back: %v", p.FEN(), err)
	}
	if again, err := p.Setup().Position(); err != nil || again != *p {
		t.Fatalf("%s does not come back from its setup: %v", p.FEN(), err)
	}
	q := mirror(t, p)
	if mirrored, err := p.Setup().Mirror().Position(); err != nil || mirrored != q {
		t.Fatalf("the mirror of %s is %s, want %s: %v", p.FEN(), mirrored.FEN(), q.FEN(), err)
	}
	if fen := fmt.Sprintf(" %d %d", p.Halfmove(), p.Fullmove()); !strings.HasSuffix(p.FEN(), fen) {
		t.Fatalf("%s: the counters are %s", p.FEN(), fen)
	}
	if p.Count() != len(moves) {
		t.Fatalf("%s: count %d of %d moves", p.FEN(), p.Count(), len(moves))
	}
	seen := map[string]bool{}
	for _, m := range moves {
		if seen[m.String()] {
			t.Fatalf("%s: %s twice", p.FEN(), m)
		}
		seen[m.String()] = true
		piece, color := p.PieceAt(m.From)
		target, theirs := p.PieceAt(m.To)
		if piece != m.Piece || color != p.SideToMove() {
			t.Fatalf("%s: %s moves a %s", p.FEN(), m, m.Piece)
		}
		if !m.EnPassant && (target != m.Captured || target != engine.NoPiece && theirs == color) {
			t.Fatalf("%s: %s takes a %s", p.FEN(), m, m.Captured)
		}
	}
	for depth := 1; depth <= 3; depth++ {
		plain := engine.PerftPlain(p, depth)
		if batched := engine.Perft(p, depth); batched != plain {
			t.Fatalf("%s: perft %d is %d batched, %d plain", p.FEN(), depth, batched, plain)
		}
		if mirrored := engine.Perft(&q, depth); mirrored != plain {
			t.Fatalf("%s: perft %d is %d, of its mirror %d", p.FEN(), depth, plain, mirrored)
		}
	}
}
