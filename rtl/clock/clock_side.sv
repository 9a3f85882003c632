// The time that one side has left. It is counted down by cycles, added to, and shown in decimal
// digits.
//
// The time is kept as it is shown, MM:SS.t, rounded up to tenths. Beside it is the number of cycles
// that are over of the last of these tenths. So nothing has to be converted, and nothing is lost by
// rounding. The time left is time_o in tenths of a second less used_o cycles. time_o becomes 0 when
// no cycle is left, and not before.
//
// In a cycle first the tick is counted, then seconds and minutes are added; a load replaces the
// result.
// Cost: 218 LUTs, 45 flip-flops.

`default_nettype none

module clock_side #(
  parameter int TenthCycles = 10_000_000,   // cycles of a tenth of a second
  localparam int UsedWidth = (TenthCycles < 2) ? 1 : $clog2(TenthCycles)
) (
  input  logic        clk_i,

  // this cycle is counted; must be 0 when time_o is 0
  input  logic        tick_i,
  output logic        expires_o,            // this cycle is the last one

  input  logic        add_seconds_i,        // has no effect on a time that expires in this cycle
  input  logic [7:0]  seconds_i,            // BCD, 00 to 99
  input  logic        add_minutes_i,        // adds five minutes
  input  logic        load_i,
  input  logic [19:0] load_time_i,          // in the format of time_o

  output logic [19:0] time_o,               // BCD: MM:SS.t, a digit in 4 bits; at most 99:59.9
  output logic [UsedWidth-1:0] used_o       // cycles that are over of the last tenth of time_o
);

  localparam logic [UsedWidth-1:0] LastUsed = UsedWidth'(TenthCycles - 1);
  localparam logic [19:0] Longest = 20'h99599;

  // Sums of digits, written as logic, as carry chains for so few bits take longer.
  function automatic logic [4:0] plus(input logic [3:0] a, input logic [3:0] b);
    logic carry;
    carry = 1'b0;
    for (int i = 0; i < 4; i++) begin
      plus[i] = a[i] ^ b[i] ^ carry;
      carry = (a[i] & b[i]) | (carry & (a[i] ^ b[i]));
    end
    plus[4] = carry;
  endfunction

  // The carry and the digit of a sum: here of seconds or minutes, below of tens of seconds.
  function automatic logic [4:0] by_ten(input logic [4:0] sum);
    case (sum)
      5'd10: by_ten = {1'b1, 4'd0};
      5'd11: by_ten = {1'b1, 4'd1};
      5'd12: by_ten = {1'b1, 4'd2};
      5'd13: by_ten = {1'b1, 4'd3};
      5'd14: by_ten = {1'b1, 4'd4};
      5'd15: by_ten = {1'b1, 4'd5};
      5'd16: by_ten = {1'b1, 4'd6};
      5'd17: by_ten = {1'b1, 4'd7};
      5'd18: by_ten = {1'b1, 4'd8};
      default: by_ten = sum;
    endcase
  endfunction

  function automatic logic [5:0] by_six(input logic [4:0] sum);
    case (sum)
      5'd6: by_six = {2'd1, 4'd0};
      5'd7: by_six = {2'd1, 4'd1};
      5'd8: by_six = {2'd1, 4'd2};
      5'd9: by_six = {2'd1, 4'd3};
      5'd10: by_six = {2'd1, 4'd4};
      5'd11: by_six = {2'd1, 4'd5};
      5'd12: by_six = {2'd2, 4'd0};
      5'd13: by_six = {2'd2, 4'd1};
      5'd14: by_six = {2'd2, 4'd2};
      5'd15: by_six = {2'd2, 4'd3};
      default: by_six = {1'b0, sum};
    endcase
  endfunction

  // The time after a tick.
  logic [19:0] ticked, sum;
  logic [3:0] less4, less3, less2, less1, less0;
  logic [UsedWidth-1:0] used;
  logic [3:0] ones, tens, digit4, digit3, digit2, digit1, digit0;
  logic borrow1, borrow2, borrow3, borrow4, last_q, wraps;

  assign borrow1 = time_o[3:0] == 4'd0;
  assign borrow2 = borrow1 & (time_o[7:4] == 4'd0);
  assign borrow3 = borrow2 & (time_o[11:8] == 4'd0);
  assign borrow4 = borrow3 & (time_o[15:12] == 4'd0);

  // Digit by digit: in a concatenation Yosys 0.23 takes c ? 4'd9 : 4'(f()) for five bits if f has
  // five, and the digits beside it are shifted.
  assign less4 = 4'(plus(time_o[19:16], {4{borrow4}}));
  assign less3 = borrow4 ? 4'd9 : 4'(plus(time_o[15:12], {4{borrow3}}));
  assign less2 = borrow3 ? 4'd5 : 4'(plus(time_o[11:8], {4{borrow2}}));
  assign less1 = borrow2 ? 4'd9 : 4'(plus(time_o[7:4], {4{borrow1}}));
  assign less0 = borrow1 ? 4'd9 : 4'(plus(time_o[3:0], 4'hf));

  assign wraps = tick_i & last_q;
  assign used = wraps ? '0 : used_o + UsedWidth'(tick_i);
  assign ticked = wraps ? {less4, less3, less2, less1, less0} : time_o;
  assign expires_o = wraps & (time_o == 20'h00001);

  // The digits of the sum are computed for each carry that may come, and then selected by the
  // carry.
  logic [4:0] second_ones, minute_ones, minute_ones0, minute_ones1, minute_ones2;
  logic [5:0] second_tens, second_tens0, second_tens1;
  logic full;

  assign {tens, ones} = add_seconds_i ? seconds_i : 8'd0;
  assign {digit4, digit3, digit2, digit1, digit0} = ticked;

  assign second_ones = by_ten(plus(digit1, ones));
  assign second_tens0 = by_six(plus(digit2, tens));
  assign second_tens1 = by_six(plus(4'(plus(digit2, 4'd1)), tens));
  assign second_tens = second_ones[4] ? second_tens1 : second_tens0;
  assign minute_ones0 = by_ten(plus(digit3, add_minutes_i ? 4'd5 : 4'd0));
  assign minute_ones1 = by_ten(plus(digit3, add_minutes_i ? 4'd6 : 4'd1));
  assign minute_ones2 = by_ten(plus(digit3, add_minutes_i ? 4'd7 : 4'd2));
  assign minute_ones = second_tens[5] ? minute_ones2 : second_tens[4] ? minute_ones1 : minute_ones0;
  assign full = minute_ones[4] & (digit4 == 4'd9);

  assign sum = {4'(plus(digit4, {3'd0, minute_ones[4]})), minute_ones[3:0], second_tens[3:0], second_ones[3:0], digit0};

  always_ff @(posedge clk_i) begin
    last_q <= (load_i | full) ? LastUsed == '0 : used == LastUsed;
    if (load_i) begin
      time_o <= load_time_i;
      used_o <= '0;
    end else if (expires_o) begin
      time_o <= '0;
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
