package search

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cosimate/cosimate/engine"
)

// strict is a source of moves that allows what the interface allows, and no more. A search that
// breaks a rule gets an error, and fails.
type strict struct {
	Generator
	passed []bool // whether the moves made are null moves
}

func (s *strict) Load(p *engine.Position) error {
	s.passed = nil
	return s.Generator.Load(p)
}

func (s *strict) Make(m engine.Move) error {
	if p := s.Position(); !slices.Contains(p.AppendMoves(nil), m) {
		return fmt.Errorf("%s: %v is not legal", p.FEN(), m)
	}
	s.passed = append(s.passed, false)
	return s.Generator.Make(m)
}

func (s *strict) Null() error {
	p := s.Position()
	side := p.SideToMove()
	switch {
	case p.InCheck():
		return fmt.Errorf("%s: a null move in check", p.FEN())
	case p.Pieces(side) == p.Bitboard(side, engine.Pawn)|p.Bitboard(side, engine.King):
		return fmt.Errorf("%s: a null move of a side with pawns only, to which any move may harm", p.FEN())
	case len(s.passed) > 0 && s.passed[len(s.passed)-1]:
		return fmt.Errorf("%s: two null moves, which is none", p.FEN())
	}
	s.passed = append(s.passed, true)
	return s.Generator.Null()
}

func (s *strict) Unmake() error {
	if len(s.passed) == 0 {
		return errors.New("a move is taken back that was not made")
	}
	s.passed = s.passed[:len(s.passed)-1]
	return s.Generator.Unmake()
}

// TestMovesAreAllowed: of a source of moves, hardware perhaps, nothing is asked that the interface
// forbids, and each move is taken back.
func TestMovesAreAllowed(t *testing.T) {
	var s *strict
	e, err := New(Options{Features: AllFeatures, Hash: 1 << 18, Source: func() (Moves, error) { s = &strict{}; return s, nil }})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range append(randomPositions(41, 20), endgames(42, 30)...) {
		if _, err := e.Search(t.Context(), Game{Start: p}, Limits{Nodes: 4000}, nil); err != nil {
			t.Error(err)
		}
		if len(s.passed) != 0 || *s.Position() != p {
			t.Errorf("%s: %d moves were not taken back", p.FEN(), len(s.passed))
		}
	}
}

