// says: both simulators agree
// never: wrong
module noinputs (input logic clk_i, output logic q_o);
  logic q = 0;
  always_ff @(posedge clk_i) q <= ~q;
  assign q_o = q;
endmodule
