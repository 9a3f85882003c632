// A byte, one cycle later.
`default_nettype none

module delay (
  input  logic       clk_i,
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);

  always_ff @(posedge clk_i) begin
    data_o <= data_i;
  end

endmodule

`default_nettype wire
