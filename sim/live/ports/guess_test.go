package ports_test

import (
	"strings"
	"testing"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live/ports"
)

func TestGuess(t *testing.T) {
	for _, test := range []struct{ inputs, clock, reset string }{
		{"clk_i rst_i data_i", "clk_i", "rst_i"},
		{"clk rst_n", "clk", "!rst_n"},
		{"clk_i rst_ni", "clk_i", "!rst_ni"},
		{"i_clk i_rst_n", "i_clk", "!i_rst_n"},
		{"aclk aresetn", "aclk", "!aresetn"},
		{"wb_clk_i wb_rst_i", "wb_clk_i", "wb_rst_i"},
		{"CLOCK RESET", "CLOCK", "RESET"},
		{"sys_clk sys_rst_l", "sys_clk", "!sys_rst_l"},
		{"clk nreset", "clk", "!nreset"},
		{"clk rst_n_i", "clk", "!rst_n_i"},
		{"clk rstb", "clk", "!rstb"},
		{"clk_in reset_in", "clk_in", "reset_in"},
		{"clk_i burst_i first_i clk_en_i reset_count_i", "clk_i", ""},
		{"a_i b_i rst_i", "", ""},
		{"clk rst srst", "clk", ""},
	} {
		var all []sim.Port
		for name := range strings.FieldsSeq(test.inputs) {
			all = append(all, sim.Port{Name: name, Dir: bridge.Input, Width: 1})
		}
		all = append(all, sim.Port{Name: "clk_o", Dir: bridge.Output, Width: 1}, sim.Port{Name: "clock_i", Dir: bridge.Input, Width: 4})
		d := sim.Design{Top: "t"}
		said, err := ports.Guess(&d, all, "HINT")
		reset := d.Reset
		if d.ResetActiveLow {
			reset = "!" + reset
		}
		if err != nil || d.Clock != test.clock || reset != test.reset || len(said) == 0 {
			t.Errorf("%s: clock %q, reset %q, %v: %v", test.inputs, d.Clock, reset, said, err)
		}
	}
	d := sim.Design{Top: "t"}
	_, err := ports.Guess(&d, []sim.Port{{Name: "clk_a_i", Dir: bridge.Input, Width: 1}, {Name: "clk", Dir: bridge.Input, Width: 1}}, "HINT")
	if err == nil || !strings.Contains(err.Error(), "several") {
		t.Errorf("two clocks: %v", err)
	}
	d = sim.Design{Top: "t", Clock: "tick_i", Reset: "clear_i"}
	if said, err := ports.Guess(&d, nil, ""); err != nil || len(said) != 0 || d.Clock != "tick_i" || d.Reset != "clear_i" {
		t.Errorf("what is given is kept: %v, %v, %+v", said, err, d)
	}
}
