package movegen_test

import (
	"math/rand/v2"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/simbench"
)

// The speed of co-simulation of the core, as a ratio to bare simulators that play
// the same vectors: lists of positions of random games, back to back.
func BenchmarkCosimulation(b *testing.B) {
	for _, c := range []struct {
		simulator sim.Simulator
		cycles    int
	}{{sim.Verilator, 250_000}, {sim.Icarus, 8_000}} {
		b.Run(string(c.simulator), func(b *testing.B) {
			simbench.Run[movegen.In, movegen.Out](b, movegen.Design, c.simulator, gameInputs(c.cycles))
		})
	}
}

// gameInputs are the inputs of some cycles that list the positions of random
// games, each held until the model takes it.
func gameInputs(cycles int) []movegen.In {
	r := rand.New(rand.NewPCG(1, 1))
	model := movegen.NewModel()
	position := engine.StartPosition()
	var moves []engine.Move
	inputs := make([]movegen.In, 0, cycles)
	for range 4 {
		in := movegen.In{Rst: true}
		model.Step(in)
		inputs = append(inputs, in)
	}
	for len(inputs) < cycles {
		in := movegen.Encode(&position)
		in.PosValid, in.PosList, in.MoveReady = true, true, true
		for len(inputs) < cycles {
			inputs = append(inputs, in)
			if model.Step(in).PosReady {
				break
			}
		}
		moves = position.AppendMoves(moves[:0])
		if len(moves) == 0 {
			position = engine.StartPosition()
			continue
		}
		position = position.Make(moves[r.IntN(len(moves))])
	}
	return inputs
}
