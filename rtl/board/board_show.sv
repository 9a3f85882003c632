// What the LEDs show when something illegal was done: for a while that it was illegal, then which
// squares are to be put right.

`default_nettype none

module board_show #(
  parameter int IllegalScans = 20      // for which it is an X, at least 1: some two blinks
) (
  input  logic       clk_i,
  input  logic       rst_i,            // synchronous
  input  logic       scan_i,           // a scan has been made: one cycle
  input  logic [3:0] show_i,           // show_o of validity
  output logic [3:0] pattern_o         // pattern_i of leds
);

  localparam int CountWidth = $clog2(IllegalScans + 1);
  localparam logic [3:0] Illegal = 4'd2, Restore = 4'd3;

  initial begin
    if (IllegalScans < 1) $fatal(1, "board_show: IllegalScans is less than 1");
  end

  logic [CountWidth-1:0] left_q;

  always_ff @(posedge clk_i) begin
    if (rst_i | (show_i != Illegal)) left_q <= CountWidth'(IllegalScans);
    else if (scan_i & (left_q != '0)) left_q <= left_q - CountWidth'(1);
  end

  assign pattern_o = ((show_i == Illegal) & (left_q == '0)) ? Restore : show_i;

endmodule

`default_nettype wire
