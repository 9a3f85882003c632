// Package core is the move generator core in SystemVerilog: game state and lists of legal
// moves behind AXI4-Lite registers, an interrupt and an AXI4-Stream. The package has
// what Go needs to drive its pins: the [Design], its ports [In] and [Out], and [Model], a
// cycle-accurate reference for every output. Who wants moves rather than pins uses
// package driver, on a simulated bus by way of package simbus. The registers are those of
// regmap.Core. See README.md.
package core

import (
	"embed"

	"github.com/cosimate/cosimate/rtl/axil"
	"github.com/cosimate/cosimate/rtl/game"
	"github.com/cosimate/cosimate/rtl/internal/sources"
	"github.com/cosimate/cosimate/rtl/movegen"
)

//go:embed *.sv files.list
var files embed.FS

// Design is the RTL. Its clock and reset are clk_i and rst_i.
var Design = sources.Design("core", "core/files.list", files, movegen.Design, game.Design, axil.Design)

// The parameters' defaults.
const (
	Plies = 64  // moves that can be taken back
	Fifo  = 256 // moves that wait to be read
)

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
	Tready  bool   `port:"m_axis_tready_i"`
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
	Tvalid  bool   `port:"m_axis_tvalid_o"`
	Tdata   uint32 `port:"m_axis_tdata_o"`
	Tlast   bool   `port:"m_axis_tlast_o"`
	Irq     bool   `port:"irq_o"`
}
