// says: wrong  places where the RTL reports errors: 1
// says: asserts.sv:8: error in cycle
// says: times)
// says: Reset: rst_i, active high
module asserts (input logic clk_i, input logic rst_i, input logic [7:0] a_i, output logic q_o);
  always_ff @(posedge clk_i) q_o <= ^a_i;
  always_ff @(posedge clk_i)
    if (!rst_i) assert (a_i != 8'hff) else $error("a_i is 255");
endmodule
