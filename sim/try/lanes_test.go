package try_test

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/try"
)

// deep has an assertion behind a lock, an output that depends on what a register has at power-up
// for 8 of 256 values, and one of which a synthesiser makes something else.
const deep = `module m (input logic clk_i, input logic rst_i, input logic [7:0] key_i, input logic a_i, input logic b_i, output logic [1:0] step_o, output logic ring_o, output logic stale_o);
  always_ff @(posedge clk_i)
    if (rst_i) step_o <= 0;
    else
      case (step_o)
        0: if (key_i == 8'd71) step_o <= 1;
        1: step_o <= key_i == 8'd2 ? 2 : 0;
        2: step_o <= key_i == 8'd152 ? 3 : 0;
        default: step_o <= 3;
      endcase
  always_ff @(posedge clk_i)
    if (!rst_i) assert (step_o != 3 || key_i != 8'd99);
  logic [7:0] ring_q;
  always_ff @(posedge clk_i) ring_q <= {ring_q[6:0], ring_q[7]};
  always_ff @(posedge clk_i) if (ring_q == 8'ha3) ring_o <= ~key_i[0]; else ring_o <= key_i[0];
  reg stale;
  always @(a_i) stale = a_i & b_i;
  assign stale_o = stale;
endmodule
`

// Lanes find what the simulators do not: an assertion that fails deep inside, which then fails in
// the simulators with the same inputs, and outputs that are others in a lane.
func TestLanes(t *testing.T) {
	d := sim.Design{Top: "m", Clock: "clk_i", Reset: "rst_i", Files: []string{"m.sv"}, FS: fstest.MapFS{"m.sv": {Data: []byte(deep)}}}
	stop := make(chan struct{})
	stopped := false
	r, err := try.Run(t.Context(), d, try.Options{Time: 5 * time.Minute, Stop: stop, Cycles: 2000, Explored: func(e try.Explored) {
		if !stopped && strings.Contains(strings.Join(e.Reached, " "), "m.sv:12 fails") {
			stopped = true
			close(stop)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	text := r.Text()
	for _, says := range []string{
		"places where the RTL reports errors: 1", " lanes; coverage was ", "newly reached: m.sv:12 fails", "line 100.0%",
		"depend on what registers have at power-up, by lanes", "ring_o: in cycle ",
		"in what Yosys synthesises", "stale_o: in cycle ",
	} {
		if !strings.Contains(text, says) {
			t.Errorf("it does not say %q", says)
		}
	}
	if r.OK() || len(r.Failing) == 0 || t.Failed() {
		t.Errorf("OK is %v, with %d bytes of inputs with which the assertion fails\n%s", r.OK(), len(r.Failing), text)
	}
}
