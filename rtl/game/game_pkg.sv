// The board as a word: bit n is square n, a1 = bit 0, h8 = bit 63, in the view of the side to move.

`default_nettype none

package game_pkg;

  // The other side's view of a board word: rank 1 becomes rank 8. Wiring.
  function automatic logic [63:0] mirror(input logic [63:0] b);
    mirror = {b[7:0], b[15:8], b[23:16], b[31:24], b[39:32], b[47:40], b[55:48], b[63:56]};
  endfunction

endpackage

`default_nettype wire
