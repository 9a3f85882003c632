// What holds of promotions in stages 7 and 8 of movegen_list: a pawn that becomes a queen could as
// well become a rook or a bishop. See movegen_asserted.sv for what this is for.

`default_nettype none
/* verilator lint_off UNUSEDSIGNAL */

module movegen_list_asserted (
  input wire        clk_i,
  input wire        rst_i,
  input wire        valid7_q,
  input wire        valid8_q,
  input wire        spare_valid8_q,
  input wire [11:0] promote7_q,
  input wire [28:0] about8_q,
  input wire [28:0] spare_about8_q
);

`ifdef YOSYS
  logic begun_q = 1'b0;  // the first reset has begun

  // From three directions, of each: knight, bishop, rook, queen, the last one in the lowest bit.
  logic [11:0] queen7, queen8, spare8;

  assign queen7 = promote7_q & 12'h111 & ~(promote7_q >> 1) & ~(promote7_q >> 2);
  assign queen8 = about8_q[28:17] & 12'h111 & ~(about8_q[28:17] >> 1) & ~(about8_q[28:17] >> 2);
  assign spare8 = spare_about8_q[28:17] & 12'h111 & ~(spare_about8_q[28:17] >> 1) &
                  ~(spare_about8_q[28:17] >> 2);

  always @(posedge clk_i) begin
    begun_q <= begun_q | rst_i;
    if (begun_q & valid7_q) assert (~|queen7);
    if (begun_q & valid8_q) assert (~|queen8);
    if (begun_q & spare_valid8_q) assert (~|spare8);
  end
`endif

endmodule

bind movegen_list movegen_list_asserted u_asserted (.*);

/* verilator lint_on UNUSEDSIGNAL */
`default_nettype wire
