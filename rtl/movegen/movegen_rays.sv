// Stage 1: who looks where.
//
// Eight fields of opponent rays (every square that some opponent slider attacks in that direction,
// transparent to our king, so that it cannot hide behind itself) and eight rays from our own king
// up to the first piece met. Where the king's ray and an opponent's, coming the other way, overlap,
// lie the lines of checks and pins: empty squares of an overlap block a check, one of our pieces in it
// is pinned, an opponent's piece in it would unveil a check by vanishing (en passant).
//
// Latency 1, one position a clock. Piece codes, castling rights and the en passant file pass through.
// Cost: 2556 LUTs, 887 flip-flops.

`default_nettype none

module movegen_rays (
  input  logic        clk_i,
  input  logic        advance_i,   // 1: take the inputs; 0: hold

  input  logic [63:0] own_i,       // the side to move's pieces
  input  logic [63:0] pawns_i,     // pieces by kind, both colours
  input  logic [63:0] knights_i,
  input  logic [63:0] bishops_i,
  input  logic [63:0] rooks_i,
  input  logic [63:0] queens_i,
  input  logic [63:0] kings_i,
  input  logic [1:0]  castling_i,  // our rights: 0 king side, 1 queen side
  input  logic [7:0]  ep_i,        // file of the pawn that just made a double step, one-hot

  output logic [63:0] code0_o,     // piece code of every square (either colour), bit by bit:
  output logic [63:0] code1_o,     // 0 none, 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king
  output logic [63:0] code2_o,
  output logic [63:0] own_o,
  output logic [63:0] pawns_o,     // our pieces by the way they move
  output logic [63:0] knights_o,
  output logic [63:0] ortho_o,
  output logic [63:0] diag_o,
  output logic [63:0] king_o,
  output logic [1:0]  castling_o,
  output logic [7:0]  ep_o,
  output logic [63:0] attacked_o,  // squares attacked by the opponent once our king has left
  output logic [63:0] checkers_o,  // opponent pieces that give check
  output logic [63:0] line_ns_o,   // overlaps of the king's rays with opponent rays, by axis
  output logic [63:0] line_ew_o,
  output logic [63:0] line_nesw_o,
  output logic [63:0] line_nwse_o,
  output logic [6:0]  bared_o      // rank 5: only the pieces on files f, f + 1 shield our king
);

  logic [63:0] occupied, empty, see_through, king;
  logic [63:0] opp_pawns, opp_knights, opp_king, opp_ortho, opp_diag;
  logic [63:0] opp_n, opp_s, opp_e, opp_w, opp_ne, opp_sw, opp_nw, opp_se;
  logic [63:0] king_n, king_s, king_e, king_w, king_ne, king_sw, king_nw, king_se;
  logic [63:0] attacked_d, checkers_d;

  always_comb begin
    occupied = pawns_i | knights_i | bishops_i | rooks_i | queens_i | kings_i;
    empty = ~occupied;
    king = kings_i & own_i;
    see_through = empty | king;
    opp_pawns = pawns_i & ~own_i;
    opp_knights = knights_i & ~own_i;
    opp_king = kings_i & ~own_i;
    opp_ortho = (rooks_i | queens_i) & ~own_i;
    opp_diag = (bishops_i | queens_i) & ~own_i;

    opp_n = movegen_pkg::ray_up(opp_ortho, see_through, movegen_pkg::All, 8);
    opp_e = movegen_pkg::ray_up(opp_ortho, see_through, movegen_pkg::NotFileA, 1);
    opp_ne = movegen_pkg::ray_up(opp_diag, see_through, movegen_pkg::NotFileA, 9);
    opp_nw = movegen_pkg::ray_up(opp_diag, see_through, movegen_pkg::NotFileH, 7);
    opp_s = movegen_pkg::ray_down(opp_ortho, see_through, movegen_pkg::All, 8);
    opp_w = movegen_pkg::ray_down(opp_ortho, see_through, movegen_pkg::NotFileH, 1);
    opp_sw = movegen_pkg::ray_down(opp_diag, see_through, movegen_pkg::NotFileH, 9);
    opp_se = movegen_pkg::ray_down(opp_diag, see_through, movegen_pkg::NotFileA, 7);

    king_n = movegen_pkg::flood_up(king, empty, movegen_pkg::All, 8);
    king_e = movegen_pkg::flood_up(king, empty, movegen_pkg::NotFileA, 1);
    king_ne = movegen_pkg::flood_up(king, empty, movegen_pkg::NotFileA, 9);
    king_nw = movegen_pkg::flood_up(king, empty, movegen_pkg::NotFileH, 7);
    king_s = movegen_pkg::flood_down(king, empty, movegen_pkg::All, 8);
    king_w = movegen_pkg::flood_down(king, empty, movegen_pkg::NotFileH, 1);
    king_sw = movegen_pkg::flood_down(king, empty, movegen_pkg::NotFileH, 9);
    king_se = movegen_pkg::flood_down(king, empty, movegen_pkg::NotFileA, 7);

    // Opponent pawns move south: they capture south-east and south-west.
    attacked_d = opp_n | opp_s | opp_e | opp_w | opp_ne | opp_sw | opp_nw | opp_se |
                 movegen_pkg::knight_attacks(opp_knights) | movegen_pkg::king_attacks(opp_king) |
                 ((opp_pawns >> 7) & movegen_pkg::NotFileA) |
                 ((opp_pawns >> 9) & movegen_pkg::NotFileH);

    checkers_d = ((king_n | king_s | king_e | king_w) & opp_ortho) |
                 ((king_ne | king_sw | king_nw | king_se) & opp_diag) |
                 (movegen_pkg::knight_attacks(king) & opp_knights) |
                 ((king << 9) & movegen_pkg::NotFileA & opp_pawns) |
                 ((king << 7) & movegen_pkg::NotFileH & opp_pawns);
  end

  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      code0_o <= pawns_i | bishops_i | queens_i;
      code1_o <= knights_i | bishops_i | kings_i;
      code2_o <= rooks_i | queens_i | kings_i;
      own_o <= own_i;
      pawns_o <= pawns_i & own_i;
      knights_o <= knights_i & own_i;
      ortho_o <= (rooks_i | queens_i) & own_i;
      diag_o <= (bishops_i | queens_i) & own_i;
      king_o <= king;
      castling_o <= castling_i;
      ep_o <= ep_i;
      attacked_o <= attacked_d;
      checkers_o <= checkers_d;
      line_ns_o <= (king_n & opp_s) | (king_s & opp_n);
      line_ew_o <= (king_e & opp_w) | (king_w & opp_e);
      line_nesw_o <= (king_ne & opp_sw) | (king_sw & opp_ne);
      line_nwse_o <= (king_nw & opp_se) | (king_se & opp_nw);
      bared_o <= (king_e[38:32] & opp_w[39:33]) | (king_w[39:33] & opp_e[38:32]);
    end
  end

endmodule

`default_nettype wire
