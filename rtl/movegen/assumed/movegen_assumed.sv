// What movegen trusts of the positions that it is given: what follows from the Laws of Chess for
// each single square, the rights of the side to move, and the pawn that may be taken en passant. It
// does not ask whether the side that has moved is in check, nor whether a game leads there.
//
// Simulators report a test that gives another position as they report a failed assertion. Proofs
// take for granted that there is none. Blocks that contain movegen do not have this file, and no
// hardware comes of it: see the bind at the end.

`default_nettype none

module movegen_assumed (
  input wire        clk_i,
  input wire        rst_i,
  input wire        pos_valid_i,
  input wire [63:0] pos_own_i,
  input wire [63:0] pos_pawns_i,
  input wire [63:0] pos_knights_i,
  input wire [63:0] pos_bishops_i,
  input wire [63:0] pos_rooks_i,
  input wire [63:0] pos_queens_i,
  input wire [63:0] pos_kings_i,
  input wire [1:0]  pos_castling_i,
  input wire [7:0]  pos_ep_i
);

  localparam logic [63:0] Ends = 64'hff00_0000_0000_00ff; // ranks 1 and 8

  logic [63:0] occupied, own_kings, opp_kings;
  logic [7:0] opp_pawns;  // on rank 5
  logic single, own, pawns, kings, castling, ep;
  logic begun_q = 1'b0;  // the first reset has begun

  // One piece on a square, and own ones on squares with a piece.
  assign occupied = pos_pawns_i | pos_knights_i | pos_bishops_i | pos_rooks_i | pos_queens_i |
                    pos_kings_i;
  assign single =
    ~|(pos_pawns_i & (pos_knights_i | pos_bishops_i | pos_rooks_i | pos_queens_i | pos_kings_i)) &
    ~|(pos_knights_i & (pos_bishops_i | pos_rooks_i | pos_queens_i | pos_kings_i)) &
    ~|(pos_bishops_i & (pos_rooks_i | pos_queens_i | pos_kings_i)) &
    ~|(pos_rooks_i & (pos_queens_i | pos_kings_i)) & ~|(pos_queens_i & pos_kings_i);
  assign own = ~|(pos_own_i & ~occupied);
  assign pawns = ~|(pos_pawns_i & Ends);

  // Each side has one king, or none: x & (x - 1) is x without its lowest bit.
  assign own_kings = pos_kings_i & pos_own_i;
  assign opp_kings = pos_kings_i & ~pos_own_i;
  assign kings = ~|(own_kings & (own_kings - 64'd1)) & ~|(opp_kings & (opp_kings - 64'd1));

  // A right stands for a king on e1 and a rook on h1 or a1.
  assign castling = ~|(pos_castling_i & ~({2{own_kings[4]}} & {pos_rooks_i[0], pos_rooks_i[7]} &
                                          {pos_own_i[0], pos_own_i[7]}));

  // A pawn that made a double step stands on rank 5, and the two squares behind it are empty.
  assign opp_pawns = pos_pawns_i[39:32] & ~pos_own_i[39:32];
  assign ep = ~|(pos_ep_i & (pos_ep_i - 8'd1)) & ~|(pos_ep_i & ~opp_pawns) &
              ~|(pos_ep_i & (occupied[47:40] | occupied[55:48]));

  always @(posedge clk_i) begin
    begun_q <= begun_q | rst_i;
    if (begun_q & pos_valid_i) assume (single & own & pawns & kings & castling & ep);
  end

endmodule

bind movegen movegen_assumed u_assumed (.*);

`default_nettype wire
