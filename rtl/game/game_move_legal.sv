// Whether a move of a pawn or a king is one that such a piece has. Nothing is said of other pieces,
// nor of moves that game refuses: from a square without an own piece, or to one with such. It does
// not ask whether the king is in check then, nor which squares a king that castles passes over are
// attacked.
//
// For assumptions: tests make no other moves, and proofs need not think of them.
//
// Combinational. No block needs it in hardware.

`default_nettype none

module game_move_legal (
  input  movegen_position_t position_i,
  input  logic [5:0]        from_i,     // squares in the view of the side to move
  input  logic [5:0]        to_i,
  output logic              legal_o
);

  localparam logic [5:0] E1 = 6'd4, G1 = 6'd6, C1 = 6'd2;

  movegen_position_t p;
  logic [63:0] occupied, from, to;
  logic [2:0] from_file, to_file, from_rank, to_rank;
  logic next_file, same_file, near_rank, up, refused, taken, pawn, king, pawn_moves, king_moves;

  assign p = position_i;
  assign occupied = p.pawns | p.knights | p.bishops | p.rooks | p.queens | p.kings;
  assign from = 64'd1 << from_i;
  assign to = 64'd1 << to_i;
  assign {from_rank, from_file} = from_i;
  assign {to_rank, to_file} = to_i;

  assign same_file = from_file == to_file;
  assign next_file = ({1'b0, from_file} + 4'd1 == {1'b0, to_file}) |
                     ({1'b0, to_file} + 4'd1 == {1'b0, from_file});
  assign up = {1'b0, from_rank} + 4'd1 == {1'b0, to_rank};
  assign near_rank = up | (from_rank == to_rank) |
                     ({1'b0, to_rank} + 4'd1 == {1'b0, from_rank});

  assign refused = ~|(from & p.own) | (|(to & p.own));
  assign taken = |(to & occupied);
  assign pawn = |(from & p.pawns);
  assign king = |(from & p.kings);

  // A step, a double step from rank 2, or a capture, en passant on rank 6.
  assign pawn_moves =
    (same_file & up & ~taken) |
    (same_file & (from_rank == 3'd1) & (to_rank == 3'd3) & ~taken & ~|((from << 8) & occupied)) |
    (next_file & up & (taken | ((to_rank == 3'd5) & (|(to[47:40] & p.ep)))));

  // A step, or castling.
  assign king_moves =
    ((same_file | next_file) & near_rank) |
    ((from_i == E1) & (to_i == G1) & p.castling[0] & ~|occupied[6:5]) |
    ((from_i == E1) & (to_i == C1) & p.castling[1] & ~|occupied[3:1]);

  assign legal_o = refused | (pawn ? pawn_moves : ~king | king_moves);

endmodule

`default_nettype wire
