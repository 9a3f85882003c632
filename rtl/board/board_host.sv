// Speaks with the host: what a message of the host asks for is done, one after the other, and
// answered; what happens on the board is told. The messages are those of package message
// (rtl/link/message), over link.
//
// From the host: each message is done with before the next is taken. A move goes to validity and
// waits for its answer, 4 us to 20 us; the rest takes some cycles.
//
// To the host: what is to be told is a flag a kind of message, and the message is made of what is
// so when the link takes it. So there is nothing to overflow: of what changes faster than the line
// carries it, the last state is told. Only a move is kept as it was; if two come before the link
// takes one, the position is told as well.
//
// A new session begins with nothing to be told but the clocks, and what is to be restored: the host
// asks for the rest.

`default_nettype none

module board_host (
  input  logic         clk_i,
  input  logic         rst_i,             // synchronous

  // link.
  input  logic         open_i,
  input  logic         opened_i,
  input  logic         recv_valid_i,
  output logic         recv_ready_o,
  input  logic [7:0]   recv_type_i,
  input  logic [5:0]   recv_length_i,
  /* verilator lint_off UNUSED */          // every message has its own bits that mean nothing
  input  logic [255:0] recv_payload_i,
  /* verilator lint_on UNUSED */
  output logic         send_valid_o,
  input  logic         send_ready_i,
  output logic [7:0]   send_type_o,
  output logic [5:0]   send_length_o,
  output logic [255:0] send_payload_o,

  // validity: what the host asks for.
  output logic [1:0]   players_o,         // sides whose moves come from the host
  output logic         remote_valid_o,
  input  logic         remote_ready_i,
  output logic [5:0]   remote_from_o,
  output logic [5:0]   remote_to_o,
  output logic [2:0]   remote_promotion_o,
  output logic         remote_replay_o,
  input  logic         remote_done_i,     // looked at after a request was taken
  input  logic [4:0]   remote_reason_i,
  output logic         load_valid_o,
  input  logic         load_ready_i,
  output logic [63:0]  load_white_o,
  output logic [63:0]  load_pawns_o,
  output logic [63:0]  load_knights_o,
  output logic [63:0]  load_bishops_o,
  output logic [63:0]  load_rooks_o,
  output logic [63:0]  load_queens_o,
  output logic [63:0]  load_kings_o,
  output logic [3:0]   load_castling_o,
  output logic [7:0]   load_ep_o,
  output logic         load_black_o,
  output logic [15:0]  load_halfmove_o,
  output logic [15:0]  load_fullmove_o,
  output logic [1:0]   resign_o,
  output logic [1:0]   draw_o,
  output logic [1:0]   claim_o,
  input  logic         claim_refused_i,

  // validity: what is told.
  input  logic [1:0]   offer_i,
  input  logic [2:0]   state_i,
  input  logic [4:0]   reason_i,
  input  logic [63:0]  restore_i,
  input  logic         move_valid_i,
  input  logic [5:0]   move_from_i,
  input  logic [5:0]   move_to_i,
  input  logic [2:0]   move_promotion_i,
  input  logic [63:0]  white_i,
  input  logic [63:0]  pawns_i,
  input  logic [63:0]  knights_i,
  input  logic [63:0]  bishops_i,
  input  logic [63:0]  rooks_i,
  input  logic [63:0]  queens_i,
  input  logic [63:0]  kings_i,
  input  logic [3:0]   castling_i,
  input  logic [7:0]   ep_i,
  input  logic         black_i,
  input  logic [15:0]  halfmove_i,
  input  logic [15:0]  fullmove_i,
  input  logic [1:0]   result_i,
  input  logic [3:0]   cause_i,

  // clock.
  output logic         cmd_valid_o,
  // the command goes to the clock: its error in the next cycle
  input  logic         cmd_ready_i,
  output logic [2:0]   cmd_o,
  output logic         cmd_side_o,
  output logic [1:0]   cmd_control_o,
  output logic [7:0]   cmd_increment_o,
  output logic [19:0]  cmd_time_o,
  input  logic [2:0]   error_i,
  input  logic [1:0]   clock_state_i,
  input  logic         clock_turn_i,
  input  logic [1:0]   clock_flag_i,
  input  logic [1:0]   clock_control_i,
  input  logic [7:0]   clock_increment_i,
  input  logic [19:0]  white_time_i,
  input  logic [19:0]  black_time_i
);

  // Types of messages.
  localparam logic [3:0] Move = 4'd1, Replay = 4'd2, Answer = 4'd3, Restore = 4'd4, Clock = 4'd5, Time = 4'd6,
    Result = 4'd7, Request = 4'd8, State = 4'd9, Squares = 4'd10, Draw = 4'd11, Resign = 4'd12, Players = 4'd13;

  // Their payloads' lengths in bytes.
  function automatic logic [5:0] length_of(input logic [3:0] message);
    case (message)
      Move, Replay: length_of = 6'd5;
      Answer: length_of = 6'd4;
      Restore: length_of = 6'd9;
      Clock: length_of = 6'd13;
      Time: length_of = 6'd8;
      Result, Draw: length_of = 6'd2;
      State: length_of = 6'd15;
      Squares: length_of = 6'd32;
      Resign, Players: length_of = 6'd1;
      default: length_of = 6'd0;          // Request
    endcase
  endfunction

  // Answers: 0 done; validity's and clock's reasons; and those of this block.
  localparam logic [4:0] Done = 5'd0, NotYourTurn = 5'd13, NotAMove = 5'd15, GameOver = 5'd20, Unknown = 5'd31;

  // What is to be told: a bit a type of message. Its own answer goes first.
  logic [13:0] tell_q;
  logic [7:0] answer_to_q;
  logic [15:0] answer_ply_q;
  logic [4:0] answer_reason_q;

  // ------------------------------------------------------------------ from the host

  typedef enum logic [2:0] {Idle, Ask, Hear, Command, Error, Load, Claim} step_e;

  step_e step_q, step_d;
  logic [1:0] players_d;
  logic take_state, stated_q, stated_d;   // State has come, so Squares may
  // the message is the last session's: it is done, but not answered
  logic stale_q;
  logic answer_d;
  logic [4:0] answer_reason_d;
  logic request, known, over;
  logic [3:0] message;

  // Of the message, which stands for some bytes before it is valid: it is about the move that is
  // due.
  logic [15:0] payload_ply;
  logic [14:0] payload_fullmove_q;
  logic due;
  logic side;

  assign payload_ply = recv_payload_i[15:0];
  assign due = {payload_fullmove_q, payload_ply[0]} == {fullmove_i[14:0], black_i};
  assign side = recv_payload_i[0];
  assign over = result_i != 2'd0;

  assign message = recv_type_i[3:0];
  always_comb begin
    case (message)
      Move, Replay, Time, Request, State, Squares, Draw, Resign, Players: known = 1'b1;
      default: known = 1'b0;
    endcase
    if ((recv_type_i[7:4] != 4'd0) | (recv_length_i != length_of(message))) known = 1'b0;
  end

  // The fields of messages where they stand.
  assign remote_from_o = recv_payload_i[21:16];
  assign remote_to_o = recv_payload_i[29:24];
  assign remote_promotion_o = recv_payload_i[34:32];
  assign remote_replay_o = message == Replay;

  assign cmd_o = recv_payload_i[2:0];
  assign cmd_side_o = recv_payload_i[8];
  assign cmd_control_o = recv_payload_i[17:16];
  assign cmd_increment_o = recv_payload_i[31:24];
  assign cmd_time_o = recv_payload_i[51:32];

  logic [63:0] code0, code1, code2;
  assign code0 = recv_payload_i[63:0];
  assign code1 = recv_payload_i[127:64];
  assign code2 = recv_payload_i[191:128];
  assign load_white_o = (code0 | code1 | code2) & ~recv_payload_i[255:192];
  assign load_pawns_o = ~code2 & ~code1 & code0;
  assign load_knights_o = ~code2 & code1 & ~code0;
  assign load_bishops_o = ~code2 & code1 & code0;
  assign load_rooks_o = code2 & ~code1 & ~code0;
  assign load_queens_o = code2 & ~code1 & code0;
  assign load_kings_o = code2 & code1 & ~code0;

  always_comb begin
    step_d = step_q;
    players_d = players_o;
    stated_d = stated_q;
    take_state = 1'b0;
    request = 1'b0;
    recv_ready_o = 1'b0;
    answer_d = 1'b0;
    answer_reason_d = Done;
    remote_valid_o = 1'b0;
    load_valid_o = 1'b0;
    cmd_valid_o = 1'b0;
    resign_o = 2'b00;
    draw_o = 2'b00;
    claim_o = 2'b00;
    case (step_q)
      Idle: if (recv_valid_i & ~tell_q[Answer]) begin // the answer before has gone
        if (!known) begin
          answer_d = 1'b1;
          answer_reason_d = Unknown;
        end else begin
          case (message)
            Move, Replay: begin
              if (due) begin
                step_d = Ask;
              end else begin
                answer_d = 1'b1;
                answer_reason_d = over ? GameOver : NotYourTurn;
              end
            end
            Time: step_d = Command;
            Request: begin
              request = 1'b1;
              recv_ready_o = 1'b1;
            end
            State: begin
              take_state = 1'b1;
              stated_d = 1'b1;
              recv_ready_o = 1'b1;
            end
            Squares: begin
              if (stated_q) begin
                step_d = Load;
              end else begin
                answer_d = 1'b1;
                answer_reason_d = Unknown;
              end
            end
            Players: begin
              players_d = recv_payload_i[1:0];
              answer_d = 1'b1;
            end
            default: begin                // Draw, Resign
              if (over) begin
                answer_d = 1'b1;
                answer_reason_d = GameOver;
              end else if (message == Resign) begin
                resign_o[side] = 1'b1;
                answer_d = 1'b1;
              end else if (recv_payload_i[8]) begin
                claim_o[side] = 1'b1;
                step_d = Claim;
              end else begin
                draw_o[side] = 1'b1;
                answer_d = 1'b1;
              end
            end
          endcase
        end
      end
      Ask: begin
        remote_valid_o = 1'b1;
        if (remote_ready_i) step_d = Hear;
      end
      Hear: if (remote_done_i) begin
        answer_d = 1'b1;
        answer_reason_d = remote_reason_i;
      end
      Command: begin
        cmd_valid_o = 1'b1;
        if (cmd_ready_i) step_d = Error;
      end
      Error: begin
        answer_d = 1'b1;
        answer_reason_d = {2'd0, error_i};
      end
      Load: begin
        load_valid_o = 1'b1;
        if (load_ready_i) begin
          answer_d = 1'b1;
          stated_d = 1'b0;
        end
      end
      default: begin                      // Claim
        if (claim_refused_i) begin
          answer_d = 1'b1;
          answer_reason_d = NotAMove;
        end else if (over) begin
          answer_d = 1'b1;
        end
      end
    endcase
    if (answer_d) begin                   // and the message is done with
      step_d = Idle;
      recv_ready_o = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    payload_fullmove_q <= payload_ply[15:1] + 15'd1;
    step_q <= step_d;
    players_o <= players_d;
    stated_q <= stated_d;
    if (take_state) begin
      load_black_o <= recv_payload_i[8];
      load_castling_o <= recv_payload_i[19:16];
      load_ep_o <= recv_payload_i[31:24];
      load_halfmove_o <= recv_payload_i[47:32];
      load_fullmove_o <= recv_payload_i[63:48];
    end
    if (answer_d) begin
      answer_to_q <= recv_type_i;
      answer_ply_q <= ((message == Move) | (message == Replay)) ? payload_ply : 16'd0;
      answer_reason_q <= answer_reason_d;
    end
    if (opened_i) stated_q <= 1'b0;
    if (recv_ready_o) stale_q <= 1'b0;
    else if (opened_i) stale_q <= recv_valid_i;
    if (rst_i) begin
      stale_q <= 1'b0;
      step_q <= Idle;
      players_o <= 2'b00;
      stated_q <= 1'b0;
    end
  end

  // ------------------------------------------------------------------ to the host

  // The move made last.
  logic [15:0] move_ply_q;
  logic [5:0] move_from_q, move_to_q;
  logic [2:0] move_promotion_q;

  // What has been told last.
  logic told_over_q;
  logic [1:0] told_offer_q;
  logic [4:0] told_reason_q;
  logic [63:0] told_restore_q;
  logic [47:0] told_clock_q;

  logic [47:0] clocks;                    // all but tenths of seconds
  assign clocks = {clock_increment_i, clock_control_i, clock_flag_i, clock_turn_i, clock_state_i,
                   black_time_i[19:4], white_time_i[19:4], 1'b1};

  logic take;
  logic [3:0] told;                       // the message that is told next
  assign send_valid_o = open_i & (tell_q != '0);
  assign take = send_valid_o & send_ready_i;

  logic [63:0] board0, board1, board2;    // piece codes
  assign board0 = pawns_i | bishops_i | queens_i;
  assign board1 = knights_i | bishops_i | kings_i;
  assign board2 = rooks_i | queens_i | kings_i;

  logic [39:0] last;
  assign last = {5'd0, move_promotion_q, 2'd0, move_to_q, 2'd0, move_from_q, move_ply_q};

  always_comb begin
    send_payload_o = '0;
    if (tell_q[Answer]) begin
      told = Answer;
      send_payload_o[31:0] = {3'd0, answer_reason_q, answer_ply_q, answer_to_q};
    end else if (tell_q[Move]) begin
      told = Move;
      send_payload_o[39:0] = last;
    end else if (tell_q[Result]) begin
      told = Result;
      send_payload_o[15:0] = {4'd0, cause_i, 6'd0, result_i};
    end else if (tell_q[Restore]) begin
      told = Restore;
      send_payload_o[71:0] = {restore_i, 3'd0, reason_i};
    end else if (tell_q[Draw]) begin
      told = Draw;
      send_payload_o[15:0] = {8'd0, 7'd0, offer_i[1]};
    end else if (tell_q[State]) begin
      told = State;
      send_payload_o[119:0] = {last, 4'd0, cause_i, 6'd0, result_i, fullmove_i, halfmove_i, ep_i, 4'd0, castling_i,
                               7'd0, black_i, 5'd0, state_i};
    end else if (tell_q[Squares]) begin
      told = Squares;
      send_payload_o = {(board0 | board1 | board2) & ~white_i, board2, board1, board0};
    end else begin
      told = Clock;
      send_payload_o[103:0] = {clock_increment_i, 6'd0, clock_control_i, 6'd0, clock_flag_i, 7'd0, clock_turn_i,
                               6'd0, clock_state_i, 12'd0, black_time_i, 12'd0, white_time_i};
    end
  end

  assign send_type_o = {4'd0, told};
  assign send_length_o = length_of(told);

  always_ff @(posedge clk_i) begin
    if (take) tell_q[told] <= 1'b0;

    // To be told.
    if (answer_d & ~stale_q) tell_q[Answer] <= 1'b1;
    if (move_valid_i) begin
      tell_q[Move] <= 1'b1;
      // the position is the one after it
      move_ply_q <= {fullmove_i[14:0] - 15'd2 + {14'd0, black_i}, ~black_i};
      move_from_q <= move_from_i;
      move_to_q <= move_to_i;
      move_promotion_q <= move_promotion_i;
    end
    if (request | (move_valid_i & tell_q[Move])) begin
      tell_q[State] <= 1'b1;
      tell_q[Squares] <= 1'b1;
    end
    told_over_q <= over;
    if (over & ~told_over_q) tell_q[Result] <= 1'b1;
    told_offer_q <= offer_i;
    if ((offer_i & ~told_offer_q) != 2'b00) tell_q[Draw] <= 1'b1;
    told_reason_q <= reason_i;
    told_restore_q <= restore_i;
    if ((reason_i != told_reason_q) | (restore_i != told_restore_q)) tell_q[Restore] <= 1'b1;
    told_clock_q <= clocks;
    if (clocks != told_clock_q) tell_q[Clock] <= 1'b1;

    // The move made last, of this game.
    if (load_valid_o & load_ready_i) begin
      tell_q[Move] <= 1'b0;
      move_from_q <= '0;
      move_to_q <= '0;
    end

    if (rst_i | opened_i) begin
      tell_q <= '0;
      told_restore_q <= '0;
      told_reason_q <= '0;
      told_clock_q <= '0;
    end
    if (rst_i) begin
      told_over_q <= 1'b0;
      told_offer_q <= 2'b00;
      move_ply_q <= '0;
      move_from_q <= '0;
      move_to_q <= '0;
      move_promotion_q <= '0;
    end
  end

endmodule

`default_nettype wire
