package axil

import (
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// Block describes the RTL to package vectors.
var Block = vectors.Block[In, Out]{
	Design: Design, About: "AXI4-Lite transfers as single-cycle accesses to registers",
	Model: func(vectors.Params) sim.Model[In, Out] { return &Alone{} },
	Names: []vectors.PortNames{block.Response.At("s_axil_bresp_o", "s_axil_rresp_o")},
}
