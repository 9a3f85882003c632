// Two counters on two clocks: for tests of processes that belong to a clock.
`default_nettype none

module two (
  input  logic       clk_a_i,
  input  logic       clk_b_i,
  input  logic       rst_i,
  output logic [7:0] a_o,
  output logic [7:0] b_o
);

  always_ff @(posedge clk_a_i) begin
    a_o <= rst_i ? '0 : a_o + 8'd1;
  end

  always_ff @(posedge clk_b_i) begin
    b_o <= rst_i ? '0 : b_o + 8'd1;
  end

endmodule

`default_nettype wire
