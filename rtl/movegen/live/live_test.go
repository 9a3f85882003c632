package live_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"math/bits"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/movegen"
	generator "github.com/cosimate/cosimate/rtl/movegen/live"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live"
)

// shown is what a viewer sees.
type shown struct {
	FEN   string
	Cycle int64
	Beats []struct {
		UCI, SAN string
		Cycle    int64
		Right    bool
	}
	Reference []struct{ UCI string }
	Done      bool
	Wrong     int
	Count     *struct {
		Value int
		Check bool
		Cycle int64
	}
	Legal, Published int
	Overlays         []struct {
		ID, Squares string
		Stage       int
	}
	Perft *struct {
		Rows []struct {
			Move           string
			RTL, Reference uint64
		}
		RTL, Reference, Cycles uint64
		Running                bool
		Error                  string
	}
}

func see(t *testing.T, app *generator.App) (s shown) {
	t.Helper()
	data, err := json.Marshal(app.State(nil))
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func open(t *testing.T, o generator.Options) *generator.App {
	t.Helper()
	app, err := generator.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { app.Close() })
	return app
}

func do(app *generator.App, name string, args any) error {
	data, _ := json.Marshal(args)
	_, err := app.Handle(nil, name, data)
	return err
}

// list runs until the list is complete.
func list(t *testing.T, app *generator.App) shown {
	t.Helper()
	for range 300 {
		_, err := app.Step(context.Background(), 1)
		if _, ok := errors.AsType[*live.Pause](err); ok {
			return see(t, app)
		} else if err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("the list does not end")
	return shown{}
}

var positions = []string{
	"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
	"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
	"4k3/8/8/8/7b/8/3P1R2/4K2r w - - 0 1",  // in check, and the rook is pinned
	"4k3/4r3/8/8/1b6/8/3PQ3/4K3 w - - 0 1", // a pawn and the queen are pinned
	"R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",    // mate
	"7k/5Q2/8/8/8/8/8/4K3 b - - 0 1",       // stalemate
}

// The list is the reference's, in each order and filter, and each beat has its cycle.
func TestList(t *testing.T) {
	app := open(t, generator.Options{})
	for _, fen := range positions {
		if err := do(app, "position", map[string]any{"fen": fen}); err != nil {
			t.Fatal(err)
		}
		for order := range movegen.Orders {
			for filter := range movegen.Filters {
				if err := do(app, "list", map[string]any{"order": order, "filter": filter}); err != nil {
					t.Fatal(err)
				}
				s := list(t, app)
				n := max(len(s.Reference), 1)
				if !s.Done || s.Wrong != 0 || len(s.Beats) != n || s.Count == nil || s.Count.Value != s.Legal || s.Count.Cycle != movegen.CountLatency {
					t.Errorf("%s, order %d, filter %d: %d beats of %d, %d wrong, count %v of %d", fen, order, filter, len(s.Beats), n, s.Wrong, s.Count, s.Legal)
				}
				if first := s.Beats[0].Cycle; first != movegen.MoveLatency && filter != 2 || s.Cycle != s.Beats[n-1].Cycle {
					t.Errorf("%s: the first beat is in cycle %d, the last in cycle %d of %d", fen, first, s.Beats[n-1].Cycle, s.Cycle)
				}
			}
		}
	}
}

var deep = flag.Bool("live.deep", false, "compile the RTL with the signals of the overlays for Verilator, too")

// squares returns the digits of an overlay as a bitboard.
func squares(t *testing.T, s shown, id string) (board uint64) {
	t.Helper()
	for _, o := range s.Overlays {
		if o.ID != id {
			continue
		}
		if len(o.Squares) != 64 {
			t.Fatalf("%s is %q", id, o.Squares)
		}
		for n := range 64 {
			board |= uint64(o.Squares[n]-'0') << n
		}
		return board
	}
	t.Fatalf("there is no %s", id)
	return 0
}

// The overlays are what their names say, worked out here with the reference's attacks.
func TestOverlays(t *testing.T) {
	simulators := sim.Simulators[:1]
	if *deep {
		simulators = sim.Simulators
	}
	for _, s := range simulators {
		t.Run(string(s), func(t *testing.T) {
			app := open(t, generator.Options{Simulator: s})
			for _, fen := range positions {
				if err := do(app, "position", map[string]any{"fen": fen}); err != nil {
					t.Fatal(err)
				}
				for _, o := range see(t, app).Overlays {
					if o.Squares != "" {
						t.Errorf("before the position is taken, %s is %s", o.ID, o.Squares)
					}
				}
				got := list(t, app)
				p, err := engine.ParseFEN(fen)
				if err != nil {
					t.Fatal(err)
				}
				side := p.SideToMove()
				own, other := p.Pieces(side), p.Pieces(1-side)
				king := engine.Square(bits.TrailingZeros64(p.Bitboard(side, engine.King)))
				attackers := func(occupied, by uint64) (from, on uint64) {
					for k := engine.Pawn; k <= engine.King; k++ {
						for left := p.Bitboard(1-side, k) & by; left != 0; left &= left - 1 {
							bit := left & -left
							a := engine.Attacks(k, engine.Square(bits.TrailingZeros64(left)), occupied)
							if k == engine.Pawn {
								a = engine.PawnAttacks(1-side, bit)
							}
							on |= a
							if a>>king&1 == 1 {
								from |= bit
							}
						}
					}
					return from, on
				}
				checkers, _ := attackers(own|other, other)
				_, attacked := attackers((own|other)&^(1<<king), other)
				var pinned uint64
				for left := own &^ (1 << king); left != 0; left &= left - 1 {
					bit := left & -left
					if now, _ := attackers((own|other)&^bit, other); now&^checkers != 0 {
						pinned |= bit
					}
				}
				var arrivals uint64
				for _, m := range p.AppendMoves(nil) {
					if m.Piece != engine.Knight && !m.Castling {
						arrivals |= 1 << m.To
					}
				}
				for id, want := range map[string]uint64{"attacked": attacked, "checkers": checkers, "pinned": pinned, "arrivals": arrivals} {
					if g := squares(t, got, id); g != want {
						t.Errorf("%s: %s is %016x and should be %016x", fen, id, g, want)
					}
				}
			}
		})
	}
}

// A fault in the RTL is seen in the list, and by perft.
func TestFault(t *testing.T) {
	d := movegen.Design
	d.FS = planted{d.FS, "castling_d[0] = castling[0] & ~(|attacked[6:4])", "castling_d[0] = castling[0] & ~(|attacked[5:4])"}
	app := open(t, generator.Options{Design: d})
	if err := do(app, "position", map[string]any{"fen": "4k3/8/8/8/8/6r1/8/4K2R w K - 0 1"}); err != nil {
		t.Fatal(err)
	}
	if s := list(t, app); s.Wrong == 0 || s.Count.Value == s.Legal {
		t.Errorf("a king castles into check, and %d beats are wrong, the count is %d of %d", s.Wrong, s.Count.Value, s.Legal)
	}
}

func TestPerft(t *testing.T) {
	app := open(t, generator.Options{})
	if err := do(app, "position", map[string]any{"fen": positions[1]}); err != nil {
		t.Fatal(err)
	}
	for depth, want := range map[int]uint64{1: 48, 2: 2039, 3: 97862} {
		if err := do(app, "perft", map[string]any{"depth": depth}); err != nil {
			t.Fatal(err)
		}
		for see(t, app).Perft.Running {
			<-app.Wakes()
			app.Wake()
		}
		if p := see(t, app).Perft; p.RTL != want || p.Reference != want || len(p.Rows) != 48 || p.Error != "" || (p.Cycles == 0) != (depth == 1) {
			t.Errorf("perft %d is %d of %d by %d moves: %s", depth, p.RTL, want, len(p.Rows), p.Error)
		}
	}
	if err := do(app, "perft", map[string]any{"depth": 5}); err != nil {
		t.Fatal(err)
	}
	if err := do(app, "stop", nil); err != nil || see(t, app).Perft != nil {
		t.Errorf("it does not stop: %v", err)
	}
}

func TestBadRequests(t *testing.T) {
	app := open(t, generator.Options{})
	for _, bad := range []struct {
		name string
		args any
		says string
	}{
		{"position", map[string]any{"fen": ""}, ""},
		{"position", map[string]any{"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, "king"},
		{"position", map[string]any{"fen": "x"}, ""},
		{"list", map[string]any{"order": 4}, "no such order"},
		{"list", map[string]any{"filter": -1}, "no such order"},
		{"perft", map[string]any{"depth": 7}, "depth 1 to depth 6"},
		{"perft", map[string]any{}, "depth 1 to depth 6"},
		{"fly", nil, "does not know"},
		{"position", 7, "cannot unmarshal"},
	} {
		if err := do(app, bad.name, bad.args); err == nil || !strings.Contains(err.Error(), bad.says) {
			t.Errorf("%s %v: %v", bad.name, bad.args, err)
		}
	}
	if s := see(t, app); s.FEN != positions[0] {
		t.Errorf("after all that the position is %s", s.FEN)
	}
	if err := do(app, "position", map[string]any{"fen": positions[2]}); err != nil {
		t.Fatal(err)
	}
	data, err := app.Save()
	if err != nil {
		t.Fatal(err)
	}
	again := open(t, generator.Options{})
	if err := again.Restore(context.Background(), data); err != nil || see(t, again).FEN != positions[2] {
		t.Errorf("after restoring: %s, %v", see(t, again).FEN, err)
	}
	for _, bad := range []string{"", "{}", `{"fen":"8"}`} {
		if err := again.Restore(context.Background(), []byte(bad)); err == nil {
			t.Errorf("%q is restored", bad)
		}
	}
}
