package perftcore

import (
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/rtl/internal/registers"
	"github.com/cosimate/cosimate/rtl/regmap"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// Block describes the RTL to package vectors.
var Block = vectors.Block[In, Out]{
	Design: Design, About: "the perft engine on AXI4-Lite",
	Model: func(vectors.Params) sim.Model[In, Out] { return NewModel() },
	Keeps: true, // the position that was written
	Names: []vectors.PortNames{block.Response.At("s_axil_bresp_o", "s_axil_rresp_o")},
	Kinds: registers.Kinds(&regmap.Perft),
	Statements: func(s *vectors.Session[In, Out]) []vectors.Statement {
		return registers.Statements(s, &regmap.Perft)
	},
}
