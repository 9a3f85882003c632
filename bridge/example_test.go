package bridge_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/icarus"
	"github.com/cosimate/cosimate/bridge/verilator"
)

// A design is driven without structs, as a tool would. (Testbenches use package sim.) Rows are
// bytes, and the layout says where each port is in them. One Run plays all rows. The two simulators
// give the same result.
func Example() {
	ctx := context.Background()
	adder := bridge.Design{
		Top: "adder", Files: []string{"adder.sv"}, Clock: "clk_i",
		FS: fstest.MapFS{"adder.sv": {Data: []byte(`
module adder (input logic clk_i, input logic [7:0] a_i, b_i, output logic [8:0] sum_o);
  initial sum_o = 0;
  always_ff @(posedge clk_i) sum_o <= a_i + b_i;
endmodule`)}},
	}
	play := func(m bridge.Model) error {
		run, err := m.Start(bridge.Options{Seed: 1})
		if err != nil {
			return err
		}
		defer run.Close()
		l := m.Layout()
		a, b, sum := l.Inputs[0], l.Inputs[1], l.Outputs[0] // sorted by name: a_i, b_i
		const n = 3
		rows := &bridge.Rows{In: make([]byte, n*l.InSize), Out: make([]byte, n*l.OutSize)}
		for t := range n {
			in := rows.In[t*l.InSize:]
			in[a.Offset], in[b.Offset] = 200, byte(50+t)
		}
		if _, err := run.Run(ctx, rows, n); err != nil {
			return err
		}
		for t := range n {
			out := rows.Out[t*l.OutSize+sum.Offset:]
			fmt.Printf("%d ", int(out[0])+int(out[1])<<8) // little endian
		}
		return nil
	}

	i, err := icarus.Build(ctx, adder, bridge.BuildOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := verilator.Build(ctx, adder, bridge.BuildOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(play(i))
	fmt.Println(play(v))
	// Output:
	// 0 250 251 <nil>
	// 0 250 251 <nil>
}
