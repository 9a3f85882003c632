package engine_test

import (
	"context"
	"errors"
	"math/bits"
	"os"
	"testing"
	"time"

	"github.com/cosimate/cosimate/engine"
)

// suite reads one of the perft suites.
func suite(t *testing.T, name string) []engine.EPD {
	t.Helper()
	f, err := os.Open("../vectors/perft/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	entries, err := engine.ReadEPD(f, name)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// TestPublished compares with the published counts, those of the known positions
// as deep as some ten million nodes, with both ways of counting.
func TestPublished(t *testing.T) {
	for _, s := range []struct {
		name      string
		positions int
		most      uint64 // nodes
	}{{"perft-known.epd", 136, 12e6}, {"perft-random.epd", 3196, 60e3}} {
		t.Run(s.name, func(t *testing.T) {
			entries := suite(t, s.name)
			if len(entries) != s.positions {
				t.Errorf("%d positions, want %d", len(entries), s.positions)
			}
			var room [256]engine.Move
			for _, e := range entries {
				p := &e.Position
				if got := p.FEN(); got != e.FEN {
					t.Errorf("line %d: FEN %s became %s", e.Line, e.FEN, got)
				}
				if got := len(p.AppendMoves(room[:0])); e.Counts[0].Depth != 1 || uint64(got) != e.Counts[0].Nodes {
					t.Errorf("line %d: %s: %d moves, want depth and count %v", e.Line, e.FEN, got, e.Counts[0])
				}
				for _, c := range e.Counts {
					if c.Nodes > s.most && c.Depth > 3 {
						continue
					}
					if got := engine.Perft(p, c.Depth); got != c.Nodes {
						t.Errorf("line %d: %s: perft %d is %d, want %d", e.Line, e.FEN, c.Depth, got, c.Nodes)
					}
					if got := engine.PerftPlain(p, c.Depth); got != c.Nodes {
						t.Errorf("line %d: %s: plain perft %d is %d, want %d", e.Line, e.FEN, c.Depth, got, c.Nodes)
					}
				}
			}
		})
	}
}

// TestTraps are positions that published suites pass with a fault inside.
func TestTraps(t *testing.T) {
	for _, c := range []struct {
		name, fen string
		moves     []string // some legal moves
		not       []string // some that are not
	}{
		{"the en passant pawn gives check", "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", []string{"e4d3", "c5d4"}, []string{"e4e3"}},
		{"two pawns leave the king's rank", "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", []string{"e4e3"}, []string{"e4d3"}},
		{"the captured pawn is pinned on a diagonal", "4k3/8/8/8/2pP4/8/8/K7 b - d3 0 1", []string{"c4d3", "c4c3"}, nil},
		{"en passant does not end a knight's check", "8/8/2N5/4k3/3Pp3/8/8/4K3 b - d3 0 1", nil, []string{"e4d3"}},
		{"promotion with capture out of a pin", "r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", []string{"b7a8q", "b7a8n", "b7b8r"}, []string{"b7a8", "b7b8"}},
		{"a rook taken at home", "r3k2r/6P1/8/8/8/8/8/4K3 w kq - 0 1", []string{"g7h8q"}, nil},
		{"castling through check", "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", []string{"e1c1"}, []string{"e1g1"}},
		{"only the rook's way is attacked", "4k3/8/8/8/8/8/1r6/R3K3 w Q - 0 1", []string{"e1c1"}, nil},
		{"the king shades the square behind it", "4k3/8/8/8/r3K3/8/8/8 w - - 0 1", []string{"e4e5"}, []string{"e4f4", "e4d4"}},
		{"a protected checker", "4k3/8/8/8/8/3b4/4q3/4K3 w - - 0 1", nil, []string{"e1e2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := parse(t, c.fen)
			legal := map[string]bool{}
			for _, m := range p.AppendMoves(nil) {
				legal[m.String()] = true
			}
			for _, m := range c.moves {
				if !legal[m] {
					t.Errorf("%s is missing", m)
				}
			}
			for _, m := range c.not {
				if legal[m] {
					t.Errorf("%s is not legal", m)
				}
			}
		})
	}
}

// TestEnPassantEnds makes sure that every kind of move ends the right to capture
// en passant; promotions are easily forgotten.
func TestEnPassantEnds(t *testing.T) {
	p := parse(t, "r3k3/1P6/8/3pP3/8/8/8/R3K2R w KQq d6 0 1")
	kinds := map[string]bool{}
	for _, m := range p.AppendMoves(nil) {
		next := p.Make(m)
		if sq, ok := next.EnPassant(); ok {
			t.Errorf("after %s there is still en passant on %s", m, sq)
		}
		switch {
		case m.Promotion != engine.NoPiece:
			kinds["promotion"] = true
		case m.EnPassant:
			kinds["en passant"] = true
		case m.Castling:
			kinds["castling"] = true
		}
	}
	if len(kinds) != 3 {
		t.Errorf("only %v were tried", kinds)
	}
}

func TestDepthBelowOne(t *testing.T) {
	p := engine.StartPosition()
	for _, depth := range []int{0, -1} {
		if n := engine.Perft(&p, depth); n != 1 {
			t.Errorf("perft %d is %d, want 1", depth, n)
		}
		if n, err := engine.PerftParallel(context.Background(), &p, depth, 2); n != 1 || err != nil {
			t.Errorf("parallel perft %d is %d, %v, want 1", depth, n, err)
		}
	}
}

func TestParallel(t *testing.T) {
	for _, e := range suite(t, "perft-known.epd") {
		for _, c := range e.Counts {
			if c.Nodes > 500e3 {
				break
			}
			for _, jobs := range []int{-1, 1, 3} {
				got, err := engine.PerftParallel(t.Context(), &e.Position, c.Depth, jobs)
				if err != nil || got != c.Nodes {
					t.Errorf("%s: perft %d with %d jobs is %d, %v, want %d", e.FEN, c.Depth, jobs, got, err, c.Nodes)
				}
			}
		}
	}
}

func TestDivide(t *testing.T) {
	p := parse(t, wellKnown[1].fen)
	counts, err := engine.Divide(t.Context(), &p, 3, 2)
	if err != nil {
		t.Fatal(err)
	}
	var sum uint64
	last := ""
	for _, c := range counts {
		if s := c.Move.String(); s <= last {
			t.Errorf("%s comes after %s", s, last)
		} else {
			last = s
		}
		sum += c.Nodes
		child := p.Make(c.Move)
		if want := engine.PerftPlain(&child, 2); c.Nodes != want {
			t.Errorf("%s: %d, want %d", c.Move, c.Nodes, want)
		}
	}
	if len(counts) != 48 || sum != 97862 {
		t.Errorf("%d moves with %d nodes, want 48 with 97862", len(counts), sum)
	}
}

// TestCancel ends a perft in the middle of its first root move, which would
// take years.
func TestCancel(t *testing.T) {
	p := parse(t, "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
	for _, fen := range []string{p.FEN(), wellKnown[0].fen} {
		p := parse(t, fen)
		ctx, cancel := context.WithCancel(t.Context())
		var ended time.Time
		time.AfterFunc(30*time.Millisecond, func() { ended = time.Now(); cancel() })
		n, err := engine.PerftParallel(ctx, &p, 15, 2)
		// It takes a few milliseconds; the rest is for machines with more to do.
		if late := time.Since(ended); late > 250*time.Millisecond {
			t.Errorf("%s: it went on for %v", fen, late)
		}
		if n != 0 || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %d, %v, want the context's error", fen, n, err)
		}
	}
}

// TestNoAllocation: perft and others call these for every position.
func TestNoAllocation(t *testing.T) {
	p := parse(t, "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
	room := make([]engine.Move, 0, 256)
	if n := testing.AllocsPerRun(10, func() {
		moves := p.AppendMoves(room)
		next := p.Make(moves[0])
		if len(moves) != 218 || p.Count() != 218 || next.Count() == 218 || next.InCheck() {
			t.Error("wrong number of moves")
		}
		engine.Perft(&p, 2)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestAccessors compares the accessors with each other in every known position.
func TestAccessors(t *testing.T) {
	for _, e := range suite(t, "perft-known.epd") {
		p := &e.Position
		for _, c := range []engine.Color{engine.White, engine.Black} {
			var all uint64
			for k := engine.Pawn; k <= engine.King; k++ {
				b := p.Bitboard(c, k)
				if b&all != 0 {
					t.Errorf("%s: two pieces on a square", e.FEN)
				}
				all |= b
				for ; b != 0; b &= b - 1 {
					sq := engine.Square(bits.TrailingZeros64(b))
					if kind, color := p.PieceAt(sq); kind != k || color != c {
						t.Errorf("%s: %s %s on %s, want %s %s", e.FEN, color, kind, sq, c, k)
					}
				}
			}
			if all != p.Pieces(c) {
				t.Errorf("%s: pieces %x, want %x", e.FEN, p.Pieces(c), all)
			}
		}
	}
}
