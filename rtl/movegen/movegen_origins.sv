// From a destination back to all pieces that can legally move there, at once.
//
// From the destination a ray runs backwards along every direction by which a piece can legally
// arrive (its bit in that direction's arrival word), through empty squares to the first piece:
// that is the piece that moves. Knights are those a knight's move away. Castling adds the king.
//
// Combinational; the lister registers its result. Cost: 771 LUTs.

`default_nettype none

module movegen_origins (
  input  logic [63:0] to_i,           // destination, one-hot (or empty)

  input  logic [63:0] occupied_i,
  input  logic [63:0] to_n_i,         // legal arrivals, see movegen_arrivals
  input  logic [63:0] to_s_i,
  input  logic [63:0] to_e_i,
  input  logic [63:0] to_w_i,
  input  logic [63:0] to_ne_i,
  input  logic [63:0] to_sw_i,
  input  logic [63:0] to_nw_i,
  input  logic [63:0] to_se_i,
  input  logic [63:0] knights_i,
  input  logic [63:0] targets_i,
  input  logic [1:0]  castling_i,

  output logic [63:0] from_o
);

  logic [63:0] empty, back, leaps;
  logic castles;

  assign castles = (castling_i[0] & to_i[6]) | (castling_i[1] & to_i[2]);

  always_comb begin
    empty = ~occupied_i;
    back = movegen_pkg::ray_down(to_i & to_n_i, empty, movegen_pkg::All, 8) |
           movegen_pkg::ray_down(to_i & to_e_i, empty, movegen_pkg::NotFileH, 1) |
           movegen_pkg::ray_down(to_i & to_ne_i, empty, movegen_pkg::NotFileH, 9) |
           movegen_pkg::ray_down(to_i & to_nw_i, empty, movegen_pkg::NotFileA, 7) |
           movegen_pkg::ray_up(to_i & to_s_i, empty, movegen_pkg::All, 8) |
           movegen_pkg::ray_up(to_i & to_w_i, empty, movegen_pkg::NotFileA, 1) |
           movegen_pkg::ray_up(to_i & to_sw_i, empty, movegen_pkg::NotFileA, 9) |
           movegen_pkg::ray_up(to_i & to_se_i, empty, movegen_pkg::NotFileH, 7);
    leaps = movegen_pkg::knight_attacks(to_i & targets_i) & knights_i;
    from_o = (back & occupied_i) | leaps | {59'h0, castles, 4'h0};
  end

endmodule

`default_nettype wire
