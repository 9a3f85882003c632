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
  input  logic            clk_i,
  input  logic            advance_i,  // 1: take the input; 0: hold
  input  movegen_rays_t   rays_i,

  output movegen_safety_t safety_o
);

  logic [63:0] own, pawns, knights, ortho, diag, kings, empty, attacked, king, see_ortho, see_diag,
    see_knight, line_ns, line_ew, line_nesw, line_nwse;
  logic [7:0] ep;
  logic [6:0] bared;
  logic [1:0] castling;
  /* verilator lint_off UNUSEDSIGNAL */  // for movegen_checks
  logic [7:0] king7_n;
  logic [6:0] king7_ne, king7_nw;
  logic [1:0] king1;
  /* verilator lint_on UNUSEDSIGNAL */

  assign {
    castling, ep, bared, king7_n, king7_ne, king7_nw, king1, own, pawns, knights, ortho, diag,
    kings, empty, attacked, king, see_ortho, see_diag, see_knight, line_ns, line_ew, line_nesw,
    line_nwse
  } = rays_i;

  logic [63:0] code0_q, code1_q, code2_q, empty_q, king_q, king_to_q, targets_q, movers_ns_q,
    movers_ew_q, movers_nesw_q, movers_nwse_q, pushers_q, takers_ne_q, takers_nw_q, knights_q;
  logic [7:0] ep_q, ep_ne_q, ep_nw_q;
  logic [1:0] castling_q;
  logic check_q;

  assign safety_o = {
    castling_q, ep_q, ep_ne_q, ep_nw_q, check_q, code0_q, code1_q, code2_q, empty_q, king_q,
    king_to_q, targets_q, movers_ns_q, movers_ew_q, movers_nesw_q, movers_nwse_q, pushers_q,
    takers_ne_q, takers_nw_q, knights_q
  };

  logic [63:0] checkers, between, targets_d;
  logic [63:0] bound_ns, bound_ew, bound_nesw, bound_nwse;
  logic [63:0] takers_ne_d, takers_nw_d;
  logic [7:0] ep_safe;
  logic [1:0] castling_d;
  logic check_d, double_check;

  assign checkers = ~own &
                    ((see_ortho & ortho) |
                     (see_diag & diag) | (see_knight & knights) |
                     (((king << 9) & movegen_pkg::NotFileA) & pawns) |
                     (((king << 7) & movegen_pkg::NotFileH) & pawns));

  // In check only capturing the checker or blocking its line will do; in double check, nothing but
  // the king's own moves. (The call stands in no always_comb: in Icarus 11 such a process waits for
  // the variables of the function too, which all instances share, and two with different positions
  // would wake each other for ever.)
  assign check_d = |checkers;
  assign double_check = movegen_pkg::two_or_more(checkers);
  assign between = (line_ns | line_ew | line_nesw | line_nwse) &
                   empty;
  assign targets_d = ~own & ({64{~check_d}} | ((checkers | between) & {64{~double_check}}));

  // A piece may move along an axis unless it is pinned on another one.
  assign bound_ns = line_ew | line_nesw | line_nwse;
  assign bound_ew = line_ns | line_nesw | line_nwse;
  assign bound_nesw = line_ns | line_ew | line_nwse;
  assign bound_nwse = line_ns | line_ew | line_nesw;

  assign takers_ne_d = pawns & own & ~bound_nesw;
  assign takers_nw_d = pawns & own & ~bound_nwse;

  // Castling: e1, f1, g1 not attacked, f1, g1 empty; e1, d1, c1 not attacked, d1, c1, b1 empty.
  assign castling_d[0] = castling[0] & ~(|attacked[6:4]) &
                         empty[5] & empty[6];
  assign castling_d[1] = castling[1] & ~(|attacked[4:2]) &
                         empty[3] & empty[2] & empty[1];

  // En passant: the captured pawn vanishes from rank 5 without being moved onto. It must not be
  // what shields our king on a diagonal (on its file it need not be tested: our pawn arrives on
  // that file, just above), nor, with our pawn beside it, on the rank (bared). In check, the
  // captured pawn must be the checker or our pawn must block.
  assign ep_safe = ep & ~(line_nesw[39:32] | line_nwse[39:32]) &
            ({8{~check_d}} |
             ((checkers[39:32] | between[47:40]) & {8{~double_check}}));

  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      code0_q <= pawns | diag;
      code1_q <= knights | kings | (diag & ~ortho);
      code2_q <= ortho | kings;
      empty_q <= empty;
      king_q <= king;
      king_to_q <= ~attacked & ~own;
      targets_q <= targets_d;
      movers_ns_q <= ortho & own & ~bound_ns;
      movers_ew_q <= ortho & own & ~bound_ew;
      movers_nesw_q <= diag & own & ~bound_nesw;
      movers_nwse_q <= diag & own & ~bound_nwse;
      pushers_q <= pawns & own & ~bound_ns;
      takers_ne_q <= takers_ne_d;
      takers_nw_q <= takers_nw_d;
      knights_q <= knights & own & ~(bound_ns | line_ns);
      castling_q <= castling_d;
      ep_q <= ep;
      ep_ne_q <= ep_safe & {takers_ne_d[38:32] & ~bared, 1'b0};
      ep_nw_q <= ep_safe & {1'b0, takers_nw_d[39:33] & ~bared};
      check_q <= check_d;
    end
  end

endmodule

`default_nettype wire
