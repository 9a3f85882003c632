package movegen_test

import (
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors/perft"
)

type dut = sim.DUT[movegen.In, movegen.Out]

// request is a position to be given to the RTL.
type request struct {
	position engine.Position
	list     bool
	order    movegen.Order
	filter   movegen.Filter
}

// beats is how many beats the request's list has.
func (q *request) beats() int {
	n := 0
	for _, m := range q.position.AppendMoves(nil) {
		if q.filter.Passes(&q.position, m) {
			n++
		}
	}
	return max(n, 1)
}

// bench makes stimulus: requests, offered and taken at random or as fast as it goes.
type bench struct {
	r         *rand.Rand
	gap       float64 // share of cycles in which no position is offered although there is one
	busy      float64 // share of cycles in which the receiver of the moves is not ready
	burst     bool    // the receiver stops and goes in runs of cycles instead
	resets    float64 // share of cycles with the reset; the request under way is lost
	afterward int     // cycles after the last request
}

// stimulus offers each request until the model takes it. It needs a model of its own: whether the
// next request is offered depends on pos_ready_o.
func (b bench) stimulus(requests []request) iter.Seq[movegen.In] {
	return func(yield func(movegen.In) bool) {
		m := movegen.NewModel()
		stopped := false
		cycle := func(in movegen.In) (taken, ok bool) {
			switch {
			case b.burst && b.r.Float64() < 0.1:
				stopped = b.r.Float64() < b.busy
			case !b.burst:
				stopped = b.r.Float64() < b.busy
			}
			in.MoveReady = !stopped
			in.Rst = b.r.Float64() < b.resets
			out := m.Step(in)
			return in.PosValid && out.PosReady, yield(in)
		}
		for _, q := range requests {
			for b.r.Float64() < b.gap {
				if _, ok := cycle(movegen.In{}); !ok {
					return
				}
			}
			in := movegen.Encode(&q.position)
			in.PosValid, in.PosList, in.PosOrder, in.PosFilter = true, q.list, q.order, q.filter
			for {
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
			if _, ok := cycle(movegen.In{}); !ok {
				return
			}
		}
	}
}

// share is n of the requests under Icarus, evenly spread, and all of them under Verilator.
func share(d *dut, requests []request, n int) []request {
	if d.Simulator() == sim.Verilator || len(requests) <= n {
		return requests
	}
	var some []request
	for i := range n {
		some = append(some, requests[i*len(requests)/n])
	}
	return some
}

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(sim.Seed(), n)) }

// beyond are positions that no game reaches and the suites therefore lack, with their number of
// moves: the RTL does not rely on how a position came about.
var beyond = []struct {
	fen   string
	moves int
}{
	{"4r2k/8/8/2Pp4/4K3/8/8/8 w - d6 0 1", 6}, // a double step that gives double check
}

var goldenDepth = flag.Int("golden.depth", 1, "list the golden positions and what comes after them up to so many plies, in every order, through every filter")

// everyList is a position to be listed in every order and through every filter.
func everyList(requests []request, p engine.Position) []request {
	for _, o := range movegen.Orders {
		for _, f := range movegen.Filters {
			requests = append(requests, request{p, true, o, f})
		}
	}
	return requests
}

// Every golden position is listed, as fast as it goes, in every order and through every filter.
func TestGoldenPositions(t *testing.T) {
	suite := perft.Suites()
	for _, e := range suite {
		if want, got := e.Counts[0].Nodes, uint64(e.Position.Count()); want != got {
			t.Fatalf("%s: the reference counts %d moves, published are %d", e.FEN, got, want)
		}
	}
	var always []request
	for _, b := range beyond {
		p, err := engine.ParseFEN(b.fen)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Count(); got != b.moves {
			t.Fatalf("%s: the reference counts %d moves, not %d", b.fen, got, b.moves)
		}
		always = everyList(always, p)
	}
	sim.ForEach(t, movegen.Design, func(t *testing.T, d *dut) {
		var requests []request
		play := func() {
			sim.Check(t, d, movegen.NewModel(), bench{r: seeded(1), afterward: 300}.stimulus(slices.Concat(always, share(d, requests, 60))))
			requests = requests[:0]
		}
		var walk func(p engine.Position, depth int)
		walk = func(p engine.Position, depth int) {
			requests = everyList(requests, p)
			if len(requests) > 10_000 {
				play()
			}
			if depth > 1 {
				for _, m := range p.AppendMoves(nil) {
					walk(p.Make(m), depth-1)
				}
			}
		}
		for _, e := range suite {
			walk(e.Position, *goldenDepth)
		}
		play()
	})
}

