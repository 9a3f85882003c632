// What the board tells the person: by state, and with it what the LEDs are to show.
//
// Squares are absolute. Combinational. Cost: 121 LUTs.

`default_nettype none

module validity_show (
  input  logic [2:0]  state_i,           // validity_pkg::State*
  input  logic [1:0]  result_i,
  input  logic [4:0]  reason_i,
  input  logic [63:0] differing_i,       // squares that are not as the position has them
  input  logic        shown_i,           // a remote move is to be carried out
  input  logic [5:0]  shown_from_i,
  input  logic [5:0]  shown_to_i,
  input  logic        check_i,
  input  logic [5:0]  king_i,
  input  logic [5:0]  promoting_i,       // where the pawn stands

  output logic [4:0]  reason_o,
  output logic [63:0] restore_o,
  output logic [3:0]  show_o,            // validity_pkg::Show*
  output logic [5:0]  show_from_o,
  output logic [5:0]  show_to_o
);

  always @* begin
    reason_o = validity_pkg::ReasonNone;
    restore_o = 64'd0;
    show_o = validity_pkg::ShowNone;
    show_from_o = 6'd0;
    show_to_o = 6'd0;
    case (state_i)
      validity_pkg::StateOver: begin
        show_o = validity_pkg::ShowDraw;
        if (result_i == validity_pkg::ResultWhite) show_o = validity_pkg::ShowWhiteWins;
        if (result_i == validity_pkg::ResultBlack) show_o = validity_pkg::ShowBlackWins;
      end
      validity_pkg::StateIllegal: begin
        show_o = validity_pkg::ShowIllegal;
        reason_o = reason_i;
        restore_o = differing_i;
      end
      validity_pkg::StateSetUp: begin
        show_o = validity_pkg::ShowRestore;
        restore_o = differing_i;
      end
      validity_pkg::StatePromotion: begin
        show_o = validity_pkg::ShowPromotion;
        show_from_o = promoting_i;
        show_to_o = promoting_i;
      end
      default: begin
        if (shown_i) begin
          show_o = validity_pkg::ShowMove;
          show_from_o = shown_from_i;
          show_to_o = shown_to_i;
        end else if (check_i) begin
          show_o = validity_pkg::ShowCheck;
          show_from_o = king_i;
          show_to_o = king_i;
        end
      end
    endcase
  end

endmodule

`default_nettype wire
