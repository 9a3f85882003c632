package sim_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
)

type tableIn struct {
	Rst  bool
	Read uint8
}

type tableOut struct{ Word, Sum uint8 }

// A forced word of a memory is what the RTL reads and registers in each cycle, whatever it writes
// there, in tapes and steps, until it is released: then the next write counts.
func TestForcedWord(t *testing.T) {
	design := sim.Design{Top: "word_table", FS: os.DirFS("testdata"), Files: []string{"word_table.sv"}, Clock: "clk_i", Reset: "rst_i", Internals: []string{"mem", "count_q"}}
	sim.ForEach(t, design, func(t *testing.T, dut *sim.DUT[tableIn, tableOut]) {
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		var words, sums []uint8
		tape := func(reads ...uint8) {
			t.Helper()
			in, out := make([]tableIn, len(reads)), make([]tableOut, len(reads))
			for i, r := range reads {
				in[i].Read = r
			}
			must(dut.Run(in, out))
			for _, o := range out {
				words, sums = append(words, o.Word), append(sums, o.Sum)
			}
		}
		must(dut.Reset(2))
		must(dut.Force("mem[1]", sim.Bits(8, 100)))
		tape(0, 1, 1, 1)
		must(dut.Force("mem[1]", sim.Bits(8, 50)))
		must(dut.Force("mem[2]", sim.Bits(8, 7)))
		if _, err := dut.Step(tableIn{Read: 3}); err != nil { // count 4; sum_o is 300
			t.Fatal(err)
		}
		tape(1, 2) // count 5 is lost in mem[1]
		if v, err := dut.Peek("mem[1]"); err != nil || v.Uint64() != 50 {
			t.Errorf("mem[1] is %v, not 50, between runs (%v)", v, err)
		}
		must(dut.Release("mem[1]"))
		must(dut.Release("mem[1]")) // twice is once
		tape(1, 1, 2, 1, 1)         // counts 7 to 11: 9 is written to mem[1] in the third row
		must(dut.Release("mem[2]"))
		tape(2, 2, 2, 2) // counts 12 to 15: 14 is written to mem[2] in the third row
		if diff := cmp.Diff([]uint8{0, 100, 100, 100, 50, 7, 50, 50, 7, 9, 9, 7, 7, 7, 14}, words); diff != "" {
			t.Errorf("what was read differs (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]uint8{0, 0, 100, 200, 47, 97, 104, 154, 204, 211, 220, 229, 236, 243, 250}, sums); diff != "" {
			t.Errorf("what was registered differs (-want +got):\n%s", diff)
		}
		for name, want := range map[string]string{"mem[4]": "[0:3]", "mem[-1]": "[0:3]", "count_q[1]": "count_q", "mem": "mem["} {
			if err := dut.Force(name, sim.Bits(8, 0)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error is %v, not one with %q", name, err, want)
			}
		}
		if err := dut.Force("mem[1]", sim.Bits(9, 0)); err == nil || !strings.Contains(err.Error(), "8 bits") {
			t.Errorf("the error of a value of 9 bits is %v", err)
		}
	})
}

type fallIn struct {
	Rst bool
	D   uint8
}

type fallOut struct{ Word, Reg uint8 }

// A word that RTL on the falling edge writes is held as well, in outputs, in what is registered and
// while inputs settle. One that is written without an edge is held, or that it cannot be is an
// error.
func TestForcedWordOfFallingEdge(t *testing.T) {
	design := sim.Design{Top: "fall_table", FS: fstest.MapFS{"fall_table.sv": {Data: []byte(`
module fall_table(input wire clk_i, input wire rst_i, input wire [7:0] d_i, output wire [7:0] word_o, output logic [7:0] reg_o);
  logic [7:0] mem[4], open[4];
  always_ff @(negedge clk_i) mem[1] <= d_i;
  always_latch if (!clk_i) open[1] = d_i;
  assign word_o = mem[1];
  always_ff @(posedge clk_i) reg_o <= mem[1] + (rst_i ? 8'd0 : open[1]);
endmodule`)}}, Files: []string{"fall_table.sv"}, Clock: "clk_i", Reset: "rst_i", Internals: []string{"mem", "open"}}
	sim.ForEach(t, design, func(t *testing.T, dut *sim.DUT[fallIn, fallOut]) {
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		must(dut.Reset(2))
		must(dut.Force("mem[1]", sim.Bits(8, 100)))
		settled, err := dut.Settle(fallIn{D: 9})
		must(err)
		out := make([]fallOut, 4)
		must(dut.Run([]fallIn{{D: 1}, {D: 2}, {D: 3}, {D: 4}}, out))
		must(dut.Release("mem[1]"))
		last, err := dut.Step(fallIn{D: 5})
		must(err)
		if diff := cmp.Diff([]fallOut{{100, 0}, {100, 0}, {100, 101}, {100, 102}, {100, 103}, {5, 104}}, append(append([]fallOut{settled}, out...), last)); diff != "" {
			t.Errorf("a word written on the falling edge differs (-want +got):\n%s", diff)
		}
		must(dut.Force("open[1]", sim.Bits(8, 100)))
		_, err = dut.Step(fallIn{D: 6})
		if refused, ok := errors.AsType[*bridge.SignalError](err); dut.Simulator() == sim.Verilator && (!ok || !strings.Contains(refused.Error(), "signal open[1] of module fall_table: it is forced to 8'h64, but is 8'h06")) {
			t.Errorf("the error of an open latch that is forced is %v", err)
		}
		must(dut.Release("open[1]"))
		last, again := dut.Step(fallIn{D: 7})
		must(again)
		if dut.Simulator() == sim.Icarus && (err != nil || last.Reg != 6+100) {
			t.Errorf("of an open latch that is forced to 100, and 6, %d is registered (%v)", last.Reg, err)
		}
	})
}
