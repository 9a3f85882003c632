// What holds of the positions in stages 1 to 4 of movegen. It is for proofs, which do not find out
// by themselves what 64 squares have in common. It is proved with them, stage by stage, from what
// movegen_assumed.sv assumes.
//
// Only Yosys reads it, and so only provers have it. In simulators the tests compare what comes out,
// and say more of a fault than an assertion can. The ports have the names of movegen's signals.

`default_nettype none
/* verilator lint_off UNUSEDSIGNAL */

module movegen_asserted (
  input wire clk_i,
  input wire rst_i,
  input wire valid1_q,
  input wire valid2_q,
  input wire valid3_q,
  input wire valid_s4,
  input movegen_rays_t rays,
  input movegen_safety_t safety,
  input wire [63:0] code0_s3,
  input wire [63:0] code1_s3,
  input wire [63:0] code2_s3,
  input wire [63:0] to_n_s3,
  input wire [63:0] to_s_s3,
  input wire [63:0] to_e_s3,
  input wire [63:0] to_w_s3,
  input wire [63:0] to_ne_s3,
  input wire [63:0] to_sw_s3,
  input wire [63:0] to_nw_s3,
  input wire [63:0] to_se_s3,
  input wire [63:0] first_n_s3,
  input wire [63:0] first_s_s3,
  input wire [63:0] first_e_s3,
  input wire [63:0] first_w_s3,
  input wire [63:0] first_ne_s3,
  input wire [63:0] first_sw_s3,
  input wire [63:0] first_nw_s3,
  input wire [63:0] first_se_s3,
  input wire [63:0] second_n_s3,
  input wire [63:0] second_s_s3,
  input wire [63:0] second_e_s3,
  input wire [63:0] second_w_s3,
  input wire [63:0] second_ne_s3,
  input wire [63:0] second_sw_s3,
  input wire [63:0] second_nw_s3,
  input wire [63:0] second_se_s3,
  input wire [55:0] push_s3,
  input wire [55:0] take_ne_s3,
  input wire [55:0] take_nw_s3,
  input wire [7:0]  promote_ne_s3,
  input wire [7:0]  promote_nw_s3,
  input wire [7:0]  ep_ne_s3,
  input wire [7:0]  ep_nw_s3,
  input wire [7:0]  ep_s3,
  input wire [63:0] code0_s4,
  input wire [63:0] code1_s4,
  input wire [63:0] code2_s4,
  input wire [63:0] to_n_s4,
  input wire [63:0] to_s_s4,
  input wire [63:0] to_e_s4,
  input wire [63:0] to_w_s4,
  input wire [63:0] to_ne_s4,
  input wire [63:0] to_sw_s4,
  input wire [63:0] to_nw_s4,
  input wire [63:0] to_se_s4,
  input wire [63:0] list_n_s4,
  input wire [63:0] list_ne_s4,
  input wire [63:0] list_nw_s4,
  input wire [7:0]  ep_s4
);

`ifdef YOSYS
  logic begun_q = 1'b0;  // the first reset has begun

  localparam logic [63:0] Rank1 = 64'h0000_0000_0000_00ff;
  localparam logic [63:0] Rank8 = 64'hff00_0000_0000_0000;
  localparam logic [63:0] FileA = 64'h0101_0101_0101_0101;
  localparam logic [63:0] FileH = 64'h8080_8080_8080_8080;
  localparam logic [63:0] Ends = Rank1 | Rank8;
  localparam logic [63:0] Edges = Ends | FileA | FileH;

  logic single, covered, lines, north, south, east, west, pawns3, pawns4, edges4;
  logic [63:0] occupied2, occupied3, occupied4;

  // One piece on a square: queens are in two words.
  assign single = ~|(rays.pawns & (rays.knights | rays.ortho | rays.diag | rays.kings)) &
                  ~|(rays.knights & (rays.ortho | rays.diag | rays.kings)) &
                  ~|((rays.ortho | rays.diag) & rays.kings);
  assign covered = ~|(rays.empty & (rays.pawns | rays.knights | rays.ortho | rays.diag |
                                    rays.kings));
  // A square between two pieces is none of those at the end of a line.
  assign lines = ~|(rays.line_ns & Ends) & ~|(rays.line_ew & (FileA | FileH)) &
                 ~|((rays.line_nesw | rays.line_nwse) & Edges);
  assign occupied2 = safety.code0 | safety.code1 | safety.code2;
  assign occupied3 = code0_s3 | code1_s3 | code2_s3;
  assign occupied4 = code0_s4 | code1_s4 | code2_s4;

  // Nothing that travels north arrives on rank 1, and so on.
  assign north = ~|((to_n_s3 | to_ne_s3 | to_nw_s3 | first_n_s3 | first_ne_s3 | first_nw_s3 |
                     second_n_s3 | second_ne_s3 | second_nw_s3) & Rank1);
  assign south = ~|((to_s_s3 | to_se_s3 | to_sw_s3 | first_s_s3 | first_se_s3 | first_sw_s3 |
                     second_s_s3 | second_se_s3 | second_sw_s3) & Rank8);
  assign east = ~|((to_e_s3 | to_ne_s3 | to_se_s3 | first_e_s3 | first_ne_s3 | first_se_s3 |
                    second_e_s3 | second_ne_s3 | second_se_s3) & FileA);
  assign west = ~|((to_w_s3 | to_nw_s3 | to_sw_s3 | first_w_s3 | first_nw_s3 | first_sw_s3 |
                    second_w_s3 | second_nw_s3 | second_sw_s3) & FileH);

  // Of pawns, by themselves, and in the next stage.
  assign pawns3 = ~|((push_s3 | take_ne_s3 | take_nw_s3) & Rank1[55:0]) &
                  ~|(take_ne_s3 & FileA[55:0]) & ~|(take_nw_s3 & FileH[55:0]) &
                  ~(promote_ne_s3[0] | promote_nw_s3[7] | ep_ne_s3[0] | ep_nw_s3[7]);
  assign pawns4 = ~|((list_n_s4 | list_ne_s4 | list_nw_s4) & Rank1) & ~|(list_ne_s4 & FileA) &
                  ~|(list_nw_s4 & FileH);
  assign edges4 = ~|((to_n_s4 | to_ne_s4 | to_nw_s4) & Rank1) &
                  ~|((to_s_s4 | to_se_s4 | to_sw_s4) & Rank8) &
                  ~|((to_e_s4 | to_ne_s4 | to_se_s4) & FileA) &
                  ~|((to_w_s4 | to_nw_s4 | to_sw_s4) & FileH);

  // No square has the code 7, which is no piece's. No pawn, whose code is 1, is on rank 1 or 8. One
  // that may be taken en passant has left the square behind it, on rank 6, empty.
  always @(posedge clk_i) begin
    begun_q <= begun_q | rst_i;
    if (begun_q & valid1_q) assert (single & covered);
    if (begun_q & valid1_q) assert (lines);
    if (begun_q & valid1_q) assert (~|(rays.pawns & Ends));
    if (begun_q & valid1_q) assert (~|(rays.ep & ~rays.empty[47:40]));
    if (begun_q & valid2_q) assert (~|(safety.code0 & safety.code1 & safety.code2));
    if (begun_q & valid2_q) assert (~|(safety.code0 & ~safety.code1 & ~safety.code2 & Ends));
    if (begun_q & valid2_q) assert (~|(safety.ep & occupied2[47:40]));
    if (begun_q & valid3_q) assert (~|(code0_s3 & code1_s3 & code2_s3));
    if (begun_q & valid3_q) assert (~|(code0_s3 & ~code1_s3 & ~code2_s3 & Ends));
    if (begun_q & valid3_q) assert (~|(ep_s3 & occupied3[47:40]));
    if (begun_q & valid3_q) assert (north & south & east & west & pawns3);
    if (begun_q & valid_s4) assert (~|(code0_s4 & code1_s4 & code2_s4));
    if (begun_q & valid_s4) assert (~|(code0_s4 & ~code1_s4 & ~code2_s4 & Ends));
    if (begun_q & valid_s4) assert (~|(ep_s4 & occupied4[47:40]));
    if (begun_q & valid_s4) assert (pawns4 & edges4);
  end
`endif

endmodule

bind movegen movegen_asserted u_asserted (.*);

/* verilator lint_on UNUSEDSIGNAL */
`default_nettype wire
