// Why the move from from_i to to_i is not legal, after the answers so far; or that more is to be
// asked.
//
// Before the first question (kind_i is AskReal) what the position itself tells; then question after
// question as validity_question makes them up, hit_i telling whether the move is in the list.
//
// Words are in the view of the side to move. What is looked up in the position is right a clock
// after from_i and to_i; the rest is combinational. Cost: 359 LUTs, 9 flip-flops.

`default_nettype none

module validity_reason (
  input  logic        clk_i,

  input  logic [5:0]  from_i,
  input  logic [5:0]  to_i,
  input  logic [63:0] own_i,           // the position
  input  logic [63:0] occupied_i,
  input  logic [63:0] pawns_i,
  input  logic [63:0] kings_i,
  input  logic [1:0]  rooks_i,         // an own rook stands on h1 (0), on a1 (1)
  input  logic [1:0]  castling_i,      // the side to move's rights
  input  logic        check_i,         // it is in check
  input  logic [1:0]  step_i,          // its king may go from e1 to f1 (0), to d1 (1)

  input  logic [2:0]  kind_i,          // the last question
  input  logic        hit_i,           // its answer

  output logic        more_o,          // the next question is to be asked: kind_i + 1
  output logic [4:0]  reason_o         // otherwise
);

  logic [63:0] from, to;
  logic king, king_side, queen_side, step;
  logic piece_q, own_piece_q, pawn_q, king_q, takes_q, takes_own_q, castles_q, king_side_q, right_q;

  assign from = 64'd1 << from_i;
  assign to = 64'd1 << to_i;
  assign king = |(from & kings_i);
  assign king_side = king & (from_i == 6'd4) & (to_i == 6'd6) & rooks_i[0];
  assign queen_side = king & (from_i == 6'd4) & (to_i == 6'd2) & rooks_i[1];
  assign step = king_side_q ? step_i[0] : step_i[1];

  always_ff @(posedge clk_i) begin
    piece_q <= |(from & occupied_i);
    own_piece_q <= |(from & own_i);
    pawn_q <= |(from & pawns_i);
    king_q <= king;
    takes_q <= |(to & occupied_i);
    takes_own_q <= |(to & own_i);
    castles_q <= king_side | queen_side;
    king_side_q <= king_side;
    right_q <= king_side ? castling_i[0] : castling_i[1];
  end

  always @* begin
    more_o = 1'b0;
    reason_o = validity_pkg::ReasonNotAMove;
    case (kind_i)
      validity_pkg::AskReal: begin
        if (~piece_q) reason_o = validity_pkg::ReasonNoPiece;
        else if (~own_piece_q) reason_o = validity_pkg::ReasonNotYourTurn;
        else if (castles_q & ~right_q) reason_o = validity_pkg::ReasonCastlingRights;
        else if (~castles_q & takes_own_q) reason_o = validity_pkg::ReasonOwnPiece;
        else more_o = 1'b1;
      end
      validity_pkg::AskFrozen: begin
        if (castles_q & ~hit_i) reason_o = validity_pkg::ReasonCastlingBlocked;
        else if (castles_q & check_i) reason_o = validity_pkg::ReasonCastlingOut;
        else if (castles_q & ~step) reason_o = validity_pkg::ReasonCastlingThrough;
        else if (~hit_i) more_o = 1'b1;
        else if (king_q) reason_o = validity_pkg::ReasonKingIntoCheck;
        else if (check_i) reason_o = validity_pkg::ReasonStillInCheck;
        else reason_o = validity_pkg::ReasonPinned;
      end
      validity_pkg::AskCleared: begin
        if (hit_i & pawn_q & takes_q) reason_o = validity_pkg::ReasonPawnForward;
        else if (hit_i) reason_o = validity_pkg::ReasonBlocked;
        else more_o = pawn_q;
      end
      validity_pkg::AskEnPassant: begin
        if (hit_i) reason_o = validity_pkg::ReasonEnPassant;
        else more_o = 1'b1;
      end
      default: if (hit_i) reason_o = validity_pkg::ReasonPawnCapture;
    endcase
  end

endmodule

`default_nettype wire
