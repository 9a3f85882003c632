// What a reading of the board has to do with one legal move.
//
// The move leaves squares empty (origin, a pawn taken en passant, the corner of a castling rook)
// and fills others (destination, the castling rook's); the destination of any other capture was
// occupied and will be, and is emptied on the way.
//
//   made   Exactly these squares are empty and filled, and the destination of a capture has been
//          filled again.
//   begun  No others are, but not all need be: the move may be on its way, its squares in any order.
//   half   The rook of a castling stands where it will: this is a rook's move as well.
//
// Words are in the view of the side to move. Combinational. Cost: 515 LUTs.

`default_nettype none

module validity_match (
  input  logic [5:0]  from_i,          // the move
  input  logic [5:0]  to_i,
  input  logic [2:0]  captured_i,
  input  logic [1:0]  castling_i,
  input  logic        ep_i,

  input  logic [63:0] lifted_i,        // squares of the position that are empty
  input  logic [63:0] filled_i,        // occupied squares that the position has empty
  input  logic [63:0] refilled_i,      // squares filled last

  output logic        made_o,
  output logic        begun_o,
  output logic        half_o
);

  logic [63:0] from, to, corner, rook, empties, fills;
  logic takes;

  assign from = 64'd1 << from_i;
  assign to = 64'd1 << to_i;
  assign corner = {56'd0, castling_i[0], 6'd0, castling_i[1]};
  assign rook = {58'd0, castling_i[0], 1'b0, castling_i[1], 3'd0};
  assign takes = (captured_i != 3'd0) & ~ep_i;

  assign empties = from | corner | ((to >> 8) & {64{ep_i}});
  assign fills = rook | (to & {64{~takes}});

  assign made_o = (lifted_i == empties) & (filled_i == fills) & (~takes | (|(to & refilled_i)));
  assign begun_o = ~(|(lifted_i & ~empties & ~(to & {64{takes}}))) & ~(|(filled_i & ~fills));
  assign half_o = (|castling_i) & (lifted_i == corner) & (filled_i == rook);

endmodule

`default_nettype wire
