// The position that the move generator is asked about: the one on the board, or one made up of it
// to find out why a move from from_i to to_i is not legal. The move generator knows the rules;
// these positions take away one hindrance each, and if the move is in the list then, this was it:
//
//   frozen      The opponent's pieces become own knights, but for the one that the move would
//               capture. They stand in the way as before, but attack nothing. So the moves of a
//               piece are those of its rule, whatever they mean for the own king, and castling is
//               free of attacks.
//   cleared     Only the piece that moves is left, and the own king in a corner: nothing is in the
//               way.
//   en passant  As cleared, and the opponent's pawn beside has just made a double step.
//   victim      As cleared, and there is something to capture.
//
// The own king must be on the board: the move generator asks for it. No move leads through a
// corner, and one of three corners is neither end of the move.
//
// Board words are in the view of the side to move. Combinational.
// Cost: 841 LUTs.

`default_nettype none

module validity_question (
  input  logic [2:0]  kind_i,          // validity_pkg::Ask*
  input  logic [63:0] from_i,          // one-hot; of the kinds that are made up
  input  logic [63:0] to_i,

  input  movegen_position_t position_i, // the position
  output movegen_position_t position_o  // the one to be asked about
);

  localparam logic [63:0] Corner0 = 64'h0000_0000_0000_0001;
  localparam logic [63:0] Corner1 = 64'h0000_0000_0000_0080;
  localparam logic [63:0] Corner2 = 64'h0100_0000_0000_0000;

  logic [63:0] own, pawns, knights, bishops, rooks, queens, kings;
  logic [63:0] own_d, pawns_d, knights_d, bishops_d, rooks_d, queens_d, kings_d;
  logic [7:0] ep, ep_d;
  logic [1:0] theirs, castling, castling_d;

  assign {theirs, castling, ep, own, pawns, knights, bishops, rooks, queens, kings} = position_i;
  assign position_o = {
    theirs, castling_d, ep_d, own_d, pawns_d, knights_d, bishops_d, rooks_d, queens_d, kings_d
  };

  logic [63:0] opponent, frozen, corner, keep, beside, victim;
  logic [7:0] taken_ep, beside_files;
  logic king_moves;

  assign opponent = (pawns | knights | bishops | rooks | queens | kings) & ~own;

  // Frozen: all but the piece on the destination, and but the pawn that would be taken en passant.
  assign taken_ep = to_i[47:40] & ep & {8{|(from_i & pawns)}};
  assign frozen = opponent & ~to_i & ~{24'd0, taken_ep, 32'd0};

  // Cleared.
  assign king_moves = |(from_i & kings);
  always @* begin
    corner = Corner2;
    if (~(|((from_i | to_i) & Corner1))) corner = Corner1;
    if (~(|((from_i | to_i) & Corner0))) corner = Corner0;
    if (king_moves) corner = 64'd0;
  end
  assign keep = from_i;
  assign beside_files = to_i[47:40] & opponent[39:32] & pawns[39:32] & {8{kind_i == validity_pkg::AskEnPassant}};
  assign beside = {24'd0, beside_files, 32'd0};
  assign victim = to_i & {64{kind_i == validity_pkg::AskVictim}};

  always @* begin
    own_d = from_i | corner;
    pawns_d = (pawns & keep) | beside;
    knights_d = (knights & keep) | victim;
    bishops_d = bishops & keep;
    rooks_d = rooks & keep;
    queens_d = queens & keep;
    kings_d = (kings & keep) | corner;
    castling_d = 2'b00;
    ep_d = beside_files;
    case (kind_i)
      validity_pkg::AskReal: begin
        own_d = own;
        pawns_d = pawns;
        knights_d = knights;
        bishops_d = bishops;
        rooks_d = rooks;
        queens_d = queens;
        kings_d = kings;
        castling_d = castling;
        ep_d = ep;
      end
      validity_pkg::AskFrozen: begin
        own_d = own | frozen;
        pawns_d = pawns & ~frozen;
        knights_d = knights | frozen;
        bishops_d = bishops & ~frozen;
        rooks_d = rooks & ~frozen;
        queens_d = queens & ~frozen;
        kings_d = kings & ~frozen;
        castling_d = castling;
        ep_d = taken_ep;
      end
      default: ;
    endcase
  end

endmodule

`default_nettype wire
