// Legal move generator for chess: counts a position's legal moves at one position a clock and lists
// them at one move a clock, in one of four orders, all or only captures or checks. Every move is
// legal and asked for: no clock is lost on others.
//
// Board words are in the view of the side to move: own pawns move up; with black to move the
// board is mirrored (square n becomes n ^ 56) and the colours swap. Bit n is square n, a1 = bit 0.
//
//   stage 1-2   movegen_analysis  rays, then checks, pins, castling, en passant
//   stage 1-2   movegen_checks    what gives check to the opponent
//   stage 3     movegen_moves     legal arrivals by direction, those for the list by piece
//   stage 4-6   movegen_count     their number
//   stage 4-9   movegen_list      their list
//
// A position is taken in a cycle where pos_valid_i and pos_ready_o are both 1. Its count comes 6
// cycles later (with no back-pressure), its first move 9 cycles later, when nothing is in its way,
// the others clock by clock: the last of N after N + 8 cycles. Stages 1 to 3 move together. A
// position with pos_list_i waits in stage 3 until the list of the one before has come to its last
// destination; only then does pos_ready_o fall. Counts are given once for each position taken, in
// order, and are those of all legal moves whatever the filter.
//
// Once move_valid_o is 1, it and the move fields hold until move_ready_i. Neither pos_ready_o
// nor any move output depends on an input of the same cycle. While rst_i is 1 no position is taken
// and no move handed over.
//
// pos_castling_i is trusted: a right stands for a king on e1 and a rook on its corner. The pawn of
// pos_ep_i need not be capturable. A board without a king of the side to move has no meaning.
//
// Cost: 9854 LUTs, 8485 flip-flops after synthesis; routed at 106 MHz (docs/pnr/movegen.md).

