// An if of an X is false in Icarus, which makes a value known that is not.
// says: look   outputs that depend on what registers have at power-up, while Icarus has 0 or 1 for them
// says: b_o: from cycle
// never: wrong
module powerup (input logic clk_i, input logic rst_ni, input logic a_i, output logic [1:0] b_o);
  logic mode_q;  // has no reset
  always_ff @(posedge clk_i) mode_q <= mode_q;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) b_o <= 0;
    else if (mode_q) b_o <= b_o + 1;
    else b_o <= {a_i, a_i};
endmodule
