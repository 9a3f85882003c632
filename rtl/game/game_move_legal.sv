// Whether a move is one that such a piece has on an empty board, a pawn and a king also as others
// stand. Nothing is said of moves that game refuses: from a square without an own piece, or to one
// with such. It does not ask what stands between the two squares, nor about checks.
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
  logic [2:0] from_file, to_file, from_rank, to_rank, files, ranks;
  logic up, refused, taken, pawn, knight, straight, diagonal, king;

  assign p = position_i;
  assign occupied = p.pawns | p.knights | p.bishops | p.rooks | p.queens | p.kings;
  assign from = 64'd1 << from_i;
  assign to = 64'd1 << to_i;
  assign {from_rank, from_file} = from_i;
  assign {to_rank, to_file} = to_i;

  assign refused = ~|(from & p.own) | (|(to & p.own));
  assign taken = |(to & occupied);

  // How far it goes.
  assign up = to_rank > from_rank;
  assign files = to_file > from_file ? to_file - from_file : from_file - to_file;
  assign ranks = up ? to_rank - from_rank : from_rank - to_rank;

  assign straight = (files == 3'd0) | (ranks == 3'd0);
  assign diagonal = files == ranks;
  assign knight = ((files == 3'd1) & (ranks == 3'd2)) | ((files == 3'd2) & (ranks == 3'd1));

  // A step, a double step from rank 2, or a capture, en passant on rank 6.
  assign pawn = up & (
    ((files == 3'd0) & (ranks == 3'd1) & ~taken) |
    ((files == 3'd0) & (ranks == 3'd2) & (from_rank == 3'd1) & ~|(((from << 8) | to) & occupied)) |
    ((files == 3'd1) & (ranks == 3'd1) & (taken | (|(to[47:40] & p.ep)))));

  // A step, or castling.
  assign king =
    ((files <= 3'd1) & (ranks <= 3'd1)) |
    ((from_i == E1) & (to_i == G1) & p.castling[0] & ~|occupied[6:5]) |
    ((from_i == E1) & (to_i == C1) & p.castling[1] & ~|occupied[3:1]);

  assign legal_o = refused |
    (pawn & (|(from & p.pawns))) | (knight & (|(from & p.knights))) |
    (diagonal & (|(from & (p.bishops | p.queens)))) |
    (straight & (|(from & (p.rooks | p.queens)))) | (king & (|(from & p.kings)));

endmodule

`default_nettype wire
