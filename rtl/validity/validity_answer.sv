// What a list of legal moves says: of a reading of the board, of one move in question, of the
// position itself.
//
// Moves come one a clock after clear_i; what they say is at the outputs a clock after the last of
// them. Only some count for the reading: when a remote side's move is to be carried out (shown_i)
// only this one, and when a remote side has not said how it moves (waiting_i) none.
//
// The move kept is the one that the reading shows as made (keep_made_i), or else the one in
// question.
//
// Words and squares are in the view of the side to move. Cost: 686 LUTs, 34 flip-flops.

`default_nettype none

module validity_answer (
  input  logic        clk_i,

  input  logic        clear_i,           // a new question
  input  logic        real_i,            // it is about the position on the board

  input  logic        move_valid_i,      // a legal move
  input  logic [5:0]  move_from_i,
  input  logic [5:0]  move_to_i,
  input  logic [2:0]  move_piece_i,
  input  logic [2:0]  move_captured_i,
  input  logic [2:0]  move_promotion_i,
  input  logic [1:0]  move_castling_i,
  input  logic        move_ep_i,

  input  logic [63:0] lifted_i,          // the reading: see validity_match
  input  logic [63:0] filled_i,
  input  logic [63:0] refilled_i,
  input  logic        shown_i,           // only the move shown counts
  input  logic [5:0]  shown_from_i,
  input  logic [5:0]  shown_to_i,
  input  logic [2:0]  shown_promotion_i,
  input  logic        waiting_i,         // no move counts

  input  logic [5:0]  from_i,            // the move in question
  input  logic [5:0]  to_i,
  input  logic [2:0]  promotion_i,

  input  logic        keep_made_i,
  input  logic        keep_hit_i,
  input  logic        choose_i,          // set the promotion of the move kept
  input  logic [2:0]  choice_i,

  output logic        made_o,            // the reading is a legal move made
  output logic        several_o,         // it is several
  output logic        begun_o,           // it is one on its way
  output logic        half_o,            // it is the rook's half of castling
  // the move in question is legal, but for what it promotes to
  output logic        hit_o,
  output logic        hit_exactly_o,     // it is legal
  output logic        any_o,             // there is a legal move
  output logic        takes_ep_o,        // one of them takes en passant
  // of the position on the board: e1f1 (0), e1d1 (1) is legal
  output logic [1:0]  king_step_o,

  output logic [5:0]  move_from_o,       // the move kept
  output logic [5:0]  move_to_o,
  output logic [2:0]  move_piece_o,
  output logic [2:0]  move_captured_o,
  output logic [2:0]  move_promotion_o,
  output logic [1:0]  move_castling_o,
  output logic        move_ep_o
);

  logic made, begun, half, counts, hit, hit_exactly, keep, other;

  validity_match u_match (
    .from_i(move_from_i), .to_i(move_to_i), .captured_i(move_captured_i),
    .castling_i(move_castling_i), .ep_i(move_ep_i),
    .lifted_i(lifted_i), .filled_i(filled_i), .refilled_i(refilled_i),
    .made_o(made), .begun_o(begun), .half_o(half)
  );

  assign counts = shown_i ? (move_from_i == shown_from_i) & (move_to_i == shown_to_i) &
                            (move_promotion_i == shown_promotion_i)
                          : ~waiting_i;
  assign hit = (move_from_i == from_i) & (move_to_i == to_i);
  assign hit_exactly = hit & (move_promotion_i == promotion_i);
  assign keep = (keep_made_i & made & counts) | (keep_hit_i & hit_exactly);
  assign other = (move_from_i != move_from_o) | (move_to_i != move_to_o);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      made_o <= 1'b0;
      several_o <= 1'b0;
      begun_o <= 1'b0;
      half_o <= 1'b0;
      hit_o <= 1'b0;
      hit_exactly_o <= 1'b0;
      any_o <= 1'b0;
      takes_ep_o <= 1'b0;
      if (real_i) king_step_o <= 2'b00;
    end else if (move_valid_i) begin
      any_o <= 1'b1;
      takes_ep_o <= takes_ep_o | move_ep_i;
      hit_o <= hit_o | hit;
      hit_exactly_o <= hit_exactly_o | hit_exactly;
      if (counts) begin
        made_o <= made_o | made;
        several_o <= several_o | (made & made_o & other);
        begun_o <= begun_o | begun;
        half_o <= half_o | half;
      end
      if (real_i & (move_from_i == 6'd4)) begin
        king_step_o <= king_step_o | {move_to_i == 6'd3, move_to_i == 6'd5};
      end
    end

    if (move_valid_i & keep) begin
      move_from_o <= move_from_i;
      move_to_o <= move_to_i;
      move_piece_o <= move_piece_i;
      move_captured_o <= move_captured_i;
      move_promotion_o <= move_promotion_i;
      move_castling_o <= move_castling_i;
      move_ep_o <= move_ep_i;
    end else if (choose_i) begin
      move_promotion_o <= choice_i;
    end
  end

endmodule

`default_nettype wire
