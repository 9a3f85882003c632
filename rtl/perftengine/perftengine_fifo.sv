// A queue in distributed RAM. An item is at the output in the cycle after it was put in, if the
// queue was empty. The user does not put into a full queue nor take from an empty one.

`default_nettype none

module perftengine_fifo #(
  parameter int Width = 8,
  parameter int Depth = 8,                    // a power of two
  localparam int AddressWidth = $clog2(Depth)
) (
  input  logic             clk_i,
  input  logic             clear_i,
  input  logic             put_i,
  input  logic [Width-1:0] data_i,
  input  logic             take_i,
  output logic [Width-1:0] data_o,            // the oldest item
  output logic             empty_o,
  output logic             full_o
);

  logic [Width-1:0] items_q [Depth];
  logic [AddressWidth:0] put_q, take_q;       // one bit more than an address: tells full from empty

  assign data_o = items_q[take_q[AddressWidth-1:0]];
  assign empty_o = put_q == take_q;
  assign full_o = put_q == (take_q ^ {1'b1, {AddressWidth{1'b0}}});

  always_ff @(posedge clk_i) begin
    if (put_i) begin
      items_q[put_q[AddressWidth-1:0]] <= data_i;
    end
    if (clear_i) begin
      put_q <= '0;
      take_q <= '0;
    end else begin
      put_q <= put_q + (AddressWidth+1)'(put_i);
      take_q <= take_q + (AddressWidth+1)'(take_i);
    end
  end

endmodule

`default_nettype wire
