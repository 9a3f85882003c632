package mobility

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/corentings/chess/v2"

	"github.com/cosimate/cosimate/engine"
)

var all = flag.Bool("mobility.all", false, "the most moves of bishops and rooks too: minutes")

func ExampleMost() {
	most, err := Most(context.Background(), engine.Queen)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d %ss have up to %d moves\n%s\n", most.Pieces, most.Kind, most.Moves, most.Position.FEN())
	// Output:
	// 9 queens have up to 193 moves
	// 2Q3nk/4Q1nn/6Q1/1Q6/3Q4/5Q2/Q6Q/K1Q5 w - - 0 1
}

// TestMost holds the answers against the figures of docs/results.md, and counts the moves of their
// positions with a library of others.
func TestMost(t *testing.T) {
	for _, c := range []struct {
		kind        engine.Piece
		one         bool
		long        bool
		pieces, max int
	}{
		{engine.Pawn, false, false, 8, 59},
		{engine.Pawn, true, false, 8, 27},
		{engine.Knight, false, false, 10, 76},
		{engine.Bishop, false, true, 10, 88},
		{engine.Rook, false, true, 10, 125},
		{engine.Queen, false, false, 9, 193},
		{engine.King, false, false, 1, 8},
	} {
		if c.long && !*all {
			t.Logf("%s: not without -mobility.all", c.kind)
			continue
		}
		var r Result
		var err error
		if c.one {
			r, err = MostSquares()
		} else {
			r, err = Most(t.Context(), c.kind)
		}
		if err != nil {
			t.Errorf("%s: %v", c.kind, err)
			continue
		}
		fen := r.Position.FEN()
		if r.Pieces != c.pieces || r.Moves != c.max {
			t.Errorf("%d %ss have up to %d moves (%s), want %d and %d", r.Pieces, c.kind, r.Moves, fen, c.pieces, c.max)
		}
		if got := countOf(t, fen, c.kind, c.one); got != r.Moves {
			t.Errorf("%s: another library lists %d moves of %ss, want %d", fen, got, c.kind, r.Moves)
		}
	}
}

// countOf counts a kind's moves with github.com/corentings/chess.
func countOf(t *testing.T, fen string, kind engine.Piece, onePromotion bool) (n int) {
	t.Helper()
	option, err := chess.FEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	p := chess.NewGame(option).Position()
	types := map[engine.Piece]chess.PieceType{engine.Pawn: chess.Pawn, engine.Knight: chess.Knight, engine.Bishop: chess.Bishop,
		engine.Rook: chess.Rook, engine.Queen: chess.Queen, engine.King: chess.King}
	for _, m := range p.ValidMoves() {
		if p.Board().Piece(m.S1()).Type() == types[kind] && (!onePromotion || m.Promo() == chess.NoPieceType || m.Promo() == chess.Queen) {
			n++
		}
	}
	return n
}

// TestFew: with few pieces, where every set of squares can be tried, the search finds no less and
// no more.
func TestFew(t *testing.T) {
	for _, kind := range []engine.Piece{engine.Knight, engine.Bishop, engine.Rook, engine.Queen} {
		r, err := pieces(t.Context(), kind, 2)
		if err != nil {
			t.Fatal(err)
		}
		most := 0
		for a := range engine.Square(64) {
			for b := range a {
				set := uint64(1)<<a | 1<<b
				for _, kings := range [][2]engine.Square{{0, 63}, {7, 56}, {56, 7}, {63, 0}, {0, 7}, {0, 56}, {1, 62}, {2, 61}, {8, 55}, {16, 47}} {
					s := engine.Setup{White: set, Fullmove: 1}
					s.Kinds[kind] = set
					s.Put(engine.King, engine.White, kings[0])
					s.Put(engine.King, engine.Black, kings[1])
					if p, err := s.Position(); err == nil {
						most = max(most, Count(&p, kind, false))
					}
				}
			}
		}
		if r.Moves < most {
			t.Errorf("two %ss: %d moves (%s), and there is a position with %d", kind, r.Moves, r.Position.FEN(), most)
		}
		if bound := most + 1; r.Moves > bound {
			t.Errorf("two %ss: %d moves (%s), without kings in the way hardly more than %d", kind, r.Moves, r.Position.FEN(), most)
		}
	}
}

// TestShield holds the search for shields against trying all sets of up to three squares.
func TestShield(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	shielded := 0
	for range 60 {
		kind := []engine.Piece{engine.Bishop, engine.Rook, engine.Queen}[rng.IntN(3)]
		var set uint64
		for bits.OnesCount64(set) < 3 {
			set |= 1 << rng.IntN(64)
		}
		king := engine.Square(rng.IntN(64))
		if set>>king&1 != 0 {
			continue
		}
		// The best of all shields, among the squares that reach the king.
		want := 0
		b := &branch{ctx: t.Context(), kind: kind}
		try := func(shields uint64) {
			occupied := set | shields | 1<<king
			if engine.Attacks(kind, king, occupied)&set == 0 {
				want = max(want, b.moves(set, set, occupied))
			}
		}
		try(0)
		for x := range 64 {
			for y := range x + 1 {
				for z := range y + 1 {
					if s := uint64(1)<<x | 1<<y | 1<<z; s&(set|1<<king) == 0 {
						try(s)
					}
				}
			}
		}
		b.shield(placed{set: set, own: noSquare, other: king}, true)
		if b.best.moves != want {
			t.Errorf("%s on %#x, king on %s: %d moves with shields %#x, want %d", kind, set, king, b.best.moves, b.best.shields, want)
		}
		if b.best.shields != 0 {
			shielded++
		}
	}
	if shielded < 20 {
		t.Errorf("only %d sets needed shields", shielded)
	}
}

func TestErrors(t *testing.T) {
	if _, err := Most(t.Context(), 7); err == nil {
		t.Error("a kind 7 was accepted")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Most(ctx, engine.Rook); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
