package validity_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/sim"
)

// act plays scenes on the board's model, where what comes of them must be what they say, and on the RTL,
// which must do the same in every cycle. Under Icarus only every so many-th.
func act(t *testing.T, all []scene, every int) {
	t.Helper()
	tables := make([]*table, len(all))
	var faults []error
	cycles := 0
	for i := range all {
		var err error
		if tables[i], err = all[i].play(times); err != nil {
			faults = append(faults, err)
		}
		cycles += len(tables[i].in)
	}
	if len(faults) > 0 {
		t.Fatal(errors.Join(faults...))
	}
	t.Logf("%d scenes, %d cycles", len(all), cycles)
	sim.ForEach(t, scaled, func(t *testing.T, d *dut) {
		for i, s := range all {
			if d.Simulator() == sim.Verilator || i%every == int(sim.Seed())%every {
				play(t, d, tables[i], fmt.Sprintf("%s:%d: %s", s.file, s.line, s.name))
			}
		}
	})
}

// All rules of handling.
func TestHandling(t *testing.T) { act(t, scenes(t, "handling.txt"), 8) }

// Every reason for a refusal, in every way it can come about.
func TestReasons(t *testing.T) { act(t, scenes(t, "reasons.txt"), 8) }

// Moves of a remote side.
func TestRemote(t *testing.T) { act(t, scenes(t, "remote.txt"), 8) }

// Every end of a game.
func TestEnds(t *testing.T) { act(t, scenes(t, "ends.txt"), 8) }

// rich are positions with many kinds of moves, for either side.
var rich = []string{
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"r3k2r/p1pp1pb1/bn2Qnp1/2qPN3/1p2P3/2N5/PPPBBPPP/R3K2R b KQkq - 3 2",
	"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
	"r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
	"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
	"8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
	"8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1",
	"rnbqkb1r/ppppp1pp/7n/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
}

func parse(t testing.TB, fen string) engine.Position {
	t.Helper()
	p, err := engine.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Every legal move of these positions is made, in every order in which a hand can make it, and nothing
// else happens.
func TestEveryOrder(t *testing.T) {
	for i, fen := range rich {
		p := parse(t, fen)
		b := newTable(times)
		for _, m := range p.AppendMoves(nil) {
			for _, h := range handles(m) {
				b.setUp(&p)
				b.events, b.levels.Promotion = nil, 0
				for _, touch := range h {
					b.touch(touch)
					b.hold(b.stable())
				}
				if b.out.State == validity.Moving { // half of castling: this is all
					b.hold(b.settled())
				}
				if m.Promotion != engine.NoPiece {
					if b.out.State != validity.Promotion || b.out.ShowFrom != uint8(m.To) {
						t.Fatalf("%s: %v made as %v: %v", fen, m, h, b.out.State)
					}
					b.levels.Promotion = uint8(m.Promotion)
					b.hold(1)
				}
				next := p.Make(m)
				if got := b.out.FEN(); got != next.FEN() || len(b.events) != 1 || b.moves[len(b.moves)-1] != m {
					t.Fatalf("%s: %v made as %v: %v, and the position is %s", fen, m, h, b.events, got)
				}
			}
		}
		sim.ForEach(t, scaled, func(t *testing.T, d *dut) {
			if d.Simulator() == sim.Verilator || i == len(rich)-3 {
				play(t, d, b, fen)
			}
		})
	}
}
