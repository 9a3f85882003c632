package icarus_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/icarus"
)

// Icarus has four states: a register without reset is X, and Unknown says in which bits.
func ExampleBuild() {
	m, err := icarus.Build(context.Background(), bridge.Design{
		Top: "register", Files: []string{"register.sv"}, Clock: "clk_i",
		FS: fstest.MapFS{"register.sv": {Data: []byte(`
module register (input logic clk_i, input logic [3:0] d_i, output logic [3:0] q_o);
  always_ff @(posedge clk_i) q_o <= d_i;
endmodule`)}},
	}, bridge.BuildOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	run, err := m.Start(bridge.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer run.Close()
	l := m.Layout()
	rows := &bridge.Rows{In: make([]byte, 2*l.InSize), Out: make([]byte, 2*l.OutSize), Unknown: make([]byte, 2*l.OutSize)}
	rows.In[l.Inputs[0].Offset] = 9
	if _, err := run.Run(context.Background(), rows, 2); err != nil {
		fmt.Println(err)
		return
	}
	for t := range 2 {
		at := t*l.OutSize + l.Outputs[0].Offset
		fmt.Printf("cycle %d: q_o %d, unknown bits %04b\n", t, rows.Out[at], rows.Unknown[at])
	}
	// Output:
	// cycle 0: q_o 0, unknown bits 1111
	// cycle 1: q_o 9, unknown bits 0000
}
