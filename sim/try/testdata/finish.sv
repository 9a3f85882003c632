// says: look   the RTL ends the simulation
// says: finish called $finish in cycle
// never: wrong
module finish (input logic clk_i, input logic [3:0] a_i, output logic q_o);
  always @(posedge clk_i) begin
    q_o <= ^a_i;
    if (a_i == 7) $finish;
  end
endmodule
