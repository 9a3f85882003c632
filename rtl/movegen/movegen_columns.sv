// Adds bits of equal weight, six at a time: the rows of Width bits in bits_i are added column by
// column as in movegen_sum6. For flat vectors of bits whose order does not matter.
//
// Combinational; three 6-input LUTs a column, one level.

`default_nettype none

module movegen_columns #(
  parameter int Width = 1
) (
  input  logic [6*Width-1:0] bits_i,
  output logic [Width-1:0]   ones_o,
  output logic [Width-1:0]   twos_o,
  output logic [Width-1:0]   fours_o
);

  movegen_sum6 #(.Width(Width)) u_sum6 (
    .a_i(bits_i[Width-1:0]),
    .b_i(bits_i[2*Width-1:Width]),
    .c_i(bits_i[3*Width-1:2*Width]),
    .d_i(bits_i[4*Width-1:3*Width]),
    .e_i(bits_i[5*Width-1:4*Width]),
    .f_i(bits_i[6*Width-1:5*Width]),
    .ones_o(ones_o),
    .twos_o(twos_o),
    .fours_o(fours_o)
  );

endmodule

`default_nettype wire
