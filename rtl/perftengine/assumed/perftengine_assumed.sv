// What perftengine takes for granted of the position of a job: that it is one. It stands in a file
// of its own, bound to the RTL, as what it assumes is a matter of chess and not of its logic; see
// movegen_assumed.sv, which says the same of movegen. Simulators check it in perftengine's tests.

`default_nettype none

module perftengine_assumed (
  input wire        clk_i,
  input wire        rst_i,
  input wire        job_valid_i,
  input wire [63:0] job_own_i,
  input wire [63:0] job_pawns_i,
  input wire [63:0] job_knights_i,
  input wire [63:0] job_bishops_i,
  input wire [63:0] job_rooks_i,
  input wire [63:0] job_queens_i,
  input wire [63:0] job_kings_i,
  input wire [3:0]  job_castling_i,
  input wire [7:0]  job_ep_i
);

  localparam logic [63:0] Ends = 64'hff00_0000_0000_00ff; // ranks 1 and 8

  logic [63:0] occupied, own_kings, opp_kings;
  logic [7:0] opp_pawns;  // on rank 5
  logic single, own, pawns, kings, castling, ep;
  logic begun_q = 1'b0;  // the first reset has begun

  // One piece on a square, and own ones on squares with a piece.
  assign occupied = job_pawns_i | job_knights_i | job_bishops_i | job_rooks_i | job_queens_i |
                    job_kings_i;
  assign single =
    ~|(job_pawns_i & (job_knights_i | job_bishops_i | job_rooks_i | job_queens_i | job_kings_i)) &
    ~|(job_knights_i & (job_bishops_i | job_rooks_i | job_queens_i | job_kings_i)) &
    ~|(job_bishops_i & (job_rooks_i | job_queens_i | job_kings_i)) &
    ~|(job_rooks_i & (job_queens_i | job_kings_i)) & ~|(job_queens_i & job_kings_i);
  assign own = ~|(job_own_i & ~occupied);
  assign pawns = ~|(job_pawns_i & Ends);

  // Each side has one king, or none: x & (x - 1) is x without its lowest bit.
  assign own_kings = job_kings_i & job_own_i;
  assign opp_kings = job_kings_i & ~job_own_i;
  assign kings = ~|(own_kings & (own_kings - 64'd1)) & ~|(opp_kings & (opp_kings - 64'd1));

  // A right stands for a king on e1 and a rook on h1 or a1; of the opponent, on rank 8.
  assign castling =
    ~|(job_castling_i[1:0] & ~({2{own_kings[4]}} & {job_rooks_i[0], job_rooks_i[7]} &
                               {job_own_i[0], job_own_i[7]})) &
    ~|(job_castling_i[3:2] & ~({2{opp_kings[60]}} & {job_rooks_i[56], job_rooks_i[63]} &
                               ~{job_own_i[56], job_own_i[63]}));

  // A pawn that made a double step stands on rank 5, and the two squares behind it are empty.
  assign opp_pawns = job_pawns_i[39:32] & ~job_own_i[39:32];
  assign ep = ~|(job_ep_i & (job_ep_i - 8'd1)) & ~|(job_ep_i & ~opp_pawns) &
              ~|(job_ep_i & (occupied[47:40] | occupied[55:48]));

  always @(posedge clk_i) begin
    begun_q <= begun_q | rst_i;
    if (begun_q & job_valid_i) assume (single & own & pawns & kings & castling & ep);
  end

endmodule

bind perftengine perftengine_assumed u_assumed (.*);

`default_nettype wire
