// A first-in first-out buffer of 4 bytes between two valid/ready streams: the example of package
// stream. One byte a clock; latency 1. Both valid_o and ready_o are functions of registers only.
`default_nettype none

module fifo (
  input  logic       clk_i,
  input  logic       rst_i,

  input  logic       valid_i,
  output logic       ready_o,
  input  logic [7:0] data_i,

  output logic       valid_o,
  input  logic       ready_i,
  output logic [7:0] data_o
);

  logic [7:0] mem [4];
  logic [1:0] read_q, write_q;
  logic [2:0] level_q;
  logic push, pop;

  assign ready_o = level_q != 3'd4;
  assign valid_o = level_q != 3'd0;
  assign data_o  = mem[read_q];

  assign push = valid_i & ready_o;
  assign pop  = valid_o & ready_i;

  always_ff @(posedge clk_i) begin
    if (push) begin
      mem[write_q] <= data_i;
      write_q <= write_q + 2'd1;
    end
    if (pop) begin
      read_q <= read_q + 2'd1;
    end
    level_q <= level_q + {2'b00, push} - {2'b00, pop};
    if (rst_i) begin
      write_q <= '0;
      read_q  <= '0;
      level_q <= '0;
    end
  end

endmodule

`default_nettype wire
