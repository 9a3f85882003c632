// A chess clock. It counts down the time of the side to move, exact to the clock cycle, adds the
// increment after each move (Fischer), and reports a flag that has fallen.
//
// Each cycle has three steps:
//   1. In state running the side to move uses up one cycle of its time. If that was the last one,
//      its flag falls: the state is over, and press_i is too late.
//   2. press_i, in state running: the side to move has moved. The increment is added to its time,
//      and it is the other side's turn.
//   3. The command, in the state after step 1. It takes effect from the next cycle on. After start
//      and resume the next cycle is the first that counts; with pause this cycle is the last.
// So a move takes the cycles after the press before it, up to and with its own press. In the cycle
// in which a flag falls, presses and commands have no effect, except for set, which begins a new
// game.
//
//   cycle         0      1        2        3        4        5
//   cmd_i         start
//   press_i                                1
//   state_o       ready  running  running  running  running  running
//   turn_o        0      0        0        0        1        1
//   white's time  W      W        W-1      W-2      W-3+inc  W-3+inc
//   black's time  B      B        B        B        B        B-1
//
// A command that cannot be carried out changes nothing, and error_o says why in the next cycle. All
// outputs are registers or decoded from them. Cost: 469 LUTs, 106 flip-flops.

`default_nettype none

module clock #(
  parameter int ClockHz = 100_000_000,        // cycles of clk_i a second, a multiple of 10
  localparam int TenthCycles = ClockHz / 10,
  localparam int UsedWidth = (TenthCycles < 2) ? 1 : $clog2(TenthCycles)
) (
  input  logic        clk_i,
  input  logic        rst_i,                  // synchronous

  input  logic        press_i,                // the side to move has made its move

  input  logic        cmd_valid_i,
  // The commands:
  // 0 set: a new game, with cmd_control_i and cmd_increment_i
  // 1 load: cmd_side_i has cmd_time_i left
  // 2 start: the clock of cmd_side_i runs
  // 3 pause
  // 4 resume
  // 5 add: five minutes are added to cmd_side_i's time, up to 99:59.9
  // 6 stop: the game is over
  input  logic [2:0]  cmd_i,
  input  logic        cmd_side_i,             // 0 white, 1 black
  // 0 bullet 1 min, 1 blitz 5, 2 rapid 10, 3 classical 30
  input  logic [1:0]  cmd_control_i,
  input  logic [7:0]  cmd_increment_i,        // seconds, BCD: 00 to 99
  input  logic [19:0] cmd_time_i,             // BCD: MM:SS.t
  // Why the command of the last cycle was refused:
  // 0 it was not, or there was none
  // 1 there is no such command
  // 2 start: the game has been started
  // 3 pause: no clock runs
  // 4 resume: not paused
  // 5 load, add, stop: the game is over
  // 6 set: the increment is not two decimal digits
  // 7 load: the time is not MM:SS.t, or 0
  output logic [2:0]  error_o,

  output logic [1:0]  state_o,                // 0 ready, 1 running, 2 paused, 3 over
  output logic        turn_o,                 // the side to move: 1 black
  output logic [1:0]  flag_o,                 // whose flag has fallen: bit 0 white's, 1 black's
  output logic [1:0]  control_o,              // the settings of the last set
  output logic [7:0]  increment_o,
  output logic [19:0] white_time_o,           // what is left, BCD MM:SS.t, rounded up to tenths
  // cycles that are over of the last of these tenths
  output logic [UsedWidth-1:0] white_used_o,
  output logic [19:0] black_time_o,
  output logic [UsedWidth-1:0] black_used_o
);

  typedef enum logic [1:0] {Ready, Running, Paused, Over} state_e;

  localparam logic [2:0] Set = 3'd0, Load = 3'd1, Start = 3'd2, Pause = 3'd3, Resume = 3'd4, Add = 3'd5,
    Stop = 3'd6;
  localparam logic [2:0] None = 3'd0, Unknown = 3'd1, NotReady = 3'd2, NotRunning = 3'd3, NotPaused = 3'd4,
    IsOver = 3'd5, BadIncrement = 3'd6, BadTime = 3'd7;
  localparam logic [1:0] Rapid = 2'd2;

  initial begin
    if (ClockHz < 10 || ClockHz % 10 != 0) $fatal(1, "clock: ClockHz is not a multiple of 10");
  end

  // The time of each side in a new game.
  function automatic logic [19:0] full_time(input logic [1:0] control);
    case (control)
      2'd0: full_time = 20'h01000;
      2'd1: full_time = 20'h05000;
      2'd2: full_time = 20'h10000;
      default: full_time = 20'h30000;
    endcase
  endfunction

  state_e state_q, state_now, state_d;
  logic turn_q;
  logic [1:0] tick, expires, increments, add, load;
  logic [2:0] error_d;
  logic [19:0] load_time;
  logic new_game, moved, digits, a_time;

  // 1. The side to move uses up a cycle.
  assign tick = (state_q == Running) ? {turn_q, ~turn_q} : 2'b00;

  always_comb begin
    state_now = state_q;
    if (expires != 2'b00) state_now = Over;
  end

  // 2. The side to move has moved.
  assign moved = press_i & (state_now == Running);
  assign increments = press_i ? tick : 2'b00;

  // 3. The command.
  assign digits = (cmd_increment_i[7:4] <= 4'd9) & (cmd_increment_i[3:0] <= 4'd9);
  assign a_time = (cmd_time_i[19:16] <= 4'd9) & (cmd_time_i[15:12] <= 4'd9) & (cmd_time_i[11:8] <= 4'd5) &
                  (cmd_time_i[7:4] <= 4'd9) & (cmd_time_i[3:0] <= 4'd9) & (cmd_time_i != '0);

  always_comb begin
    error_d = None;
    state_d = state_now;
    new_game = rst_i;
    add = 2'b00;
    load = 2'b00;
    if (cmd_valid_i) begin
      case (cmd_i)
        Set: begin
          if (~digits) error_d = BadIncrement;
          else new_game = 1'b1;
        end
        Load: begin
          if (state_now == Over) error_d = IsOver;
          else if (~a_time) error_d = BadTime;
          else load = {cmd_side_i, ~cmd_side_i};
        end
        Start: begin
          if (state_now != Ready) error_d = NotReady;
          else state_d = Running;
        end
        Pause: begin
          if (state_now != Running) error_d = NotRunning;
          else state_d = Paused;
        end
        Resume: begin
          if (state_now != Paused) error_d = NotPaused;
          else state_d = Running;
        end
        Add: begin
          if (state_now == Over) error_d = IsOver;
          else add = {cmd_side_i, ~cmd_side_i};
        end
        Stop: begin
          if (state_now == Over) error_d = IsOver;
          else state_d = Over;
        end
        default: error_d = Unknown;
      endcase
    end
    if (new_game) state_d = Ready;
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    if (rst_i) begin
      error_o <= None;
      turn_q <= 1'b0;
      control_o <= Rapid;
      increment_o <= '0;
    end else begin
      error_o <= error_d;
      if (new_game) begin
        turn_q <= 1'b0;
        control_o <= cmd_control_i;
        increment_o <= cmd_increment_i;
      end else if (state_q == Ready && state_d == Running) begin
        turn_q <= cmd_side_i;
      end else if (moved) begin
        turn_q <= ~turn_q;
      end
    end
  end

  // The two times.
  assign load_time = rst_i ? full_time(Rapid) : new_game ? full_time(cmd_control_i) : cmd_time_i;

  clock_side #(.TenthCycles(TenthCycles)) u_white (
    .clk_i,
    .tick_i(tick[0]), .expires_o(expires[0]),
    .add_seconds_i(increments[0]), .seconds_i(increment_o), .add_minutes_i(add[0]),
    .load_i(new_game | load[0]), .load_time_i(load_time),
    .time_o(white_time_o), .used_o(white_used_o)
  );

  clock_side #(.TenthCycles(TenthCycles)) u_black (
    .clk_i,
    .tick_i(tick[1]), .expires_o(expires[1]),
    .add_seconds_i(increments[1]), .seconds_i(increment_o), .add_minutes_i(add[1]),
    .load_i(new_game | load[1]), .load_time_i(load_time),
    .time_o(black_time_o), .used_o(black_used_o)
  );

  assign state_o = state_q;
  assign turn_o = turn_q;
  assign flag_o = {black_time_o == '0, white_time_o == '0};

endmodule

`default_nettype wire
