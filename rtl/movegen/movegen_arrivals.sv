// Stage 3: all legal moves, as sets of arrivals.
//
// For each of the eight directions the squares on which one of our pieces can legally arrive by
// travelling that way: sliders, king's steps, pawn pushes and captures, en passant. From one
// direction at most one piece can arrive on a square, so the bits of these words are the legal moves.
// Knights: the knights that may move and the squares they may enter.
// Promotion arrivals are given once more, as each of them stands for four moves.
//
// Latency 1, one position a clock.
// Cost: 880 LUTs, 775 flip-flops, 5 LUT levels.

`default_nettype none

module movegen_arrivals (
  input  logic        clk_i,
  input  logic        advance_i,      // 1: take the inputs; 0: hold

  input  logic [63:0] code0_i,        // from stage 2, see movegen_safety
  input  logic [63:0] code1_i,
  input  logic [63:0] code2_i,
  input  logic [63:0] opp_i,
  input  logic [63:0] king_i,
  input  logic [63:0] king_to_i,
  input  logic [63:0] targets_i,
  input  logic [63:0] movers_ns_i,
  input  logic [63:0] movers_ew_i,
  input  logic [63:0] movers_nesw_i,
  input  logic [63:0] movers_nwse_i,
  input  logic [63:0] pushers_i,
  input  logic [63:0] takers_ne_i,
  input  logic [63:0] takers_nw_i,
  input  logic [63:0] knights_i,
  input  logic [1:0]  castling_i,
  input  logic [7:0]  ep_i,
  input  logic [7:0]  ep_ne_i,
  input  logic [7:0]  ep_nw_i,
  input  logic        check_i,

  output logic [63:0] code0_o,
  output logic [63:0] code1_o,
  output logic [63:0] code2_o,
  output logic [63:0] to_n_o,         // legal arrivals by direction of travel
  output logic [63:0] to_s_o,
  output logic [63:0] to_e_o,
  output logic [63:0] to_w_o,
  output logic [63:0] to_ne_o,
  output logic [63:0] to_sw_o,
  output logic [63:0] to_nw_o,
  output logic [63:0] to_se_o,
  output logic [63:0] knights_o,      // knights that may move
  output logic [63:0] targets_o,      // squares that pieces other than the king may enter
  output logic [7:0]  promote_n_o,    // arrivals of pawns on rank 8
  output logic [7:0]  promote_ne_o,
  output logic [7:0]  promote_nw_o,
  output logic [1:0]  castling_o,     // castling moves
  output logic [7:0]  ep_o,           // file of the en passant target square, whether legal or not
  output logic        check_o         // our king is in check
);

  logic [63:0] empty, push, double_push, take_ne, take_nw;
  logic [63:0] to_n_d, to_s_d, to_e_d, to_w_d, to_ne_d, to_sw_d, to_nw_d, to_se_d;

  always_comb begin
    empty = ~(code0_i | code1_i | code2_i);
    push = (pushers_i << 8) & empty;
    double_push = ((push & movegen_pkg::Rank3) << 8) & empty;
    take_ne = (takers_ne_i << 9) & movegen_pkg::NotFileA & opp_i;
    take_nw = (takers_nw_i << 7) & movegen_pkg::NotFileH & opp_i;

    to_n_d = movegen_pkg::ray_up(movers_ns_i, empty, movegen_pkg::All, 8);
    to_e_d = movegen_pkg::ray_up(movers_ew_i, empty, movegen_pkg::NotFileA, 1);
    to_ne_d = movegen_pkg::ray_up(movers_nesw_i, empty, movegen_pkg::NotFileA, 9);
    to_nw_d = movegen_pkg::ray_up(movers_nwse_i, empty, movegen_pkg::NotFileH, 7);
    to_s_d = movegen_pkg::ray_down(movers_ns_i, empty, movegen_pkg::All, 8);
    to_w_d = movegen_pkg::ray_down(movers_ew_i, empty, movegen_pkg::NotFileH, 1);
    to_sw_d = movegen_pkg::ray_down(movers_nesw_i, empty, movegen_pkg::NotFileH, 9);
    to_se_d = movegen_pkg::ray_down(movers_nwse_i, empty, movegen_pkg::NotFileA, 7);

    to_n_d = ((to_n_d | push | double_push) & targets_i) | ((king_i << 8) & king_to_i);
    to_ne_d = ((to_ne_d | take_ne) & targets_i) |
              ((king_i << 9) & movegen_pkg::NotFileA & king_to_i) | {16'h0, ep_ne_i, 40'h0};
    to_nw_d = ((to_nw_d | take_nw) & targets_i) |
              ((king_i << 7) & movegen_pkg::NotFileH & king_to_i) | {16'h0, ep_nw_i, 40'h0};
    to_e_d = (to_e_d & targets_i) | ((king_i << 1) & movegen_pkg::NotFileA & king_to_i);
    to_w_d = (to_w_d & targets_i) | ((king_i >> 1) & movegen_pkg::NotFileH & king_to_i);
    to_s_d = (to_s_d & targets_i) | ((king_i >> 8) & king_to_i);
    to_sw_d = (to_sw_d & targets_i) | ((king_i >> 9) & movegen_pkg::NotFileH & king_to_i);
    to_se_d = (to_se_d & targets_i) | ((king_i >> 7) & movegen_pkg::NotFileA & king_to_i);
  end

  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      code0_o <= code0_i;
      code1_o <= code1_i;
      code2_o <= code2_i;
      to_n_o <= to_n_d;
      to_s_o <= to_s_d;
      to_e_o <= to_e_d;
      to_w_o <= to_w_d;
      to_ne_o <= to_ne_d;
      to_sw_o <= to_sw_d;
      to_nw_o <= to_nw_d;
      to_se_o <= to_se_d;
      knights_o <= knights_i;
      targets_o <= targets_i;
      promote_n_o <= push[63:56] & targets_i[63:56];
      promote_ne_o <= take_ne[63:56] & targets_i[63:56];
      promote_nw_o <= take_nw[63:56] & targets_i[63:56];
      castling_o <= castling_i;
      ep_o <= ep_i;
      check_o <= check_i;
    end
  end

endmodule

`default_nettype wire
