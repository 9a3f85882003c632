// Burst list: all legal moves of a chess position as fast as they come, over 26 lanes side by side.
//
// Board words are in the view of the side to move, as for movegen: own pawns move up; with black to
// move the board is mirrored (square n becomes n ^ 56) and the colours swap. Bit n is square n, a1
// = bit 0.
//
//   stage 1   movegen_analysis   rays of the opponent's sliders and of our king
//   stage 2                      checks, pins, castling, en passant
//             burst_arrivals     arrivals by direction of travel, pins respected
//   stage 3   burst_words        all legal moves, a bit a move
//             burst_lane x 18, burst_knights   of these, what is left in each lane
//   stage 4                    one of them in each lane
//   stage 5                    the pieces on the line along which it goes
//   stage 6                    its origin, and what it captures
//
// A position is taken in a cycle where pos_valid_i and pos_ready_o are both 1. Its list comes as
// beats, in each of which every lane has a move or none: the first beat 6 cycles later, the others
// clock by clock, and the last one has beat_last_o. A position without moves is one beat without
// moves. A beat is handed over in a cycle where beat_valid_o and beat_ready_i are both 1; until
// then it holds. Lists of positions that wait behind one another follow without a gap, but for one
// of a single beat, which takes two cycles.
//
// A move is a word of 32 bits: 5:0 origin, 13:8 destination, 18:16 promotion, 22:20 piece, 23 en
// passant, 26:24 captured piece, 27 castling, 31 valid; the others are 0. Squares are in the view
// of the side to move. Pieces: 0 none, 1 pawn (also captured en passant), 2 knight, 3 bishop, 4
// rook, 5 queen, 6 king. While valid is 0 the other fields mean nothing, and it is 0 without a
// beat.
//
// Lanes 2 * d and 2 * d + 1 have moves in direction d of burst_pkg, 16 and 17 those of pawns
// pushed, 18 to 25 those of knights, by way of leaping. Lane 2 * d has the dark destinations, like
// a1, lane 2 * d + 1 the light ones; but on diagonals, those on ranks 1, 3, 5, 7 and on 2, 4, 6, 8.
// For promotions to rook, bishop and knight ranks 9, 10, 11 stand instead of 8. A lane's moves
// ascend by destination, and knights by origin.
//
// No output depends on an input of the same cycle. While rst_i is 1 no position is taken and no
// beat handed over.
//
// A position is trusted to be legal, and in simulation assumed to be: so a right stands for a king
// on e1 and a rook on its corner. The pawn of pos_ep_i need not be capturable. A board without a
// king of the side to move has no meaning.

