// Piece codes, for all blocks. Bits tell kinds apart: bit 0 is set for pawns, bishops and queens,
// bit 1 for knights, bishops and kings, bit 2 for rooks, queens and kings.

`default_nettype none

package piece_pkg;

  /* verilator lint_off UNUSEDPARAM */  // not every block looks for every piece
  localparam logic [2:0] None   = 3'd0;
  localparam logic [2:0] Pawn   = 3'd1;
  localparam logic [2:0] Knight = 3'd2;
  localparam logic [2:0] Bishop = 3'd3;
  localparam logic [2:0] Rook   = 3'd4;
  localparam logic [2:0] Queen  = 3'd5;
  localparam logic [2:0] King   = 3'd6;
  /* verilator lint_on UNUSEDPARAM */

endpackage

`default_nettype wire
