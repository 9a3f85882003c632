package core_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

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

// Games with everything on the bus and the stream at every pace, with resets: every output in every
// cycle.
func TestModel(t *testing.T) {
	seen := map[string]int{}
	for n, p := range paces {
		t.Run(fmt.Sprintf("%+v", p), func(t *testing.T) {
			s := newSoftware(t, seeded(uint64(n)), core.Plies, core.Fifo, p)
			s.script(t)
			tape := s.run(40_000)
			if err := s.model.Err(); err != nil {
				t.Fatal(err)
			}
			for what, count := range s.seen {
				seen[what] += count
			}
			sim.ForEach(t, core.Design, func(t *testing.T, d *dut) {
				in := tape
				if d.Simulator() == sim.Icarus {
					in = in[:4000]
				}
				sim.Check(t, d, core.NewModel(core.Plies, core.Fifo), slices.Values(in))
			})
		})
	}
	every(t, seen)
}

// All addresses are written that must do nothing, and all are read: during a list, after commands
// that were refused. The position is then loaded again, which shows whether its words were written.
func TestAddresses(t *testing.T) {
	sim.ForEach(t, core.Design, func(t *testing.T, d *dut) {
		s, written := newSoftware(t, seeded(200), core.Plies, core.Fifo, pace{}), 0
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
			if r := regmap.Core.Find(address); r == nil || r.Access == regmap.ReadOnly {
				s.write(address, s.r.Uint32())
				written++
			}
			s.pause(30)
			s.finish()
			s.only = address
			s.pause(6)
			s.finish()
			s.only = 0
			for _, command := range []uint32{regmap.CoreError, regmap.CoreInterruptStatus, regmap.CoreLoad, regmap.CoreList} {
				s.write(command, 0)
			}
			s.pause(60)
			s.write(regmap.CoreInterruptStatus, s.r.Uint32())
			s.finish()
		}
		if err := s.model.Err(); err != nil {
			t.Fatal(err)
		}
		t.Logf("%d cycles, %d addresses written", len(s.tape), written)
		sim.Check(t, d, core.NewModel(core.Plies, core.Fifo), slices.Values(s.tape))
	})
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
