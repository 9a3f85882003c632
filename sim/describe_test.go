package sim_test

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/sim"
)

// Both simulators describe a design alike, without a clock being named.
func TestDescribe(t *testing.T) {
	d := sim.Design{Top: "watchdog", FS: os.DirFS("testdata"), Dir: "sim/testdata", Files: []string{"watchdog.sv"}, Internals: []string{"nothing"}}
	sim.ForEachSimulator(t, func(t *testing.T, s sim.Simulator) {
		got, err := sim.Describe(t.Context(), d, s)
		if err != nil {
			t.Fatal(err)
		}
		ports := ""
		for _, p := range got.Ports {
			ports += p.String() + "\n"
		}
		if want := "input clk_i\ninput kick_i\ninput rst_i\noutput alarm_o\n"; ports != want {
			t.Errorf("the ports are:\n%s", ports)
		}
		want := []string{"alarms_q", "broken", "expired", "log", "state_q", "u_timer.broken_o", "u_timer.clear_i", "u_timer.clk_i", "u_timer.copy_q",
			"u_timer.count_q", "u_timer.expired_o", "u_timer.mismatch", "u_timer.rst_i"}
		if diff := cmp.Diff(want, got.Signals); diff != "" {
			t.Errorf("the signals are not as wanted: %s", diff)
		}
	})
}
