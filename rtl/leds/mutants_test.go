package leds_test

import (
	"testing"

	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/rtl/leds"
	"github.com/cosimate/cosimate/sim"
)

// mutants has faults whose reports say which pattern, and what of it, is not shown. That a test finds
// each single change at all, docs/mutants/leds.md says.
var mutants = fault.Mutants{
	// Patterns.
	{"from comes in the first half", "leds.sv", "lit = share_q == {2'd0, half_q};\n        if (half_q) square", "lit = share_q == {2'd0, half_q};\n        if (~half_q) square", "half of a blink: move"},
	{"to comes after 40 %", "leds.sv", "lit = share_q == {2'd0, half_q};", "lit = share_q == 3'd0;", "second half of a blink: move"},
	{"the X has its corners", "leds.sv", "3'd2: square = {3'd4, 3'd2};", "3'd2: square = {3'd4, 3'd3};", "half of a blink: illegal"},
	{"winner B is on rank 8", "leds.sv", "{3{(pattern_q == WinnerB) |", "{3{(pattern_q == WinnerA) |", "winner"},
	{"a draw shows both rows", "leds.sv", "((pattern_q == Draw) & half_q)", "1'b0", "second half of a blink: draw"},
	{"check is from, to 40 %", "leds.sv", "Check: lit = share_q == 3'd0;", "Check: lit = share_q < 3'd2;", "half of a blink: check"},
	{"promotion shows the pawn for 40 %", "leds.sv", "if (pattern_q == Promotion && ~half_q) share_end = end_of(40);", "", "first half of a blink: promotion"},
	{"and then the centre", "leds.sv", "half_q ? share_q < 3'd4 : share_q == 3'd0", "share_q == 3'd0", "second half of a blink: promotion"},
	// Restore.
	{"it blinks", "leds.sv", "lit = ~half_q & ~over", "lit = ~over", "second half of a blink: restore"},
	{"64 turns and no more", "leds.sv", "lit = ~half_q & ~over", "lit = ~half_q", "half of a blink: restore"},
	{"no square, no light", "leds.sv", "& (restore_q != '0)", "", "restore none"},
	{"the next one is higher", "leds.sv", "above_q <= ~64'd1 << next_square", "above_q <= ~64'd0 << next_square", "squares in turn"},
	// Phases.
	{"what is shown stays for the phase", "leds.sv", "if (~idle_i) begin\n        pattern_q", "if (1'b1) begin\n        pattern_q", "of an idle phase"},
	{"nothing is lit outside of it", "leds.sv", "led_o = idle_i & lit", "led_o = lit", "nothing is lit"},
	{"half a blink has so many phases", "leds.sv", "blink_q == BlinkWidth'(BlinkPhases - 1)", "blink_q == BlinkWidth'(BlinkPhases - 2)", "half of a blink"},
	{"reset is dark", "leds.sv", "      pattern_q <= '0;\n", "", "half of a blink: dark"},
}

// Each mutant is found, and the report names the place. The stimulus has a fixed seed, so that it
// always finds all of them.
func TestMutants(t *testing.T) {
	small := leds.Params{IdleCycles: 130, BlinkPhases: 2}
	fault.FindAll(t, design(small), mutants, func(t *testing.T, design sim.Design) error {
		d := sim.OpenTest[leds.In, leds.Out](t, design, sim.Icarus)
		return sim.Compare(d, leds.NewModel(small), shown(small, 1, 6, 200*small.IdleCycles, 0.1/float64(small.IdleCycles)))
	})
}
