package movelink_test

import (
	"testing"

	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/rtl/movelink"
	"github.com/cosimate/cosimate/sim"
)

// mutants has faults whose reports say which rule is broken. That a test finds each single change at
// all, docs/mutants/movelink.md says.
var mutants = fault.Mutants{
	{"bytes say which half they are", "movelink_bytes.sv", "FromTag = 2'b01", "FromTag = 2'b00", "bytes to be sent: 0x"},

	{"they hold for HoldCycles", "movelink_lines.sv", "settled = held_d == Hold", "settled = held_d >= Hold - CountWidth'(1)", "the lines have not held for"},
	{"a change begins the count anew", "movelink_lines.sv", "held_d = CountWidth'(1);", "held_d = (held_q == '0 || held_q == Hold) ? CountWidth'(1) : held_q;", "the lines have not held for"},
	{"line 0 is 0 for an origin", "movelink_lines.sv", "complete = settled & lines[0] & to_is_due_q", "complete = settled & to_is_due_q", "a square to go to is due"},
	{"a destination without an origin is no move", "movelink_lines.sv", "settled & lines[0] & to_is_due_q", "settled & lines[0]", "a square to come from is due"},
	{"a destination counts once", "movelink_lines.sv", "if (complete) begin\n      to_is_due_q <= 1'b0;", "if (complete) begin", "a square to come from is due"},
	{"a move stays until it is taken", "movelink_lines.sv", "if (move_ready_i) move_valid_o <= 1'b0;", "move_valid_o <= 1'b0;", "waits to be taken"},
	{"and what it is", "movelink_lines.sv", "if (move_valid_o & ~move_ready_i) begin", "if (1'b0) begin", "the one before it was not taken yet"},
	{"a move that is taken makes room for the next", "movelink_lines.sv", "if (move_valid_o & ~move_ready_i) begin", "if (move_valid_o) begin", "waits to be taken"},
	{"reset asks for an origin", "movelink_lines.sv", "to_is_due_q <= 1'b0;\n      move_valid_o", "move_valid_o", "a square to come from is due"},
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
