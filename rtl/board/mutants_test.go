package board_test

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/sim"
)

var deep = flag.Bool("board.deep", false, "plant all faults, not one in sixteen; Icarus goes the whole tour")

// mutants are faults in the connections of the top and in what only it has, and what is said of
// them.
var mutants = fault.Mutants{
	{"every square is its own", "board.sv", ".occupied_i(occupied)", ".occupied_i({occupied[63:2], occupied[0], occupied[1]})", "set-up: "},
	{"ranks are not files", "board.sv", ".sense_ni, .select_o, .led_o,", ".sense_ni, .select_o({select_o[2:0], select_o[5:3]}), .led_o,", "set-up: "},
	{"LEDs show where to", "board.sv", ".from_i(show_from), .to_i(show_to)", ".from_i(show_from), .to_i(show_from)", "castling by hand, and by the PC: the move e8c8 is due"},
	{"the sensors' line is active low", "board.sv", "    .sense_ni, .select_o", "    .sense_ni(~sense_ni), .select_o", "set-up: "},
	{"the LED driver has the select lines", "board.sv", ".led_select_i(led_square)", ".led_select_i(6'd0)", "set-up: "},
	{"restore shows the squares", "board.sv", ".restore_i(restore),\n    .idle_i", ".restore_i(64'd0),\n    .idle_i", "set-up: the LEDs should show restore"},
	{"an X and then the squares", "board_show.sv", "(left_q == '0)) ? Restore : show_i", "(left_q == '0)) ? show_i : show_i", "something illegal: the LEDs should show restore"},
	{"an X first", "board_show.sv", "CountWidth'(IllegalScans);", "'0;", "something illegal: the LEDs should show illegal"},
	{"the reason is told", "board_host.sv", "{restore_i, 3'd0, reason_i}", "{restore_i, 8'd0}", "something illegal: the board says {Reason:0"},
	{"the squares are told", "board_host.sv", "{restore_i, 3'd0, reason_i}", "{64'd0, 3'd0, reason_i}", "something illegal: the board says {Reason:15 Squares:0}"},
	{"all is well is told", "board_host.sv", "if ((reason_i != told_reason_q) | (restore_i != told_restore_q)) tell_q[Restore] <= 1'b1;", "if ((reason_i != told_reason_q) & (reason_i != 5'd0)) tell_q[Restore] <= 1'b1;", "all is as it was"},
	{"the light for something illegal", "board.sv", "illegal_o = state == validity_pkg::StateIllegal", "illegal_o = 1'b0", "a warning: after place h1 the light of the warning is false, that for something illegal false"},
	{"the light of the warning", "board.sv", "warning_o = warning", "warning_o = 1'b0", "a warning: after lift h1 the light of the warning is false"},
	{"a warning is nothing illegal", "board.sv", "warning_o = warning", "warning_o = illegal_o", "a warning: after lift h1 the light of the warning is false"},
	{"the lights of the upper ranks", "board.sv", "occupied[63:48]", "occupied[15:0]", "lights: "},
	{"the lights of the corners", "board.sv", "{occupied[7], occupied[0]}", "{occupied[0], occupied[7]}", "lights: "},
	{"the sensor's light", "board.sv", "sensor_o = sense_q[1]", "sensor_o = 1'b0", "lights: the sensor's light"},
	{"a move has its ply", "board_host.sv", "15'd2 + {14'd0, black_i}, ~black_i}", "15'd1, black_i}", "castling by hand, and by the PC: "},
	{"a move of another position is refused", "board_host.sv", "if (due) begin", "if (1'b1) begin", "the PC's mistakes: "},
	{"sides are the PC's as it says", "board_host.sv", "players_d = recv_payload_i[1:0];", "players_d = recv_payload_i[0] ? 2'b10 : {1'b0, recv_payload_i[1]};", "is refused with reason 13"},
	{"the choice of a piece", "board.sv", "4'b1000: choice = piece_pkg::Knight", "4'b1000: choice = piece_pkg::Queen", "promotion by a button: "},
	{"the buttons' order", "board.sv", "{clock_i, promotion_i, lines_play_i}", "{promotion_i, clock_i, lines_play_i}", "promotion by a button: "},
	{"the PC's choice of a piece", "board_host.sv", "recv_payload_i[34:32]", "3'd5", "is refused with reason 19"},
	{"what became of the pawn is told", "board_host.sv", "last = {5'd0, move_promotion_q", "last = {5'd0, 3'd0", "promotion by a button: "},
	{"White's moves are White's", "board.sv", "~remote[move_black]", "~remote[~move_black]", "the published link said"},
	{"moves are told from where to where", "board.sv", "told_from_q <= move_from;", "told_from_q <= move_to;", "the published link said"},
	{"the lines are heard", "board.sv", "remote_valid = host_valid | lines_valid", "remote_valid = host_valid", "the published lines: "},
	{"the lines' squares", "board.sv", "host_valid ? host_to : lines_to", "host_valid ? host_to : lines_from", "the published lines: "},
	{"switches say who is at the lines", "board.sv", "remote = players | lines_play", "remote = players", "the published lines: "},
	{"the lines make a move, no replay", "board.sv", "remote_replay = host_valid & host_replay", "remote_replay = host_replay | lines_valid", "the published lines: "},
	{"refusals are answered", "board_host.sv", "answer_reason_d = remote_reason_i", "answer_reason_d = Done", "the PC's mistakes: "},
	{"claims are refused", "board_host.sv", "answer_reason_d = NotAMove", "answer_reason_d = Done", "the PC's mistakes: "},
	{"no Squares without a State", "board_host.sv", "if (stated_q) begin", "if (1'b1) begin", "the PC's mistakes: "},
	{"what is unknown is said to be", "board_host.sv", "default: known = 1'b0;", "default: known = 1'b1;", "the PC's mistakes: "},
	{"the clock's errors", "board_host.sv", "answer_reason_d = {2'd0, error_i}", "answer_reason_d = Done", "the PC's mistakes: "},
	{"the clock's settings", "board_host.sv", "cmd_increment_o = recv_payload_i[31:24]", "cmd_increment_o = 8'd0", "the PC's mistakes: "},
	{"the button starts the clock", "board_time.sv", "(state_i != 2'd3)) start_q <= 1'b1;", "(state_i == 2'd3)) start_q <= 1'b1;", "the chess clock: started by the button"},
	{"the button stops the clock for a while", "board_time.sv", "Running: cmd_o = Pause;", "Running: cmd_o = Resume;", "the chess clock: paused by the button"},
	{"a move presses the clock", "board_time.sv", "press_o <= move_i;", "press_o <= 1'b0;", "the chess clock: after a move"},
	{"a move lets the clock go on", "board_time.sv", "resume = move_i & (state_i == Paused)", "resume = 1'b0", "the chess clock: a move while it pauses"},
	{"the clock starts for who is to move", "board_time.sv", "(cmd_o == Start) ? black_i : host_side_i", "(cmd_o == Start) ? ~black_i : host_side_i", "the chess clock: started by the button"},
	{"the end stops the clock", "board_time.sv", "(over_i & ~over_q) | ", "", "the end: the clock takes"},
	{"a flag ends its own game only", "board_time.sv", "fallen_o = flag_i & ~flag_q", "fallen_o = flag_i", "another game: "},
	{"a flag ends the game", "board.sv", ".flag_i(fallen)", ".flag_i(2'b00)", "time is over: "},
	{"who resigns loses", "board_host.sv", "resign_o[side]", "resign_o[~side]", "the end: "},
	{"the result is shown", "board.sv", ".show_i(show), .pattern_o(pattern)", ".show_i((show == 4'd5) ? 4'd4 : show), .pattern_o(pattern)", "the end: the LEDs show"},
	{"Black's pieces are Black's", "board_host.sv", "(board0 | board1 | board2) & ~white_i", "white_i", "set-up: "},
	{"rights to castle are loaded", "board_host.sv", "load_castling_o <= recv_payload_i[19:16]", "load_castling_o <= recv_payload_i[31:28]", "set-up: "},
	{"who is to move is loaded", "board_host.sv", "load_black_o <= recv_payload_i[8]", "load_black_o <= 1'b1", "set-up: "},
	{"bishops are no knights", "board_host.sv", "load_bishops_o = ~code2 & code1 & code0", "load_bishops_o = ~code2 & code1 & ~code0", "set-up: "},
	{"the button resets", "board_reset.sv", "sync_q[1] ? '1 : held_q << 1", "held_q << 1", "the reset button: "},
	// Where the tour finds it depends on what registers are at power-up.
	{"reset reaches the blocks", "board_reset.sv", "assign rst_o = held_q[ResetCycles-1]", "assign rst_o = 1'b0", ""},
}

// No fault is out of date: each stands in the RTL, also those that are planted only now and then.
func TestMutantsStand(t *testing.T) {
	for _, m := range slices.Concat(mutants, modelMutants) {
		t.Run(m.Rule, func(t *testing.T) { fault.Plant(t, quick.Design(), m.File, m.Old, m.New) })
	}
}

// Each mutant is found in the tour, and the error says what it was about. One in sixteen, which
// depends on the seed, or those of PART, or all.
func TestMutants(t *testing.T) {
	for i, m := range mutants {
		if !*deep && !fault.Part() && i%16 != int(sim.Seed()%16) {
			continue
		}
		t.Run(m.Rule, func(t *testing.T) {
			d, err := sim.Open[board.In, board.Out](t.Context(), fault.Plant(t, quick.Design(), m.File, m.Old, m.New), sim.Verilator)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			if err := tour(d); err == nil {
				t.Error("the mutant survives")
			} else if !strings.Contains(err.Error(), m.Message) {
				t.Errorf("the error does not say %q:\n%v", m.Message, err)
			} else {
				t.Log(strings.SplitN(err.Error(), "\n", 2)[0])
			}
		})
	}
}
