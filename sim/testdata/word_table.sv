// A table whose words are written in turn and read at once: word_o and, a cycle later, sum_o of all
// that was read.
module word_table (
    input  logic       clk_i,
    input  logic       rst_i,
    input  logic [1:0] read_i,
    output logic [7:0] word_o,
    output logic [7:0] sum_o
);
  logic [7:0] mem [0:3];
  logic [7:0] count_q;
  assign word_o = mem[read_i];
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      count_q <= 0;
      sum_o   <= 0;
      for (int i = 0; i < 4; i++) mem[i] <= 0;
    end else begin
      count_q           <= count_q + 1;
      sum_o             <= sum_o + word_o;
      mem[count_q[1:0]] <= count_q;
    end
  end
endmodule
