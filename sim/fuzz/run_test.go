package fuzz_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/fuzz"
)

const dieHelper = "COSIMATE_FUZZ_DIES"

// FuzzDies is a helper, which runs in a process of its own: its second seed ends the simulation.
func FuzzDies(f *testing.F) {
	if os.Getenv(dieHelper) == "" {
		f.Skip("a helper of TestACaseThatEndsTheSimulation")
	}
	d := sim.Design{Top: "dies", Files: []string{"dies.sv"}, Clock: "clk_i", FS: fstest.MapFS{"dies.sv": {Data: []byte(`
module dies(input wire clk_i, input wire [7:0] data_i);
  always_ff @(posedge clk_i) if (data_i == 8'hff) $fatal(1, "too much");
endmodule`)}}}
	type in struct{ Data uint8 }
	f.Add([]byte{0xff, 0})
	f.Add([]byte{1, 0})
	fuzz.Run(f, d, 10, func(t *testing.T, dut *sim.DUT[in, struct{}], in []in) {
		if err := dut.Run(in, make([]struct{}, len(in))); err != nil {
			t.Error(err)
		}
	})
}

// Only that case fails, or go test -fuzz would take any input for one that fails, and keep the shortest.
func TestACaseThatEndsTheSimulation(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, "-test.run=^FuzzDies$", "-test.v", "-sim.keep="+t.TempDir())
	cmd.Env = append(os.Environ(), dieHelper+"=1")
	out, err := cmd.CombinedOutput()
	for _, want := range []string{"--- FAIL: FuzzDies/seed#0", "dies called $fatal in cycle 0 at dies.sv:3: too much", "--- PASS: FuzzDies/seed#1", "--- PASS: FuzzDies/seed#2"} {
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("the output lacks %q (%v):\n%s", want, err, out)
		}
	}
}
