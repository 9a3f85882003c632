package simcore_test

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/search"
	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/driver"
	"github.com/cosimate/cosimate/rtl/driver/moves"
	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/rtl/published"
	"github.com/cosimate/cosimate/rtl/simcore"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors/perft"
)

var deep = flag.Bool("search.deep", false, "search 1000 golden positions to depth 3 in Verilator, 20 to depth 2 in Icarus, and the published ones to depth 6")

func parse(t testing.TB, fen string) engine.Position {
	t.Helper()
	p, err := engine.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func open(t testing.TB, design sim.Design, s sim.Simulator) *simcore.Core {
	t.Helper()
	c, err := simcore.Open(t.Context(), design, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// special are positions in which moves of every kind are made: castling, en passant, promotion.
var special = []string{
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"rnbqkbnr/ppp2ppp/4p3/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
	"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
}

// way is how a search gets and orders its moves.
type way struct {
	scheme   moves.Scheme
	order    search.Order
	features search.Features
}

// ways are all schemes in all orders, each with all features and with the order of the list alone.
func ways() (all []way) {
	for _, s := range moves.Schemes {
		for o := search.Plain; o <= search.MostAggressor; o++ {
			if s == moves.Published && o != search.Plain {
				continue
			}
			all = append(all, way{s, o, search.AllFeatures}, way{s, o, search.Classic &^ search.OwnOrder},
				way{s, o, 0}, way{s, o, search.AllFeatures &^ (search.Table | search.TableMove)})
		}
	}
	return all
}

// made counts what a search did with its source.
type made struct {
	search.Moves
	castling, enPassant, promotion, null, captures int
}

func (m *made) Make(x engine.Move) error {
	if x.Castling {
		m.castling++
	}
	if x.EnPassant {
		m.enPassant++
	}
	if x.Promotion != engine.NoPiece {
		m.promotion++
	}
	return m.Moves.Make(x)
}

func (m *made) Null() error {
	m.null++
	return m.Moves.Null()
}

func (m *made) List(dst []engine.Move, o search.Order, f search.Filter) ([]engine.Move, error) {
	if f == search.Captures {
		m.captures++
	}
	return m.Moves.List(dst, o, f)
}

// compare searches a position with the moves of the core and with those of the reference, and says
// how the searches differ. seen counts what the first one does.
func compare(t testing.TB, c *simcore.Core, seen *made, w way, p engine.Position, l search.Limits) error {
	find := func(source search.Moves) (search.Result, error) {
		e, err := search.New(search.Options{
			Features: w.features, Order: w.order, Hash: 1 << 18,
			Source: func() (search.Moves, error) { return source, nil },
		})
		if err != nil {
			return search.Result{}, err
		}
		return e.Search(t.Context(), search.Game{Start: p}, l, nil)
	}
	soft, err := find(&search.Generator{Ordered: true})
	if err != nil {
		return err
	}
	var hard search.Result
	if err := c.Run(w.scheme, func(source *moves.Source) (err error) {
		seen.Moves = source
		hard, err = find(&moves.Checked{Moves: seen, Scheme: w.scheme})
		return err
	}); err != nil {
		return err
	}
	if soft.Nodes != hard.Nodes || soft.Value != hard.Value || !slices.Equal(soft.Moves, hard.Moves) || soft.Finished != hard.Finished {
		return fmt.Errorf("%s to depth %d, scheme %v, order %v, features %v: %d nodes, value %d, %v with hardware; %d, %d, %v with software",
			p.FEN(), l.Depth, w.scheme, w.order, w.features, hard.Nodes, hard.Value, hard.Moves, soft.Nodes, soft.Value, soft.Moves)
	}
	return nil
}

// With the hardware's moves a search sees the same nodes and finds the same values and lines as
// with the reference's, in every scheme and order.
func TestNodeForNode(t *testing.T) {
	// The nodes of a search are bounded, as the order of the list alone can take millions of them.
	type size struct {
		positions, depth int
		nodes            uint64
	}
	sizes := map[sim.Simulator]size{sim.Verilator: {20, 2, 400}, sim.Icarus: {3, 1, 30}}
	if *deep {
		sizes = map[sim.Simulator]size{sim.Verilator: {1000, 3, 20_000}, sim.Icarus: {20, 2, 1000}}
	}
	golden := perft.Positions()
	for _, s := range sim.Simulators {
		t.Run(string(s), func(t *testing.T) {
			c, size := open(t, core.Design, s), sizes[s]
			var positions []engine.Position
			for _, fen := range special {
				positions = append(positions, parse(t, fen))
			}
			for i := 0; len(positions) < size.positions; i++ {
				p := golden[(i*len(golden)/size.positions+i)%len(golden)]
				if p.Count() > 0 {
					positions = append(positions, p)
				}
			}
			all := ways()
			var seen made
			for i, p := range positions {
				// Each position in one way, special ones in some more.
				n := 1
				if i < len(special) && s == sim.Verilator {
					n = len(all)
				}
				for j := range n {
					w := all[(i+j)%len(all)]
					if err := compare(t, c, &seen, w, p, search.Limits{Depth: size.depth, Nodes: size.nodes}); err != nil {
						t.Fatal(err)
					}
				}
			}
			counts, err := c.Counts()
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d positions to depth %d: %+v; made: castling %d, en passant %d, promotion %d, null %d; lists of captures %d",
				len(positions), size.depth, counts, seen.castling, seen.enPassant, seen.promotion, seen.null, seen.captures)
			if seen.captures == 0 || s == sim.Verilator && (seen.castling == 0 || seen.enPassant == 0 || seen.promotion == 0) {
				t.Error("some kind of move was not made")
			}
			// What was refused on the way would be here.
			if err := c.Do(func(d *driver.Core) error {
				_, err := d.ReadPosition()
				return err
			}); err != nil {
				t.Error(err)
			}
		})
	}
}

// Null moves are made from depth 3 on.
func TestNullMoves(t *testing.T) {
	c := open(t, core.Design, sim.Verilator)
	for _, s := range moves.Schemes {
		seen := &made{}
		p := parse(t, "4r3/pkp4p/1p1b4/8/8/8/P1PR1BPP/5K2 b - - 0 33")
		if err := compare(t, c, seen, way{s, search.Plain, search.AllFeatures}, p, search.Limits{Depth: 4}); err != nil {
			t.Error(err)
		}
		if seen.null == 0 {
			t.Errorf("%v: no null move was made", s)
		}
	}
}

// The published positions to depth 6, in every scheme and order, with a program's own order.
func TestPublishedPositions(t *testing.T) {
	depth := 2
	if *deep {
		depth = 6
	}
	c := open(t, core.Design, sim.Verilator)
	for _, x := range published.Positions() {
		p, err := x.Parse()
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range ways() {
			if w.features == search.AllFeatures {
				if err := compare(t, c, &made{}, w, p, search.Limits{Depth: depth}); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// A game that is longer than the core's stack goes on by loading the position anew.
func TestLongerThanTheStack(t *testing.T) {
	c := open(t, core.Design, sim.Verilator)
	for _, s := range moves.Schemes {
		source := &moves.Checked{Moves: c.Moves(s), Scheme: s}
		start := engine.StartPosition()
		if err := source.Load(&start); err != nil {
			t.Fatal(err)
		}
		line := []engine.Position{start}
		const length = core.Plies + 20
		for i := range length {
			list, err := source.List(nil, search.Plain, search.All)
			if err != nil {
				t.Fatal(err)
			}
			if i%7 == 6 && !source.Position().InCheck() {
				err = source.Null()
			} else {
				err = source.Make(list[i*5%len(list)])
			}
			if err != nil {
				t.Fatalf("%v, ply %d: %v", s, i, err)
			}
			line = append(line, *source.Position())
		}
		for i := range length {
			if err := source.Unmake(); err != nil {
				t.Fatal(err)
			}
			if *source.Position() != line[length-1-i] {
				t.Fatalf("%v: unmake %d leads to %s", s, i, source.Position().FEN())
			}
			if _, err := source.List(nil, search.Plain, search.All); err != nil {
				t.Fatal(err)
			}
		}
		if err := source.Unmake(); !errors.Is(err, driver.ErrRefused) {
			t.Errorf("%v: an unmake of nothing: %v", s, err)
		}
	}
}

// The published scheme has one order, and a core that was closed says so.
func TestErrors(t *testing.T) {
	c := open(t, core.Design, sim.Icarus)
	start := engine.StartPosition()
	s := c.Moves(moves.Published)
	if err := s.Load(&start); err != nil {
		t.Fatal(err)
	}
	if _, err := s.List(nil, search.LeastAggressor, search.All); err == nil || !strings.Contains(err.Error(), "plain order only, not MVV/LVA") {
		t.Errorf("a published list in another order: %v", err)
	}
	if err := s.Make(engine.Move{From: 12, To: 44}); !errors.Is(err, driver.ErrIllegal) {
		t.Errorf("a move that is not legal: %v", err)
	}
	e, err := search.New(search.Options{Source: func() (search.Moves, error) { return s, nil }})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if _, err := e.Search(t.Context(), search.Game{Start: start}, search.Limits{Depth: 2}, nil); !errors.Is(err, simcore.ErrClosed) {
		t.Errorf("a search on a closed core: %v", err)
	}
	if err := s.Load(&start); !errors.Is(err, simcore.ErrClosed) || !strings.Contains(err.Error(), "core on icarus: the simulated core is closed") {
		t.Errorf("after Close: %v", err)
	}
}

// Faults of the RTL end a search with an error that names position, node and scheme.
func TestMutants(t *testing.T) {
	for _, c := range []struct {
		name, file, old, new string
		way                  way
		fen                  string
		depth                int
		want                 []string
	}{
		{
			"a king moves into check", "movegen_safety.sv", "king_to_q <= ~attacked & ~own", "king_to_q <= ~own",
			way{moves.FIFO, search.Plain, 0}, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 2,
			[]string{
				"of 4k3/8/8/8/8/8/8/R3K3 w - - 0 1, at the node a1d1 (4k3/8/8/8/8/8/8/3RK3 b - - 1 1), is wrong: all moves, order plain, scheme FIFO",
				"in place 1 e8f8 is due, it has e8d8",
			},
		},
		{
			"a list lacks a move", "movegen_list.sv", "again8 = |(turns8 & ~turn8)", "again8 = |(turns8[2:0] & ~turn8[2:0])",
			way{moves.Stream, search.LeastAggressor, search.AllFeatures}, "7k/P7/8/8/8/8/8/4K3 w - - 0 1", 1,
			[]string{"at the node the root", "order MVV/LVA, scheme stream", "a7a8n is missing"},
		},
		{
			"a record does not say en passant", "core_registers.sv", "(32'(word_i[core_regs_pkg::MoveEnPassant]) <<", "(32'd0 <<",
			way{moves.Published, search.Plain, search.AllFeatures}, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", 1,
			[]string{"scheme published", "e5d6 is due"},
		},
		{
			"a null move is not made", "core_registers.sv", "if (write_null) cmd_o <= CmdNull;", "if (write_null) cmd_o <= CmdUnmake;",
			way{moves.FIFO, search.Plain, search.AllFeatures}, "4r3/pkp4p/1p1b4/8/8/8/P1PR1BPP/5K2 b - - 0 33", 4,
			[]string{"is wrong: all moves, order plain, scheme FIFO", " is missing"},
		},
		{
			"a list on the stream has no end", "core_list.sv", "(32'(move_last) << core_regs_pkg::MoveLast)", "(32'(move_last & ~streaming_o) << core_regs_pkg::MoveLast)",
			way{moves.Stream, search.Plain, 0}, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 1,
			[]string{driver.ErrTimeout.Error() + ": no list came to its end on the stream within 1000 cycles"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			simulator := sim.Icarus
			if c.depth > 2 { // its cycles take longer there than Verilator takes to compile the core
				simulator = sim.Verilator
			}
			hardware, err := simcore.Open(t.Context(), fault.Plant(t, core.Design, c.file, c.old, c.new), simulator)
			if err != nil {
				t.Fatal(err)
			}
			defer hardware.Close()
			err = compare(t, hardware, &made{}, c.way, parse(t, c.fen), search.Limits{Depth: c.depth})
			if err == nil {
				t.Fatal("it was not found")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error is %v; want %q", err, want)
				}
			}
		})
	}
}
