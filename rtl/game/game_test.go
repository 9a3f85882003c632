package game_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/game"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors/perft"
)

type dut = sim.DUT[game.In, game.Out]

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(sim.Seed(), n)) }

func parse(t testing.TB, fen string) engine.Position {
	t.Helper()
	p, err := engine.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// walk makes stimulus: random games that go forth and back. It keeps the game itself, so that each
// command is what it is meant to be, and writes down what came to pass.
type walk struct {
	r       *rand.Rand
	plies   int
	p       engine.Position
	loaded  bool
	stack   []engine.Position
	kinds   []string // of the moves on the stack
	in      []game.In
	fens    []string // due at the outputs in each cycle of in; "" before the first load
	seen    map[string]int
	deepest int
}

func newWalk(r *rand.Rand, plies int) *walk { return &walk{r: r, plies: plies, seen: map[string]int{}} }

// cycle adds one cycle, in which the state is still the one before.
func (w *walk) cycle(in game.In, what string) {
	fen := ""
	if w.loaded {
		fen = w.p.FEN()
	}
	w.in, w.fens = append(w.in, in), append(w.fens, fen)
	w.seen[what]++
}

func (w *walk) load(p engine.Position) {
	w.cycle(game.Load(&p), "load")
	w.p, w.loaded, w.stack, w.kinds = p, true, nil, nil
}

// kind is what is special about a move.
func kind(p *engine.Position, m engine.Move) string {
	switch {
	case m.Castling && m.To > m.From:
		return "castling king side"
	case m.Castling:
		return "castling queen side"
	case m.EnPassant:
		return "en passant"
	case m.Promotion != engine.NoPiece && m.Captured != engine.NoPiece:
		return "promotion by capture to " + m.Promotion.String()
	case m.Promotion != engine.NoPiece:
		return "promotion to " + m.Promotion.String()
	case m.Piece == engine.Pawn && (m.To-m.From == 16 || m.From-m.To == 16):
		return "double step"
	case m.Captured == engine.Rook:
		return "capture of a rook"
	case m.Captured != engine.NoPiece:
		return "capture"
	}
	return "move of " + m.Piece.String()
}

// pick is a random move, more often than not one of a kind that is rare in this position.
func (w *walk) pick(moves []engine.Move) engine.Move {
	of := map[string]int{}
	for _, m := range moves {
		of[kind(&w.p, m)]++
	}
	for {
		m := moves[w.r.IntN(len(moves))]
		if w.r.IntN(of[kind(&w.p, m)]) == 0 {
			return m
		}
	}
}

func (w *walk) push(next engine.Position, kind string, in game.In) {
	side := w.p.SideToMove().String() + " "
	w.cycle(in, side+kind)
	w.stack, w.kinds = append(w.stack, w.p), append(w.kinds, side+kind)
	w.p = next
	w.deepest = max(w.deepest, len(w.stack))
}

func (w *walk) unmake() {
	n := len(w.stack) - 1
	w.cycle(game.Unmake(), "unmake "+w.kinds[n])
	w.p, w.stack, w.kinds = w.stack[n], w.stack[:n], w.kinds[:n]
}

// refused adds a command that must be refused, with whatever else is at the ports.
func (w *walk) refused() {
	side := w.p.SideToMove()
	// square is one of those wanted: there is always an empty one, and a king of each side.
	square := func(want func(k engine.Piece, c engine.Color) bool) engine.Square {
		for {
			s := engine.Square(w.r.IntN(64))
			if want(w.p.PieceAt(s)) {
				return s
			}
		}
	}
	own := func(k engine.Piece, c engine.Color) bool { return k != engine.NoPiece && c == side }
	switch w.r.IntN(6) {
	case 0:
		if len(w.stack) == 0 {
			w.cycle(game.Unmake(), "unmake of nothing")
		}
	case 1:
		if len(w.stack) == w.plies {
			if moves := w.p.AppendMoves(nil); len(moves) > 0 {
				w.cycle(game.Make(w.pick(moves), side), "make on a full stack")
			}
			w.cycle(game.Null(), "null move on a full stack")
		}
	case 2: // any destination: the origin is what is looked at first
		from := square(func(k engine.Piece, c engine.Color) bool { return k == engine.NoPiece })
		if len(w.stack) < w.plies {
			w.cycle(game.Make(engine.Move{From: from, To: engine.Square(w.r.IntN(64))}, side), "make from an empty square")
		}
	case 3:
		from := square(func(k engine.Piece, c engine.Color) bool { return k != engine.NoPiece && c != side })
		if len(w.stack) < w.plies {
			w.cycle(game.Make(engine.Move{From: from, To: engine.Square(w.r.IntN(64))}, side), "make with the opponent's piece")
		}
	case 4:
		if len(w.stack) < w.plies {
			w.cycle(game.Make(engine.Move{From: square(own), To: square(own)}, side), "make onto an own piece")
		}
	case 5:
		moves := w.p.AppendMoves(nil)
		if len(moves) == 0 || len(w.stack) == w.plies {
			return
		}
		m := w.pick(moves)
		if promoting := slices.IndexFunc(moves, func(m engine.Move) bool { return m.Promotion != engine.NoPiece }); promoting >= 0 {
			m = moves[promoting]
		}
		if m.Promotion == engine.NoPiece {
			m.Promotion = engine.Piece(1 + w.r.IntN(7))
			w.cycle(game.Make(m, side), "promotion of what does not promote")
		} else {
			m.Promotion = [...]engine.Piece{0, 1, 6, 7}[w.r.IntN(4)]
			w.cycle(game.Make(m, side), fmt.Sprintf("promotion to %d", m.Promotion))
		}
	}
}

// play adds a game of so many commands from p on. up is the share of moves among moves and
// unmakes.
func (w *walk) play(p engine.Position, commands int, up, resets float64) {
	w.load(p)
	for range commands {
		switch x := w.r.Float64(); {
		case x < resets:
			// Whatever is at the ports, what is refused, too.
			in := []game.In{game.Load(&p), game.Null(), game.Unmake(), {CmdValid: true, Cmd: game.CmdMake}}[w.r.IntN(4)]
			in.Rst = true
			w.cycle(in, "reset")
			w.loaded, w.stack, w.kinds = false, nil, nil
			w.load(p)
		case x < 0.05:
			w.cycle(game.In{Cmd: game.CmdMake, From: uint8(w.r.IntN(64))}, "no command")
		case x < 0.15:
			w.refused()
		case w.r.Float64() >= up:
			if len(w.stack) > 0 {
				w.unmake()
			}
		case len(w.stack) == w.plies:
			w.refused()
		case x < 0.2 && !w.p.InCheck():
			w.push(w.p.MakeNull(), "null move", game.Null())
		default:
			moves := w.p.AppendMoves(nil)
			if len(moves) == 0 {
				if len(w.stack) > 0 {
					w.unmake()
				}
				continue
			}
			m := w.pick(moves)
			w.push(w.p.Make(m), kind(&w.p, m), game.Make(m, w.p.SideToMove()))
		}
	}
}

// home takes everything back.
func (w *walk) home() {
	for len(w.stack) > 0 {
		w.unmake()
	}
	w.cycle(game.In{}, "no command")
}

// start positions of walks: special moves, and counters at their ends.
var special = []string{
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
	"r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
	"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
	"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
	"4k2r/6r1/8/8/8/8/3R4/R3K3 w Qk - 65533 65534",
	"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 65533 65534",
}

// walks is stimulus of about so many cycles.
func walks(t testing.TB, r *rand.Rand, plies, cycles int, resets float64) *walk {
	suite := perft.Positions()
	w := newWalk(r, plies)
	w.cycle(game.In{}, "no command")
	w.cycle(game.Unmake(), "unmake of nothing")
	w.cycle(game.In{CmdValid: true, Cmd: game.CmdMake}, "make from an empty square")
	for i := 0; len(w.in) < cycles; i++ {
		p := suite[r.IntN(len(suite))]
		if i%2 == 0 {
			p = parse(t, special[i/2%len(special)])
		}
		w.play(p, 200+r.IntN(200), 0.5+r.Float64()/2, resets)
		if i%3 == 0 {
			w.home()
		}
	}
	w.cycle(game.In{}, "no command")
	return w
}

// every is what a walk must have come by, made and taken back.
func every(t *testing.T, w *walk) {
	t.Helper()
	if w.deepest != w.plies {
		t.Errorf("the walks went %d moves deep, not %d", w.deepest, w.plies)
	}
	for _, k := range []string{
		"castling king side", "castling queen side", "en passant", "double step", "capture of a rook", "null move",
		"promotion to knight", "promotion to bishop", "promotion to rook", "promotion to queen",
		"promotion by capture to knight", "promotion by capture to queen", "move of king", "move of rook",
	} {
		for _, side := range []string{"white ", "black "} {
			if w.seen[side+k] == 0 || w.seen["unmake "+side+k] == 0 {
				t.Errorf("%s%s: made %d times, taken back %d times", side, k, w.seen[side+k], w.seen["unmake "+side+k])
			}
		}
	}
	for _, k := range []string{
		"unmake of nothing", "make on a full stack", "null move on a full stack", "make from an empty square",
		"make with the opponent's piece", "make onto an own piece", "promotion of what does not promote",
		"promotion to 0", "promotion to 1", "promotion to 6", "promotion to 7", "reset", "load", "no command",
	} {
		if w.seen[k] == 0 {
			t.Errorf("%s: never", k)
		}
	}
}

// Long random games forth and back, with every special move, every refused command and resets:
// every output in every cycle.
func TestWalks(t *testing.T) {
	w := walks(t, seeded(1), game.Plies, 60_000, 0.002)
	every(t, w)
	sim.ForEach(t, game.Design, func(t *testing.T, d *dut) {
		in := w.in
		if d.Simulator() == sim.Icarus {
			in = in[:15_000]
		}
		sim.Check(t, d, game.NewModel(game.Plies), slices.Values(in))
	})
}

// counter is what a clock may show: any number, as often one of which a single bit is 0, or none.
func counter(r *rand.Rand) int {
	if r.IntN(2) == 0 {
		return r.IntN(1 << r.IntN(17))
	}
	return math.MaxUint16 &^ (1 << r.IntN(17))
}

// scattered is a position with pieces anywhere, which games hardly lead to.
func scattered(r *rand.Rand) engine.Position {
	piece := func() engine.Piece { return engine.Pawn + engine.Piece(r.IntN(5)) }
	for {
		s := engine.Setup{SideToMove: engine.Color(r.IntN(2)), Halfmove: counter(r), Fullmove: max(1, counter(r))}
		squares := r.Perm(64)
		put := func(k engine.Piece, c engine.Color, sq int) {
			s.Put(k, c, engine.Square(sq))
			squares = slices.DeleteFunc(squares, func(x int) bool { return x == sq })
		}
		for c, rank := range []int{0, 56} {
			if c := engine.Color(c); r.IntN(3) > 0 {
				put(engine.King, c, squares[0])
			} else { // with rights
				put(engine.King, c, rank+4)
				for right, file := range []int{7, 0} {
					if r.IntN(3) > 0 {
						put(engine.Rook, c, rank+file)
						s.Castling |= 1 << (2*int(c) + right)
					}
				}
			}
		}
		if r.IntN(2) == 0 { // after a double step
			file := r.IntN(8)
			from, behind, at := 48+file, 40+file, 32+file
			if s.SideToMove == engine.Black {
				from, behind, at = 8+file, 16+file, 24+file
			}
			put(engine.Pawn, s.SideToMove.Other(), at)
			squares = slices.DeleteFunc(squares, func(x int) bool { return x == from || x == behind })
			// A pawn that may take something else, and a piece where it could have passed.
			pawn := at/8*8 + r.IntN(8)
			to := behind/8*8 + (pawn+1-2*r.IntN(2))&7
			for _, x := range []struct {
				k  engine.Piece
				c  engine.Color
				sq int
			}{{engine.Pawn, s.SideToMove, pawn}, {piece(), s.SideToMove.Other(), to}, {piece(), engine.Color(r.IntN(2)), to ^ 8}} {
				if slices.Contains(squares, x.sq) {
					put(x.k, x.c, x.sq)
				}
			}
			s.EnPassant, s.Halfmove = 1<<behind, 0
		}
		for _, sq := range squares[:r.IntN(28)] {
			k := piece()
			if k != engine.Pawn || sq >= 8 && sq < 56 {
				s.Put(k, engine.Color(r.IntN(2)), engine.Square(sq))
			}
		}
		if p, err := s.Position(); err == nil {
			return p
		}
	}
}

// Positions with pieces anywhere, each with a move of each kind that it has: every piece comes from
// every square, while others stand on any.
func TestPositions(t *testing.T) {
	r := seeded(3)
	w := newWalk(r, game.Plies)
	var loaded [2][8][64]int
	var passed [8][8]int // file of a move, and of what could be taken en passant
	for len(w.in) < 200_000 {
		p := scattered(r)
		w.load(p)
		for sq := range engine.Square(64) {
			k, c := p.PieceAt(sq)
			loaded[c&1][k][sq]++
		}
		for range 4 {
			w.refused()
		}
		moves := p.AppendMoves(nil)
		seen := map[string]bool{}
		for range min(4, len(moves)) {
			if m := w.pick(moves); !seen[kind(&p, m)] {
				seen[kind(&p, m)] = true
				w.push(p.Make(m), kind(&p, m), game.Make(m, p.SideToMove()))
				w.unmake()
			}
		}
		if ep, ok := p.EnPassant(); ok {
			// Only a pawn takes what has passed over a square, and on that only.
			for _, m := range moves {
				if m.To/8 == ep/8 && !m.EnPassant && (m.Piece == engine.Pawn || m.To == ep) {
					if below, _ := p.PieceAt(m.To ^ 8); below != engine.NoPiece && m.From != m.To^8 {
						passed[m.To%8][ep%8]++
					}
					w.push(p.Make(m), kind(&p, m), game.Make(m, p.SideToMove()))
					w.unmake()
				}
			}
		}
	}
	for to := range passed {
		for ep, n := range passed[to] {
			// A pawn takes on the first or the last file from the one beside it, where the other
			// pawn is.
			none := to == 0 && ep == 1 || to == 7 && ep == 6
			if n < 3 && !none {
				t.Errorf("%d moves to file %d of rank 6, of what takes nothing en passant on file %d, with a piece below", n, to, ep)
			}
		}
	}
	for c := range engine.Color(2) {
		for k := engine.Pawn; k <= engine.King; k++ {
			for sq, n := range loaded[c][k] {
				if n < 20 && (k != engine.Pawn || sq >= 8 && sq < 56) {
					t.Errorf("%v %v on %v: loaded %d times", c, k, engine.Square(sq), n)
				}
			}
		}
	}
	sim.ForEach(t, game.Design, func(t *testing.T, d *dut) {
		in := w.in
		if d.Simulator() == sim.Icarus {
			in = in[:5000]
		}
		sim.Check(t, d, game.NewModel(game.Plies), slices.Values(in))
	})
}

// A full stack: the place of the next state would be that of the first one. Nothing may be written
// there, whatever comes. Then all is taken back.
func TestFull(t *testing.T) {
	w := newWalk(seeded(4), game.Plies)
	full := 0
	for len(w.in) < 60_000 {
		w.load(scattered(w.r))
		for len(w.stack) < w.plies {
			moves := w.p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			m := w.pick(moves)
			w.push(w.p.Make(m), kind(&w.p, m), game.Make(m, w.p.SideToMove()))
		}
		if len(w.stack) < w.plies {
			continue
		}
		full++
		w.cycle(game.In{}, "no command")
		for range 3 {
			w.refused()
		}
		w.home()
	}
	if full < 200 {
		t.Errorf("the stack was full %d times", full)
	}
	sim.ForEach(t, game.Design, func(t *testing.T, d *dut) {
		in := w.in
		if d.Simulator() == sim.Icarus {
			in = in[:5000]
		}
		sim.Check(t, d, game.NewModel(game.Plies), slices.Values(in))
	})
}

// What the RTL trusts, simulators check.
func TestTrust(t *testing.T) {
	start := engine.StartPosition()
	kings := parse(t, "4k3/8/8/8/8/8/P7/4K3 w - - 0 1")
	knight := parse(t, "4k3/8/8/8/8/8/8/K3N3 w - - 0 1")
	twice := game.Load(&start)
	twice.LoadQueens |= twice.LoadKings
	for _, test := range []struct {
		name string
		in   []game.In
	}{
		{"two pieces on a square are loaded", []game.In{twice}},
		{"a pawn goes back to rank 1", []game.In{game.Load(&kings), {CmdValid: true, Cmd: game.CmdMake, From: 8, To: 0}}},
		{"a pawn goes to another file", []game.In{game.Load(&kings), {CmdValid: true, Cmd: game.CmdMake, From: 8, To: 17}}},
		{"a knight goes as a king that castles does", []game.In{game.Load(&knight), {CmdValid: true, Cmd: game.CmdMake, From: 4, To: 6}}},
		{"a king goes two steps", []game.In{game.Load(&kings), {CmdValid: true, Cmd: game.CmdMake, From: 4, To: 6}}},
	} {
		sim.ForEach(t, game.Design, func(t *testing.T, d *dut) {
			err := d.Reset(2)
			if err == nil {
				in := append(test.in, game.In{}, game.In{})
				err = d.Run(in, make([]game.Out, len(in)))
			}
			if failed := (*sim.MessageError)(nil); !errors.As(err, &failed) {
				t.Errorf("%s: %v", test.name, err)
			}
		})
	}
}

// Stacks of other depths, also such as are no power of two.
func TestPlies(t *testing.T) {
	for _, plies := range []int{1, 3, 100, 200} {
		t.Run(fmt.Sprint(plies), func(t *testing.T) {
			w := walks(t, seeded(uint64(10+plies)), plies, 4000, 0)
			if w.deepest != plies {
				t.Errorf("the walks went %d moves deep", w.deepest)
			}
			design := game.Design
			design.Params = map[string]string{"Plies": fmt.Sprint(plies)}
			sim.ForEach(t, design, func(t *testing.T, d *dut) {
				sim.Check(t, d, game.NewModel(plies), slices.Values(w.in))
			})
		})
	}
}

// What the ports show is the game's position, read off them without a model: after each command
// that is carried out and after each that is refused.
func TestReadable(t *testing.T) {
	w := walks(t, seeded(2), game.Plies, 4000, 0)
	sim.ForEach(t, game.Design, func(t *testing.T, d *dut) {
		if err := d.Reset(2); err != nil {
			t.Fatal(err)
		}
		out := make([]game.Out, len(w.in))
		if err := d.Run(w.in, out); err != nil {
			t.Fatal(err)
		}
		for i := range out {
			if got := out[i].FEN(); w.fens[i] != "" && got != w.fens[i] {
				t.Fatalf("cycle %d: the outputs show %s, the game is at %s", i, got, w.fens[i])
			}
		}
	})
}

// A command that the RTL trusts not to be given is an error of the model, not of the program.
func TestModelTrust(t *testing.T) {
	check := parse(t, "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
	for _, in := range []game.In{
		{CmdValid: true, Cmd: game.CmdMake, From: 4, To: 60},
		game.Null(),
	} {
		m := game.NewModel(game.Plies)
		m.Step(game.Load(&check))
		m.Step(in)
		if m.Err() == nil {
			t.Errorf("%+v in %s: no error", in, check.FEN())
		}
	}
}

func ExampleModel() {
	m := game.NewModel(game.Plies)
	p := engine.StartPosition()
	moves := p.AppendMoves(nil)
	for _, in := range []game.In{game.Load(&p), game.Make(moves[0], engine.White), game.Unmake(), game.Unmake(), {}} {
		out := m.Step(in)
		fmt.Println(out.Depth, out.FEN(), "-", out.Error)
	}
	// Output:
	// 0 8/8/8/8/8/8/8/8 w - - 0 0 - no error
	// 0 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 - no error
	// 1 rnbqkbnr/pppppppp/8/8/8/N7/PPPPPPPP/R1BQKBNR b KQkq - 1 1 - no error
	// 0 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 - no error
	// 0 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 - the stack is empty
}
