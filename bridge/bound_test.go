package bridge_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/bridge"
)

// What is bound to a module is an instance at its end, and no line changes its number.
func TestBound(t *testing.T) {
	const fifo = "// module fifo is this one\nmodule fifo (input clk_i);\n  // endmodule\nendmodule : fifo\nmodule other; endmodule\n"
	var d bridge.Design
	sources := func(checks string) ([]bridge.Source, error) {
		d = bridge.Design{Top: "fifo", Dir: "rtl", Files: []string{"checks.sv", "fifo.sv"},
			FS: fstest.MapFS{"checks.sv": {Data: []byte(checks)}, "fifo.sv": {Data: []byte(fifo)}}}
		return d.Sources()
	}
	got, err := sources("module checks (input clk_i); endmodule\nbind fifo checks #(.Deep(2))\n" +
		"  u_checks (.clk_i); // twice: bind\nbind other\n checks u_other (.clk_i(1'b0));\n")
	if err != nil {
		t.Fatal(err)
	}
	const unbound = "module checks (input clk_i); endmodule\n"
	if text := string(got[0].Data); !strings.HasPrefix(text, unbound) || strings.Contains(text[len(unbound):], "checks") || strings.Count(text, "\n") != 5 {
		t.Errorf("what is left of the file with bind:\n%s", text)
	}
	if files, err := d.Unbound(); err != nil || len(files) != 1 || files[0] != "fifo.sv" {
		t.Errorf("the files that bind nothing are %v, %v", files, err)
	}
	want := strings.NewReplacer(
		"endmodule : fifo", "checks #(.Deep(2))   u_checks (.clk_i); endmodule : fifo",
		"other; endmodule", "other; checks u_other (.clk_i(1'b0)); endmodule").Replace(fifo)
	if text := string(got[1].Data); text != want {
		t.Errorf("what it is bound to:\n%s", text)
	}

	// In Verilog, and within a module, bind is a name as any other.
	if got, err = sources("module checks (input bind); assign x = bind; endmodule\n"); err != nil || string(got[1].Data) != fifo {
		t.Errorf("%s, %v", got[1].Data, err)
	}
	if files, err := d.Unbound(); err != nil || len(files) != 2 {
		t.Errorf("the files that bind nothing are %v, %v", files, err)
	}
	for text, want := range map[string]string{
		"\nbind none checks u_checks (.*);":          "rtl/checks.sv:2: bind names the module none, which is in none of the sources",
		"bind fifo : u_fifo checks u_checks (.*);\n": "rtl/checks.sv:1: this bind is none of the form",
		"bind fifo.u_part checks u_checks (.*);\n":   "rtl/checks.sv:1: this bind is none of the form",
		"bind fifo checks u_checks (.*)":             "rtl/checks.sv:1: this bind is none of the form",
	} {
		if _, err := sources(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
