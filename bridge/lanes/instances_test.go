package lanes

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/bridge"
)

// Instances have the names that their signals begin with, and modules those of the source, also
// where parameters are so long that Yosys has a checksum of them.
func TestInstances(t *testing.T) {
	const text = `
module leaf #(parameter int N = 1, parameter TEXT = "") (input logic a_i, output logic y_o);
  assign y_o = a_i ^ N[0];
endmodule
module branch (input logic a_i, output logic y_o);
  leaf u_leaf (.a_i, .y_o);
endmodule
module top #(parameter int K = 2) (input logic clk_i, input logic [K+1:0] a_i, output logic [K+1:0] y_o);
  for (genvar i = 0; i < K; i++) begin : g
    branch u (.a_i(a_i[i]), .y_o(y_o[i]));
  end
  leaf #(.N(3)) u_short (.a_i(a_i[K]), .y_o(y_o[K]));
  leaf #(.N(3), .TEXT("LONG")) u_long (.a_i(a_i[K+1]), .y_o(y_o[K+1]));
endmodule
`
	d := bridge.Design{Top: "top", Params: map[string]string{"K": "1"}, Clock: "clk_i", Files: []string{"top.sv"},
		FS: fstest.MapFS{"top.sv": {Data: []byte(strings.Replace(text, "LONG", strings.Repeat("long", 30), 1))}}}
	got, err := Instances(t.Context(), d)
	want := map[string]string{"g[0].u.": "branch", "g[0].u.u_leaf.": "leaf", "u_short.": "leaf", "u_long.": "leaf"}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v:\n%s", err, diff)
	}
}
