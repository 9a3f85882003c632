package core_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/game"
	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/sim"
)

type dut = sim.DUT[core.In, core.Out]

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(sim.Seed(), n)) }

var paces = []pace{{0, 0, 0, 0}, {0.5, 0, 0.5, 0.0005}, {0, 0.7, 0.9, 0.0005}, {0.4, 0.4, 0.2, 0.005}, {0.95, 0.1, 0.5, 0.001}}

// every is what all stimuli together must have come by.
func every(t *testing.T, seen map[string]int) {
	t.Helper()
	for _, what := range []string{
		"load", "make", "castling", "en passant", "promotion to knight", "promotion to queen", "null move", "unmake", "list", "abort",
		"published make", "published unmake", "published command that is none", "make that is refused",
		"write to what is none or not to be written", "write without all strobes", "reset", "word on the stream", "packet",
		"packet without move, or aborted", "read answered 0", "read answered 2", "write answered 0", "write answered 2", "interrupt",
	} {
		if seen[what] < 3 {
			t.Errorf("%s: seen %d times", what, seen[what])
		}
	}
}

// check plays what software has done, and compares every output in every cycle with the model.
// Icarus plays the beginning.
func (s *software) check(t *testing.T, design sim.Design, plies, fifo int) {
	t.Helper()
	if err := s.model.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d cycles", len(s.tape))
	sim.ForEach(t, design, func(t *testing.T, d *dut) {
		in := s.tape
		if d.Simulator() == sim.Icarus {
			in = in[:min(2000, len(in))]
		}
		sim.Check(t, d, core.NewModel(plies, fifo), slices.Values(in))
	})
}

// Games with everything on the bus and the stream at every pace, with resets: every output in every
// cycle. A short stack and a short FIFO are full often.
func TestModel(t *testing.T) {
	seen := map[string]int{}
	for n, p := range paces {
		for _, short := range []bool{false, true} {
			design, plies, fifo := core.Design, core.Plies, core.Fifo
			if short {
				design, plies, fifo = mutantDesign(), mutantPlies, mutantFifo
			}
			t.Run(fmt.Sprintf("%+v, %d plies, %d moves", p, plies, fifo), func(t *testing.T) {
				s := newSoftware(t, seeded(uint64(n)), plies, fifo, p)
				s.script(t)
				s.run(20_000)
				for what, count := range s.seen {
					seen[what] += count
				}
				s.check(t, design, plies, fifo)
			})
		}
	}
	every(t, seen)
}

// Moves go from and to each square by its published number: those of a queen, for both sides.
func TestPublishedSquares(t *testing.T) {
	s := newSoftware(t, seeded(300), mutantPlies, mutantFifo, pace{gap: 0.2})
	for _, side := range []string{"w", "b"} {
		for from := range engine.Square(64) {
			used := 0
			for _, kings := range [][2]engine.Square{{0, 63}, {63, 0}, {7, 56}, {56, 7}, {2, 61}, {61, 2}} {
				p, ok := lone(from, side, kings)
				if !ok || used == 2 {
					continue
				}
				used++
				s.load(p)
				s.finish()
				for range 4 {
					moves := slices.DeleteFunc(p.AppendMoves(nil), func(m engine.Move) bool { return m.From != from })
					if len(moves) == 0 {
						break
					}
					m := moves[s.r.IntN(len(moves))]
					s.write(regmap.CorePublishedCommand, uint32(regmap.CorePublishedCommandMake)|
						regmap.CorePublishedCommandOrigin.Put(number(m.From))|regmap.CorePublishedCommandDestination.Put(number(m.To)))
					s.pause(2)
					s.look(regmap.CoreBoard+4*uint32(m.To>>3), 6)
					s.write(regmap.CorePublishedCommand, uint32(regmap.CorePublishedCommandUnmake))
				}
			}
		}
	}
	s.check(t, mutantDesign(), mutantPlies, mutantFifo)
}

