package leds

import (
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// Block describes the RTL for test vectors.
var Block = vectors.Block[In, Out]{
	Design: Design, About: "shows patterns on 64 LEDs",
	Params: []vectors.Param{
		{Name: "IdleCycles", Default: Default.IdleCycles, Min: 64, Max: 1 << 26, About: "cycles of an idle phase"},
		{Name: "BlinkPhases", Default: Default.BlinkPhases, Min: 1, Max: 1000, About: "idle phases in half a blink"},
	},
	Model: func(p vectors.Params) sim.Model[In, Out] {
		return NewModel(Params{IdleCycles: p["IdleCycles"], BlinkPhases: p["BlinkPhases"]})
	},
	Names: []vectors.PortNames{block.Square.At("from_i", "to_i", "select_o"), block.Squares.At("restore_i")},
}
