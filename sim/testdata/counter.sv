// An up-counter with enable: the example of package sim.
`default_nettype none
module counter #(
    parameter int Width = 8
) (
    input  wire              clk_i,
    input  wire              rst_i,
    input  wire              enable_i,
    output logic [Width-1:0] count_o,
    output logic             wrap_o    // the count is at its maximum
);
  logic [Width-1:0] count_d, count_q;

  always_comb begin
    count_d = count_q;
    if (enable_i) count_d = count_q + 1'b1;
    if (rst_i) count_d = '0;
  end

  always_ff @(posedge clk_i) count_q <= count_d;

  assign count_o = count_q;
  assign wrap_o  = count_q == '1;
endmodule
`default_nettype wire
