package rules

import (
	"testing"

	"github.com/cosimate/cosimate/engine"
)

func parse(t testing.TB, fen string) engine.Position {
	t.Helper()
	p, err := engine.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestEnd has each end that comes by itself, and the nearest position that is none.
func TestEnd(t *testing.T) {
	for _, c := range []struct {
		name, fen string
		occurred  int
		result    Result
		cause     Cause
	}{
		{"mate", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", 1, WhiteWins, Mate},
		{"mate by black", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", 1, BlackWins, Mate},
		{"mate comes before 75 moves", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 150 90", 5, WhiteWins, Mate},
		{"check", "R5k1/5pp1/8/8/8/8/8/6K1 b - - 0 1", 1, InPlay, NoCause},
		{"stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 1, Draw, Stalemate},
		{"insufficient", "4k3/8/8/8/8/8/8/4KN2 w - - 0 1", 1, Draw, Insufficient},
		{"one side can mate", "4k3/8/8/8/8/8/8/4KR2 w - - 0 1", 1, InPlay, NoCause},
		{"four times", "4k3/8/8/8/8/8/8/4KR2 w - - 8 9", 4, InPlay, NoCause},
		{"five times", "4k3/8/8/8/8/8/8/4KR2 w - - 8 9", 5, Draw, Fivefold},
		{"149 moves", "4k3/8/8/8/8/8/8/4KR2 w - - 149 90", 1, InPlay, NoCause},
		{"150 moves", "4k3/8/8/8/8/8/8/4KR2 w - - 150 90", 1, Draw, SeventyFive},
	} {
		p := parse(t, c.fen)
		if result, cause := End(&p, c.occurred); result != c.result || cause != c.cause {
			t.Errorf("%s: %v by %v, want %v by %v", c.name, result, cause, c.result, c.cause)
		}
	}
	var empty engine.Position
	if result, cause := End(&empty, 1); result != Draw || cause != Stalemate {
		t.Errorf("an empty board: %v by %v", result, cause)
	}
}

func TestClaims(t *testing.T) {
	for _, c := range []struct {
		clock, occurred  int
		threefold, fifty bool
	}{{99, 2, false, false}, {99, 3, true, false}, {100, 2, false, true}, {101, 4, true, true}} {
		s := engine.Setup{Halfmove: c.clock, Fullmove: 90}
		s.Put(engine.King, engine.White, 4)
		s.Put(engine.King, engine.Black, 60)
		p, err := s.Position()
		if err != nil {
			t.Fatal(err)
		}
		if threefold, fifty := Claims(&p, c.occurred); threefold != c.threefold || fifty != c.fifty {
			t.Errorf("clock %d, %d times: %v, %v", c.clock, c.occurred, threefold, fifty)
		}
	}
}

func TestFlagFall(t *testing.T) {
	p := parse(t, "4k3/8/8/8/8/8/8/4KR2 w - - 0 1")
	if result, cause := FlagFall(&p, engine.Black); result != WhiteWins || cause != Time {
		t.Errorf("black's flag: %v by %v", result, cause)
	}
	if result, cause := FlagFall(&p, engine.White); result != Draw || cause != TimeNoMate {
		t.Errorf("white's flag: %v by %v", result, cause)
	}
}

// TestKey compares positions pairwise: which are the same, and what makes them differ.
func TestKey(t *testing.T) {
	const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"counters", start, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 8 5", true},
		{"rights", start, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1", false},
		{"side", start, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", false},
		{"no pawn takes en passant", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
			"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", true},
		{"a pawn takes en passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", false},
		{"it would leave the king in check", "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 1", true},
	} {
		a, b := parse(t, c.a), parse(t, c.b)
		if same := KeyOf(&a) == KeyOf(&b); same != c.same {
			t.Errorf("%s: same: %v", c.name, same)
		}
	}
}

// TestCodes: every code has a name of its own, and words come back.
func TestCodes(t *testing.T) {
	seen := map[string]bool{}
	for r := range GameOver + 1 {
		if seen[r.String()] {
			t.Errorf("%v twice", r)
		}
		seen[r.String()] = true
	}
	if got := (GameOver + 1).String(); got != "code 21" {
		t.Errorf("%q", got)
	}
	for c := range TimeNoMate + 1 {
		got, ok := CauseOf(c.Words())
		if ok != (c != NoCause) || got != c {
			t.Errorf("%v: %v, %v", c, got, ok)
		}
	}
	for r, want := range map[Result]string{InPlay: "*", WhiteWins: "1-0", BlackWins: "0-1", Draw: "1/2-1/2"} {
		if r.PGN() != want {
			t.Errorf("%v: %s", r, r.PGN())
		}
	}
}

// TestExplain has every reason of the laws, in a position where it is the one.
func TestExplain(t *testing.T) {
	for _, c := range []struct {
		fen, move string
		reason    Reason
		want      string
	}{
		{"4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", "a1a3", Blocked, "a piece stands in the way of the rook from a1 to a3 (FIDE 3.5, 3.7)"},
		{"4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", "a1a2", OwnPiece, "an own piece stands on a2 (FIDE 3.1)"},
		{"4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1d2", KingIntoCheck, "the king would be in check on d2 (FIDE 3.9.2)"},
		{"4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3", Pinned, "the knight on e2 shields its king from check (FIDE 3.9.2)"},
		{"4r2k/8/8/8/8/8/P7/4K3 w - - 0 1", "a2a4", StillInCheck, "the king is in check, and still would be (FIDE 3.9.2)"},
		{"4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1", CastlingRights, "the king or that rook has moved before (FIDE 3.8.2.1)"},
		{"4k3/8/8/8/8/8/8/4KB1R w K - 0 1", "e1g1", CastlingBlocked, "a piece stands between king and rook (FIDE 3.8.2.2)"},
		{"4r1k1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", CastlingOut, "the king may not castle out of check (FIDE 3.8.2.2)"},
		{"5rk1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", CastlingThrough, "the king would pass over a square that is attacked (FIDE 3.8.2.2)"},
		{"6k1/8/8/8/8/8/6r1/4K2R w K - 0 1", "e1g1", KingIntoCheck, "the king would be in check on g1 (FIDE 3.9.2)"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5d6", EnPassant, "the pawn can be taken en passant only at once after its double step (FIDE 3.7.4)"},
		{"4k3/8/8/4P3/8/8/8/4K3 w - - 0 1", "e5d6", PawnCapture, "a pawn goes diagonally only to capture, and there is nothing on d6 (FIDE 3.7.3)"},
		{"4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1", "e2e4", PawnForward, "a pawn does not capture straight ahead, and e4 is occupied (FIDE 3.7.1)"},
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e8e7", NotYourTurn, "the piece on e8 is the opponent's (FIDE 1.1)"},
		{"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e5", NotAMove, "a pawn does not go from e2 to e5 (FIDE 3.2 to 3.8)"},
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "a1a2", NoPiece, "no piece stands on a1"},
	} {
		p := parse(t, c.fen)
		from, err := engine.ParseSquare(c.move[:2])
		if err != nil {
			t.Fatal(err)
		}
		to, err := engine.ParseSquare(c.move[2:])
		if err != nil {
			t.Fatal(err)
		}
		if r := Why(&p, from, to); r != c.reason {
			t.Errorf("%s in %s: %v, want %v", c.move, c.fen, r, c.reason)
		}
		if got := c.reason.Explain(&p, from, to); got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.move, c.fen, got, c.want)
		}
	}
}
