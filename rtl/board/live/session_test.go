package live

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/engine/search"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/sim"
)

// opened returns a session in a simulator, whose board has the game.
func opened(t *testing.T, s sim.Simulator) *Session {
	t.Helper()
	session, err := Open(t.Context(), Options{Simulator: s, Seed: sim.Seed()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	})
	wait(t, session, "the board has the game", func(v *View) bool { return v.PC.Up && v.Rules.State == "turn" && v.Game.Agree })
	return session
}

// wait plays until the view is so.
func wait(t *testing.T, s *Session, what string, is func(v *View) bool) View {
	t.Helper()
	for range 400 {
		v := look(t, s)
		if is(&v) {
			return v
		}
		if err := s.Scans(2); err != nil {
			t.Fatal(err)
		}
	}
	v := look(t, s)
	t.Fatalf("%s: this does not come. Rules: %+v\nGame: %+v\nPC: %+v\nlines: %+v", what, v.Rules, v.Game, v.PC, s.Heard(0))
	return View{}
}

func look(t *testing.T, s *Session) View {
	t.Helper()
	v, err := s.View()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// made waits until the game has so many moves, and compares the RTL's position with the reference.
func made(t *testing.T, s *Session, moves ...string) View {
	t.Helper()
	v := wait(t, s, "the move is made", func(v *View) bool { return len(v.Game.Moves) == len(moves) && v.Game.Agree })
	p := engine.StartPosition()
	for i, m := range moves {
		legal, err := notation.Parse(&p, m)
		if err != nil {
			t.Fatal(err)
		}
		if v.Game.Moves[i] != m {
			t.Fatalf("move %d is %s, not %s", i, v.Game.Moves[i], m)
		}
		p = p.Make(legal)
	}
	if v.Game.RTL != p.FEN() {
		t.Fatalf("after %v the RTL is at %s, not at %s", moves, v.Game.RTL, p.FEN())
	}
	return v
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// lift, put: by the names of squares.
func lift(t *testing.T, s *Session, from string) int {
	t.Helper()
	at, err := engine.ParseSquare(from)
	do(t, err)
	p := s.On(at)
	if p == nil {
		t.Fatalf("nothing is on %s", from)
	}
	do(t, s.Move(p.ID, Hand))
	return p.ID
}

func put(t *testing.T, s *Session, id int, to string) {
	t.Helper()
	place, err := ParsePlace(to)
	do(t, err)
	do(t, s.Move(id, place))
}

func TestGame(t *testing.T) {
	t.Parallel()
	s := opened(t, sim.Verilator)
	put(t, s, lift(t, s, "e2"), "e4")
	made(t, s, "e4")
	do(t, s.Carry("f6"))
	do(t, s.Carry("e4e5"))
	made(t, s, "e4", "f6", "e5")

	// Illegal, with the reason, and the way back by the LEDs alone.
	id := lift(t, s, "d7")
	put(t, s, id, "d4")
	v := wait(t, s, "it is illegal", func(v *View) bool { return v.Rules.Illegal })
	if want := "A pawn does not go from d7 to d4 (FIDE 3.2 to 3.8)."; v.Rules.Text != want {
		t.Errorf("%q, not %q", v.Rules.Text, want)
	}
	if v.Rules.State != validity.Illegal.String() || !v.Board.Illegal || len(v.Rules.Mend) != 2 {
		t.Errorf("%+v %+v", v.Rules, v.Board)
	}
	wait(t, s, "the X is lit", func(*View) bool { return lit(t, s).String() == "c3 e3 d4 c5 e5" })
	wait(t, s, "the squares to be put right blink", func(v *View) bool { return lit(t, s).String() == "d4 d7" })
	put(t, s, id, "d7")
	wait(t, s, "all is well", func(v *View) bool { return v.Rules.State == "turn" && lit(t, s) == 0 })

	do(t, s.Carry("d5"))
	made(t, s, "e4", "f6", "e5", "d5")
	// En passant with two pieces in hand.
	mine, taken := lift(t, s, "e5"), lift(t, s, "d5")
	if err := s.Carry("exd6"); err == nil || !strings.Contains(err.Error(), "board does not stand") {
		t.Errorf("a move of a piece that is in hand: %v", err)
	}
	if err := s.Carry("Nf3"); err == nil || !strings.Contains(err.Error(), "a piece is in hand") {
		t.Errorf("a move with pieces in hand: %v", err)
	}
	if err := s.Move(s.On(0).ID, Hand); err != errHands {
		t.Errorf("a third piece in hand: %v", err)
	}
	put(t, s, taken, "beside")
	put(t, s, mine, "d6")
	made(t, s, "e4", "f6", "e5", "d5", "exd6")

	// A piece falls over, and is stood up.
	sq, _ := engine.ParseSquare("g8")
	fallen := s.On(sq).ID
	do(t, s.Knock(fallen))
	wait(t, s, "its square is empty for the sensor", func(v *View) bool { return v.Rules.State == "moving" })
	put(t, s, fallen, "g8")
	wait(t, s, "all is well", func(v *View) bool { return v.Rules.State == "turn" })

	moves := []string{"e4", "f6", "e5", "d5", "exd6"}
	for _, m := range []string{"Kf7", "dxc7", "Kg6", "cxd8=Q", "h6", "Nf3", "h5", "Bd3+", "Kh6", "O-O", "g5", "Qxf8#"} {
		do(t, s.Carry(m))
		moves = append(moves, m)
		v = made(t, s, moves...)
	}
	v = wait(t, s, "White's row is lit", func(*View) bool { return lit(t, s).String() == "c1 d1 e1 f1 g1" })
	if v.Game.Result != "1-0" || v.Game.Outcome != "white wins, checkmate" || v.Rules.State != "over" {
		t.Errorf("%+v %+v", v.Game, v.Rules)
	}
	t.Logf("%d cycles", s.Cycles())
}

// lit returns the LEDs that the eye sees.
func lit(t *testing.T, s *Session) (q Squares) {
	for n, b := range look(t, s).LEDs {
		if b > 2 {
			q |= 1 << n
		}
	}
	return q
}

// The computer's moves come over the serial line, and are carried out as the LEDs show them.
func TestComputer(t *testing.T) {
	t.Parallel()
	againstComputer(t, Play{Computer: "black", Level: search.MinElo, Seed: 1, Nodes: 20})
}

// The same over the published link, the seven parallel lines.
func TestComputerByLines(t *testing.T) {
	t.Parallel()
	againstComputer(t, Play{Computer: "black", Level: search.MinElo, Seed: 1, Nodes: 20, Lines: true})
}

func againstComputer(t *testing.T, p Play) {
	s := opened(t, sim.Verilator)
	do(t, s.NewGame(p, ""))
	var moves []string
	for _, m := range []string{"e4", "Bc4", "Qh5", "Qxf7#"} {
		do(t, s.Carry(m))
		moves = append(moves, m)
		made(t, s, moves...)
		if m == "Qxf7#" {
			break
		}
		p := s.Reference()
		v := wait(t, s, "the computer's move is shown", func(v *View) bool { return v.Rules.Show == "move" })
		var from, to string
		if n, err := fmt.Sscanf(v.Rules.Title, "Carry out %s to %s for Black", &from, &to); n != 2 {
			t.Fatal(v.Rules, err)
		}
		// Each of the two squares is lit half of the time.
		seen := map[string]bool{}
		wait(t, s, "both squares blink", func(*View) bool {
			seen[lit(t, s).String()] = true
			return seen[from] && seen[to]
		})
		for squares := range seen {
			for _, square := range strings.Fields(squares) {
				if square != from && square != to {
					t.Errorf("%s to %s is due, and the LEDs show %s", from, to, squares)
				}
			}
		}
		legal, err := notation.Parse(&p, from+to)
		do(t, err)
		moves = append(moves, notation.SAN(&p, legal))
		put(t, s, lift(t, s, from), to)
		made(t, s, moves...)
	}
	wait(t, s, "White has won", func(v *View) bool { return v.Game.Outcome == "white wins, checkmate" })
	// By which line the moves came.
	byFrames, byPairs := 0, 0
	for _, h := range s.Heard(0) {
		switch {
		case h.Line == ToBoard && strings.HasPrefix(h.Text, "move "):
			byFrames++
		case h.Line == Moves:
			byPairs++
		}
	}
	if p.Lines == (byFrames > 0) || byPairs != 4 {
		t.Errorf("moves in frames %d, in pairs of bytes %d", byFrames, byPairs)
	}
	t.Log(moves)
}

// With the power off in the middle of a move all is lost but what the PC and the wood know.
func TestPower(t *testing.T) {
	t.Parallel()
	s := opened(t, sim.Verilator)
	do(t, s.Carry("e4"))
	made(t, s, "e4")
	id := lift(t, s, "g8")
	do(t, s.Scans(10))
	s.Power(false)
	v := wait(t, s, "it is off", func(v *View) bool { return !v.Board.On && v.Rules.State == "off" && lit(t, s) == 0 })
	if v.Game.Agree {
		t.Error("a board without power knows the game")
	}
	do(t, s.Scans(50))
	s.Power(true)
	wait(t, s, "g8 is to be put right", func(v *View) bool {
		return v.Rules.State == "set-up" && v.Rules.Squares.String() == "g8" && v.Game.Agree
	})
	put(t, s, id, "g8")
	wait(t, s, "Black is to move", func(v *View) bool { return v.Rules.State == "turn" })
	do(t, s.Carry("Nf6"))
	made(t, s, "e4", "Nf6")
}

func TestFaults(t *testing.T) {
	t.Parallel()
	s := opened(t, sim.Verilator)
	s.SetFaults(Faults{Stuck: 1 << 36, Dark: 1 << 27}) // e5, d4
	v := wait(t, s, "a piece on e5 that is none", func(v *View) bool { return v.Rules.Illegal })
	if v.Rules.Squares.String() != "e5" || v.Rules.Mend[0] != "e5 should be empty, and the sensor sees something" {
		t.Errorf("%+v", v.Rules)
	}
	wait(t, s, "an X without its centre", func(*View) bool { return lit(t, s).String() == "c3 e3 c5 e5" })
	s.SetFaults(Faults{})
	wait(t, s, "White is to move", func(v *View) bool { return v.Rules.State == "turn" })
	s.SetFaults(Faults{Dead: 1 << 1}) // b1
	wait(t, s, "b1 is in the air", func(v *View) bool { return v.Rules.State == "moving" })
	// The knight is moved, and what it moves from was empty for the board before: it is a move.
	put(t, s, lift(t, s, "b1"), "c3")
	made(t, s, "Nc3")

	// A bouncing sensor does not let the board come to rest, and mended it does.
	s.SetFaults(Faults{Bouncing: 1 << 62}) // g8
	states := map[string]bool{}
	for range 100 {
		do(t, s.Scans(1))
		states[look(t, s).Rules.State] = true
	}
	if !states["moving"] || !states["turn"] {
		t.Errorf("with a sensor that bounces: %v", states)
	}
	s.SetFaults(Faults{})
	wait(t, s, "Black is to move", func(v *View) bool { return v.Rules.State == "turn" })

	// Bytes are spoilt, frames are sent again, and the PC has each move.
	s.SetFaults(Faults{Noise: 0.05})
	moves := []string{"Nc3"}
	for _, m := range []string{"Nf6", "Nf3", "Ng8", "Ng1", "Nf6", "Nf3"} {
		do(t, s.Carry(m))
		moves = append(moves, m)
		made(t, s, moves...)
	}
	bad := 0
	for _, h := range s.Heard(0) {
		if h.Bad {
			bad++
		}
	}
	if bad == 0 {
		t.Error("no frame was damaged")
	}
}

// A session that is saved and restored goes on with the game, and with a piece in hand.
func TestSave(t *testing.T) {
	t.Parallel()
	s := opened(t, sim.Verilator)
	do(t, s.Carry("e4"))
	made(t, s, "e4")
	do(t, s.Carry("d5"))
	made(t, s, "e4", "d5")
	lift(t, s, "e4")
	do(t, s.Scans(20))
	data, err := s.Save()
	do(t, err)

	again := opened(t, sim.Verilator)
	do(t, again.Restore(data))
	wait(t, again, "e4 is empty", func(v *View) bool { return v.Game.Agree && v.Rules.Squares.String() == "e4" })
	var held int
	for _, p := range look(t, again).Pieces {
		if p.At == Hand {
			held = p.ID
		}
	}
	put(t, again, held, "e4")
	wait(t, again, "White is to move", func(v *View) bool { return v.Rules.State == "turn" })
	do(t, again.Carry("exd5"))
	made(t, again, "e4", "d5", "exd5")

	for _, c := range []struct{ change, to, want string }{
		{"", "{", "unexpected end of JSON"},
		{`"version": 1`, `"version": 9`, "version 9"},
		{`"pgn": "`, `"pgn": "e5 `, "e5"},
		{`"kind": "P"`, `"kind": "X"`, `"X" is no kind of piece`},
		{`"at": "d1"`, `"at": "e1"`, "two pieces are on e1"},
		{`"id": 1,`, `"id": 0,`, "twice"},
		{`"computer": ""`, `"computer": "me"`, "no side"},
	} {
		bad := strings.Replace(string(data), c.change, c.to, 1)
		if c.change == "" {
			bad = c.to
		}
		if err := again.Restore([]byte(bad)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: %v", c.to, c.change, err)
		}
	}
	made(t, again, "e4", "d5", "exd5")
}

// Any position can be set up: the pieces are placed one by one, and the LEDs say what is missing.
func TestSetUp(t *testing.T) {
	t.Parallel()
	s := opened(t, sim.Verilator)
	p, err := engine.ParseFEN("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
	do(t, err)
	s.SetUp(p)
	s.Arrange(nil)
	wait(t, s, "all are missing", func(v *View) bool { return v.Rules.State == "set-up" && lit(t, s).String() == "e1 e2 e8" })
	for kind, at := range map[string]string{"K": "e1", "P": "e2", "k": "e8"} {
		piece, err := s.Add(kind)
		do(t, err)
		put(t, s, piece.ID, at)
	}
	v := wait(t, s, "White is to move", func(v *View) bool { return v.Rules.State == "turn" })
	if v.Game.RTL != p.FEN() || !s.Stands(&p) {
		t.Errorf("%+v", v)
	}
}

// Icarus Verilog is slow: a move is all of it.
func TestIcarus(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Options{Simulator: sim.Icarus})
	do(t, err)
	defer func() { do(t, s.Close()) }()
	wait(t, s, "White is to move", func(v *View) bool { return v.Rules.State == "turn" })
	do(t, s.Carry("e4"))
	v := wait(t, s, "the move is made", func(v *View) bool { return strings.Contains(v.Game.RTL, "4P3") })
	if v.Rules.Title != "White to move" && v.Rules.Title != "Black to move" {
		t.Errorf("%+v", v.Rules)
	}
}

// The eye adds up what it has seen in the last cycles, and nothing else.
func TestEye(t *testing.T) {
	e := newEye(160)
	for i := range 1000 {
		e.look(uint8(i%2), true)
	}
	for i := range 160 {
		e.look(5, i%4 == 0)
	}
	d := e.duty()
	if d[0] != 0 || d[1] != 0 || d[5] != 0.25 {
		t.Errorf("%v", d)
	}
}
