package try_test

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/try"
)

// lock opens after some right numbers in a row. Random numbers do not come far.
const lock = `module lock (input logic clk_i, input logic rst_i, input logic [2:0] key_i, input logic try_i, output logic [2:0] step_o, output logic odd_o);
  always_ff @(posedge clk_i)
    if (rst_i) step_o <= 0;
    else if (try_i)
      case (step_o)
        0: if (key_i == 3'd7) step_o <= 1;
        1: step_o <= key_i == 3'd2 ? 2 : 0;
        2: step_o <= key_i == 3'd5 ? 3 : 0;
        3: step_o <= key_i == 3'd4 ? 4 : 0;
        default: step_o <= 4;
      endcase
  assign odd_o = ODD;
endmodule
`

// A trial that goes on is guided by what it reaches. It ends when it is told to.
func TestExplore(t *testing.T) {
	d := sim.Design{Top: "lock", Clock: "clk_i", Reset: "rst_i", Files: []string{"lock.sv"},
		FS: fstest.MapFS{"lock.sv": {Data: []byte(strings.Replace(lock, "ODD", "1'b0", 1))}}}
	stop := make(chan struct{})
	o := try.Options{Cycles: 100, Time: 5 * time.Minute, Stop: stop, Explored: func(e try.Explored) {
		// A run may open the lock and end there: the line of the open lock is one cycle behind.
		if strings.Contains(e.Coverage, "line 100.0%") {
			select {
			case <-stop:
			default:
				close(stop)
			}
		}
	}}
	r, err := try.Run(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	if text := r.Text(); !r.OK() || !strings.Contains(text, "more, guided by coverage: ") || !strings.Contains(text, "newly reached: lock.sv:") || !strings.Contains(text, "line 100.0%") {
		t.Error(text)
	}
}

// A difference behind the lock is found, with the inputs that lead to it.
func TestExploreDifference(t *testing.T) {
	// Icarus takes the X for false, and Verilator has a 0 or a 1.
	text := strings.Replace(lock, "assign odd_o = ODD;", "reg [3:0] x; always_comb if (step_o == 4 && x[0]) odd_o = 1; else odd_o = 0;", 1)
	d := sim.Design{Top: "lock", Clock: "clk_i", Reset: "rst_i", Files: []string{"lock.sv"}, FS: fstest.MapFS{"lock.sv": {Data: []byte(text)}}}
	stop := make(chan struct{})
	seen := false
	r, err := try.Run(t.Context(), d, try.Options{Cycles: 100, Time: 5 * time.Minute, Stop: stop, Explored: func(e try.Explored) {
		if strings.Contains(strings.Join(e.Reached, " "), "step_o[2]") && !seen {
			seen = true
			close(stop)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if text := r.Text(); !r.Differs && !strings.Contains(text, "depend on what registers have at power-up") {
		t.Error(text)
	}
}
