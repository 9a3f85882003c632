package leds_test

import (
	"testing"

	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/rtl/leds"
	"github.com/cosimate/cosimate/sim"
)

var mutants = fault.Mutants{
	// Patterns.
	{"from comes in the first half", "leds.sv", "lit = share_q == {2'd0, half_q};\n        if (half_q) square", "lit = share_q == {2'd0, half_q};\n        if (~half_q) square", "half of a blink: move"},
	{"to comes after 40 %", "leds.sv", "lit = share_q == {2'd0, half_q};", "lit = share_q == 3'd0;", "second half of a blink: move"},
	{"to ends at 80 %", "leds.sv", "end_of(40) : end_of(80);\n", "end_of(40) : end_of(79);\n", "second half of a blink: move"},
	{"from ends at 40 %", "leds.sv", "(share_q == 3'd0) ? end_of(40) :", "(share_q == 3'd0) ? end_of(41) :", "> led_o"},
	{"the X has its corners", "leds.sv", "3'd2: square = {3'd4, 3'd2};", "3'd2: square = {3'd4, 3'd3};", "half of a blink: illegal"},
	{"the X has 19 % in its centre", "leds.sv", "default: share_end = end_of(79);", "default: share_end = end_of(75);", "half of a blink: illegal"},
	{"the X ends there", "leds.sv", "lit = share_q < 3'd5;\n        case", "lit = 1'b1;\n        case", "half of a blink: illegal"},
	{"rows begin at file c", "leds.sv", "share_q + 3'd2}", "share_q + 3'd1}", "> select_o"},
	{"rows have 16 % a square", "leds.sv", "3'd2: share_end = end_of(48);", "3'd2: share_end = end_of(45);", "> "},
	{"winner B is on rank 8", "leds.sv", "{3{(pattern_q == WinnerB) |", "{3{(pattern_q == WinnerA) |", "winner"},
	{"a draw shows both rows", "leds.sv", "((pattern_q == Draw) & half_q)", "1'b0", "second half of a blink: draw"},
	{"check is from, to 40 %", "leds.sv", "Check: lit = share_q == 3'd0;", "Check: lit = share_q < 3'd2;", "half of a blink: check"},
	{"promotion shows the pawn for 40 %", "leds.sv", "if (pattern_q == Promotion && ~half_q) share_end = end_of(40);", "", "first half of a blink: promotion"},
	{"and then the centre", "leds.sv", "half_q ? share_q < 3'd4 : share_q == 3'd0", "share_q == 3'd0", "second half of a blink: promotion"},
	{"the centre has four squares", "leds.sv", "half_q ? share_q < 3'd4", "half_q ? share_q < 3'd3", "second half of a blink: promotion"},
	// Restore.
	{"it blinks", "leds.sv", "lit = ~half_q & ~over", "lit = ~over", "second half of a blink: restore"},
	{"64 turns and no more", "leds.sv", "lit = ~half_q & ~over", "lit = ~half_q", "half of a blink: restore"},
	{"no square, no light", "leds.sv", "& (restore_q != '0)", "", "restore none"},
	{"after the highest comes the lowest", "leds.sv", ": lowest64(restore_q)", ": lowest64(candidates)", "half of a blink: restore"},
	{"the next one is higher", "leds.sv", "above_q <= ~64'd1 << next_square", "above_q <= ~64'd0 << next_square", "squares in turn"},
	{"turns go on in the next phase", "leds.sv", "if (rst_i) above_q", "if (rst_i | ~idle_i) above_q", "squares in turn"},
	{"a turn is over when it is", "leds.sv", "led_o & part_end & (pattern_q == Restore)", "led_o & (pattern_q == Restore)", "squares in turn"},
	{"only turns count", "leds.sv", "led_o & part_end & (pattern_q == Restore)", "led_o & part_end", "squares in turn"},
	{"a turn is a 64th", "leds.sv", "PartCycles = IdleCycles / 64", "PartCycles = IdleCycles / 40", "half of a blink: restore"},
	// Phases.
	{"what is shown stays for the phase", "leds.sv", "if (~idle_i) begin\n        pattern_q", "if (1'b1) begin\n        pattern_q", "of an idle phase"},
	{"nothing is lit outside of it", "leds.sv", "led_o = idle_i & lit", "led_o = lit", "nothing is lit"},
	{"a longer phase is dark", "leds.sv", "if (phase_q != PhaseWidth'(IdleCycles)) phase_q <=", "if (phase_q != PhaseWidth'(IdleCycles)) phase_q <= share_q[2] ? '0 :", "of an idle phase"},
	{"each phase begins anew", "leds.sv", "if (rst_i | ~idle_i) begin\n      phase_q <= '0;\n      share_q <= '0;", "if (rst_i | ~idle_i) begin\n      phase_q <= '0;\n      if (rst_i) share_q <= '0;", "of an idle phase"},
	{"half a blink has so many phases", "leds.sv", "blink_q == BlinkWidth'(BlinkPhases - 1)", "blink_q == BlinkWidth'(BlinkPhases - 2)", "half of a blink"},
	{"phases count, not cycles", "leds.sv", "if (idle_q & ~idle_i) begin", "if (~idle_i) begin", "half of a blink"},
	{"reset begins a new blink", "leds.sv", "      half_q <= 1'b0;\n", "", "half of a blink"},
	{"reset is dark", "leds.sv", "      pattern_q <= '0;\n", "", "half of a blink: dark"},
	{"reset begins at a1", "leds.sv", "if (rst_i) above_q <= '1;\n    else if", "if", "squares in turn"},
}

// Each mutant is found, and the report names the place. The stimulus has a fixed seed, so that it
// always finds all of them.
func TestMutants(t *testing.T) {
	small := leds.Params{IdleCycles: 130, BlinkPhases: 2}
	fault.FindAll(t, design(small), mutants, func(t *testing.T, design sim.Design) error {
		d := sim.OpenTest[leds.In, leds.Out](t, design, sim.Icarus)
		return sim.Compare(d, leds.NewModel(small), shown(small, 1, 5, 200*small.IdleCycles, 0.1/float64(small.IdleCycles)))
	})
}
