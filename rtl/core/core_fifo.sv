// A queue in block RAM, with its next item at the output.
//
// An item put in shows at the output two cycles later at the earliest; then one a clock. valid_o,
// data_o, full_o and count_o are registers. Putting into a full queue and taking from one without a
// valid output are not to happen. clear_i empties it, whatever else is asked.
//
// Cost: 39 LUTs, 33 flip-flops, one block RAM of 18 kbit.

`default_nettype none

module core_fifo #(
  parameter int Width = 8,
  parameter int Depth = 256,             // a power of two
  localparam int AddressWidth = $clog2(Depth)
) (
  input  logic                  clk_i,
  input  logic                  clear_i,

  input  logic                  put_i,
  input  logic [Width-1:0]      data_i,
  output logic                  full_o,

  output logic                  valid_o,
  output logic [Width-1:0]      data_o,
  input  logic                  take_i,

  output logic [AddressWidth:0] count_o  // items, those that do not show yet included
);

  logic [Width-1:0] items_q [Depth];
  logic [AddressWidth-1:0] put_q, take_q, take_d;

  assign take_d = take_q + AddressWidth'(take_i);
  assign full_o = count_o[AddressWidth];

  always_ff @(posedge clk_i) begin
    if (put_i) begin
      items_q[put_q] <= data_i;
    end
    data_o <= items_q[take_d];
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      put_q <= '0;
      take_q <= '0;
      count_o <= '0;
      valid_o <= 1'b0;
    end else begin
      put_q <= put_q + AddressWidth'(put_i);
      take_q <= take_d;
      count_o <= count_o + (AddressWidth+1)'(put_i) - (AddressWidth+1)'(take_i);
      // What is put in this cycle is not read in it.
      valid_o <= count_o > (AddressWidth+1)'(take_i);
    end
  end

endmodule

`default_nettype wire
