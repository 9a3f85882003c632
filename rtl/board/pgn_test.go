package board_test

import (
	"fmt"
	"math/bits"
	"os"
	"strings"
	"testing"

	"github.com/corentings/chess/v2"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/board/touch"
)

// record is a game of testdata/games.pgn.
type record struct {
	name   string
	start  engine.Position
	moves  []engine.Move
	result rules.Result
	cause  rules.Cause // what the tag Termination says
}

// records reads the games. That their moves are legal, that they lead where they should, and how
// they end says a chess library that has nothing to do with this project, too.
func records(t testing.TB) []record {
	t.Helper()
	f, err := os.Open("testdata/games.pgn")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []record
	for games := chess.NewScanner(f); games.HasNext(); {
		g, err := games.ParseNext()
		if err != nil {
			t.Fatalf("game %d of testdata/games.pgn: %v", len(all)+1, err)
		}
		r, err := check(g)
		if err != nil {
			t.Fatalf("game %d of testdata/games.pgn, %s: %v", len(all)+1, r.name, err)
		}
		all = append(all, r)
	}
	return all
}

// check makes a record of a game, and compares engine with the library.
func check(g *chess.Game) (r record, err error) {
	tag := g.GetTagPair
	r.name = fmt.Sprintf("%s, %s - %s", tag("Event"), tag("White"), tag("Black"))
	r.start = engine.StartPosition()
	if fen := tag("FEN"); fen != "" {
		if r.start, err = engine.ParseFEN(fen); err != nil {
			return r, err
		}
	}
	switch chess.Outcome(tag("Result")) {
	case chess.WhiteWon:
		r.result = rules.WhiteWins
	case chess.BlackWon:
		r.result = rules.BlackWins
	case chess.Draw:
		r.result = rules.Draw
	}
	for r.cause = rules.Mate; r.cause.String() != tag("Termination"); r.cause++ {
		if r.cause > rules.TimeNoMate {
			return r, fmt.Errorf("no way for a game to end: %q", tag("Termination"))
		}
	}
	p := r.start
	for i, m := range g.Moves() {
		name := strings.ToLower(m.String())
		move, ok := uci(&p, name)
		if !ok {
			return r, fmt.Errorf("%s is not legal in %s", name, p.FEN())
		}
		r.moves = append(r.moves, move)
		p = p.Make(move)
		// What is an en passant square is a matter of taste: the rest must be the same.
		got, want := strings.Fields(p.FEN()), strings.Fields(g.Positions()[i+1].String())
		got[3], want[3] = "", ""
		if fmt.Sprint(got) != fmt.Sprint(want) {
			return r, fmt.Errorf("after %s: %v, the library says %v", name, got, want)
		}
	}
	if len(r.moves) == 0 {
		return r, fmt.Errorf("no moves")
	}
	// Ends that lie in the position.
	status, moves := g.Position().Status(), len(p.AppendMoves(nil))
	switch {
	case (r.cause == rules.Mate) != (status == chess.Checkmate), (r.cause == rules.Stalemate) != (status == chess.Stalemate),
		(moves == 0) != (status != chess.NoMethod):
		return r, fmt.Errorf("ends by %v with %d legal moves; the library says %v", r.cause, moves, status)
	case r.cause == rules.Insufficient && bits.OnesCount64(touch.Occupied(&p)) > 3:
		return r, fmt.Errorf("ends by %v in %s", r.cause, p.FEN())
	}
	return r, nil
}

// The games are what the board is to be shown with.
func TestRecords(t *testing.T) {
	seen := map[string]int{}
	all := records(t)
	for _, r := range all {
		seen[r.cause.String()]++
		kinds := map[string]bool{}
		for _, m := range r.moves {
			kinds[kind(m)] = true
			if m.Promotion != engine.NoPiece {
				kinds["promotion to "+m.Promotion.String()] = true
			}
		}
		for k := range kinds {
			seen[k]++
		}
	}
	if len(all) < 50 {
		t.Errorf("%d games", len(all))
	}
	for c := rules.Mate; c <= rules.TimeNoMate; c++ {
		if seen[c.String()] == 0 {
			t.Errorf("no game ends by %v", c)
		}
	}
	for _, k := range []string{
		"castling king side", "castling queen side", "en passant", "capture", "promotion to queen", "promotion to rook",
		"promotion to bishop", "promotion to knight",
	} {
		if seen[k] < 2 {
			t.Errorf("%d games with %s", seen[k], k)
		}
	}
	t.Logf("%d games, of which with: %v", len(all), seen)
}
