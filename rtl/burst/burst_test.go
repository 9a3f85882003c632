package burst_test

import (
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/burst"
	"github.com/cosimate/cosimate/rtl/published"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors/perft"
)

type dut = sim.DUT[burst.In, burst.Out]

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(sim.Seed(), n)) }

func parse(t testing.TB, fen string) engine.Position {
	t.Helper()
	p, err := engine.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// bench makes stimulus: positions, offered and beats taken at random or as fast as it goes.
type bench struct {
	r         *rand.Rand
	gap       float64 // share of cycles in which no position is offered although there is one
	busy      float64 // share of cycles in which the receiver of the beats is not ready
	stopAndGo bool    // the receiver stops and goes in runs of cycles instead
	resets    float64 // share of cycles with the reset; the positions under way are lost
	flicker   bool    // another position is offered in each cycle until one is taken
	afterward int     // cycles after the last position
}

// stimulus offers each position until the model takes it. It needs a model of its own: whether the
// next one is offered depends on pos_ready_o.
func (b bench) stimulus(positions []engine.Position) iter.Seq[burst.In] {
	return func(yield func(burst.In) bool) {
		m := burst.NewModel()
		stopped := false
		cycle := func(in burst.In) (taken, ok bool) {
			if !b.stopAndGo || b.r.Float64() < 0.1 {
				stopped = b.r.Float64() < b.busy
			}
			in.BeatReady = !stopped
			in.Rst = b.r.Float64() < b.resets
			out := m.Step(in)
			return in.PosValid && out.PosReady, yield(in)
		}
		for i := range positions {
			for b.r.Float64() < b.gap {
				if _, ok := cycle(burst.In{}); !ok {
					return
				}
			}
			in := burst.Encode(&positions[i])
			for {
				if b.flicker {
					in = burst.Encode(&positions[b.r.IntN(len(positions))])
				}
				in.PosValid = true
				taken, ok := cycle(in)
				if !ok {
					return
				}
				if taken {
					break
				}
			}
		}
		for range b.afterward {
			if _, ok := cycle(burst.In{}); !ok {
				return
			}
		}
	}
}

// share is n of the positions under Icarus, and all of them under Verilator.
func share(d *dut, positions []engine.Position, n int) []engine.Position {
	if d.Simulator() == sim.Verilator {
		return positions
	}
	return spread(positions, n)
}

// spread is n of the positions, evenly spread.
func spread(positions []engine.Position, n int) (some []engine.Position) {
	for i := range n {
		some = append(some, positions[i*len(positions)/n])
	}
	return some
}

// beyond are positions that no game reaches and the suites therefore lack: the RTL does not rely on
// how a position came about.
var beyond = []string{
	"4r2k/8/8/2Pp4/4K3/8/8/8 w - d6 0 1",          // a double step that gives double check
	"1n1n1n1n/P1P1P1P1/8/8/8/8/k7/7K w - - 0 1",   // pawns that can all promote on three squares
	"qqqqqqqq/1PPPPPP1/8/8/8/k7/7p/K7 w - - 0 1",  // or on two
	"N1N1N1N1/8/8/Nk5N/8/8/N1N1N3/KN6 w - - 0 1",  // ten knights
	"7Q/6Q1/5Q2/3k4/8/2Q5/1Q6/Q6K w - - 0 1",      // queens that see one another
	"R2R2R1/8/8/R2R2R1/1k6/8/R2R2R1/7K w - - 0 1", // rooks
	"B2B2B1/8/8/B2B2Bk/8/8/B2B2B1/7K w - - 0 1",   // bishops
	"QQ6/QQ6/Q7/5k2/8/8/8/7K w - - 0 1",           // many along few lines
	"4k3/8/8/8/8/8/PPPPPPPP/R3K2R w KQ - 0 1",     // pawns that can all go two squares
	"r3k2r/pppppppp/8/8/8/8/8/4K3 b kq - 0 1",     // for black too
}

var goldenDepth = flag.Int("golden.depth", 1, "list the golden positions and what comes after them up to so many plies")

// Every golden position is listed, as fast as it goes; in Icarus, which takes a minute for them,
// some of them, and all if Verilator goes deeper.
func TestGoldenPositions(t *testing.T) {
	suite := perft.Positions()
	var always []engine.Position
	for _, fen := range beyond {
		always = append(always, parse(t, fen))
	}
	icarus := suite
	if *goldenDepth == 1 {
		icarus = spread(suite, 200)
	}
	sim.ForEach(t, burst.Design, func(t *testing.T, d *dut) {
		positions, listed := slices.Clone(always), 0
		play := func() {
			sim.Check(t, d, burst.NewModel(), bench{r: seeded(1), afterward: 60}.stimulus(positions))
			listed += len(positions)
			positions = positions[:0]
		}
		var walk func(p engine.Position, depth int)
		walk = func(p engine.Position, depth int) {
			if positions = append(positions, p); len(positions) > 10_000 {
				play()
			}
			if depth > 1 {
				for _, m := range p.AppendMoves(nil) {
					walk(p.Make(m), depth-1)
				}
			}
		}
		if d.Simulator() == sim.Icarus {
			positions = append(positions, icarus...)
		} else {
			for _, p := range suite {
				walk(p, *goldenDepth)
			}
		}
		play()
		t.Logf("%d positions listed", listed)
	})
}

// walks are the positions of random games from golden positions on.
func walks(t testing.TB, r *rand.Rand, n int) (positions []engine.Position) {
	suite := perft.Positions()
	for len(positions) < n {
		p := suite[r.IntN(len(suite))]
		for range 40 {
			positions = append(positions, p)
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			p = p.Make(moves[r.IntN(len(moves))])
		}
	}
	return positions[:n]
}

// pairs returns positions in whose lists a single lane has two moves, and the others have at most
// one. There is one position for each lane and pair of destinations that random boards show. In
// games several lanes have more moves at once, which hides what each of them says of the list's
// end.
func pairs(r *rand.Rand, boards int) (positions []engine.Position) {
	seen := map[[3]int]bool{}
	for range boards {
		var s engine.Setup
		s.Put(engine.King, engine.White, engine.Square(r.IntN(64)))
		s.Put(engine.King, engine.Black, engine.Square(r.IntN(64)))
		s.SideToMove, s.Fullmove = engine.Color(r.IntN(2)), 1
		for range 1 + r.IntN(8) {
			s.Put(engine.Pawn+engine.Piece(r.IntN(5)), engine.Color(r.IntN(2)), engine.Square(r.IntN(64)))
		}
		p, err := s.Position()
		if err != nil {
			continue // no legal position
		}
		var to [burst.Lanes][]int
		for _, m := range p.AppendMoves(nil) {
			lane, _ := burst.Lane(m, p.SideToMove())
			to[lane] = append(to[lane], int(m.To)<<3|int(m.Promotion))
		}
		key, single := [3]int{}, true
		for lane, moves := range to {
			if len(moves) > 1 {
				single = single && len(moves) == 2 && key == [3]int{}
				key = [3]int{lane, min(moves[0], moves[1]), max(moves[0], moves[1])}
			}
		}
		if single && key != [3]int{} && !seen[key] {
			seen[key], positions = true, append(positions, p)
		}
	}
	return positions
}

// Each lane by itself says that a list goes on, for thousands of the pairs of moves that it can
// have.
func TestPairs(t *testing.T) {
	all := pairs(seeded(8), 1_000_000)
	if len(all) < 3000 {
		t.Fatalf("random boards show %d pairs of moves only", len(all))
	}
	sim.ForEach(t, burst.Design, func(t *testing.T, d *dut) {
		positions := share(d, all, 60)
		t.Logf("%d positions", len(positions))
		sim.Check(t, d, burst.NewModel(), bench{r: seeded(9), gap: 0.3, busy: 0.1, afterward: 60}.stimulus(positions))
	})
}

// knights returns positions with each leap of a knight that takes a piece of each kind.
func knights(r *rand.Rand) (positions []engine.Position) {
	for from := range engine.Square(64) {
		for to := range engine.Square(64) {
			x, y := int(from&7)-int(to&7), int(from>>3)-int(to>>3)
			for kind := engine.Pawn; x*x+y*y == 5 && kind < engine.King; kind++ {
				positions = append(positions, taking(r, from, to, kind)...)
			}
		}
	}
	return positions
}

// taking returns a position in which a knight can take a piece, or none if there is no such piece.
func taking(r *rand.Rand, from, to engine.Square, kind engine.Piece) []engine.Position {
	for range 100 {
		s := engine.Setup{SideToMove: engine.Color(r.IntN(2)), Fullmove: 1}
		s.Put(engine.King, engine.White, engine.Square(r.IntN(64)))
		s.Put(engine.King, engine.Black, engine.Square(r.IntN(64)))
		s.Put(engine.Knight, s.SideToMove, from)
		s.Put(kind, s.SideToMove.Other(), to)
		p, err := s.Position()
		if err == nil && slices.ContainsFunc(p.AppendMoves(nil), func(m engine.Move) bool { return m.From == from && m.To == to }) {
			return []engine.Position{p}
		}
	}
	return nil
}

// Each leap of a knight takes a piece of each kind. In games some take none.
func TestKnights(t *testing.T) {
	all := knights(seeded(12))
	if len(all) < 1500 {
		t.Fatalf("%d positions with leaps that take", len(all))
	}
	sim.ForEach(t, burst.Design, func(t *testing.T, d *dut) {
		sim.Check(t, d, burst.NewModel(), bench{r: seeded(13), gap: 0.1, busy: 0.1, afterward: 60}.stimulus(share(d, all, 60)))
	})
}

// Random games under all kinds of back-pressure, gaps and resets.
func TestRandomGames(t *testing.T) {
	for i, c := range []struct {
		name  string
		bench bench
	}{
		{"back to back", bench{}},
		{"with gaps", bench{gap: 0.5}},
		{"one by one", bench{gap: 0.95}},
		{"receiver busy at random", bench{busy: 0.5, gap: 0.2}},
		{"receiver mostly busy", bench{busy: 0.9}},
		{"receiver stops and goes", bench{busy: 0.5, stopAndGo: true, gap: 0.1}},
		{"positions change while they wait", bench{flicker: true, busy: 0.3}},
		{"resets in between", bench{busy: 0.3, gap: 0.3, resets: 0.05}},
		{"resets of a fast receiver", bench{resets: 0.1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			positions := walks(t, seeded(100+uint64(i)), 4000)
			sim.ForEach(t, burst.Design, func(t *testing.T, d *dut) {
				b := c.bench
				b.r, b.afterward = seeded(200+uint64(i)), 60
				sim.Check(t, d, burst.NewModel(), b.stimulus(share(d, positions, 60)))
			})
		})
	}
}

// A reset in any cycle of some lists, to a receiver that is busy and one that is not, leaves
// nothing of them: the position taken next is listed as if it were the first.
func TestResetAtAnyCycle(t *testing.T) {
	positions := []engine.Position{parse(t, handshakes[0]), parse(t, handshakes[1]), parse(t, handshakes[5])}
	sim.ForEach(t, burst.Design, func(t *testing.T, d *dut) {
		var in []burst.In
		for _, busy := range []float64{0, 0.6} {
			for reset := range 18 {
				lists := slices.Collect(bench{r: seeded(20 + uint64(reset)), busy: busy, afterward: 20}.stimulus(positions))
				in = append(in, lists[:reset]...)
				in = append(in, burst.In{Rst: true, PosValid: true, BeatReady: reset%2 == 0})
				in = append(in, slices.Collect(bench{r: seeded(21), afterward: 8}.stimulus(positions[2:]))...)
			}
		}
		sim.Check(t, d, burst.NewModel(), slices.Values(in))
	})
}

// record runs the positions and returns the inputs and what the RTL gave, without a model's
// opinion on either.
func record(t testing.TB, d *dut, b bench, positions []engine.Position) ([]burst.In, []burst.Out) {
	t.Helper()
	if err := d.Reset(3); err != nil {
		t.Fatal(err)
	}
	in := slices.Collect(b.stimulus(positions))
	out := make([]burst.Out, len(in))
	if err := d.Run(in, out); err != nil {
		t.Fatal(err)
	}
	return in, out
}

// moves are those of a beat, in board coordinates.
func moves(o burst.Out, side engine.Color) (all []engine.Move) {
	for _, w := range o.Move {
		if m, ok := burst.Decode(w, side); ok {
			all = append(all, m)
		}
	}
	return all
}

// What the ports promise, checked on the RTL's outputs alone: nothing changes while the receiver is
// not ready, there are no moves without a beat, and each position taken gives one list, which is
// all its legal moves, each once.
func TestProtocol(t *testing.T) {
	positions := walks(t, seeded(6), 2000)
	sim.ForEach(t, burst.Design, func(t *testing.T, d *dut) {
		in, out := record(t, d, bench{r: seeded(7), gap: 0.2, busy: 0.4, afterward: 100}, share(d, positions, 60))
		var listing []engine.Position
		var seen []engine.Move
		for i, o := range out {
			if i > 0 && out[i-1].BeatValid && !in[i-1].BeatReady {
				if was := out[i-1]; !o.BeatValid || o.BeatLast != was.BeatLast || o.Move != was.Move {
					t.Fatalf("cycle %d: the beat changed from %+v to %+v while beat_ready_i was 0", i, was, o)
				}
			}
			if !o.BeatValid && moves(o, engine.White) != nil {
				t.Fatalf("cycle %d: moves without a beat: %+v", i, o)
			}
			if o.BeatValid && in[i].BeatReady {
				if len(listing) == 0 {
					t.Fatalf("cycle %d: a beat, but no position is waiting for one", i)
				}
				p := listing[0]
				seen = append(seen, moves(o, p.SideToMove())...)
				if o.BeatLast {
					legal := p.AppendMoves(nil)
					for _, m := range seen {
						if at := slices.Index(legal, m); at < 0 {
							t.Fatalf("cycle %d: %s: %v is listed twice or is not legal", i, p.FEN(), m)
						} else {
							legal = slices.Delete(legal, at, at+1)
						}
					}
					if len(legal) > 0 {
						t.Fatalf("cycle %d: %s: %v are not listed", i, p.FEN(), legal)
					}
					listing, seen = listing[1:], seen[:0]
				}
			}
			if in[i].PosValid && o.PosReady {
				p, err := in[i].Position()
				if err != nil {
					t.Fatal(err)
				}
				listing = append(listing, p)
			}
		}
		if len(listing) != 0 {
			t.Fatalf("at the end %d lists are missing", len(listing))
		}
	})
}

// cycles is in which cycle the RTL, alone with each position and a receiver that is always ready,
// shows the last beat; the position is taken in cycle 0.
func cycles(t testing.TB, d *dut, positions []engine.Position) []int {
	t.Helper()
	var in []burst.In
	var begin []int
	for i := range positions {
		begin = append(begin, len(in))
		first := burst.Encode(&positions[i])
		first.PosValid = true
		in = append(in, first)
		in = append(in, make([]burst.In, burst.Latency+burst.Beats(&positions[i])+4)...)
	}
	for i := range in {
		in[i].BeatReady = true
	}
	if err := d.Reset(3); err != nil {
		t.Fatal(err)
	}
	out := make([]burst.Out, len(in))
	if err := d.Run(in, out); err != nil {
		t.Fatal(err)
	}
	begin = append(begin, len(in))
	var all []int
	for i, p := range positions {
		last := -1
		n := 0
		for cycle, o := range out[begin[i]:begin[i+1]] {
			n += len(moves(o, p.SideToMove()))
			if o.BeatValid && o.BeatLast {
				last = cycle
			}
		}
		if last < 0 || n != p.Count() {
			t.Fatalf("%s: %d moves, the last one in cycle %d; %d are legal", p.FEN(), n, last, p.Count())
		}
		all = append(all, last)
	}
	return all
}

// The positions of the published design's report: cycles to the last legal move, counted from the
// one in which the position is taken. Required are 104 and 12 for the first two.
func TestPublishedPositions(t *testing.T) {
	var positions []engine.Position
	for _, p := range published.Positions() {
		q, err := p.Parse()
		if err != nil {
			t.Fatal(err)
		}
		positions = append(positions, q)
	}
	want := []int{21, 8, 10, 9}
	required := []int{104, 12, 21, 17}
	sim.ForEach(t, burst.Design, func(t *testing.T, d *dut) {
		got := cycles(t, d, positions)
		for i, p := range published.Positions() {
			t.Logf("%-20s %3d legal moves: %2d cycles; published %3d, required %3d", p.Name, positions[i].Count(), got[i], p.Cycles, required[i])
			if got[i] > required[i] || got[i] >= p.Cycles {
				t.Errorf("%s: %d cycles, required are %d, published %d", p.Name, got[i], required[i], p.Cycles)
			}
			if got[i] != want[i] {
				t.Errorf("%s: %d cycles, but README.md says %d", p.Name, got[i], want[i])
			}
		}
	})
}

// Every golden position takes less time than the model of the published design says that it would,
// each at its clock: 100 MHz is what docs/pnr/burst.md has at least. The log has the distribution
// of cycles of both.
func TestDistribution(t *testing.T) {
	const clock = 10 * time.Nanosecond
	suite := perft.Positions()
	sim.ForEach(t, burst.Design, func(t *testing.T, d *dut) {
		positions := share(d, suite, 100)
		ours := cycles(t, d, positions)
		var theirs []int
		for i := range positions {
			n := published.Generate(&positions[i]).Cycles
			theirs = append(theirs, n)
			if ours, theirs := time.Duration(ours[i])*clock, time.Duration(n)*published.Cycle; ours >= theirs {
				t.Errorf("%s: %v, the published design would take %v", positions[i].FEN(), ours, theirs)
			}
			if want := burst.Latency + burst.Beats(&positions[i]) - 1; ours[i] != want {
				t.Errorf("%s: %d cycles, want %d", positions[i].FEN(), ours[i], want)
			}
		}
		t.Logf("cycles of %d positions\n           %s\nours       %s\npublished  %s", len(positions), distributionHead, distribution(ours), distribution(theirs))
	})
}

const distributionHead = "  mean   min   10%   50%   90%   max"

// distribution is the mean and the quantiles of some numbers.
func distribution(all []int) string {
	all = slices.Sorted(slices.Values(all))
	sum := 0
	for _, n := range all {
		sum += n
	}
	n := len(all) - 1
	return fmt.Sprintf("%6.2f %5d %5d %5d %5d %5d", float64(sum)/float64(len(all)), all[0], all[n/10], all[n/2], all[n*9/10], all[n])
}

// Beats come without a gap, also from list to list; only a list of one beat takes two cycles if the
// next one waits.
func TestThroughput(t *testing.T) {
	positions := walks(t, seeded(4), 60)
	sim.ForEach(t, burst.Design, func(t *testing.T, d *dut) {
		_, out := record(t, d, bench{r: seeded(5), afterward: 60}, positions)
		due := burst.Latency
		for i, p := range positions {
			for n := burst.Beats(&p); n > 0; n-- {
				if o := out[due]; !o.BeatValid || o.BeatLast != (n == 1) {
					t.Fatalf("cycle %d: beat_valid_o is %v, beat_last_o %v; %d beats of position %d are due", due, o.BeatValid, o.BeatLast, n, i+1)
				}
				due++
			}
			if burst.Beats(&p) == 1 {
				due++
			}
		}
	})
}

// Position reads back what Encode made, also without it.
func TestEncode(t *testing.T) {
	for _, fen := range []string{
		"4k2r/8/8/3pP3/8/8/1N6/R3K3 w Qk d6 0 1",
		"4k2r/8/8/8/3pP3/8/1N6/R3K3 b Qk e3 0 1",
	} {
		p := parse(t, fen)
		in := burst.Encode(&p)
		if back, err := in.Position(); err != nil || back != p {
			t.Errorf("%s: Position after Encode: %v, %v", fen, back, err)
		}
		in = in.Ports()
		q, err := in.Position()
		if err != nil {
			t.Fatal(err)
		}
		if q.SideToMove() != engine.White || q.Count() != p.Count() {
			t.Errorf("%s: read off the ports it is %s with %d moves, want %d", fen, q.FEN(), q.Count(), p.Count())
		}
	}
}

// Ports that hold no position are an error of the model, not of the program.
func TestModelWithoutPosition(t *testing.T) {
	m := burst.NewModel()
	m.Step(burst.In{PosValid: true, PosKings: 3})
	if err := m.Err(); err == nil {
		t.Fatal("two kings side by side are taken for a position")
	}
	for i := 1; i <= burst.Latency; i++ {
		out := m.Step(burst.In{BeatReady: true})
		if want := i == burst.Latency; out.BeatValid != want || out.BeatLast != want || moves(out, engine.White) != nil {
			t.Errorf("cycle %d: %+v; want a beat without moves: %v", i, out, want)
		}
	}
}

func Example() {
	p, err := engine.ParseFEN("6k1/P7/8/8/8/3N4/4P3/4K2R w K - 0 1")
	if err != nil {
		fmt.Println(err)
		return
	}
	in := burst.Encode(&p)
	in.PosValid, in.BeatReady = true, true
	m := burst.NewModel()
	for cycle, last := 0, false; !last; cycle++ {
		out := m.Step(in)
		in.PosValid, last = false, out.BeatLast
		if !out.BeatValid {
			continue
		}
		fmt.Print("cycle ", cycle, ", lanes")
		for lane, word := range out.Move {
			if move, ok := burst.Decode(word, p.SideToMove()); ok {
				fmt.Print(" ", lane, ":", move)
			}
		}
		fmt.Println()
	}
	// Output:
	// cycle 6, lanes 0:h1h2 1:h1h3 4:e1g1 5:e1f1 6:h1g1 7:e1d1 9:e1f2 13:e1d2 16:e2e3 17:e2e4 18:d3c1 20:d3b2 21:d3f2 22:d3b4 23:d3f4 24:d3c5 25:d3e5
	// cycle 7, lanes 0:h1h4 1:h1h5 7:h1f1 16:a7a8r 17:a7a8q
	// cycle 8, lanes 0:h1h6 1:h1h7 16:a7a8n 17:a7a8b
	// cycle 9, lanes 0:h1h8
}

// The RTL and the model, compared: nanoseconds a cycle.
func BenchmarkCompare(b *testing.B) {
	for _, s := range sim.Simulators {
		b.Run(string(s), func(b *testing.B) {
			d := sim.OpenTest[burst.In, burst.Out](b, burst.Design, s)
			in := slices.Collect(bench{r: seeded(402)}.stimulus(walks(b, seeded(403), 2000)))
			b.ResetTimer()
			for done := 0; done < b.N; done += len(in) {
				if err := sim.Compare(d, burst.NewModel(), slices.Values(in[:min(len(in), b.N-done)])); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The model must keep up with the RTL in Verilator: nanoseconds a cycle.
func BenchmarkModel(b *testing.B) {
	in := slices.Collect(bench{r: seeded(400)}.stimulus(walks(b, seeded(401), 2000)))
	m := burst.NewModel()
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		m.Step(in[i%len(in)])
	}
}
