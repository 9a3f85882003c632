package convention_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/convention"
)

func TestClockAndReset(t *testing.T) {
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
		{"wclk rst", "wclk", "rst"},
	} {
		var all []sim.Port
		for name := range strings.FieldsSeq(test.inputs) {
			all = append(all, sim.Port{Name: name, Dir: bridge.Input, Width: 1})
		}
		all = append(all, sim.Port{Name: "clk_o", Dir: bridge.Output, Width: 1}, sim.Port{Name: "clock_i", Dir: bridge.Input, Width: 4})
		d := sim.Design{Top: "t"}
		said, err := convention.ClockAndReset(&d, convention.Given{}, all)
		reset := d.Reset
		if d.ResetActiveLow {
			reset = "!" + reset
		}
		if err != nil || d.Clock != test.clock || reset != test.reset || len(said) == 0 {
			t.Errorf("%s: clock %q, reset %q, %v: %v", test.inputs, d.Clock, reset, said, err)
		}
	}
	d := sim.Design{Top: "t"}
	two := []sim.Port{{Name: "clk_a_i", Dir: bridge.Input, Width: 1}, {Name: "clk", Dir: bridge.Input, Width: 1}, {Name: "clear_i", Dir: bridge.Input, Width: 1}}
	_, err := convention.ClockAndReset(&d, convention.Given{}, two)
	if err == nil || !strings.Contains(err.Error(), "several inputs that are clocks by their names: clk_a_i, clk: --clock NAME says which") {
		t.Errorf("two clocks: %v", err)
	}
	d = sim.Design{Top: "t"}
	g := convention.Given{Clocks: []sim.Clock{{Port: "clk"}, {Port: "clk_a_i", Period: 8}}, Reset: "clear_i", ResetActiveLow: true}
	if said, err := convention.ClockAndReset(&d, g, two); err != nil || len(said) != 0 || len(d.Clocks) != 2 || d.Reset != "clear_i" || !d.ResetActiveLow {
		t.Errorf("what is given is taken: %v, %v, %+v", said, err, d)
	}
	d = sim.Design{Top: "t"}
	if said, err := convention.ClockAndReset(&d, convention.Given{NoClock: true}, two); err != nil || len(said) != 0 || d.Clock != "" || d.Reset != "" {
		t.Errorf("without a clock: %v, %v, %+v", said, err, d)
	}
	_, err = convention.ClockAndReset(&d, convention.Given{Clocks: []sim.Clock{{Port: "clock"}}}, two)
	if e, ok := errors.AsType[*convention.Error](err); !ok || e.Part != convention.Clock || e.Name != "clock" {
		t.Errorf("a clock that is no port: %v", err)
	}
	if _, err = convention.ClockAndReset(&d, convention.Given{Reset: "reset"}, two); err == nil {
		t.Error("a reset that is no port is taken")
	}
}
