// Package axi3 has a bridge in SystemVerilog from an AXI3 port, as a Zynq's processors have it, to
// windows of registers on AXI4-Lite. Bursts become single transfers. For Go the package has the
// [Design], its ports [In] and [Out], and [Model], a cycle-accurate reference for every output:
//
//	dut := sim.OpenTest[axi3.In, axi3.Out](t, axi3.Design, sim.Verilator)
//	sim.Check(t, dut, axi3.NewModel(axi3.Windows), inputs)
//
// See README.md for ports and timing.
package axi3

import (
	"embed"

	"github.com/cosimate/cosimate/rtl/internal/sources"
)

//go:embed *.sv files.list
var files embed.FS

// Windows is the number of windows, the default of the RTL's parameter.
const Windows = 2

// Design is the RTL. Its clock and reset are clk_i and rst_i.
var Design = sources.Design("axi3", "axi3/files.list", files)

// Address is the address channel's signals that come with AxVALID.
type Address struct {
	ID    uint16
	Addr  uint32
	Len   uint8 // beats less one
	Size  uint8 // log2 of a beat's bytes
	Burst uint8
}

// The kinds of bursts.
const (
	Fixed uint8 = iota // all beats at one address
	Incr
	Wrap
)

// In holds the inputs of a cycle. In signals from the windows, bit n or the n-th field is window
// n's.
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

	LiteAwready uint8  `port:"m_axil_awready_i" bits:"2"`
	LiteWready  uint8  `port:"m_axil_wready_i" bits:"2"`
	LiteBresp   uint8  `port:"m_axil_bresp_i" bits:"4"`
	LiteBvalid  uint8  `port:"m_axil_bvalid_i" bits:"2"`
	LiteArready uint8  `port:"m_axil_arready_i" bits:"2"`
	LiteRdata   uint64 `port:"m_axil_rdata_i"`
	LiteRresp   uint8  `port:"m_axil_rresp_i" bits:"4"`
	LiteRvalid  uint8  `port:"m_axil_rvalid_i" bits:"2"`
}

// Out holds the outputs of a cycle.
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

	LiteAwaddr  uint16 `port:"m_axil_awaddr_o" bits:"12"`
	LiteAwvalid uint8  `port:"m_axil_awvalid_o" bits:"2"`
	LiteWdata   uint32 `port:"m_axil_wdata_o"`
	LiteWstrb   uint8  `port:"m_axil_wstrb_o" bits:"4"`
	LiteWvalid  uint8  `port:"m_axil_wvalid_o" bits:"2"`
	LiteBready  uint8  `port:"m_axil_bready_o" bits:"2"`
	LiteAraddr  uint16 `port:"m_axil_araddr_o" bits:"12"`
	LiteArvalid uint8  `port:"m_axil_arvalid_o" bits:"2"`
	LiteRready  uint8  `port:"m_axil_rready_o" bits:"2"`
}
