// Stages 1 and 2: what is to be known of a position before moves are made of it. movegen, burst and
// perftengine begin with these.
//
//   stage 1   movegen_rays     rays of the opponent's sliders and of our king
//   stage 2   movegen_safety   checks, pins, castling, en passant
//
// Latency 1 for rays_o, 2 for safety_o; one position a clock.

`default_nettype none

module movegen_analysis (
  input  logic              clk_i,
  input  logic              advance_i,   // 1: take the inputs; 0: hold
  // 1: in place of the input, analyse what stage 1 holds, sides changed: see movegen_rays
  input  logic              again_i,
  input  movegen_position_t position_i,

  output movegen_rays_t     rays_o,
  output movegen_safety_t   safety_o
);

  movegen_rays u_rays (
    .clk_i(clk_i), .advance_i(advance_i), .again_i(again_i), .position_i(position_i),
    .rays_o(rays_o)
  );

  movegen_safety u_safety (
    .clk_i(clk_i), .advance_i(advance_i), .rays_i(rays_o), .safety_o(safety_o)
  );

endmodule

`default_nettype wire
