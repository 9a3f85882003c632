// Shows patterns on 64 LEDs, of which only one can be lit at a time. In an idle phase between two
// of the scanner's scans, the LEDs of a pattern are lit one after the other.
//
// Shares are parts of an idle phase, rounded down to cycles. In the rest no LED is lit. Some
// patterns blink: each half of a blink lasts for BlinkPhases idle phases. That is 1.93 Hz with the
// scanner's default time constants.
//
//   pattern        first half of a blink                   second half
//   1 move         from_i from 0 to 40 %                   to_i from 40 to 80 %
//   2 illegal      c3, e3, c5, e5 for 15 % each, d4 for 19 %: an X       the same
//   3 restore      squares of restore_i take turns of 1/64: see below    dark
//   4, 5 winner    c, d, e, f, g of rank 1 (4: A), rank 8 (5: B) for 16 % each     the same
//   6 check        from_i from 0 to 40 %                   the same
//   7 draw         the row of winner A                     the row of winner B
//   8 promotion    from_i from 0 to 40 %                   d4, e4, d5, e5 for 15 % each
//   others         dark                                    dark
//
// Restore: in each turn the next higher square of restore_i is lit, and after the highest the
// lowest. The next idle phase goes on from there. So all squares have the same share, the greatest
// that their number allows.
//
// The pattern and its squares are taken in the last cycle before an idle phase, and stay for the
// phase. select_o and led_o depend on idle_i in the same cycle; without idle_i nothing is lit.
// Cost: 387 LUTs, 197 flip-flops.

