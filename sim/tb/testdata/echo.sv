// A register and a gate, for tests of processes: data_q_o is data_i one cycle later, diff_o
// is their difference within the cycle, count_o counts the cycles since the reset.
`default_nettype none

module echo (
  input  logic       clk_i,
  input  logic       rst_i,
  input  logic [7:0] data_i,
  output logic [7:0] data_q_o,
  output logic [7:0] diff_o,
  output logic [7:0] count_o,
  output logic       slow_o    // bit 2 of the count: an edge every 4 cycles
);

  assign diff_o = data_i ^ data_q_o;
  assign slow_o = count_o[2];

  always_ff @(posedge clk_i) begin
    data_q_o <= data_i;
    count_o  <= count_o + 8'd1;
    if (rst_i) begin
      data_q_o <= '0;
      count_o  <= '0;
    end
  end

endmodule

`default_nettype wire
