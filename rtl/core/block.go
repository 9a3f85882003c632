package core

import (
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/rtl/internal/registers"
	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// Block describes the RTL to package vectors.
var Block = vectors.Block[In, Out]{
	Design: Design, About: "the move generator core on AXI4-Lite",
	Params: []vectors.Param{
		{Name: "Plies", Default: Plies, Min: 1, Max: 255, About: "moves that can be taken back"},
		{Name: "Fifo", Default: Fifo, Min: 2, Max: 512, About: "moves that wait to be read, a power of two"},
	},
	Model: func(p vectors.Params) sim.Model[In, Out] { return NewModel(p["Plies"], p["Fifo"]) },
	Keeps: true, // the position that was written
	Names: []vectors.PortNames{block.Response.At("s_axil_bresp_o", "s_axil_rresp_o")},
	Kinds: registers.Kinds(&regmap.Core),
	Statements: func(s *vectors.Session[In, Out]) []vectors.Statement {
		return registers.Statements(s, &regmap.Core)
	},
}
