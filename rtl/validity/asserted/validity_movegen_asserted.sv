// In validity movegen has one position at most: it is in one of stages 1 to 4, or its moves come.
// Its moves are not filtered for checks, and so all pass. See validity_asserted.sv for what this is
// for.

`default_nettype none
/* verilator lint_off UNUSEDSIGNAL */

module validity_movegen_asserted (
  input wire clk_i,
  input wire rst_i,
  input wire pos_valid_i,
  input wire pos_ready_o,
  input wire valid1_q,
  input wire valid2_q,
  input wire valid3_q,
  input wire list1_q,
  input wire list2_q,
  input wire list3_q,
  input wire again1_q,
  input wire checks2_q,
  input wire [63:0] knight_ok_s3,
  input wire [63:0] bishop_ok_s3,
  input wire [63:0] rook_ok_s3,
  input wire [55:0] pawn_ok_s3,
  input wire [7:0] ep_ne_ok_s3,
  input wire [7:0] ep_nw_ok_s3,
  input wire king_ns_s3,
  input wire king_ew_s3,
  input wire king_nesw_s3,
  input wire king_nwse_s3,
  input wire [1:0] castling_ok_s3,
  input wire [63:0] knight_ok_s4,
  input wire [63:0] bishop_ok_s4,
  input wire [63:0] rook_ok_s4,
  input wire valid_s4,
  input wire take_s4,
  input wire move_valid_o,
  input wire move_last_o
);

`ifdef YOSYS
  logic begun_q = 1'b0;  // the first reset has begun
  logic under_q = 1'b0;  // there is a position
  logic back_q = 1'b0;   // its first destination was taken, its last move has not come
  logic [4:0] at;
  logic pass3, pass4;

  assign at = {back_q, valid_s4, valid3_q, valid2_q, valid1_q};
  assign pass3 = &{knight_ok_s3, bishop_ok_s3, rook_ok_s3, pawn_ok_s3, ep_ne_ok_s3, ep_nw_ok_s3,
                   king_ns_s3, king_ew_s3, king_nesw_s3, king_nwse_s3, castling_ok_s3};
  assign pass4 = &{knight_ok_s4, bishop_ok_s4, rook_ok_s4};

  always @(posedge clk_i) begin
    begun_q <= begun_q | rst_i;
    if (rst_i) under_q <= 1'b0;
    else if (pos_valid_i & pos_ready_o) under_q <= 1'b1;
    else if (move_valid_o & move_last_o) under_q <= 1'b0;
    if (rst_i) back_q <= 1'b0;
    else if (take_s4) back_q <= 1'b1;
    else if (move_valid_o & move_last_o) back_q <= 1'b0;
    if (begun_q) assert (under_q == |at);
    if (begun_q) assert (~|(at & (at - 5'd1)));
    if (begun_q) assert (~again1_q);
    if (begun_q & valid1_q) assert (list1_q);
    if (begun_q & valid2_q) assert (list2_q);
    if (begun_q & valid3_q) assert (list3_q);
    if (begun_q & valid2_q) assert (~checks2_q);
    if (begun_q & valid3_q) assert (pass3);
    if (begun_q & valid_s4) assert (pass4);
  end
`endif

endmodule

bind movegen validity_movegen_asserted u_alone (.*);

/* verilator lint_on UNUSEDSIGNAL */
`default_nettype wire
