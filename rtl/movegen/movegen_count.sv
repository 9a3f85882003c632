// Stages 4 and 5: how many moves.
//
// Counts the bits of the arrival words of stage 3 with six-to-three adders: first column by column over
// the words, then the columns among themselves, halving the number of bits at each level. A
// promotion arrival counts once with the others and three times more, castling moves are two bits.
//
// Latency 2, one position a clock, no back-pressure. The count is modulo 256 (no legal position has
// more than 218 moves).

`default_nettype none

module movegen_count (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        valid_i,

  input  logic [63:0] to_n_i,        // from stage 3, see movegen_arrivals
  input  logic [63:0] to_s_i,
  input  logic [63:0] to_e_i,
  input  logic [63:0] to_w_i,
  input  logic [63:0] to_ne_i,
  input  logic [63:0] to_sw_i,
  input  logic [63:0] to_nw_i,
  input  logic [63:0] to_se_i,
  input  logic [63:0] knights_i,
  input  logic [63:0] targets_i,
  input  logic [7:0]  promote_n_i,
  input  logic [7:0]  promote_ne_i,
  input  logic [7:0]  promote_nw_i,
  input  logic [1:0]  castling_i,
  input  logic        check_i,

  output logic        count_valid_o,
  output logic [7:0]  count_o,
  output logic        count_check_o
);

  // Level 1, per square: five knight arrivals; three knight arrivals and two directions; six
  // directions. A knight arrives from the square one step against its direction.
  logic [63:0] east1, west1, east2, west2;
  logic [63:0] a1, a2, a4, b1, b2, b4, c1, c2, c4;

  assign east1 = (knights_i << 1) & movegen_pkg::NotFileA;
  assign west1 = (knights_i >> 1) & movegen_pkg::NotFileH;
  assign east2 = (knights_i << 2) & movegen_pkg::NotFilesAB;
  assign west2 = (knights_i >> 2) & movegen_pkg::NotFilesGH;

  movegen_sum6 #(.Width(64)) u_knights (
    .a_i((east1 << 16) & targets_i), .b_i((east1 >> 16) & targets_i),
    .c_i((west1 << 16) & targets_i), .d_i((west1 >> 16) & targets_i),
    .e_i((east2 << 8) & targets_i), .f_i(64'h0),
    .ones_o(a1), .twos_o(a2), .fours_o(a4)
  );
  movegen_sum6 #(.Width(64)) u_mixed (
    .a_i((east2 >> 8) & targets_i), .b_i((west2 << 8) & targets_i),
    .c_i((west2 >> 8) & targets_i), .d_i(to_n_i), .e_i(to_s_i), .f_i(64'h0),
    .ones_o(b1), .twos_o(b2), .fours_o(b4)
  );
  movegen_sum6 #(.Width(64)) u_lines (
    .a_i(to_e_i), .b_i(to_w_i), .c_i(to_ne_i), .d_i(to_sw_i), .e_i(to_nw_i), .f_i(to_se_i),
    .ones_o(c1), .twos_o(c2), .fours_o(c4)
  );

  // Level 2: for each weight the two halves of three words.
  logic [31:0] d1, d2, d4, e2, e4, e8, f4, f8, f16;

  movegen_sum6 #(.Width(32)) u_ones (
    .a_i(a1[63:32]), .b_i(a1[31:0]), .c_i(b1[63:32]), .d_i(b1[31:0]), .e_i(c1[63:32]),
    .f_i(c1[31:0]), .ones_o(d1), .twos_o(d2), .fours_o(d4)
  );
  movegen_sum6 #(.Width(32)) u_twos (
    .a_i(a2[63:32]), .b_i(a2[31:0]), .c_i(b2[63:32]), .d_i(b2[31:0]), .e_i(c2[63:32]),
    .f_i(c2[31:0]), .ones_o(e2), .twos_o(e4), .fours_o(e8)
  );
  movegen_sum6 #(.Width(32)) u_fours (
    .a_i(a4[63:32]), .b_i(a4[31:0]), .c_i(b4[63:32]), .d_i(b4[31:0]), .e_i(c4[63:32]),
    .f_i(c4[31:0]), .ones_o(f4), .twos_o(f8), .fours_o(f16)
  );

  // Level 3: the bits of each weight in six rows. Three times a promotion: once in the ones, once in
  // the twos.
  logic [59:0] ones3;    // 32 + 2 + 24 bits
  logic [89:0] twos3;    // 64 + 24
  logic [95:0] fours3;
  logic [65:0] eights3;  // 64
  logic [35:0] rest3;    // 32 sixteens
  logic [9:0] g1, g2, g4;
  logic [14:0] h2, h4, h8;
  logic [15:0] i4, i8, i16;
  logic [10:0] j8, j16, j32;
  logic [5:0] k16, k32, k64;

  assign ones3 = {2'b0, d1, castling_i, promote_n_i, promote_ne_i, promote_nw_i};
  assign twos3 = {2'b0, d2, e2, promote_n_i, promote_ne_i, promote_nw_i};
  assign fours3 = {d4, e4, f4};
  assign eights3 = {2'b0, e8, f8};
  assign rest3 = {4'b0, f16};

  movegen_sum6 #(.Width(10)) u_ones3 (
    .a_i(ones3[9:0]), .b_i(ones3[19:10]), .c_i(ones3[29:20]), .d_i(ones3[39:30]),
    .e_i(ones3[49:40]), .f_i(ones3[59:50]), .ones_o(g1), .twos_o(g2), .fours_o(g4)
  );
  movegen_sum6 #(.Width(15)) u_twos3 (
    .a_i(twos3[14:0]), .b_i(twos3[29:15]), .c_i(twos3[44:30]), .d_i(twos3[59:45]),
    .e_i(twos3[74:60]), .f_i(twos3[89:75]), .ones_o(h2), .twos_o(h4), .fours_o(h8)
  );
  movegen_sum6 #(.Width(16)) u_fours3 (
    .a_i(fours3[15:0]), .b_i(fours3[31:16]), .c_i(fours3[47:32]), .d_i(fours3[63:48]),
    .e_i(fours3[79:64]), .f_i(fours3[95:80]), .ones_o(i4), .twos_o(i8), .fours_o(i16)
  );
  movegen_sum6 #(.Width(11)) u_eights3 (
    .a_i(eights3[10:0]), .b_i(eights3[21:11]), .c_i(eights3[32:22]), .d_i(eights3[43:33]),
    .e_i(eights3[54:44]), .f_i(eights3[65:55]), .ones_o(j8), .twos_o(j16), .fours_o(j32)
  );
  movegen_sum6 #(.Width(6)) u_rest3 (
    .a_i(rest3[5:0]), .b_i(rest3[11:6]), .c_i(rest3[17:12]), .d_i(rest3[23:18]),
    .e_i(rest3[29:24]), .f_i(rest3[35:30]), .ones_o(k16), .twos_o(k32), .fours_o(k64)
  );

  logic [9:0] ones4_q;
  logic [24:0] twos4_q;
  logic [40:0] fours4_q;
  logic [41:0] eights4_q;
  logic [32:0] sixteens4_q;
  logic [16:0] thirty_twos4_q;
  logic [5:0] sixty_fours4_q;
  logic valid4_q, check4_q;

  always_ff @(posedge clk_i) begin
    ones4_q <= g1;
    twos4_q <= {g2, h2};
    fours4_q <= {g4, h4, i4};
    eights4_q <= {h8, i8, j8};
    sixteens4_q <= {i16, j16, k16};
    thirty_twos4_q <= {j32, k32};
    sixty_fours4_q <= k64;
    check4_q <= check_i;
  end

  // Stage 5: the few bits left of each weight.
  logic [7:0] count_d;

  assign count_d = 8'($countones(ones4_q)) +
                   (8'($countones(twos4_q)) << 1) +
                   (8'($countones(fours4_q)) << 2) +
                   (8'($countones(eights4_q)) << 3) +
                   (8'($countones(sixteens4_q)) << 4) +
                   (8'($countones(thirty_twos4_q)) << 5) +
                   (8'($countones(sixty_fours4_q)) << 6);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid4_q <= 1'b0;
      count_valid_o <= 1'b0;
    end else begin
      valid4_q <= valid_i;
      count_valid_o <= valid4_q;
    end
    count_o <= count_d;
    count_check_o <= check4_q;
  end

endmodule

`default_nettype wire