// walks are the positions of random games from golden positions on.
func walks(t testing.TB, r *rand.Rand, n int, list func() bool) []request {
	suite := perft.Suites()
	var requests []request
	for len(requests) < n {
		p := suite[r.IntN(len(suite))].Position
		for range 40 {
			// one more than there are
			order, filter := movegen.Order(r.IntN(4)), movegen.Filter(r.IntN(4))
			requests = append(requests, request{p, list(), order, filter})
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			p = p.Make(moves[r.IntN(len(moves))])
		}
	}
	return requests[:n]
}

// Random games under all kinds of back-pressure, gaps and resets, counted and listed positions
// mixed.
func TestRandomGames(t *testing.T) {
	for i, c := range []struct {
		name   string
		listed float64
		bench  bench
	}{
		{"counts only", 0, bench{}},
		{"counts with gaps", 0, bench{gap: 0.5}},
		{"lists", 1, bench{}},
		{"few lists among counts", 0.1, bench{}},
		{"receiver busy at random", 0.8, bench{busy: 0.5, gap: 0.2}},
		{"receiver mostly busy", 0.8, bench{busy: 0.9}},
		{"receiver stops and goes", 0.5, bench{busy: 0.5, burst: true, gap: 0.1}},
		{"late positions", 0.9, bench{gap: 0.95}},
		{"resets in between", 0.5, bench{busy: 0.3, gap: 0.1, resets: 0.01}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := seeded(100 + uint64(i))
			requests := walks(t, r, 4000, func() bool { return r.Float64() < c.listed })
			sim.ForEach(t, movegen.Design, func(t *testing.T, d *dut) {
				b := c.bench
				b.r, b.afterward = seeded(200+uint64(i)), 300
				sim.Check(t, d, movegen.NewModel(), b.stimulus(share(d, requests, 60)))
			})
		})
	}
}

// Pieces anywhere, such as games hardly lead to, are counted, and listed in any order and through
// any filter.
func TestBoards(t *testing.T) {
	r := seeded(10)
	requests := make([]request, 200_000)
	for i := range requests {
		requests[i] = request{block.RandomBoard(r), r.IntN(4) > 0, movegen.Order(r.IntN(4)), movegen.Filter(r.IntN(4))}
	}
	sim.ForEach(t, movegen.Design, func(t *testing.T, d *dut) {
		sim.Check(t, d, movegen.NewModel(), bench{r: seeded(11), gap: 0.02, busy: 0.02, afterward: 300}.stimulus(share(d, requests, 60)))
	})
}

// record runs the requests and returns the inputs and what the RTL gave, without a model's
// opinion on either.
func record(t *testing.T, d *dut, b bench, requests []request) ([]movegen.In, []movegen.Out) {
	t.Helper()
	if err := d.Reset(3); err != nil {
		t.Fatal(err)
	}
	in := slices.Collect(b.stimulus(requests))
	out := make([]movegen.Out, len(in))
	if err := d.Run(in, out); err != nil {
		t.Fatal(err)
	}
	return in, out
}

// Counts keep one position a clock, and come CountLatency cycles later, whatever the positions.
func TestCountThroughput(t *testing.T) {
	requests := walks(t, seeded(2), 300, func() bool { return false })
	sim.ForEach(t, movegen.Design, func(t *testing.T, d *dut) {
		in, out := record(t, d, bench{r: seeded(3), afterward: movegen.CountLatency}, requests)
		if want := len(requests) + movegen.CountLatency; len(in) != want {
			t.Fatalf("%d positions took %d cycles, want %d", len(requests), len(in), want)
		}
		for i, o := range out {
			if want := i >= movegen.CountLatency; o.CountValid != want || !o.PosReady {
				t.Fatalf("cycle %d: count_valid_o is %v, pos_ready_o %v; want %v, true", i, o.CountValid, o.PosReady, want)
			}
			if i < movegen.CountLatency {
				continue
			}
			p := requests[i-movegen.CountLatency].position
			if want := p.Count(); int(o.Count) != want || o.CountCheck != p.InCheck() {
				t.Errorf("%s: count_o is %d, check %v; want %d, %v", p.FEN(), o.Count, o.CountCheck, want, p.InCheck())
			}
		}
	})
}

