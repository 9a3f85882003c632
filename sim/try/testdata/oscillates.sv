// says: wrong  verilator cannot go on after
// says: did not converge
// says: wrong  icarus cannot go on after
module oscillates (input logic clk_i, input logic a_i, output logic q_o);
  wire x;
  assign x = ~(x & a_i);
  assign q_o = x;
endmodule
