package vectors_test

// core is RTL that makes requests: over AXI4-Lite without answers, over pipelined Wishbone with
// ERR, and over a Wishbone bus of 16 bits that only reads.
const core = `module core(input clk, input rst, input [15:0] dat, output reg [15:0] adr,
    output reg m_awvalid, input m_awready, output reg [11:0] m_awaddr, output reg m_wvalid, input m_wready, output reg [31:0] m_wdata, output reg [3:0] m_wstrb,
    input m_bvalid, output reg m_bready, output reg m_arvalid, input m_arready, output reg [11:0] m_araddr, input m_rvalid, output reg m_rready, input [31:0] m_rdata,
    output reg wb_cyc_o, output reg wb_stb_o, output reg wb_we_o, output reg [9:0] wb_adr_o, output reg [3:0] wb_sel_o, output reg [31:0] wb_dat_o,
    input wb_stall_i, input wb_ack_i, input wb_err_i, input [31:0] wb_dat_i,
    output reg rom_cyc, input rom_ack, output reg [7:0] rom_adr, input [15:0] rom_dat);
  always @(posedge clk) {adr, m_awvalid, m_awaddr, m_wvalid, m_wdata, m_wstrb, m_bready, m_arvalid, m_araddr, m_rready,
    wb_cyc_o, wb_stb_o, wb_we_o, wb_adr_o, wb_sel_o, wb_dat_o, rom_cyc, rom_adr} <= {143'd0, rst, dat};
endmodule
`

// n returns a vector for it, with this line of an agent.
func n(agent string) string { return "rtl: core.v\n\n-- script --\nagent " + agent + "\n" }

// m returns a vector for it, whose agents are memories.
func m(statements string) string {
	return n("mem axi-lite prefix m_ words 256 first 0x100\nagent wb wishbone prefix wb_ words 64 unit word\n" + statements)
}

// wrongMemories have one mistake each in a line or a statement of an agent that is a memory.
var wrongMemories = []struct{ name, text string }{
	{"memory-no-size", n("mem axi-lite prefix m_")},
	{"memory-of-wishbone-no-size", n("mem wishbone prefix wb_")},
	{"memory-nothing-in-it", n("mem axi-lite prefix m_ first 0x100")},
	{"memory-missing-file", n("mem axi-lite prefix m_ memory program.hex")},
	{"memory-not-hex", n("mem axi-lite prefix m_ memory core.v")},
	{"memory-device", n("mem axi-lite prefix m_ memory /dev/zero")},
	{"memory-words-too-wide", n("mem axi-lite prefix m_ memory wide.hex")},
	{"memory-words-nothing", n("mem axi-lite prefix m_ words 0")},
	{"memory-words-many", n("mem axi-lite prefix m_ words many")},
	{"memory-beyond-addresses", n("mem axi-lite prefix m_ words 1025")},
	{"memory-beyond-numbers", n("mem axi-lite prefix m_ words 0xffffffffffffffff")},
	{"memory-first-within-a-word", n("mem axi-lite prefix m_ words 4 first 0x102")},
	{"memory-bad-unit", n("mem wishbone prefix wb_ words 4 unit bit")},
	{"memory-no-unit", n("mem wishbone prefix wb_ words 4")},
	{"memory-bad-unknown", n("mem axi-lite prefix m_ words 4 unknown x")},
	{"memory-outside-unknown", n("mem wishbone prefix wb_ words 4 unit word outside RETRY")},
	{"memory-outside-without-answers", n("mem axi-lite prefix m_ words 4 outside DECERR")},
	{"memory-busy-without-stall", n("rom wishbone prefix rom_ words 4 unit word busy 30%")},
	{"memory-shares-nobody", n("mem axi-lite prefix m_ shares wb")},
	{"memory-shares-and-has", m("agent rom wishbone prefix rom_ shares mem words 3\n")},
	{"memory-shares-other-width", m("agent rom wishbone prefix rom_ shares mem\n")},
	{"memory-of-a-manager", g("bus wishbone prefix wb_ words 16")},
	{"memory-option-of-uart", g("rx uart line rx_i divisor 8 memory core.v")},
	{"memory-write", m("mem write 0x100 3\n")},
	{"memory-holds-what", m("mem holds\n")},
	{"memory-holds-nothing", m("mem holds 0x100\n")},
	{"memory-holds-two", m("mem holds 0x100 1 2\n")},
	{"memory-holds-outside", m("mem holds 0xfc 1\n")},
	{"memory-holds-behind", m("wb holds 64 1\n")},
	{"memory-holds-within-a-word", m("mem holds 0x101 1\n")},
	{"memory-holds-fill", m("mem holds 0x100 ?\n")},
	{"memory-holds-too-wide", m("mem holds 0x100 0x1_0000_0000\n")},
	{"memory-gets-address-too-wide", m("mem gets 0x1000 1\n")},
	{"memory-gets-nothing", m("mem gets 0x800\n")},
	{"memory-gets-half-a-text", m("mem gets 0x800 \"OK\n")},
	{"memory-put-nothing", m("mem put 0x100\n")},
	{"memory-put-range", m("mem put 0x100 1..3\n")},
	{"memory-put-beyond", m("wb put 62 1 2 3\n")},
	{"memory-answers-nothing", m("wb answers\n")},
	{"memory-answers-what", m("wb answers 3\n")},
	{"memory-answers-any", m("wb answers - ERR\n")},
	{"memory-answers-unknown", m("wb answers 0..3 RTY\n")},
	{"memory-answers-without-answers", m("mem answers 0x100 SLVERR\n")},
}
