package sim_test

import (
	"fmt"
	"iter"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
)

// gray counts in Gray code, but slips where it should go from 128 to 129.
const gray = `
module gray (input logic clk_i, rst_i, step_i, output logic [7:0] code_o);
  logic [7:0] q;
  always_ff @(posedge clk_i) q <= rst_i ? '0 : q + {7'b0, step_i};
  assign code_o = q ^ (q >> 1) ^ {7'b0, q == 129};
endmodule`

type grayIn struct{ Rst, Step bool }

type grayOut struct{ Code uint8 }

type grayModel struct{ q uint8 }

func (m *grayModel) Reset() { m.q = 0 }

func (m *grayModel) Step(in grayIn) grayOut {
	out := grayOut{m.q ^ m.q>>1}
	if in.Step {
		m.q++
	}
	if in.Rst {
		m.q = 0
	}
	return out
}

// A thousand stimuli, of which 512 run at once on a core. Stimulus n steps n times.
func ExampleCompareLanes() {
	design := sim.Design{
		Top: "gray", Files: []string{"gray.sv"}, Clock: "clk_i", Reset: "rst_i",
		FS: fstest.MapFS{"gray.sv": {Data: []byte(gray)}},
	}
	faults, err := sim.CompareLanes(exampleContext, design, sim.Stimuli[grayIn, grayOut]{
		Count: 1000,
		Of: func(n int) iter.Seq[grayIn] {
			return func(yield func(grayIn) bool) {
				for range n {
					if !yield(grayIn{Step: true}) {
						return
					}
				}
			}
		},
		Model: func() sim.Model[grayIn, grayOut] { return &grayModel{} },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(faults), "fail; the first is", faults[0])
	// Output:
	// 870 fail; the first is stimulus 130, cycle 132: code_o is 0xc0, not 0xc1
}