// The table gives back what was stored for a position, and nothing for another.
func TestTable(t *testing.T) {
	table := newTable(1) // one bucket
	r := rand.New(rand.NewPCG(1, 2))
	keys := []uint64{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
	for i, key := range keys[:4] {
		table.store(key, entry{move: packedMove(i + 1), value: int16(-300 * i), depth: int8(i + 4), bound: exact, pv: i%2 != 0})
	}
	for i, key := range keys[:4] {
		want := entry{packedMove(i + 1), int16(-300 * i), int8(i + 4), exact, table.age, i%2 != 0}
		if got, ok := table.probe(key); !ok || got != want {
			t.Errorf("%d: %+v, %v; want %+v", i, got, ok, want)
		}
	}
	if got, ok := table.probe(keys[4]); ok {
		t.Errorf("of a position that was not stored: %+v", got)
	}
	// A result without a move keeps the one that there was; a shallower bound is worth less.
	table.store(keys[1], entry{value: 7, depth: 9, bound: upper})
	if got, _ := table.probe(keys[1]); got.move != 2 || got.value != 7 || got.depth != 9 || got.bound != upper {
		t.Errorf("a deeper bound without a move: %+v", got)
	}
	table.store(keys[1], entry{move: 5, value: 8, depth: 2, bound: lower})
	if got, _ := table.probe(keys[1]); got.value != 7 {
		t.Errorf("a bound of depth 2 in the place of one of depth 9: %+v", got)
	}
	// What is shallow goes first, and what is of an older search before that.
	table.store(keys[4], entry{move: 9, depth: 8, bound: exact})
	if _, ok := table.probe(keys[0]); ok {
		t.Error("the shallowest is still there")
	}
	table.next()
	for _, key := range keys[1:4] {
		e, _ := table.probe(key)
		table.store(key, e) // used in this search
	}
	table.store(keys[0], entry{move: 1, depth: 0, bound: exact})
	if _, ok := table.probe(keys[4]); ok {
		t.Error("what an older search has left is still there")
	}
}

// A history goes up and down with what is learnt, and stays between its bounds.
func TestHistoryIsBounded(t *testing.T) {
	var h int16
	for _, bonus := range []int32{2400, -2400} {
		for range 100 {
			before := h
			if learn(&h, bonus); h != before && (h > before) != (bonus > 0) {
				t.Fatalf("a history of %d is %d after %d", before, h, bonus)
			}
		}
		if int32(h)*bonus <= 0 || h > historyMost || h < -historyMost {
			t.Errorf("a history of %d after hundred times %d", h, bonus)
		}
	}
}

// What searches find of a position corrects its value: towards it, and not beyond what is kept.
func TestCorrection(t *testing.T) {
	e := engineOf(t, AllFeatures)
	w := e.workers[0]
	for _, p := range randomPositions(81, 20) {
		if _, ok := known(&p); ok || p.InCheck() {
			continue
		}
		for _, by := range []int{150, -150} {
			w.forget()
			if err := w.load(&Game{Start: p}); err != nil {
				t.Fatal(err)
			}
			plain := evaluate(&p)
			for range 200 {
				w.stack[0].static = w.corrected(&p, 0)
				w.correct(0, 4, plain+by)
			}
			if got := w.corrected(&p, 0) - plain; got*by <= 0 || got > 150 || got < -150 {
				t.Errorf("%s: corrected by %d after searches that found %d more", p.FEN(), got, by)
			}
		}
	}
}

// A value that is kept is that of its position.
func TestEvaluationsAreKept(t *testing.T) {
	w := engineOf(t, AllFeatures).workers[0]
	for range 2 {
		for _, p := range randomPositions(82, 100) {
			if err := w.load(&Game{Start: p}); err != nil {
				t.Fatal(err)
			}
			// As if many positions had the same place.
			w.keys[0] &^= 1<<evaluationBits - 1
			if got, want := w.evaluate(&p), evaluate(&p); got != want {
				t.Errorf("%s: the value %d is kept as %d", p.FEN(), want, got)
			}
		}
	}
}

// What the table holds after a search is true: each entry's value is that of a minimax of its
// depth, or bounds it. To depth 3 no position comes at two depths.
func TestTableHoldsBounds(t *testing.T) {
	seen := map[bound]int{}
	for _, p := range endgames(51, 12) {
		e := engineOf(t, exactFeatures|Table|TableMove)
		r, err := e.Search(t.Context(), Game{Start: p}, Limits{Depth: 3}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var x minimax
		if want := x.value(&p, 3, 0); r.Value != want {
			t.Errorf("%s: value %d, minimax %d", p.FEN(), r.Value, want)
		}
		var walk func(p engine.Position, plies int)
		walk = func(p engine.Position, plies int) {
			if got, ok := e.table.probe(Key(&p)); ok {
				seen[got.bound]++
				want, v := x.value(&p, int(got.depth), 0), int(got.value)
				if got.bound != lower && v < want || got.bound != upper && v > want || got.bound == noBound {
					t.Errorf("%s: %+v, minimax %d", p.FEN(), got, want)
				}
			}
			if plies == 2 {
				return
			}
			for _, m := range p.AppendMoves(nil) {
				walk(p.Make(m), plies+1)
			}
		}
		walk(p, 0)
	}
	t.Logf("entries by bound: %v", seen)
	if seen[upper] < 100 || seen[lower] < 100 || seen[exact] < 10 {
		t.Errorf("too few entries: %v", seen)
	}
}

// A reduced move that turns out good is searched to its full depth. Its line ends a ply sooner.
// With a prize for that to who makes it, each reduced move looks good, but not so good that it is
// searched deeper than others. So each is searched again, and the values are those without
// reductions. To depth 3 only moves of the root are reduced. To depth 4 the replies are, and two
// moves of the root are too few for one of them to be. Values of few kinds would hide a reply that
// is not searched again: both moves of the root would come to the same one anyway.
func TestReductionsAreVerified(t *testing.T) {
	const prize = 40
	for _, p := range randomPositions(61, 20) {
		root := 2*p.Fullmove() + int(p.SideToMove())
		all := p.AppendMoves(nil)
		for _, c := range []struct {
			depth int
			moves []engine.Move
			who   engine.Color
		}{{3, all, p.SideToMove()}, {4, all[:min(2, len(all))], p.SideToMove().Other()}} {
			value := func(q *engine.Position) int {
				v := int(Key(q) % 20)
				if 2*q.Fullmove()+int(q.SideToMove())-root < c.depth {
					if q.SideToMove() == c.who {
						return v + prize
					}
					return v - prize
				}
				return v
			}
			limits := Limits{Depth: c.depth, Only: c.moves}
			full := find(t, Options{Features: PVS, Evaluate: value, Hash: 1}, p, limits)
			reduced := find(t, Options{Features: PVS | LateReductions, Evaluate: value, Hash: 1}, p, limits)
			if full.Value != reduced.Value {
				t.Errorf("%s: value %d to depth %d, with reductions %d", p.FEN(), full.Value, c.depth, reduced.Value)
			}
			if full.Nodes == reduced.Nodes {
				t.Errorf("%s: to depth %d nothing is reduced", p.FEN(), c.depth)
			}
		}
	}
}

// Mates are stored as counted from their position, and are read as counted from the root.
func TestTableMates(t *testing.T) {
	for _, c := range []struct{ value, ply, stored int }{
		{Mate - 5, 3, Mate - 2}, {5 - Mate, 3, 2 - Mate}, {Mate - 9, 0, Mate - 9}, {250, 7, 250}, {-wonEndgame, 7, -wonEndgame},
	} {
		if got := int(toTable(c.value, c.ply)); got != c.stored {
			t.Errorf("%d at ply %d is stored as %d, want %d", c.value, c.ply, got, c.stored)
		}
		if got := fromTable(int16(c.stored), c.ply); got != c.value {
			t.Errorf("%d at ply %d is read as %d, want %d", c.stored, c.ply, got, c.value)
		}
	}
}

// Windows around the last value, and null windows, change no value at any depth. Where there are
// few different values, they are often just at the edge of a window.
func TestWindowsChangeNothing(t *testing.T) {
	const without = CaptureOrder | Quiescence | VictimOrder | Killers | History
	const depth = 6
	few := func(p *engine.Position) int { return int(Key(p)%9)*10 - 40 }
	for i, p := range endgames(71, 20) {
		o := Options{Features: without, Hash: 1}
		if i%2 != 0 {
			o.Evaluate = few
		}
		a := find(t, o, p, Limits{Depth: depth})
		o.Features |= PVS | Aspiration | MateDistance
		b := find(t, o, p, Limits{Depth: depth})
		if a.Value != b.Value {
			t.Errorf("%s at depth %d: %d, with windows %d", p.FEN(), depth, a.Value, b.Value)
		}
	}
}

// Each of these features is there to save nodes, and does: over some positions the search with all
// of them sees fewer than without it. How many is what decides, not a clock.
func TestFeaturesSaveNodes(t *testing.T) {
	var positions []engine.Position
	for _, fen := range []string{
		"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
		"r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
		"2r3k1/1b2qppp/p3p3/1p1nP3/3P4/PQ1B4/1B3PPP/3R2K1 w - - 0 22",
		"r1b2rk1/2q1bppp/p2ppn2/1p6/3NPP2/2N1B3/PPP1B1PP/R2Q1RK1 w - - 0 12",
	} {
		positions = append(positions, position(t, fen))
	}
	count := func(f Features, depth int) (n uint64) {
		for _, p := range positions {
			n += find(t, Options{Features: f, Hash: 1 << 22}, p, Limits{Depth: depth}).Nodes
		}
		return n
	}
	const plain = CaptureOrder | PVS | Quiescence | Table | TableMove | VictimOrder | ExchangeOrder | History | ExchangePrune
	for _, c := range []struct {
		all, without Features
		depth        int
	}{
		{plain, PVS, 4}, {plain, VictimOrder, 5}, {plain, Table, 5}, {plain, ExchangePrune, 5}, {plain | NullMove, NullMove, 5},
		{Classic, TableMove, 5}, {plain | Futility, Futility, 5}, {AllFeatures, LateReductions, 7}, {AllFeatures, LatePruning, 7},
		{AllFeatures, ReverseFutility, 7},
	} {
		with, without := count(c.all, c.depth), count(c.all&^c.without, c.depth)
		t.Logf("%v: %d nodes, without it %d", c.without, with, without)
		if with >= without {
			t.Errorf("%v saves no nodes: %d, without it %d", c.without, with, without)
		}
	}
}
