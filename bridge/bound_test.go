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
		d = bridge.Design{Top: "fifo", Dir: "rtl", Files: []string{"checks.sv", "fifo.sv"}, Defines: map[string]string{"GIVEN": "1"},
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
	if _, err := sources("\nbind none checks u_checks (.*);"); err == nil || !strings.Contains(err.Error(), "rtl/checks.sv:2: bind names the module none, which is in none of the sources") {
		t.Errorf("a module that there is not: %v", err)
	}

	const statement = "bind fifo checks u_checks (.*);"
	for text, bound := range map[string]bool{
		"`ifndef SYNTHESIS\n" + statement + "\n`endif\n":                                true,
		"`ifndef CHECKS_SV\n`define CHECKS_SV\n" + statement + "\n`endif\n":             true,
		"`ifdef GIVEN\n" + statement + "\n`endif\n":                                     true,
		"`ifdef NOT_GIVEN\n`define A\n`endif\n" + statement + "\n":                      true,
		"`ifdef NOT_GIVEN\n" + statement + "\n`endif\n":                                 false,
		"`ifndef GIVEN\n" + statement + "\n`endif\n":                                    false,
		"`ifndef VERILATOR\n" + statement + "\n`endif\n":                                false,
		"`ifndef SYNTHESIS\n`ifdef NOT_GIVEN\n`endif\n`else\n" + statement + "\n`endif": false,
		"`define A\n`ifndef A\n`else\n" + statement + "\n`endif\n":                      false,
		"`define CHECK \\\n  " + statement + "\n":                                       false,
		"`define B `endif\n`ifdef NOT_GIVEN\n" + statement + "\n`endif\n":               false,
		"`ifdef NOT_GIVEN a `endif " + statement + "\n":                                 true,
		"`define\n`ifndef\n`endif `endif `else\n" + statement + "\n":                    true,
		"`define A\n`ifndef A\n" + statement + "\n`endif\n":                             false,
		"`define AB\n`ifndef A\n" + statement + "\n`endif\n":                            true,
		"// " + statement: false,
		"bind fifo : u_fifo checks u_checks (.*);\n": false, // forms that only Verilator knows
		"bind fifo.u_part checks u_checks (.*);\n":   false,
	} {
		got, err := sources(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if is := strings.Contains(string(got[1].Data), "u_checks"); is != bound || !bound && string(got[0].Data) != text {
			t.Errorf("%q: bound is %v, and what is left is %q", text, is, got[0].Data)
		}
	}
}
