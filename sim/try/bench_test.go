package try_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/try"
)

// BenchmarkExplore measures how many numbers of a lock a search finds in twenty seconds, one after
// the other, in the simulators alone and with lanes. A wrong number closes the lock again.
func BenchmarkExplore(b *testing.B) {
	const steps, seconds = 30, 20
	var text strings.Builder
	text.WriteString("module lock (input logic clk_i, input logic rst_i, input logic [9:0] key_i, output logic [4:0] step_o);\n  always_ff @(posedge clk_i)\n    if (rst_i) step_o <= 0;\n    else case (step_o)\n")
	for n := range steps {
		fmt.Fprintf(&text, "      %d: step_o <= key_i == 10'd%d ? %d : 0;\n", n, (n*467+389)%1024, n+1)
	}
	text.WriteString("      default: step_o <= 0;\n    endcase\nendmodule\n")
	d := sim.Design{Top: "lock", Clock: "clk_i", Reset: "rst_i", Files: []string{"lock.sv"}, FS: fstest.MapFS{"lock.sv": {Data: []byte(text.String())}}}
	for b.Loop() {
		for _, alone := range []bool{true, false} {
			reached := map[string]bool{}
			cycles := 0
			_, err := try.Run(b.Context(), d, try.Options{Time: seconds * time.Second, NoLanes: alone, Explored: func(e try.Explored) {
				cycles = e.Cycles + e.Lanes
				for _, place := range e.Reached {
					for n := range steps {
						line := 5 + n
						var from, to int
						if _, err := fmt.Sscanf(place, "lock.sv:%d-%d", &from, &to); err != nil {
							fmt.Sscanf(place, "lock.sv:%d", &from)
							to = from
						}
						if from <= line && line <= to {
							reached[fmt.Sprint(n)] = true
						}
					}
				}
			}})
			if err != nil {
				b.Fatal(err)
			}
			name := "with-lanes"
			if alone {
				name = "simulators-alone"
			}
			b.ReportMetric(float64(len(reached)), "numbers-"+name)
			b.ReportMetric(float64(cycles)/seconds/1e3, "kcycles/s-"+name)
		}
	}
}
