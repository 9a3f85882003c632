// The position that the move generator is asked about: the one on the board, or one made up of it
// to find out why a move from from_i to to_i is not legal. The move generator knows the rules;
// these positions take away one hindrance each, and if the move is in the list then, this was it:
//
//   frozen      The opponent's pieces, but for the one that the move would capture, become own knights:
//               they stand in the way as before, but attack nothing. So the moves of a piece are those
//               of its rule, whatever they mean for the own king, and castling is free of attacks.
//   cleared     Only the piece that moves is left, and the own king in a corner: nothing is in the way.
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

  input  logic [63:0] own_i,           // the position
  input  logic [63:0] pawns_i,
  input  logic [63:0] knights_i,
  input  logic [63:0] bishops_i,
  input  logic [63:0] rooks_i,
  input  logic [63:0] queens_i,
  input  logic [63:0] kings_i,
  input  logic [1:0]  castling_i,
  input  logic [7:0]  ep_i,

  output logic [63:0] own_o,           // the one to be asked about
  output logic [63:0] pawns_o,
  output logic [63:0] knights_o,
  output logic [63:0] bishops_o,
  output logic [63:0] rooks_o,
  output logic [63:0] queens_o,
  output logic [63:0] kings_o,
  output logic [1:0]  castling_o,
  output logic [7:0]  ep_o
);

  localparam logic [63:0] Corner0 = 64'h0000_0000_0000_0001;
  localparam logic [63:0] Corner1 = 64'h0000_0000_0000_0080;
  localparam logic [63:0] Corner2 = 64'h0100_0000_0000_0000;

  logic [63:0] opponent, frozen, corner, keep, beside, victim;
  logic [7:0] taken_ep, beside_files;
  logic king_moves;

  assign opponent = (pawns_i | knights_i | bishops_i | rooks_i | queens_i | kings_i) & ~own_i;

  // Frozen: all but the piece on the destination, and but the pawn that would be taken en passant.
  assign taken_ep = to_i[47:40] & ep_i & {8{|(from_i & pawns_i)}};
  assign frozen = opponent & ~to_i & ~{24'd0, taken_ep, 32'd0};

  // Cleared.
  assign king_moves = |(from_i & kings_i);
  always @* begin
    corner = Corner2;
    if (~(|((from_i | to_i) & Corner1))) corner = Corner1;
    if (~(|((from_i | to_i) & Corner0))) corner = Corner0;
    if (king_moves) corner = 64'd0;
  end
  assign keep = from_i;
  assign beside_files = to_i[47:40] & opponent[39:32] & pawns_i[39:32] & {8{kind_i == validity_pkg::AskEnPassant}};
  assign beside = {24'd0, beside_files, 32'd0};
  assign victim = to_i & {64{kind_i == validity_pkg::AskVictim}};

  always @* begin
    own_o = from_i | corner;
    pawns_o = (pawns_i & keep) | beside;
    knights_o = (knights_i & keep) | victim;
    bishops_o = bishops_i & keep;
    rooks_o = rooks_i & keep;
    queens_o = queens_i & keep;
    kings_o = (kings_i & keep) | corner;
    castling_o = 2'b00;
    ep_o = beside_files;
    case (kind_i)
      validity_pkg::AskReal: begin
        own_o = own_i;
        pawns_o = pawns_i;
        knights_o = knights_i;
        bishops_o = bishops_i;
        rooks_o = rooks_i;
        queens_o = queens_i;
        kings_o = kings_i;
        castling_o = castling_i;
        ep_o = ep_i;
      end
      validity_pkg::AskFrozen: begin
        own_o = own_i | frozen;
        pawns_o = pawns_i & ~frozen;
        knights_o = knights_i | frozen;
        bishops_o = bishops_i & ~frozen;
        rooks_o = rooks_i & ~frozen;
        queens_o = queens_i & ~frozen;
        kings_o = kings_i & ~frozen;
        castling_o = castling_i;
        ep_o = taken_ep;
      end
      default: ;
    endcase
  end

endmodule

`default_nettype wire
