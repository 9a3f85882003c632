// What holds of the position in stages 4 to 6 of perftengine_lister, and of the origins in stage 8.
// It is for proofs, which do not find out by themselves what 64 squares have in common, nor that a
// word has one bit at most.
//
// Only Yosys reads it, and so only provers have it. In simulators the tests compare what comes out,
// and say more of a fault than an assertion can. The ports have the names of the lister's signals.

`default_nettype none
/* verilator lint_off UNUSEDSIGNAL */

module perftengine_lister_asserted (
  input wire        clk_i,
  input wire        clear_i,
  input wire [63:0] to_n_i,
  input wire [63:0] to_s_i,
  input wire [63:0] to_e_i,
  input wire [63:0] to_w_i,
  input wire [63:0] to_ne_i,
  input wire [63:0] to_sw_i,
  input wire [63:0] to_nw_i,
  input wire [63:0] to_se_i,
  input wire        take_o,
  input wire        valid4_q,
  input wire [63:0] to_n4_q,
  input wire [63:0] to_s4_q,
  input wire [63:0] to_e4_q,
  input wire [63:0] to_w4_q,
  input wire [63:0] to_ne4_q,
  input wire [63:0] to_sw4_q,
  input wire [63:0] to_nw4_q,
  input wire [63:0] to_se4_q,
  input wire        valid5_q,
  input wire        fresh5_q,
  input wire [63:0] todo5_q,
  input wire [63:0] lowest5,
  input wire        more5,
  input wire        valid6_q,
  input wire [63:0] to6_q,
  input wire [63:0] to_n6_q,
  input wire [63:0] to_s6_q,
  input wire [63:0] to_e6_q,
  input wire [63:0] to_w6_q,
  input wire [63:0] to_ne6_q,
  input wire [63:0] to_sw6_q,
  input wire [63:0] to_nw6_q,
  input wire [63:0] to_se6_q,
  input wire        valid8_q,
  input wire [63:0] from8_q,
  input wire [63:0] rest8_q,
  input wire        more8_q,
  input wire        promotes8_q,
  input wire [1:0]  turn8_q
);

`ifdef YOSYS
  localparam logic [63:0] Rank1 = 64'h0000_0000_0000_00ff;
  localparam logic [63:0] Rank8 = 64'hff00_0000_0000_0000;
  localparam logic [63:0] FileA = 64'h0101_0101_0101_0101;
  localparam logic [63:0] FileH = 64'h8080_8080_8080_8080;

  logic begun_q = 1'b0;  // the first reset, or an abort, has begun
  logic taken_q = 1'b0;  // a position has been taken over since
  logic edges3, edges4, edges6;

  // Nothing that travels north arrives on rank 1, and so on.
  assign edges3 = ~|((to_n_i | to_ne_i | to_nw_i) & Rank1) &
                  ~|((to_s_i | to_se_i | to_sw_i) & Rank8) &
                  ~|((to_e_i | to_ne_i | to_se_i) & FileA) &
                  ~|((to_w_i | to_nw_i | to_sw_i) & FileH);
  assign edges4 = ~|((to_n4_q | to_ne4_q | to_nw4_q) & Rank1) &
                  ~|((to_s4_q | to_se4_q | to_sw4_q) & Rank8) &
                  ~|((to_e4_q | to_ne4_q | to_se4_q) & FileA) &
                  ~|((to_w4_q | to_nw4_q | to_sw4_q) & FileH);
  assign edges6 = ~|((to_n6_q | to_ne6_q | to_nw6_q) & Rank1) &
                  ~|((to_s6_q | to_se6_q | to_sw6_q) & Rank8) &
                  ~|((to_e6_q | to_ne6_q | to_se6_q) & FileA) &
                  ~|((to_w6_q | to_nw6_q | to_sw6_q) & FileH);

  always @(posedge clk_i) begin
    begun_q <= begun_q | clear_i;
    taken_q <= begun_q & (taken_q | take_o);
    if (begun_q) assert (edges3);
    if (begun_q & valid4_q) assert (edges4);
    if (begun_q & taken_q) assert (edges6);
    if (begun_q & valid5_q & fresh5_q) assert (valid4_q);
    if (begun_q & valid5_q & ~fresh5_q) assert (taken_q);
    if (begun_q & valid6_q) assert (taken_q);
    assert (more5 | ~|(todo5_q & ~lowest5));
    if (begun_q & valid6_q) assert (~|(to6_q & (to6_q - 64'd1)));
    if (begun_q & valid8_q) assert (~|(from8_q & (from8_q - 64'd1)));
    // What is left of the origins is behind the one whose turn it is.
    if (begun_q & valid8_q) assert (~|(rest8_q & (from8_q | (from8_q - 64'd1))));
    if (begun_q & valid8_q) assert (more8_q == |rest8_q);
    if (begun_q & valid8_q & ~promotes8_q) assert (turn8_q == 2'd0);
    if (begun_q & valid8_q & promotes8_q) assert (|from8_q[55:48]);
  end
`endif

endmodule

bind perftengine_lister perftengine_lister_asserted u_asserted (.*);

/* verilator lint_on UNUSEDSIGNAL */
`default_nettype wire
