// Top of the Zedboard's FPGA: the cores behind the processors' port M_AXI_GP0, with the board's
// clock of 100 MHz.
//
// This is the only file with a vendor's primitive: PS7, the only way to a Zynq's processors. The
// open tools support it: Yosys knows it, and nextpnr places it and routes its pins. It is declared
// in ps7_blackbox.sv with the pins that are used.
//
//   processors: 0x4000_0000  move generator core (rtl/core)
//               0x4000_1000  perft engine (rtl/perftcore)
//   interrupts to the processors: IRQF2P 0 (61) core, 1 (62) perft engine
//   reset: FCLKRESETN 0, from the processors
//
// Constraints: zedboard.xdc. Cost: docs/pnr/zedboard.md.

`default_nettype none

module zedboard (
  input  logic       clk_i,        // GCLK, 100 MHz
  output logic [7:0] led_o         // LD0 to LD7, 1 lights
);

  /* verilator lint_off UNUSED */ // one of them is used
  logic [3:0] resets_n;
  /* verilator lint_on UNUSED */
  logic [1:0] reset_q;
  logic [1:0] irq;
  logic [11:0] awid, bid, arid, rid;
  logic [31:0] awaddr, wdata, araddr, rdata;
  logic [3:0] awlen, wstrb, arlen;
  logic [1:0] awsize, awburst, bresp, arsize, arburst, rresp;
  logic awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rlast, rvalid, rready;

  // The processors' reset is asynchronous. Two flip-flops synchronise it with the clock.
  initial reset_q = 2'b11;

  always_ff @(posedge clk_i) begin
    reset_q <= {reset_q[0], ~resets_n[0]};
  end

  PS7 u_ps7 (
    .FCLKRESETN(resets_n),
    .IRQF2P({18'd0, irq}),
    .MAXIGP0ACLK(clk_i),
    .MAXIGP0AWID(awid), .MAXIGP0AWADDR(awaddr), .MAXIGP0AWLEN(awlen), .MAXIGP0AWSIZE(awsize),
    .MAXIGP0AWBURST(awburst), .MAXIGP0AWVALID(awvalid), .MAXIGP0AWREADY(awready),
    .MAXIGP0WDATA(wdata), .MAXIGP0WSTRB(wstrb), .MAXIGP0WVALID(wvalid), .MAXIGP0WREADY(wready),
    .MAXIGP0BID(bid), .MAXIGP0BRESP(bresp), .MAXIGP0BVALID(bvalid), .MAXIGP0BREADY(bready),
    .MAXIGP0ARID(arid), .MAXIGP0ARADDR(araddr), .MAXIGP0ARLEN(arlen), .MAXIGP0ARSIZE(arsize),
    .MAXIGP0ARBURST(arburst), .MAXIGP0ARVALID(arvalid), .MAXIGP0ARREADY(arready),
    .MAXIGP0RID(rid), .MAXIGP0RDATA(rdata), .MAXIGP0RRESP(rresp), .MAXIGP0RLAST(rlast),
    .MAXIGP0RVALID(rvalid), .MAXIGP0RREADY(rready)
  );

  zedboard_system u_system (
    .clk_i(clk_i), .rst_i(reset_q[1]),
    .s_axi_awid_i(awid), .s_axi_awaddr_i(awaddr), .s_axi_awlen_i(awlen), .s_axi_awsize_i(awsize),
    .s_axi_awburst_i(awburst), .s_axi_awvalid_i(awvalid), .s_axi_awready_o(awready),
    .s_axi_wdata_i(wdata), .s_axi_wstrb_i(wstrb), .s_axi_wvalid_i(wvalid), .s_axi_wready_o(wready),
    .s_axi_bid_o(bid), .s_axi_bresp_o(bresp), .s_axi_bvalid_o(bvalid), .s_axi_bready_i(bready),
    .s_axi_arid_i(arid), .s_axi_araddr_i(araddr), .s_axi_arlen_i(arlen), .s_axi_arsize_i(arsize),
    .s_axi_arburst_i(arburst), .s_axi_arvalid_i(arvalid), .s_axi_arready_o(arready),
    .s_axi_rid_o(rid), .s_axi_rdata_o(rdata), .s_axi_rresp_o(rresp), .s_axi_rlast_o(rlast),
    .s_axi_rvalid_o(rvalid), .s_axi_rready_i(rready),
    .irq_o(irq), .led_o(led_o)
  );

endmodule

`default_nettype wire