`default_nettype none

module movegen (
  input  logic        clk_i,
  input  logic        rst_i,             // synchronous

  input  logic        pos_valid_i,
  output logic        pos_ready_o,
  input  logic        pos_list_i,        // 1: count and list its moves; 0: count only
  // of the list: 0 plain, 1 captures first, 2 by victim and least
  input  logic [1:0]  pos_order_i,
                                         // valuable aggressor, 3 by victim and most valuable
                                         // aggressor
  // of the list: 1 captures and promotions, 2 checks; else all
  input  logic [1:0]  pos_filter_i,
  input  logic [63:0] pos_own_i,         // the side to move's pieces
  input  logic [63:0] pos_pawns_i,       // pieces by kind, both colours
  input  logic [63:0] pos_knights_i,
  input  logic [63:0] pos_bishops_i,
  input  logic [63:0] pos_rooks_i,
  input  logic [63:0] pos_queens_i,
  input  logic [63:0] pos_kings_i,
  input  logic [1:0]  pos_castling_i,    // the side to move's rights: 0 king side, 1 queen side
  input  logic [7:0]  pos_ep_i,          // file of an opponent's pawn that just made a double step,
                                         // one-hot (0 = a); 0: none

  output logic        count_valid_o,     // one pulse for each position taken, in order
  output logic [7:0]  count_o,           // number of legal moves
  output logic        count_check_o,     // the side to move is in check

  output logic        move_valid_o,
  input  logic        move_ready_i,
  output logic [5:0]  move_from_o,
  output logic [5:0]  move_to_o,
  output logic [2:0]  move_piece_o,      // 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king
  output logic [2:0]  move_captured_o,   // 0 none; 1 also for en passant
  output logic [2:0]  move_promotion_o,  // 0 none
  output logic [1:0]  move_castling_o,   // 0 king side, 1 queen side
  output logic        move_ep_o,
  output logic        move_last_o,       // last beat of this position's list
  output logic        move_none_o        // no legal move: the list is this one beat
);

  // Stages 1 to 3 advance together unless a position in stage 3 waits for the lister. Behind a
  // position that is filtered for checks they have a gap: stage 1 analyses it again, with the sides
  // changed.
  logic valid1_q, valid2_q, valid3_q, list1_q, list2_q, list3_q;
  logic [1:0] order1_q, order2_q, order3_q;
  logic captures1_q, captures2_q, captures3_q;  // the filter for captures
  logic again1_q;  // stage 1 holds a position to be analysed again
  logic checks2_q;  // stage 2 holds one that was
  logic fresh3_q;  // the position in stage 3 has not been counted yet
  logic advance, listed3, list_ready;

  assign listed3 = valid3_q & list3_q;
  assign advance = ~listed3 | list_ready;
  assign pos_ready_o = advance & ~again1_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
      valid3_q <= 1'b0;
      fresh3_q <= 1'b0;
      again1_q <= 1'b0;
    end else begin
      fresh3_q <= advance;
      if (advance) begin
        valid1_q <= pos_valid_i & ~again1_q;
        again1_q <= pos_valid_i & ~again1_q & pos_list_i &
                    (pos_filter_i == movegen_list_pkg::FilterChecks);
        valid2_q <= valid1_q;
        valid3_q <= valid2_q;
      end
    end

    if (advance) begin
      list1_q <= pos_list_i;
      list2_q <= list1_q;
      list3_q <= list2_q;
      order1_q <= pos_order_i;
      order2_q <= order1_q;
      order3_q <= order2_q;
      captures1_q <= pos_filter_i == movegen_list_pkg::FilterCaptures;
      captures2_q <= captures1_q;
      captures3_q <= captures2_q;
      checks2_q <= again1_q;
    end
  end

  movegen_position_t position;
  /* verilator lint_off UNUSEDSIGNAL */  // what only stage 2 needs
  movegen_rays_t rays;
  /* verilator lint_on UNUSEDSIGNAL */
  movegen_safety_t safety;

  assign position = {
    2'b00, pos_castling_i, pos_ep_i, pos_own_i, pos_pawns_i, pos_knights_i, pos_bishops_i,
    pos_rooks_i, pos_queens_i, pos_kings_i
  };

  movegen_analysis u_analysis (
    .clk_i(clk_i), .advance_i(advance), .again_i(again1_q), .position_i(position), .rays_o(rays),
    .safety_o(safety)
  );

  logic [63:0] first_ns_s2, first_ew_s2, first_nesw_s2, first_nwse_s2, second_ns_s2, second_ew_s2,
    second_nesw_s2, second_nwse_s2, knight_ok_s3, bishop_ok_s3, rook_ok_s3, uncover_s3;
  logic [55:0] pawn_ok_s3, uncover_n_s3;
  logic [7:0] through_n_s3, through_ne_s3, through_nw_s3, ep_ne_ok_s3, ep_nw_ok_s3;
  logic [1:0] castling_ok_s3;
  logic king_ns_s3, king_ew_s3, king_nesw_s3, king_nwse_s3;

  movegen_checks u_checks (
    .clk_i(clk_i), .advance_i(advance), .checks_i(checks2_q), .opp_king_i(rays.king[63:7]),
    .see_ortho_i(rays.see_ortho), .see_diag_i(rays.see_diag), .see_knight_i(rays.see_knight),
    .line_ns_i(rays.line_ns), .line_ew_i(rays.line_ew), .line_nesw_i(rays.line_nesw),
    .line_nwse_i(rays.line_nwse), .bared_i(rays.bared), .king7_n_i(rays.king7_n),
    .king7_ne_i(rays.king7_ne), .king7_nw_i(rays.king7_nw), .king1_i(rays.king1),
    .code0_i(safety.code0), .code2_i(safety.code2), .king_i(safety.king),
    .movers_ns_i(safety.movers_ns), .movers_ew_i(safety.movers_ew),
    .movers_nesw_i(safety.movers_nesw), .movers_nwse_i(safety.movers_nwse),
    .first_ns_o(first_ns_s2), .first_ew_o(first_ew_s2), .first_nesw_o(first_nesw_s2),
    .first_nwse_o(first_nwse_s2), .second_ns_o(second_ns_s2), .second_ew_o(second_ew_s2),
    .second_nesw_o(second_nesw_s2), .second_nwse_o(second_nwse_s2), .knight_ok_o(knight_ok_s3),
    .bishop_ok_o(bishop_ok_s3), .rook_ok_o(rook_ok_s3), .pawn_ok_o(pawn_ok_s3),
    .uncover_o(uncover_s3), .uncover_n_o(uncover_n_s3), .through_n_o(through_n_s3),
    .through_ne_o(through_ne_s3), .through_nw_o(through_nw_s3), .ep_ne_ok_o(ep_ne_ok_s3),
    .ep_nw_ok_o(ep_nw_ok_s3), .king_ns_o(king_ns_s3), .king_ew_o(king_ew_s3),
    .king_nesw_o(king_nesw_s3), .king_nwse_o(king_nwse_s3), .castling_ok_o(castling_ok_s3)
  );

  logic [63:0] code0_s3, code1_s3, code2_s3, king_s3, king_to_s3, to_n_s3, to_s_s3, to_e_s3,
    to_w_s3, to_ne_s3, to_sw_s3, to_nw_s3, to_se_s3, knights_s3, targets_s3, first_n_s3, first_s_s3,
    first_e_s3, first_w_s3, first_ne_s3, first_sw_s3, first_nw_s3, first_se_s3, second_n_s3,
    second_s_s3, second_e_s3, second_w_s3, second_ne_s3, second_sw_s3, second_nw_s3, second_se_s3;
  logic [55:0] push_s3, take_ne_s3, take_nw_s3;
  logic [7:0] ep_s3, promote_n_s3, promote_ne_s3, promote_nw_s3, double_s3, ep_ne_s3, ep_nw_s3;
  logic [1:0] castling_s3;
  logic check_s3;

  movegen_arrivals u_arrivals (
    .clk_i(clk_i), .advance_i(advance), .first_ns_i(first_ns_s2), .first_ew_i(first_ew_s2),
    .first_nesw_i(first_nesw_s2), .first_nwse_i(first_nwse_s2), .second_ns_i(second_ns_s2),
    .second_ew_i(second_ew_s2), .second_nesw_i(second_nesw_s2), .second_nwse_i(second_nwse_s2),
    .code0_i(safety.code0), .code1_i(safety.code1), .code2_i(safety.code2), .empty_i(safety.empty),
    .king_i(safety.king), .king_to_i(safety.king_to), .targets_i(safety.targets),
    .pushers_i(safety.pushers), .takers_ne_i(safety.takers_ne), .takers_nw_i(safety.takers_nw),
    .knights_i(safety.knights), .castling_i(safety.castling), .ep_i(safety.ep),
    .ep_ne_i(safety.ep_ne), .ep_nw_i(safety.ep_nw), .check_i(safety.check), .code0_o(code0_s3),
    .code1_o(code1_s3), .code2_o(code2_s3), .king_o(king_s3), .king_to_o(king_to_s3), .ep_o(ep_s3),
    .to_n_o(to_n_s3), .to_s_o(to_s_s3), .to_e_o(to_e_s3), .to_w_o(to_w_s3), .to_ne_o(to_ne_s3),
    .to_sw_o(to_sw_s3), .to_nw_o(to_nw_s3), .to_se_o(to_se_s3), .knights_o(knights_s3),
    .targets_o(targets_s3), .promote_n_o(promote_n_s3), .promote_ne_o(promote_ne_s3),
    .promote_nw_o(promote_nw_s3), .push_o(push_s3), .double_o(double_s3), .take_ne_o(take_ne_s3),
    .take_nw_o(take_nw_s3), .ep_ne_o(ep_ne_s3), .ep_nw_o(ep_nw_s3), .castling_o(castling_s3),
    .check_o(check_s3), .first_n_o(first_n_s3), .first_s_o(first_s_s3), .first_e_o(first_e_s3),
    .first_w_o(first_w_s3), .first_ne_o(first_ne_s3), .first_sw_o(first_sw_s3),
    .first_nw_o(first_nw_s3), .first_se_o(first_se_s3), .second_n_o(second_n_s3),
    .second_s_o(second_s_s3), .second_e_o(second_e_s3), .second_w_o(second_w_s3),
    .second_ne_o(second_ne_s3), .second_sw_o(second_sw_s3), .second_nw_o(second_nw_s3),
    .second_se_o(second_se_s3)
  );

  movegen_count u_count (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(valid3_q & fresh3_q), .to_n_i(to_n_s3), .to_s_i(to_s_s3),
    .to_e_i(to_e_s3), .to_w_i(to_w_s3), .to_ne_i(to_ne_s3), .to_sw_i(to_sw_s3), .to_nw_i(to_nw_s3),
    .to_se_i(to_se_s3), .knights_i(knights_s3), .targets_i(targets_s3), .promote_n_i(promote_n_s3),
    .promote_ne_i(promote_ne_s3), .promote_nw_i(promote_nw_s3), .castling_i(castling_s3),
    .check_i(check_s3), .count_valid_o(count_valid_o), .count_o(count_o),
    .count_check_o(count_check_o)
  );

  logic [63:0] code0_s4, code1_s4, code2_s4, to_n_s4, to_s_s4, to_e_s4, to_w_s4, to_ne_s4, to_sw_s4,
    to_nw_s4, to_se_s4, knights_s4, targets_s4, knight_ok_s4, bishop_ok_s4, rook_ok_s4, uncover_s4,
    list_n_s4, list_ne_s4, list_nw_s4, list_knights_s4, list_bishops_s4, list_rooks_s4,
    list_queens_s4, list_king_s4, todo_s4;
  logic [7:0] ep_s4, uncover7_n_s4, through_n_s4, through_ne_s4, through_nw_s4;
  logic [1:0] order_s4, castling_s4;
  logic valid_s4, captures_s4, take_s4;

  movegen_classes u_classes (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(listed3), .ready_o(list_ready), .order_i(order3_q),
    .captures_i(captures3_q), .code0_i(code0_s3), .code1_i(code1_s3), .code2_i(code2_s3),
    .king_i(king_s3), .king_to_i(king_to_s3), .ep_i(ep_s3), .to_n_i(to_n_s3), .to_s_i(to_s_s3),
    .to_e_i(to_e_s3), .to_w_i(to_w_s3), .to_ne_i(to_ne_s3), .to_sw_i(to_sw_s3), .to_nw_i(to_nw_s3),
    .to_se_i(to_se_s3), .knights_i(knights_s3), .targets_i(targets_s3), .promote_n_i(promote_n_s3),
    .promote_ne_i(promote_ne_s3), .promote_nw_i(promote_nw_s3), .push_i(push_s3),
    .double_i(double_s3), .take_ne_i(take_ne_s3), .take_nw_i(take_nw_s3), .ep_ne_i(ep_ne_s3),
    .ep_nw_i(ep_nw_s3), .castling_i(castling_s3), .first_n_i(first_n_s3), .first_s_i(first_s_s3),
    .first_e_i(first_e_s3), .first_w_i(first_w_s3), .first_ne_i(first_ne_s3),
    .first_sw_i(first_sw_s3), .first_nw_i(first_nw_s3), .first_se_i(first_se_s3),
    .second_n_i(second_n_s3), .second_s_i(second_s_s3), .second_e_i(second_e_s3),
    .second_w_i(second_w_s3), .second_ne_i(second_ne_s3), .second_sw_i(second_sw_s3),
    .second_nw_i(second_nw_s3), .second_se_i(second_se_s3), .knight_ok_i(knight_ok_s3),
    .bishop_ok_i(bishop_ok_s3), .rook_ok_i(rook_ok_s3), .pawn_ok_i(pawn_ok_s3),
    .uncover_i(uncover_s3), .uncover_n_i(uncover_n_s3), .through_n_i(through_n_s3),
    .through_ne_i(through_ne_s3), .through_nw_i(through_nw_s3), .ep_ne_ok_i(ep_ne_ok_s3),
    .ep_nw_ok_i(ep_nw_ok_s3), .king_ns_i(king_ns_s3), .king_ew_i(king_ew_s3),
    .king_nesw_i(king_nesw_s3), .king_nwse_i(king_nwse_s3), .castling_ok_i(castling_ok_s3),
    .valid_o(valid_s4), .take_i(take_s4), .order_o(order_s4), .captures_o(captures_s4),
    .code0_o(code0_s4), .code1_o(code1_s4), .code2_o(code2_s4), .ep_o(ep_s4), .to_n_o(to_n_s4),
    .to_s_o(to_s_s4), .to_e_o(to_e_s4), .to_w_o(to_w_s4), .to_ne_o(to_ne_s4), .to_sw_o(to_sw_s4),
    .to_nw_o(to_nw_s4), .to_se_o(to_se_s4), .knights_o(knights_s4), .targets_o(targets_s4),
    .castling_o(castling_s4), .knight_ok_o(knight_ok_s4), .bishop_ok_o(bishop_ok_s4),
    .rook_ok_o(rook_ok_s4), .uncover_o(uncover_s4), .uncover7_n_o(uncover7_n_s4),
    .through_n_o(through_n_s4), .through_ne_o(through_ne_s4), .through_nw_o(through_nw_s4),
    .list_n_o(list_n_s4), .list_ne_o(list_ne_s4), .list_nw_o(list_nw_s4),
    .list_knights_o(list_knights_s4), .list_bishops_o(list_bishops_s4),
    .list_rooks_o(list_rooks_s4), .list_queens_o(list_queens_s4), .list_king_o(list_king_s4),
    .todo_o(todo_s4)
  );

  movegen_list u_list (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(valid_s4), .take_o(take_s4), .order_i(order_s4),
    .captures_i(captures_s4), .code0_i(code0_s4), .code1_i(code1_s4), .code2_i(code2_s4),
    .ep_i(ep_s4), .to_n_i(to_n_s4), .to_s_i(to_s_s4), .to_e_i(to_e_s4), .to_w_i(to_w_s4),
    .to_ne_i(to_ne_s4), .to_sw_i(to_sw_s4), .to_nw_i(to_nw_s4), .to_se_i(to_se_s4),
    .knights_i(knights_s4), .targets_i(targets_s4), .castling_i(castling_s4),
    .knight_ok_i(knight_ok_s4), .bishop_ok_i(bishop_ok_s4), .rook_ok_i(rook_ok_s4),
    .uncover_i(uncover_s4), .uncover7_n_i(uncover7_n_s4), .through_n_i(through_n_s4),
    .through_ne_i(through_ne_s4), .through_nw_i(through_nw_s4), .list_n_i(list_n_s4),
    .list_ne_i(list_ne_s4), .list_nw_i(list_nw_s4), .list_knights_i(list_knights_s4),
    .list_bishops_i(list_bishops_s4), .list_rooks_i(list_rooks_s4), .list_queens_i(list_queens_s4),
    .list_king_i(list_king_s4), .todo_i(todo_s4), .move_valid_o(move_valid_o),
    .move_ready_i(move_ready_i), .move_from_o(move_from_o), .move_to_o(move_to_o),
    .move_piece_o(move_piece_o), .move_captured_o(move_captured_o),
    .move_promotion_o(move_promotion_o), .move_castling_o(move_castling_o), .move_ep_o(move_ep_o),
    .move_last_o(move_last_o), .move_none_o(move_none_o)
  );

endmodule

`default_nettype wire
