package axi3

import (
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// Block describes the RTL to package vectors.
var Block = vectors.Block[In, Out]{
	Design: Design, About: "AXI3 bursts as AXI4-Lite transfers, for the Zedboard's processor",
	Model: func(vectors.Params) sim.Model[In, Out] { return NewModel(Windows) },
	Names: []vectors.PortNames{
		block.Response.At("s_axi_bresp_o", "s_axi_rresp_o"), block.Burst.At("s_axi_awburst_i", "s_axi_arburst_i"),
	},
}
