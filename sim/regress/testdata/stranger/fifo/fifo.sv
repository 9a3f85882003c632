module fifo #(
  parameter int DEPTH = 4
) (
  input  logic       clk_i,
  input  logic       rst_i,
  input  logic       push_i,
  input  logic [7:0] data_i,
  input  logic       pop_i,
  output logic [7:0] data_o,
  output logic       valid_o,
  output logic       full_o
);
  logic [7:0] memory_q[DEPTH];
  logic [1:0] read_q, write_q;
  logic [2:0] count_q;
  assign valid_o = count_q != 0;
  assign full_o  = count_q == DEPTH[2:0];
  assign data_o  = valid_o ? memory_q[read_q] : 8'h0;
  logic push, pop;
  assign push = push_i && !full_o;
  assign pop  = pop_i && valid_o;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      read_q  <= '0;
      write_q <= '0;
      count_q <= '0;
    end else begin
      if (push) begin
        memory_q[write_q] <= data_i;
        write_q <= write_q + 2'd1;
      end
      if (pop) read_q <= read_q + 2'd1;
      count_q <= count_q + {2'b0, push} - {2'b0, pop};
    end
  end
endmodule