// lone returns a position with the queen of a side on a square, and the kings of white and black on
// others. There is none if a square is taken, or if the king that is not to move is in check.
func lone(queen engine.Square, side string, kings [2]engine.Square) (engine.Position, bool) {
	var board [64]string
	for i := range board {
		board[i] = "."
	}
	board[queen] = map[string]string{"w": "Q", "b": "q"}[side]
	board[kings[0]], board[kings[1]] = "K", "k"
	p, err := engine.ParseFEN(placed(&board) + " " + side + " - - 0 1")
	return p, err == nil && kings[0] != queen && kings[1] != queen
}

// placed returns a board, of which "." are empty, as the placement of a FEN.
func placed(board *[64]string) string {
	var ranks []string
	for rank := 7; rank >= 0; rank-- {
		ranks = append(ranks, ranked(board[8*rank:][:8]))
	}
	return strings.Join(ranks, "/")
}

// ranked returns squares, of which "." are empty, as a rank of a FEN.
func ranked(squares []string) string {
	text := strings.Join(squares, "")
	for n := 8; n > 0; n-- {
		text = strings.ReplaceAll(text, strings.Repeat(".", n), fmt.Sprint(n))
	}
	return text
}

// passing returns positions in which the pawn of each file can be captured en passant, by white and
// by black.
func passing() (fens []string) {
	for file := range 8 {
		beside := file + 1 - 2*(file/7)
		for _, side := range []string{"w", "b"} {
			squares := strings.Split("........", "")
			squares[file], squares[beside] = "p", "P"
			format := "4k3/8/8/%s/8/8/8/4K3 w - %c6 0 1"
			if side == "b" {
				squares[file], squares[beside] = "P", "p"
				format = "4k3/8/8/8/%s/8/8/4K3 b - %c3 0 1"
			}
			fens = append(fens, fmt.Sprintf(format, ranked(squares), 'a'+file))
		}
	}
	return fens
}

// All addresses are written that must do nothing, and all are read: during a list, after commands
// that were refused. They are written again when nothing has been refused. The position is then
// loaded again, which shows whether its words were written.
func TestAddresses(t *testing.T) {
	sim.ForEach(t, mutantDesign(), func(t *testing.T, d *dut) {
		s, written := newSoftware(t, seeded(200), mutantPlies, mutantFifo, pace{}), 0
		s.load(parse(t, "r3k2r/p7/8/8/8/8/8/R3K2R w KQkq - 3 5"))
		step := uint32(4)
		if d.Simulator() == sim.Icarus {
			step *= 64
		}
		for address := step / 4 * uint32(s.r.IntN(4)) &^ 3; address < regmap.Window; address += step {
			s.write(regmap.CoreInterruptEnable, s.r.Uint32())
			s.write(regmap.CoreUnmake, 0) // there is nothing to take back
			s.write(regmap.CoreList, 0)
			s.pause(s.r.IntN(12))
			r := regmap.Core.Find(address)
			idle := r == nil || r.Access == regmap.ReadOnly
			if idle {
				s.write(address, s.r.Uint32())
				written++
			}
			s.pause(30)
			s.look(address, 6)
			s.write(regmap.CoreError, 0)
			if idle { // what else it does may be refused, which shows now
				s.write(address, s.r.Uint32())
			}
			s.pause(4)
			for _, register := range []uint32{regmap.CoreError, regmap.CorePosition, regmap.CoreStatus} {
				s.look(register, 3)
			}
			for _, command := range []uint32{regmap.CoreError, regmap.CoreInterruptStatus, regmap.CoreLoad, regmap.CoreList} {
				s.write(command, 0)
			}
			s.pause(60)
			for _, register := range []uint32{regmap.CorePosition, regmap.CoreClocks, regmap.CoreBoard + 4*uint32(s.r.IntN(8))} {
				s.look(register, 3)
			}
			s.write(regmap.CoreInterruptStatus, s.r.Uint32())
			s.finish()
		}
		if err := s.model.Err(); err != nil {
			t.Fatal(err)
		}
		t.Logf("%d cycles, %d addresses written", len(s.tape), written)
		sim.Check(t, d, core.NewModel(mutantPlies, mutantFifo), slices.Values(s.tape))
	})
}

