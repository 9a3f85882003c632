package vectors_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// A reference model is a process in any language. Those that are wrong, hung or dead are told from
// RTL that is wrong.
func TestModel(t *testing.T) {
	const add = "module add(input clk, input rst, input [7:0] a, input [7:0] b, output reg [8:0] sum, output [127:0] wide, output odd);\n" +
		"  assign wide = {8{a, b}}; assign odd = a[0]; always @(posedge clk) sum <= rst ? 0 : a + b; endmodule\n"
	// The ports are a, b and rst; odd is not said.
	const csv = "read names; echo sum,odd; sum=0; while IFS=, read a b rst; do echo $sum,-; sum=$((a + b)); done\n"
	const json = "sum=0; while read line; do echo \"{\\\"sum\\\": $sum, \\\"odd\\\": null}\"; " +
		"a=${line#*a\\\":}; a=${a%%,*}; b=${line#*b\\\":}; b=${b%%,*}; sum=$((a + b)); done\n"
	dir := here(t, map[string]string{
		"add.v": add, "csv.sh": csv, "json.sh": json,
		"wrong.sh":  strings.Replace(csv, "a + b", "a ^ b", 1),
		"hung.sh":   "read names; echo sum; sleep 1000\n",
		"silent.sh": "sleep 1000 & wait\n",
		"dead.sh":   "read names; echo sum; read line; echo 0; echo it hurts >&2; exit 3\n",
		"done.sh":   "read names; echo sum; exit 0\n",
		"names.sh":  "echo total; cat\n",
		"text.sh":   "read names; echo sum; while read line; do echo lots; done\n",
		"fields.sh": "read names; echo sum,odd; while read line; do echo 1; done\n",
		"object.sh": "while read line; do echo '[1]'; done\n",
		"port.sh":   "while read line; do echo '{\"smu\": 1}'; done\n",
		"big.sh":    "while read line; do echo '{\"sum\": 512}'; done\n",
	})
	const both, icarus = "", "icarus"
	for _, c := range []struct{ model, sims, want string }{
		{"csv sh csv.sh", both, ""},
		{"json sh json.sh", both, ""},
		{"csv sh wrong.sh", both, "sum of the RTL is not what the model says"},
		{"csv sh hung.sh", icarus, "has not answered line 1 within 300ms. Does it flush"},
		{"csv sh silent.sh", icarus, "has not answered the line with the names"},
		{"csv sh dead.sh", icarus, "ended (exit status 3) before it answered line 2\nit hurts"},
		{"csv sh done.sh", icarus, "ended before it answered line 1"},
		{"csv sh names.sh", icarus, `answers with "total", which is no output`},
		{"csv sh text.sh", icarus, `answers in line 1 for sum: "lots" is not a value`},
		{"csv sh fields.sh", icarus, `which does not have 2 values`},
		{"sh object.sh", icarus, "which is not an object in JSON"},
		{"sh port.sh", icarus, `for "smu", which is no output; did you mean sum?`},
		{"sh big.sh", icarus, "512 needs 10 bits"},
		{"/no/such/program", icarus, "cannot be started"},
	} {
		name := filepath.Join(dir, "m.txtar")
		if err := os.WriteFile(name, []byte("rtl: add.v\nmodel: "+c.model+"\n\n-- script --\nrandom 40 a any b any\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		o := vectors.Options{AllowModel: true, ModelTimeout: 300 * time.Millisecond}
		if c.want == "" {
			o.ModelTimeout = 0
		}
		if c.sims != "" {
			o.Simulators = []sim.Simulator{sim.Icarus}
		}
		r := result(t, name, o)
		verdict := vectors.Trouble
		switch {
		case c.want == "":
			verdict = vectors.Pass
		case strings.Contains(c.model, "wrong"):
			verdict = vectors.Differs
		}
		if r.Verdict != verdict || c.want != "" && !strings.Contains(r.Err.Error(), c.want) {
			t.Errorf("%s: %s, %v", c.model, r.Verdict, r.Err)
		}
	}
	// Without leave no command is run.
	name := filepath.Join(dir, "n.txtar")
	os.WriteFile(name, []byte("rtl: add.v\nmodel: touch ran\n\n-- script --\nwait 1\n"), 0o666)
	r := result(t, name, vectors.Options{})
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil || r.Verdict != vectors.Invalid || !strings.Contains(r.Err.Error(), ":2:8: error: the vector runs a command") {
		t.Errorf("%s, %v", r.Verdict, r.Err)
	}
	if _, err := anyRTL.Update(t.Context(), name, false, vectors.Options{}); err == nil {
		t.Error("update runs it")
	}
	if err := anyRTL.CheckFile(name); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("a command has run")
	}
}
