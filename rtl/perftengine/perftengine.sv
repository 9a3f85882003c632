// Perft in hardware: how many sequences of so many legal moves a chess position has, in all and by
// first move. The numbers are what move generators are checked with; this one counts a
// position with all its moves in about one clock. r is the number of plies a position has to go.
//
// One analysis pipeline (stages 1 to 3 of the move generator) serves all: each clock it takes a
// position from the slot (stage 0). A position with one ply to go is counted and no more; one with
// two plies to go (a parent) is listed, and each of its moves is made as it comes, which gives the
// positions to be counted; one with more is listed onto a stack, from which its moves are made one
// by one, each when the lister is about to be free:
//
//             +------------------ stack <---------------------+
//             v                                               | moves of positions with r > 2
//   job ---> make --> slot                                    |
//             ^       (0)  +--> positions by ply --> make     |
//             |        |   |                                  |
//             |        +---+--> rays --> safety --> arrivals --> lister (4 to 9)
//             |                  (1)      (2)        (3)  |   | moves of parents
//             +-------------------------------------------|---+
//                                                         +--> count (4 to 6) --> sum (7)
//
// While a parent is listed the next one is analysed. A job thus takes, for each position counted, 1
// clock + 1 / n for its parent's own analysis + 1 / n for the list from which the parent came, with
// n moves a position; and some 20 clocks in all. See README.md for what it comes to.
//
// A job is taken in a cycle where job_valid_i and job_ready_o are both 1, and neither rst_i nor
// abort_i is. Root moves come in any order, one a beat; once div_valid_o is 1, it and the div
// fields hold until div_ready_i (or abort_i). done_o is 1 for one cycle, when all has been counted
// and all root moves have been handed over; count_o holds until the next job is taken. The count is
// modulo 2^64. abort_i ends the job: from the next cycle on the engine is ready, there is no
// done_o, and count_o is what was counted so far.
//
// job_castling_i is trusted: a right stands for a king on e1 (e8) and a rook on its corner.
//
// Cost: 7824 LUTs, 5541 flip-flops, two RAMB36; routed at 121 MHz (docs/pnr/perftengine.md).

