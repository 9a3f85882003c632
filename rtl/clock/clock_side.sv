// The time that one player has left: counted down cycle by cycle, added to, shown as decimal digits.
//
// It is kept as what is shown, MM:SS.t, rounded up to tenths, and the cycles of the last of these tenths that
// have gone by. So nothing is converted, and nothing is lost by rounding: what is left are
// time_o * tenths - used_o cycles. time_o is 0 when no cycle is left, and not before.
//
// In a cycle first the tick, then what is added; a load replaces the result.
// Cost: 77 LUTs, 44 flip-flops.

`default_nettype none

module clock_side #(
  parameter int TenthCycles = 10_000_000,   // of a tenth of a second
  localparam int UsedWidth = (TenthCycles < 2) ? 1 : $clog2(TenthCycles)
) (
  input  logic        clk_i,

  input  logic        tick_i,               // this cycle is counted; not to be given when time_o is 0
  output logic        expires_o,            // it is the last one

  input  logic        add_seconds_i,
  input  logic [7:0]  seconds_i,            // BCD, 00 to 99
  input  logic        add_minutes_i,        // five
  input  logic        load_i,
  input  logic [19:0] load_time_i,          // as time_o

  output logic [19:0] time_o,               // BCD: MM:SS.t, a digit in 4 bits; at most 99:59.9
  output logic [UsedWidth-1:0] used_o       // cycles of the last tenth of time_o that have gone by
);

  localparam logic [UsedWidth-1:0] LastUsed = UsedWidth'(TenthCycles - 1);
  localparam logic [19:0] Longest = 20'h99599;

  // A tick.
  logic [19:0] less, ticked, sum;
  logic [UsedWidth-1:0] used;
  logic [3:0] ones, tens, digit4, digit3, digit2, digit1, digit0;
  logic borrow1, borrow2, borrow3, borrow4, wraps, full;

  assign borrow1 = time_o[3:0] == 4'd0;
  assign borrow2 = borrow1 & (time_o[7:4] == 4'd0);
  assign borrow3 = borrow2 & (time_o[11:8] == 4'd0);
  assign borrow4 = borrow3 & (time_o[15:12] == 4'd0);
  assign less = {
    time_o[19:16] - {3'd0, borrow4},
    borrow4 ? 4'd9 : time_o[15:12] - {3'd0, borrow3},
    borrow3 ? 4'd5 : time_o[11:8] - {3'd0, borrow2},
    borrow2 ? 4'd9 : time_o[7:4] - {3'd0, borrow1},
    borrow1 ? 4'd9 : time_o[3:0] - 4'd1
  };

  assign wraps = tick_i & (used_o == LastUsed);
  assign used = wraps ? '0 : used_o + UsedWidth'(tick_i);
  assign ticked = wraps ? less : time_o;
  assign expires_o = wraps & (time_o == 20'h00001);

  // What is added: digit by digit, with sums that may carry by more than one.
  logic [4:0] second_ones, second_tens, minute_ones, minute_tens;
  logic [1:0] carry2;
  logic carry1, carry3;

  assign {tens, ones} = add_seconds_i ? seconds_i : 8'd0;
  assign {digit4, digit3, digit2, digit1, digit0} = ticked;

  always_comb begin
    second_ones = {1'b0, digit1} + {1'b0, ones};
    carry1 = second_ones >= 5'd10;
    if (carry1) second_ones = second_ones - 5'd10;

    second_tens = {1'b0, digit2} + {1'b0, tens} + {4'd0, carry1};
    carry2 = 2'd0;
    if (second_tens >= 5'd12) begin
      second_tens = second_tens - 5'd12;
      carry2 = 2'd2;
    end else if (second_tens >= 5'd6) begin
      second_tens = second_tens - 5'd6;
      carry2 = 2'd1;
    end

    minute_ones = {1'b0, digit3} + {3'd0, carry2} + (add_minutes_i ? 5'd5 : 5'd0);
    carry3 = minute_ones >= 5'd10;
    if (carry3) minute_ones = minute_ones - 5'd10;

    minute_tens = {1'b0, digit4} + {4'd0, carry3};
    full = minute_tens >= 5'd10;
  end

  assign sum = {minute_tens[3:0], minute_ones[3:0], second_tens[3:0], second_ones[3:0], digit0};

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      time_o <= load_time_i;
      used_o <= '0;
    end else if (full) begin
      time_o <= Longest;
      used_o <= '0;
    end else begin
      time_o <= sum;
      used_o <= used;
    end
  end

endmodule

`default_nettype wire
