package debounce_test

import (
	"testing"

	"github.com/cosimate/cosimate/rtl/debounce"
	"github.com/cosimate/cosimate/rtl/internal/fault"
	"github.com/cosimate/cosimate/sim"
)

// mutants has faults whose reports say which rule is broken. That a test finds each single change at
// all, docs/mutants/debounce.md says.
var mutants = fault.Mutants{
	{"a change begins anew", "debounce.sv", "if (level == last_q && held_q != '0)", "if (held_q != '0)", "it is not ready"},
	{"a change back does too", "debounce.sv", "if (level == last_q && held_q != '0)", "if ((level == last_q || level == clean_o) && held_q != '0)", "it is not ready"},
	{"the count stays at its end", "debounce.sv", "(held_q == Hold) ? Hold : held_q + CountWidth'(1)", "held_q + CountWidth'(1)", "it is clean and ready"},
	{"no cycle less will do", "debounce.sv", "if (held_d == Hold) clean_o", "if (held_d >= Hold - CountWidth'(1)) clean_o", "clean_o is what it was"},
	{"no cycle more is waited", "debounce.sv", "if (held_d == Hold) clean_o <= level", "if (held_q == Hold) clean_o <= level", "it is clean and ready"},
	{"ready ends with the level", "debounce.sv", "ready_o = held_q == Hold", "ready_o = held_q >= Hold - CountWidth'(1)", "it is not ready"},
}

// Each mutant is found, and the report names the place. The stimulus has a fixed seed, so that it
// always finds all of them.
func TestMutants(t *testing.T) {
	const hold = 6
	fault.FindAll(t, design(2, hold), mutants, func(t *testing.T, design sim.Design) error {
		d := sim.OpenTest[debounce.In, debounce.Out](t, design, sim.Icarus)
		return sim.Compare(d, debounce.NewModel(2, hold), bounces(1, 3, hold, 5000, 0.01))
	})
}
