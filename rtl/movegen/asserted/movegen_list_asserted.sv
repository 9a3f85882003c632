// What holds of pawns and of promotions in stages 6 to 8 of movegen_list: no pawn is on rank 1 or
// 8, and one that becomes a queen could as well become a rook or a bishop. See movegen_asserted.sv
// for what this is for.

`default_nettype none
/* verilator lint_off UNUSEDSIGNAL */

module movegen_list_asserted (
  input wire        clk_i,
  input wire        rst_i,
  input wire        take_o,
  input wire        valid6_q,
  input wire [63:0] to_n_q,
  input wire [63:0] to_s_q,
  input wire [63:0] to_e_q,
  input wire [63:0] to_w_q,
  input wire [63:0] to_ne_q,
  input wire [63:0] to_sw_q,
  input wire [63:0] to_nw_q,
  input wire [63:0] to_se_q,
  input wire [63:0] list_n_q,
  input wire [63:0] list_ne_q,
  input wire [63:0] list_nw_q,
  input wire [63:0] code0_6q,
  input wire [63:0] code1_6q,
  input wire [63:0] code2_6q,
  input wire        valid7_q,
  input wire [63:0] code0_7q,
  input wire [63:0] code1_7q,
  input wire [63:0] code2_7q,
  input wire        valid8_q,
  input wire        spare_valid8_q,
  input wire [11:0] promote7_q,
  input wire [63:0] rest8_q,
  input wire [28:0] about8_q,
  input wire [63:0] spare8_q,
  input wire [28:0] spare_about8_q
);

`ifdef YOSYS
  localparam logic [63:0] Rank1 = 64'h0000_0000_0000_00ff;
  localparam logic [63:0] Rank8 = 64'hff00_0000_0000_0000;
  localparam logic [63:0] FileA = 64'h0101_0101_0101_0101;
  localparam logic [63:0] FileH = 64'h8080_8080_8080_8080;
  localparam logic [63:0] Ends = Rank1 | Rank8;

  logic begun_q = 1'b0;  // the first reset has begun
  logic taken_q = 1'b0;  // a position has been taken over since
  logic pawns6, edges6;

  // Nothing that travels north arrives on rank 1, and so on.
  assign pawns6 = ~|((list_n_q | list_ne_q | list_nw_q) & Rank1) & ~|(list_ne_q & FileA) &
                  ~|(list_nw_q & FileH);
  assign edges6 = ~|((to_n_q | to_ne_q | to_nw_q) & Rank1) &
                  ~|((to_s_q | to_se_q | to_sw_q) & Rank8) &
                  ~|((to_e_q | to_ne_q | to_se_q) & FileA) &
                  ~|((to_w_q | to_nw_q | to_sw_q) & FileH);

  // From three directions, of each: knight, bishop, rook, queen, the last one in the lowest bit.
  logic [11:0] queen7, queen8, spare8;

  assign queen7 = promote7_q & 12'h111 & ~(promote7_q >> 1) & ~(promote7_q >> 2);
  assign queen8 = about8_q[28:17] & 12'h111 & ~(about8_q[28:17] >> 1) & ~(about8_q[28:17] >> 2);
  assign spare8 = spare_about8_q[28:17] & 12'h111 & ~(spare_about8_q[28:17] >> 1) &
                  ~(spare_about8_q[28:17] >> 2);

  always @(posedge clk_i) begin
    begun_q <= begun_q | rst_i;
    taken_q <= begun_q & (taken_q | take_o);
    if (begun_q & taken_q) assert (pawns6 & edges6);
    if (begun_q & taken_q) assert (~|(code0_6q & ~code1_6q & ~code2_6q & Ends));
    if (begun_q & valid6_q) assert (taken_q);
    if (begun_q & valid7_q) assert (~|(code0_7q & ~code1_7q & ~code2_7q & Ends));
    if (begun_q & valid7_q) assert (~|queen7);
    if (begun_q & valid8_q) assert (~|queen8);
    if (begun_q & spare_valid8_q) assert (~|spare8);
    if (begun_q & valid8_q & (|about8_q[28:17])) assert (~|(rest8_q & Ends));
    if (begun_q & spare_valid8_q & (|spare_about8_q[28:17])) assert (~|(spare8_q & Ends));
  end
`endif

endmodule

bind movegen_list movegen_list_asserted u_asserted (.*);

/* verilator lint_on UNUSEDSIGNAL */
`default_nettype wire
