// Each depends on the other, though never both at once.
// says: look   signals that may depend on themselves without a register between: 1
// says: loop.sv:7:
// says: both simulators agree
// never: wrong
module loop (input logic clk_i, input logic [1:0] a_i, output logic q_o);
  logic x, y;
  assign x = a_i[0] ? y : a_i[1];
  assign y = a_i[0] ? a_i[1] : x;
  always_ff @(posedge clk_i) q_o <= x ^ y;
endmodule
