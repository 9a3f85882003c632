package search

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cosimate/cosimate/engine"
)

// position parses a FEN record.
func position(t testing.TB, fen string) engine.Position {
	t.Helper()
	p, err := engine.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// randomPositions are positions of random games, one of each.
func randomPositions(seed uint64, n int) (list []engine.Position) {
	r := rand.New(rand.NewPCG(seed, 0))
	for len(list) < n {
		p := engine.StartPosition()
		for range 8 + r.IntN(70) {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			p = p.Make(moves[r.IntN(len(moves))])
		}
		if p.Count() > 0 {
			list = append(list, p)
		}
	}
	return list
}

// find searches a position.
func find(t testing.TB, o Options, p engine.Position, l Limits) Result {
	t.Helper()
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Search(t.Context(), Game{Start: p}, l, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A position's key does not depend on the way to it.
func TestKeyIsKept(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		p := engine.StartPosition()
		pieces := piecesKey(&p)
		for range 150 {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[r.IntN(len(moves))]
			pieces ^= moveKey(m, p.SideToMove())
			p = p.Make(m)
			if pieces != piecesKey(&p) {
				t.Fatalf("after %v, %s: the pieces' key is not kept", m, p.FEN())
			}
		}
	}
}

// Positions are the same only if the same moves are possible (FIDE article 9.2.3).
func TestKeyEnPassant(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"no pawn beside it", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1", true},
		{"a pawn can capture", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1", false},
		{"the pawn is pinned", "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1", true},
		{"the pawn is pinned, and the king can capture", "8/8/8/1P6/k2pP2R/8/8/4K3 b - e3 0 1", "8/8/8/1P6/k2pP2R/8/8/4K3 b - - 0 1", true},
		{"castling is left", "4k2r/8/8/8/8/8/8/4K3 b k - 0 1", "4k2r/8/8/8/8/8/8/4K3 b - - 0 1", false},
	} {
		a, b := position(t, c.a), position(t, c.b)
		if same := Key(&a) == Key(&b); same != c.same {
			t.Errorf("%s: same key: %v", c.name, same)
		}
	}
}

func TestWins(t *testing.T) {
	for _, c := range []struct {
		name, fen, move string
		gain            int
	}{
		{"pawn for nothing", "4k3/8/8/4p3/8/8/8/K3R3 w - - 0 1", "e1e5", 100},
		{"rook for a defended pawn", "4k3/8/3p4/4p3/8/8/8/K3R3 w - - 0 1", "e1e5", 100 - 500},
		{"pawn takes a defended knight", "4k3/8/3p4/4n3/3P4/8/8/K7 w - - 0 1", "d4e5", 320 - 100},
		{"a rook behind the rook", "4k3/8/3p4/4p3/8/8/4R3/K3R3 w - - 0 1", "e2e5", 100 - 500 + 100},
		{"the king cannot recapture", "8/8/4k3/4p3/8/8/4R3/K3R3 w - - 0 1", "e2e5", 100},
		{"the king recaptures", "8/8/4k3/4p3/8/8/4R3/K7 w - - 0 1", "e2e5", 100 - 500},
		{"rooks behind the rooks", "4r1k1/4r3/8/4p3/8/8/4R3/K3R3 w - - 0 1", "e2e5", 100 - 500},
		{"en passant", "4k3/8/8/3pP3/8/8/8/K7 w - d6 0 1", "e5d6", 100},
		{"quiet, to a guarded square", "6k1/8/3p4/8/8/8/8/K3R3 w - - 0 1", "e1e5", -500},
		{"castling", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0},
	} {
		p := position(t, c.fen)
		moves := p.AppendMoves(nil)
		i := slices.IndexFunc(moves, func(m engine.Move) bool { return m.String() == c.move })
		if i < 0 {
			t.Fatalf("%s: %s is not legal", c.name, c.move)
		}
		if !wins(&p, moves[i], c.gain) || wins(&p, moves[i], c.gain+1) {
			t.Errorf("%s: %s does not gain just %d", c.name, c.move, c.gain)
		}
	}
}

// Lists come in the orders that their names say.
func TestOrders(t *testing.T) {
	g := &Generator{Ordered: true}
	for _, p := range randomPositions(2, 100) {
		if err := g.Load(&p); err != nil {
			t.Fatal(err)
		}
		for o := Plain; o <= MostAggressor; o++ {
			for _, f := range []Filter{All, Captures} {
				moves, err := g.List(nil, o, f)
				if err != nil {
					t.Fatal(err)
				}
				want := p.AppendMoves(nil)
				if f == Captures {
					want = slices.DeleteFunc(want, quiet)
				}
				if len(moves) != len(want) {
					t.Fatalf("%s, %v: %d moves, want %d", p.FEN(), o, len(moves), len(want))
				}
				for i, m := range moves {
					if !slices.Contains(want, m) {
						t.Fatalf("%s: %v is not legal", p.FEN(), m)
					}
					if i == 0 {
						continue
					}
					before := moves[i-1]
					if o != Plain && before.Captured == engine.NoPiece && m.Captured != engine.NoPiece {
						t.Errorf("%s, %v: %v comes after %v", p.FEN(), o, m, before)
					}
					if o >= LeastAggressor && m.Captured > before.Captured {
						t.Errorf("%s, %v: the victim of %v comes after that of %v", p.FEN(), o, m, before)
					}
					if o >= LeastAggressor && m.Captured != engine.NoPiece && m.To == before.To && m.Captured == before.Captured &&
						m.Piece != before.Piece && (m.Piece < before.Piece) != (o == MostAggressor) {
						t.Errorf("%s, %v: the aggressor of %v comes after that of %v", p.FEN(), o, m, before)
					}
				}
			}
		}
	}
}

func TestMates(t *testing.T) {
	for _, c := range []struct {
		name, fen string
		mate      int
		move      string
	}{
		{"back rank", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1, "a1a8"},
		{"in two", "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", 2, ""},
		{"mated in one", "7k/R7/8/8/8/8/8/1R2K3 b - - 0 1", -1, "h8g8"},
		{"a mate that is smothered", "r6k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1", 2, "c4g8"},
	} {
		for _, f := range []Features{AllFeatures, AllFeatures &^ (Table | TableMove), AllFeatures &^ NullMove} {
			r := find(t, Options{Features: f}, position(t, c.fen), Limits{Depth: 8})
			if MateIn(r.Value) != c.mate || c.move != "" && r.Moves[0].String() != c.move {
				t.Errorf("%s with %v: %v, mate in %d", c.name, f, r.Moves, MateIn(r.Value))
			}
		}
	}
}

// A mate by captures that are worth little is seen soon: Win at Chess, position 1.
func TestMatesByCaptures(t *testing.T) {
	p := position(t, "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1")
	r := find(t, Options{Features: AllFeatures}, p, Limits{Depth: 4})
	if MateIn(r.Value) != 2 || r.Moves[0].String() != "g3g6" {
		t.Errorf("a mate by capturing a pawn: %v, value %d", r.Moves, r.Value)
	}
}

// A side that is better does not repeat, and one that is worse does.
func TestRepetition(t *testing.T) {
	// White is a rook down, about to be mated, and checks for ever on e8 and h5.
	p := position(t, "6k1/6p1/8/8/8/1q6/r5PP/4Q2K w - - 0 1")
	r := find(t, Options{Features: AllFeatures}, p, Limits{Depth: 10})
	if r.Value != 0 || r.Moves[0].String() != "e1e8" {
		t.Errorf("perpetual check: %v, value %d", r.Moves, r.Value)
	}
	// With king and queen against king, moves that come back to a position seen twice are not made.
	start := position(t, "8/8/8/3k4/8/8/1Q6/K7 w - - 0 1")
	g := Game{Start: start}
	for _, m := range []string{"b2b1", "d5d6", "b1b2", "d6d5", "b2b1", "d5d6"} {
		now := g.Position()
		moves := now.AppendMoves(nil)
		i := slices.IndexFunc(moves, func(x engine.Move) bool { return x.String() == m })
		g.Moves = append(g.Moves, moves[i])
	}
	e, err := New(Options{Features: AllFeatures})
	if err != nil {
		t.Fatal(err)
	}
	r, err = e.Search(t.Context(), g, Limits{Nodes: 5000}, nil)
	if err != nil || r.Value < wonEndgame/2 {
		t.Errorf("%v, value %d, %v", r.Moves, r.Value, err)
	}
}

func TestFiftyMoves(t *testing.T) {
	// Mate in one counts at the hundredth ply; anything else is a draw.
	p := position(t, "7k/5K2/8/8/8/8/8/6R1 w - - 99 80")
	if r := find(t, Options{Features: AllFeatures}, p, Limits{Depth: 4}); MateIn(r.Value) != 1 {
		t.Errorf("mate at the hundredth ply: %v, value %d", r.Moves, r.Value)
	}
	p = position(t, "7k/8/5K2/8/8/8/8/R7 w - - 99 80")
	if r := find(t, Options{Features: AllFeatures}, p, Limits{Depth: 6}); r.Value != 0 {
		t.Errorf("no mate before the hundredth ply: %v, value %d", r.Moves, r.Value)
	}
}

// The same options and limits give the same result.
func TestDeterminism(t *testing.T) {
	for _, p := range randomPositions(3, 10) {
		a := find(t, Options{Features: AllFeatures}, p, Limits{Nodes: 5000})
		b := find(t, Options{Features: AllFeatures}, p, Limits{Nodes: 5000})
		if a.Value != b.Value || a.Nodes != b.Nodes || !slices.Equal(a.Moves, b.Moves) {
			t.Errorf("%s: %v (%d, %d nodes) and %v (%d, %d nodes)", p.FEN(), a.Moves, a.Value, a.Nodes, b.Moves, b.Value, b.Nodes)
		}
	}
}

// All that is reported is legal, with one thread and with several, and goes deeper and deeper.
func TestLinesAreLegal(t *testing.T) {
	for i, p := range randomPositions(4, 30) {
		e, err := New(Options{Features: AllFeatures, Threads: 1 + i%3, MultiPV: 1 + i%4, Hash: 1 << 18})
		if err != nil {
			t.Fatal(err)
		}
		deepest := map[int]int{} // by rank
		check := func(l Line) {
			if l.Depth < deepest[l.Rank] {
				t.Errorf("%s: line %d of depth %d after that of depth %d", p.FEN(), l.Rank, l.Depth, deepest[l.Rank])
			}
			deepest[l.Rank] = l.Depth
			now := p
			for _, m := range l.Moves {
				if !slices.Contains(now.AppendMoves(nil), m) {
					t.Errorf("%s: %v of %v is not legal", p.FEN(), m, l.Moves)
					return
				}
				now = now.Make(m)
			}
		}
		r, err := e.Search(t.Context(), Game{Start: p}, Limits{Nodes: 3000}, check)
		if err != nil {
			t.Fatal(err)
		}
		var first []string
		for j, l := range r.Lines {
			check(l)
			if s := l.Moves[0].String(); slices.Contains(first, s) {
				t.Errorf("%s: %s is listed twice", p.FEN(), s)
			} else {
				first = append(first, s)
			}
			if j > 0 && l.Value > r.Lines[j-1].Value {
				t.Errorf("%s: line %d is better than the one before", p.FEN(), j+1)
			}
		}
	}
}

// paused is a source of moves that stops at one of its lists, and notes what comes then.
type paused struct {
	Generator
	left    int           // lists until then
	stopped chan struct{} // closed when it stops
	on      chan struct{} // closed to let it go on
	plies   int           // from the root
	makes   int           // moves made since, until it was at the root again
	next    engine.Move   // the first one made there
	done    func()        // called with it
}

func (s *paused) List(dst []engine.Move, o Order, f Filter) ([]engine.Move, error) {
	if s.left--; s.left == 0 {
		close(s.stopped)
		<-s.on
	}
	return s.Generator.List(dst, o, f)
}

func (s *paused) Make(m engine.Move) error {
	switch {
	case s.done == nil || s.left > 0 || s.next != engine.Move{}:
	case s.plies == 0:
		s.next = m
		s.done()
	default:
		s.makes++
	}
	s.plies++
	return s.Generator.Make(m)
}

func (s *paused) Null() error {
	s.plies++
	return s.Generator.Null()
}

func (s *paused) Unmake() error {
	s.plies--
	return s.Generator.Unmake()
}

// A thread leaves an iteration that another has completed, and goes on with what that has found. It
// is held up after three iterations for as long as the other takes for ten.
func TestThreadsShare(t *testing.T) {
	p := position(t, "r1brnbk1/ppq2pp1/4p2p/4N3/3P4/P1PB1Q2/3B1PPP/R3R1K1 w - - 0 1")
	count := &paused{}
	early := find(t, Options{Features: AllFeatures, Source: func() (Moves, error) { return count, nil }}, p, Limits{Depth: 3}).Moves[0]
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	behind := &paused{left: 1 - count.left, stopped: make(chan struct{}), on: make(chan struct{}), done: cancel}
	e := newHeld(t, behind, &late{held{wait: func(engine.Move, int) {}}, behind.stopped})
	var best engine.Move
	_, err := e.Search(ctx, Game{Start: p}, Limits{}, func(l Line) {
		if l.Depth >= 10 && l.Bound == Exact && best == (engine.Move{}) {
			best = l.Moves[0]
			close(behind.on)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if behind.makes > 1 {
		t.Errorf("%d moves made in an iteration that another thread has completed", behind.makes)
	}
	if best == early {
		t.Fatalf("the position is of no use: %v is best at once", best)
	}
	if behind.next != best {
		t.Errorf("it goes on with %v, and the other thread has found %v", behind.next, best)
	}
}

// held is a source of moves that waits before moves are made.
type held struct {
	Generator
	plies int
	wait  func(m engine.Move, plies int)
}

func (s *held) Make(m engine.Move) error {
	s.wait(m, s.plies)
	s.plies++
	return s.Generator.Make(m)
}

func (s *held) Null() error {
	s.plies++
	return s.Generator.Null()
}

func (s *held) Unmake() error {
	s.plies--
	return s.Generator.Unmake()
}

// late is a source of moves of a thread that begins when others have come far.
type late struct {
	held
	on chan struct{}
}

func (s *late) List(dst []engine.Move, o Order, f Filter) ([]engine.Move, error) {
	<-s.on
	return s.held.List(dst, o, f)
}

// newHeld makes an engine of two threads, each with a source of its own.
func newHeld(t *testing.T, sources ...Moves) *Engine {
	t.Helper()
	e, err := New(Options{Features: AllFeatures, Threads: 2, Source: func() (m Moves, err error) {
		m, sources = sources[0], sources[1:]
		return m, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// untilStopped waits until a search is to end.
func (e *Engine) untilStopped() {
	for !e.stop.Load() {
		time.Sleep(100 * time.Microsecond)
	}
}

// A thread that begins late goes on with what the other has found. Stopped at its first move, it
// has nothing to say.
func TestThreadLate(t *testing.T) {
	p := position(t, "r1brnbk1/ppq2pp1/4p2p/4N3/3P4/P1PB1Q2/3B1PPP/R3R1K1 w - - 0 1")
	begins, ahead := &late{on: make(chan struct{})}, &held{}
	e := newHeld(t, begins, ahead)
	var first engine.Move
	begins.wait = func(m engine.Move, plies int) {
		if first == (engine.Move{}) {
			first = m
			e.Stop()
		}
	}
	var best Line
	ahead.wait = func(engine.Move, int) {
		if best.Depth > 0 {
			e.untilStopped()
		}
	}
	r, err := e.Search(t.Context(), Game{Start: p}, Limits{}, func(l Line) {
		if l.Depth >= 6 && l.Bound == Exact && best.Depth == 0 {
			best = l
			close(begins.on)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Moves) == 0 || r.Depth != best.Depth || r.Moves[0] != best.Moves[0] {
		t.Errorf("the result is %v of depth %d, and %v of depth %d was found", r.Moves, r.Depth, best.Moves, best.Depth)
	}
	if first != best.Moves[0] {
		t.Errorf("it begins with %v, and the other thread has found %v", first, best.Moves[0])
	}
}

// A thread that is ahead and stopped at its first move has found nothing better than what the other
// found meanwhile in an iteration less deep.
func TestThreadAhead(t *testing.T) {
	shown := 0
	for _, p := range randomPositions(5, 40) {
		other, ahead := &held{}, &held{}
		e := newHeld(t, other, ahead)
		var began atomic.Int32 // how deep all had searched when the thread ahead was held
		var old, best engine.Move
		other.wait = func(engine.Move, int) {}
		ahead.wait = func(m engine.Move, plies int) {
			depth := e.found.depth.Load()
			if plies == 0 && depth >= 3 && e.workers[1].depth == int(depth)+1+aheadPlies && began.Load() == 0 {
				old = m
				began.Store(depth)
				e.untilStopped()
			}
		}
		r, err := e.Search(t.Context(), Game{Start: p}, Limits{Depth: 20}, func(l Line) {
			if d := int(began.Load()); l.Bound == Exact && d > 0 && l.Depth == d+aheadPlies {
				best = l.Moves[0]
				e.Stop()
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if old == best || best == (engine.Move{}) {
			continue
		}
		shown++
		if len(r.Moves) == 0 || r.Moves[0] != best {
			t.Errorf("%s: the result is %v, and %v was found best", p.FEN(), r.Moves, best)
		}
	}
	if shown < 3 {
		t.Errorf("only %d positions are of use", shown)
	}
}

func TestStop(t *testing.T) {
	e, err := New(Options{Features: AllFeatures, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	r, err := e.Search(ctx, Game{Start: engine.StartPosition()}, Limits{}, nil)
	if err != nil || len(r.Moves) == 0 {
		t.Errorf("%v, %v", r.Moves, err)
	}
	// Stopped before it began, it has a legal move all the same.
	r, err = e.Search(ctx, Game{Start: engine.StartPosition()}, Limits{}, nil)
	if err != nil || len(r.Moves) == 0 {
		t.Errorf("stopped before it began: %v, %v", r.Moves, err)
	}
	mated := position(t, "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1")
	if _, err := e.Search(t.Context(), Game{Start: mated}, Limits{}, nil); !errors.Is(err, ErrNoMoves) {
		t.Errorf("a game that is over: %v", err)
	}
}

// broken is a source of moves that fails after some calls.
type broken struct {
	Generator
	left int
}

var errBroken = errors.New("the bus does not answer")

func (b *broken) List(dst []engine.Move, o Order, f Filter) ([]engine.Move, error) {
	if b.left--; b.left < 0 {
		return dst, errBroken
	}
	return b.Generator.List(dst, o, f)
}

func TestSourceFails(t *testing.T) {
	for _, left := range []int{0, 1, 10, 500} {
		o := Options{Features: AllFeatures, Source: func() (Moves, error) { return &broken{left: left}, nil }}
		e, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Search(t.Context(), Game{Start: engine.StartPosition()}, Limits{Depth: 12}, nil); !errors.Is(err, errBroken) {
			t.Errorf("after %d lists: %v", left, err)
		}
	}
}

func TestParseFeatures(t *testing.T) {
	for text, want := range map[string]Features{
		"all": AllFeatures, "none": 0, "": 0, "pvs,table": PVS | Table, "all,-null-move": AllFeatures &^ NullMove,
		AllFeatures.String(): AllFeatures,
	} {
		if f, err := ParseFeatures(text); err != nil || f != want {
			t.Errorf("%q: %v, %v", text, f, err)
		}
	}
	if _, err := ParseFeatures("pvs,late-moves"); err == nil {
		t.Error("late-moves is no feature")
	}
}

// The value of a position is that of the same with the colours exchanged.
func TestEvaluateIsSymmetric(t *testing.T) {
	for _, p := range randomPositions(5, 300) {
		q, err := p.Setup().Mirror().Position()
		if err != nil {
			t.Fatal(err)
		}
		if a, b := evaluate(&p), evaluate(&q); a != b {
			t.Errorf("%s: %d, mirrored %d", p.FEN(), a, b)
		}
	}
}

func TestBudget(t *testing.T) {
	for _, c := range []Clock{
		{Left: time.Minute}, {Left: time.Second, Increment: 10 * time.Millisecond}, {Left: 5 * time.Millisecond},
		{Left: time.Minute, MovesToGo: 1}, {Left: time.Minute, MovesToGo: 40}, {Left: time.Millisecond, Overhead: time.Second},
	} {
		soft, hard := c.budget()
		if soft <= 0 || soft > hard || hard > max(c.Left, time.Millisecond) {
			t.Errorf("%+v: %v, %v", c, soft, hard)
		}
	}
	if soft, hard := (Clock{}).budget(); soft != 0 || hard != 0 {
		t.Errorf("no clock: %v, %v", soft, hard)
	}
}