`default_nettype none

module leds #(
  // cycles of an idle phase, at least 64; if idle_i lasts longer the rest is dark
  parameter int IdleCycles = 256 * 10_000,
  parameter int BlinkPhases = 5            // idle phases in half a blink, at least 1
) (
  input  logic        clk_i,
  input  logic        rst_i,        // synchronous

  input  logic [3:0]  pattern_i,    // see above
  input  logic [5:0]  from_i,       // squares: rank * 8 + file
  input  logic [5:0]  to_i,
  input  logic [63:0] restore_i,

  input  logic        idle_i,       // the select lines are free: the scanner's idle_o
  output logic [5:0]  select_o,     // the LED that is lit, or 0
  output logic        led_o         // an LED is lit
);

  localparam logic [3:0] Move = 4'd1, Illegal = 4'd2, Restore = 4'd3, WinnerA = 4'd4, WinnerB = 4'd5,
    Check = 4'd6, Draw = 4'd7, Promotion = 4'd8;

  localparam int PhaseWidth = $clog2(IdleCycles + 1);
  localparam int PartCycles = IdleCycles / 64;
  localparam int PartWidth = (PartCycles < 2) ? 1 : $clog2(PartCycles);
  localparam int BlinkWidth = (BlinkPhases < 2) ? 1 : $clog2(BlinkPhases);

  // The last cycle of a share that ends at so many percent. Written so that nothing overflows.
  function automatic logic [PhaseWidth-1:0] end_of(input int percent);
    end_of = PhaseWidth'((IdleCycles / 100) * percent + (IdleCycles % 100) * percent / 100 - 1);
  endfunction

  initial begin
    if (IdleCycles < 64) $fatal(1, "leds: IdleCycles is less than 64");
    if (BlinkPhases < 1) $fatal(1, "leds: BlinkPhases is less than 1");
  end

  // The pattern of this idle phase, and the half of a blink.
  logic [3:0] pattern_q;
  logic [5:0] from_q, to_q;
  logic [63:0] restore_q;
  logic idle_q, half_q;
  logic [BlinkWidth-1:0] blink_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      pattern_q <= '0;
      from_q <= '0;
      to_q <= '0;
      restore_q <= '0;
      idle_q <= 1'b0;
      half_q <= 1'b0;
      blink_q <= '0;
    end else begin
      if (~idle_i) begin
        pattern_q <= pattern_i;
        from_q <= from_i;
        to_q <= to_i;
        restore_q <= restore_i;
      end
      idle_q <= idle_i;
      if (idle_q & ~idle_i) begin
        blink_q <= blink_q + BlinkWidth'(1);
        if (blink_q == BlinkWidth'(BlinkPhases - 1)) begin
          blink_q <= '0;
          half_q <= ~half_q;
        end
      end
    end
  end

  // The place in the idle phase: its cycle, the pattern's share, and for restore the turn and the
  // turn's cycle.
  logic [PhaseWidth-1:0] phase_q, share_end;
  logic [2:0] share_q;
  logic [PartWidth-1:0] part_q;
  logic [6:0] turn_q;
  logic part_end, over;

  always_comb begin
    case (pattern_q)
      Illegal, Promotion: case (share_q)
        3'd0: share_end = end_of(15);
        3'd1: share_end = end_of(30);
        3'd2: share_end = end_of(45);
        3'd3: share_end = end_of(60);
        default: share_end = end_of(79);
      endcase
      WinnerA, WinnerB, Draw: case (share_q)
        3'd0: share_end = end_of(16);
        3'd1: share_end = end_of(32);
        3'd2: share_end = end_of(48);
        3'd3: share_end = end_of(64);
        default: share_end = end_of(80);
      endcase
      default: share_end = (share_q == 3'd0) ? end_of(40) : end_of(80);
    endcase
    if (pattern_q == Promotion && ~half_q) share_end = end_of(40);
  end

  assign over = turn_q[6];                  // all turns are over
  assign part_end = part_q == PartWidth'(PartCycles - 1);

  always_ff @(posedge clk_i) begin
    if (rst_i | ~idle_i) begin
      phase_q <= '0;
      share_q <= '0;
      part_q <= '0;
      turn_q <= '0;
    end else begin
      if (phase_q != PhaseWidth'(IdleCycles)) phase_q <= phase_q + PhaseWidth'(1);
      if (phase_q == share_end) share_q <= share_q + 3'd1;
      part_q <= part_end ? '0 : part_q + PartWidth'(1);
      if (part_end & ~over) turn_q <= turn_q + 7'd1;
    end
  end

  // The number of the lowest bit that is set, in a word that is not 0.
  function automatic logic [2:0] lowest8(input logic [7:0] b);
    casez (b)
      8'b???????1: lowest8 = 3'd0;
      8'b??????10: lowest8 = 3'd1;
      8'b?????100: lowest8 = 3'd2;
      8'b????1000: lowest8 = 3'd3;
      8'b???10000: lowest8 = 3'd4;
      8'b??100000: lowest8 = 3'd5;
      8'b?1000000: lowest8 = 3'd6;
      default: lowest8 = 3'd7;
    endcase
  endfunction

  function automatic logic [5:0] lowest64(input logic [63:0] b);
    logic [7:0] ranks;
    logic [2:0] rank, file;
    ranks = {|b[63:56], |b[55:48], |b[47:40], |b[39:32], |b[31:24], |b[23:16], |b[15:8], |b[7:0]};
    rank = lowest8(ranks);
    case (rank)
      3'd0: file = lowest8(b[7:0]);
      3'd1: file = lowest8(b[15:8]);
      3'd2: file = lowest8(b[23:16]);
      3'd3: file = lowest8(b[31:24]);
      3'd4: file = lowest8(b[39:32]);
      3'd5: file = lowest8(b[47:40]);
      3'd6: file = lowest8(b[55:48]);
      default: file = lowest8(b[63:56]);
    endcase
    lowest64 = {rank, file};
  endfunction

  // Restore: the lowest square above the one whose turn was last, or if there is none the lowest.
  logic [63:0] above_q, candidates;
  logic [5:0] next_square;

  assign candidates = restore_q & above_q;
  assign next_square = (candidates != '0) ? lowest64(candidates) : lowest64(restore_q);

  always_ff @(posedge clk_i) begin
    if (rst_i) above_q <= '1;
    else if (led_o & part_end & (pattern_q == Restore)) above_q <= ~64'd1 << next_square;
  end

  // The LED that is lit.
  logic lit;
  logic [5:0] square, centre;

  assign centre = {3'd3 + {2'd0, share_q[1]}, 3'd3 + {2'd0, share_q[0]}};

  always_comb begin
    lit = 1'b0;
    square = from_q;
    case (pattern_q)
      Move: begin
        lit = share_q == {2'd0, half_q};
        if (half_q) square = to_q;
      end
      Illegal: begin
        lit = share_q < 3'd5;
        case (share_q)
          3'd0: square = {3'd2, 3'd2};
          3'd1: square = {3'd2, 3'd4};
          3'd2: square = {3'd4, 3'd2};
          3'd3: square = {3'd4, 3'd4};
          default: square = {3'd3, 3'd3};
        endcase
      end
      Restore: begin
        lit = ~half_q & ~over & (restore_q != '0);
        square = next_square;
      end
      WinnerA, WinnerB, Draw: begin
        lit = share_q < 3'd5;
        square = {{3{(pattern_q == WinnerB) | ((pattern_q == Draw) & half_q)}}, share_q + 3'd2};
      end
      Check: lit = share_q == 3'd0;
      Promotion: begin
        lit = half_q ? share_q < 3'd4 : share_q == 3'd0;
        if (half_q) square = centre;
      end
      default: ;
    endcase
  end

  assign led_o = idle_i & lit;
  assign select_o = led_o ? square : 6'd0;

endmodule

`default_nettype wire
