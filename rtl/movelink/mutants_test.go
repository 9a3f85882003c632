package movelink_test

import (
	"testing"

	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/rtl/movelink"
	"github.com/cosimate/cosimate/sim"
)

var mutants = fault.Mutants{
	{"the origin's byte comes first", "movelink_bytes.sv", "(state_q == From) ? {FromTag, from_q} : {ToTag, to_q}", "(state_q == To) ? {FromTag, from_q} : {ToTag, to_q}", "> tx_data_o"},
	{"bytes say which half they are", "movelink_bytes.sv", "FromTag = 2'b01", "FromTag = 2'b00", "bytes to be sent: 0x"},
	{"a byte stays until it is taken", "movelink_bytes.sv", "From: if (tx_ready_i) state_q <= To;", "From: state_q <= To;", "> tx_data_o"},
	{"so does the second one", "movelink_bytes.sv", "default: if (tx_ready_i) state_q", "default: state_q", "> tx_valid_o"},
	{"no move is taken before the last is sent", "movelink_bytes.sv", "move_ready_o = state_q == Idle", "move_ready_o = state_q != From", "> send_ready_o"},
	{"a move that is being sent stays what it is", "movelink_bytes.sv", "if (move_ready_o) begin", "if (move_ready_o | (state_q == From)) begin", "> tx_data_o"},
	{"reset forgets what was not sent", "movelink_bytes.sv", "if (rst_i) state_q <= Idle;", "", "> send_ready_o"},

	{"lines go through all stages", "movelink_lines.sv", "lines = sync_q[SyncWidth-1-:7]", "lines = sync_q[6:0]", "> move_"},
	{"they hold for HoldCycles", "movelink_lines.sv", "settled = held_d == Hold", "settled = held_d >= Hold - CountWidth'(1)", "the lines have not held for"},
	{"no longer", "movelink_lines.sv", "settled = held_d == Hold", "settled = held_q == Hold", "> move_"},
	{"all seven of them", "movelink_lines.sv", "(lines == last_q && held_q", "(lines[5:0] == last_q[5:0] && held_q", "> move_"},
	{"line 0 too", "movelink_lines.sv", "(lines == last_q && held_q", "(lines[6:1] == last_q[6:1] && held_q", "> move_"},
	{"a change begins the count anew", "movelink_lines.sv", "held_d = CountWidth'(1);", "held_d = (held_q == '0 || held_q == Hold) ? CountWidth'(1) : held_q;", "the lines have not held for"},
	{"line 0 is 0 for an origin", "movelink_lines.sv", "complete = settled & lines[0] & to_is_due_q", "complete = settled & to_is_due_q", "a square to go to is due"},
	{"a destination does not replace the origin", "movelink_lines.sv", "if (settled & ~lines[0]) begin", "if (settled) begin", "> move_"},
	{"a destination without an origin is no move", "movelink_lines.sv", "settled & lines[0] & to_is_due_q", "settled & lines[0]", "a square to come from is due"},
	{"a destination counts once", "movelink_lines.sv", "if (complete) begin\n      to_is_due_q <= 1'b0;", "if (complete) begin", "a square to come from is due"},
	{"squares are lines 6 to 1", "movelink_lines.sv", "move_to_o <= lines[6:1]", "move_to_o <= lines[5:0]", "> move_to_o"},
	{"a move stays until it is taken", "movelink_lines.sv", "if (move_ready_i) move_valid_o <= 1'b0;", "move_valid_o <= 1'b0;", "waits to be taken"},
	{"and what it is", "movelink_lines.sv", "if (move_valid_o & ~move_ready_i) begin", "if (1'b0) begin", "the one before it was not taken yet"},
	{"a move that is taken makes room for the next", "movelink_lines.sv", "if (move_valid_o & ~move_ready_i) begin", "if (move_valid_o) begin", "waits to be taken"},
	{"a lost move is told", "movelink_lines.sv", "move_lost_o <= 1'b1;", "", "> move_lost_o"},
	{"reset asks for an origin", "movelink_lines.sv", "to_is_due_q <= 1'b0;\n      move_valid_o", "move_valid_o", "a square to come from is due"},
	{"reset begins the count anew", "movelink_lines.sv", "held_q <= '0;", "", "> move_"},
}

// Each mutant is found, and the report names the place.
func TestMutants(t *testing.T) {
	// The stimulus has a fixed seed, so that it always finds all mutants.
	p := movelink.Params{HoldCycles: 3, SyncStages: 2}
	fault.FindAll(t, p.Design(), mutants, func(t *testing.T, design sim.Design) error {
		d := sim.OpenTest[movelink.In, movelink.Out](t, design, sim.Icarus)
		return sim.Compare(d, movelink.NewModel(p), traffic(1, 2, p.HoldCycles, 20_000, 0.02))
	})
}
