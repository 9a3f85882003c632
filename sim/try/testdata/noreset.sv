// says: wrong  outputs of which no bit ever had a value (X or Z in Icarus): count_o
// says: from count_q (4'hx, testdata/noreset.sv:8)
// says: look   outputs that were X or Z in Icarus for a while after the reset: data_o
// says: from u_stage.data_q (8'hxx, testdata/noreset.sv:17)
// never: mask_q
module noreset (input logic clk_i, input logic rst_i, input logic en_i, input logic [7:0] data_i,
                output logic [3:0] count_o, output logic [7:0] data_o);
  logic [3:0] count_q;  // nobody gives it a first value
  logic [7:0] mask_q, data;
  always_ff @(posedge clk_i) count_q <= count_q + 1;
  always_ff @(posedge clk_i) mask_q <= rst_i ? '1 : ~mask_q;
  assign count_o = count_q;
  noreset_stage u_stage (.clk_i, .en_i, .data_i, .data_o(data));
  assign data_o = data & {8{mask_q[0] | 1'b1}};
endmodule
module noreset_stage (input logic clk_i, input logic en_i, input logic [7:0] data_i, output logic [7:0] data_o);
  logic [7:0] data_q;
  always_ff @(posedge clk_i) if (en_i) data_q <= data_i;
  assign data_o = data_q;
endmodule
