package validity_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/board/touch"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/sim"
)

// act plays scenes on the board's model, where what comes of them must be what they say, and on the
// RTL, which must do the same in every cycle. Under Icarus only every so many-th.
func act(t *testing.T, all []scene, every int) {
	t.Helper()
	benches := make([]*bench, len(all))
	var faults []error
	cycles := 0
	for i := range all {
		var err error
		if benches[i], err = all[i].play(times); err != nil {
			faults = append(faults, err)
		}
		cycles += benches[i].n
	}
	if len(faults) > 0 {
		t.Fatal(errors.Join(faults...))
	}
	t.Logf("%d scenes, %d cycles", len(all), cycles)
	sim.ForEach(t, scaled, func(t *testing.T, d *dut) {
		for i, s := range all {
			if d.Simulator() == sim.Verilator || i%every == int(sim.Seed())%every {
				play(t, d, benches[i], fmt.Sprintf("%s:%d: %s", s.file, s.line, s.name))
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

// Every legal move of these positions is made, in every order in which a hand can make it, and
// nothing else happens.
func TestEveryOrder(t *testing.T) {
	for i, fen := range rich {
		p := parse(t, fen)
		b := newBench(times)
		for _, m := range p.AppendMoves(nil) {
			for _, h := range touch.Orders(m) {
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

// The king of the side to move stands on each square once, for either side: king_o says where.
func TestKingAnywhere(t *testing.T) {
	b := newBench(times)
	for square := range engine.Square(64) {
		for _, side := range []engine.Color{engine.White, engine.Black} {
			s := engine.Setup{SideToMove: side, Fullmove: 1}
			s.Put(engine.King, side, square)
			s.Put(engine.King, side.Other(), square^0o44) // four files and four ranks away
			s.Put(engine.Rook, side, square^0o11)
			p, err := s.Position()
			if err != nil {
				t.Fatal(err)
			}
			b.setUp(&p)
			if b.out.King != uint8(square) {
				t.Fatalf("%s: the model has the king on %v", p.FEN(), engine.Square(b.out.King))
			}
		}
	}
	sim.ForEach(t, scaled, func(t *testing.T, d *dut) { play(t, d, b, "kings") })
}

// Remote moves between all squares: accepted are the legal ones and no others, with nothing but
// their promotions; the reasons for the rest are the model's, which come from rules written down
// square by square.
func TestEveryMove(t *testing.T) {
	r := seeded(1)
	for i, fen := range slices.Concat(rich, []string{
		"4r1k1/8/8/b6b/8/2N1P3/3P4/r1B1K2R w K - 0 1",
		"2r1k1r1/8/8/8/1b6/8/P2PP2P/R3K2R w KQ - 0 1",
		"r3k2r/8/8/8/4Q3/8/8/4K3 b kq - 0 1",
	}) {
		p := parse(t, fen)
		legal := p.AppendMoves(nil)
		b := newBench(handTimes)
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
			cycles := b.n
			if d.Simulator() == sim.Icarus {
				if i != int(sim.Seed())%len(rich) {
					return
				}
				cycles = 15_000
			}
			playFirst(t, d, b, cycles, fen)
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
		play(t, d, b.bench, "noise")
		t.Logf("%d cycles: %d moves, in states %v, for reasons %v, ended by %v", n, len(b.moves), b.states, b.reasons, b.causes)
		if n < 100_000 {
			return
		}
		if len(b.moves) < 100 || len(b.states) < 6 || len(b.reasons) < 10 || len(b.causes) < 4 {
			t.Error("this noise does not show much")
		}
	})
}

// noisy is a bench, and in how many cycles it was in which state, and so on.
type noisy struct {
	*bench
	states  map[validity.State]int
	reasons map[rules.Reason]int
	causes  map[rules.Cause]int
}

// noise is stimulus without much sense: moves and what is none, without regard to what the board
// shows, with scans at any time, also while the board is busy, and everything else at any time too.
func noise(t testing.TB, r *rand.Rand, cycles int) *noisy {
	b := &noisy{newBench(times), map[validity.State]int{}, map[rules.Reason]int{}, map[rules.Cause]int{}}
	var plan []uint64 // squares to be seen, one word a scan
	last := b.occupied
	for b.n < cycles {
		p := b.m.Position()
		legal := p.AppendMoves(nil)
		var in validity.In
		one := func(chance int) bool { return r.IntN(chance) == 0 }
		if one(600) {
			b.levels.Remote = [...]uint8{0, 0, 0, 0, 1, 2, 3}[r.IntN(7)]
		}
		if one(100) {
			b.levels.Promotion = uint8(r.IntN(2) * r.IntN(8)) // half the time none is chosen yet
		}
		if len(plan) == 0 {
			squares := occupied(&p)
			do := func(change uint64) {
				squares ^= change
				for range 1 + r.IntN(2*b.stable()) {
					plan = append(plan, squares)
				}
			}
			do(0)
			switch from, to := 1<<r.IntN(64), 1<<r.IntN(64); {
			case !one(3) && len(legal) > 0:
				m := legal[r.IntN(len(legal))]
				if i := slices.IndexFunc(legal, func(m engine.Move) bool { return m.Promotion != 0 }); i >= 0 && !one(4) {
					m = legal[i] // rare, and has a state of its own
				}
				orders := touch.Orders(m)
				for _, t := range orders[r.IntN(len(orders))] {
					if one(8) { // something goes wrong
						do(1 << r.IntN(64))
					}
					if there := squares>>t.Square&1 != 0; there == t.Place {
						continue
					}
					do(1 << t.Square)
				}
			case one(2): // any piece goes anywhere
				do(squares & uint64(from))
				do(uint64(to) &^ squares)
			case one(2): // onto another
				do(squares & uint64(from))
				do(squares & uint64(to))
				do(uint64(to) &^ squares)
			default:
				do(1 << r.IntN(64))
				do(1 << r.IntN(64))
			}
		}
		in.ScanValid, in.Occupied = one(4), last
		if in.ScanValid {
			last, plan = plan[0], plan[1:]
			in.Occupied = last
			if b.out.Busy {
				plan = append([]uint64{last}, plan...)
			}
		}
		if one(100) {
			in.Occupied ^= 1 << r.IntN(64)
		}
		if one(300) {
			in.RemoteValid, in.RemoteReplay = true, one(3)
			in.RemoteFrom, in.RemoteTo, in.RemotePromotion = uint8(r.IntN(64)), uint8(r.IntN(64)), uint8(r.IntN(8))
			if !one(4) && len(legal) > 0 {
				m := legal[r.IntN(len(legal))]
				in.RemoteFrom = uint8(m.From)
				if !one(3) {
					in.RemoteTo, in.RemotePromotion = uint8(m.To), uint8(m.Promotion)
				}
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
			plan = nil
		}
		for _, f := range []*uint8{&in.Flag, &in.Resign, &in.Draw, &in.Claim} {
			if one(10_000) {
				*f = uint8(1 + r.IntN(3))
			}
		}
		in.Rst = one(8000)
		b.cycle(in)
		b.states[b.out.State]++
		b.causes[b.out.Cause]++
		b.reasons[b.out.Reason]++
		b.reasons[b.out.RemoteReason]++
	}
	return b
}

// A list longer than the time for a question is waited for: the position with the most legal moves,
// 218.
func TestLongList(t *testing.T) {
	short := validity.Times{StableScans: 1, CastlingScans: 1, QuestionCycles: 82}
	design := validity.Design
	design.Params = short.Params()
	p := parse(t, "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
	sim.ForEach(t, design, func(t *testing.T, d *dut) {
		if err := tryLongList(d, &p); err != nil {
			d.Fail(t, err)
		}
	})
}

// tryLongList makes a move that comes late in the list. The model is not asked: it trusts that
// lists are shorter.
func tryLongList(d *dut, p *engine.Position) error {
	if err := d.Reset(2); err != nil {
		return err
	}
	var failed error
	step := func(in validity.In, until func(o *validity.Out) bool) validity.Out {
		for range 1000 {
			o, err := d.Step(in)
			if err != nil {
				failed = err
				return o
			}
			if until(&o) {
				return o
			}
		}
		failed = errors.New("nothing comes of it within 1000 cycles")
		return validity.Out{}
	}
	step(validity.Load(p), func(o *validity.Out) bool { return o.LoadReady })
	squares := occupied(p)
	scan := func(until func(o *validity.Out) bool) validity.Out {
		return step(validity.In{ScanValid: true, Occupied: squares}, until)
	}
	scan(func(o *validity.Out) bool { return o.State == validity.Turn })
	late := engine.Move{From: 63, To: 62, Piece: engine.Rook} // h8g8
	squares ^= 1<<late.From | 1<<late.To
	o := scan(func(o *validity.Out) bool { return o.MoveValid || o.State == validity.Illegal })
	next := p.Make(late)
	if failed == nil && (!o.MoveValid || o.Move() != late || o.FEN() != next.FEN()) {
		failed = fmt.Errorf("%v: move %v, state %v (%v), at %s", late, o.Move(), o.State, o.Reason, o.FEN())
	}
	return failed
}

// How many clocks it takes from a cause to what comes of it: the table in README.md.
func TestTiming(t *testing.T) {
	q := validity.DefaultTimes.QuestionCycles
	b := newBench(validity.DefaultTimes)
	pawns := parse(t, "4k3/8/8/8/8/8/P7/R3K2R w KQ - 0 1")
	b.setUp(&pawns)

	// due changes the board, and scans it until the reading is due with the last scan's cycle.
	due := func(squares ...engine.Square) {
		for _, s := range squares {
			b.occupied ^= 1 << s
		}
		for range b.stable() {
			b.scan(0)
		}
	}
	until := func(what string, want int, happened func(o *validity.Out) bool) {
		t.Helper()
		for n := 1; n < 3000; n++ {
			if b.cycle(validity.In{}); happened(&b.out) {
				if n != want {
					t.Errorf("%s: %d clocks, want %d", what, n, want)
				}
				b.settle()
				return
			}
		}
		t.Errorf("%s: never", what)
	}
	in := func(s validity.State) func(o *validity.Out) bool {
		return func(o *validity.Out) bool { return o.State == s }
	}
	because := func(r rules.Reason) func(o *validity.Out) bool {
		return func(o *validity.Out) bool { return o.Reason == r }
	}
	const a1, a2, a3, b3, d4, e1, e2, e8 = 0, 8, 16, 17, 27, 4, 12, 60
	due(a2)
	until("in hand", q+4, in(validity.Moving))
	due(a2)
	until("put back", 2, in(validity.Turn))
	due(e8, d4)
	until("not your turn", q+4, because(rules.NotYourTurn))
	due(e8, d4)
	until("put back", 2, in(validity.Turn))
	due(a2, b3)
	until("pawn capture, four questions", 5*(q+2)+3, because(rules.PawnCapture))
	due(a2, b3)
	b.settle()
	due(a1, a3)
	until("blocked, two questions", 3*(q+2)+3, because(rules.Blocked))
	due(a1, a3)
	b.settle()
	due(a2, a3)
	until("a move", 2*q+8, func(o *validity.Out) bool { return o.MoveValid })

	b.levels.Remote = 2
	ask := func(from, to engine.Square) { b.cycle(validity.Remote(engine.Move{From: from, To: to}, false)) }
	done := func(o *validity.Out) bool { return o.RemoteDone }
	ask(e1, e2)
	until("an opponent's piece", q+5, done)
	b.levels.Remote = 1
	ask(e8, e8+1)
	until("the side is not remote", 2, done)
	b.levels.Remote = 2
	ask(e8, e8+1)
	until("accepted", q+4, done)
	b.cycle(validity.Load(&pawns))
	until("a position", q+3, func(o *validity.Out) bool { return o.LoadReady })
	b.cycle(validity.In{Rst: true})
	until("reset", q+4, func(o *validity.Out) bool { return o.LoadReady })
	sim.ForEach(t, validity.Design, func(t *testing.T, d *dut) { play(t, d, b, "timing") })
}

// With the times that the board has: some rules of handling.
func TestDefaultTimes(t *testing.T) {
	all := scenes(t, "handling.txt")[:16]
	benches := make([]*bench, len(all))
	for i := range all {
		var err error
		if benches[i], err = all[i].play(validity.DefaultTimes); err != nil {
			t.Fatal(err)
		}
	}
	sim.ForEach(t, validity.Design, func(t *testing.T, d *dut) {
		for i, s := range all {
			if d.Simulator() == sim.Verilator || i == 0 {
				play(t, d, benches[i], s.name)
			}
		}
	})
}
