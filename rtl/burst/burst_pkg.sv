// Directions of travel, in which lanes are numbered.
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

  localparam logic [63:0] Rank3 = 64'h0000_0000_00ff_0000;

  // Whether at least two bits are set: first among each six that are 8 apart, then among groups of
  // these. `any` and `many` go side by side, so that this takes three LUT levels, and less time
  // than to clear the lowest.
  function automatic logic two_or_more(input logic [47:0] w);
    logic [7:0] any, many;
    logic [2:0] any3, many3;
    any = w[7:0];
    many = 8'd0;
    for (int k = 1; k < 6; k++) begin
      many = many | (any & w[8*k +: 8]);
      any = any | w[8*k +: 8];
    end
    any3 = any[2:0] | any[5:3];
    many3 = many[2:0] | many[5:3] | {1'b0, many[7:6]} | (any[2:0] & any[5:3]) | (any3 & {1'b0, any[7:6]});
    any3 = any3 | {1'b0, any[7:6]};
    two_or_more = (|many3) | (any3[0] & any3[1]) | (any3[0] & any3[2]) | (any3[1] & any3[2]);
  endfunction

endpackage

`default_nettype wire
