// Two clocks, registers of each that read those of the other, and a memory that one writes and the
// other reads.
module clocks (
  input  logic        a_clk_i,
  input  logic        b_clk_i,
  input  logic        rst_i,
  input  logic  [4:0] d_i,
  output logic  [7:0] a_o,
  output logic  [7:0] b_o,
  output logic  [7:0] ab_o,
  output logic  [7:0] mem_o
);

  logic [7:0] mem [32];
  initial for (int i = 0; i < 32; i++) mem[i] = '0;

  always_ff @(posedge a_clk_i) begin
    if (rst_i) a_o <= '0;
    else       a_o <= a_o + {3'b0, d_i} + {7'b0, b_o[0]};
    if (!rst_i) mem[d_i] <= a_o;
  end

  always_ff @(posedge b_clk_i) begin
    if (rst_i) b_o <= 8'h80;
    else       b_o <= b_o - 8'd3;
    ab_o <= rst_i ? '0 : a_o ^ b_o;
    mem_o <= mem[d_i];
  end

endmodule
