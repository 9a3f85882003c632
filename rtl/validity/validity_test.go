package validity_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
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

// Remote moves between all squares: accepted are the legal ones and no others, with nothing but their
// promotions; the reasons for the rest are the model's, which come from rules written down square by square.
func TestEveryMove(t *testing.T) {
	r := seeded(1)
	for i, fen := range slices.Concat(rich, []string{
		"4r1k1/8/8/b6b/8/2N1P3/3P4/r1B1K2R w K - 0 1",
		"2r1k1r1/8/8/8/1b6/8/P2PP2P/R3K2R w KQ - 0 1",
		"r3k2r/8/8/8/4Q3/8/8/4K3 b kq - 0 1",
	}) {
		p := parse(t, fen)
		legal := p.AppendMoves(nil)
		b := newTable(handTimes)
		b.levels.Remote = 3
		b.setUp(&p)
		for from := range engine.Square(64) {
			for to := range engine.Square(64) {
				if p.Pieces(p.SideToMove())>>from&1 == 0 && r.IntN(64) != 0 || r.IntN(3) != 0 {
					continue
				}
				m := engine.Move{From: from, To: to, Promotion: [...]engine.Piece{0, 0, 0, engine.Queen, engine.Knight}[r.IntN(5)]}
				ok := slices.ContainsFunc(legal, func(l engine.Move) bool {
					return l.From == from && l.To == to && l.Promotion == m.Promotion
				})
				b.events = nil
				b.remote(m, false)
				if len(b.events) != 1 || (b.events[0] == "accepted") != ok {
					t.Fatalf("%s: remote %v, legal: %v: %q", fen, m, ok, b.events)
				}
				if ok { // one is shown now: begin again
					b.load(&p)
					b.hold(1)
				}
			}
		}
		design := validity.Design
		design.Params = handTimes.Params()
		sim.ForEach(t, design, func(t *testing.T, d *dut) {
			if d.Simulator() == sim.Icarus {
				if i != int(sim.Seed())%len(rich) {
					return
				}
				b.in = b.in[:15_000]
			}
			play(t, d, b, fen)
		})
	}
}

// Noise: whatever comes at the inputs, in whatever cycle, the RTL does what the model does.
func TestNoise(t *testing.T) {
	sim.ForEach(t, scaled, func(t *testing.T, d *dut) {
		n := 400_000
		if d.Simulator() == sim.Icarus {
			n = 12_000
		}
		b := noise(t, seeded(2), n)
		play(t, d, b, "noise")
	})
}

// noise is stimulus without sense: squares flip, scans come at any time, also while the board is busy; some
// readings are moves. Everything else comes at any time too.
func noise(t testing.TB, r *rand.Rand, cycles int) *table {
	b := newTable(times)
	var last uint64
	for len(b.in) < cycles {
		p := b.m.Position()
		legal := p.AppendMoves(nil)
		var in validity.In
		one := func(chance int) bool { return r.IntN(chance) == 0 }
		if one(300) {
			b.levels.Remote = uint8(r.IntN(4))
		}
		if one(100) {
			b.levels.Promotion = uint8(r.IntN(8))
		}
		here := occupied(&p)
		switch {
		case one(400) && len(legal) > 0:
			next := p.Make(legal[r.IntN(len(legal))])
			last = occupied(&next)
		case one(300):
			last = here
		case one(100):
			last ^= 1 << r.IntN(64)
		case one(300):
			last = here &^ (1 << r.IntN(64))
		}
		in.ScanValid, in.Occupied = one(5), last
		if one(50) {
			in.Occupied ^= 1 << r.IntN(64)
		}
		if one(1500) {
			in.RemoteValid, in.RemoteReplay = true, one(3)
			in.RemoteFrom, in.RemoteTo, in.RemotePromotion = uint8(r.IntN(64)), uint8(r.IntN(64)), uint8(r.IntN(8))
			if !one(3) && len(legal) > 0 {
				m := legal[r.IntN(len(legal))]
				in.RemoteFrom, in.RemoteTo, in.RemotePromotion = uint8(m.From), uint8(m.To), uint8(m.Promotion)
			}
		}
		if one(3000) || b.out.State == validity.Over && one(300) {
			q := start
			if one(2) {
				q = parse(t, rich[r.IntN(len(rich))])
			}
			load := validity.Load(&q)
			load.ScanValid, load.Occupied = in.ScanValid, in.Occupied
			in = load
			if !one(3) {
				last = occupied(&q)
			}
		}
		for _, f := range []*uint8{&in.Flag, &in.Resign, &in.Draw, &in.Claim} {
			if one(6000) {
				*f = uint8(1 + r.IntN(3))
			}
		}
		in.Rst = one(8000)
		b.cycle(in)
	}
	return b
}
