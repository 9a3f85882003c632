// A first-in first-out buffer between two valid/ready streams. A word that is put in can be taken
// out one cycle later.

`default_nettype none

module fifo #(
  parameter int Width = 8,          // bits of a word
  parameter int Depth = 4           // words, at least 2
) (
  input  logic             clk_i,
  input  logic             rst_i,   // synchronous: the buffer is empty

  input  logic             valid_i,
  output logic             ready_o, // not full
  input  logic [Width-1:0] data_i,

  output logic             valid_o, // not empty
  input  logic             ready_i,
  output logic [Width-1:0] data_o
);

  localparam int IndexWidth = $clog2(Depth);
  localparam logic [IndexWidth-1:0] Last = IndexWidth'(Depth - 1);

  logic [Width-1:0] words_q [Depth];
  logic [IndexWidth-1:0] write_q, read_q;
  logic full_q;                     // the indices are equal, and it is not empty
  logic put, take;

  assign valid_o = full_q || (write_q != read_q);
  assign ready_o = !full_q;
  assign data_o = words_q[read_q];
  assign put = valid_i && ready_o;
  assign take = valid_o && ready_i;

  always_ff @(posedge clk_i) begin
    if (put) words_q[write_q] <= data_i;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      write_q <= '0;
      read_q <= '0;
      full_q <= 1'b0;
    end else begin
      if (put) write_q <= (write_q == Last) ? '0 : write_q + IndexWidth'(1);
      if (take) read_q <= (read_q == Last) ? '0 : read_q + IndexWidth'(1);
      if (put != take) full_q <= put && (read_q == ((write_q == Last) ? '0 : write_q + IndexWidth'(1)));
    end
  end

endmodule

`default_nettype wire
