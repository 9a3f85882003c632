package notation_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/corentings/chess/v2"
	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"pgregory.net/rapid"
)

// TestMain keeps rapid from writing into the source tree when a test fails: what it prints is
// enough to run the failure again.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func position(t testing.TB, fen string) engine.Position {
	t.Helper()
	p, err := engine.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// How moves are written: the cases of FIDE appendix C and PGN 8.2.3.
func TestWrite(t *testing.T) {
	for _, c := range []struct{ fen, uci, san, long string }{
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "e4", "e2-e4"},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3", "Nf3", "Ng1-f3"},
		{"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5", "e4xd5"},
		{"4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1", "g1f3", "Ngf3", "Ng1-f3"},
		{"4k3/8/8/N7/8/8/8/N3K3 w - - 0 1", "a1b3", "N1b3", "Na1-b3"},
		{"4k3/8/8/N7/8/N7/8/N3K3 w - - 0 1", "a5c4", "N5c4", "Na5-c4"},
		{"8/8/1k6/8/4Q2Q/8/2K5/7Q w - - 0 1", "h4e1", "Qh4e1", "Qh4-e1"},
		// the knight on e2 is pinned
		{"4r1k1/8/8/8/8/8/4N3/4K1N1 w - - 0 1", "g1f3", "Nf3", "Ng1-f3"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O", "O-O"},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O", "O-O-O"},
		{"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+", "O-O+"},
		{"8/4P3/8/8/k7/8/8/4K3 w - - 0 1", "e7e8n", "e8=N", "e7-e8=N"},
		{"3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "exd8=Q+", "e7xd8=Q+"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6", "e5xd6"},
		{"7k/6pp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8#", "Ra1-a8#"},
	} {
		p := position(t, c.fen)
		m, err := notation.Parse(&p, c.uci)
		if err != nil {
			t.Errorf("%s: %v", c.fen, err)
			continue
		}
		if got := notation.SAN(&p, m); got != c.san {
			t.Errorf("%s: %s is written %s, want %s", c.fen, c.uci, got, c.san)
		}
		if got := notation.Long(&p, m); got != c.long {
			t.Errorf("%s: %s is written %s, want %s", c.fen, c.uci, got, c.long)
		}
	}
}

