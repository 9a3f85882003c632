// What was tried, when a reading of the board is no legal move and no way to one: a move from one
// square to another, of which it remains to be found why it is not legal, or something else, with
// its reason.
//
// Words are in the view of the side to move. What it says is at the outputs a clock after the
// reading. Cost: 673 LUTs, 21 flip-flops.

`default_nettype none

module validity_attempt (
  input  logic        clk_i,

  input  logic [63:0] lifted_i,        // squares of the position that are empty
  input  logic [63:0] filled_i,        // occupied squares that the position has empty
  input  logic [63:0] refilled_i,      // squares filled last
  input  logic [63:0] own_i,           // the side to move's pieces
  input  logic [63:0] pawns_i,
  input  logic [63:0] rooks_i,
  input  logic [63:0] kings_i,
  input  logic        shown_i,         // the move of a remote side is to be carried out
  input  logic        waiting_i,       // a remote side is to move, and has not said how

  output logic        onto_o,          // one piece is up, and squares were filled again, no others
  output logic        own_up_o,        // with onto_o: it is one of the side to move
  output logic        two_o,           // several pieces of the side to move are up
  output logic [4:0]  reason_o,        // validity_pkg::Reason*; none: the move below was tried
  output logic [5:0]  from_o,
  output logic [5:0]  to_o
);

  localparam logic [63:0] E1 = 64'h10, KingCorner = 64'h80, QueenCorner = 64'h01;
  localparam logic [63:0] KingSide = 64'h60, QueenSide = 64'h0c;  // where king and rook go

  logic [63:0] own_lifted, opp_lifted, own_rooks, to;
  logic en_passant, king_side, queen_side;

  assign own_lifted = lifted_i & own_i;
  assign opp_lifted = lifted_i & ~own_i;
  assign own_rooks = rooks_i & own_i;

  assign to = (|filled_i) ? filled_i : refilled_i;

  // A pawn on rank 6, and the opponent's pawn behind it is up.
  assign en_passant = (|(own_lifted & pawns_i)) & (|filled_i[47:40]) &
                      (opp_lifted == ((filled_i >> 8) & pawns_i));

  // The king is up, and stands two squares on, or the rook is up too and one of them stands where
  // castling puts it.
  assign king_side = (|(kings_i & own_lifted & E1)) & (|(own_rooks & KingCorner)) &
                     ~(|(lifted_i & ~E1 & ~KingCorner)) & ~(|(filled_i & ~KingSide)) &
                     (filled_i[6] | ((|(lifted_i & KingCorner)) & (|filled_i)));
  assign queen_side = (|(kings_i & own_lifted & E1)) & (|(own_rooks & QueenCorner)) &
                      ~(|(lifted_i & ~E1 & ~QueenCorner)) & ~(|(filled_i & ~QueenSide)) &
                      (filled_i[2] | ((|(lifted_i & QueenCorner)) & (|filled_i)));

  logic [5:0] own_square_q, to_square_q;
  logic own_q, opp_q, one_own_q, one_opp_q, one_to_q, en_passant_q, king_side_q, queen_side_q;

  always_ff @(posedge clk_i) begin
    own_square_q <= validity_pkg::index(own_lifted);
    to_square_q <= validity_pkg::index(to);
    own_q <= |own_lifted;
    opp_q <= |opp_lifted;
    one_own_q <= validity_pkg::one(own_lifted);
    one_opp_q <= validity_pkg::one(opp_lifted);
    one_to_q <= validity_pkg::one(to);
    onto_o <= ~(|filled_i) & (|refilled_i) & validity_pkg::one(lifted_i);
    en_passant_q <= en_passant;
    king_side_q <= king_side;
    queen_side_q <= queen_side;
  end

  assign two_o = own_q & ~one_own_q;
  assign own_up_o = own_q;

  always @* begin
    reason_o = validity_pkg::ReasonUnclear;
    from_o = own_square_q;
    to_o = to_square_q;
    if (waiting_i) begin
      reason_o = validity_pkg::ReasonNotYourTurn;
    end else if (shown_i) begin
      reason_o = validity_pkg::ReasonNotShown;
    end else if (king_side_q | queen_side_q) begin
      reason_o = validity_pkg::ReasonNone;
      from_o = 6'd4;
      to_o = king_side_q ? 6'd6 : 6'd2;
    end else if (two_o) begin
      reason_o = validity_pkg::ReasonTwoPieces;
    end else if (one_own_q & one_to_q & (~opp_q | en_passant_q)) begin
      reason_o = validity_pkg::ReasonNone;
    end else if (~own_q & one_opp_q & one_to_q) begin
      reason_o = validity_pkg::ReasonNotYourTurn;
    end
  end

endmodule

`default_nettype wire
