// A queue of bytes in distributed RAM. If the queue is empty, a byte is at the output in the cycle
// after the one in which it was put in.

`default_nettype none

module uart_fifo #(
  parameter int Depth = 16,                   // bytes, a power of two, at least 2
  localparam int AddressWidth = (Depth < 2) ? 1 : $clog2(Depth)
) (
  input  logic       clk_i,
  input  logic       rst_i,                   // synchronous: the queue is empty

  input  logic       in_valid_i,
  output logic       in_ready_o,              // the queue is not full
  input  logic [7:0] in_data_i,

  output logic       out_valid_o,             // the queue is not empty
  input  logic       out_ready_i,
  output logic [7:0] out_data_o               // the oldest byte
);

  initial begin
    if (Depth < 2 || 1 << AddressWidth != Depth) $fatal(1, "uart: a FIFO's depth is no power of two from 2 on");
  end

  logic [7:0] bytes_q [Depth];
  logic [AddressWidth:0] in_q, out_q;         // an address, and one bit that tells full from empty
  logic put, take;

  assign put = in_valid_i & in_ready_o;
  assign take = out_valid_o & out_ready_i;
  assign in_ready_o = in_q != (out_q ^ {1'b1, {AddressWidth{1'b0}}});
  assign out_valid_o = in_q != out_q;
  assign out_data_o = bytes_q[out_q[AddressWidth-1:0]];

  always_ff @(posedge clk_i) begin
    if (put) begin
      bytes_q[in_q[AddressWidth-1:0]] <= in_data_i;
    end
    if (rst_i) begin
      in_q <= '0;
      out_q <= '0;
    end else begin
      in_q <= in_q + (AddressWidth+1)'(put);
      out_q <= out_q + (AddressWidth+1)'(take);
    end
  end

endmodule

`default_nettype wire
