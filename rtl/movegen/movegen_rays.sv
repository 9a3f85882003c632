// Stage 1: who looks where.
//
// Eight fields of opponent rays (every square that some opponent slider attacks in that direction,
// transparent to our king, so that it cannot hide behind itself) and eight rays from our own king
// up to the first piece met. Where the king's ray and an opponent's, coming the other way, overlap,
// lie the lines of checks and pins: empty squares of an overlap block a check, one of our pieces in
// it is pinned, an opponent's piece in it would unveil a check by vanishing (en passant).
//
// With again_i the position that is in this stage is analysed once more, with the sides changed:
// "our" king is the opponent's, and the lines are those of our checks, direct and uncovered
// (movegen_checks).
//
// Latency 1, one position a clock. Pieces, castling rights and the en passant file pass through.
// Cost: 1901 LUTs, 971 flip-flops.

`default_nettype none

module movegen_rays (
  input  logic              clk_i,
  input  logic              advance_i,   // 1: take the inputs; 0: hold
  // 1: in place of the position, analyse what the outputs hold, sides changed
  input  logic              again_i,
  input  movegen_position_t position_i,

  output movegen_rays_t     rays_o
);

  logic [63:0] own, pawns, knights, bishops, rooks, queens, kings;
  logic [7:0] ep;
  /* verilator lint_off UNUSEDSIGNAL */  // the opponent's rights do not matter
  logic [3:0] rights;
  /* verilator lint_on UNUSEDSIGNAL */

  assign {rights, ep, own, pawns, knights, bishops, rooks, queens, kings} = position_i;

  logic [63:0] own_q, pawns_q, knights_q, ortho_q, diag_q, kings_q, empty_q, attacked_q, king_q,
    see_ortho_q, see_diag_q, see_knight_q, line_ns_q, line_ew_q, line_nesw_q, line_nwse_q;
  logic [7:0] ep_q, king7_n_q;
  logic [6:0] bared_q, king7_ne_q, king7_nw_q;
  logic [1:0] castling_q, king1_q;

  assign rays_o = {
    castling_q, ep_q, bared_q, king7_n_q, king7_ne_q, king7_nw_q, king1_q, own_q, pawns_q,
    knights_q, ortho_q, diag_q, kings_q, empty_q, attacked_q, king_q, see_ortho_q, see_diag_q,
    see_knight_q, line_ns_q, line_ew_q, line_nesw_q, line_nwse_q
  };

  // Whose rays: of the inputs, or of what is registered.
  logic [63:0] ortho_d, diag_d, occupied, open, king, ortho, diag;

  assign ortho_d = rooks | queens;
  assign diag_d = bishops | queens;
  assign occupied = pawns | knights | ortho_d | diag_d | kings;
  assign king = again_i ? kings_q & ~own_q : kings & own;
  assign ortho = again_i ? ortho_q & own_q : ortho_d & ~own;
  assign diag = again_i ? diag_q & own_q : diag_d & ~own;
  assign open = (again_i ? empty_q : ~occupied) | king;

  logic [63:0] opp_n, opp_s, opp_e, opp_w, opp_ne, opp_sw, opp_nw, opp_se;
  logic [63:0] king_n, king_s, king_e, king_w, king_ne, king_sw, king_nw, king_se;

  always_comb begin
    opp_n = movegen_pkg::ray_up(ortho, open, movegen_pkg::All, 8);
    opp_e = movegen_pkg::ray_up(ortho, open, movegen_pkg::NotFileA, 1);
    opp_ne = movegen_pkg::ray_up(diag, open, movegen_pkg::NotFileA, 9);
    opp_nw = movegen_pkg::ray_up(diag, open, movegen_pkg::NotFileH, 7);
    opp_s = movegen_pkg::ray_down(ortho, open, movegen_pkg::All, 8);
    opp_w = movegen_pkg::ray_down(ortho, open, movegen_pkg::NotFileH, 1);
    opp_sw = movegen_pkg::ray_down(diag, open, movegen_pkg::NotFileH, 9);
    opp_se = movegen_pkg::ray_down(diag, open, movegen_pkg::NotFileA, 7);
  end

  always_comb begin
    king_n = movegen_pkg::ray_up(king, open, movegen_pkg::All, 8);
    king_e = movegen_pkg::ray_up(king, open, movegen_pkg::NotFileA, 1);
    king_ne = movegen_pkg::ray_up(king, open, movegen_pkg::NotFileA, 9);
    king_nw = movegen_pkg::ray_up(king, open, movegen_pkg::NotFileH, 7);
    king_s = movegen_pkg::ray_down(king, open, movegen_pkg::All, 8);
    king_w = movegen_pkg::ray_down(king, open, movegen_pkg::NotFileH, 1);
    king_sw = movegen_pkg::ray_down(king, open, movegen_pkg::NotFileH, 9);
    king_se = movegen_pkg::ray_down(king, open, movegen_pkg::NotFileA, 7);
  end

  logic [63:0] opp_pawns, opp_knights, opp_king;

  assign opp_pawns = pawns & ~own;
  assign opp_knights = knights & ~own;
  assign opp_king = kings & ~own;

  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      own_q <= own;
      pawns_q <= pawns;
      knights_q <= knights;
      ortho_q <= ortho_d;
      diag_q <= diag_d;
      kings_q <= kings;
      empty_q <= ~occupied;
      castling_q <= rights[1:0];
      ep_q <= ep;
      // Opponent pawns move south: they capture south-east and south-west.
      attacked_q <= opp_n | opp_s | opp_e | opp_w | opp_ne | opp_sw | opp_nw | opp_se |
                    movegen_pkg::knight_attacks(opp_knights) | movegen_pkg::king_attacks(opp_king) |
                    ((opp_pawns >> 7) & movegen_pkg::NotFileA) |
                    ((opp_pawns >> 9) & movegen_pkg::NotFileH);
      king_q <= king;
      see_ortho_q <= king_n | king_s | king_e | king_w;
      see_diag_q <= king_ne | king_sw | king_nw | king_se;
      see_knight_q <= movegen_pkg::knight_attacks(king);
      line_ns_q <= (king_n & opp_s) | (king_s & opp_n);
      line_ew_q <= (king_e & opp_w) | (king_w & opp_e);
      line_nesw_q <= (king_ne & opp_sw) | (king_sw & opp_ne);
      line_nwse_q <= (king_nw & opp_se) | (king_se & opp_nw);
      bared_q <= (king_e[38:32] & opp_w[39:33]) | (king_w[39:33] & opp_e[38:32]);
      king7_n_q <= king_n[55:48];
      king7_ne_q <= king_ne[54:48];
      king7_nw_q <= king_nw[55:49];
      king1_q <= {king_w[4], king_e[4]};
    end
  end

endmodule

`default_nettype wire
