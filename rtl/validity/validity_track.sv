// What the scans show: which squares are occupied, for how long all has stayed as it is, and which
// squares were filled last.
//
// A square is believed when two scans running agree on it: what one scan alone says, a bounce or
// a glitch, leaves no trace.
//
// refilled_o is what a capture is known by: its destination is emptied and filled again, with the
// captor already up. It holds the squares that came to be occupied together last, and none when a
// square has been emptied since.
//
// A reading is due for a decision when it has stayed for StableScans scans, once; and once more
// when it has stayed for CastlingScans, if again_i.
//
// Cost: 214 LUTs, 199 flip-flops.

`default_nettype none

module validity_track #(
  parameter int StableScans = 5,
  parameter int CastlingScans = 40
) (
  input  logic        clk_i,
  input  logic        rst_i,

  input  logic        scan_i,          // a scan of the matrix
  input  logic [63:0] occupied_i,

  input  logic        decided_i,       // a decision on this reading has been made
  input  logic        again_i,         // it is to be looked at again when settled
  // what was decided does not hold any more: the position changed, or what is shown
  input  logic        reopen_i,

  output logic [63:0] seen_o,          // squares believed occupied
  output logic [63:0] refilled_o,
  output logic        decided_o,       // this reading has been decided on
  output logic        due_o,           // a decision is due
  output logic        settled_o        // the reading has stayed for CastlingScans
);

  localparam int Width = $clog2(CastlingScans + 1);

  logic [63:0] last_q, seen_q, refilled_q, agree, seen_d, fills, lifts;
  logic [Width-1:0] stayed_q;
  logic decided_q, changes;

  assign agree = ~(occupied_i ^ last_q);
  assign seen_d = (occupied_i & agree) | (seen_q & ~agree);
  assign fills = seen_d & ~seen_q;
  assign lifts = seen_q & ~seen_d;
  assign changes = scan_i & (|(fills | lifts));

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      last_q <= 64'd0;
      seen_q <= 64'd0;
      refilled_q <= 64'd0;
      stayed_q <= '0;
      decided_q <= 1'b0;
    end else begin
      if (scan_i) begin
        last_q <= occupied_i;
        seen_q <= seen_d;
        if (changes) stayed_q <= '0;
        else if (~settled_o) stayed_q <= stayed_q + Width'(1);
      end
      if (changes) refilled_q <= fills;
      if (changes) decided_q <= 1'b0;
      else if (decided_i) decided_q <= 1'b1;
      else if (reopen_i) decided_q <= 1'b0;
    end
  end

  assign seen_o = seen_q;
  assign refilled_o = refilled_q;
  assign decided_o = decided_q;
  assign settled_o = stayed_q == Width'(CastlingScans);
  assign due_o = ((stayed_q >= Width'(StableScans)) & ~decided_q) | (settled_o & again_i);

endmodule

`default_nettype wire
