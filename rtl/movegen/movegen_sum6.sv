// Adds six words column by column: each column's sum is 4 * fours + 2 * twos + ones.
//
// On 6-input LUTs one column costs three of them and one level; simulators work on whole words.
// Combinational.

`default_nettype none

module movegen_sum6 #(
  parameter int Width = 64
) (
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] c_i,
  input  logic [Width-1:0] d_i,
  input  logic [Width-1:0] e_i,
  input  logic [Width-1:0] f_i,
  output logic [Width-1:0] ones_o,
  output logic [Width-1:0] twos_o,
  output logic [Width-1:0] fours_o
);

  logic [Width-1:0] ab, de, ones_abc, ones_def, twos_abc, twos_def, twos_both, twos_any;

  always_comb begin
    ab = a_i ^ b_i;
    ones_abc = ab ^ c_i;
    twos_abc = (a_i & b_i) | (ab & c_i);
    de = d_i ^ e_i;
    ones_def = de ^ f_i;
    twos_def = (d_i & e_i) | (de & f_i);
    ones_o = ones_abc ^ ones_def;
    twos_both = ones_abc & ones_def;
    twos_any = twos_abc ^ twos_def;
    twos_o = twos_any ^ twos_both;
    fours_o = (twos_abc & twos_def) | (twos_any & twos_both);
  end

endmodule

`default_nettype wire
