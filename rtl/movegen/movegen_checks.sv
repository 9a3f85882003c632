// Stages 1 and 2: what the filter of a list lets pass.
//
// With the filter for checks, a move passes if it attacks the opponent's king: directly, from a square
// of the king's rays, a knight's or a pawn's step away; or by uncovering one of our sliders.
// A piece of ours uncovers one if it stands where a ray of the king and a ray of that slider meet, and
// leaves that line. There is one line through two squares: a piece uncovers along one axis at most.
// Knights always leave it, and so do bishops on a rank or file and rooks on a diagonal, and our other
// sliders would give check already. Pawns and the king may move along the line; but no pawn captures on it,
// as its victim would stand there, unless en passant. Further:
//
// * A pawn that promotes no longer stands in the way of its own ray back through its origin.
// * Castling puts the rook where it may give check, through the king's origin too.
// * En passant removes the captured pawn from a diagonal, or both pawns from the rank.
//
// Without that filter all squares pass, and nothing needs to uncover anything.
//
// Latency 2, one position a clock, in step with movegen_rays and movegen_safety.
// Cost: 1450 LUTs, 899 flip-flops.

`default_nettype none

module movegen_checks (
  input  logic        clk_i,
  input  logic        advance_i,       // 1: take the inputs; 0: hold

  input  logic [1:0]  filter_i,        // see movegen_list_pkg
  input  logic [63:0] own_i,           // the position, see movegen
  input  logic [63:0] pawns_i,
  input  logic [63:0] knights_i,
  input  logic [63:0] bishops_i,
  input  logic [63:0] rooks_i,
  input  logic [63:0] queens_i,
  input  logic [63:0] kings_i,

  output logic [63:0] knight_ok_o,     // squares that pass by kind of the piece that arrives; for queens,
  output logic [63:0] bishop_ok_o,     // both the bishops' and the rooks'
  output logic [63:0] rook_ok_o,
  output logic [63:0] pawn_ok_o,       // but for rank 8
  output logic [63:0] uncover_o,       // pieces that pass by leaving; of these, ours are meant
  output logic [63:0] uncover_n_o,     // the same, for pawns that are pushed,
  output logic [6:0]  uncover_ep_ne_o, // and for those that capture en passant, files a to g north-east
  output logic [6:0]  uncover_ep_nw_o, // and files b to h north-west
  output logic [7:0]  ortho8_o,        // squares of rank 8 that pass for what pawns become
  output logic [7:0]  diag8_o,
  output logic [7:0]  knight8_o,
  output logic [7:0]  through_n_o,     // the same, for pawns arriving by a direction, as the ray back
  output logic [7:0]  through_ne_o,    // through the origin gives check
  output logic [7:0]  through_nw_o,
  output logic        king_ns_o,       // our king's steps pass, by axis
  output logic        king_ew_o,
  output logic        king_nesw_o,
  output logic        king_nwse_o,
  output logic [1:0]  castling_ok_o,
  output logic [7:0]  ep_ok_o,         // en passant passes, by file of the captured pawn
  output logic [6:0]  ep_bared_o       // the same, by the lower file of both pawns
);

  logic [63:0] empty, king, opp_king, ortho, diag;
  logic [63:0] our_n, our_s, our_e, our_w, our_ne, our_sw, our_nw, our_se;
  logic [63:0] king_n, king_s, king_e, king_w, king_ne, king_sw, king_nw, king_se;

  logic [63:0] king_q, line_ns_q, line_ew_q, line_nesw_q, line_nwse_q;
  logic [63:0] ortho_q, diag_q, knight_q, pawn_q;  // squares from which such a piece gives check
  logic [7:0] behind_n_q;
  logic [6:0] behind_ne_q, behind_nw_q, bared_q;
  logic [1:0] castling_q;
  logic checks, checks_q;

  assign checks = filter_i == movegen_list_pkg::FilterChecks;

  always_comb begin
    empty = ~(pawns_i | knights_i | bishops_i | rooks_i | queens_i | kings_i);
    king = kings_i & own_i;
    opp_king = kings_i & ~own_i;
    ortho = (rooks_i | queens_i) & own_i;
    diag = (bishops_i | queens_i) & own_i;

    our_n = movegen_pkg::flood_up(ortho, empty, movegen_pkg::All, 8);
    our_e = movegen_pkg::flood_up(ortho, empty, movegen_pkg::NotFileA, 1);
    our_ne = movegen_pkg::flood_up(diag, empty, movegen_pkg::NotFileA, 9);
    our_nw = movegen_pkg::flood_up(diag, empty, movegen_pkg::NotFileH, 7);
    our_s = movegen_pkg::flood_down(ortho, empty, movegen_pkg::All, 8);
    our_w = movegen_pkg::flood_down(ortho, empty, movegen_pkg::NotFileH, 1);
    our_sw = movegen_pkg::flood_down(diag, empty, movegen_pkg::NotFileH, 9);
    our_se = movegen_pkg::flood_down(diag, empty, movegen_pkg::NotFileA, 7);

    king_n = movegen_pkg::flood_up(opp_king, empty, movegen_pkg::All, 8);
    king_e = movegen_pkg::flood_up(opp_king, empty, movegen_pkg::NotFileA, 1);
    king_ne = movegen_pkg::flood_up(opp_king, empty, movegen_pkg::NotFileA, 9);
    king_nw = movegen_pkg::flood_up(opp_king, empty, movegen_pkg::NotFileH, 7);
    king_s = movegen_pkg::flood_down(opp_king, empty, movegen_pkg::All, 8);
    king_w = movegen_pkg::flood_down(opp_king, empty, movegen_pkg::NotFileH, 1);
    king_sw = movegen_pkg::flood_down(opp_king, empty, movegen_pkg::NotFileH, 9);
    king_se = movegen_pkg::flood_down(opp_king, empty, movegen_pkg::NotFileA, 7);
  end

  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      checks_q <= checks;
      king_q <= king;
      behind_n_q <= king_n[55:48];
      behind_ne_q <= king_ne[54:48];
      behind_nw_q <= king_nw[55:49];
      castling_q <= {king_w[4], king_e[4]};
      bared_q <= (king_e[38:32] & our_w[39:33]) | (king_w[39:33] & our_e[38:32]);

      // The synchronous set and reset of a flip-flop cost no LUT.
      line_ns_q <= (king_n & our_s) | (king_s & our_n);
      line_ew_q <= (king_e & our_w) | (king_w & our_e);
      line_nesw_q <= (king_ne & our_sw) | (king_sw & our_ne);
      line_nwse_q <= (king_nw & our_se) | (king_se & our_nw);
      ortho_q <= king_n | king_s | king_e | king_w;
      diag_q <= king_ne | king_sw | king_nw | king_se;
      knight_q <= movegen_pkg::knight_attacks(opp_king);
      pawn_q <= ((opp_king >> 9) & movegen_pkg::NotFileH) | ((opp_king >> 7) & movegen_pkg::NotFileA);
      if (~checks) begin
        line_ns_q <= 64'h0;
        line_ew_q <= 64'h0;
        line_nesw_q <= 64'h0;
        line_nwse_q <= 64'h0;
        ortho_q <= movegen_pkg::All;
        diag_q <= movegen_pkg::All;
        knight_q <= movegen_pkg::All;
        pawn_q <= movegen_pkg::All;
      end
    end
  end

  // Stage 2.
  logic on_ns, on_ew, on_nesw, on_nwse;

  assign on_ns = |(king_q & line_ns_q);
  assign on_ew = |(king_q & line_ew_q);
  assign on_nesw = |(king_q & line_nesw_q);
  assign on_nwse = |(king_q & line_nwse_q);

  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      knight_ok_o <= knight_q;
      bishop_ok_o <= diag_q;
      rook_ok_o <= ortho_q;
      pawn_ok_o <= pawn_q;
      uncover_o <= line_ns_q | line_ew_q | line_nesw_q | line_nwse_q;
      uncover_n_o <= line_ew_q | line_nesw_q | line_nwse_q;
      uncover_ep_ne_o <= line_ns_q[38:32] | line_ew_q[38:32] | line_nwse_q[38:32];
      uncover_ep_nw_o <= line_ns_q[39:33] | line_ew_q[39:33] | line_nesw_q[39:33];
      ortho8_o <= ortho_q[63:56];
      diag8_o <= diag_q[63:56];
      knight8_o <= knight_q[63:56];
      through_n_o <= behind_n_q;
      through_ne_o <= {behind_ne_q, 1'b0};
      through_nw_o <= {1'b0, behind_nw_q};
      king_ns_o <= ~checks_q | on_ew | on_nesw | on_nwse;
      king_ew_o <= ~checks_q | on_ns | on_nesw | on_nwse;
      king_nesw_o <= ~checks_q | on_ns | on_ew | on_nwse;
      king_nwse_o <= ~checks_q | on_ns | on_ew | on_nesw;
      castling_ok_o <= castling_q | {ortho_q[3], ortho_q[5]};
      ep_ok_o <= pawn_q[47:40] | line_nesw_q[39:32] | line_nwse_q[39:32];
      ep_bared_o <= bared_q;
    end
  end

endmodule

`default_nettype wire
