package host

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/engine/search"
)

// decide is an opponent's decision without a clock.
func decide(t *testing.T, o *Opponent, g *Game) Decision {
	t.Helper()
	d, err := o.Decide(t.Context(), g, search.Clock{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// carryOut does what an opponent has decided.
func carryOut(t *testing.T, g *Game, d Decision) {
	t.Helper()
	p := g.Position()
	side := p.SideToMove()
	var err error
	switch {
	case d.Resign:
		err = g.Resign(side, noon)
	case d.Draw:
		err = g.Draw(side, noon)
	default:
		err = g.Make(d.Move, noon)
		if err == nil && d.Offer && !g.Over() {
			err = g.Draw(side, noon)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The opponent finds mates and undefended pieces, and says if there is no move.
func TestOpponentMoves(t *testing.T) {
	o := &Opponent{Nodes: 20_000}
	for _, c := range []struct{ fen, want string }{
		{"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8"},
		{"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6"}, // mate in two
		{"4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5"},
		{"8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q"},
	} {
		g := gameFrom(t, c.fen)
		d := decide(t, o, g)
		if again := decide(t, o, g); d.Move.String() != c.want || again.Move != d.Move {
			t.Errorf("%s: %v, and then %v; want %s", c.fen, d.Move, again.Move, c.want)
		}
		if hint, err := o.Hint(t.Context(), g); err != nil || hint.String() != c.want {
			t.Errorf("%s: hint %v, %v; want %s", c.fen, hint, err, c.want)
		}
	}
	g := gameFrom(t, "7k/5Q2/5K2/8/8/8/8/8 b - - 0 1")
	if d, err := o.Decide(t.Context(), g, search.Clock{}); !errors.Is(err, search.ErrNoMoves) {
		t.Errorf("%v, %v where there is no move", d.Move, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := o.Decide(ctx, gameFrom(t, ""), search.Clock{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v of a context that is done", err)
	}
}

// against are the first moves of a game of an opponent with Black against random moves.
func against(t *testing.T, o *Opponent, random uint64, plies int) *Game {
	t.Helper()
	r := rand.New(rand.NewPCG(random, 0))
	g := NewGame(engine.StartPosition())
	for len(g.Moves()) < plies && !g.Over() {
		p := g.Position()
		if p.SideToMove() == engine.Black {
			carryOut(t, g, decide(t, o, g))
			continue
		}
		moves := p.AppendMoves(nil)
		if err := g.Make(moves[r.IntN(len(moves))], noon); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// The same seed gives the same game: also after moves were taken back, after a hint, and in a
// program that was started again. Other seeds give other openings, at all levels.
func TestOpponentSeed(t *testing.T) {
	for _, o := range []Opponent{{Level: 1200}, {Level: 2300, Nodes: 3000}, {Level: Strongest, Nodes: 3000}} {
		games := map[string]int{}
		for seed := range uint64(4) {
			a, b := o, o
			a.Seed, b.Seed = seed, seed
			first, second := against(t, &a, 1, 12), against(t, &b, 1, 12)
			if !slices.Equal(first.Moves(), second.Moves()) {
				t.Errorf("%v: %v, and then %v", &a, first.Moves(), second.Moves())
			}
			games[fmt.Sprint(first.Moves()[:6])]++

			last := first.Moves()[11]
			if _, err := a.Hint(t.Context(), first); err != nil {
				t.Fatal(err)
			}
			if err := first.Undo(1, noon); err != nil {
				t.Fatal(err)
			}
			if d := decide(t, &a, first); d.Move != last {
				t.Errorf("%v: %v, and after it was taken back %v", &a, last, d.Move)
			}
			c := o
			c.Seed = seed
			if d := decide(t, &c, first); d.Move != last {
				t.Errorf("%v: %v, and in a program that was started again %v", &a, last, d.Move)
			}
		}
		if len(games) < 3 {
			t.Errorf("level %v: %d openings with 4 seeds: %v", o.Level, len(games), games)
		}
	}
}

// A third repetition is not for a side that is better, whatever it is mistaken about.
func TestOpponentRepetition(t *testing.T) {
	g := gameFrom(t, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
	play(t, g, "Ra2 Kf8 Ra1 Kg8 Ra2 Kf8 Ra1 Kg8")
	p := g.Position()
	moves := p.AppendMoves(nil)
	find := func(text string) engine.Move {
		return moves[slices.IndexFunc(moves, func(m engine.Move) bool { return m.String() == text })]
	}
	third, other := find("a1a2"), find("a1a8")
	if !g.repeats(third) || g.repeats(other) {
		t.Fatal("which move repeats?")
	}
	line := func(m engine.Move, value int) search.Line {
		return search.Line{Value: value, Moves: []engine.Move{m}, Depth: 1}
	}
	result := func(chosen search.Line, lines ...search.Line) search.Result {
		return search.Result{Line: chosen, Lines: lines}
	}
	o := &Opponent{}
	for _, c := range []struct {
		name   string
		result search.Result
		value  int
		third  bool
	}{
		{"better", result(line(third, 0), line(other, 500), line(third, 0)), 500, false},
		{"worse", result(line(third, 0), line(third, 0), line(other, -500)), 0, true},
		{"no time to look", result(line(third, 0), line(third, 0)), 500, false},
	} {
		if got := o.choose(g, c.result, c.value); g.repeats(got) != c.third {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// At low levels, too, king and queen mate a king that goes where it likes, and never give it a
// claim.
func TestOpponentMates(t *testing.T) {
	for seed := range uint64(8) {
		for _, o := range []*Opponent{{Level: 900, Seed: seed}, {Level: 1600, Seed: seed}} {
			r := rand.New(rand.NewPCG(seed, 1))
			g := gameFrom(t, "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1")
			for !g.Over() {
				p := g.Position()
				if p.SideToMove() == engine.White {
					carryOut(t, g, decide(t, o, g))
					if claim := g.Claimable(); claim == rules.Threefold {
						t.Fatalf("%v: Black can claim %s after %v", o, claim.Words(), g.Moves())
					}
					continue
				}
				moves := p.AppendMoves(nil)
				if err := g.Make(moves[r.IntN(len(moves))], noon); err != nil {
					t.Fatal(err)
				}
			}
			if _, cause := g.Result(); cause != rules.Mate && o.Level == 1600 {
				t.Errorf("%v: %s after %v", o, g.Outcome(), g.Moves())
			}
		}
	}
}

// A higher level wins against a lower one.
func TestOpponentLevels(t *testing.T) {
	score := 0.0
	const games = 8
	for n := range uint64(games) {
		strong, weak := &Opponent{Level: 1400, Seed: n}, &Opponent{Level: 800, Seed: n + 100}
		g := NewGame(engine.StartPosition())
		side := engine.Color(n & 1) // that the strong one has
		for !g.Over() && len(g.Moves()) < 300 {
			p := g.Position()
			o := weak
			if p.SideToMove() == side {
				o = strong
			}
			carryOut(t, g, decide(t, o, g))
		}
		switch result, _ := g.Result(); {
		case result == rules.Win(side):
			score++
		case result == rules.Draw, result == rules.InPlay:
			score += 0.5
		}
	}
	t.Logf("level 1400 against level 800: %v of %d", score, games)
	if score < games*0.8 {
		t.Errorf("level 1400 has %v of %d points against level 800", score, games)
	}
}

// Without limits the opponent thinks on its clock, whatever that shows, and does not lose on time.
func TestOpponentClock(t *testing.T) {
	o := &Opponent{}
	g := NewGame(engine.StartPosition())
	g.Clock.Set(4*time.Second, 0)
	for len(g.Moves()) < 24 && !g.Over() {
		p := g.Position()
		clock := g.Clock.thinking(p.SideToMove(), time.Now(), press)
		if g.Clock.Running() && (clock.Left <= 0 || clock.Left > 4*time.Second || clock.Overhead != press) {
			t.Errorf("the opponent is told of %+v", clock)
		}
		d, err := o.Decide(t.Context(), g, clock)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Make(d.Move, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if g.Over() {
		t.Error(g.Outcome())
	}
	t.Log(g.Clock.Faces(time.Now()))
	if got := (&Clock{}).thinking(engine.White, noon, press); got != (search.Clock{}) {
		t.Errorf("without time control: %+v", got)
	}
}

// Draws are accepted, claimed and offered where it makes sense, and a lost game is resigned.
func TestOpponentDraws(t *testing.T) {
	const up = "4k3/1ppppppp/8/8/8/8/1PPPPPPP/R3K3 w - - 0 1" // White has a rook more
	o := &Opponent{Level: 1600}
	for side, want := range []bool{engine.White: false, engine.Black: true} {
		if got, err := o.AcceptsDraw(t.Context(), gameFrom(t, up), engine.Color(side)); err != nil || got != want {
			t.Errorf("%v accepts a draw: %v, %v", engine.Color(side), got, err)
		}
	}

	// The weaker side claims a draw by repetition, the stronger one does not.
	for _, c := range []struct {
		moves string
		want  bool
	}{{"Ra2 Kd8 Ra1 Ke8 Ra2 Kd8 Ra1 Ke8", false}, {"Ra2 Kd8 Ra1 Ke8 Ra2 Kd8 Ra1 Ke8 Ra2", true}} {
		g := gameFrom(t, up)
		play(t, g, c.moves)
		if g.Claimable() == rules.NoCause {
			t.Fatalf("%s: no claim", c.moves)
		}
		if d := decide(t, o, g); d.Draw != c.want {
			t.Errorf("%s: %+v, want a claim: %v", c.moves, d, c.want)
		}
	}

	// Neither side can get anywhere: one offers a draw, and the other accepts.
	g := gameFrom(t, "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 40")
	for !g.Over() && len(g.Moves()) < 60 {
		carryOut(t, g, decide(t, o, g))
	}
	if _, cause := g.Result(); cause != rules.Agreement {
		t.Errorf("a dead position: %s after %v", g.Outcome(), g.Moves())
	}
	// In the opening nobody does.
	g = NewGame(engine.StartPosition())
	for len(g.Moves()) < 30 {
		d := decide(t, o, g)
		if d.Offer || d.Draw || d.Resign {
			t.Errorf("%+v after %v", d, g.Moves())
		}
		carryOut(t, g, Decision{Move: d.Move})
	}

	// Black has nothing but its king. It looks on for a while.
	g = gameFrom(t, "8/8/8/3k4/8/8/PPPP4/QR2K3 b - - 0 1")
	resigned := 0
	for !g.Over() {
		p := g.Position()
		d := decide(t, o, g)
		if d.Resign && p.SideToMove() == engine.Black {
			resigned = len(g.Moves())
		}
		if d.Resign && p.SideToMove() == engine.White {
			t.Errorf("White resigns after %v", g.Moves())
		}
		if p.SideToMove() == engine.White { // it does not hurry
			d = Decision{Move: p.AppendMoves(nil)[0]}
		}
		carryOut(t, g, d)
	}
	if resigned != 2*(settled-1) {
		t.Errorf("Black resigns after %d plies, %s", resigned, g.Outcome())
	}
}

func TestParseLevel(t *testing.T) {
	for text, want := range map[string]Level{"max": Strongest, "MAX": Strongest, "800": 800, "1600": DefaultLevel} {
		if got, err := ParseLevel(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "0", "799", "9000", "-1600", "strong", "1600.5"} {
		if got, err := ParseLevel(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}
