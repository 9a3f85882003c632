package verilator_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/verilator"
)

// Verilator has two states. A register without reset has a random value, which depends on the seed.
func ExampleBuild() {
	m, err := verilator.Build(context.Background(), bridge.Design{
		Top: "register", Files: []string{"register.sv"}, Clock: "clk_i",
		FS: fstest.MapFS{"register.sv": {Data: []byte(`
module register (input logic clk_i, input logic [31:0] d_i, output logic [31:0] q_o);
  always_ff @(posedge clk_i) q_o <= d_i;
endmodule`)}},
	}, bridge.BuildOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	first := func(seed uint64) string {
		run, err := m.Start(bridge.Options{Seed: seed})
		if err != nil {
			return err.Error()
		}
		defer run.Close()
		l := m.Layout()
		rows := &bridge.Rows{In: make([]byte, l.InSize), Out: make([]byte, l.OutSize)}
		if _, err := run.Run(context.Background(), rows, 1); err != nil {
			return err.Error()
		}
		at := l.Outputs[0].Offset
		return fmt.Sprintf("%x", rows.Out[at:at+l.Outputs[0].Size])
	}
	one := first(1)
	fmt.Println("the same seed, the same value:", one == first(1))
	fmt.Println("another one, another:", one != first(2))
	// Output:
	// the same seed, the same value: true
	// another one, another: true
}
