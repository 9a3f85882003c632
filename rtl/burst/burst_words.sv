// Stage 3, first half: all legal moves as words, a bit a move.
//
// For each direction the squares on which one of our pieces legally arrives by travelling that way:
// pieces and captures of pawns where the king allows (targets), the king's steps, castling as the
// king's travel by two, en passant. From one direction at most one piece can arrive on a square.
// Pawns that are pushed have a word of their own, for otherwise north would have most of the moves.
// A promotion is four moves: a pawn's arrival on rank 8 is its promotion to a queen, and ranks 9,
// 10 and 11 of the words that pawns are in stand for rook, bishop and knight. Knights: those that
// have a legal move.
//
// Combinational.

`default_nettype none

module burst_words (
  input  logic [63:0] to_n_i,         // from stage 2, see burst_arrivals
  input  logic [63:0] to_s_i,
  input  logic [63:0] to_e_i,
  input  logic [63:0] to_w_i,
  input  logic [63:0] to_ne_i,
  input  logic [63:0] to_sw_i,
  input  logic [63:0] to_nw_i,
  input  logic [63:0] to_se_i,
  input  logic [63:0] push_i,
  input  logic [7:0]  promote_ne_i,
  input  logic [7:0]  promote_nw_i,

  input  logic [63:0] targets_i,      // from stage 2, see movegen_safety
  input  logic [63:0] king_i,
  input  logic [63:0] king_to_i,
  input  logic [63:0] knights_i,
  input  logic [1:0]  castling_i,
  input  logic [7:0]  ep_ne_i,
  input  logic [7:0]  ep_nw_i,

  output logic [63:0] word_n_o,
  output logic [63:0] word_s_o,
  output logic [63:0] word_e_o,
  output logic [63:0] word_w_o,
  output logic [87:0] word_ne_o,
  output logic [63:0] word_sw_o,
  output logic [87:0] word_nw_o,
  output logic [63:0] word_se_o,
  output logic [87:0] word_push_o,
  output logic [63:0] knights_o
);

  logic [7:0] promote_n, promote_ne, promote_nw;

  assign promote_n = push_i[63:56] & targets_i[63:56];
  assign promote_ne = promote_ne_i & targets_i[63:56];
  assign promote_nw = promote_nw_i & targets_i[63:56];

  assign word_n_o = (to_n_i & targets_i) | ((king_i << 8) & king_to_i);
  assign word_s_o = (to_s_i & targets_i) | ((king_i >> 8) & king_to_i);
  assign word_e_o = (to_e_i & targets_i) | ((king_i << 1) & movegen_pkg::NotFileA & king_to_i) |
                    {57'h0, castling_i[0], 6'h0};
  assign word_w_o = (to_w_i & targets_i) | ((king_i >> 1) & movegen_pkg::NotFileH & king_to_i) |
                    {61'h0, castling_i[1], 2'h0};
  assign word_ne_o[63:0] = (to_ne_i & targets_i) | ((king_i << 9) & movegen_pkg::NotFileA & king_to_i) |
                           {16'h0, ep_ne_i, 40'h0};
  assign word_sw_o = (to_sw_i & targets_i) | ((king_i >> 9) & movegen_pkg::NotFileH & king_to_i);
  assign word_nw_o[63:0] = (to_nw_i & targets_i) | ((king_i << 7) & movegen_pkg::NotFileH & king_to_i) |
                           {16'h0, ep_nw_i, 40'h0};
  assign word_se_o = (to_se_i & targets_i) | ((king_i >> 7) & movegen_pkg::NotFileA & king_to_i);
  assign word_push_o[63:0] = push_i & targets_i;

  assign word_ne_o[87:64] = {3{promote_ne}};
  assign word_nw_o[87:64] = {3{promote_nw}};
  assign word_push_o[87:64] = {3{promote_n}};

  assign knights_o = knights_i & movegen_pkg::knight_attacks(targets_i);

endmodule

`default_nettype wire
