// Turns a cache line of 256 bytes round, or not, and adds up its words: an example of ports wider
// than any integer. One line a clock, latency 1.
`default_nettype none
module line (
    input  wire           clk_i,
    input  wire           rst_i,
    input  wire           valid_i,
    input  wire           reverse_i,  // the last byte first
    input  wire  [2047:0] line_i,     // byte 0 in bits 7:0
    output logic          valid_o,
    output logic [2047:0] line_o,
    output logic [  63:0] sum_o       // of the 64-bit words of line_o
);
  logic [2047:0] line_d;
  logic [  63:0] sum_d;

  always_comb begin
    line_d = line_i;
    if (reverse_i) for (int i = 0; i < 256; i++) line_d[8*i+:8] = line_i[8*(255-i)+:8];
    sum_d = '0;
    for (int i = 0; i < 32; i++) sum_d = sum_d + line_d[64*i+:64];
  end

  always_ff @(posedge clk_i) begin
    valid_o <= valid_i & ~rst_i;
    if (valid_i) begin
      line_o <= line_d;
      sum_o  <= sum_d;
    end
  end
endmodule
`default_nettype wire
