// Whether a position is as it is trusted to be: what follows from the Laws of Chess for each
// single square, the rights and the pawn that may be taken en passant. It does not ask whether the
// side that has moved is in check, nor whether a game leads there.
//
// For assumptions: tests give no other positions, and proofs need not think of them. An empty board
// is one.
//
// Combinational. No block needs it in hardware.

`default_nettype none

module game_legal (
  input  movegen_position_t position_i,
  output logic              legal_o
);

  localparam logic [63:0] Ends = 64'hff00_0000_0000_00ff; // ranks 1 and 8

  movegen_position_t p;
  logic [63:0] occupied, opponent, own_kings, opponent_kings;
  logic alone, colours, pawns, kings, castling, ep;

  assign p = position_i;
  assign occupied = p.pawns | p.knights | p.bishops | p.rooks | p.queens | p.kings;
  assign opponent = occupied & ~p.own;
  assign own_kings = p.kings & p.own;
  assign opponent_kings = p.kings & opponent;

  // One piece on a square.
  assign alone = ~|((p.pawns & (p.knights | p.bishops | p.rooks | p.queens | p.kings)) |
                    (p.knights & (p.bishops | p.rooks | p.queens | p.kings)) |
                    (p.bishops & (p.rooks | p.queens | p.kings)) |
                    (p.rooks & (p.queens | p.kings)) | (p.queens & p.kings));
  assign colours = ~|(p.own & ~occupied);
  assign pawns = ~|(p.pawns & Ends);
  // One king of each side, or none: x & (x - 1) is x without its lowest bit.
  assign kings = ~|(own_kings & (own_kings - 64'd1)) &
                 ~|(opponent_kings & (opponent_kings - 64'd1));

  // A right needs its king and its rook at home: e1 with h1 and a1, e8 with h8 and a8.
  assign castling =
    (~|p.castling[1:0] | own_kings[4]) & (~|p.castling[3:2] | opponent_kings[60]) &
    ~|(p.castling & ~{
      p.rooks[56] & opponent[56], p.rooks[63] & opponent[63], p.rooks[0] & p.own[0],
      p.rooks[7] & p.own[7]
    });

  // A pawn that made a double step stands on rank 5, and has left the two squares behind it empty.
  assign ep = ~|(p.ep & (p.ep - 8'd1)) &
              ~|(p.ep & ~(p.pawns[39:32] & opponent[39:32])) &
              ~|(p.ep & (occupied[47:40] | occupied[55:48]));

  assign legal_o = alone & colours & pawns & kings & castling & ep;

endmodule

`default_nettype wire
