// A three-stage pipeline of 64-bit arithmetic with 12 ports: small enough that the
// way to the simulator costs more than the simulation. Used by benchmarks.
`default_nettype none
module pipe (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire         valid_i,
    input  wire  [ 1:0] op_i,
    input  wire  [63:0] a_i,
    input  wire  [63:0] b_i,
    input  wire  [15:0] tag_i,
    output logic        valid_o,
    output logic [63:0] result_o,
    output logic [15:0] tag_o,
    output logic        zero_o,
    output logic [31:0] count_o   // results so far
);
  logic        valid1_q, valid2_q, valid3_q;
  logic [ 1:0] op1_q;
  logic [63:0] a1_q, b1_q, sum2_q, mix2_q, result3_q;
  logic [15:0] tag1_q, tag2_q, tag3_q;
  logic        pick2_q;
  logic [31:0] count_q;

  always_ff @(posedge clk_i) begin
    valid1_q  <= valid_i & ~rst_i;
    op1_q     <= op_i;
    a1_q      <= a_i;
    b1_q      <= b_i;
    tag1_q    <= tag_i;

    valid2_q  <= valid1_q & ~rst_i;
    sum2_q    <= op1_q[0] ? a1_q - b1_q : a1_q + b1_q;
    mix2_q    <= op1_q[0] ? a1_q ^ b1_q : a1_q & b1_q;
    pick2_q   <= op1_q[1];
    tag2_q    <= tag1_q;

    valid3_q  <= valid2_q & ~rst_i;
    result3_q <= pick2_q ? mix2_q : sum2_q;
    tag3_q    <= tag2_q;
    count_q   <= rst_i ? 32'd0 : count_q + {31'd0, valid2_q};
  end

  assign valid_o  = valid3_q;
  assign result_o = result3_q;
  assign tag_o    = tag3_q;
  assign zero_o   = result3_q == 64'd0;
  assign count_o  = count_q;
endmodule
`default_nettype wire
