package verilator_test

import (
	"bytes"
	"runtime"
	"runtime/pprof"
	"sync"
	"testing"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/verilator"
)

// Short runs are calls without cgo, on a stack that the Go runtime does not know. While several
// goroutines make them, it collects garbage, preempts goroutines and takes samples for a profile.
func TestQuickCallsBesideTheRuntime(t *testing.T) {
	m, err := verilator.Build(t.Context(), design("count", `
module count(input wire clk_i, input wire a_i, output logic [31:0] q_o);
  initial q_o = 0;
  always_ff @(posedge clk_i) q_o <= q_o + 32'(a_i);
endmodule`), bridge.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		t.Logf("without a profile, as one is taken already: %v", err)
	} else {
		defer pprof.StopCPUProfile()
	}
	end := time.Now().Add(time.Second)
	var wg sync.WaitGroup
	for range 4 {
		i, err := m.Start(bridge.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer i.Close()
		wg.Go(func() {
			rows := bridge.Rows{In: []byte{1, 0, 0, 0, 0, 0, 0, 0}, Out: make([]byte, 8)}
			for n := uint32(0); time.Now().Before(end); n++ {
				if _, err := i.Run(t.Context(), &rows, 1); err != nil {
					t.Error(err)
					return
				}
				if got := uint32(rows.Out[0]) | uint32(rows.Out[1])<<8 | uint32(rows.Out[2])<<16 | uint32(rows.Out[3])<<24; got != n {
					t.Errorf("after %d cycles the count is %d", n, got)
					return
				}
			}
		})
	}
	for time.Now().Before(end) {
		runtime.GC()
	}
	wg.Wait()
}
