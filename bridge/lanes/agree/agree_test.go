package agree_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes/agree"
)

// A sum with a reset, and a register that nothing sets before load_i.
const rtl = `module mixed (input logic clk_i, input logic rst_i, input logic load_i, input logic signed [6:0] a_i, input logic [69:0] wide_i,
              output logic [15:0] sum_o, output logic valid_o, output logic [7:0] kept_o, output logic [69:0] wide_o);
  always_ff @(posedge clk_i) begin
    sum_o <= rst_i ? '0 : sum_o + {{9{a_i[6]}}, a_i};
    valid_o <= !rst_i && (valid_o || load_i);
    if (load_i) kept_o <= sum_o[7:0];
    wide_o <= rst_i ? '0 : wide_o ^ wide_i;
  end
endmodule
`

var design = bridge.Design{Top: "mixed", Files: []string{"mixed.sv"}, FS: fstest.MapFS{"mixed.sv": {Data: []byte(rtl)}}, Clock: "clk_i", Reset: "rst_i"}

// Both simulators agree with lanes in all outputs, as many as were asked for.
func TestAgree(t *testing.T) {
	r, err := agree.Check(t.Context(), design, agree.Options{Cycles: 70, Seed: 1, Verilator: 20, Icarus: 3, Reset: 2, Valid: map[string]string{"kept_o": "valid_o"}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Cycles != 70*20 || r.Values != (70-2)*4*(20+3) {
		t.Errorf("%+v", r)
	}
	if _, err := agree.Check(t.Context(), design, agree.Options{Cycles: 70, Seed: 2, Verilator: 20, Zeros: true}); err != nil {
		t.Error(err)
	}
}

// What is random at power-up differs, and is shown with its place. It does not where it does not
// count.
func TestDifference(t *testing.T) {
	_, err := agree.Check(t.Context(), design, agree.Options{Cycles: 70, Seed: 1, Verilator: 20, Reset: 1, Idle: map[string]uint64{"load_i": 0}})
	d, ok := errors.AsType[*agree.Difference](err)
	if !ok || d.Port.Name != "kept_o" || d.Cycle != 1 || d.Lane > 1 || d.Simulator != "verilator" {
		t.Fatalf("%+v, %v", d, err)
	}
	if text := err.Error(); !strings.HasPrefix(text, "mixed: lane ") || !strings.Contains(text, "cycle 1: kept_o is ") || !strings.Contains(text, ", and in verilator ") {
		t.Error(text)
	}
	if _, err := agree.Check(t.Context(), design, agree.Options{Cycles: 70, Seed: 1, Verilator: 20, Reset: 1, Valid: map[string]string{"kept*": "valid_o"}}); err != nil {
		t.Error(err)
	}
}

// A design that lanes cannot run is an error.
func TestCannot(t *testing.T) {
	d := design
	d.FS = fstest.MapFS{"mixed.sv": {Data: []byte("module mixed (input logic clk_i, input logic rst_i, input logic a_i, output logic y_o); always_latch if (a_i) y_o = rst_i; endmodule")}}
	if _, err := agree.Check(t.Context(), d, agree.Options{Cycles: 10, Verilator: 1}); err == nil || !strings.Contains(err.Error(), "latch") {
		t.Error(err)
	}
}
