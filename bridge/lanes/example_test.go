package lanes_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"testing/fstest"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
)

// A counter that adds its input in each cycle, 512 times: lane n adds n.
func Example() {
	ctx := context.Background()
	m, err := lanes.Build(ctx, bridge.Design{
		Top: "adder", Files: []string{"adder.sv"}, Clock: "clk_i",
		FS: fstest.MapFS{"adder.sv": {Data: []byte(`
module adder (input logic clk_i, input logic rst_i, input logic [15:0] step_i, output logic [31:0] sum_o);
  always_ff @(posedge clk_i) sum_o <= rst_i ? '0 : sum_o + {16'b0, step_i};
endmodule`)}},
	}, lanes.BuildOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := m.Start(lanes.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()

	// A row of inputs has the ports in the order of their names: rst_i at byte 0, step_i at 2.
	row := make([]byte, m.Layout().InSize)
	row[0] = 1
	if _, err := b.Run(ctx, lanes.Rows{In: row, Shared: true}, 1); err != nil {
		fmt.Println(err)
		return
	}
	row[0] = 0
	for lane := range lanes.Count {
		binary.LittleEndian.PutUint16(row[2:], uint16(lane))
		if err := b.Set(lane, row); err != nil {
			fmt.Println(err)
			return
		}
	}
	// Inputs stay. The sum is sampled before the edge: 101 cycles are 100 additions.
	if _, err := b.Run(ctx, lanes.Rows{}, 101); err != nil {
		fmt.Println(err)
		return
	}
	out := make([]byte, m.Layout().OutSize)
	for _, lane := range []int{1, 7, 511} {
		b.Get(lane, out)
		fmt.Println(lane, binary.LittleEndian.Uint32(out))
	}
	// Output:
	// 1 100
	// 7 700
	// 511 51100
}
