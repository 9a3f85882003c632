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
