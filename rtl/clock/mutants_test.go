package clock_test

import (
	"testing"

	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/sim"
)

// mutants has faults whose reports say which rule of the game, or which command, went wrong. That
// a test finds each single change at all, docs/mutants/clock.md says.
var mutants = fault.Mutants{
	// Counting.
	{"it stands when paused, once it was started", "clock.sv", "tick = (state_q == Running) ?", "tick = (state_q == Running | state_q == Paused) ?", "paused"},
	{"what is left of a tenth is kept over a press", "clock_side.sv", "      used_o <= used;\n", "      used_o <= add_seconds_i ? '0 : used;\n", "a press"},
	// The flag.
	{"a press with it is too late", "clock.sv", "moved = press_i & (state_now == Running)", "moved = press_i & (state_q == Running)", "the last cycle of the side to move, a press"},
	{"so is a pause", "clock.sv", "if (state_now != Running) error_d", "if (state_q != Running) error_d", "the last cycle of the side to move"},
	{"so are five minutes", "clock.sv", "Add: begin\n          if (state_now == Over)", "Add: begin\n          if (state_q == Over)", "the command add"},
	{"so is a load", "clock.sv", "Load: begin\n          if (state_now == Over)", "Load: begin\n          if (state_q == Over)", "the command load"},
	{"so is a stop", "clock.sv", "Stop: begin\n          if (state_now == Over)", "Stop: begin\n          if (state_q == Over)", "the game is over"},
	{"a new game is not", "clock.sv", "if (new_game) state_d = Ready;", "if (new_game & (expires == 2'b00)) state_d = Ready;", "the command set"},
	// Presses.
	{"seconds carry by up to two minutes", "clock_side.sv", "second_tens[5] ? minute_ones2 :", "second_tens[5] ? minute_ones1 :", "increment"},
	// Commands.
	{"set gives both their time", "clock.sv", "2'd1: full_time = 20'h05000", "2'd1: full_time = 20'h05100", "the command set blitz"},
	{"an increment has two digits", "clock.sv", "(cmd_increment_i[7:4] <= 4'd9) &", "", "the increment is not 00 to 99"},
	{"start says who", "clock.sv", "turn_q <= cmd_side_i", "turn_q <= 1'b0", "the command start Black"},
	{"a game starts once", "clock.sv", "if (state_now != Ready) error_d", "if (state_now == Over) error_d", "the game has been started"},
	{"resume is for a pause", "clock.sv", "if (state_now != Paused) error_d", "if (state_now == Over) error_d", "not paused"},
	{"a time has no 60 seconds", "clock.sv", "(cmd_time_i[11:8] <= 4'd5)", "(cmd_time_i[11:8] <= 4'd9)", "not a time"},
	{"stop ends the game", "clock.sv", "else state_d = Over;", "else state_d = Paused;", "the command stop"},
	{"there are seven commands", "clock.sv", "default: error_d = Unknown;", "default: ;", "there is no such command"},
	{"a command is one when it is valid", "clock.sv", "if (cmd_valid_i) begin", "if (1'b1) begin", "no command"},
	{"reset is a new game of 10 minutes", "clock.sv", "load_time = rst_i ? full_time(Rapid) :", "load_time =", "reset"},
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
