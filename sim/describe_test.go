package sim_test

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/internal/cachedir"
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

// A genvar is no signal, an integer is.
func TestDescribeGenvar(t *testing.T) {
	const text = `module loops (input wire clk_i, input wire [3:0] a_i, output logic [3:0] b_o);
  integer last_q;
  logic [1:0] r_q [2];
  always_ff @(posedge clk_i) begin
    last_q <= {28'b0, a_i};
    for (int i = 0; i < 4; i++) b_o[i] <= a_i[3-i] ^ last_q[i] ^ r_q[i%2][0];
  end
  for (genvar i = 0; i < 2; i++) begin : g_inline
    integer n_q;
    always_ff @(posedge clk_i) n_q <= {31'b0, a_i[i]};
    assign r_q[i][0] = n_q[0];
  end
  genvar k;
  generate
    for (k = 0; k < 2; k = k + 1) begin : g_old
      assign r_q[k][1] = a_i[k];
    end
  endgenerate
endmodule
`
	t.Setenv(cachedir.Env, t.TempDir()) // what was found of it is kept there
	d := sim.Design{Top: "loops", FS: fstest.MapFS{"loops.sv": {Data: []byte(text)}}, Files: []string{"loops.sv"}}
	sim.ForEachSimulator(t, func(t *testing.T, s sim.Simulator) {
		got, err := sim.Describe(t.Context(), d, s)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"g_inline[0].n_q", "g_inline[1].n_q", "last_q", "r_q"}
		if diff := cmp.Diff(want, got.Signals); diff != "" {
			t.Errorf("the signals are not as wanted: %s", diff)
		}
	})
}
