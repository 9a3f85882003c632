package host

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func gameFrom(t testing.TB, fen string) *Game {
	t.Helper()
	if fen == "" {
		return NewGame(engine.StartPosition())
	}
	p, err := engine.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return NewGame(p)
}

// play makes moves; "draw" and "resign" are those of the side to move, "draw!" of the other.
func play(t testing.TB, g *Game, moves string) {
	t.Helper()
	for _, text := range strings.Fields(moves) {
		p, err := g.Position(), error(nil)
		switch text {
		case "draw":
			err = g.Draw(p.SideToMove(), noon)
		case "draw!":
			err = g.Draw(p.SideToMove().Other(), noon)
		case "resign":
			err = g.Resign(p.SideToMove(), noon)
		default:
			_, err = g.Play(text, noon)
		}
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

// Every way in which a game ends; each comes back from its PGN.
func TestEnds(t *testing.T) {
	back := "Nf3 Nf6 Ng1 Ng8 "
	shuffle := "Ra2 Ra7 Rb2 Rb7 Rc2 Rc7 Rd2 Rd7 Rg2 Rg7 Rh2 Rh7"
	for _, c := range []struct{ name, fen, moves, want string }{
		{"mate", "", "f3 e5 g4 Qh4", "black wins, checkmate"},
		{"mate in the position", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "", "white wins, checkmate"},
		{"stalemate", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "Qf7", "draw, stalemate"},
		{"insufficient", "8/8/4k3/8/8/8/3r4/3K4 w - - 0 1", "Kxd2", "draw, insufficient material"},
		{"threefold", "", back + back + "draw", "draw, threefold repetition"},
		{"fivefold", "", back + back + back + back, "draw, fivefold repetition"},
		{"fifty", "r3k3/8/8/8/8/8/8/R3K3 w - - 98 80", "Ra2 Ra7 draw", "draw, fifty moves"},
		{"seventy-five", "r3k3/8/8/8/8/8/8/R3K3 w - - 138 80", shuffle, "draw, seventy-five moves"},
		{"resignation", "", "e4 resign", "white wins, resignation"},
		{"agreement", "", "e4 draw draw!", "draw, agreement"},
		{"an offer is declined by a move", "", "e4 draw! e5 draw", ""},
		{"not the second time", "", back + "draw", ""},
	} {
		g := gameFrom(t, c.fen)
		play(t, g, c.moves)
		got := ""
		if g.Over() {
			got = g.Outcome()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		again, err := ReadGame(g.PGN(noon), "again")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if text := string(again.PGN(noon)); text != string(g.PGN(noon)) || again.result != g.result || again.cause != g.cause {
			t.Errorf("%s: read again:\n%s", c.name, text)
		}
		if g.Over() {
			_, err := g.Play("a3", noon)
			if r, ok := errors.AsType[*Refusal](err); !ok || r.Reason != rules.GameOver {
				t.Errorf("%s: after the end: %v", c.name, err)
			}
		}
	}
}

// Each refusal names the rule.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		fen, text string
		reason    rules.Reason
		want      string
	}{
		{"", "hello", 0, "is no move and no command: moves look like"},
		{"", "a1a2", rules.OwnPiece, "an own piece stands on a2 (FIDE 3.1)"},
		{"", "a1a3", rules.Blocked, "a piece stands in the way of the rook from a1 to a3 (FIDE 3.5"},
		{"", "Ra3", rules.Blocked, "in the way of the rook from a1 to a3"},
		{"", "Nd4", 0, "no knight goes to d4"},
		{"", "Qb4b2", 0, "white has no queen on b4"},
		{"", "b4b2", 0, "white has no piece on b4"},
		{"", "e7e5", rules.NotYourTurn, "the piece on e7 is the opponent's"},
		{"", "e2e5", rules.NotAMove, "a pawn does not go from e2 to e5"},
		{"", "e2f3", rules.PawnCapture, "only to capture, and there is nothing on f3"},
		{"4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1", "e2e4", rules.PawnForward, "straight ahead, and e4 is occupied"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "exd6", rules.EnPassant, "only at once after its double step"},
		{"4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "Kd2", rules.KingIntoCheck, "the king would be in check on d2"},
		{"4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3", rules.Pinned, "the knight on e2 shields its king"},
		{"4r2k/8/8/8/8/8/P7/4K3 w - - 0 1", "a4", rules.StillInCheck, "the king is in check, and still would be"},
		{"4k3/8/8/8/8/8/8/4K2R w - - 0 1", "O-O", rules.CastlingRights, "has moved before"},
		{"4k3/8/8/8/8/8/8/4KB1R w K - 0 1", "e1g1", rules.CastlingBlocked, "a piece stands between king and rook"},
		{"4r1k1/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", rules.CastlingOut, "out of check"},
		{"5rk1/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", rules.CastlingThrough, "over a square that is attacked"},
		{"4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1", "Nf3", 0, "can be Ngf3 or Ndf3: say which"},
	} {
		g := gameFrom(t, c.fen)
		_, err := g.Play(c.text, noon)
		r, ok := errors.AsType[*Refusal](err)
		if !ok || c.reason != 0 && r.Reason != c.reason || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s in %q: %v, want %v: %s", c.text, c.fen, err, c.reason, c.want)
		}
	}
}

// The clocks: which side's time runs, what is added, and who loses by time.
func TestClock(t *testing.T) {
	at := noon
	g := gameFrom(t, "")
	g.Clock.Set(time.Minute, 2*time.Second)
	step := func(d time.Duration, move string) {
		t.Helper()
		at = at.Add(d)
		if _, err := g.Play(move, at); err != nil {
			t.Fatal(err)
		}
	}
	faces := func(want string) {
		t.Helper()
		if got := g.Clock.Faces(at); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	step(time.Hour, "e4") // no clock runs before the first move
	faces("white 01:00.0, black 01:00.0")
	step(10*time.Second, "e5")
	faces("white 01:00.0, black 00:52.0")
	at = at.Add(30*time.Second + 250*time.Millisecond)
	faces("white 00:29.8, black 00:52.0")
	g.Clock.Pause(at)
	at = at.Add(time.Hour)
	faces("white 00:29.8, black 00:52.0")
	g.Clock.Add(engine.White, 5*time.Minute)
	faces("white 05:29.8, black 00:52.0")
	again, err := ReadGame(g.PGN(at), "again")
	if err != nil {
		t.Fatal(err)
	}
	if got := again.Clock.Faces(at); got != g.Clock.Faces(at) || again.Clock.Control() != g.Clock.Control() {
		t.Errorf("read again: %s, %s", got, again.Clock.Control())
	}
	g.Clock.Run(engine.White, at)
	at = at.Add(5*time.Minute + 29700*time.Millisecond)
	faces("white 00:00.1, black 00:52.0")
	if g.Tick(at); g.Over() {
		t.Error("over too early")
	}
	at = at.Add(50 * time.Millisecond)
	if _, err := g.Play("Nf3", at); err == nil || g.Outcome() != "black wins, time" {
		t.Errorf("%v, %s", err, g.Outcome())
	}
	g = gameFrom(t, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
	g.Clock.Set(time.Minute, 0)
	g.Clock.Run(engine.White, at)
	if g.Tick(at.Add(time.Minute)); g.Outcome() != "draw, time, but the opponent cannot mate" {
		t.Error(g.Outcome())
	}
}

func TestReadGameErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "g:1:1: there is no game"},
		{"1. f3 e5 2. g4 Qh4# 3. a3", "is not legal"},
		{"[TimeControl \"60\"]\n[WhiteClock \"soon\"]\n*", `tag WhiteClock: "soon" is no time`},
		{"[White \"cut", "g:1:1: "},
	} {
		if _, err := ReadGame([]byte(c.text), "g"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

func Example() {
	g := NewGame(engine.StartPosition())
	now := time.Now()
	for _, text := range []string{"f2e3", "f3", "e5", "g2g4", "Qd8h4"} {
		m, err := g.Play(text, now)
		if err != nil {
			fmt.Println("refused:", err)
			continue
		}
		fmt.Println(m)
	}
	fmt.Println(g.Outcome())
	// Output:
	// refused: f2e3: a pawn goes diagonally only to capture, and there is nothing on e3 (FIDE 3.7.3)
	// f2f3
	// e7e5
	// g2g4
	// d8h4
	// black wins, checkmate
}
