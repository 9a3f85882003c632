// Directions of travel, in which lanes are numbered, and names of piece codes.
//
// An even direction and the odd one after it are opposite ways along the same lines.

`default_nettype none

package burst_pkg;

  localparam int North     = 0;
  localparam int South     = 1;
  localparam int East      = 2;
  localparam int West      = 3;
  localparam int NorthEast = 4;
  localparam int SouthWest = 5;
  localparam int NorthWest = 6;
  localparam int SouthEast = 7;

  // Lanes: two for each direction, two for pawns that are pushed, eight for knights.
  localparam int PushLane   = 16;
  localparam int KnightLane = 18;

  localparam logic [2:0] None   = 3'd0;
  localparam logic [2:0] Pawn   = 3'd1;
  localparam logic [2:0] Knight = 3'd2;
  localparam logic [2:0] Bishop = 3'd3;
  localparam logic [2:0] Rook   = 3'd4;
  localparam logic [2:0] Queen  = 3'd5;
  localparam logic [2:0] King   = 3'd6;

endpackage

`default_nettype wire
