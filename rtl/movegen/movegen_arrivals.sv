// Stage 3: all legal moves, as sets of arrivals.
//
// For each of the eight directions the squares on which one of our pieces can legally arrive by
// travelling that way: sliders, king's steps, pawn pushes and captures, en passant. From one
// direction at most one piece can arrive on a square, so the bits of these words are the legal
// moves. Knights: the knights that may move and the squares they may enter.
//
// Two rays a direction tell three sorts of sliders by being in the first, the second, or both; the
// list is told which arrives where. Who only counts needs one: without second sliders the other
// outputs and what they cost are gone.
//
// Latency 1, one position a clock.
// Cost: 1276 LUTs, 1897 flip-flops.

`default_nettype none

module movegen_arrivals (
  input  logic        clk_i,
  input  logic        advance_i,      // 1: take the inputs; 0: hold

  input  logic [63:0] first_ns_i,     // sliders that may move along an axis
  input  logic [63:0] first_ew_i,
  input  logic [63:0] first_nesw_i,
  input  logic [63:0] first_nwse_i,
  input  logic [63:0] second_ns_i,
  input  logic [63:0] second_ew_i,
  input  logic [63:0] second_nesw_i,
  input  logic [63:0] second_nwse_i,
  input  logic [63:0] code0_i,        // from stage 2, see movegen_safety
  input  logic [63:0] code1_i,
  input  logic [63:0] code2_i,
  input  logic [63:0] empty_i,
  input  logic [63:0] king_i,
  input  logic [63:0] king_to_i,
  input  logic [63:0] targets_i,
  input  logic [63:0] pushers_i,
  input  logic [63:0] takers_ne_i,
  input  logic [63:0] takers_nw_i,
  input  logic [63:0] knights_i,
  input  logic [1:0]  castling_i,
  input  logic [7:0]  ep_i,
  input  logic [7:0]  ep_ne_i,
  input  logic [7:0]  ep_nw_i,
  input  logic        check_i,

  output logic [63:0] code0_o,        // as the inputs
  output logic [63:0] code1_o,
  output logic [63:0] code2_o,
  output logic [63:0] king_o,
  output logic [63:0] king_to_o,
  output logic [7:0]  ep_o,
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
  output logic [7:0]  promote_n_o,    // of the arrivals, those of pawns: on rank 8
  output logic [7:0]  promote_ne_o,
  output logic [7:0]  promote_nw_o,
  output logic [55:0] push_o,         // below, by single steps,
  output logic [7:0]  double_o,       // double steps, on rank 4,
  output logic [55:0] take_ne_o,      // captures other than en passant,
  output logic [55:0] take_nw_o,
  output logic [7:0]  ep_ne_o,        // and en passant, on rank 6
  output logic [7:0]  ep_nw_o,
  output logic [1:0]  castling_o,     // castling moves
  output logic        check_o,        // our king is in check

  output logic [63:0] first_n_o,      // where the sliders arrive, if on targets
  output logic [63:0] first_s_o,
  output logic [63:0] first_e_o,
  output logic [63:0] first_w_o,
  output logic [63:0] first_ne_o,
  output logic [63:0] first_sw_o,
  output logic [63:0] first_nw_o,
  output logic [63:0] first_se_o,
  output logic [63:0] second_n_o,
  output logic [63:0] second_s_o,
  output logic [63:0] second_e_o,
  output logic [63:0] second_w_o,
  output logic [63:0] second_ne_o,
  output logic [63:0] second_sw_o,
  output logic [63:0] second_nw_o,
  output logic [63:0] second_se_o
);

  logic [63:0] first_n, first_s, first_e, first_w, first_ne, first_sw, first_nw, first_se;
  logic [63:0] second_n, second_s, second_e, second_w, second_ne, second_sw, second_nw, second_se;
  logic [63:0] push, take_ne, take_nw;
  logic [7:0] double_push;

  always_comb begin
    first_n = movegen_pkg::ray_up(first_ns_i, empty_i, movegen_pkg::All, 8);
    first_e = movegen_pkg::ray_up(first_ew_i, empty_i, movegen_pkg::NotFileA, 1);
    first_ne = movegen_pkg::ray_up(first_nesw_i, empty_i, movegen_pkg::NotFileA, 9);
    first_nw = movegen_pkg::ray_up(first_nwse_i, empty_i, movegen_pkg::NotFileH, 7);
    first_s = movegen_pkg::ray_down(first_ns_i, empty_i, movegen_pkg::All, 8);
    first_w = movegen_pkg::ray_down(first_ew_i, empty_i, movegen_pkg::NotFileH, 1);
    first_sw = movegen_pkg::ray_down(first_nesw_i, empty_i, movegen_pkg::NotFileH, 9);
    first_se = movegen_pkg::ray_down(first_nwse_i, empty_i, movegen_pkg::NotFileA, 7);
  end

  always_comb begin
    second_n = movegen_pkg::ray_up(second_ns_i, empty_i, movegen_pkg::All, 8);
    second_e = movegen_pkg::ray_up(second_ew_i, empty_i, movegen_pkg::NotFileA, 1);
    second_ne = movegen_pkg::ray_up(second_nesw_i, empty_i, movegen_pkg::NotFileA, 9);
    second_nw = movegen_pkg::ray_up(second_nwse_i, empty_i, movegen_pkg::NotFileH, 7);
    second_s = movegen_pkg::ray_down(second_ns_i, empty_i, movegen_pkg::All, 8);
    second_w = movegen_pkg::ray_down(second_ew_i, empty_i, movegen_pkg::NotFileH, 1);
    second_sw = movegen_pkg::ray_down(second_nesw_i, empty_i, movegen_pkg::NotFileH, 9);
    second_se = movegen_pkg::ray_down(second_nwse_i, empty_i, movegen_pkg::NotFileA, 7);
  end

  // What pawns capture stands on a target that is not empty.
  assign push = (pushers_i << 8) & empty_i & targets_i;
  assign double_push = pushers_i[15:8] & empty_i[23:16] & empty_i[31:24] & targets_i[31:24];
  assign take_ne = (takers_ne_i << 9) & movegen_pkg::NotFileA & ~empty_i & targets_i;
  assign take_nw = (takers_nw_i << 7) & movegen_pkg::NotFileH & ~empty_i & targets_i;

  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      code0_o <= code0_i;
      code1_o <= code1_i;
      code2_o <= code2_i;
      king_o <= king_i;
      king_to_o <= king_to_i;
      ep_o <= ep_i;
      to_n_o <= ((first_n | second_n) & targets_i) | push | {32'h0, double_push, 24'h0} |
                ((king_i << 8) & king_to_i);
      to_ne_o <= ((first_ne | second_ne) & targets_i) | take_ne | {16'h0, ep_ne_i, 40'h0} |
                 ((king_i << 9) & movegen_pkg::NotFileA & king_to_i);
      to_nw_o <= ((first_nw | second_nw) & targets_i) | take_nw | {16'h0, ep_nw_i, 40'h0} |
                 ((king_i << 7) & movegen_pkg::NotFileH & king_to_i);
      to_e_o <= ((first_e | second_e) & targets_i) |
                ((king_i << 1) & movegen_pkg::NotFileA & king_to_i);
      to_w_o <= ((first_w | second_w) & targets_i) |
                ((king_i >> 1) & movegen_pkg::NotFileH & king_to_i);
      to_s_o <= ((first_s | second_s) & targets_i) | ((king_i >> 8) & king_to_i);
      to_sw_o <= ((first_sw | second_sw) & targets_i) |
                 ((king_i >> 9) & movegen_pkg::NotFileH & king_to_i);
      to_se_o <= ((first_se | second_se) & targets_i) |
                 ((king_i >> 7) & movegen_pkg::NotFileA & king_to_i);
      knights_o <= knights_i;
      targets_o <= targets_i;
      promote_n_o <= push[63:56];
      promote_ne_o <= take_ne[63:56];
      promote_nw_o <= take_nw[63:56];
      push_o <= push[55:0];
      double_o <= double_push;
      take_ne_o <= take_ne[55:0];
      take_nw_o <= take_nw[55:0];
      ep_ne_o <= ep_ne_i;
      ep_nw_o <= ep_nw_i;
      castling_o <= castling_i;
      check_o <= check_i;

      first_n_o <= first_n;
      first_s_o <= first_s;
      first_e_o <= first_e;
      first_w_o <= first_w;
      first_ne_o <= first_ne;
      first_sw_o <= first_sw;
      first_nw_o <= first_nw;
      first_se_o <= first_se;
      second_n_o <= second_n;
      second_s_o <= second_s;
      second_e_o <= second_e;
      second_w_o <= second_w;
      second_ne_o <= second_ne;
      second_sw_o <= second_sw;
      second_nw_o <= second_nw;
      second_se_o <= second_se;
    end
  end

endmodule

`default_nettype wire