// What is understood, beside what is written.
func TestRead(t *testing.T) {
	const middle = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
	for _, c := range []struct{ fen, text, want string }{
		{middle, "Qf3xf6", "f3f6"}, {middle, "Qf3f6", "f3f6"}, {middle, "Qf6", "f3f6"}, {middle, "Qxf6!?", "f3f6"}, {middle, "Q:f6", "f3f6"},
		{middle, "0-0", "e1g1"}, {middle, "o-o-o", "e1c1"}, {middle, "Ke1g1", "e1g1"}, {middle, "Kg1", "e1g1"}, {middle, "d6", "d5d6"}, {middle, "Pd5d6", "d5d6"}, {middle, "Pd6", "d5d6"}, {middle, "pd5d6", ""}, {middle, "Ke1g1P", ""},
		{middle, " de6 ", "d5e6"}, {middle, "d5xe6", "d5e6"}, {middle, "Nb5#", "c3b5"}, {middle, "a4", "a2a4"},
		{"8/4P3/8/8/k7/8/8/4K3 w - - 0 1", "e8", "e7e8q"}, {"8/4P3/8/8/k7/8/8/4K3 w - - 0 1", "e8(R)", "e7e8r"},
		{"8/4P3/8/8/k7/8/8/4K3 w - - 0 1", "e7e8=B", "e7e8b"}, {"8/4P3/8/8/k7/8/8/4K3 w - - 0 1", "e7e8b", "e7e8b"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e.p.", "e5d6"},
	} {
		p := position(t, c.fen)
		m, err := notation.Parse(&p, c.text)
		if got := m.String(); err == nil && got != c.want || err != nil && c.want != "" {
			t.Errorf("%s in %s: %s, %v; want %s", c.text, c.fen, got, err, c.want)
		}
	}
}

func TestRefuse(t *testing.T) {
	initial := engine.StartPosition()
	start := initial.FEN()
	for _, c := range []struct{ fen, text, want string }{
		{start, "", "is no move"}, {start, "hello", "is no move"}, {start, "e9", "is no move"}, {start, "e2e4e5", "is no move"},
		{start, "e2e5", "is not legal e2e5"}, {start, "Nd2", "is not legal b1d2 g1d2"}, {start, "Ngd2", "is not legal g1d2"},
		{start, "e7e5", "is not legal e7e5"}, {start, "Nb2d3", "white has no knight on b2"}, {start, "e4e5", "white has no piece on e4"},
		{start, "O-O", "is not legal e1g1"}, {start, "e4=Q", "only a pawn that reaches"}, {start, "exf3", "is not legal e2f3"}, {start, "Nxf3", "nothing to capture on f3"},
		{"4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1", "Nf3", "can be Ngf3 or Ndf3"},
		{"4k3/8/8/8/8/8/8/4K3 b - - 0 1", "O-O-O", "is not legal e8c8"}, {"4k3/8/8/8/8/8/8/4K3 b - - 0 1", "Q3b4", "black has no queen on rank 3"},
	} {
		p := position(t, c.fen)
		_, err := notation.Parse(&p, c.text)
		var e *notation.Error
		if !errors.As(err, &e) {
			t.Errorf("%q in %s: %v", c.text, c.fen, err)
			continue
		}
		got := e.Problem
		for _, s := range e.Illegal {
			got += fmt.Sprintf(" %v%v", s.From, s.To)
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%q in %s: %s, want %s", c.text, c.fen, got, c.want)
		}
	}
}

// randomGame plays random moves, such that many kinds of moves occur.
func randomGame(r *rand.Rand, plies int) notation.Game {
	g := notation.Game{Start: engine.StartPosition(), Result: "*"}
	p := g.Start
	for range plies {
		moves := p.AppendMoves(nil)
		if len(moves) == 0 {
			break
		}
		m := moves[r.IntN(len(moves))]
		if special := slices.DeleteFunc(moves, func(m engine.Move) bool {
			return !m.Castling && !m.EnPassant && m.Promotion == engine.NoPiece && m.Piece != engine.Pawn
		}); len(special) > 0 && r.IntN(3) == 0 {
			m = special[r.IntN(len(special))]
		}
		g.Moves = append(g.Moves, m)
		p = p.Make(m)
	}
	return g
}

// Another implementation writes each move of random games as we do; and we read what we write, in
// all notations, as the same move.
func TestMovesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := randomGame(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), 120)
		p := g.Start
		for i, m := range g.Moves {
			if i%10 == 0 || m.Castling || m.EnPassant || m.Promotion != engine.NoPiece {
				compareSAN(t, &p, m)
			}
			all := []engine.Move{m}
			if i%6 == 0 {
				all = p.AppendMoves(nil)
			}
			for _, m := range all {
				for _, text := range []string{notation.SAN(&p, m), notation.Long(&p, m), m.String()} {
					if got, err := notation.Parse(&p, text); err != nil || got != m {
						t.Fatalf("%s in %s is read as %v, %v", text, p.FEN(), got, err)
					}
				}
			}
			p = p.Make(m)
		}
	})
}

// compareSAN compares with corentings/chess.
func compareSAN(t *rapid.T, p *engine.Position, m engine.Move) {
	option, err := chess.FEN(p.FEN())
	if err != nil {
		t.Fatal(err)
	}
	theirs := chess.NewGame(option).Position()
	want, err := chess.UCINotation{}.Decode(theirs, m.String())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := notation.SAN(p, m), (chess.AlgebraicNotation{}).Encode(theirs, want); got != want {
		t.Fatalf("%v in %s is written %s; another implementation has %s", m, p.FEN(), got, want)
	}
}

// Another implementation reads the games that we write, and we read those that it writes.
func TestGamesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := randomGame(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2)), 200)
		if rapid.Bool().Draw(t, "from a position") && len(g.Moves) > 0 {
			cut := rapid.IntRange(0, len(g.Moves)-1).Draw(t, "cut")
			before := notation.Game{Start: g.Start, Moves: g.Moves[:cut]}
			g.Start, g.Moves = before.End(), g.Moves[cut:]
		}
		g.SetTag("Annotator", "nobody")
		end := g.End()
		text := g.AppendPGN(nil)
		for line := range bytes.Lines(text) {
			if len(line) > 80 && line[0] != '[' {
				t.Fatalf("a line of %d characters: %s", len(line), line)
			}
		}

		option, err := chess.PGN(bytes.NewReader(text))
		if err != nil {
			// Its positions, which it updates move by move, lack some legal moves that it finds
			// from FEN: castling, in 1 of some 300 games. Then it has to agree position by
			// position.
			t.Logf("another implementation: %v", err)
			p := g.Start
			for _, m := range g.Moves {
				compareSAN(t, &p, m)
				p = p.Make(m)
			}
			return
		}
		theirs := chess.NewGame(option)
		if got, want := strings.Fields(theirs.FEN()), strings.Fields(end.FEN()); got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
			t.Fatalf("another implementation reads up to %v, want %v\n%s", got, want, text)
		}

		games, err := notation.ReadPGN(strings.NewReader(theirs.String()), "theirs.pgn")
		if err != nil || len(games) != 1 {
			t.Fatalf("%d games, %v\n%s", len(games), err, theirs.String())
		}
		if !slices.Equal(games[0].Moves, g.Moves) {
			t.Fatalf("of another implementation: %v\n%s", games[0].Moves, theirs.String())
		}

		g.SetTag("White", `A "quoted" \ name`) // which the other one cannot read
		text = g.AppendPGN(nil)
		games, err = notation.ReadPGN(bytes.NewReader(append(text, text...)), "ours.pgn")
		if err != nil || len(games) != 2 {
			t.Fatalf("%d games, %v", len(games), err)
		}
		for _, ours := range games {
			if again := ours.AppendPGN(nil); !bytes.Equal(again, text) {
				t.Fatalf("written again:\n%s\nwant\n%s", again, text)
			}
		}
	})
}

