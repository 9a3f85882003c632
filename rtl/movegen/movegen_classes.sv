// Stage 4: a position to be listed, sorted by kind of piece.
//
// By kind of piece the squares on which one can arrive by a move that passes the filter (see
// movegen_checks): because of the square, or because it uncovers a check. Pawns by direction. With
// them all squares on which there is something to be listed. What else is known of the position
// passes through.
//
// The position stays here until the list of the one before has come to its last destination.
//
// Latency 1.
// Cost: 1444 LUTs, 1710 flip-flops.

`default_nettype none

module movegen_classes (
  input  logic        clk_i,
  input  logic        rst_i,

  input  logic        valid_i,         // stage 3 holds a position to be listed, not yet taken
  output logic        ready_o,         // it is taken at the end of this cycle, if there is one
  input  logic [1:0]  order_i,         // see movegen_list_pkg
  input  logic        captures_i,      // the filter for captures and promotions
  input  logic [63:0] code0_i,         // from stage 3, see movegen_safety
  input  logic [63:0] code1_i,
  input  logic [63:0] code2_i,
  input  logic [63:0] king_i,
  input  logic [63:0] king_to_i,
  input  logic [7:0]  ep_i,
  input  logic [63:0] to_n_i,          // from stage 3, see movegen_arrivals
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
  input  logic [55:0] push_i,
  input  logic [7:0]  double_i,
  input  logic [55:0] take_ne_i,
  input  logic [55:0] take_nw_i,
  input  logic [7:0]  ep_ne_i,
  input  logic [7:0]  ep_nw_i,
  input  logic [1:0]  castling_i,
  input  logic [63:0] first_n_i,
  input  logic [63:0] first_s_i,
  input  logic [63:0] first_e_i,
  input  logic [63:0] first_w_i,
  input  logic [63:0] first_ne_i,
  input  logic [63:0] first_sw_i,
  input  logic [63:0] first_nw_i,
  input  logic [63:0] first_se_i,
  input  logic [63:0] second_n_i,
  input  logic [63:0] second_s_i,
  input  logic [63:0] second_e_i,
  input  logic [63:0] second_w_i,
  input  logic [63:0] second_ne_i,
  input  logic [63:0] second_sw_i,
  input  logic [63:0] second_nw_i,
  input  logic [63:0] second_se_i,
  input  logic [63:0] knight_ok_i,     // from stage 3, see movegen_checks
  input  logic [63:0] bishop_ok_i,
  input  logic [63:0] rook_ok_i,
  input  logic [55:0] pawn_ok_i,
  input  logic [63:0] uncover_i,
  input  logic [55:0] uncover_n_i,
  input  logic [7:0]  through_n_i,
  input  logic [7:0]  through_ne_i,
  input  logic [7:0]  through_nw_i,
  input  logic [7:0]  ep_ne_ok_i,
  input  logic [7:0]  ep_nw_ok_i,
  input  logic        king_ns_i,
  input  logic        king_ew_i,
  input  logic        king_nesw_i,
  input  logic        king_nwse_i,
  input  logic [1:0]  castling_ok_i,

  output logic        valid_o,         // a position
  input  logic        take_i,          // which is gone at the end of this cycle
  output logic [1:0]  order_o,
  output logic        captures_o,
  output logic [63:0] code0_o,
  output logic [63:0] code1_o,
  output logic [63:0] code2_o,
  output logic [7:0]  ep_o,
  output logic [63:0] to_n_o,
  output logic [63:0] to_s_o,
  output logic [63:0] to_e_o,
  output logic [63:0] to_w_o,
  output logic [63:0] to_ne_o,
  output logic [63:0] to_sw_o,
  output logic [63:0] to_nw_o,
  output logic [63:0] to_se_o,
  output logic [63:0] knights_o,
  output logic [63:0] targets_o,
  output logic [1:0]  castling_o,
  output logic [63:0] knight_ok_o,
  output logic [63:0] bishop_ok_o,
  output logic [63:0] rook_ok_o,
  output logic [63:0] uncover_o,
  output logic [7:0]  uncover7_n_o,    // uncover_n_i on rank 7
  output logic [7:0]  through_n_o,
  output logic [7:0]  through_ne_o,
  output logic [7:0]  through_nw_o,

  output logic [63:0] list_n_o,        // arrivals that pass: pawns by direction
  output logic [63:0] list_ne_o,
  output logic [63:0] list_nw_o,
  output logic [63:0] list_knights_o,  // and the others
  output logic [63:0] list_bishops_o,
  output logic [63:0] list_rooks_o,
  output logic [63:0] list_queens_o,
  output logic [63:0] list_king_o,     // castling too
  output logic [63:0] todo_o           // all, but for en passant and pawns pushed to rank 8
);

  logic [63:0] rooks, bishops, queens, knights, king, list_n, list_ne, list_nw;
  logic [63:0] uncovering;
  logic [7:0] any8, promote_n, promote_ne, promote_nw, uncover7;
  logic [1:0] castling;
  logic load;

  // Of the sliders, those that uncover nothing are in the first ray alone, those that do in both,
  // queens in the second alone.
  always_comb begin
    rooks = ((first_n_i & (rook_ok_i | second_n_i)) | (first_s_i & (rook_ok_i | second_s_i)) |
             (first_e_i & (rook_ok_i | second_e_i)) | (first_w_i & (rook_ok_i | second_w_i))) &
            targets_i;
    bishops = ((first_ne_i & (bishop_ok_i | second_ne_i)) |
               (first_sw_i & (bishop_ok_i | second_sw_i)) |
               (first_nw_i & (bishop_ok_i | second_nw_i)) |
               (first_se_i & (bishop_ok_i | second_se_i))) & targets_i;
    queens = ((second_n_i & ~first_n_i) | (second_s_i & ~first_s_i) | (second_e_i & ~first_e_i) |
              (second_w_i & ~first_w_i) | (second_ne_i & ~first_ne_i) |
              (second_sw_i & ~first_sw_i) | (second_nw_i & ~first_nw_i) |
              (second_se_i & ~first_se_i)) & (rook_ok_i | bishop_ok_i) & targets_i;
  end

  assign uncovering = knights_i & uncover_i;
  assign castling = castling_i & castling_ok_i;

  always_comb begin
    knights = ((movegen_pkg::knight_attacks(knights_i) & knight_ok_i) |
               movegen_pkg::knight_attacks(uncovering)) & targets_i;
    king = ((((king_i << 8) | (king_i >> 8)) & {64{king_ns_i}}) |
            ((((king_i << 1) & movegen_pkg::NotFileA) | ((king_i >> 1) & movegen_pkg::NotFileH)) &
             {64{king_ew_i}}) |
            ((((king_i << 9) & movegen_pkg::NotFileA) | ((king_i >> 9) & movegen_pkg::NotFileH)) &
             {64{king_nesw_i}}) |
            ((((king_i << 7) & movegen_pkg::NotFileH) | ((king_i >> 7) & movegen_pkg::NotFileA)) &
             {64{king_nwse_i}})) & king_to_i;
  end

  // Squares of rank 8 on which something that a pawn becomes gives check: any that does as a queen
  // or a knight.
  assign any8 = rook_ok_i[63:56] | bishop_ok_i[63:56] | knight_ok_i[63:56];
  assign uncover7 = uncover_i[55:48];
  assign promote_n = promote_n_i & (any8 | through_n_i | uncover_n_i[55:48]);
  assign promote_ne = promote_ne_i & (any8 | through_ne_i | {uncover7[6:0], 1'b0});
  assign promote_nw = promote_nw_i & (any8 | through_nw_i | {1'b0, uncover7[7:1]});

  assign list_n = {promote_n, push_i & (pawn_ok_i | {uncover_n_i[47:0], 8'h0})} |
                  {32'h0, double_i & (pawn_ok_i[31:24] | uncover_n_i[15:8]), 24'h0};
  assign list_ne = {promote_ne, take_ne_i & (pawn_ok_i | {uncover_i[46:0], 9'h0})} |
                   {16'h0, ep_ne_i & ep_ne_ok_i, 40'h0};
  assign list_nw = {promote_nw, take_nw_i & (pawn_ok_i | {uncover_i[48:0], 7'h0})} |
                   {16'h0, ep_nw_i & ep_nw_ok_i, 40'h0};

  assign ready_o = ~valid_o;
  assign load = valid_i & ready_o;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_o <= 1'b0;
    end else if (load) begin
      valid_o <= 1'b1;
    end else if (take_i) begin
      valid_o <= 1'b0;
    end

    if (load) begin
      order_o <= order_i;
      captures_o <= captures_i;
      code0_o <= code0_i;
      code1_o <= code1_i;
      code2_o <= code2_i;
      ep_o <= ep_i;
      to_n_o <= to_n_i;
      to_s_o <= to_s_i;
      to_e_o <= to_e_i;
      to_w_o <= to_w_i;
      to_ne_o <= to_ne_i;
      to_sw_o <= to_sw_i;
      to_nw_o <= to_nw_i;
      to_se_o <= to_se_i;
      knights_o <= knights_i;
      targets_o <= targets_i;
      castling_o <= castling_i;
      knight_ok_o <= knight_ok_i;
      bishop_ok_o <= bishop_ok_i;
      rook_ok_o <= rook_ok_i;
      uncover_o <= uncover_i;
      uncover7_n_o <= uncover_n_i[55:48];
      through_n_o <= through_n_i;
      through_ne_o <= through_ne_i;
      through_nw_o <= through_nw_i;

      list_n_o <= list_n;
      list_ne_o <= list_ne;
      list_nw_o <= list_nw;
      list_knights_o <= knights;
      list_bishops_o <= bishops;
      list_rooks_o <= rooks;
      list_queens_o <= queens;
      list_king_o <= king | {57'h0, castling[0], 3'h0, castling[1], 2'h0};
      todo_o <= knights | bishops | rooks | queens | king |
                {57'h0, castling[0], 3'h0, castling[1], 2'h0} |
                (list_n & movegen_list_pkg::NotRank8) |
                ((list_ne | list_nw) & ~{16'h0, ep_i, 40'h0});
    end
  end

endmodule

`default_nettype wire
