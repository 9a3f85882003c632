package scanner_test

import (
	"testing"

	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/rtl/scanner"
	"github.com/cosimate/cosimate/sim"
)

const sv = "scanner.sv"

// mutants has faults whose reports say which square and which part of its slot is wrong. That
// a test finds each single change at all, docs/mutants/scanner.md says.
var mutants = fault.Mutants{
	{"a reading belongs to its square, not the one before", sv, "occupied_o[select_o] <=", "occupied_o[select_o - 6'd1] <=", "was the last of square"},
	{"square 0 is read like all others", sv, "if (read && ready)", "if (read && ready && select_o != 6'd0)", "was the last of square 0"},
	{"square 63 is too", sv, "if (read && ready)", "if (read && ready && state_d == Scan)", "square 63 was read"},
	{"a reading that has not settled is none", sv, "if (read && ready)", "if (read)", "if the line had held"},
	{"a sensor has time to power up", sv, "SlotCycles = SettleCycles + SyncStages + HoldCycles + 1", "SlotCycles = SettleCycles + 1", "slot of square 0"},
	{"it is read at the end of the slot only", sv, "if (read && ready)", "if (state_q == Scan && ready)", "of the slot of square"},
	{"readings are made in the scan only", sv, "    read = 1'b0;", "    read = state_q == Turn;", "cycle 0 of 28 of the slot of square 0"},
	{"the strobe comes with the last reading", sv, "strobe_d = 1'b1;", "strobe_d = 1'b0;", "the scan is over"},
	{"a scan begins at square 0", sv, "select_d = '0;\n        state_d = Scan", "state_d = Scan", "of the slot of square 0"},
	{"the pins are the LED driver's when idle", sv, "select_d = led_select_i;", "", "what the LED driver gave"},
	{"to the last cycle", sv, "state_d = Turn;", "state_d = Turn;\n          led_d = 1'b0;", "the LED driver's last word"},
	{"reset begins a new scan", sv, "count_q <= '0;\n      select_o", "count_q <= count_d;\n      select_o", "slot of square"},
}

// Each mutant is found, and the report names the place. The stimulus has a fixed seed, so that it
// always finds all of them.
func TestMutants(t *testing.T) {
	fault.FindAll(t, design(small), mutants, func(t *testing.T, design sim.Design) error {
		d := sim.OpenTest[scanner.In, scanner.Out](t, design, sim.Icarus)
		return sim.Compare(d, scanner.NewModel(small), played(small, rough(small), 1, 2, 30*small.Period(), 0.2/float64(small.Period())))
	})
}
