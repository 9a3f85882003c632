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
  input  logic        clk_i,
  input  logic        advance_i,     // 1: take the inputs; 0: hold
  // 1: in place of the inputs, analyse what the outputs hold, sides changed
  input  logic        again_i,

  input  logic [63:0] own_i,         // the side to move's pieces
  input  logic [63:0] pawns_i,       // pieces by kind, both colours
  input  logic [63:0] knights_i,
  input  logic [63:0] bishops_i,
  input  logic [63:0] rooks_i,
  input  logic [63:0] queens_i,
  input  logic [63:0] kings_i,
  input  logic [1:0]  castling_i,    // our rights: 0 king side, 1 queen side
  input  logic [7:0]  ep_i,          // file of the pawn that just made a double step, one-hot

  output logic [63:0] own_o,         // of the inputs, whatever again_i was
  output logic [63:0] pawns_o,
  output logic [63:0] knights_o,
  output logic [63:0] ortho_o,       // rooks and queens
  output logic [63:0] diag_o,        // bishops and queens
  output logic [63:0] kings_o,
  output logic [63:0] empty_o,       // squares without a piece
  output logic [1:0]  castling_o,
  output logic [7:0]  ep_o,
  // squares attacked by the opponent once our king has left; not again
  output logic [63:0] attacked_o,

  output logic [63:0] king_o,        // our king; with again_i, as all below, the opponent's
  output logic [63:0] see_ortho_o,   // squares from which a rook, a bishop, a knight attacks it
  output logic [63:0] see_diag_o,
  output logic [63:0] see_knight_o,
  output logic [63:0] line_ns_o,     // overlaps of its rays with rays of the other side, by axis
  output logic [63:0] line_ew_o,
  output logic [63:0] line_nesw_o,
  output logic [63:0] line_nwse_o,
  output logic [6:0]  bared_o,       // rank 5: only the pieces on files f, f + 1 shield it
  output logic [7:0]  king7_n_o,     // its rays to the north on rank 7
  output logic [6:0]  king7_ne_o,
  output logic [6:0]  king7_nw_o,
  // its rays on rank 1: that to the east on e1, that to the west on e1
  output logic [1:0]  king1_o
);

  // Whose rays: of the inputs, or of what is registered.
  logic [63:0] occupied, open, king, ortho, diag;

  assign occupied = pawns_i | knights_i | bishops_i | rooks_i | queens_i | kings_i;
  assign king = again_i ? kings_o & ~own_o : kings_i & own_i;
  assign ortho = again_i ? ortho_o & own_o : (rooks_i | queens_i) & ~own_i;
  assign diag = again_i ? diag_o & own_o : (bishops_i | queens_i) & ~own_i;
  assign open = (again_i ? empty_o : ~occupied) | king;

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

  assign opp_pawns = pawns_i & ~own_i;
  assign opp_knights = knights_i & ~own_i;
  assign opp_king = kings_i & ~own_i;

  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      own_o <= own_i;
      pawns_o <= pawns_i;
      knights_o <= knights_i;
      ortho_o <= rooks_i | queens_i;
      diag_o <= bishops_i | queens_i;
      kings_o <= kings_i;
      empty_o <= ~occupied;
      castling_o <= castling_i;
      ep_o <= ep_i;
      // Opponent pawns move south: they capture south-east and south-west.
      attacked_o <= opp_n | opp_s | opp_e | opp_w | opp_ne | opp_sw | opp_nw | opp_se |
                    movegen_pkg::knight_attacks(opp_knights) | movegen_pkg::king_attacks(opp_king) |
                    ((opp_pawns >> 7) & movegen_pkg::NotFileA) |
                    ((opp_pawns >> 9) & movegen_pkg::NotFileH);
      king_o <= king;
      see_ortho_o <= king_n | king_s | king_e | king_w;
      see_diag_o <= king_ne | king_sw | king_nw | king_se;
      see_knight_o <= movegen_pkg::knight_attacks(king);
      line_ns_o <= (king_n & opp_s) | (king_s & opp_n);
      line_ew_o <= (king_e & opp_w) | (king_w & opp_e);
      line_nesw_o <= (king_ne & opp_sw) | (king_sw & opp_ne);
      line_nwse_o <= (king_nw & opp_se) | (king_se & opp_nw);
      bared_o <= (king_e[38:32] & opp_w[39:33]) | (king_w[39:33] & opp_e[38:32]);
      king7_n_o <= king_n[55:48];
      king7_ne_o <= king_ne[54:48];
      king7_nw_o <= king_nw[55:49];
      king1_o <= {king_w[4], king_e[4]};
    end
  end

endmodule

`default_nettype wire