// Lists of which nothing comes, as if the move generator had lost them: reads wait for 32 cycles,
// and what comes behind them is as ever.
func TestLostLists(t *testing.T) {
	design := mutantDesign()
	design.Internals = []string{"u_list.pos_valid_q"}
	sim.ForEach(t, design, func(t *testing.T, d *dut) {
		s, m, cycles, lost := newSoftware(t, seeded(400), mutantPlies, mutantFifo, pace{}), core.NewModel(mutantPlies, mutantFifo), 30_000, 0
		if d.Simulator() == sim.Icarus {
			cycles = 2000
		}
		if err := d.Reset(d.ResetCycles()); err != nil {
			t.Fatal(err)
		}
		for len(s.tape) < cycles {
			done := len(s.tape)
			s.cycle()
			for _, in := range s.tape[done:] {
				if err := d.Expect([]core.In{in}, []core.Out{m.Step(in)}, m.DontCare); err != nil {
					d.Fail(t, err)
					return
				}
			}
			if s.r.IntN(2) == 0 && s.model.LoseList() {
				lost++
				m.LoseList()
				if err := d.Poke("u_list.pos_valid_q", sim.Bits(1, 0)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := s.model.Err(); err != nil {
			t.Fatal(err)
		}
		if lost < cycles/1000 {
			t.Errorf("only %d lists were lost in %d cycles", lost, cycles)
		}
	})
}

// A FIFO that is full, of moves of all kinds, and of en passant on each file: a word is taken now
// and then, and the next one takes its place.
func TestFull(t *testing.T) {
	s := newSoftware(t, seeded(500), mutantPlies, mutantFifo, pace{})
	for _, fen := range slices.Concat(special, passing()) {
		p := parse(t, fen)
		s.load(p)
		for order := range uint32(4) {
			s.write(regmap.CoreList, regmap.CoreListOrder.Put(order))
			s.pause(40)
			for range p.Count() + 1 {
				s.look(regmap.CoreMoves, 1)
				s.only = regmap.CoreStatus
				s.pause(s.r.IntN(6))
				s.finish()
			}
			s.only = 0
		}
	}
	s.check(t, mutantDesign(), mutantPlies, mutantFifo)
}

// A short stack and a short FIFO, which are full often. What TestMutants plays shows no difference
// if there is no fault.
func TestParameters(t *testing.T) {
	tapes := mutantTapes(t)
	sim.ForEach(t, mutantDesign(), func(t *testing.T, d *dut) {
		for _, tape := range tapes {
			sim.Check(t, d, core.NewModel(mutantPlies, mutantFifo), slices.Values(tape))
		}
	})
}

// The register Error holds the codes of the game block as they are: the register map names the same
// ones.
func TestErrorCodes(t *testing.T) {
	for reason, want := range map[game.Error]uint32{
		game.NoError: regmap.CoreErrorReasonNone, game.ErrFull: regmap.CoreErrorReasonFull,
		game.ErrEmpty: regmap.CoreErrorReasonEmpty, game.ErrOrigin: regmap.CoreErrorReasonOrigin,
		game.ErrDestination: regmap.CoreErrorReasonDestination, game.ErrPromotion: regmap.CoreErrorReasonPromotion,
	} {
		if uint32(reason) != want {
			t.Errorf("%v is %d at the game's port and %d in Error", reason, reason, want)
		}
	}
	for command, want := range map[game.Command]uint32{
		game.CmdLoad: regmap.CoreErrorCommandLoad, game.CmdMake: regmap.CoreErrorCommandMake,
		game.CmdNull: regmap.CoreErrorCommandNull, game.CmdUnmake: regmap.CoreErrorCommandUnmake,
	} {
		if uint32(command) != want {
			t.Errorf("command %d at the game's port is %d in Error", command, want)
		}
	}
}
