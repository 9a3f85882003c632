package clock_test

import (
	"testing"

	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/sim"
)

var mutants = fault.Mutants{
	// Counting.
	{"each cycle counts", "clock_side.sv", "used_o + UsedWidth'(tick_i)", "used_o + UsedWidth'(tick_i & ~add_minutes_i)", "_used_o"},
	{"a tenth has so many cycles", "clock_side.sv", "UsedWidth'(TenthCycles - 1)", "UsedWidth'(TenthCycles - 2)", "_used_o"},
	{"one side's time runs, not both", "clock.sv", "{turn_q, ~turn_q} : 2'b00;\n\n  always_comb begin\n    state_now", "2'b11 : 2'b00;\n\n  always_comb begin\n    state_now", "_used_o"},
	{"it is that of the side to move", "clock.sv", "{turn_q, ~turn_q} : 2'b00;\n\n  always_comb begin\n    state_now", "{~turn_q, turn_q} : 2'b00;\n\n  always_comb begin\n    state_now", "_used_o, black_used_o"},
	{"it stands when paused", "clock.sv", "tick = (state_q == Running) ?", "tick = (state_q != Over) ?", "> white_"},
	{"it stands when paused, once it was started", "clock.sv", "tick = (state_q == Running) ?", "tick = (state_q == Running | state_q == Paused) ?", "paused"},
	{"tenths borrow from seconds", "clock_side.sv", "borrow1 ? 4'd9 : 4'(plus(time_o[3:0]", "borrow1 ? 4'd0 : 4'(plus(time_o[3:0]", "_time_o"},
	{"seconds have six tens", "clock_side.sv", "borrow3 ? 4'd5 :", "borrow3 ? 4'd9 :", "_time_o"},
	{"minutes borrow from tens of minutes", "clock_side.sv", "plus(time_o[19:16], {4{borrow4}})", "plus(time_o[19:16], 4'd0)", "_time_o"},
	{"what is left of a tenth is kept over a press", "clock_side.sv", "      used_o <= used;\n", "      used_o <= add_seconds_i ? '0 : used;\n", "a press"},
	// The flag.
	{"a press is too late for what expires", "clock_side.sv", "end else if (expires_o) begin", "end else if (1'b0) begin", "_time_o"},
	{"a tenth ends with its last cycle", "clock_side.sv", ": used == LastUsed;", ": used_o == LastUsed;", "_used_o"},
	{"it falls with the last cycle", "clock_side.sv", "wraps & (time_o == 20'h00001)", "wraps & (time_o == 20'h00002)", "> state_o"},
	{"not before", "clock_side.sv", "expires_o = wraps &", "expires_o = tick_i &", "> state_o"},
	{"it is the flag of who had no time", "clock.sv", "flag_o = {black_time_o == '0, white_time_o == '0}", "flag_o = {white_time_o == '0, black_time_o == '0}", "> flag_o"},
	{"a press with it is too late", "clock.sv", "moved = press_i & (state_now == Running)", "moved = press_i & (state_q == Running)", "the last cycle of the side to move, a press"},
	{"so is a pause", "clock.sv", "if (state_now != Running) error_d", "if (state_q != Running) error_d", "the last cycle of the side to move"},
	{"so are five minutes", "clock.sv", "Add: begin\n          if (state_now == Over)", "Add: begin\n          if (state_q == Over)", "the command add"},
	{"so is a load", "clock.sv", "Load: begin\n          if (state_now == Over)", "Load: begin\n          if (state_q == Over)", "the command load"},
	{"so is a stop", "clock.sv", "Stop: begin\n          if (state_now == Over)", "Stop: begin\n          if (state_q == Over)", "the game is over"},
	{"a new game is not", "clock.sv", "if (new_game) state_d = Ready;", "if (new_game & (expires == 2'b00)) state_d = Ready;", "the command set"},
	// Presses.
	{"a press passes the turn", "clock.sv", "turn_q <= ~turn_q", "turn_q <= turn_q", "> turn_o"},
	{"a press adds the increment", "clock.sv", "increments = press_i ?", "increments = 1'b0 ?", "a press"},
	{"to the side that moved", "clock.sv", "press_i ? tick : 2'b00", "press_i ? {tick[0], tick[1]} : 2'b00", "a press"},
	{"a press when paused is none", "clock.sv", "moved = press_i & (state_now == Running)", "moved = press_i & (state_now != Over)", "a press"},
	{"seconds carry by up to two minutes", "clock_side.sv", "second_tens[5] ? minute_ones2 :", "second_tens[5] ? minute_ones1 :", "increment"},
	{"ones of seconds carry", "clock_side.sv", "second_ones[4] ? second_tens1 :", "1'b0 ? second_tens1 :", "a press"},
	{"minutes carry", "clock_side.sv", "plus(digit4, {3'd0, minute_ones[4]})", "plus(digit4, 4'd0)", "_time_o"},
	{"a full clock is 99:59.9", "clock_side.sv", "else if (full)", "else if (1'b0)", "_time_o"},
	{"and no cycle less", "clock_side.sv", "time_o <= Longest;\n      used_o <= '0;", "time_o <= Longest;\n      used_o <= used;", "_used_o"},
	// Commands.
	{"set takes the control", "clock.sv", "control_o <= cmd_control_i", "control_o <= control_o", "> control_o"},
	{"set takes the increment", "clock.sv", "increment_o <= cmd_increment_i", "increment_o <= increment_o", "> increment_o"},
	{"set gives both their time", "clock.sv", "2'd1: full_time = 20'h05000", "2'd1: full_time = 20'h05100", "the command set blitz"},
	{"White begins", "clock.sv", "if (new_game) begin\n        turn_q <= 1'b0;", "if (new_game) begin", "the command set"},
	{"an increment has two digits", "clock.sv", "(cmd_increment_i[7:4] <= 4'd9) &", "", "the increment is not 00 to 99"},
	{"start says who", "clock.sv", "turn_q <= cmd_side_i", "turn_q <= 1'b0", "the command start Black"},
	{"a game starts once", "clock.sv", "if (state_now != Ready) error_d", "if (state_now == Over) error_d", "the game has been started"},
	{"resume is for a pause", "clock.sv", "if (state_now != Paused) error_d", "if (state_now == Over) error_d", "not paused"},
	{"five minutes are for one side", "clock.sv", "else add = {cmd_side_i, ~cmd_side_i}", "else add = 2'b11", "the command add"},
	{"five", "clock_side.sv", "add_minutes_i ? 4'd5", "add_minutes_i ? 4'd4", "the command add"},
	{"a time has no 60 seconds", "clock.sv", "(cmd_time_i[11:8] <= 4'd5)", "(cmd_time_i[11:8] <= 4'd9)", "not a time"},
	{"a time is not 0", "clock.sv", "& (cmd_time_i != '0)", "", "not a time"},
	{"load is for one side", "clock.sv", "else load = {cmd_side_i, ~cmd_side_i}", "else load = 2'b11", "the command load"},
	{"load begins a tenth", "clock_side.sv", "time_o <= load_time_i;\n      used_o <= '0;", "time_o <= load_time_i;\n      used_o <= used;", "_used_o"},
	{"stop ends the game", "clock.sv", "else state_d = Over;", "else state_d = Paused;", "the command stop"},
	{"there are seven commands", "clock.sv", "default: error_d = Unknown;", "default: ;", "there is no such command"},
	{"a command is one when it is valid", "clock.sv", "if (cmd_valid_i) begin", "if (1'b1) begin", "no command"},
	{"an error is said once", "clock.sv", "error_o <= error_d", "error_o <= error_o | error_d", "> error_o"},
	{"reset is a new game of 10 minutes", "clock.sv", "load_time = rst_i ? full_time(Rapid) :", "load_time =", "reset"},
	{"reset has no increment", "clock.sv", "      control_o <= Rapid;\n      increment_o <= '0;", "      control_o <= Rapid;", "reset"},
}

// Each mutant is found, and the report names the place. The stimulus has a fixed seed, so that it
// always finds all of them.
func TestMutants(t *testing.T) {
	const hz = 30
	fault.FindAll(t, design(hz), mutants, func(t *testing.T, design sim.Design) error {
		d := sim.OpenTest[clock.In, clock.Out](t, design, sim.Icarus)
		return sim.Compare(d, clock.NewModel(hz), games(hz, 1, 5, 30_000, 0.002))
	})
}
