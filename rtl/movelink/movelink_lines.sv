// Takes moves from seven parallel lines of another clock's domain. Lines 6 to 1 have a square. It
// is a move's origin while line 0 is 0, and its destination while line 0 is 1.
//
// The lines do not change at the same time. So they are taken only after none of them has changed
// for HoldCycles cycles. A destination completes a move with the last origin before it, once.
//
//   lines_i       X from X  to           X from ...
//   taken              |      |               |
//   move_valid_o  _____________/~~~~\________         until ready
//
// Latency: lines that change in cycle t for the last time give a move in cycle t + SyncStages +
// HoldCycles.

`default_nettype none

module movelink_lines #(
  parameter int HoldCycles = 10_000,  // cycles for which the lines must be stable, at least 1
  parameter int SyncStages = 2        // flip-flops between the lines and logic, at least 2
) (
  input  logic       clk_i,
  input  logic       rst_i,           // synchronous: an origin is expected first

  input  logic [6:0] lines_i,         // asynchronous
  output logic       move_valid_o,    // a move has come
  input  logic       move_ready_i,
  output logic [5:0] move_from_o,
  output logic [5:0] move_to_o,
  // for one cycle: a move was dropped, as the one before it has not been taken
  output logic       move_lost_o
);

  localparam int SyncWidth = 7 * SyncStages;
  localparam int CountWidth = (HoldCycles < 1) ? 1 : $clog2(HoldCycles + 1);
  localparam logic [CountWidth-1:0] Hold = CountWidth'(HoldCycles);

  initial begin
    if (HoldCycles < 1) $fatal(1, "movelink: HoldCycles is less than 1");
    if (SyncStages < 2) $fatal(1, "movelink: SyncStages is less than 2");
  end

  (* async_reg = "true" *) logic [SyncWidth-1:0] sync_q;
  logic [6:0] lines, last_q;
  logic [CountWidth-1:0] held_q, held_d;
  logic settled, to_is_due_q, complete;
  logic [5:0] from_q;

  always_ff @(posedge clk_i) begin
    sync_q <= SyncWidth'({sync_q, lines_i});
    last_q <= lines;
  end

  assign lines = sync_q[SyncWidth-1-:7];

  // The number of cycles, with this one, for which the lines have not changed.
  always_comb begin
    held_d = CountWidth'(1);
    if (lines == last_q && held_q != '0) begin
      held_d = (held_q == Hold) ? Hold : held_q + CountWidth'(1);
    end
  end

  assign settled = held_d == Hold;
  assign complete = settled & lines[0] & to_is_due_q;

  always_ff @(posedge clk_i) begin
    held_q <= held_d;
    move_lost_o <= 1'b0;
    if (move_ready_i) move_valid_o <= 1'b0;

    if (settled & ~lines[0]) begin
      from_q <= lines[6:1];
      to_is_due_q <= 1'b1;
    end
    if (complete) begin
      to_is_due_q <= 1'b0;
      if (move_valid_o & ~move_ready_i) begin
        move_lost_o <= 1'b1;
      end else begin
        move_valid_o <= 1'b1;
        move_from_o <= from_q;
        move_to_o <= lines[6:1];
      end
    end

    if (rst_i) begin
      held_q <= '0;
      to_is_due_q <= 1'b0;
      move_valid_o <= 1'b0;
      move_lost_o <= 1'b0;
    end
  end

endmodule

`default_nettype wire
