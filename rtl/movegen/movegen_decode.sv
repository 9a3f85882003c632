// A position with a code for each square, by kinds of pieces instead. No square has the code 7.
//
// Combinational. Cost: 384 LUTs.

`default_nettype none

module movegen_decode (
  input  movegen_coded_t    coded_i,
  output movegen_position_t position_o
);

  logic [63:0] code0, code1, code2;

  assign code0 = coded_i.code0;
  assign code1 = coded_i.code1;
  assign code2 = coded_i.code2;
  assign position_o = {
    coded_i.castling, coded_i.ep, coded_i.own,
    code0 & ~code1 & ~code2,   // pawns
    ~code0 & code1 & ~code2,   // knights
    code0 & code1,             // bishops
    ~code0 & ~code1 & code2,   // rooks
    code0 & code2,             // queens
    code1 & code2              // kings
  };

endmodule

`default_nettype wire
