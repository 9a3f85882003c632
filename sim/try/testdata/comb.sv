// says: No input has the name of a clock
// says: 100.0% of the bits could be compared
// says: look   outputs that never changed: z_o (130'h0
// never: wrong
module comb (input logic [3:0] a_i, input logic [127:0] w_i, output logic b_o, output logic [127:0] w_o, output logic [129:0] z_o);
  assign b_o = ^a_i;
  assign w_o = w_i ^ {32{a_i}};
  assign z_o = '0;
endmodule
