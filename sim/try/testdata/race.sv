// Which of the two blocks comes first is left open.
// says: wrong  the simulators differ in cycle
// says: b_o: icarus 8'h
module race (input logic clk_i, input logic rst_i, input logic [7:0] a_i, output logic [7:0] b_o);
  logic [7:0] r;
  always @(posedge clk_i) b_o = rst_i ? 8'd0 : r;
  always @(posedge clk_i) r = rst_i ? 8'd0 : a_i;
endmodule