// Files as they are found.
func TestReadPGN(t *testing.T) {
	const text = "\ufeff% exported\r\n{ before } [Event \"a ; b\"]\r\n[White \"X\"]\r\n[Result \"1-0\"]\r\n\r\n" +
		"1.e4 {good (really)} e5 $1 2. Nf3 (2. f4 exf4 (2... d5 {!}) 3. Nf3 *) 2...Nc6 ; the rest\r\n3. Bb5 a6?! 1-0\r\n" +
		"1. d4 *\n\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n[SetUp \"1\"]\n7... Kd7 8. e2e4"
	games, err := notation.ReadPGN(strings.NewReader(text), "g.pgn")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range games {
		text := string(g.AppendPGN(nil))
		_, moves, _ := strings.Cut(text, "\n\n")
		got = append(got, g.Tag("Event")+g.Tag("White")+" "+strings.TrimSpace(moves))
	}
	want := []string{"a ; bX 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0", " 1. d4 *", " 7... Kd7 8. e4 *"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPGNErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "g.pgn:1:1: there is no game"},
		{"  \n % nothing", "g.pgn:2:2: '%' has no meaning here"},
		{"1. e4 e5\n2. Ke3 *", `g.pgn:2:4: "Ke3": is not legal`},
		{"[White \"X]\n1. e4", "g.pgn:1:1: a tag pair looks like"},
		{"[FEN \"x\"]\n*", "g.pgn:1:6: "},
		{"1. e4 {never", "g.pgn:1:7: a comment has no end"},
		{"1. e4 (1. d4", "g.pgn:1:7: a variation has no end"},
		{"1. e4 ) *", "g.pgn:1:7: a variation ends that has not begun"},
		{"1. e4 \x01", "g.pgn:1:7: '\\x01' has no meaning here"},
	} {
		_, err := notation.ReadPGN(strings.NewReader(c.text), "g.pgn")
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

// Whatever is read, it is read as written again, and nothing panics.
func FuzzReadPGN(f *testing.F) {
	f.Add("[White \"X\"]\n\n1. e4 {c} e5 (1... c5) 2. Nf3 $2 1-0\n")
	f.Add("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n7... Kd7 8. e2e4 *")
	f.Add("1. e4 d5 2. exd5 Qxd5 3. Nc3 O-O %x\n{")
	f.Fuzz(func(t *testing.T, text string) {
		games, err := notation.ReadPGN(strings.NewReader(text), "f")
		if err != nil {
			return
		}
		for _, g := range games {
			once := g.AppendPGN(nil)
			again, err := notation.ReadPGN(bytes.NewReader(once), "again")
			if err != nil || len(again) != 1 || !slices.Equal(again[0].Moves, g.Moves) {
				t.Fatalf("%v\n%s", err, once)
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add("Nf3")
	f.Add("O-O-O+")
	f.Add("e7xd8=(N)#")
	p := position(f, "r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBP1P/R3K2R w KQkq - 0 1")
	legal := p.AppendMoves(nil)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := notation.Parse(&p, text)
		if err == nil && !slices.Contains(legal, m) {
			t.Fatalf("%q is read as %v, which is not legal", text, m)
		}
	})
}

func Example() {
	p := engine.StartPosition()
	for _, text := range []string{"e2e4", "c5", "Ng1-f3"} {
		m, err := notation.Parse(&p, text)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(notation.SAN(&p, m), notation.Long(&p, m), m)
		p = p.Make(m)
	}
	_, err := notation.Parse(&p, "Qxd4")
	fmt.Println(err)
	// Output:
	// e4 e2-e4 e2e4
	// c5 c7-c5 c7c5
	// Nf3 Ng1-f3 g1f3
	// "Qxd4": is not legal
}
