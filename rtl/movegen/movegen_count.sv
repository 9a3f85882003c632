// Stages 4 to 6: how many moves.
//
// Counts the bits of the arrival words of stage 3 with six-to-three adders: first square by square
// over the words, then the bits of each weight among themselves; each level halves the number of
// bits. A promotion arrival counts once with the others and three times more; castling moves are
// two bits.
//
// Latency 3, one position a clock, no back-pressure. The count is modulo 256 (no legal position has
// more than 218 moves).
// Cost: 1354 LUTs, 234 flip-flops.

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

  // Level 3, and from here on: the bits of each weight among themselves, in any order. x3_8_16 are
  // bits of weight 16 that level 3 makes of bits of weight 8. Three times a promotion is once in
  // the ones and once in the twos. Weights of 256 and more are left out.
  logic [9:0] x3_1_1, x3_1_2, x3_1_4;
  logic [14:0] x3_2_2, x3_2_4, x3_2_8;
  logic [15:0] x3_4_4, x3_4_8, x3_4_16;
  logic [10:0] x3_8_8, x3_8_16, x3_8_32;
  logic [5:0] x3_16_16, x3_16_32, x3_16_64;

  movegen_columns #(.Width(10)) u_level3_1 (
    .bits_i({2'b0, d1, castling_i, promote_n_i, promote_ne_i, promote_nw_i}),
    .ones_o(x3_1_1), .twos_o(x3_1_2), .fours_o(x3_1_4)
  );
  movegen_columns #(.Width(15)) u_level3_2 (
    .bits_i({2'b0, d2, e2, promote_n_i, promote_ne_i, promote_nw_i}),
    .ones_o(x3_2_2), .twos_o(x3_2_4), .fours_o(x3_2_8)
  );
  movegen_columns #(.Width(16)) u_level3_4 (
    .bits_i({d4, e4, f4}),
    .ones_o(x3_4_4), .twos_o(x3_4_8), .fours_o(x3_4_16)
  );
  movegen_columns #(.Width(11)) u_level3_8 (
    .bits_i({2'b0, e8, f8}),
    .ones_o(x3_8_8), .twos_o(x3_8_16), .fours_o(x3_8_32)
  );
  movegen_columns #(.Width(6)) u_level3_16 (
    .bits_i({4'b0, f16}),
    .ones_o(x3_16_16), .twos_o(x3_16_32), .fours_o(x3_16_64)
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
    ones4_q <= x3_1_1;
    twos4_q <= {x3_1_2, x3_2_2};
    fours4_q <= {x3_1_4, x3_2_4, x3_4_4};
    eights4_q <= {x3_2_8, x3_4_8, x3_8_8};
    sixteens4_q <= {x3_4_16, x3_8_16, x3_16_16};
    thirty_twos4_q <= {x3_8_32, x3_16_32};
    sixty_fours4_q <= x3_16_64;
    check4_q <= check_i;
  end

  // Stage 5: levels 4 and 5.
  logic [1:0] x4_1_1, x4_1_2, x4_1_4;
  logic [4:0] x4_2_2, x4_2_4, x4_2_8;
  logic [6:0] x4_4_4, x4_4_8, x4_4_16, x4_8_8, x4_8_16, x4_8_32;
  logic [5:0] x4_16_16, x4_16_32, x4_16_64;
  logic [2:0] x4_32_32, x4_32_64, x4_32_128;
  logic x4_64_64, x4_64_128;

  movegen_columns #(.Width(2)) u_level4_1 (
    .bits_i({2'b0, ones4_q}),
    .ones_o(x4_1_1), .twos_o(x4_1_2), .fours_o(x4_1_4)
  );
  movegen_columns #(.Width(5)) u_level4_2 (
    .bits_i({5'b0, twos4_q}),
    .ones_o(x4_2_2), .twos_o(x4_2_4), .fours_o(x4_2_8)
  );
  movegen_columns #(.Width(7)) u_level4_4 (
    .bits_i({1'b0, fours4_q}),
    .ones_o(x4_4_4), .twos_o(x4_4_8), .fours_o(x4_4_16)
  );
  movegen_columns #(.Width(7)) u_level4_8 (
    .bits_i(eights4_q),
    .ones_o(x4_8_8), .twos_o(x4_8_16), .fours_o(x4_8_32)
  );
  movegen_columns #(.Width(6)) u_level4_16 (
    .bits_i({3'b0, sixteens4_q}),
    .ones_o(x4_16_16), .twos_o(x4_16_32), .fours_o(x4_16_64)
  );
  movegen_columns #(.Width(3)) u_level4_32 (
    .bits_i({1'b0, thirty_twos4_q}),
    .ones_o(x4_32_32), .twos_o(x4_32_64), .fours_o(x4_32_128)
  );
  movegen_columns #(.Width(1)) u_level4_64 (
    .bits_i(sixty_fours4_q),
    .ones_o(x4_64_64), .twos_o(x4_64_128),
    /* verilator lint_off PINCONNECTEMPTY */ // weight 256 is left out
    .fours_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  logic [1:0] x5_2_2, x5_2_4, x5_2_8, x5_64_64, x5_64_128;
  logic [2:0] x5_4_4, x5_4_8, x5_4_16, x5_32_32, x5_32_64, x5_32_128;
  logic [3:0] x5_8_8, x5_8_16, x5_8_32, x5_16_16, x5_16_32, x5_16_64;

  movegen_columns #(.Width(2)) u_level5_2 (
    .bits_i({5'b0, x4_1_2, x4_2_2}),
    .ones_o(x5_2_2), .twos_o(x5_2_4), .fours_o(x5_2_8)
  );
  movegen_columns #(.Width(3)) u_level5_4 (
    .bits_i({4'b0, x4_1_4, x4_2_4, x4_4_4}),
    .ones_o(x5_4_4), .twos_o(x5_4_8), .fours_o(x5_4_16)
  );
  movegen_columns #(.Width(4)) u_level5_8 (
    .bits_i({5'b0, x4_2_8, x4_4_8, x4_8_8}),
    .ones_o(x5_8_8), .twos_o(x5_8_16), .fours_o(x5_8_32)
  );
  movegen_columns #(.Width(4)) u_level5_16 (
    .bits_i({4'b0, x4_4_16, x4_8_16, x4_16_16}),
    .ones_o(x5_16_16), .twos_o(x5_16_32), .fours_o(x5_16_64)
  );
  movegen_columns #(.Width(3)) u_level5_32 (
    .bits_i({2'b0, x4_8_32, x4_16_32, x4_32_32}),
    .ones_o(x5_32_32), .twos_o(x5_32_64), .fours_o(x5_32_128)
  );
  movegen_columns #(.Width(2)) u_level5_64 (
    .bits_i({2'b0, x4_16_64, x4_32_64, x4_64_64}),
    .ones_o(x5_64_64), .twos_o(x5_64_128),
    /* verilator lint_off PINCONNECTEMPTY */ // weight 256 is left out
    .fours_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  logic [10:0] ones5_q, twos5_q, fours5_q, eights5_q, sixteens5_q;
  logic [10:0] thirty_twos5_q, sixty_fours5_q;
  logic odd128_5_q, valid5_q, check5_q;

  always_ff @(posedge clk_i) begin
    ones5_q <= {9'b0, x4_1_1};
    twos5_q <= {9'b0, x5_2_2};
    fours5_q <= {6'b0, x5_2_4, x5_4_4};
    eights5_q <= {2'b0, x5_2_8, x5_4_8, x5_8_8};
    sixteens5_q <= {x5_4_16, x5_8_16, x5_16_16};
    thirty_twos5_q <= {x5_8_32, x5_16_32, x5_32_32};
    sixty_fours5_q <= {2'b0, x5_16_64, x5_32_64, x5_64_64};
    odd128_5_q <= ^{x5_32_128, x5_64_128, x4_32_128, x4_64_128};
    check5_q <= check4_q;
  end

  // Stage 6: the few bits left.
  logic [7:0] count_d;

  always_comb begin
    count_d = {odd128_5_q, 7'd0};
    for (int k = 0; k < 11; k++) begin
      count_d = count_d + {1'b0, sixty_fours5_q[k], thirty_twos5_q[k], sixteens5_q[k],
                           eights5_q[k], fours5_q[k], twos5_q[k], ones5_q[k]};
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid4_q <= 1'b0;
      valid5_q <= 1'b0;
      count_valid_o <= 1'b0;
    end else begin
      valid4_q <= valid_i;
      valid5_q <= valid4_q;
      count_valid_o <= valid5_q;
    end
    count_o <= count_d;
    count_check_o <= check5_q;
  end

endmodule

`default_nettype wire
