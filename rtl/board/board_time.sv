// Works the chess clock: presses it after each move, stops it at the end of a game, and passes on
// what the host and the button ask for.
//
// The button starts the clock of the side to move, stops it for a while, and lets it go on. A move
// made while the clock is stopped lets it go on, too: otherwise the clock would not know whose turn
// it is. In a game whose clock was never started no time counts. A flag ends the game in which it
// falls, and not one that is loaded while it is down.

`default_nettype none

module board_time (
  input  logic       clk_i,
  input  logic       rst_i,            // synchronous

  input  logic       move_i,           // a move has been made: one cycle
  input  logic       black_i,          // Black is to move
  input  logic       over_i,           // the game is over
  input  logic       load_i,           // another game has begun: one cycle
  input  logic       button_i,         // is pressed

  input  logic       host_valid_i,     // a command of the host: the cmd ports of clock
  // it goes to the clock in this cycle: error_o in the next is about it
  output logic       host_ready_o,
  input  logic [2:0] host_cmd_i,
  input  logic       host_side_i,

  input  logic [1:0] state_i,          // the clock's
  input  logic [1:0] flag_i,
  output logic [1:0] fallen_o,         // a flag falls: one cycle
  output logic       press_o,
  output logic       cmd_valid_o,
  output logic [2:0] cmd_o,
  output logic       cmd_side_o
);

  localparam logic [1:0] Ready = 2'd0, Running = 2'd1, Paused = 2'd2;
  localparam logic [2:0] Start = 3'd2, Pause = 3'd3, Resume = 3'd4, Stop = 3'd6;

  logic over_q, button_q, stop_q, start_q;
  logic [1:0] flag_q;
  logic resume, stop, start;

  // One command in a cycle; the others wait.
  assign resume = move_i & (state_i == Paused);
  assign stop = stop_q & ~resume;
  assign host_ready_o = host_valid_i & ~resume & ~stop;
  assign start = start_q & ~resume & ~stop & ~host_valid_i;

  assign cmd_valid_o = resume | stop | host_ready_o | start;
  always_comb begin
    cmd_o = host_cmd_i;
    if (resume) cmd_o = Resume;
    else if (stop) cmd_o = Stop;
    else if (start) begin
      case (state_i)
        Ready: cmd_o = Start;
        Running: cmd_o = Pause;
        default: cmd_o = Resume;
      endcase
    end
  end
  // Which clock starts, the position says.
  assign cmd_side_o = (cmd_o == Start) ? black_i : host_side_i;

  assign fallen_o = flag_i & ~flag_q;

  always_ff @(posedge clk_i) begin
    flag_q <= flag_i;
    press_o <= move_i;                 // when the clock goes on, if it has to
    over_q <= over_i;
    button_q <= button_i;
    if (stop) stop_q <= 1'b0;
    if (start) start_q <= 1'b0;
    if ((over_i & ~over_q) | (load_i & ((state_i == Running) | (state_i == Paused)))) stop_q <= 1'b1;
    if (button_i & ~button_q & (state_i != 2'd3)) start_q <= 1'b1;
    if (rst_i) begin
      flag_q <= 2'b00;
      press_o <= 1'b0;
      over_q <= 1'b0;
      button_q <= 1'b0;
      stop_q <= 1'b0;
      start_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
