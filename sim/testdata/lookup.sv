// Which of 16 keys are in a table of tags: the example of what is unknown at power-up.
`default_nettype none
module lookup (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire        fill_i,   // enter tag_i at index_i
    input  wire  [3:0] index_i,
    input  wire  [7:0] tag_i,
    output logic       hit_o     // tag_i is what was entered at index_i
);
  logic [15:0] valid_q;
  logic [ 7:0] tags   [0:15];  // not reset: what valid_q does not have is not looked at

  assign hit_o = valid_q[index_i] & (tags[index_i] == tag_i);

  always_ff @(posedge clk_i) begin
    if (fill_i) tags[index_i] <= tag_i;
    if (fill_i) valid_q[index_i] <= 1'b1;
    if (rst_i) valid_q <= '0;
  end
endmodule
`default_nettype wire
