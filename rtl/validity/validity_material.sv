// Whether a side has the material to mate: whether any series of legal moves, the opponent's help
// included, can end in a mate by it, judged by what pieces there are, not by where they stand.
//
// It cannot with the king alone; with king and one knight, if the opponent has nothing but king and
// queens, whose pieces cannot take a flight square from their king without stopping the mate;
// with king and bishops that all go on squares of one colour, if the opponent has neither pawn nor
// knight nor a bishop of the other colour. If neither side can, the position is dead (FIDE articles
// 5.2.2, 6.9).
//
// Combinational. Cost: 410 LUTs.

`default_nettype none

module validity_material (
  input  logic [63:0] own_i,           // the side in question
  input  logic [63:0] pawns_i,         // pieces by kind, both colours
  input  logic [63:0] knights_i,
  input  logic [63:0] bishops_i,
  input  logic [63:0] rooks_i,
  input  logic [63:0] queens_i,

  output logic        can_mate_o
);

  localparam logic [63:0] Dark = 64'haa55_aa55_aa55_aa55;

  logic [63:0] men;
  logic alone, helped;

  // The own men beside the king, and what of the opponent's helps against him.
  assign men = own_i & (pawns_i | knights_i | bishops_i | rooks_i | queens_i);
  assign alone = validity_pkg::one(men);
  assign helped = |((pawns_i | knights_i | bishops_i | rooks_i) & ~own_i);

  always @* begin
    can_mate_o = 1'b0;
    if (|(own_i & (pawns_i | rooks_i | queens_i))) can_mate_o = 1'b1;
    else if (|(own_i & knights_i)) can_mate_o = ~alone | helped;
    else if (|(own_i & bishops_i)) begin
      can_mate_o = (|(pawns_i | knights_i)) | ((|(bishops_i & Dark)) & (|(bishops_i & ~Dark)));
    end
  end

endmodule

`default_nettype wire
