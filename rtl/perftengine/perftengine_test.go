package perftengine_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/rtl/perftengine"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors/perft"
)

type dut = sim.DUT[perftengine.In, perftengine.Out]

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(sim.Seed(), n)) }

func parse(t testing.TB, fen string) engine.Position {
	t.Helper()
	p, err := engine.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const (
	start   = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	kiwi    = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
	mate    = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
	stale   = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
	oneMove = "8/8/8/8/3k4/8/1q6/K7 w - - 0 1"
	// Petrovic's 218 moves, many of which end the game.
	most = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"
)

// wellKnown are the six positions that move generators are commonly tested with.
var wellKnown = []string{
	start,
	kiwi,
	"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
	"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
	"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
	"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
}

// narrow are positions of blocked pawns, whose trees are small even at depth 15.
var narrow = []string{
	"1k6/1p1p2p1/pP1P2P1/P7/8/2p2p1p/2P2P1P/6K1 w - - 0 1",
	"1k6/p1p1p3/P1P1Pp2/1p3P2/1P5p/3p2pP/3P2P1/7K w - - 0 1",
}

// published is what others count.
func published(t testing.TB, fen string, depth int) uint64 {
	t.Helper()
	for _, e := range perft.Suites() {
		if e.FEN == fen {
			for _, c := range e.Counts {
				if c.Depth == depth {
					return c.Nodes
				}
			}
		}
	}
	t.Fatalf("vectors/perft has no count of depth %d for %s", depth, fen)
	return 0
}

// job is what the engine is asked for.
type job struct {
	position engine.Position
	depth    int
	divide   bool
}

// bench makes stimulus: jobs, and what else happens at the ports.
type bench struct {
	r      *rand.Rand
	gap    float64 // share of cycles, while the engine is free, in which no job is offered
	busy   float64 // share of cycles in which the receiver of the root moves is not ready
	burst  bool    // the receiver stops and goes in runs of cycles instead
	aborts float64 // share of cycles with an abort
	resets float64 // share of cycles with a reset
}

// seen counts what a stimulus came by.
type seen struct{ done, aborted, reset, refused, backToBack, held int }

// stimulus offers each job until the model takes it. The next one may be offered long before
// the engine is free.
func (b bench) stimulus(jobs []job) (in []perftengine.In, s seen) {
	m := perftengine.NewModel()
	offering, stopped := false, false
	for idle := 0; idle < 20; {
		var i perftengine.In
		if offering = len(jobs) > 0 && (offering || b.r.Float64() >= b.gap); offering {
			i = perftengine.Job(&jobs[0].position, jobs[0].depth, jobs[0].divide)
		}
		if !b.burst || b.r.Float64() < 0.05 {
			stopped = b.r.Float64() < b.busy
		}
		i.DivReady = !stopped
		i.Abort = b.r.Float64() < b.aborts
		i.Rst = b.r.Float64() < b.resets
		in = append(in, i)
		o := m.Step(i)
		switch {
		case !o.JobReady || !offering:
		case i.Abort || i.Rst:
			s.refused++
		default:
			jobs, offering = jobs[1:], false
			if o.Done {
				s.backToBack++
			}
		}
		switch {
		case o.Done:
			s.done++
		case o.Busy && i.Rst:
			s.reset++
		case o.Busy && i.Abort:
			s.aborted++
		}
		if o.DivValid && stopped {
			s.held++
		}
		idle++
		if o.Busy || len(jobs) > 0 {
			idle = 0
		}
	}
	return in, s
}

// edges are jobs at the ends of what there can be.
func edges(t testing.TB) (jobs []job) {
	for _, fen := range []string{mate, stale, oneMove, narrow[0], most} {
		p := parse(t, fen)
		for depth := range 4 {
			if depth == 3 && fen == most {
				continue // for others
			}
			jobs = append(jobs, job{p, depth, false}, job{p, depth, true})
		}
	}
	return jobs
}

// random jobs: positions of random games from golden ones on, as deep as a budget of counted
// positions allows.
func random(t testing.TB, r *rand.Rand, n int, budget uint64) (jobs []job) {
	suite := perft.Suites()
	for len(jobs) < n {
		p := suite[r.IntN(len(suite))].Position
		for range r.IntN(20) {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			p = p.Make(moves[r.IntN(len(moves))])
		}
		depth := r.IntN(2)
		for depth < perftengine.MaxDepth && engine.Perft(&p, depth) <= budget && r.IntN(6) > 0 {
			depth++
		}
		jobs = append(jobs, job{p, depth, r.IntN(2) > 0})
	}
	return jobs
}

// The known positions, plain and divided, every output in every cycle: to depth 4, or to as many
// nodes as Icarus walks in a second or two. TestPublished walks all to depth 3 there.
func TestWellKnown(t *testing.T) {
	sim.ForEach(t, perftengine.Design, func(t *testing.T, d *dut) {
		most := uint64(10_000_000) // nodes: all to depth 4
		if d.Simulator() == sim.Icarus {
			most = 10_000
		}
		var jobs []job
		for i, fen := range wellKnown {
			for depth := range 5 {
				if depth > 0 && published(t, fen, depth) > most {
					break
				}
				jobs = append(jobs, job{parse(t, fen), depth, i%2 == depth%2})
			}
		}
		in, s := bench{r: seeded(1)}.stimulus(jobs)
		if s.backToBack != len(jobs)-1 {
			t.Errorf("%d of %d jobs were taken in the cycle in which the one before was done", s.backToBack, len(jobs)-1)
		}
		sim.Check(t, d, perftengine.NewModel(), slices.Values(in))
	})
}

// Jobs of all sorts under all kinds of back-pressure, gaps, aborts and resets, every output in
// every cycle.
func TestJobs(t *testing.T) {
	for i, c := range []struct {
		name  string
		bench bench
		check func(s seen, jobs int) bool
	}{
		{"back to back", bench{}, func(s seen, jobs int) bool { return s.done == jobs && s.backToBack == jobs-1 }},
		{"gaps", bench{gap: 0.98}, func(s seen, jobs int) bool { return s.done == jobs }},
		{"receiver busy at random", bench{busy: 0.5}, func(s seen, _ int) bool { return s.held > 100 }},
		{"receiver mostly busy", bench{busy: 0.97}, func(s seen, _ int) bool { return s.held > 1000 }},
		{"receiver stops and goes", bench{busy: 0.8, burst: true, gap: 0.5}, func(s seen, _ int) bool { return s.held > 100 }},
		{"aborts", bench{aborts: 0.01, busy: 0.3, gap: 0.5}, func(s seen, _ int) bool { return s.aborted > 10 }},
		{"frequent aborts", bench{aborts: 0.1, gap: 0.2}, func(s seen, _ int) bool { return s.aborted > 20 && s.refused > 0 }},
		{"resets", bench{resets: 0.01, aborts: 0.003, busy: 0.3, gap: 0.5}, func(s seen, _ int) bool { return s.reset > 10 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := seeded(100 + uint64(i))
			few := slices.Concat(edges(t)[:30], random(t, r, 4, 50))
			many := slices.Concat(few, random(t, r, 100, 3000))
			sim.ForEach(t, perftengine.Design, func(t *testing.T, d *dut) {
				jobs := many
				if d.Simulator() == sim.Icarus {
					jobs = few
				}
				b := c.bench
				b.r = seeded(200 + uint64(i))
				in, s := b.stimulus(jobs)
				if d.Simulator() == sim.Verilator && !c.check(s, len(jobs)) {
					t.Errorf("the stimulus is not what it is meant to be: %+v of %d jobs in %d cycles", s, len(jobs), len(in))
				}
				sim.Check(t, d, perftengine.NewModel(), slices.Values(in))
			})
		})
	}
}

// Jobs of positions with pieces anywhere, such as games hardly lead to, two plies deep and more.
func TestBoards(t *testing.T) {
	r := seeded(10)
	var jobs []job
	for nodes := uint64(0); nodes < 100_000; {
		p := block.RandomBoard(r)
		depth := 2 + r.IntN(5)/2
		for depth > 2 && engine.Perft(&p, depth-1) > 300 {
			depth--
		}
		jobs = append(jobs, job{p, depth, r.IntN(4) == 0})
		nodes += engine.Perft(&p, depth-1)
	}
	sim.ForEach(t, perftengine.Design, func(t *testing.T, d *dut) {
		jobs := jobs
		if d.Simulator() == sim.Icarus {
			jobs = jobs[:10]
		}
		in, _ := bench{r: seeded(11), busy: 0.05}.stimulus(jobs)
		sim.Check(t, d, perftengine.NewModel(), slices.Values(in))
		t.Logf("%d jobs in %d cycles", len(jobs), len(in))
	})
}

// sparse returns a position of few pieces, anywhere: deep trees of it are small.
func sparse(r *rand.Rand) engine.Position {
	for {
		s := engine.Setup{SideToMove: engine.Color(r.IntN(2)), Fullmove: 1}
		var taken uint64
		put := func(k engine.Piece, c engine.Color) {
			square := r.IntN(64)
			for taken>>square&1 != 0 || k == engine.Pawn && (square < 8 || square >= 56) {
				square = r.IntN(64)
			}
			s.Put(k, c, engine.Square(square))
			taken |= 1 << square
		}
		for _, c := range []engine.Color{engine.White, engine.Black} {
			put(engine.King, c)
			for range r.IntN(3) {
				put([]engine.Piece{engine.Pawn, engine.Knight, engine.Bishop, engine.Rook, engine.Queen}[r.IntN(5)], c)
			}
		}
		if p, err := s.Position(); err == nil {
			return p
		}
	}
}

// Jobs so deep that positions wait on the stack while others of their ply are listed, with few
// pieces that stand on each square once: a position must not be written over before its last move
// has been made.
func TestDeep(t *testing.T) {
	r := seeded(12)
	var jobs []job
	for nodes := uint64(0); nodes < 200_000; {
		p, depth := sparse(r), 3
		for depth < 7 && engine.Perft(&p, depth) <= 2000 {
			depth++
		}
		if depth < 4 {
			continue
		}
		jobs = append(jobs, job{p, depth, r.IntN(4) == 0})
		nodes += engine.Perft(&p, depth-1)
	}
	sim.ForEach(t, perftengine.Design, func(t *testing.T, d *dut) {
		jobs := jobs
		if d.Simulator() == sim.Icarus {
			jobs = jobs[:3]
		}
		in, _ := bench{r: seeded(13), busy: 0.05}.stimulus(jobs)
		sim.Check(t, d, perftengine.NewModel(), slices.Values(in))
		t.Logf("%d jobs in %d cycles", len(jobs), len(in))
	})
}

// An abort in each cycle of a job, and a whole job after it.
func TestAbortAnywhere(t *testing.T) {
	p, after := parse(t, oneMove), parse(t, narrow[0])
	for _, divide := range []bool{false, true} {
		t.Run(fmt.Sprintf("divide=%v", divide), func(t *testing.T) {
			offer := perftengine.Job(&p, 4, divide)
			offer.DivReady = true
			whole, _ := bench{r: seeded(2)}.stimulus([]job{{p, 4, divide}})
			next, _ := bench{r: seeded(3)}.stimulus([]job{{after, 3, divide}})
			sim.ForEach(t, perftengine.Design, func(t *testing.T, d *dut) {
				step := 1
				if d.Simulator() == sim.Icarus {
					step = 7
				}
				var in []perftengine.In
				for at := 0; at < len(whole); at += step {
					in = append(in, whole[:at]...)
					in = append(in, perftengine.In{Abort: true, DivReady: at%2 > 0})
					in = append(in, next...)
				}
				sim.Check(t, d, perftengine.NewModel(), slices.Values(in))
			})
		})
	}
}

// The deepest jobs, of narrow trees.
func TestMaxDepth(t *testing.T) {
	var jobs []job
	for _, fen := range narrow {
		for depth := 4; depth <= perftengine.MaxDepth; depth++ {
			jobs = append(jobs, job{parse(t, fen), depth, depth%2 > 0})
		}
	}
	sim.ForEach(t, perftengine.Design, func(t *testing.T, d *dut) {
		jobs := jobs
		if d.Simulator() == sim.Icarus {
			jobs = []job{{parse(t, narrow[1]), 11, true}}
		}
		in, _ := bench{r: seeded(4)}.stimulus(jobs)
		sim.Check(t, d, perftengine.NewModel(), slices.Values(in))
	})
}

// open is the engine in a simulator, for a test.
func open(t testing.TB, s sim.Simulator) *perftengine.Engine {
	t.Helper()
	e, err := perftengine.Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

var publishedDepth = flag.Int("published.depth", 5, "depth of TestPublished in Verilator, in plies: 5 takes seconds, 6 minutes")

// The counts that others have published, with nothing of ours but the RTL.
func TestPublished(t *testing.T) {
	for s, depth := range map[sim.Simulator]int{sim.Verilator: *publishedDepth, sim.Icarus: 3} {
		t.Run(string(s), func(t *testing.T) {
			e := open(t, s)
			for _, fen := range wellKnown {
				p := parse(t, fen)
				r, err := e.Run(t.Context(), &p, depth, false)
				if err != nil {
					t.Fatal(err)
				}
				if want := published(t, fen, depth); r.Nodes != want {
					t.Errorf("%s: perft %d is %d, want %d", fen, depth, r.Nodes, want)
				}
				t.Logf("%s: perft %d = %d in %d cycles", fen, depth, r.Nodes, r.Cycles)
			}
		})
	}
}

// Counts by root move are those of the engine.
func TestDivide(t *testing.T) {
	for _, s := range sim.Simulators {
		t.Run(string(s), func(t *testing.T) {
			e := open(t, s)
			jobs := append(edges(t), random(t, seeded(5), 60, 1000)...)
			if s == sim.Icarus {
				jobs = jobs[:20]
			}
			for _, j := range jobs {
				got, err := e.Run(t.Context(), &j.position, j.depth, true)
				if err != nil {
					t.Fatal(err)
				}
				if want := engine.Perft(&j.position, j.depth); got.Nodes != want {
					t.Errorf("%s: perft %d is %d, want %d", j.position.FEN(), j.depth, got.Nodes, want)
				}
				want := []engine.RootCount{}
				if j.depth > 0 {
					if want, err = engine.Divide(t.Context(), &j.position, j.depth, 1); err != nil {
						t.Fatal(err)
					}
				}
				if diff := cmp.Diff(want, got.Divide, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%s: divide %d, engine to RTL:\n%s", j.position.FEN(), j.depth, diff)
				}
			}
		})
	}
}

// What this engine is for: about one clock for each position whose moves are counted.
func TestThroughput(t *testing.T) {
	e := open(t, sim.Verilator)
	for _, c := range []struct {
		fen   string
		depth int
		most  float64 // cycles a counted position
	}{
		{start, 5, 1.10},
		{kiwi, 4, 1.05},
	} {
		p := parse(t, c.fen)
		r, err := e.Run(t.Context(), &p, c.depth, false)
		if err != nil {
			t.Fatal(err)
		}
		ratio := float64(r.Cycles) / float64(published(t, c.fen, c.depth-1))
		t.Logf("%s: perft %d = %d in %d cycles: %.3f a counted position, %.1f leaves a clock", c.fen, c.depth, r.Nodes, r.Cycles,
			ratio, float64(r.Nodes)/float64(r.Cycles))
		if ratio > c.most {
			t.Errorf("%s: perft %d takes %.3f cycles a counted position, more than %.3f", c.fen, c.depth, ratio, c.most)
		}
	}
}

// ending is a context that ends when it has been asked so many times. After a time it would end in
// another cycle in each run.
type ending struct {
	context.Context
	asks int
}

func (e *ending) Err() error {
	if e.asks--; e.asks < 0 {
		return errors.New("enough")
	}
	return nil
}

// A context that ends stops a job, and the engine goes on with the next.
func TestRunCancelled(t *testing.T) {
	e := open(t, sim.Verilator)
	p := parse(t, kiwi)
	ctx := &ending{Context: context.Background(), asks: 100}
	if _, err := e.Run(ctx, &p, 9, true); err == nil || err.Error() != "enough" {
		t.Fatalf("a cancelled job ends with %v", err)
	}
	r, err := e.Run(t.Context(), &p, 3, false)
	if err != nil {
		t.Fatal(err)
	}
	if want := published(t, kiwi, 3); r.Nodes != want {
		t.Errorf("after a cancelled job perft 3 is %d, want %d", r.Nodes, want)
	}
}

// What cannot be asked for is refused.
func TestRunRefuses(t *testing.T) {
	e := open(t, sim.Icarus)
	if _, err := e.Run(t.Context(), new(engine.Position), 1, false); err == nil || !strings.Contains(err.Error(), "empty board") {
		t.Errorf("the zero Position: %v", err)
	}
	p := parse(t, start)
	for _, depth := range []int{-1, perftengine.MaxDepth + 1} {
		if _, err := e.Run(t.Context(), &p, depth, false); err == nil || !strings.Contains(err.Error(), "from 0 to 15 plies") {
			t.Errorf("depth %d: %v", depth, err)
		}
	}
}

// A job whose ports hold what did not come from Job is an error of the model.
func TestModelWithoutPosition(t *testing.T) {
	m := perftengine.NewModel()
	m.Step(perftengine.In{JobValid: true, JobDepth: 2})
	if m.Err() == nil {
		t.Error("no error")
	}
}

func ExampleRun() {
	p := engine.StartPosition()
	r, err := perftengine.Run(context.Background(), sim.Verilator, &p, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("perft 3:", r.Nodes)
	fmt.Println(len(r.Divide), "root moves, the first:", r.Divide[0].Move, r.Divide[0].Nodes)
	// Output:
	// perft 3: 8902
	// 20 root moves, the first: a2a3 380
}