// A list comes one move a clock from MoveLatency on, and lists that wait behind one another have no
// gap between them.
func TestListThroughput(t *testing.T) {
	var requests []request
	beats := 0
	for _, q := range walks(t, seeded(4), 1000, func() bool { return true }) {
		if n := q.beats(); n >= 3 && len(requests) < 40 {
			requests = append(requests, q)
			beats += n
		}
	}
	sim.ForEach(t, movegen.Design, func(t *testing.T, d *dut) {
		_, out := record(t, d, bench{r: seeded(5), afterward: 500}, requests)
		for i, o := range out {
			if want := i >= movegen.MoveLatency && i < movegen.MoveLatency+beats; o.MoveValid != want {
				t.Fatalf("cycle %d: move_valid_o is %v, want %v: %d moves in a row from cycle %d on", i, o.MoveValid, want, beats, movegen.MoveLatency)
			}
		}
	})
}

// The last of N moves comes N + 8 cycles after an idle RTL takes the position, whatever the order
// and the filter.
func TestListLatency(t *testing.T) {
	requests := walks(t, seeded(8), 40, func() bool { return true })
	sim.ForEach(t, movegen.Design, func(t *testing.T, d *dut) {
		for _, q := range requests {
			n := q.beats()
			_, out := record(t, d, bench{r: seeded(9), afterward: n + 20}, []request{q})
			for i, o := range out {
				if want := i == n+8; (o.MoveValid && o.MoveLast) != want {
					t.Fatalf("%s, %v, %v: move_last_o is %v in cycle %d, want %v: there are %d moves", q.position.FEN(), q.order, q.filter, o.MoveLast, i, want, n)
				}
			}
		}
	})
}

// What the ports promise, checked on the RTL's outputs alone: nothing changes while the receiver
// is not ready, and each position taken gives one count and one list of so many moves, which are
// its legal moves, each once.
func TestProtocol(t *testing.T) {
	r := seeded(6)
	requests := walks(t, r, 2000, func() bool { return r.IntN(3) != 0 })
	sim.ForEach(t, movegen.Design, func(t *testing.T, d *dut) {
		b := bench{r: seeded(7), gap: 0.2, busy: 0.4, afterward: 700}
		in, out := record(t, d, b, share(d, requests, 60))
		var counting, listing []request
		seen := map[engine.Move]bool{}
		for i, o := range out {
			if i > 0 && out[i-1].MoveValid && !in[i-1].MoveReady {
				held := out[i-1]
				held.PosReady, held.CountValid, held.Count, held.CountCheck = o.PosReady, o.CountValid, o.Count, o.CountCheck
				if held != o {
					t.Fatalf("cycle %d: move fields changed from %+v to %+v while move_ready_i was 0", i, held, o)
				}
			}
			if o.CountValid {
				if len(counting) == 0 {
					t.Fatalf("cycle %d: a count, but no position is waiting for one", i)
				}
				p := counting[0].position
				if want := p.Count(); int(o.Count) != want {
					t.Fatalf("cycle %d: %s: count_o is %d, want %d", i, p.FEN(), o.Count, want)
				}
				counting = counting[1:]
			}
			if o.MoveValid && in[i].MoveReady {
				if len(listing) == 0 {
					t.Fatalf("cycle %d: a move, but no position is waiting for one", i)
				}
				p, filter := listing[0].position, listing[0].filter
				if !o.MoveNone {
					m := movegen.Decode(o, p.SideToMove())
					if seen[m] || !slices.Contains(p.AppendMoves(nil), m) || !filter.Passes(&p, m) {
						t.Fatalf("cycle %d: %s, %v: %v is listed twice, is not legal or does not pass", i, p.FEN(), filter, m)
					}
					seen[m] = true
				}
				if o.MoveLast {
					if want := listing[0].beats(); max(len(seen), 1) != want {
						t.Fatalf("cycle %d: %s, %v: the list ends after %d of %d moves", i, p.FEN(), filter, len(seen), want)
					}
					listing = listing[1:]
					clear(seen)
				}
			}
			if in[i].PosValid && o.PosReady {
				p, err := in[i].Position()
				if err != nil {
					t.Fatal(err)
				}
				q := request{p, in[i].PosList, in[i].PosOrder, in[i].PosFilter}
				counting = append(counting, q)
				if q.list {
					listing = append(listing, q)
				}
			}
		}
		if len(counting)+len(listing) != 0 {
			t.Fatalf("at the end %d counts and %d lists are missing", len(counting), len(listing))
		}
	})
}

