// The system beside the Zedboard's processors: both cores behind one AXI3 port, and the LEDs.
//
// The core's stream has no receiver here; that would be a DMA engine on a port to memory. Its ready
// is always 0, so that a list to the stream does not end until Abort.
//
// LD0 blinks about once in 1.3 s. LD1 and LD2 show the interrupts of core and perft engine. LD3 is
// lit for 10 ms after each transfer on the port.

`default_nettype none

module zedboard_system #(
  parameter int BlinkBits = 27,           // bits of the counter for LD0: 1.34 s at 100 MHz
  parameter int BusyBits = 20             // bits of the counter for LD3: 10 ms at 100 MHz
) (
  input  logic        clk_i,
  input  logic        rst_i,              // synchronous

  input  logic [11:0] s_axi_awid_i,       // see axi3
  input  logic [31:0] s_axi_awaddr_i,
  input  logic [3:0]  s_axi_awlen_i,
  input  logic [1:0]  s_axi_awsize_i,
  input  logic [1:0]  s_axi_awburst_i,
  input  logic        s_axi_awvalid_i,
  output logic        s_axi_awready_o,
  input  logic [31:0] s_axi_wdata_i,
  input  logic [3:0]  s_axi_wstrb_i,
  input  logic        s_axi_wvalid_i,
  output logic        s_axi_wready_o,
  output logic [11:0] s_axi_bid_o,
  output logic [1:0]  s_axi_bresp_o,
  output logic        s_axi_bvalid_o,
  input  logic        s_axi_bready_i,
  input  logic [11:0] s_axi_arid_i,
  input  logic [31:0] s_axi_araddr_i,
  input  logic [3:0]  s_axi_arlen_i,
  input  logic [1:0]  s_axi_arsize_i,
  input  logic [1:0]  s_axi_arburst_i,
  input  logic        s_axi_arvalid_i,
  output logic        s_axi_arready_o,
  output logic [11:0] s_axi_rid_o,
  output logic [31:0] s_axi_rdata_o,
  output logic [1:0]  s_axi_rresp_o,
  output logic        s_axi_rlast_o,
  output logic        s_axi_rvalid_o,
  input  logic        s_axi_rready_i,

  output logic [1:0]  irq_o,              // 0 core, 1 perft engine
  output logic [7:0]  led_o
);

  // The windows' buses: 0 core, 1 perft engine.
  logic [11:0] awaddr, araddr;
  logic [31:0] wdata;
  logic [3:0] wstrb;
  logic [1:0] awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [1:0] core_bresp, perft_bresp, core_rresp, perft_rresp;
  logic [31:0] core_rdata, perft_rdata;

  axi3 #(.Windows(2), .IdWidth(12)) u_axi3 (
    .clk_i(clk_i), .rst_i(rst_i),
    .s_axi_awid_i(s_axi_awid_i), .s_axi_awaddr_i(s_axi_awaddr_i), .s_axi_awlen_i(s_axi_awlen_i),
    .s_axi_awsize_i(s_axi_awsize_i), .s_axi_awburst_i(s_axi_awburst_i),
    .s_axi_awvalid_i(s_axi_awvalid_i), .s_axi_awready_o(s_axi_awready_o),
    .s_axi_wdata_i(s_axi_wdata_i), .s_axi_wstrb_i(s_axi_wstrb_i),
    .s_axi_wvalid_i(s_axi_wvalid_i), .s_axi_wready_o(s_axi_wready_o),
    .s_axi_bid_o(s_axi_bid_o), .s_axi_bresp_o(s_axi_bresp_o),
    .s_axi_bvalid_o(s_axi_bvalid_o), .s_axi_bready_i(s_axi_bready_i),
    .s_axi_arid_i(s_axi_arid_i), .s_axi_araddr_i(s_axi_araddr_i), .s_axi_arlen_i(s_axi_arlen_i),
    .s_axi_arsize_i(s_axi_arsize_i), .s_axi_arburst_i(s_axi_arburst_i),
    .s_axi_arvalid_i(s_axi_arvalid_i), .s_axi_arready_o(s_axi_arready_o),
    .s_axi_rid_o(s_axi_rid_o), .s_axi_rdata_o(s_axi_rdata_o), .s_axi_rresp_o(s_axi_rresp_o),
    .s_axi_rlast_o(s_axi_rlast_o), .s_axi_rvalid_o(s_axi_rvalid_o), .s_axi_rready_i(s_axi_rready_i),
    .m_axil_awaddr_o(awaddr), .m_axil_awvalid_o(awvalid), .m_axil_awready_i(awready),
    .m_axil_wdata_o(wdata), .m_axil_wstrb_o(wstrb), .m_axil_wvalid_o(wvalid), .m_axil_wready_i(wready),
    .m_axil_bresp_i({perft_bresp, core_bresp}), .m_axil_bvalid_i(bvalid), .m_axil_bready_o(bready),
    .m_axil_araddr_o(araddr), .m_axil_arvalid_o(arvalid), .m_axil_arready_i(arready),
    .m_axil_rdata_i({perft_rdata, core_rdata}), .m_axil_rresp_i({perft_rresp, core_rresp}),
    .m_axil_rvalid_i(rvalid), .m_axil_rready_o(rready)
  );

  core u_core (
    .clk_i(clk_i), .rst_i(rst_i),
    .s_axil_awaddr_i(awaddr), .s_axil_awvalid_i(awvalid[0]), .s_axil_awready_o(awready[0]),
    .s_axil_wdata_i(wdata), .s_axil_wstrb_i(wstrb), .s_axil_wvalid_i(wvalid[0]),
    .s_axil_wready_o(wready[0]),
    .s_axil_bresp_o(core_bresp), .s_axil_bvalid_o(bvalid[0]), .s_axil_bready_i(bready[0]),
    .s_axil_araddr_i(araddr), .s_axil_arvalid_i(arvalid[0]), .s_axil_arready_o(arready[0]),
    .s_axil_rdata_o(core_rdata), .s_axil_rresp_o(core_rresp), .s_axil_rvalid_o(rvalid[0]),
    .s_axil_rready_i(rready[0]),
    .m_axis_tready_i(1'b0),
    /* verilator lint_off PINCONNECTEMPTY */ // no receiver
    .m_axis_tvalid_o(), .m_axis_tdata_o(), .m_axis_tlast_o(),
    /* verilator lint_on PINCONNECTEMPTY */
    .irq_o(irq_o[0])
  );

  perftcore u_perft (
    .clk_i(clk_i), .rst_i(rst_i),
    .s_axil_awaddr_i(awaddr), .s_axil_awvalid_i(awvalid[1]), .s_axil_awready_o(awready[1]),
    .s_axil_wdata_i(wdata), .s_axil_wstrb_i(wstrb), .s_axil_wvalid_i(wvalid[1]),
    .s_axil_wready_o(wready[1]),
    .s_axil_bresp_o(perft_bresp), .s_axil_bvalid_o(bvalid[1]), .s_axil_bready_i(bready[1]),
    .s_axil_araddr_i(araddr), .s_axil_arvalid_i(arvalid[1]), .s_axil_arready_o(arready[1]),
    .s_axil_rdata_o(perft_rdata), .s_axil_rresp_o(perft_rresp), .s_axil_rvalid_o(rvalid[1]),
    .s_axil_rready_i(rready[1]),
    .irq_o(irq_o[1])
  );

  // The LEDs.
  logic [BlinkBits-1:0] blink_q;
  logic [BusyBits-1:0] busy_q;
  logic transfer;

  assign transfer = (s_axi_rvalid_o & s_axi_rready_i) | (s_axi_bvalid_o & s_axi_bready_i);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      blink_q <= '0;
      busy_q <= '0;
      led_o <= '0;
    end else begin
      blink_q <= blink_q + 1'b1;
      if (transfer) busy_q <= '1;
      else busy_q <= busy_q - {{BusyBits-1{1'b0}}, |busy_q};
      led_o <= {4'd0, |busy_q, irq_o, blink_q[BlinkBits-1]};
    end
  end

endmodule

`default_nettype wire
