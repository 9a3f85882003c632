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
  input  logic [63:0] own_i,           // the side to move's pieces
  input  logic [63:0] code0_i,         // piece code of every square (either colour), bit by bit:
  // 0 none, 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king
  input  logic [63:0] code1_i,
  input  logic [63:0] code2_i,
  // rights: 0 own king side, 1 own queen side, 2, 3 the opponent's
  input  logic [3:0]  castling_i,
  input  logic [7:0]  ep_i,            // file of an opponent's pawn that just made a double step,
                                       // one-hot (0 = a); 0: none

  input  logic [63:0] from_i,          // one-hot, or empty
  input  logic [63:0] to_i,            // one-hot, or empty
  input  logic [2:0]  promotion_i,     // piece code; looked at only if a pawn arrives on rank 8

  output logic [63:0] own_o,           // as above, in the opponent's view
  output logic [63:0] code0_o,
  output logic [63:0] code1_o,
  output logic [63:0] code2_o,
  output logic [3:0]  castling_o,
  output logic [7:0]  ep_o,
  output logic        promotes_o,      // a pawn arrives on rank 8
  output logic        irreversible_o   // a pawn's move or a capture
);

  logic [63:0] occupied, opponent, gone, rook;
  logic [2:0] piece, placed;
  logic [7:0] taken_ep;
  logic pawn, king_moves, castles_king_side, castles_queen_side;

  // What moves.
  assign piece = {|(code2_i & from_i), |(code1_i & from_i), |(code0_i & from_i)};
  assign pawn = piece == 3'd1;
  assign king_moves = (piece == 3'd6) & from_i[4];              // from e1
  assign castles_king_side = king_moves & to_i[6];              // to g1
  assign castles_queen_side = king_moves & to_i[2];             // to c1
  assign taken_ep = {8{pawn}} & to_i[47:40] & ep_i;
  assign promotes_o = pawn & |to_i[63:56];
  assign placed = promotes_o ? promotion_i : piece;

  // Squares that are empty then, or hold the piece that moved: its own two, that of a pawn taken en
  // passant (rank 5), the corner of a rook that castles. That rook arrives on f1 or d1.
  assign gone = from_i | to_i |
                {24'd0, taken_ep, 24'd0, castles_king_side, 6'd0, castles_queen_side};
  assign rook = {58'd0, castles_king_side, 1'b0, castles_queen_side, 3'd0};

  assign occupied = code0_i | code1_i | code2_i;
  assign opponent = occupied & ~own_i & ~gone;
  assign own_o = game_pkg::mirror(opponent);
  assign code0_o = game_pkg::mirror((code0_i & ~gone) | (to_i & {64{placed[0]}}));
  assign code1_o = game_pkg::mirror((code1_i & ~gone) | (to_i & {64{placed[1]}}));
  assign code2_o = game_pkg::mirror((code2_i & ~gone) | (to_i & {64{placed[2]}}) | rook);

  // A right is lost when its king or rook moves or its rook is taken: by a move from or to the
  // square on which it stands (e1, h1, a1; h8, a8).
  assign castling_o = {
    castling_i[1] & ~from_i[4] & ~from_i[0],
    castling_i[0] & ~from_i[4] & ~from_i[7],
    castling_i[3] & ~to_i[56],
    castling_i[2] & ~to_i[63]
  };

  assign ep_o = {8{pawn & |from_i[15:8]}} & to_i[31:24];
  assign irreversible_o = pawn | (|(occupied & to_i));

endmodule

`default_nettype wire
