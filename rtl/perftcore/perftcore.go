// Package perftcore is the perft engine behind AXI4-Lite registers and an interrupt, in
// SystemVerilog. The package has what Go needs to drive its pins: the [Design], its ports [In] and
// [Out], and [Model], a cycle-accurate reference for every output. Who wants counts rather than
// pins uses package driver, on a simulated bus by way of package simbus. The registers are those of
// regmap.Perft. See README.md.
package perftcore

import (
	"embed"

	"github.com/cosimate/cosimate/rtl/axil"
	"github.com/cosimate/cosimate/rtl/core"
	"github.com/cosimate/cosimate/rtl/internal/sources"
	"github.com/cosimate/cosimate/rtl/perftengine"
)

//go:embed *.sv files.list
var files embed.FS

// Design is the RTL. Its clock and reset are clk_i and rst_i.
var Design = sources.Design("perftcore", "perftcore/files.list", files,
	perftengine.Design, axil.Design, core.Design)

// In holds the inputs of a cycle.
type In struct {
	Rst     bool   `port:"rst_i"`
	Awaddr  uint16 `port:"s_axil_awaddr_i" bits:"12"`
	Awvalid bool   `port:"s_axil_awvalid_i"`
	Wdata   uint32 `port:"s_axil_wdata_i"`
	Wstrb   uint8  `port:"s_axil_wstrb_i" bits:"4"`
	Wvalid  bool   `port:"s_axil_wvalid_i"`
	Bready  bool   `port:"s_axil_bready_i"`
	Araddr  uint16 `port:"s_axil_araddr_i" bits:"12"`
	Arvalid bool   `port:"s_axil_arvalid_i"`
	Rready  bool   `port:"s_axil_rready_i"`
}

// Out holds the outputs of a cycle.
type Out struct {
	Awready bool   `port:"s_axil_awready_o"`
	Wready  bool   `port:"s_axil_wready_o"`
	Bresp   uint8  `port:"s_axil_bresp_o" bits:"2"`
	Bvalid  bool   `port:"s_axil_bvalid_o"`
	Arready bool   `port:"s_axil_arready_o"`
	Rdata   uint32 `port:"s_axil_rdata_o"`
	Rresp   uint8  `port:"s_axil_rresp_o" bits:"2"`
	Rvalid  bool   `port:"s_axil_rvalid_o"`
	Irq     bool   `port:"irq_o"`
}
