// Asks the move generator for the legal moves of a position, that on the board or one made up
// (validity_question), and passes its list on.
//
// An answer takes the same time whatever the position: QuestionCycles, from the cycle after ask_i
// to that of done_o. With the default it is there in good time (a list comes at one move a clock,
// some ten clocks after the position; 218 moves are the most that a position has, and those made up
// have 120 more at most), and so nothing depends on how the generator works. Should a list be
// longer, done_o waits for its end.
//
// Cost: that of movegen; besides, 955 LUTs with validity_question, 624 flip-flops.

`default_nettype none

module validity_ask #(
  parameter int QuestionCycles = 384    // more than the history needs: see validity_history
) (
  input  logic        clk_i,
  input  logic        rst_i,

  input  logic        ask_i,           // not before done_o has answered the one before
  input  logic [2:0]  kind_i,          // validity_pkg::Ask*
  input  logic [5:0]  from_i,          // see validity_question
  input  logic [5:0]  to_i,
  // the position, in the view of the side to move
  input  movegen_position_t position_i,

  output logic        move_valid_o,    // a legal move
  output logic [5:0]  move_from_o,
  output logic [5:0]  move_to_o,
  output logic [2:0]  move_piece_o,
  output logic [2:0]  move_captured_o,
  output logic [2:0]  move_promotion_o,
  output logic [1:0]  move_castling_o,
  output logic        move_ep_o,
  output logic        check_o,         // the side to move is in check; from done_o on
  output logic        done_o           // all moves have been passed on
);

  localparam int Width = $clog2(QuestionCycles);

  movegen_position_t asked;
  logic [63:0] own_d, pawns_d, knights_d, bishops_d, rooks_d, queens_d, kings_d;
  logic [63:0] own_q, pawns_q, knights_q, bishops_q, rooks_q, queens_q, kings_q;
  /* verilator lint_off UNUSEDSIGNAL */ // the opponent's rights do not matter
  logic [3:0] castling_d;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [1:0] castling_q;
  logic [7:0] ep_d, ep_q;
  logic valid_q, ready, beat_valid, beat_last, beat_none, count_valid, count_check;
  logic [5:0] beat_from, beat_to;
  logic [2:0] beat_piece, beat_captured, beat_promotion;
  logic [1:0] beat_castling;
  logic beat_ep, busy_q, ended_q;
  logic [Width-1:0] left_q;

  // The move in question stands for at least two clocks before it is asked about.
  logic [63:0] from_q, to_q;

  always_ff @(posedge clk_i) begin
    from_q <= 64'd1 << from_i;
    to_q <= 64'd1 << to_i;
  end

  validity_question u_question (
    .kind_i(kind_i), .from_i(from_q), .to_i(to_q),
    .position_i(position_i), .position_o(asked)
  );

  assign {
    castling_d, ep_d, own_d, pawns_d, knights_d, bishops_d, rooks_d, queens_d, kings_d
  } = asked;

  always_ff @(posedge clk_i) begin
    if (ask_i) begin
      own_q <= own_d;
      pawns_q <= pawns_d;
      knights_q <= knights_d;
      bishops_q <= bishops_d;
      rooks_q <= rooks_d;
      queens_q <= queens_d;
      kings_q <= kings_d;
      castling_q <= castling_d[1:0];
      ep_q <= ep_d;
    end
    if (rst_i) valid_q <= 1'b0;
    else if (ask_i) valid_q <= 1'b1;
    else if (ready) valid_q <= 1'b0;
  end

  movegen u_movegen (
    .clk_i(clk_i), .rst_i(rst_i),
    .pos_valid_i(valid_q), .pos_ready_o(ready), .pos_list_i(1'b1),
    .pos_order_i(2'd0), .pos_filter_i(2'd0),
    .pos_own_i(own_q), .pos_pawns_i(pawns_q), .pos_knights_i(knights_q),
    .pos_bishops_i(bishops_q), .pos_rooks_i(rooks_q), .pos_queens_i(queens_q),
    .pos_kings_i(kings_q), .pos_castling_i(castling_q), .pos_ep_i(ep_q),
    .count_valid_o(count_valid), .count_check_o(count_check),
    /* verilator lint_off PINCONNECTEMPTY */
    .count_o(),
    /* verilator lint_on PINCONNECTEMPTY */
    .move_valid_o(beat_valid), .move_ready_i(1'b1),
    .move_from_o(beat_from), .move_to_o(beat_to), .move_piece_o(beat_piece),
    .move_captured_o(beat_captured), .move_promotion_o(beat_promotion),
    .move_castling_o(beat_castling), .move_ep_o(beat_ep),
    .move_last_o(beat_last), .move_none_o(beat_none)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      move_valid_o <= 1'b0;
      busy_q <= 1'b0;
    end else begin
      move_valid_o <= beat_valid & ~beat_none;
      if (ask_i) busy_q <= 1'b1;
      else if (done_o) busy_q <= 1'b0;
    end
    if (ask_i) ended_q <= 1'b0;
    else if (beat_valid & beat_last) ended_q <= 1'b1;
    if (ask_i) left_q <= Width'(QuestionCycles - 1);
    else if (left_q != '0) left_q <= left_q - Width'(1);

    move_from_o <= beat_from;
    move_to_o <= beat_to;
    move_piece_o <= beat_piece;
    move_captured_o <= beat_captured;
    move_promotion_o <= beat_promotion;
    move_castling_o <= beat_castling;
    move_ep_o <= beat_ep;
    if (count_valid) check_o <= count_check;
  end

  assign done_o = busy_q & ended_q & (left_q == '0);

endmodule

`default_nettype wire