`default_nettype none

module burst (
  input  logic         clk_i,
  input  logic         rst_i,             // synchronous

  input  logic         pos_valid_i,
  output logic         pos_ready_o,
  input  logic [63:0]  pos_own_i,         // the side to move's pieces
  input  logic [63:0]  pos_pawns_i,       // pieces by kind, both colours
  input  logic [63:0]  pos_knights_i,
  input  logic [63:0]  pos_bishops_i,
  input  logic [63:0]  pos_rooks_i,
  input  logic [63:0]  pos_queens_i,
  input  logic [63:0]  pos_kings_i,
  input  logic [1:0]   pos_castling_i,    // the side to move's rights: 0 king side, 1 queen side
  // file of an opponent's pawn that just made a double step,
  input  logic [7:0]   pos_ep_i,
                                          // one-hot (0 = a); 0: none

  output logic         beat_valid_o,
  input  logic         beat_ready_i,
  output logic         beat_last_o,       // last beat of this position's list

  output logic [831:0] move_o             // 32 bits a lane, see above
);

  localparam int Knights = burst_pkg::KnightLane;

  // Stages 1 and 2 advance together unless the position in stage 2 waits for the lanes; stages 3 to
  // 6, unless a beat waits for its receiver.
  logic valid1_q, valid2_q, valid3_q, valid4_q, valid5_q, last4_q, last5_q;
  logic taken2_q;  // the lanes have taken the position in stage 2
  logic advance12, advance36, wait2, free3, take2;
  logic [18:0] more;

  assign wait2 = valid2_q & ~taken2_q;
  assign advance12 = ~wait2;
  assign advance36 = ~beat_valid_o | beat_ready_i;
  assign free3 = ~valid3_q | ~(|more);  // the lanes come to the end of the position that they hold
  assign take2 = advance36 & free3 & wait2;
  assign pos_ready_o = advance12;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
      taken2_q <= 1'b0;
      valid3_q <= 1'b0;
      valid4_q <= 1'b0;
      valid5_q <= 1'b0;
      beat_valid_o <= 1'b0;
    end else begin
      taken2_q <= take2;
      if (advance12) begin
        valid1_q <= pos_valid_i;
        valid2_q <= valid1_q;
      end
      if (advance36) begin
        valid3_q <= wait2 | ~free3;
        valid4_q <= valid3_q;
        valid5_q <= valid4_q;
        beat_valid_o <= valid5_q;
      end
    end

    if (advance36) begin
      last4_q <= free3;
      last5_q <= last4_q;
      beat_last_o <= last5_q;
    end
  end

  // Stages 1 and 2.
  logic [63:0] code0_s2, code1_s2, code2_s2, targets_s2;
  logic [63:0] to_n_s2, to_s_s2, to_e_s2, to_w_s2, to_ne_s2, to_sw_s2, to_nw_s2, to_se_s2, push_s2;
  logic [7:0] promote_ne_s2, promote_nw_s2;
  movegen_position_t position;
  /* verilator lint_off UNUSEDSIGNAL */  // some of it is for movegen's own next stages
  movegen_rays_t rays;
  movegen_safety_t safety;
  /* verilator lint_on UNUSEDSIGNAL */

  assign position = {
    2'b00, pos_castling_i, pos_ep_i, pos_own_i, pos_pawns_i, pos_knights_i, pos_bishops_i,
    pos_rooks_i, pos_queens_i, pos_kings_i
  };

  movegen_analysis u_analysis (
    .clk_i(clk_i), .advance_i(advance12), .again_i(1'b0), .position_i(position), .rays_o(rays),
    .safety_o(safety)
  );

  assign code0_s2 = safety.code0;
  assign code1_s2 = safety.code1;
  assign code2_s2 = safety.code2;
  assign targets_s2 = safety.targets;

  burst_arrivals u_arrivals (
    .clk_i(clk_i), .advance_i(advance12), .own_i(rays.own), .empty_i(rays.empty),
    .pawns_i(rays.pawns), .ortho_i(rays.ortho), .diag_i(rays.diag), .line_ns_i(rays.line_ns),
    .line_ew_i(rays.line_ew), .line_nesw_i(rays.line_nesw), .line_nwse_i(rays.line_nwse),
    .to_n_o(to_n_s2), .to_s_o(to_s_s2), .to_e_o(to_e_s2), .to_w_o(to_w_s2), .to_ne_o(to_ne_s2),
    .to_sw_o(to_sw_s2), .to_nw_o(to_nw_s2), .to_se_o(to_se_s2), .push_o(push_s2),
    .promote_ne_o(promote_ne_s2), .promote_nw_o(promote_nw_s2)
  );

  // Stage 3. Words of eleven ranks for pawns, otherwise of eight.
  logic [87:0] word [9];
  logic [63:0] knights3;

  burst_words u_words (
    .to_n_i(to_n_s2), .to_s_i(to_s_s2), .to_e_i(to_e_s2), .to_w_i(to_w_s2), .to_ne_i(to_ne_s2),
    .to_sw_i(to_sw_s2), .to_nw_i(to_nw_s2), .to_se_i(to_se_s2), .push_i(push_s2),
    .promote_ne_i(promote_ne_s2), .promote_nw_i(promote_nw_s2),
    .targets_i(targets_s2), .king_i(safety.king), .king_to_i(safety.king_to),
    .knights_i(safety.knights), .castling_i(safety.castling), .ep_ne_i(safety.ep_ne),
    .ep_nw_i(safety.ep_nw),
    .word_n_o(word[burst_pkg::North][63:0]), .word_s_o(word[burst_pkg::South][63:0]),
    .word_e_o(word[burst_pkg::East][63:0]), .word_w_o(word[burst_pkg::West][63:0]),
    .word_ne_o(word[burst_pkg::NorthEast]), .word_sw_o(word[burst_pkg::SouthWest][63:0]),
    .word_nw_o(word[burst_pkg::NorthWest]), .word_se_o(word[burst_pkg::SouthEast][63:0]),
    .word_push_o(word[8]), .knights_o(knights3)
  );

  // What is looked up, of the positions in stages 3 and 4: these may be two.
  logic [63:0] code0_3q, code1_3q, code2_3q, targets_3q;
  logic [63:0] code0_4q, code1_4q, code2_4q, targets_4q;

  always_ff @(posedge clk_i) begin
    if (take2) begin
      code0_3q <= code0_s2;
      code1_3q <= code1_s2;
      code2_3q <= code2_s2;
      targets_3q <= targets_s2;
    end
    if (advance36) begin
      code0_4q <= code0_3q;
      code1_4q <= code1_3q;
      code2_4q <= code2_3q;
      targets_4q <= targets_3q;
    end
  end

  // By the lines of each axis: files, ranks, diagonals.
  logic [63:0] lines0 [4];
  logic [63:0] lines1 [4];
  logic [63:0] lines2 [4];

  for (genvar i = 0; i < 4; i++) begin : g_axis
    if (i == burst_pkg::East / 2) begin : g_ranks
      assign lines0[i] = code0_4q;
      assign lines1[i] = code1_4q;
      assign lines2[i] = code2_4q;
    end else begin : g_lines
      localparam int Slope = i == burst_pkg::North / 2 ? 0 : i == burst_pkg::NorthEast / 2 ? 1 : 7;
      burst_lines #(.Slope(Slope)) u_lines0 (.word_i(code0_4q), .lines_o(lines0[i]));
      burst_lines #(.Slope(Slope)) u_lines1 (.word_i(code1_4q), .lines_o(lines1[i]));
      burst_lines #(.Slope(Slope)) u_lines2 (.word_i(code2_4q), .lines_o(lines2[i]));
    end
  end

  for (genvar i = 0; i < Knights; i++) begin : g_lane
    localparam int Direction = i < burst_pkg::PushLane ? i / 2 : burst_pkg::North;
    localparam bit Pawns = (i >= burst_pkg::PushLane) | (Direction == burst_pkg::NorthEast) |
                           (Direction == burst_pkg::NorthWest);
    localparam int Ranks = Pawns ? 11 : 8;

    burst_lane #(.Direction(Direction), .Half(i % 2), .Ranks(Ranks)) u_lane (
      .clk_i(clk_i), .rst_i(rst_i), .advance_i(advance36),
      .load_i(free3), .word_i(word[i / 2][8*Ranks-1:0]), .valid_i(valid3_q), .more_o(more[i]),
      .code0_i(lines0[Direction / 2]), .code1_i(lines1[Direction / 2]), .code2_i(lines2[Direction / 2]),
      .move_o(move_o[32*i +: 32])
    );
  end

  burst_knights u_knights (
    .clk_i(clk_i), .rst_i(rst_i), .advance_i(advance36),
    .load_i(free3), .knights_i(knights3), .valid_i(valid3_q), .more_o(more[Knights]),
    .code0_i(code0_4q), .code1_i(code1_4q), .code2_i(code2_4q), .targets_i(targets_4q),
    .move_o(move_o[831:32*Knights])
  );

`ifndef SYNTHESIS
  // What is trusted: a position that is offered is legal.
  logic legal;
  logic begun_q = 1'b0; // the first reset has

  game_legal u_legal (.position_i(position), .legal_o(legal));

  always @(posedge clk_i) begin
    begun_q <= begun_q | rst_i;
    if (begun_q & pos_valid_i) assume (legal);
  end
`endif

endmodule

`default_nettype wire
