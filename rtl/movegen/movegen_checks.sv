// Stage 3, beside the arrivals: what the filter of a list lets pass.
//
// With the filter for checks, a move passes if it attacks the opponent's king: directly, from a
// square of the king's rays, a knight's or a pawn's step away; or by uncovering one of our sliders.
// A piece of ours uncovers one if it stands where a ray of the king and a ray of that slider meet,
// and leaves that line. There is one line through two squares: a piece uncovers along one axis at
// most. Knights always leave it, and so do bishops on a rank or file and rooks on a diagonal, and
// our other sliders would give check already. Pawns and the king may move along the line; but no
// pawn captures on it, as its victim would stand there, unless en passant. Further:
//
// * A pawn that promotes no longer stands in the way of its own ray back through its origin.
// * Castling puts the rook where it may give check, through the king's origin too.
// * En passant removes the captured pawn from a diagonal, or both pawns from the rank.
//
// Without that filter all squares pass, and nothing needs to uncover anything.
//
// The rays are those of stage 1, which analyses such a position a second time, with the sides
// changed: that comes from it while the position itself is in stage 2.
//
// Sliders are told by two rays a direction: rooks (on diagonals: bishops) that uncover nothing are
// in the first alone, those that do in both, queens in the second alone.
//
// Latency 1; the sources of the rays are combinational.
// Cost: 849 LUTs, 412 flip-flops.