`default_nettype none

module perftengine (
  input  logic        clk_i,
  input  logic        rst_i,             // synchronous

  input  logic        job_valid_i,
  output logic        job_ready_o,
  input  logic [3:0]  job_depth_i,       // plies; 0 counts the position itself: 1
  input  logic        job_divide_i,      // hand over the counts of the root moves
  input  logic [63:0] job_own_i,         // the side to move's pieces, in its view
  input  logic [63:0] job_pawns_i,       // pieces by kind, both colours
  input  logic [63:0] job_knights_i,
  input  logic [63:0] job_bishops_i,
  input  logic [63:0] job_rooks_i,
  input  logic [63:0] job_queens_i,
  input  logic [63:0] job_kings_i,
  input  logic [3:0]  job_castling_i,    // rights: 0 king side, 1 queen side; 2, 3 the opponent's
  input  logic [7:0]  job_ep_i,          // file of an opponent's pawn that just made a double step,
                                         // one-hot (0 = a); 0: none
  input  logic        abort_i,

  output logic        busy_o,
  output logic        done_o,
  output logic [63:0] count_o,           // move sequences counted so far

  output logic        div_valid_o,       // a root move
  input  logic        div_ready_i,
  output logic [5:0]  div_from_o,        // squares in the view of the job's side to move
  output logic [5:0]  div_to_o,
  output logic [2:0]  div_promotion_o,   // piece code, 0 none
  output logic [63:0] div_count_o
);

  localparam int AnalysisCycles = 3;     // slot to arrivals
  localparam int CountCycles = 3;        // arrivals to count
  localparam int DivideMoves = 16;       // root moves on their way or waiting to be handed over
  localparam int Nodes = 8;              // positions on their way to the lister or in it
  localparam int Places = 16 + 16;       // for positions: by ply, and parents
  localparam logic [3:0] ParentRem = 4'd2;

  typedef enum logic [1:0] {Idle, Walk, Drain} state_t;
  state_t state_q;
  logic [3:0] depth_q;
  logic divide_q;
  logic clear, accept, ended, finish, idle_walk;

  // Positions that are listed, from the slot to the last move of their list: names, and in the
  // order in which they will be listed. A name is the place of the position: the ply's for those
  // listed onto the stack, as their moves are made later; one of Nodes in turn for parents.
  logic node_put, node_busy_q, nodes_empty, nodes_full, node_listed, node_root;
  logic [4:0] node_place, put_place;
  logic [14:0] node_move;
  logic [$clog2(Nodes)-1:0] parent_q;
  logic put_root;

  // A move to be made this cycle, from the stack or else from the lister.
  logic entry_valid, entry_listed, entry_take, entry_empty;
  logic [3:0] entry_rem;
  logic [13:0] entry_move;
  logic beat_valid, beat_last, beat_none, beat_go, beat_first_q, beat_count, beat_mark, beat_slot;
  logic beat_push, lister_take;
  logic [5:0] beat_from, beat_to, from, to;
  logic [2:0] beat_promotion, promotion;
  logic [4:0] credit_q;                  // root moves that may still be marked

  // What is to be made, and what for. A position to be listed (node), to be counted (count); one to
  // be added to the count; the beginning of a root move; the end of the job.
  logic make_node_q, make_count_q, make_one_q, make_mark_q, make_end_q, make_root_q, promotes;
  logic [14:0] make_mark_move_q;
  logic [11:0] make_move_q;
  logic [4:0] make_place_q;
  logic [2:0] make_promotion_q;
  logic [63:0] from_q, to_q, make_own_q, make_code0_q, make_code1_q, make_code2_q;
  logic [3:0] make_castling_q;
  logic [7:0] make_ep_q, make_job_ep_q;
  movegen_coded_t parent, made;

  // The slot.
  logic [63:0] own_q, code0_q, code1_q, code2_q, own_d, code0_d, code1_d, code2_d;
  logic [3:0] castling_q, castling_d;
  logic [7:0] ep_q, ep_d;
  movegen_coded_t slot;
  logic [4:0] place_q;
  logic root_listed, node_q, node_3, count_6, one_6, mark_6, end_6;
  logic [14:0] mark_move_6;

  assign clear = rst_i | abort_i;
  assign job_ready_o = state_q == Idle;
  assign busy_o = state_q != Idle;
  assign accept = job_valid_i & (state_q == Idle) & ~clear;
  assign idle_walk = (state_q == Walk) & nodes_empty & ~make_node_q & entry_empty;
  assign finish = (state_q == Drain) & ended & ~div_valid_o;

  always_ff @(posedge clk_i) begin
    if (clear) begin
      state_q <= Idle;
      done_o <= 1'b0;
    end else begin
      done_o <= finish;
      case (state_q)
        Idle: if (accept) state_q <= Walk;
        Walk: if (idle_walk) state_q <= Drain;
        default: if (finish) state_q <= Idle;
      endcase
    end
    if (accept) begin
      depth_q <= job_depth_i;
      divide_q <= job_divide_i;
    end
  end

  // The stack: the next position to be listed.
  assign entry_take = entry_valid & ~node_busy_q & ~nodes_full;

  perftengine_stack u_stack (
    .clk_i(clk_i), .clear_i(clear),
    .start_i(accept & root_listed), .start_rem_i(job_depth_i),
    .push_i(beat_push), .push_rem_i(node_place[3:0]),
    .push_move_i({beat_from, beat_to, beat_promotion[1:0]}),
    .push_end_i(beat_go & node_listed & beat_last),
    .entry_valid_o(entry_valid), .entry_rem_o(entry_rem), .entry_move_o(entry_move),
    .entry_listed_o(entry_listed), .entry_take_i(entry_take), .empty_o(entry_empty)
  );

  // Nodes. The root is one unless it is only counted; all others come from the stack.
  assign root_listed = job_depth_i > {2'b00, ParentRem[1:0]};
  assign node_put = entry_take |
                    (accept & ((job_depth_i >= ParentRem) | ((job_depth_i == 4'd1) & job_divide_i)));
  assign put_root = entry_take & (entry_rem == depth_q);

  always_comb begin
    put_place = {1'b0, entry_rem - 4'd1};
    if (accept) put_place = {1'b0, job_depth_i};
    if (accept ? ~root_listed : ~entry_listed) put_place = {2'b10, parent_q};
  end

  perftengine_fifo #(.Width(21), .Depth(Nodes)) u_nodes (
    .clk_i(clk_i), .clear_i(clear),
    .put_i(make_node_q),
    .data_i({make_place_q, make_root_q, make_move_q, make_promotion_q & {3{promotes}}}),
    .take_i(beat_go & beat_last), .data_o({node_place, node_root, node_move}),
    .empty_o(nodes_empty), .full_o(nodes_full)
  );

  assign node_listed = ~node_place[4];

  always_ff @(posedge clk_i) begin
    if (clear) begin
      node_busy_q <= 1'b0;
      parent_q <= '0;
    end else begin
      if (node_put) node_busy_q <= 1'b1;
      else if (lister_take) node_busy_q <= 1'b0;
      if (node_put) parent_q <= parent_q + 1'b1;
    end
  end

  // The lister's moves: each is made, or goes onto the stack. Root moves are marked: with two plies
  // and fewer they are the root's own list; otherwise each is a node, and the first beat of its
  // list is marked, whatever it is.
  assign beat_count = ~node_listed & ~beat_none;
  assign beat_mark = divide_q & (depth_q <= ParentRem ? ~beat_none : node_root & beat_first_q);
  assign beat_slot = beat_count | beat_mark;
  assign beat_go = beat_valid &
                   (~beat_slot | (~entry_take & (~beat_mark | (credit_q != 5'd0))));
  assign beat_push = beat_go & node_listed & ~beat_none;

  always_ff @(posedge clk_i) begin
    if (clear) begin
      beat_first_q <= 1'b1;
      credit_q <= 5'(DivideMoves);
    end else begin
      if (beat_go) beat_first_q <= beat_last;
      credit_q <= credit_q - {4'd0, beat_go & beat_mark} + {4'd0, div_valid_o & div_ready_i};
    end
  end

  // The move and its position, before it is made. The root comes this way too: seen from the other
  // side, with no move to be made but a turn of the board (and en passant, which a turn forgets).
  logic [63:0] own_positions_q [Places], code0_positions_q [Places];
  logic [63:0] code1_positions_q [Places], code2_positions_q [Places];
  logic [11:0] rights_positions_q [Places];
  movegen_position_t job;
  movegen_coded_t job_coded;
  logic [63:0] job_own, job_code0, job_code1, job_code2;
  logic [3:0] job_castling;
  logic [7:0] job_ep;
  logic [4:0] place;

  assign job = {
    job_castling_i, job_ep_i, job_own_i, job_pawns_i, job_knights_i, job_bishops_i, job_rooks_i,
    job_queens_i, job_kings_i
  };

  movegen_encode u_encode (.position_i(job), .coded_o(job_coded));

  assign {job_castling, job_ep, job_own, job_code2, job_code1, job_code0} = job_coded;

  assign place = entry_take ? {1'b0, entry_rem} : node_place;
  assign from = entry_take ? entry_move[13:8] : beat_from;
  assign to = entry_take ? entry_move[7:2] : beat_to;
  // The two low bits of knight to queen tell them apart.
  assign promotion = entry_take ? {~entry_move[1], entry_move[1:0]} : beat_promotion;

  always_ff @(posedge clk_i) begin
    if (clear) begin
      make_node_q <= 1'b0;
      make_count_q <= 1'b0;
      make_one_q <= 1'b0;
      make_mark_q <= 1'b0;
      make_end_q <= 1'b0;
    end else begin
      make_node_q <= node_put;
      make_count_q <= accept ? (job_depth_i == 4'd1) & ~job_divide_i
                             : beat_go & beat_count & (depth_q != 4'd1);
      make_one_q <= accept ? job_depth_i == 4'd0 : beat_go & beat_count & (depth_q == 4'd1);
      make_mark_q <= beat_go & beat_mark;
      make_end_q <= idle_walk;
    end
    make_root_q <= put_root;
    make_place_q <= put_place;
    make_mark_move_q <= depth_q <= ParentRem ? {beat_from, beat_to, beat_promotion} : node_move;
    make_move_q <= {from, to};
    make_promotion_q <= promotion;
    make_job_ep_q <= job_ep & {8{accept}};
    if (accept) begin
      from_q <= 64'd0;
      to_q <= 64'd0;
      make_own_q <= game_pkg::mirror((job_code0 | job_code1 | job_code2) & ~job_own);
      make_code0_q <= game_pkg::mirror(job_code0);
      make_code1_q <= game_pkg::mirror(job_code1);
      make_code2_q <= game_pkg::mirror(job_code2);
      {make_castling_q, make_ep_q} <= {job_castling[1:0], job_castling[3:2], 8'd0};
    end else begin
      from_q <= 64'd1 << from;
      to_q <= 64'd1 << to;
      make_own_q <= own_positions_q[place];
      make_code0_q <= code0_positions_q[place];
      make_code1_q <= code1_positions_q[place];
      make_code2_q <= code2_positions_q[place];
      {make_castling_q, make_ep_q} <= rights_positions_q[place];
    end
  end

  // Make.
  assign parent = {
    make_castling_q, make_ep_q, make_own_q, make_code2_q, make_code1_q, make_code0_q
  };

  game_make u_make (
    .position_i(parent), .from_i(from_q), .to_i(to_q), .promotion_i(make_promotion_q),
    .position_o(made), .promotes_o(promotes),
    /* verilator lint_off PINCONNECTEMPTY */
    .irreversible_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  assign {castling_d, ep_d, own_d, code2_d, code1_d, code0_d} = made;

  // Stage 0: the slot.
  always_ff @(posedge clk_i) begin
    node_q <= make_node_q & ~clear;
    place_q <= make_place_q;
    own_q <= own_d;
    code0_q <= code0_d;
    code1_q <= code1_d;
    code2_q <= code2_d;
    castling_q <= castling_d;
    ep_q <= ep_d | make_job_ep_q;
    if (node_q) begin
      own_positions_q[place_q] <= own_q;
      code0_positions_q[place_q] <= code0_q;
      code1_positions_q[place_q] <= code1_q;
      code2_positions_q[place_q] <= code2_q;
      rights_positions_q[place_q] <= {castling_q, ep_q};
    end
  end

  // Stages 1 to 3.
  movegen_position_t position;
  movegen_safety_t safety;

  assign slot = {castling_q, ep_q, own_q, code2_q, code1_q, code0_q};

  movegen_decode u_decode (.coded_i(slot), .position_o(position));

  movegen_analysis u_analysis (
    .clk_i(clk_i), .advance_i(1'b1), .again_i(1'b0), .position_i(position), .safety_o(safety),
    /* verilator lint_off PINCONNECTEMPTY */ // for lists in an order or through a filter
    .rays_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  logic [63:0] code0_s3, code1_s3, code2_s3, to_n_s3, to_s_s3, to_e_s3, to_w_s3, to_ne_s3, to_sw_s3,
    to_nw_s3, to_se_s3, knights_s3, targets_s3;
  logic [7:0] promote_n_s3, promote_ne_s3, promote_nw_s3;
  logic [1:0] castling_s3;
  logic check_s3;

  movegen_arrivals u_arrivals (
    .clk_i(clk_i), .advance_i(1'b1), .first_ns_i(safety.movers_ns), .first_ew_i(safety.movers_ew),
    .first_nesw_i(safety.movers_nesw), .first_nwse_i(safety.movers_nwse), .second_ns_i(64'h0),
    .second_ew_i(64'h0), .second_nesw_i(64'h0), .second_nwse_i(64'h0), .code0_i(safety.code0),
    .code1_i(safety.code1), .code2_i(safety.code2), .empty_i(safety.empty), .king_i(safety.king),
    .king_to_i(safety.king_to), .targets_i(safety.targets), .pushers_i(safety.pushers),
    .takers_ne_i(safety.takers_ne), .takers_nw_i(safety.takers_nw), .knights_i(safety.knights),
    .castling_i(safety.castling), .ep_i(safety.ep), .ep_ne_i(safety.ep_ne), .ep_nw_i(safety.ep_nw),
    .check_i(safety.check), .code0_o(code0_s3), .code1_o(code1_s3), .code2_o(code2_s3),
    .to_n_o(to_n_s3), .to_s_o(to_s_s3), .to_e_o(to_e_s3), .to_w_o(to_w_s3), .to_ne_o(to_ne_s3),
    .to_sw_o(to_sw_s3), .to_nw_o(to_nw_s3), .to_se_o(to_se_s3), .knights_o(knights_s3),
    .targets_o(targets_s3), .promote_n_o(promote_n_s3), .promote_ne_o(promote_ne_s3),
    .promote_nw_o(promote_nw_s3), .castling_o(castling_s3), .check_o(check_s3),
    /* verilator lint_off PINCONNECTEMPTY */ // for lists in an order or through a filter
    .king_o(), .king_to_o(), .ep_o(), .push_o(), .double_o(), .take_ne_o(), .take_nw_o(),
    .ep_ne_o(), .ep_nw_o(), .first_n_o(), .first_s_o(), .first_e_o(), .first_w_o(), .first_ne_o(),
    .first_sw_o(), .first_nw_o(), .first_se_o(), .second_n_o(), .second_s_o(), .second_e_o(),
    .second_w_o(), .second_ne_o(), .second_sw_o(), .second_nw_o(), .second_se_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  perftengine_delay #(.Width(1), .Cycles(AnalysisCycles)) u_node (
    .clk_i(clk_i), .clear_i(clear), .data_i(node_q), .data_o(node_3)
  );

  // Stages 4 to 9: the list.
  perftengine_lister u_lister (
    .clk_i(clk_i), .clear_i(clear), .node_i(node_3),
    .code0_i(code0_s3), .code1_i(code1_s3), .code2_i(code2_s3), .to_n_i(to_n_s3), .to_s_i(to_s_s3),
    .to_e_i(to_e_s3), .to_w_i(to_w_s3), .to_ne_i(to_ne_s3), .to_sw_i(to_sw_s3), .to_nw_i(to_nw_s3),
    .to_se_i(to_se_s3), .knights_i(knights_s3), .targets_i(targets_s3), .castling_i(castling_s3),
    .take_o(lister_take),
    .beat_valid_o(beat_valid), .beat_ready_i(beat_go), .beat_from_o(beat_from), .beat_to_o(beat_to),
    .beat_promotion_o(beat_promotion), .beat_last_o(beat_last), .beat_none_o(beat_none)
  );

  // Stages 4 to 6: the count. Stage 7: the sums.
  logic [7:0] count_s6;

  movegen_count u_count (
    .clk_i(clk_i), .rst_i(clear), .valid_i(1'b0), // what is counted and what is not, is known here
    .to_n_i(to_n_s3), .to_s_i(to_s_s3), .to_e_i(to_e_s3), .to_w_i(to_w_s3), .to_ne_i(to_ne_s3),
    .to_sw_i(to_sw_s3), .to_nw_i(to_nw_s3), .to_se_i(to_se_s3), .knights_i(knights_s3),
    .targets_i(targets_s3), .promote_n_i(promote_n_s3), .promote_ne_i(promote_ne_s3),
    .promote_nw_i(promote_nw_s3), .castling_i(castling_s3), .check_i(check_s3),
    /* verilator lint_off PINCONNECTEMPTY */
    .count_valid_o(), .count_check_o(),
    /* verilator lint_on PINCONNECTEMPTY */
    .count_o(count_s6)
  );

  logic ended_q;

  perftengine_delay #(.Width(19), .Cycles(1 + AnalysisCycles + CountCycles)) u_tags (
    .clk_i(clk_i), .clear_i(clear),
    .data_i({make_count_q, make_one_q, make_mark_q, make_end_q, make_mark_move_q}),
    .data_o({count_6, one_6, mark_6, end_6, mark_move_6})
  );

  perftengine_sum #(.Moves(DivideMoves)) u_sum (
    .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear), .start_i(accept),
    .add_i(count_6 ? count_s6 : {7'd0, one_6}),
    .mark_i(mark_6), .mark_move_i(mark_move_6), .end_i(end_6),
    .total_o(count_o),
    .div_valid_o(div_valid_o), .div_ready_i(div_ready_i),
    .div_move_o({div_from_o, div_to_o, div_promotion_o}), .div_count_o(div_count_o)
  );

  always_ff @(posedge clk_i) begin
    if (clear | accept) ended_q <= 1'b0;
    else if (end_6) ended_q <= 1'b1;
  end
  assign ended = ended_q;

endmodule

`default_nettype wire
