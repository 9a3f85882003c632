package debounce

import (
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// Block describes the RTL for test vectors.
var Block = vectors.Block[In, Out]{
	Design: Design, About: "synchronises and debounces a line",
	Params: []vectors.Param{
		{Name: "SyncStages", Default: SyncStages, Min: 2, Max: 16, About: "flip-flops between the line and logic"},
		{Name: "HoldCycles", Default: HoldCycles, Min: 1, Max: 1 << 24, About: "cycles for which a level must be stable"},
	},
	Model: func(p vectors.Params) sim.Model[In, Out] { return NewModel(p["SyncStages"], p["HoldCycles"]) },
}
