// The position after a move, as the opponent, who is then to move, sees it.
//
// Board words are in the view of the side to move: its pawns move up. What kind of move it is
// follows from the position: a king that goes from e1 to g1 or c1 castles, a pawn that goes to the
// square behind a pawn that just made a double step takes it, a pawn on rank 8 becomes what
// promotion_i says. The move is trusted to be legal. Without a move (from_i and to_i empty) the
// board only changes sides: a null move.
//
// Combinational. Turning the board is wiring; the longest path is from from_i over the piece that
// stands there to the square it goes to.
// Cost: 477 LUTs.

`default_nettype none

module game_make (
  input  movegen_coded_t position_i,   // in the view of the side to move

  input  logic [63:0]    from_i,       // one-hot, or empty
  input  logic [63:0]    to_i,         // one-hot, or empty
  input  logic [2:0]     promotion_i,  // piece code; looked at only if a pawn arrives on rank 8

  output movegen_coded_t position_o,   // in the view of the opponent
  output logic           promotes_o,   // a pawn arrives on rank 8
  output logic           irreversible_o // a pawn's move or a capture
);

  logic [63:0] own, code0, code1, code2, own_d, code0_d, code1_d, code2_d, occupied, opponent, gone,
    rook;
  logic [3:0] castling, castling_d;
  logic [7:0] ep;
  logic [2:0] piece, placed;
  logic [7:0] taken_ep;
  logic pawn, king_moves, castles_king_side, castles_queen_side;

  assign {castling, ep, own, code2, code1, code0} = position_i;

  // What moves.
  assign piece = {|(code2 & from_i), |(code1 & from_i), |(code0 & from_i)};
  assign pawn = piece == piece_pkg::Pawn;
  assign king_moves = (piece == piece_pkg::King) & from_i[4]; // from e1
  assign castles_king_side = king_moves & to_i[6];  // to g1
  assign castles_queen_side = king_moves & to_i[2]; // to c1
  assign taken_ep = {8{pawn}} & to_i[47:40] & ep;
  assign promotes_o = pawn & |to_i[63:56];
  assign placed = promotes_o ? promotion_i : piece;

  // Squares that are empty then, or hold the piece that moved: its own two, that of a pawn taken en
  // passant (rank 5), the corner of a rook that castles. That rook arrives on f1 or d1.
  assign gone = from_i | to_i |
                {24'd0, taken_ep, 24'd0, castles_king_side, 6'd0, castles_queen_side};
  assign rook = {58'd0, castles_king_side, 1'b0, castles_queen_side, 3'd0};

  assign occupied = code0 | code1 | code2;
  assign opponent = occupied & ~own & ~gone;
  assign own_d = game_pkg::mirror(opponent);
  assign code0_d = game_pkg::mirror((code0 & ~gone) | (to_i & {64{placed[0]}}));
  assign code1_d = game_pkg::mirror((code1 & ~gone) | (to_i & {64{placed[1]}}));
  assign code2_d = game_pkg::mirror((code2 & ~gone) | (to_i & {64{placed[2]}}) | rook);

  // A right is lost when its king or rook moves or its rook is taken: by a move from or to the
  // square on which it stands (e1, h1, a1; h8, a8).
  assign castling_d = {
    castling[1] & ~from_i[4] & ~from_i[0],
    castling[0] & ~from_i[4] & ~from_i[7],
    castling[3] & ~to_i[56],
    castling[2] & ~to_i[63]
  };

  assign position_o = {
    castling_d, {8{pawn & |from_i[15:8]}} & to_i[31:24], own_d, code2_d, code1_d, code0_d
  };
  assign irreversible_o = pawn | (|(occupied & to_i));

endmodule

`default_nettype wire
