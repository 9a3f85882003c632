package lanes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/bridge"
)

// Of the registers of a large design two decide that a fault never matters. Where it does, an
// abstraction proves nothing.
func TestAbstraction(t *testing.T) {
	const text = `
module m (input logic clk_i, input logic rst_i, input logic [7:0] a_i, input logic fault_i, output logic [31:0] y_o);
  localparam logic [5:0] LAST = END;
  logic [31:0] crc_q, sum_q;
  logic [5:0] state_q;
  always_ff @(posedge clk_i) begin
    crc_q <= rst_i ? '1 : {crc_q[30:0], 1'b0} ^ (crc_q[31] ? 32'h04c11db7 : {24'd0, a_i});
    sum_q <= rst_i ? '0 : sum_q * 32'd5 + crc_q;
    state_q <= rst_i || a_i[0] ? '0 : state_q == 6'd40 ? 6'd10 : state_q + 6'd1;
  end
  assign y_o = sum_q ^ {32{fault_i && state_q == LAST && crc_q[3]}};
endmodule`
	for last, want := range map[string]Answer{"6'd41": Equal, "6'd40": Unknown} {
		t.Run(last, func(t *testing.T) {
			x := miterOf(t, strings.Replace(text, "END", last, 1))
			a, err := x.newABC()
			if err != nil {
				t.Fatal(err)
			}
			defer a.close()
			if err := os.WriteFile(filepath.Join(a.dir, "reduced.aig"), x.AIGER, 0o666); err != nil {
				t.Fatal(err)
			}
			p, err := a.abstract(t.Context(), 1)
			if err != nil || p.Answer != want {
				t.Errorf("it answers %d, not %d: %v", p.Answer, want, err)
			}
		})
	}
}

// miterOf returns the miter of a module m whose fault is fault_i.
func miterOf(t *testing.T, text string) *Miter {
	t.Helper()
	d := bridge.Design{Top: "m", Files: []string{"m.sv"}, Clock: "clk_i", Reset: "rst_i"}
	d.FS = fstest.MapFS{"m.sv": {Data: []byte(text)}}
	m, err := Build(t.Context(), d, BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	x, err := m.Miter(MiterOptions{On: "fault_i", Reset: 3})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Both ways of induction prove that a register is 0, and that two with the same sum are equal, but
// not what is wrong.
func TestInduction(t *testing.T) {
	const text = `
module m (input logic clk_i, input logic rst_i, input logic [1:0] a_i, input logic fault_i, output logic y_o);
  logic [3:0] ring_q;
  logic never_q;
  logic [1:0] first_q, second_q;
  always_ff @(posedge clk_i) begin
    ring_q <= rst_i ? 4'd1 : {ring_q[2:0], ring_q[3]};
    never_q <= !rst_i && never_q;
    first_q <= rst_i ? '0 : first_q + a_i;
    second_q <= rst_i ? '0 : a_i + second_q;
  end
  assign y_o = fault_i && WHEN;
endmodule`
	for when, want := range map[string]bool{
		"never_q": true, "first_q != second_q": true, "ring_q[3]": false, "first_q == 2": false,
	} {
		x := miterOf(t, strings.Replace(text, "WHEN", when, 1))
		for _, newer := range []bool{false, true} {
			a, err := x.newABC()
			if err != nil {
				t.Fatal(err)
			}
			defer a.close()
			if _, err := a.run(t.Context(), quick, "read_aiger miter.aig; "+induction(newer, quickConflicts)+"; write_aiger reduced.aig"); err != nil {
				t.Fatal(err)
			}
			circuit, err := os.ReadFile(filepath.Join(a.dir, "reduced.aig"))
			if err != nil {
				t.Fatal(err)
			}
			outputs, err := aigerOutputs(circuit)
			if err != nil || len(outputs) != 1 || (outputs[0] == "0") != want {
				t.Errorf("%s, for large circuits %v: the output is %q, %v; proved never to be 1 should be %v", when, newer, outputs, err, want)
			}
		}
	}
}
