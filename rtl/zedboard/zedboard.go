// Package zedboard has the top of the Zedboard's FPGA: the move generator core and the perft engine
// behind the processors' port M_AXI_GP0. [Design] is the top for synthesis, in which the processors
// are an empty module. [System] is all but the processors and the pins, with ports [In] and [Out]:
//
//	dut := sim.OpenTest[zedboard.In, zedboard.Out](t, zedboard.System, sim.Verilator)
//
// See README.md.
package zedboard

import (
	"embed"

	"github.com/cosimate/cosimate/rtl/axi3"
	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/internal/sources"
	"github.com/cosimate/cosimate/rtl/perftcore"
	"github.com/cosimate/cosimate/sim"
)

//go:embed *.sv *.list
var files embed.FS

// Base is the physical address of the first window, the core's. Each window has regmap.Window
// bytes.
const Base = 0x4000_0000

// Design is the whole FPGA. The processors, PS7, have no content. A simulation must replace
// zedboard/ps7_blackbox.sv.
var Design = design()

func design() sim.Design {
	d := sources.Design("zedboard", "zedboard/files.list", files, core.Design, perftcore.Design, axi3.Design)
	d.Reset = ""
	return d
}

// System is the FPGA without the processors and the pins. Its clock and reset are clk_i and rst_i.
var System = sources.Design("zedboard_system", "zedboard/system.list", files,
	core.Design, perftcore.Design, axi3.Design)

// In holds the inputs of a cycle of the System.
type In struct {
	Rst     bool   `port:"rst_i"`
	Awid    uint16 `port:"s_axi_awid_i" bits:"12"`
	Awaddr  uint32 `port:"s_axi_awaddr_i"`
	Awlen   uint8  `port:"s_axi_awlen_i" bits:"4"`
	Awsize  uint8  `port:"s_axi_awsize_i" bits:"2"`
	Awburst uint8  `port:"s_axi_awburst_i" bits:"2"`
	Awvalid bool   `port:"s_axi_awvalid_i"`
	Wdata   uint32 `port:"s_axi_wdata_i"`
	Wstrb   uint8  `port:"s_axi_wstrb_i" bits:"4"`
	Wvalid  bool   `port:"s_axi_wvalid_i"`
	Bready  bool   `port:"s_axi_bready_i"`
	Arid    uint16 `port:"s_axi_arid_i" bits:"12"`
	Araddr  uint32 `port:"s_axi_araddr_i"`
	Arlen   uint8  `port:"s_axi_arlen_i" bits:"4"`
	Arsize  uint8  `port:"s_axi_arsize_i" bits:"2"`
	Arburst uint8  `port:"s_axi_arburst_i" bits:"2"`
	Arvalid bool   `port:"s_axi_arvalid_i"`
	Rready  bool   `port:"s_axi_rready_i"`
}

// Out holds the outputs of a cycle of the System.
type Out struct {
	Awready bool   `port:"s_axi_awready_o"`
	Wready  bool   `port:"s_axi_wready_o"`
	Bid     uint16 `port:"s_axi_bid_o" bits:"12"`
	Bresp   uint8  `port:"s_axi_bresp_o" bits:"2"`
	Bvalid  bool   `port:"s_axi_bvalid_o"`
	Arready bool   `port:"s_axi_arready_o"`
	Rid     uint16 `port:"s_axi_rid_o" bits:"12"`
	Rdata   uint32 `port:"s_axi_rdata_o"`
	Rresp   uint8  `port:"s_axi_rresp_o" bits:"2"`
	Rlast   bool   `port:"s_axi_rlast_o"`
	Rvalid  bool   `port:"s_axi_rvalid_o"`
	Irq     uint8  `port:"irq_o" bits:"2"` // bit 0 core, bit 1 perft engine
	Led     uint8  `port:"led_o"`
}
