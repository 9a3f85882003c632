// In validity movegen_list has one position at most: what is marked as its last is the last in
// stages 5 to 9, and what is not has something behind it. All pieces pass. See validity_asserted.sv
// for what this is for.

`default_nettype none
/* verilator lint_off UNUSEDSIGNAL */

module validity_list_asserted (
  input wire        clk_i,
  input wire        rst_i,
  input wire        valid_i,
  input wire        take_o,
  input wire        valid5,
  input wire        valid6_q,
  input wire        last6_q,
  input wire [63:0] knight_ok_q,
  input wire [63:0] bishop_ok_q,
  input wire [63:0] rook_ok_q,
  input wire        valid7_q,
  input wire        none7_q,
  input wire [2:0]  whole7_q,
  input wire        last7_q,
  input wire        valid8_q,
  input wire [28:0] about8_q,
  input wire        spare_valid8_q,
  input wire [28:0] spare_about8_q,
  input wire        ready9,
  input wire        move_valid_o,
  input wire        move_last_o
);

`ifdef YOSYS
  logic begun_q = 1'b0;  // the first reset has begun
  logic back_q = 1'b0;   // as in validity_movegen_asserted
  logic taken_q = 1'b0;  // a position has been taken over
  logic from5, from6, from7, spare8, from8;  // something is in that stage or before it

  assign from5 = valid5;
  assign from6 = from5 | valid6_q;
  assign from7 = from6 | valid7_q;
  assign spare8 = from7 | spare_valid8_q;
  assign from8 = spare8 | valid8_q;

  always @(posedge clk_i) begin
    begun_q <= begun_q | rst_i;
    if (rst_i) back_q <= 1'b0;
    else if (take_o) back_q <= 1'b1;
    else if (move_valid_o & move_last_o) back_q <= 1'b0;
    taken_q <= begun_q & (taken_q | take_o);
    if (begun_q & valid5 & ~valid_i) assert (taken_q);
    if (begun_q & valid6_q) assert (taken_q);
    if (begun_q & taken_q) assert (&{knight_ok_q, bishop_ok_q, rook_ok_q});
    if (begun_q & valid7_q) assert (none7_q | &whole7_q);
    if (begun_q) assert (ready9);  // moves are always taken
    if (begun_q & valid5 & ~valid_i) assert (back_q);
    if (begun_q & back_q) assert (from8 | move_valid_o);
    if (begun_q & ~back_q) assert (~(valid6_q | valid7_q | spare_valid8_q | valid8_q | move_valid_o));
    if (begun_q & valid6_q) assert (last6_q ^ from5);
    if (begun_q & valid7_q) assert (last7_q ^ from6);
    if (begun_q & spare_valid8_q) assert (spare_about8_q[1] ^ from7);
    if (begun_q & spare_valid8_q) assert (valid8_q);
    if (begun_q & valid8_q) assert (about8_q[1] ^ spare8);
    if (begun_q & move_valid_o) assert (move_last_o ^ from8);
  end
`endif

endmodule

bind movegen_list validity_list_asserted u_alone (.*);

/* verilator lint_on UNUSEDSIGNAL */
`default_nettype wire
