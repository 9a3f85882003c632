// A line that random inputs do not reach.
// says: look   coverage by these inputs:
// says: testdata/unused.sv:9 not executed
// never: wrong
module unused (input logic clk_i, input logic rst_i, input logic [31:0] a_i, output logic q_o);
  always_ff @(posedge clk_i)
    if (rst_i) q_o <= 0;
    else if (a_i == 32'h1234_5678)
      q_o <= 1;
    else q_o <= a_i[0];
endmodule
