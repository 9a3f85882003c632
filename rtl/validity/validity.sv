// What is played on a chess board that knows only which squares are occupied.
//
// It takes scans of the board, and decides on readings that have stayed as they are for a while.
// Each is compared with all legal moves of the position, which the move generator lists anew: it is
// such a move made, or on its way; or pieces are in hand; or it is illegal, and then what must be
// put back is shown until the board stands as the position has it. The reason is found by asking
// the move generator what would be legal if something were otherwise. So chess is known to movegen
// (which moves there are) and game (what they lead to), and nothing else.
//
//   scans -> track -> [reading due] -> ask: movegen lists -> match: made? begun?
//                                                             |  neither
//                        game <- move made                    +-> attempt -> ask ... -> reason
//                          |
//                          +-> ask: check? moves left? -> history, material, end
//
// Squares are absolute at the ports (a1 = 0, h8 = 63, for both sides), and in the view of the side
// to move within. See README.md for the rules of handling, the codes and all timing.
//
// A decision takes 387 clocks, the reason for a refusal up to four times as many; scans meanwhile
// (busy_o) are passed over: they come every 2.5 million.
//
// Cost: 15 104 LUTs, 8447 flip-flops, 4 RAMB36, movegen and game included.

`default_nettype none

module validity #(
  parameter int StableScans = 5,       // scans for which a reading must stay to be decided on
  // more of them: for a rook's move that may be half of castling
  parameter int CastlingScans = 40,
  // clocks for a question to the move generator: see validity_ask
  parameter int QuestionCycles = 384
) (
  input  logic        clk_i,
  input  logic        rst_i,             // synchronous: a new game from the start position

  input  logic        scan_valid_i,      // a scan has been made
  input  logic [63:0] occupied_i,        // what it saw
  output logic        busy_o,            // a scan in this cycle is passed over

  // Sides played remotely, and their moves.
  input  logic [1:0]  remote_i,          // 0 white, 1 black: its moves come from remote_*
  input  logic        remote_valid_i,
  output logic        remote_ready_o,
  input  logic [5:0]  remote_from_i,
  input  logic [5:0]  remote_to_i,
  input  logic [2:0]  remote_promotion_i, // 2 knight, 3 bishop, 4 rook, 5 queen; 0 none
  // either side's, and made at once: a saved game is restored
  input  logic        remote_replay_i,
  output logic        remote_done_o,     // the answer: one cycle
  output logic [4:0]  remote_reason_o,   // with it: why the move is refused; 0: it is not
  output logic        remote_shown_o,    // a remote move is to be carried out on the board

  // what a pawn becomes, while StatePromotion; 0: not chosen yet
  input  logic [2:0]  promotion_i,

  // A position to go on from: a new game.
  input  logic        load_valid_i,
  output logic        load_ready_o,
  input  logic [63:0] load_white_i,
  input  logic [63:0] load_pawns_i,
  input  logic [63:0] load_knights_i,
  input  logic [63:0] load_bishops_i,
  input  logic [63:0] load_rooks_i,
  input  logic [63:0] load_queens_i,
  input  logic [63:0] load_kings_i,
  input  logic [3:0]  load_castling_i,   // 0 K, 1 Q, 2 k, 3 q
  // file of a pawn that just made a double step, one-hot, or 0
  input  logic [7:0]  load_ep_i,
  input  logic        load_black_i,
  input  logic [15:0] load_halfmove_i,
  input  logic [15:0] load_fullmove_i,

  // The end of the game from outside. 0 white, 1 black.
  input  logic [1:0]  flag_i,            // its time is over
  input  logic [1:0]  resign_i,
  input  logic [1:0]  draw_i,            // it offers a draw, or agrees to one
  input  logic [1:0]  claim_i,           // it claims a draw
  output logic        claim_refused_o,   // one cycle
  output logic [1:0]  offer_o,           // its offer of a draw stands
  output logic        threefold_o,       // a draw can be claimed: this position for the third time
  output logic        fifty_o,           // or fifty moves without capture or pawn's move

  // State of the board.
  output logic [2:0]  state_o,           // validity_pkg::State*
  output logic [4:0]  reason_o,          // StateIllegal: validity_pkg::Reason*; else 0
  // StateSetUp, StateIllegal: squares that differ from the position
  output logic [63:0] restore_o,
  // two pieces of the side to move are up, and it does not castle
  output logic        warning_o,
  // what the LEDs are to show: validity_pkg::Show*, leds' patterns
  output logic [3:0]  show_o,
  output logic [5:0]  show_from_o,       // ShowMove; ShowPromotion, ShowCheck: the square
  output logic [5:0]  show_to_o,

  // The move made last.
  // it has been made, and the position after it judged: one cycle
  output logic        move_valid_o,
  output logic [5:0]  move_from_o,
  output logic [5:0]  move_to_o,
  output logic [2:0]  move_piece_o,      // 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king
  output logic [2:0]  move_captured_o,   // 0 none; 1 also for en passant
  output logic [2:0]  move_promotion_o,  // 0 none
  output logic [1:0]  move_castling_o,   // 0 king side, 1 queen side
  output logic        move_ep_o,
  output logic        move_black_o,      // it is Black's

  // The position.
  output logic [63:0] pos_white_o,
  output logic [63:0] pos_pawns_o,
  output logic [63:0] pos_knights_o,
  output logic [63:0] pos_bishops_o,
  output logic [63:0] pos_rooks_o,
  output logic [63:0] pos_queens_o,
  output logic [63:0] pos_kings_o,
  output logic [3:0]  pos_castling_o,    // as load_castling_i
  output logic [7:0]  pos_ep_o,
  output logic        pos_black_o,
  output logic [15:0] pos_halfmove_o,
  output logic [15:0] pos_fullmove_o,
  output logic        check_o,           // the side to move is in check
  output logic [5:0]  king_o,            // where its king is
  output logic [1:0]  result_o,          // 0 in play, 1 white wins, 2 black wins, 3 draw
  output logic [3:0]  cause_o            // validity_pkg::Cause*
);

  // The sequence: what is done now, and what the question under way is for.
  typedef enum logic [2:0] {Boot, Idle, Ask, Hear, Verdict, Make, Keep} step_t;
  typedef enum logic [1:0] {Decide, Remote, Judge, Why} purpose_t;
  step_t step_q, step_d;
  purpose_t purpose_q, purpose_d;
  logic [2:0] kind_q, kind_d;      // the question: validity_pkg::Ask*
  logic idle, take_load, take_remote, promote, decide, clean, decided, judge, ask;

  // The board's state, and what is remembered of what is under way.
  logic [2:0] state_q, state_d;
  logic [4:0] reason_q, reason_d, answer_d;
  logic warning_q, warning_d, again_q, again_d;
  logic made_q, made_d;            // the question judges a move, not a position loaded,
  logic replay_q, replay_d;        // which was replayed
  logic for_remote_q, for_remote_d; // it is a remote move's refusal that is to be explained
  logic waits_q;                   // a remote side is to move and has not said how
  logic [5:0] from_q, to_q, from_d, to_d;
  logic [5:0] promoting_q;         // where the pawn stands, absolute
  logic move_black_q, done_d, check_q, in_check_q;

  // A remote side's request, and its move that is to be carried out.
  logic request_q, request_replay_q, shown_q, shown_d;
  logic [5:0] request_from_q, request_to_q, shown_from_q, shown_to_q;
  logic [2:0] request_promotion_q, shown_promotion_q;

  // ------------------------------------------------------------------ the position

  movegen_position_t position;
  movegen_coded_t coded;
  logic [63:0] own, pawns, knights, bishops, rooks, queens, kings, occupied, wanted;
  /* verilator lint_off UNUSEDSIGNAL */  // the opponent's rights matter to the history alone: coded
  logic [3:0] castling;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [7:0] ep;
  logic black;
  logic [15:0] halfmove, fullmove;
  logic [5:0] flip;
  logic [5:0] move_from, move_to;
  logic [2:0] move_promotion;

  validity_board u_board (
    .clk_i(clk_i), .rst_i(rst_i),
    .start_i(step_q == Boot), .load_i(take_load), .make_i(step_q == Make), .keep_i(step_q == Keep),
    .load_white_i(load_white_i), .load_pawns_i(load_pawns_i), .load_knights_i(load_knights_i),
    .load_bishops_i(load_bishops_i), .load_rooks_i(load_rooks_i), .load_queens_i(load_queens_i),
    .load_kings_i(load_kings_i), .load_castling_i(load_castling_i), .load_ep_i(load_ep_i),
    .load_black_i(load_black_i), .load_halfmove_i(load_halfmove_i),
    .load_fullmove_i(load_fullmove_i),
    .move_from_i(move_from), .move_to_i(move_to), .move_promotion_i(move_promotion),
    .position_o(position), .coded_o(coded), .occupied_o(occupied),
    .black_o(black), .halfmove_o(halfmove), .fullmove_o(fullmove),
    .pos_white_o(pos_white_o), .pos_pawns_o(pos_pawns_o), .pos_knights_o(pos_knights_o),
    .pos_bishops_o(pos_bishops_o), .pos_rooks_o(pos_rooks_o), .pos_queens_o(pos_queens_o),
    .pos_kings_o(pos_kings_o), .pos_occupied_o(wanted), .pos_castling_o(pos_castling_o)
  );

  assign {castling, ep, own, pawns, knights, bishops, rooks, queens, kings} = position;
  assign flip = {{3{black}}, 3'b000};
  assign pos_ep_o = ep;
  assign pos_black_o = black;
  assign pos_halfmove_o = halfmove;
  assign pos_fullmove_o = fullmove;
  assign king_o = validity_pkg::index(kings & own) ^ flip;

  // ------------------------------------------------------------------ the reading

  logic [63:0] seen_absolute, refilled_absolute, seen, refilled, lifted_q, filled_q, refilled_q;
  logic due, settled, read_decided;

  validity_track #(.StableScans(StableScans), .CastlingScans(CastlingScans)) u_track (
    .clk_i(clk_i), .rst_i(rst_i),
    .scan_i(scan_valid_i & ~busy_o), .occupied_i(occupied_i),
    .decided_i(decided), .again_i(again_q), .reopen_i(judge | (shown_d & ~shown_q)),
    .seen_o(seen_absolute), .refilled_o(refilled_absolute),
    .decided_o(read_decided), .due_o(due), .settled_o(settled)
  );

  assign seen = validity_pkg::turned(seen_absolute, black);
  assign refilled = validity_pkg::turned(refilled_absolute, black);

  // The reading that is decided on: no scan is taken and no move made until then.
  always_ff @(posedge clk_i) begin
    lifted_q <= occupied & ~seen;
    filled_q <= seen & ~occupied;
    refilled_q <= refilled;
  end

  // ------------------------------------------------------------------ questions

  logic beat_valid, beat_ep, beat_check, heard, real_asked;
  logic [5:0] beat_from, beat_to;
  logic [2:0] beat_piece, beat_captured, beat_promotion;
  logic [1:0] beat_castling;
  logic made, several, begun, half, hit, hit_exactly, any, takes_ep;
  logic [1:0] king_step;

  assign ask = step_q == Ask;
  assign real_asked = kind_q == validity_pkg::AskReal;

  validity_ask #(.QuestionCycles(QuestionCycles)) u_ask (
    .clk_i(clk_i), .rst_i(rst_i), .ask_i(ask), .kind_i(kind_q), .from_i(from_q), .to_i(to_q),
    .position_i(position),
    .move_valid_o(beat_valid), .move_from_o(beat_from), .move_to_o(beat_to),
    .move_piece_o(beat_piece), .move_captured_o(beat_captured),
    .move_promotion_o(beat_promotion), .move_castling_o(beat_castling), .move_ep_o(beat_ep),
    .check_o(beat_check), .done_o(heard)
  );

  validity_answer u_answer (
    .clk_i(clk_i), .clear_i(ask), .real_i(real_asked),
    .move_valid_i(beat_valid), .move_from_i(beat_from), .move_to_i(beat_to),
    .move_piece_i(beat_piece), .move_captured_i(beat_captured),
    .move_promotion_i(beat_promotion), .move_castling_i(beat_castling), .move_ep_i(beat_ep),
    .lifted_i(lifted_q), .filled_i(filled_q), .refilled_i(refilled_q),
    .shown_i(shown_q), .shown_from_i(shown_from_q), .shown_to_i(shown_to_q),
    .shown_promotion_i(shown_promotion_q), .waiting_i(waits_q),
    .from_i(from_q), .to_i(to_q), .promotion_i(request_promotion_q),
    .keep_made_i(purpose_q == Decide), .keep_hit_i(purpose_q == Remote),
    .choose_i(promote), .choice_i(promotion_i),
    .made_o(made), .several_o(several), .begun_o(begun), .half_o(half),
    .hit_o(hit), .hit_exactly_o(hit_exactly), .any_o(any), .takes_ep_o(takes_ep),
    .king_step_o(king_step),
    .move_from_o(move_from), .move_to_o(move_to), .move_piece_o(move_piece_o),
    .move_captured_o(move_captured_o), .move_promotion_o(move_promotion),
    .move_castling_o(move_castling_o), .move_ep_o(move_ep_o)
  );

  assign move_from_o = move_from ^ {{3{move_black_q}}, 3'b000};
  assign move_to_o = move_to ^ {{3{move_black_q}}, 3'b000};
  assign move_promotion_o = move_promotion;
  assign move_black_o = move_black_q;

  // ------------------------------------------------------------------ reasons

  logic onto, own_up, two, more;
  logic [4:0] tried_reason, why_reason;
  logic [5:0] tried_from, tried_to;

  validity_attempt u_attempt (
    .clk_i(clk_i),
    .lifted_i(lifted_q), .filled_i(filled_q), .refilled_i(refilled_q), .own_i(own), .pawns_i(pawns),
    .rooks_i(rooks), .kings_i(kings), .shown_i(shown_q), .waiting_i(waits_q),
    .onto_o(onto), .own_up_o(own_up), .two_o(two),
    .reason_o(tried_reason), .from_o(tried_from), .to_o(tried_to)
  );

  validity_reason u_reason (
    .clk_i(clk_i),
    .from_i(from_q), .to_i(to_q), .own_i(own), .occupied_i(occupied), .pawns_i(pawns),
    .kings_i(kings), .rooks_i({own[0] & rooks[0], own[7] & rooks[7]}), .castling_i(castling[1:0]),
    .check_i(in_check_q), .step_i(king_step), .kind_i(kind_q), .hit_i(hit),
    .more_o(more), .reason_o(why_reason)
  );

  // ------------------------------------------------------------------ the end

  logic end_pending, over;
  logic [1:0] can_mate_q, can_mate_view;
  logic [7:0] repeats;

  validity_history #(.Width(4 * 64 + 4 + 8)) u_history (
    .clk_i(clk_i), .rst_i(rst_i),
    .begin_i(ask & (purpose_q == Judge)), .fresh_i(~made_q | (halfmove == 16'd0)), .store_i(judge),
    .entry_i({coded.own, coded.code0, coded.code1, coded.code2, coded.castling,
              coded.ep & {8{takes_ep}}}),
    .repeats_o(repeats)
  );

  validity_material u_material_own (
    .own_i(own), .pawns_i(pawns), .knights_i(knights), .bishops_i(bishops), .rooks_i(rooks),
    .queens_i(queens), .can_mate_o(can_mate_view[0])
  );
  validity_material u_material_opponent (
    .own_i(occupied & ~own), .pawns_i(pawns), .knights_i(knights), .bishops_i(bishops),
    .rooks_i(rooks), .queens_i(queens), .can_mate_o(can_mate_view[1])
  );

  // The position has been so for as long as its question took.
  always_ff @(posedge clk_i) can_mate_q <= black ? {can_mate_view[0], can_mate_view[1]} : can_mate_view;

  validity_end u_end (
    .clk_i(clk_i), .rst_i(rst_i), .clear_i(take_load),
    .judge_i(judge), .none_i(~any), .check_i(beat_check), .repeats_i(repeats),
    .halfmove_i(halfmove), .black_i(black), .can_mate_i(can_mate_q), .moved_i(made_q),
    .flag_i(flag_i), .resign_i(resign_i), .draw_i(draw_i), .claim_i(claim_i),
    .act_i(idle & ~load_valid_i), .pending_o(end_pending),
    .result_o(result_o), .cause_o(cause_o), .offer_o(offer_o),
    .threefold_o(threefold_o), .fifty_o(fifty_o), .refused_o(claim_refused_o)
  );
  assign over = result_o != validity_pkg::ResultNone;

  // ------------------------------------------------------------------ what is shown

  assign state_o = over ? validity_pkg::StateOver : state_q;
  assign warning_o = warning_q & (state_o == validity_pkg::StateMoving);
  assign check_o = check_q;
  assign load_ready_o = idle;
  assign remote_ready_o = ~request_q;
  assign remote_shown_o = shown_q & ~over;

  validity_show u_show (
    .state_i(state_o), .result_i(result_o), .reason_i(reason_q), .differing_i(seen_absolute ^ wanted),
    .shown_i(shown_q), .shown_from_i(shown_from_q ^ flip), .shown_to_i(shown_to_q ^ flip),
    .check_i(check_q), .king_i(king_o), .promoting_i(promoting_q),
    .reason_o(reason_o), .restore_o(restore_o),
    .show_o(show_o), .show_from_o(show_from_o), .show_to_o(show_to_o)
  );

  // ------------------------------------------------------------------ the sequence

  logic no_turn, one_made, wait_longer, illegal, chosen_later;
  logic [4:0] request_reason, illegal_reason;

  assign idle = step_q == Idle;
  assign take_load = idle & load_valid_i;
  assign take_remote = idle & ~load_valid_i & ~end_pending & request_q;
  assign promote = idle & ~load_valid_i & ~end_pending & ~request_q & ~over & read_decided &
                   (state_q == validity_pkg::StatePromotion) &
                   (promotion_i >= piece_pkg::Knight) & (promotion_i <= piece_pkg::Queen);
  assign decide = idle & ~load_valid_i & ~end_pending & ~request_q & ~over & due;
  assign clean = decide & (seen == occupied);
  assign judge = (step_q == Verdict) & (purpose_q == Judge);
  assign busy_o = ~idle | (due & ~over);

  // What a remote request is answered before any question.
  assign no_turn = shown_q | (~request_replay_q & ~remote_i[black]);
  assign request_reason = over ? validity_pkg::ReasonGameOver :
                          no_turn ? validity_pkg::ReasonNotYourTurn : validity_pkg::ReasonNone;

  // What a reading comes to: a move, perhaps one that waits; something illegal; or else something
  // is in hand.
  assign one_made = made & ~several;
  assign wait_longer = half & ~settled;
  assign illegal = several | (onto & (own_up | ~begun)) | (~begun & (|filled_q));
  assign illegal_reason = several ? validity_pkg::ReasonUnclear : tried_reason;
  assign chosen_later = (move_promotion != 3'd0) & ~shown_q;

  always @* begin
    step_d = step_q;
    purpose_d = purpose_q;
    kind_d = kind_q;
    state_d = state_q;
    reason_d = reason_q;
    answer_d = validity_pkg::ReasonNone;
    warning_d = warning_q;
    again_d = again_q;
    made_d = made_q;
    replay_d = replay_q;
    for_remote_d = for_remote_q;
    from_d = from_q;
    to_d = to_q;
    shown_d = shown_q;
    done_d = 1'b0;
    decided = 1'b0;
    case (step_q)
      Boot: begin
        step_d = Ask;
        purpose_d = Judge;
        kind_d = validity_pkg::AskReal;
        made_d = 1'b0;
        state_d = validity_pkg::StateSetUp;
      end
      Idle: begin
        kind_d = validity_pkg::AskReal;
        if (take_load) begin
          step_d = Ask;
          purpose_d = Judge;
          made_d = 1'b0;
          state_d = validity_pkg::StateSetUp;
          warning_d = 1'b0;
          again_d = 1'b0;
          shown_d = 1'b0;
        end else if (take_remote) begin
          from_d = request_from_q ^ flip;
          to_d = request_to_q ^ flip;
          for_remote_d = 1'b1;
          replay_d = request_replay_q;
          purpose_d = Remote;
          if (request_reason != validity_pkg::ReasonNone) begin
            done_d = 1'b1;
            answer_d = request_reason;
          end else begin
            step_d = Ask;
          end
        end else if (promote) begin
          step_d = Make;
          state_d = validity_pkg::StateMoving;
          replay_d = 1'b0;
        end else if (decide) begin
          again_d = 1'b0;
          for_remote_d = 1'b0;
          purpose_d = Decide;
          if (clean) begin
            decided = 1'b1;
            warning_d = 1'b0;
            state_d = validity_pkg::StateTurn;
          end else if ((state_q == validity_pkg::StateSetUp) | (state_q == validity_pkg::StateIllegal)) begin
            decided = 1'b1;
          end else begin
            step_d = Ask;
          end
        end
      end
      Ask: step_d = Hear;
      Hear: begin
        if (purpose_q == Decide) begin
          from_d = tried_from;
          to_d = tried_to;
        end
        if (heard) step_d = Verdict;
      end
      Verdict: begin
        step_d = Idle;
        case (purpose_q)
          Judge: begin
            state_d = (made_q & ~replay_q) ? validity_pkg::StateTurn : validity_pkg::StateSetUp;
          end
          Remote: begin
            if (hit_exactly) begin
              done_d = 1'b1;
              if (replay_q) step_d = Make;
              else shown_d = 1'b1;
              if (state_q == validity_pkg::StatePromotion) state_d = validity_pkg::StateMoving;
            end else if (hit) begin
              done_d = 1'b1;
              answer_d = validity_pkg::ReasonPromotion;
            end else begin
              step_d = Verdict;
              purpose_d = Why;
            end
          end
          Decide: begin
            decided = 1'b1;
            warning_d = 1'b0;
            replay_d = 1'b0;
            state_d = validity_pkg::StateMoving;
            if (one_made & wait_longer) begin
              again_d = 1'b1;
            end else if (one_made) begin
              if (chosen_later) state_d = validity_pkg::StatePromotion;
              else step_d = Make;
            end else if (illegal) begin
              if (illegal_reason != validity_pkg::ReasonNone) begin
                state_d = validity_pkg::StateIllegal;
                reason_d = illegal_reason;
              end else begin
                step_d = Verdict;
                purpose_d = Why;
              end
            end else begin
              warning_d = two & ~begun;
            end
          end
          default: begin // Why
            if (more) begin
              step_d = Ask;
              kind_d = kind_q + 3'd1;
            end else if (for_remote_q) begin
              done_d = 1'b1;
              answer_d = why_reason;
            end else begin
              state_d = validity_pkg::StateIllegal;
              reason_d = why_reason;
            end
          end
        endcase
      end
      Make: begin
        step_d = Keep;
        shown_d = 1'b0;
      end
      default: begin // Keep
        step_d = Ask;
        purpose_d = Judge;
        kind_d = validity_pkg::AskReal;
        made_d = 1'b1;
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      step_q <= Boot;
      state_q <= validity_pkg::StateSetUp;
      reason_q <= validity_pkg::ReasonNone;
      warning_q <= 1'b0;
      again_q <= 1'b0;
      shown_q <= 1'b0;
      request_q <= 1'b0;
      remote_done_o <= 1'b0;
      remote_reason_o <= validity_pkg::ReasonNone;
      move_valid_o <= 1'b0;
      check_q <= 1'b0;
    end else begin
      step_q <= step_d;
      state_q <= state_d;
      reason_q <= reason_d;
      warning_q <= warning_d;
      again_q <= again_d;
      shown_q <= shown_d;
      remote_done_o <= done_d;
      remote_reason_o <= answer_d;
      move_valid_o <= judge & made_q;
      if (judge) check_q <= beat_check;
      if (remote_valid_i & remote_ready_o) request_q <= 1'b1;
      else if (done_d) request_q <= 1'b0;
    end
    // Of the position on the board: whether there is check, for the reason to come; whose move it
    // was.
    if ((step_q == Verdict) & real_asked) in_check_q <= beat_check;
    if (step_q == Make) move_black_q <= black;
    purpose_q <= purpose_d;
    kind_q <= kind_d;
    made_q <= made_d;
    replay_q <= replay_d;
    for_remote_q <= for_remote_d;
    from_q <= from_d;
    to_q <= to_d;
    if ((step_q == Verdict) & (purpose_q == Decide)) promoting_q <= move_to ^ flip;
    if (idle) waits_q <= remote_i[black] & ~shown_q;
    if (remote_valid_i & remote_ready_o) begin
      request_from_q <= remote_from_i;
      request_to_q <= remote_to_i;
      request_promotion_q <= remote_promotion_i;
      request_replay_q <= remote_replay_i;
    end
    if (shown_d & ~shown_q) begin
      shown_from_q <= from_q;
      shown_to_q <= to_q;
      shown_promotion_q <= request_promotion_q;
    end
  end

endmodule

`default_nettype wire
