// Stage 2, beside movegen_safety: where pieces arrive, by direction of travel, if nothing but pins
// restrains them.
//
// A piece may move along an axis unless it is pinned on another one. Whether its move answers a
// check, and does not end on one of our own pieces, is left to the next stage (burst_words), as the
// squares that do are only being found meanwhile: so the two take one cycle and not two.
//
// Latency 1, one position a clock.

`default_nettype none

module burst_arrivals (
  input  logic        clk_i,
  input  logic        advance_i,    // 1: take the inputs; 0: hold

  input  logic [63:0] own_i,        // from stage 1, see movegen_rays
  input  logic [63:0] empty_i,
  input  logic [63:0] pawns_i,
  input  logic [63:0] ortho_i,
  input  logic [63:0] diag_i,
  input  logic [63:0] line_ns_i,
  input  logic [63:0] line_ew_i,
  input  logic [63:0] line_nesw_i,
  input  logic [63:0] line_nwse_i,

  output logic [63:0] to_n_o,       // sliders
  output logic [63:0] to_s_o,
  output logic [63:0] to_e_o,
  output logic [63:0] to_w_o,
  output logic [63:0] to_ne_o,      // sliders, and captures by pawns
  output logic [63:0] to_sw_o,
  output logic [63:0] to_nw_o,
  output logic [63:0] to_se_o,
  output logic [63:0] push_o,       // pawns pushed by one or two squares
  output logic [7:0]  promote_ne_o, // pawns among the arrivals on rank 8
  output logic [7:0]  promote_nw_o
);

  logic [63:0] opp, pawns, ortho, diag;
  logic [63:0] movers_ns, movers_ew, movers_nesw, movers_nwse;
  logic [63:0] push, double_push, take_ne, take_nw;

  always_comb begin
    opp = ~empty_i & ~own_i;
    pawns = pawns_i & own_i;
    ortho = ortho_i & own_i;
    diag = diag_i & own_i;

    movers_ns = ortho & ~(line_ew_i | line_nesw_i | line_nwse_i);
    movers_ew = ortho & ~(line_ns_i | line_nesw_i | line_nwse_i);
    movers_nesw = diag & ~(line_ns_i | line_ew_i | line_nwse_i);
    movers_nwse = diag & ~(line_ns_i | line_ew_i | line_nesw_i);

    push = ((pawns & ~(line_ew_i | line_nesw_i | line_nwse_i)) << 8) & empty_i;
    double_push = ((push & burst_pkg::Rank3) << 8) & empty_i;
    take_ne = ((pawns & ~(line_ns_i | line_ew_i | line_nwse_i)) << 9) & movegen_pkg::NotFileA & opp;
    take_nw = ((pawns & ~(line_ns_i | line_ew_i | line_nesw_i)) << 7) & movegen_pkg::NotFileH & opp;
  end

  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      to_n_o <= movegen_pkg::ray_up(movers_ns, empty_i, movegen_pkg::All, 8);
      to_s_o <= movegen_pkg::ray_down(movers_ns, empty_i, movegen_pkg::All, 8);
      to_e_o <= movegen_pkg::ray_up(movers_ew, empty_i, movegen_pkg::NotFileA, 1);
      to_w_o <= movegen_pkg::ray_down(movers_ew, empty_i, movegen_pkg::NotFileH, 1);
      to_ne_o <= movegen_pkg::ray_up(movers_nesw, empty_i, movegen_pkg::NotFileA, 9) | take_ne;
      to_sw_o <= movegen_pkg::ray_down(movers_nesw, empty_i, movegen_pkg::NotFileH, 9);
      to_nw_o <= movegen_pkg::ray_up(movers_nwse, empty_i, movegen_pkg::NotFileH, 7) | take_nw;
      to_se_o <= movegen_pkg::ray_down(movers_nwse, empty_i, movegen_pkg::NotFileA, 7);
      push_o <= push | double_push;
      promote_ne_o <= take_ne[63:56];
      promote_nw_o <= take_nw[63:56];
    end
  end

endmodule

`default_nettype wire
