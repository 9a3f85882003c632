package fuzz_test

import (
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/fuzz"
)

const dieHelper = "COSIMATE_FUZZ_DIES"

type diesIn struct {
	Rst  bool `rand:"-"`
	Data uint8
}

type diesOut struct{ Last uint8 }

// dies keeps its last input over a reset, and ends the simulation at 0xff.
var dies = sim.Design{Top: "dies", Files: []string{"dies.sv"}, Clock: "clk_i", FS: fstest.MapFS{"dies.sv": {Data: []byte(`
module dies(input wire clk_i, rst_i, input wire [7:0] data_i, output logic [7:0] last_o);
  initial last_o = 0;
  always_ff @(posedge clk_i) last_o <= data_i;
  always_ff @(posedge clk_i) if (!rst_i && data_i == 8'hff) $fatal(1, "too much");
endmodule`)}}}

// FuzzDies is a helper, which runs in a process of its own. Its first seed ends the simulation.
func FuzzDies(f *testing.F) {
	if os.Getenv(dieHelper) == "" {
		f.Skip("a helper of TestACaseThatEndsTheSimulation")
	}
	d := dies
	d.Reset = "rst_i"
	f.Add([]byte{0xff, 0})
	f.Add([]byte{1, 0})
	fuzz.Run(f, d, 10, func(t *testing.T, dut *sim.DUT[diesIn, diesOut], in []diesIn) {
		if err := dut.Run(in, make([]diesOut, len(in))); err != nil {
			t.Error(err)
		}
	})
}

// Only the run that ends the simulation fails. Otherwise go test -fuzz would take any later input
// for one that fails, and keep the shortest.
func TestACaseThatEndsTheSimulation(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, "-test.run=^FuzzDies$", "-test.v", "-sim.keep="+t.TempDir())
	cmd.Env = append(os.Environ(), dieHelper+"=1")
	out, err := cmd.CombinedOutput()
	for _, want := range []string{"--- FAIL: FuzzDies/seed#0", "dies called $fatal in cycle 3 at dies.sv:5: too much", "--- PASS: FuzzDies/seed#1", "--- PASS: FuzzDies/seed#2"} {
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("the output lacks %q (%v):\n%s", want, err, out)
		}
	}
}

// A design with a clock and no reset begins anew with each run, which does not see the state that
// earlier runs have left.
func FuzzKeeps(f *testing.F) {
	f.Add([]byte{5, 0})
	f.Add([]byte{7, 0})
	fuzz.Run(f, dies, 10, func(t *testing.T, dut *sim.DUT[diesIn, diesOut], in []diesIn) {
		in[0].Data &= 0x7f
		if first, err := dut.Step(in[0]); err != nil || first.Last != 0 || dut.Cycle() != 1 {
			t.Errorf("cycle %d: last_o is %d (%v): that is of an earlier case", dut.Cycle()-1, first.Last, err)
		}
	})
}

// A DUT that was opened for the fuzz test itself prints to its log, which is closed while a case
// runs.
func FuzzPrints(f *testing.F) {
	d := sim.Design{Top: "prints", Files: []string{"prints.sv"}, Clock: "clk_i", FS: fstest.MapFS{"prints.sv": {Data: []byte(`
module prints(input wire clk_i, rst_i, input wire [7:0] data_i, output logic [7:0] last_o);
  always_ff @(posedge clk_i) begin
    last_o <= data_i;
    $display("data %0d", data_i);
  end
endmodule`)}}}
	dut := sim.OpenTest[diesIn, diesOut](f, d, sim.Verilator)
	f.Add([]byte{1})
	f.Fuzz(func(t *testing.T, _ []byte) {
		if _, err := dut.Step(diesIn{Data: 5}); err != nil {
			t.Error(err)
		}
	})
}

// FuzzPresses is the fuzz test of the example. Plain go test runs it with its seeds.
func FuzzPresses(f *testing.F) { fuzzPresses(f) }

// A decoder of one's own gets all bytes of a seed but the last, and body gets what it returns.
func FuzzOwnDecoder(f *testing.F) {
	f.Add([]byte("seed\x00"))
	f.Add([]byte{})
	seen := map[string]bool{}
	fuzz.RunWith(f, lock, func(data []byte) string { return string(data) }, func(t *testing.T, dut *sim.DUT[lockIn, lockOut], s string) {
		if out, err := dut.Step(lockIn{}); err != nil || out.Open {
			t.Errorf("%+v, %v", out, err)
		}
		seen[s] = true
	})
	if zeros := string(make([]byte, 8)); len(seen) > 0 && !maps.Equal(seen, map[string]bool{"seed": true, "": true, zeros: true}) {
		f.Errorf("decoded to %q", slices.Collect(maps.Keys(seen)))
	}
}
