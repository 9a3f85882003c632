// The sensing chess board: top of the FPGA of a Nexys A7-100T (Nexys 4 DDR), xc7a100tcsg324-1, with
// its 100 MHz clock.
//
//   sensors -> scanner -> validity (movegen, game in it) -> leds -> scanner's select lines -> LEDs
//                            |   ^
//                 clock <- board_time, board_host <-> link <-> uart <-> PC
//                            |   ^
//                          movelink: bytes to the PC, seven lines from it, as published
//
// A person moves pieces; what is played goes to the PC over both links; moves come from either, and
// the LEDs show them until they are carried out. README.md: what a person, a PC and a hardware
// engineer see. Constraints: board.xdc. Cost: README.md.

`default_nettype none

module board #(
  parameter int ClockHz = 100_000_000,        // cycles of clk_i a second, a multiple of 10: clock
  parameter int SettleCycles = 40_000,        // until a sensor tells the truth: scanner, 0.4 ms
  // for which the sensors' line is to hold: scanner, 10 us
  parameter int HoldCycles = 1000,
  parameter int IdleCycles = 256 * 10_000,    // between scans, for the LEDs: scanner, leds; 25.6 ms
  parameter int BlinkPhases = 5,              // of these in half a blink: leds
  parameter int IllegalScans = 20,            // for which the X is shown: board_show
  parameter int StableScans = 5,              // until a reading is decided on: validity
  parameter int CastlingScans = 40,           // until half of castling is a rook's move: validity
  parameter int QuestionCycles = 384,         // for a question to the move generator: validity
  parameter int Divisor = 868,                // cycles a bit of the serial lines: 115 207 baud
  parameter int RetryCycles = 10_000_000,     // until a frame is sent again: link, 100 ms
  parameter int SilenceCycles = 300_000_000,  // until the host counts as absent: link, 3 s
  // for which the parallel lines are to hold: movelink, 100 us
  parameter int LinesCycles = 10_000,
  parameter int ButtonCycles = 1_000_000      // for which a button is to hold: 10 ms
) (
  input  logic        clk_i,
  input  logic        rst_ni,                 // button: 0 resets

  // The chess board.
  // line of all sensors: 0 if the selected square holds a piece
  input  logic        sense_ni,
  output logic [5:0]  select_o,               // {row, column}: which square's sensor and LED
  output logic        led_o,                  // that LED is on

  // The PC.
  input  logic        rx_i,                   // serial line: link
  output logic        tx_o,
  output logic        moves_tx_o,             // serial line: movelink's bytes
  input  logic [6:0]  lines_i,                // parallel lines: movelink

  // Buttons, switches and lights on the FPGA board.
  input  logic        clock_i,                // button: the chess clock starts, stops, goes on
  input  logic [3:0]  promotion_i,            // buttons: 0 queen, 1 rook, 2 bishop, 3 knight
  // switches: White's, Black's moves come over the parallel lines
  input  logic [1:0]  lines_play_i,
  output logic [15:0] upper_ranks_o,          // squares a7 to h8 are occupied
  output logic        sensor_o,               // the selected sensor sees a piece
  output logic        illegal_o,              // something illegal was done
  output logic        warning_o,              // two pieces of the side to move are up: not castling
  output logic [1:0]  corners_o               // a1, h1 are occupied
);

  logic rst;

  board_reset u_reset (
    .clk_i, .button_ni(rst_ni), .rst_o(rst)
  );

  // ------------------------------------------------------------------ buttons and switches

  logic clock_button;
  logic [3:0] promotion_buttons;
  logic [1:0] lines_play;
  logic [2:0] choice;

  board_buttons #(
    .Buttons(7), .HoldCycles(ButtonCycles)
  ) u_buttons (
    .clk_i, .rst_i(rst),
    .lines_i({clock_i, promotion_i, lines_play_i}),
    .held_o({clock_button, promotion_buttons, lines_play})
  );

  always_comb begin
    case (promotion_buttons)
      4'b0001: choice = piece_pkg::Queen;
      4'b0010: choice = piece_pkg::Rook;
      4'b0100: choice = piece_pkg::Bishop;
      4'b1000: choice = piece_pkg::Knight;
      default: choice = piece_pkg::None;       // none, or more than one
    endcase
  end

  // ------------------------------------------------------------------ sensors and LEDs

  logic idle, led_lit, scanned;
  logic [5:0] led_square;
  logic [63:0] occupied, restore;
  logic [3:0] show, pattern;
  logic [5:0] show_from, show_to;

  scanner #(
    .SettleCycles(SettleCycles), .HoldCycles(HoldCycles), .IdleCycles(IdleCycles)
  ) u_scanner (
    .clk_i, .rst_i(rst),
    .sense_ni, .select_o, .led_o,
    .idle_o(idle), .led_select_i(led_square), .led_i(led_lit),
    .occupied_o(occupied), .strobe_o(scanned)
  );

  board_show #(
    .IllegalScans(IllegalScans)
  ) u_show (
    .clk_i, .rst_i(rst), .scan_i(scanned), .show_i(show), .pattern_o(pattern)
  );

  leds #(
    .IdleCycles(IdleCycles), .BlinkPhases(BlinkPhases)
  ) u_leds (
    .clk_i, .rst_i(rst),
    .pattern_i(pattern), .from_i(show_from), .to_i(show_to), .restore_i(restore),
    .idle_i(idle), .select_o(led_square), .led_o(led_lit)
  );

  // ------------------------------------------------------------------ chess

  logic [1:0] players, remote, flag, fallen, resign, draw, claim, offer, result;
  logic remote_valid, remote_ready, remote_replay, remote_done;
  logic [5:0] remote_from, remote_to;
  logic [2:0] remote_promotion, state;
  logic [4:0] remote_reason, reason;
  logic load_valid, load_ready, claim_refused;
  logic [63:0] load_white, load_pawns, load_knights, load_bishops, load_rooks, load_queens, load_kings;
  logic [3:0] load_castling, castling, cause;
  logic [7:0] load_ep, ep;
  logic load_black, black;
  logic [15:0] load_halfmove, load_fullmove, halfmove, fullmove;
  logic [63:0] white, pawns, knights, bishops, rooks, queens, kings;
  logic move_valid, move_black, warning;
  logic [5:0] move_from, move_to;
  logic [2:0] move_promotion;

  assign remote = players | lines_play;

  /* verilator lint_off PINCONNECTEMPTY */
  validity #(
    .StableScans(StableScans), .CastlingScans(CastlingScans), .QuestionCycles(QuestionCycles)
  ) u_validity (
    .clk_i, .rst_i(rst),
    .scan_valid_i(scanned), .occupied_i(occupied), .busy_o(),
    .remote_i(remote), .remote_valid_i(remote_valid), .remote_ready_o(remote_ready),
    .remote_from_i(remote_from), .remote_to_i(remote_to), .remote_promotion_i(remote_promotion),
    .remote_replay_i(remote_replay), .remote_done_o(remote_done), .remote_reason_o(remote_reason),
    .remote_shown_o(),
    .promotion_i(choice),
    .load_valid_i(load_valid), .load_ready_o(load_ready), .load_white_i(load_white),
    .load_pawns_i(load_pawns), .load_knights_i(load_knights), .load_bishops_i(load_bishops),
    .load_rooks_i(load_rooks), .load_queens_i(load_queens), .load_kings_i(load_kings),
    .load_castling_i(load_castling), .load_ep_i(load_ep), .load_black_i(load_black),
    .load_halfmove_i(load_halfmove), .load_fullmove_i(load_fullmove),
    .flag_i(fallen), .resign_i(resign), .draw_i(draw), .claim_i(claim),
    .claim_refused_o(claim_refused), .offer_o(offer), .threefold_o(), .fifty_o(),
    .state_o(state), .reason_o(reason), .restore_o(restore), .warning_o(warning),
    .show_o(show), .show_from_o(show_from), .show_to_o(show_to),
    .move_valid_o(move_valid), .move_from_o(move_from), .move_to_o(move_to), .move_piece_o(),
    .move_captured_o(), .move_promotion_o(move_promotion), .move_castling_o(), .move_ep_o(),
    .move_black_o(move_black),
    .pos_white_o(white), .pos_pawns_o(pawns), .pos_knights_o(knights), .pos_bishops_o(bishops),
    .pos_rooks_o(rooks), .pos_queens_o(queens), .pos_kings_o(kings), .pos_castling_o(castling),
    .pos_ep_o(ep), .pos_black_o(black), .pos_halfmove_o(halfmove), .pos_fullmove_o(fullmove),
    .check_o(), .king_o(), .result_o(result), .cause_o(cause)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // ------------------------------------------------------------------ the clock

  logic press, cmd_valid, cmd_side, host_cmd_valid, host_cmd_ready, host_cmd_side, clock_turn;
  logic [2:0] cmd, host_cmd, clock_error;
  logic [1:0] cmd_control, clock_state, clock_control;
  logic [7:0] cmd_increment, clock_increment;
  logic [19:0] cmd_time, white_time, black_time;

  board_time u_time (
    .clk_i, .rst_i(rst),
    .move_i(move_valid), .black_i(black), .over_i(result != 2'd0), .load_i(load_valid & load_ready),
    .button_i(clock_button),
    .host_valid_i(host_cmd_valid), .host_ready_o(host_cmd_ready), .host_cmd_i(host_cmd),
    .host_side_i(host_cmd_side),
    .state_i(clock_state), .flag_i(flag), .fallen_o(fallen), .press_o(press),
    .cmd_valid_o(cmd_valid), .cmd_o(cmd), .cmd_side_o(cmd_side)
  );

  /* verilator lint_off PINCONNECTEMPTY */
  clock #(
    .ClockHz(ClockHz)
  ) u_clock (
    .clk_i, .rst_i(rst),
    .press_i(press),
    .cmd_valid_i(cmd_valid), .cmd_i(cmd), .cmd_side_i(cmd_side), .cmd_control_i(cmd_control),
    .cmd_increment_i(cmd_increment), .cmd_time_i(cmd_time), .error_o(clock_error),
    .state_o(clock_state), .turn_o(clock_turn), .flag_o(flag), .control_o(clock_control),
    .increment_o(clock_increment),
    .white_time_o(white_time), .white_used_o(), .black_time_o(black_time), .black_used_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // ------------------------------------------------------------------ the PC, in frames

  logic rx_valid, tx_valid, tx_ready;
  logic [7:0] rx_data, tx_data;
  logic open, opened, recv_valid, recv_ready, send_valid, send_ready;
  logic [7:0] recv_type, send_type;
  logic [5:0] recv_length, send_length;
  logic [255:0] recv_payload, send_payload;

  /* verilator lint_off PINCONNECTEMPTY */
  uart #(
    .Divisor(Divisor)
  ) u_uart (
    .clk_i, .rst_i(rst),
    .rx_i, .tx_o,
    .tx_valid_i(tx_valid), .tx_ready_o(tx_ready), .tx_data_i(tx_data),
    .rx_valid_o(rx_valid), .rx_ready_i(1'b1), .rx_data_o(rx_data),
    .rx_framing_o(), .rx_break_o(), .rx_overrun_o()
  );

  link #(
    .RetryCycles(RetryCycles), .SilenceCycles(SilenceCycles)
  ) u_link (
    .clk_i, .rst_i(rst),
    .rx_valid_i(rx_valid), .rx_data_i(rx_data),
    .tx_valid_o(tx_valid), .tx_ready_i(tx_ready), .tx_data_o(tx_data),
    .send_valid_i(send_valid), .send_ready_o(send_ready), .send_type_i(send_type),
    .send_length_i(send_length), .send_payload_i(send_payload),
    .recv_valid_o(recv_valid), .recv_ready_i(recv_ready), .recv_type_o(recv_type),
    .recv_length_o(recv_length), .recv_payload_o(recv_payload),
    .open_o(open), .opened_o(opened), .up_o(), .damaged_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  logic host_valid, host_ready, host_replay;
  logic [5:0] host_from, host_to;
  logic [2:0] host_promotion;

  board_host u_host (
    .clk_i, .rst_i(rst),
    .open_i(open), .opened_i(opened),
    .recv_valid_i(recv_valid), .recv_ready_o(recv_ready), .recv_type_i(recv_type),
    .recv_length_i(recv_length), .recv_payload_i(recv_payload),
    .send_valid_o(send_valid), .send_ready_i(send_ready), .send_type_o(send_type),
    .send_length_o(send_length), .send_payload_o(send_payload),
    .players_o(players),
    .remote_valid_o(host_valid), .remote_ready_i(host_ready), .remote_from_o(host_from),
    .remote_to_o(host_to), .remote_promotion_o(host_promotion), .remote_replay_o(host_replay),
    .remote_done_i(remote_done), .remote_reason_i(remote_reason),
    .load_valid_o(load_valid), .load_ready_i(load_ready), .load_white_o(load_white),
    .load_pawns_o(load_pawns), .load_knights_o(load_knights), .load_bishops_o(load_bishops),
    .load_rooks_o(load_rooks), .load_queens_o(load_queens), .load_kings_o(load_kings),
    .load_castling_o(load_castling), .load_ep_o(load_ep), .load_black_o(load_black),
    .load_halfmove_o(load_halfmove), .load_fullmove_o(load_fullmove),
    .resign_o(resign), .draw_o(draw), .claim_o(claim), .claim_refused_i(claim_refused),
    .offer_i(offer), .state_i(state), .reason_i(reason), .restore_i(restore),
    .move_valid_i(move_valid), .move_from_i(move_from), .move_to_i(move_to),
    .move_promotion_i(move_promotion),
    .white_i(white), .pawns_i(pawns), .knights_i(knights), .bishops_i(bishops), .rooks_i(rooks),
    .queens_i(queens), .kings_i(kings), .castling_i(castling), .ep_i(ep), .black_i(black),
    .halfmove_i(halfmove), .fullmove_i(fullmove), .result_i(result), .cause_i(cause),
    .cmd_valid_o(host_cmd_valid), .cmd_ready_i(host_cmd_ready), .cmd_o(host_cmd),
    .cmd_side_o(host_cmd_side), .cmd_control_o(cmd_control), .cmd_increment_o(cmd_increment),
    .cmd_time_o(cmd_time), .error_i(clock_error), .clock_state_i(clock_state),
    .clock_turn_i(clock_turn), .clock_flag_i(flag), .clock_control_i(clock_control),
    .clock_increment_i(clock_increment), .white_time_i(white_time), .black_time_i(black_time)
  );

  // ------------------------------------------------------------------ the PC, as published

  logic told_q, bytes_ready, byte_valid, byte_ready, lines_valid, lines_ready;
  logic [5:0] told_from_q, told_to_q, lines_from, lines_to;
  logic [7:0] byte_data;

  // Moves of sides that play at the board go to the PC.
  always_ff @(posedge clk_i) begin
    if (rst) told_q <= 1'b0;
    else if (move_valid) told_q <= ~remote[move_black];
    else if (bytes_ready) told_q <= 1'b0;
    if (move_valid) begin
      told_from_q <= move_from;
      told_to_q <= move_to;
    end
  end

  /* verilator lint_off PINCONNECTEMPTY */
  movelink #(
    .HoldCycles(LinesCycles)
  ) u_movelink (
    .clk_i, .rst_i(rst),
    .send_valid_i(told_q), .send_ready_o(bytes_ready), .send_from_i(told_from_q),
    .send_to_i(told_to_q),
    .tx_valid_o(byte_valid), .tx_ready_i(byte_ready), .tx_data_o(byte_data),
    .lines_i, .move_valid_o(lines_valid), .move_ready_i(lines_ready),
    .move_from_o(lines_from), .move_to_o(lines_to), .move_lost_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  uart_tx #(
    .Divisor(Divisor)
  ) u_moves_tx (
    .clk_i, .rst_i(rst),
    .valid_i(byte_valid), .ready_o(byte_ready), .data_i(byte_data), .tx_o(moves_tx_o)
  );

  // Moves from the PC: of both links, the framed one goes first. The lines do not say what a pawn
  // becomes: a queen.
  logic lines_promote;
  logic [2:0] lines_promotion;
  assign lines_promote = pawns[lines_from] & ((lines_to[5:3] == 3'd0) | (lines_to[5:3] == 3'd7));
  assign lines_promotion = lines_promote ? piece_pkg::Queen : piece_pkg::None;

  assign remote_valid = host_valid | lines_valid;
  assign host_ready = remote_ready;
  assign lines_ready = remote_ready & ~host_valid;
  assign remote_from = host_valid ? host_from : lines_from;
  assign remote_to = host_valid ? host_to : lines_to;
  assign remote_promotion = host_valid ? host_promotion : lines_promotion;
  assign remote_replay = host_valid & host_replay;

  // ------------------------------------------------------------------ lights

  logic [1:0] sense_q;

  always_ff @(posedge clk_i) begin
    sense_q <= {sense_q[0], ~sense_ni};
  end

  assign upper_ranks_o = occupied[63:48];
  assign sensor_o = sense_q[1];
  assign illegal_o = state == validity_pkg::StateIllegal;
  assign warning_o = warning;
  assign corners_o = {occupied[7], occupied[0]};

endmodule

`default_nettype wire
