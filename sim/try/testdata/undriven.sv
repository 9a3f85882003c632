// says: wrong  outputs of which no bit ever had a value (X or Z in Icarus): z_o
// says: has no driver
module undriven (input logic clk_i, input logic a_i, output logic q_o, output wire z_o);
  always_ff @(posedge clk_i) q_o <= a_i;
endmodule
