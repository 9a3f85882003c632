// Stage 2: what the king allows.
//
// From the overlaps of stage 1: the squares that answer a check, which pieces may move along which
// axis (a pinned piece only along its own), the squares our king may enter, castling, and en
// passant with its discovered checks. The next stage thus generates legal moves only; nothing is
// filtered afterwards.
//
// Latency 1, one position a clock.
// Cost: 1152 LUTs, 985 flip-flops.

`default_nettype none

module movegen_safety (
  input  logic        clk_i,
  input  logic        advance_i,      // 1: take the inputs; 0: hold

  input  logic [63:0] own_i,          // from stage 1, see movegen_rays
  input  logic [63:0] pawns_i,
  input  logic [63:0] knights_i,
  input  logic [63:0] ortho_i,
  input  logic [63:0] diag_i,
  input  logic [63:0] kings_i,
  input  logic [63:0] empty_i,
  input  logic [1:0]  castling_i,
  input  logic [7:0]  ep_i,
  input  logic [63:0] attacked_i,
  input  logic [63:0] king_i,
  input  logic [63:0] see_ortho_i,
  input  logic [63:0] see_diag_i,
  input  logic [63:0] see_knight_i,
  input  logic [63:0] line_ns_i,
  input  logic [63:0] line_ew_i,
  input  logic [63:0] line_nesw_i,
  input  logic [63:0] line_nwse_i,
  input  logic [6:0]  bared_i,

  output logic [63:0] code0_o,        // piece code of every square (either colour), bit by bit:
  output logic [63:0] code1_o,        // 0 none, 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king
  output logic [63:0] code2_o,
  output logic [63:0] empty_o,        // squares without a piece
  output logic [63:0] king_o,         // our king
  output logic [63:0] king_to_o,      // squares that it may enter, if it can reach them
  output logic [63:0] targets_o,      // squares that our other pieces may enter
  output logic [63:0] movers_ns_o,    // sliders that may move along an axis
  output logic [63:0] movers_ew_o,
  output logic [63:0] movers_nesw_o,
  output logic [63:0] movers_nwse_o,
  // pawns that may be pushed, may capture north-east, north-west
  output logic [63:0] pushers_o,
  output logic [63:0] takers_ne_o,
  output logic [63:0] takers_nw_o,
  output logic [63:0] knights_o,      // knights that may move
  output logic [1:0]  castling_o,     // castling moves
  output logic [7:0]  ep_o,           // as ep_i
  output logic [7:0]  ep_ne_o,        // en passant arrivals on rank 6, by direction
  output logic [7:0]  ep_nw_o,
  output logic        check_o         // our king is in check
);

  logic [63:0] checkers, between, targets_d;
  logic [63:0] bound_ns, bound_ew, bound_nesw, bound_nwse;
  logic [63:0] takers_ne_d, takers_nw_d;
  logic [7:0] ep_safe;
  logic [1:0] castling_d;
  logic check_d, double_check;

  assign checkers = ~own_i &
                    ((see_ortho_i & ortho_i) | (see_diag_i & diag_i) | (see_knight_i & knights_i) |
                     (((king_i << 9) & movegen_pkg::NotFileA) & pawns_i) |
                     (((king_i << 7) & movegen_pkg::NotFileH) & pawns_i));

  // In check only capturing the checker or blocking its line will do; in double check, nothing but
  // the king's own moves. (The call stands in no always_comb: in Icarus 11 such a process waits for
  // the variables of the function too, which all instances share, and two with different positions
  // would wake each other for ever.)
  assign check_d = |checkers;
  assign double_check = movegen_pkg::two_or_more(checkers);
  assign between = (line_ns_i | line_ew_i | line_nesw_i | line_nwse_i) & empty_i;
  assign targets_d = ~own_i & ({64{~check_d}} | ((checkers | between) & {64{~double_check}}));

  always_comb begin
    // A piece may move along an axis unless it is pinned on another one.
    bound_ns = line_ew_i | line_nesw_i | line_nwse_i;
    bound_ew = line_ns_i | line_nesw_i | line_nwse_i;
    bound_nesw = line_ns_i | line_ew_i | line_nwse_i;
    bound_nwse = line_ns_i | line_ew_i | line_nesw_i;
  end

  assign takers_ne_d = pawns_i & own_i & ~bound_nesw;
  assign takers_nw_d = pawns_i & own_i & ~bound_nwse;

  // Castling: e1, f1, g1 not attacked, f1, g1 empty; e1, d1, c1 not attacked, d1, c1, b1 empty.
  assign castling_d[0] = castling_i[0] & ~(|attacked_i[6:4]) & empty_i[5] & empty_i[6];
  assign castling_d[1] = castling_i[1] & ~(|attacked_i[4:2]) & empty_i[3] & empty_i[2] & empty_i[1];

  // En passant: the captured pawn vanishes from rank 5 without being moved onto. It must not be
  // what shields our king on a diagonal (on its file it need not be tested: our pawn arrives on
  // that file, just above), nor, with our pawn beside it, on the rank (bared). In check, the
  // captured pawn must be the checker or our pawn must block.
  assign ep_safe = ep_i & ~(line_nesw_i[39:32] | line_nwse_i[39:32]) &
            ({8{~check_d}} |
             ((checkers[39:32] | between[47:40]) & {8{~double_check}}));

  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      code0_o <= pawns_i | diag_i;
      code1_o <= knights_i | kings_i | (diag_i & ~ortho_i);
      code2_o <= ortho_i | kings_i;
      empty_o <= empty_i;
      king_o <= king_i;
      king_to_o <= ~attacked_i & ~own_i;
      targets_o <= targets_d;
      movers_ns_o <= ortho_i & own_i & ~bound_ns;
      movers_ew_o <= ortho_i & own_i & ~bound_ew;
      movers_nesw_o <= diag_i & own_i & ~bound_nesw;
      movers_nwse_o <= diag_i & own_i & ~bound_nwse;
      pushers_o <= pawns_i & own_i & ~bound_ns;
      takers_ne_o <= takers_ne_d;
      takers_nw_o <= takers_nw_d;
      knights_o <= knights_i & own_i & ~(bound_ns | line_ns_i);
      castling_o <= castling_d;
      ep_o <= ep_i;
      ep_ne_o <= ep_safe & {takers_ne_d[38:32] & ~bared_i, 1'b0};
      ep_nw_o <= ep_safe & {1'b0, takers_nw_d[39:33] & ~bared_i};
      check_o <= check_d;
    end
  end

endmodule

`default_nettype wire
