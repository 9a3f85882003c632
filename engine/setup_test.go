package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/google/go-cmp/cmp"
)

// twoKings is a setup of two kings, White to move, to which a test adds what it is about.
func twoKings() engine.Setup {
	s := engine.Setup{Fullmove: 1}
	s.Put(engine.King, engine.White, 4)
	s.Put(engine.King, engine.Black, 60)
	return s
}

// TestSetupFaults covers what a FEN record cannot say. The other faults of setups are in fenFaults:
// ParseFEN finds them through Setup.Position.
func TestSetupFaults(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*engine.Setup)
		want   string
	}{
		{"nothing", func(*engine.Setup) {}, ""},
		{"empty board", func(s *engine.Setup) { *s = engine.Setup{} }, "piece placement: white has no king; give each side one king"},
		{"two pieces on a square", func(s *engine.Setup) { s.Kinds[engine.Rook] |= 1 << 4 },
			"piece placement: e1 has a rook and a king; put one piece on a square"},
		{"a piece of no kind", func(s *engine.Setup) { s.Put(7, engine.Black, 28) },
			"piece placement: the piece on e4 is of no kind; use the codes 1 to 6, pawn to king"},
		{"no piece", func(s *engine.Setup) { s.Put(engine.NoPiece, engine.Black, 28) },
			"piece placement: the piece on e4 is of no kind; use the codes 1 to 6, pawn to king"},
		{"a colour without a piece", func(s *engine.Setup) { s.White |= 1 << 28 },
			"piece placement: e4 is White's, and no piece stands there; give each of White's pieces a kind"},
		{"pawn", func(s *engine.Setup) { s.Put(engine.Pawn, engine.Black, 0) },
			"piece placement: black pawn on a1; put pawns on ranks 2 to 7 only"},
		{"castling", func(s *engine.Setup) { s.Castling = 1 },
			"castling rights: 'K' needs a white rook on h1; drop the right or put the rook there"},
		{"castling bits", func(s *engine.Setup) { s.Castling = 16 },
			"castling rights: 0b10000 is no set of castling rights; use bits 0 to 3"},
		{"en passant twice", func(s *engine.Setup) { s.EnPassant = 1<<40 | 1<<41 },
			"en passant square: there are 2 squares, and only one can be; write - unless a pawn has just made a double step over the square"},
		{"halfmove clock negative", func(s *engine.Setup) { s.Halfmove = -1 },
			"halfmove clock: -1 is out of range; write a number from 0 to 65535"},
		{"halfmove clock", func(s *engine.Setup) { s.Halfmove = 65536 },
			"halfmove clock: 65536 is out of range; write a number from 0 to 65535"},
		{"fullmove number", func(s *engine.Setup) { s.Fullmove = 65536 },
			"fullmove number: 65536 is out of range; write a number from 1 to 65535"},
		{"check", func(s *engine.Setup) { s.Put(engine.Rook, engine.White, 52) },
			"side to move: white is to move but black is in check from e7; give the move to the side in check, or end the check"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := twoKings()
			c.change(&s)
			p, err := s.Position()
			if c.want == "" {
				if err != nil || p.FEN() != s.FEN() {
					t.Errorf("%v, %v", p.FEN(), err)
				}
				return
			}
			if err == nil {
				t.Fatalf("accepted as\n%s", p.Board())
			}
			if diff := cmp.Diff(c.want, err.Error()); diff != "" {
				t.Error(diff)
			}
			if fault, ok := errors.AsType[*engine.SetupError](err); !ok || !strings.HasPrefix(c.want, fault.Field+": ") {
				t.Errorf("%#v", err)
			}
			if p != (engine.Position{}) {
				t.Error("a position came with the error")
			}
		})
	}
}

// TestSetupFEN writes what is no position.
func TestSetupFEN(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*engine.Setup)
		want   string
	}{
		{"kings", func(*engine.Setup) {}, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
		{"zero", func(s *engine.Setup) { *s = engine.Setup{} }, "8/8/8/8/8/8/8/8 w - - 0 0"},
		{"no kinds", func(s *engine.Setup) { s.Put(7, engine.White, 0); s.Put(0, engine.Black, 7) }, "4k3/8/8/8/8/8/8/?3K2? w - - 0 1"},
		{"the greater code", func(s *engine.Setup) { s.Kinds[engine.Pawn] |= 1 << 4 }, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
		{"the rest", func(s *engine.Setup) {
			s.SideToMove, s.Castling, s.EnPassant, s.Halfmove, s.Fullmove = engine.Black, 0b1111, 1<<16|1<<23, 70000, -1
		}, "4k3/8/8/8/8/8/8/4K3 b KQkq a3h3 70000 -1"},
	} {
		s := twoKings()
		c.change(&s)
		if got := s.FEN(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	var zero engine.Position
	if got, want := zero.FEN(), (engine.Setup{}).FEN(); got != want || zero.Setup() != (engine.Setup{}) {
		t.Errorf("the zero Position is %s", got)
	}
}

// passed is the position after a null move, made of the text of the FEN record.
func passed(t testing.TB, p *engine.Position) engine.Position {
	var board, side, rights, target string
	var half, full int
	if _, err := fmt.Sscan(p.FEN(), &board, &side, &rights, &target, &half, &full); err != nil {
		t.Fatal(err)
	}
	if side == "b" {
		full = min(full+1, 65535)
	}
	side = map[string]string{"w": "b", "b": "w"}[side]
	return parse(t, fmt.Sprintf("%s %s %s - %d %d", board, side, rights, min(half+1, 65535), full))
}

// TestMakeNull compares null moves with the rules of FEN's fields.
func TestMakeNull(t *testing.T) {
	for _, fen := range []string{
		"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
		"rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
		"r3k2r/8/8/8/8/8/8/R3K2R w Kq - 12 34",
		"4k3/8/8/8/8/8/8/4K3 w - - 65535 65535",
		"4k3/8/8/8/8/8/8/4K3 b - - 65535 65535",
		"4k3/8/8/8/8/8/8/4K3 b - - 65534 65534",
	} {
		p := parse(t, fen)
		if got, want := p.MakeNull(), passed(t, &p); got != want {
			t.Errorf("%s becomes %s, want %s", fen, got.FEN(), want.FEN())
		}
	}
}
