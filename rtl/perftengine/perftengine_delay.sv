// A word, some cycles later. While clear_i is 1 all that is on its way is lost: zeros come out.

`default_nettype none

module perftengine_delay #(
  parameter int Width = 1,
  parameter int Cycles = 1
) (
  input  logic             clk_i,
  input  logic             clear_i,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);

  logic [Width-1:0] line_q [Cycles];

  always_ff @(posedge clk_i) begin
    for (int i = 0; i < Cycles; i++) begin
      if (clear_i) line_q[i] <= '0;
      else line_q[i] <= i == 0 ? data_i : line_q[i == 0 ? 0 : i - 1];
    end
  end

  assign data_o = line_q[Cycles-1];

endmodule

`default_nettype wire
