// A position by kinds of pieces, with a code for each square instead.
//
// Combinational. Cost: 192 LUTs.

`default_nettype none

module movegen_encode (
  input  movegen_position_t position_i,
  output movegen_coded_t    coded_o
);

  assign coded_o = {
    position_i.castling, position_i.ep, position_i.own,
    position_i.rooks | position_i.queens | position_i.kings,
    position_i.knights | position_i.bishops | position_i.kings,
    position_i.pawns | position_i.bishops | position_i.queens
  };

endmodule

`default_nettype wire