`default_nettype none

module movegen_checks (
  input  logic        clk_i,
  input  logic        advance_i,       // 1: take the inputs; 0: hold
  input  logic        checks_i,        // 1: the filter for checks; 0: all moves pass

  input  logic [63:7] opp_king_i,      // from stage 1, sides changed, see movegen_rays
  input  logic [63:0] see_ortho_i,
  input  logic [63:0] see_diag_i,
  input  logic [63:0] see_knight_i,
  input  logic [63:0] line_ns_i,
  input  logic [63:0] line_ew_i,
  input  logic [63:0] line_nesw_i,
  input  logic [63:0] line_nwse_i,
  input  logic [6:0]  bared_i,
  input  logic [7:0]  king7_n_i,
  input  logic [6:0]  king7_ne_i,
  input  logic [6:0]  king7_nw_i,
  input  logic [1:0]  king1_i,

  input  logic [63:0] code0_i,         // from stage 2, see movegen_safety
  input  logic [63:0] code2_i,
  input  logic [63:0] king_i,
  input  logic [63:0] movers_ns_i,
  input  logic [63:0] movers_ew_i,
  input  logic [63:0] movers_nesw_i,
  input  logic [63:0] movers_nwse_i,

  output logic [63:0] first_ns_o,      // sources of the two rays a direction, by axis
  output logic [63:0] first_ew_o,
  output logic [63:0] first_nesw_o,
  output logic [63:0] first_nwse_o,
  output logic [63:0] second_ns_o,
  output logic [63:0] second_ew_o,
  output logic [63:0] second_nesw_o,
  output logic [63:0] second_nwse_o,

  // squares that pass by kind of the piece that arrives; for queens,
  output logic [63:0] knight_ok_o,
  output logic [63:0] bishop_ok_o,     // both the bishops' and the rooks'
  output logic [63:0] rook_ok_o,
  output logic [55:0] pawn_ok_o,       // rank 8 is left out
  output logic [63:0] uncover_o,       // pieces that pass by leaving; of these, ours are meant
  output logic [55:0] uncover_n_o,     // the same, for pawns that are pushed
  // squares of rank 8 that pass for pawns arriving by a direction, as
  output logic [7:0]  through_n_o,
  output logic [7:0]  through_ne_o,    // the ray back through the origin gives check: on north for
  output logic [7:0]  through_nw_o,    // what moves as a rook, else for what moves as a bishop
  output logic [7:0]  ep_ne_ok_o,      // en passant passes, by file of arrival and direction
  output logic [7:0]  ep_nw_ok_o,
  output logic        king_ns_o,       // our king's steps pass, by axis
  output logic        king_ew_o,
  output logic        king_nesw_o,
  output logic        king_nwse_o,
  output logic [1:0]  castling_ok_o
);

  logic [63:0] uncover_ortho, uncover_diag;
  logic on_ns, on_ew, on_nesw, on_nwse;
  logic [7:0] ep_any;
  logic [6:0] ep_ne, ep_nw;

  assign uncover_ortho = (line_ns_i | line_ew_i) & {64{checks_i}};
  assign uncover_diag = (line_nesw_i | line_nwse_i) & {64{checks_i}};

  // Among those that move along ranks and files, queens are told by code bit 0, on diagonals by 2.
  assign first_ns_o = movers_ns_i & ~code0_i;
  assign first_ew_o = movers_ew_i & ~code0_i;
  assign first_nesw_o = movers_nesw_i & ~code2_i;
  assign first_nwse_o = movers_nwse_i & ~code2_i;
  assign second_ns_o = movers_ns_i & (code0_i | uncover_diag);
  assign second_ew_o = movers_ew_i & (code0_i | uncover_diag);
  assign second_nesw_o = movers_nesw_i & (code2_i | uncover_ortho);
  assign second_nwse_o = movers_nwse_i & (code2_i | uncover_ortho);

  assign on_ns = |(king_i & line_ns_i);
  assign on_ew = |(king_i & line_ew_i);
  assign on_nesw = |(king_i & line_nesw_i);
  assign on_nwse = |(king_i & line_nwse_i);

  // En passant, by the file of the captured pawn; by the lower file of both pawns, which is that of
  // our pawn when it captures to the north-east; and by our pawn's leaving its line.
  assign ep_any = (opp_king_i[56:49] & 8'h7f) | (opp_king_i[54:47] & 8'hfe) |
                  line_nesw_i[39:32] | line_nwse_i[39:32];
  assign ep_ne = bared_i | line_ns_i[38:32] | line_ew_i[38:32] | line_nwse_i[38:32];
  assign ep_nw = bared_i | line_ns_i[39:33] | line_ew_i[39:33] | line_nesw_i[39:33];

  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      uncover_o <= uncover_ortho | uncover_diag;
      uncover_n_o <= (line_ew_i[55:0] & {56{checks_i}}) | uncover_diag[55:0];
      through_n_o <= king7_n_i;
      through_ne_o <= {king7_ne_i, 1'b0};
      through_nw_o <= {1'b0, king7_nw_i};

      // The synchronous set of a flip-flop costs no LUT. One assignment a branch: with two, all
      // that depends on these would be evaluated twice a cycle in an event-driven simulator.
      if (~checks_i) begin
        knight_ok_o <= movegen_pkg::All;
        bishop_ok_o <= movegen_pkg::All;
        rook_ok_o <= movegen_pkg::All;
        pawn_ok_o <= movegen_pkg::All[55:0];
        ep_ne_ok_o <= 8'hff;
        ep_nw_ok_o <= 8'hff;
        {king_ns_o, king_ew_o, king_nesw_o, king_nwse_o} <= 4'hf;
        castling_ok_o <= 2'h3;
      end else begin
        knight_ok_o <= see_knight_i;
        bishop_ok_o <= see_diag_i;
        rook_ok_o <= see_ortho_i;
        pawn_ok_o <= ({1'b0, opp_king_i[63:9]} & movegen_pkg::NotFileH[55:0]) |
                     (opp_king_i[62:7] & movegen_pkg::NotFileA[55:0]);
        ep_ne_ok_o <= ep_any | {ep_ne, 1'b0};
        ep_nw_ok_o <= ep_any | {1'b0, ep_nw};
        king_ns_o <= on_ew | on_nesw | on_nwse;
        king_ew_o <= on_ns | on_nesw | on_nwse;
        king_nesw_o <= on_ns | on_ew | on_nwse;
        king_nwse_o <= on_ns | on_ew | on_nesw;
        castling_ok_o <= king1_i | {see_ortho_i[3], see_ortho_i[5]};
      end
    end
  end

endmodule

`default_nettype wire
