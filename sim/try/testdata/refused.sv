// says: wrong  Icarus does not take the design
// says: refused.sv:5: sorry: "inside"
// never: agree
module refused (input logic clk_i, input logic [3:0] a_i, output logic q_o);
  always_ff @(posedge clk_i) q_o <= a_i inside {[2:5]};
endmodule
