// In the place of the processors (ps7_blackbox.sv), for the test of the top's wires: after the
// reset it reads both cores' identities, enables the perft engine's interrupts and has it count the
// moves of a position, and the core list them. What came is in the registers below, for the test to
// look at.

`default_nettype none

module PS7 (
  output wire [3:0]  FCLKRESETN,
  input  wire [19:0] IRQF2P,
  input  wire        MAXIGP0ACLK,
  output wire [11:0] MAXIGP0AWID,
  output wire [31:0] MAXIGP0AWADDR,
  output wire [3:0]  MAXIGP0AWLEN,
  output wire [1:0]  MAXIGP0AWSIZE,
  output wire [1:0]  MAXIGP0AWBURST,
  output wire        MAXIGP0AWVALID,
  input  wire        MAXIGP0AWREADY,
  output wire [31:0] MAXIGP0WDATA,
  output wire [3:0]  MAXIGP0WSTRB,
  output wire        MAXIGP0WVALID,
  input  wire        MAXIGP0WREADY,
  input  wire [11:0] MAXIGP0BID,
  input  wire [1:0]  MAXIGP0BRESP,
  input  wire        MAXIGP0BVALID,
  output wire        MAXIGP0BREADY,
  output wire [11:0] MAXIGP0ARID,
  output wire [31:0] MAXIGP0ARADDR,
  output wire [3:0]  MAXIGP0ARLEN,
  output wire [1:0]  MAXIGP0ARSIZE,
  output wire [1:0]  MAXIGP0ARBURST,
  output wire        MAXIGP0ARVALID,
  input  wire        MAXIGP0ARREADY,
  input  wire [11:0] MAXIGP0RID,
  input  wire [31:0] MAXIGP0RDATA,
  input  wire [1:0]  MAXIGP0RRESP,
  input  wire        MAXIGP0RLAST,
  input  wire        MAXIGP0RVALID,
  output wire        MAXIGP0RREADY
);

  // The program: {write, address, data}. 8/8/8/8/8/8/8/K1k5 w, in which White has one move.
  function automatic logic [44:0] step(input logic [4:0] n);
    case (n)
      5'd0: step = {1'b0, 12'h000, 32'd0};
      5'd1: step = {1'b0, 12'h000, 32'd0};
      5'd2: step = {1'b1, 12'h014, 32'h1};
      5'd3: step = {1'b1, 12'h040, 32'h00000e06};
      5'd4: step = {1'b1, 12'h038, 32'd0};
      5'd5: step = {1'b1, 12'h03c, 32'h00010000};
      5'd6: step = {1'b1, 12'h028, 32'd0};
      default: step = {1'b1, 12'h020, 32'd1};  // perft: depth 1; core: list, captures first
    endcase
  endfunction

  logic [7:0] time_q = 8'd0;
  logic [4:0] step_q = 5'd0;             // of this window
  logic window_q = 1'b0;                 // 0 core, 1 perft engine
  logic offered_q = 1'b0, data_q = 1'b0;
  logic [31:0] core_identity_q = 32'd0, perft_identity_q = 32'd0;
  logic [19:0] irq_q = 20'd0;            // those that came
  logic wrong_q = 1'b0;                  // an ID, a response or RLAST was
  logic [44:0] now;
  logic going, write;

  assign now = step(step_q);
  assign write = now[44];
  assign going = time_q[7] & (step_q < 5'd8);

  assign FCLKRESETN = {3'b000, time_q[6] | time_q[7]};
  assign MAXIGP0AWID = {8'ha5, step_q[3:0]};
  assign MAXIGP0ARID = {8'h5a, step_q[3:0]};
  assign MAXIGP0AWADDR = {16'h4000, 3'd0, window_q, now[43:32]};
  assign MAXIGP0ARADDR = MAXIGP0AWADDR;
  assign MAXIGP0AWLEN = 4'd0;
  assign MAXIGP0ARLEN = 4'd0;
  assign MAXIGP0AWSIZE = 2'd2;
  assign MAXIGP0ARSIZE = 2'd2;
  assign MAXIGP0AWBURST = 2'd1;
  assign MAXIGP0ARBURST = 2'd1;
  assign MAXIGP0AWVALID = going & write & ~offered_q;
  assign MAXIGP0WVALID = going & write & ~data_q;
  assign MAXIGP0WDATA = now[31:0];
  assign MAXIGP0WSTRB = 4'hf;
  assign MAXIGP0ARVALID = going & ~write & ~offered_q;
  assign MAXIGP0BREADY = 1'b1;
  assign MAXIGP0RREADY = 1'b1;

  always_ff @(posedge MAXIGP0ACLK) begin
    if (~time_q[7]) time_q <= time_q + 8'd1;
    if (time_q[7]) irq_q <= irq_q | IRQF2P;
    if (MAXIGP0AWVALID & MAXIGP0AWREADY) offered_q <= 1'b1;
    if (MAXIGP0ARVALID & MAXIGP0ARREADY) offered_q <= 1'b1;
    if (MAXIGP0WVALID & MAXIGP0WREADY) data_q <= 1'b1;
    // Until the reset has been, what comes is what the registers had at power-up.
    if (time_q[7] & (MAXIGP0BVALID | MAXIGP0RVALID)) begin
      offered_q <= 1'b0;
      data_q <= 1'b0;
      step_q <= step_q + 5'd1;
      if (step_q == 5'd7 && ~window_q) begin
        step_q <= 5'd1;
        window_q <= 1'b1;
      end
    end
    if (time_q[7] & MAXIGP0BVALID) wrong_q <= wrong_q | (MAXIGP0BID != MAXIGP0AWID) |
      (MAXIGP0BRESP != (window_q & (step_q == 5'd5 | step_q == 5'd6) ? 2'd2 : 2'd0));  // no such registers there
    if (time_q[7] & MAXIGP0RVALID) begin
      wrong_q <= wrong_q | (MAXIGP0RID != MAXIGP0ARID) | ~MAXIGP0RLAST | (MAXIGP0RRESP != 2'd0);
      if (window_q) perft_identity_q <= MAXIGP0RDATA;
      else core_identity_q <= MAXIGP0RDATA;
    end
  end

endmodule

`default_nettype wire