// Encode, written out for a position of each colour.
func TestEncode(t *testing.T) {
	for _, c := range []struct {
		fen  string
		want movegen.In
	}{
		{"4k2r/8/8/3pP3/8/8/1N6/R3K3 w Qk d6 0 1", movegen.In{
			PosOwn: 1<<36 | 1<<9 | 1<<0 | 1<<4, PosPawns: 1<<35 | 1<<36, PosKnights: 1 << 9,
			PosRooks: 1<<0 | 1<<63, PosKings: 1<<4 | 1<<60, PosCastling: 2, PosEp: 1 << 3}},
		{"4k2r/8/8/8/3pP3/8/1N6/R3K3 b Qk e3 0 1", movegen.In{
			PosOwn: 1<<35 | 1<<7 | 1<<4, PosPawns: 1<<35 | 1<<36, PosKnights: 1 << 49,
			PosRooks: 1<<7 | 1<<56, PosKings: 1<<4 | 1<<60, PosCastling: 1, PosEp: 1 << 4}},
	} {
		p, err := engine.ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		got := movegen.Encode(&p)
		if back, err := got.Position(); err != nil || back != p {
			t.Errorf("%s: Position after Encode: %v, %v", c.fen, back, err)
		}
		if got = got.Ports(); got != c.want {
			t.Errorf("%s: encoded as %+v, want %+v", c.fen, got, c.want)
		}
		// Read off the ports, white is to move and the opponent's rights are gone: the moves are
		// the same in the view of the side to move.
		q, err := got.Position()
		if err != nil {
			t.Fatal(err)
		}
		if q.Count() != p.Count() {
			t.Errorf("%s: read off the ports it is %s with %d moves, want %d", c.fen, q.FEN(), q.Count(), p.Count())
		}
	}
}

// Ports that hold no position are an error of the model, not of the program.
func TestModelWithoutPosition(t *testing.T) {
	m := movegen.NewModel()
	m.Step(movegen.In{PosValid: true, PosList: true, PosKings: 3})
	if err := m.Err(); err == nil {
		t.Fatal("two kings side by side are taken for a position")
	}
	for i := 1; i <= movegen.MoveLatency; i++ {
		out := m.Step(movegen.In{MoveReady: true})
		if want := i == movegen.MoveLatency; out.MoveNone != want {
			t.Errorf("cycle %d: move_none_o is %v, want %v", i, out.MoveNone, want)
		}
	}
}

func ExampleEncode() {
	p := engine.StartPosition()
	in := movegen.Encode(&p)
	in.PosValid, in.PosList, in.MoveReady = true, true, true
	m := movegen.NewModel()
	for cycle := range 12 {
		out := m.Step(in)
		in.PosValid = false
		if out.CountValid {
			fmt.Println("cycle", cycle, "count", out.Count)
		}
		if out.MoveValid {
			fmt.Println("cycle", cycle, "move", movegen.Decode(out, p.SideToMove()))
		}
	}
	// Output:
	// cycle 6 count 20
	// cycle 9 move a2a3
	// cycle 10 move b1a3
	// cycle 11 move b2b3
}

// The model must keep up with the RTL in Verilator: nanoseconds a cycle, lists and counts of
// random games.
func BenchmarkModel(b *testing.B) {
	for _, listed := range []bool{true, false} {
		b.Run(fmt.Sprintf("list=%v", listed), func(b *testing.B) {
			var in []movegen.In
			for i := range (bench{r: seeded(400)}).stimulus(walks(b, seeded(401), 2000, func() bool { return listed })) {
				in = append(in, i)
			}
			m := movegen.NewModel()
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				m.Step(in[i%len(in)])
			}
		})
	}
}

// The RTL and the model, compared: nanoseconds a cycle.
func BenchmarkCompare(b *testing.B) {
	for _, s := range sim.Simulators {
		b.Run(string(s), func(b *testing.B) {
			d := sim.OpenTest[movegen.In, movegen.Out](b, movegen.Design, s)
			in := slices.Collect(bench{r: seeded(402)}.stimulus(walks(b, seeded(403), 2000, func() bool { return true })))
			b.ResetTimer()
			for done := 0; done < b.N; done += len(in) {
				if err := sim.Compare(d, movegen.NewModel(), slices.Values(in[:min(len(in), b.N-done)])); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
