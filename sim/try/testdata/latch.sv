// says: wrong  latches where the code says combinational logic: 1
// says: latch.sv:5:
// says: l_o
module latch (input logic clk_i, input logic en_i, input logic a_i, output logic l_o, output logic q_o);
  always_comb if (en_i) l_o = a_i;
  always_ff @(posedge clk_i) q_o <= a_i;
endmodule
