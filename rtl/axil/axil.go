// Package axil has an AXI4-Lite subordinate in SystemVerilog, which turns the transfers of a bus
// into single-cycle accesses to 32-bit registers. For Go the package has the [Design], its ports
// [In] and [Out], and [Model], a cycle-accurate reference for every output. The models of blocks
// with registers contain it:
//
//	access := m.Access(axil.Ready{Write: true, Read: true})
//	m.Step(in.Rst, in.Request, axil.Ready{Write: true, Read: true}, registers(access))
//
// See README.md for ports and timing.
package axil

import (
	"embed"

	"github.com/cosimate/cosimate/rtl/internal/sources"
)

//go:embed *.sv files.list
var files embed.FS

// Design is the RTL, with 12 bits of address. Its clock and reset are clk_i and rst_i.
var Design = sources.Design("axil", "axil/files.list", files)

// In holds the inputs of a cycle.
type In struct {
	Rst     bool   `port:"rst_i"`
	Awaddr  uint16 `port:"s_axil_awaddr_i" bits:"12"` // bytes
	Awvalid bool   `port:"s_axil_awvalid_i"`
	Wdata   uint32 `port:"s_axil_wdata_i"`
	Wstrb   uint8  `port:"s_axil_wstrb_i" bits:"4"`
	Wvalid  bool   `port:"s_axil_wvalid_i"`
	Bready  bool   `port:"s_axil_bready_i"`
	Araddr  uint16 `port:"s_axil_araddr_i" bits:"12"`
	Arvalid bool   `port:"s_axil_arvalid_i"`
	Rready  bool   `port:"s_axil_rready_i"`

	WriteReady bool   `port:"write_ready_i"`
	WriteError bool   `port:"write_error_i"`
	ReadReady  bool   `port:"read_ready_i"`
	ReadData   uint32 `port:"read_data_i"`
	ReadError  bool   `port:"read_error_i"`
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

	Write        bool   `port:"write_o"`
	WriteAddress uint16 `port:"write_address_o" bits:"10"` // in words
	WriteData    uint32 `port:"write_data_o"`
	Read         bool   `port:"read_o"`
	ReadAddress  uint16 `port:"read_address_o" bits:"10"` // in words
}
