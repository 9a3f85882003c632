package verilator_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/verilator"
)

// The benchmark measures the time of a cycle in runs of one row and of many. The block has 12
// ports, and simulating it takes hardly any time.
func BenchmarkRun(b *testing.B) {
	d := bridge.Design{Top: "pipe", FS: os.DirFS("../../sim/testdata"), Files: []string{"pipe.sv"}, Clock: "clk_i"}
	m, err := verilator.Build(b.Context(), d, bridge.BuildOptions{})
	if err != nil {
		b.Fatal(err)
	}
	i, err := m.Start(bridge.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer i.Close()
	ctx := b.Context()
	const most = 4096
	l := i.Layout()
	rows := bridge.Rows{In: make([]byte, most*l.InSize), Out: make([]byte, most*l.OutSize)}
	for k := range rows.In {
		rows.In[k] = byte(k*k>>4) & 1 // a value that fits each port
	}
	for _, n := range []int{1, 16, most} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for done := 0; done < b.N; done += n {
				if _, err := i.Run(ctx, &rows, n); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
