package lanes_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
)

// What lanes cannot do is an error that names the construct and its place, and what to do. Where
// versions of Yosys differ, the texts stand on both sides of a bar: 0.23 does not know where an
// always_latch is.
func TestUnsupported(t *testing.T) {
	const begin = "module m (input logic clk_i, input logic rst_ni, input logic [3:0] a_i, output logic [3:0] y_o);\n"
	for name, c := range map[string]struct{ body, where, says string }{
		"latch":                {"always_latch\n  if (a_i[0]) y_o = a_i;", "hw/m.sv:1|hw/m.sv:2", "latch y_o: it has no clock"},
		"loop":                 {"logic p, q;\nassign p = q ^ a_i[0];\nassign q = p | a_i[1];\nassign y_o = {4{p}};", "hw/m.sv:", "combinational loop p, q: |combinational loop q, p: "},
		"gated clock":          {"wire gated = clk_i & a_i[0];\nalways_ff @(posedge gated) y_o <= a_i;", "hw/m.sv:2", "it reads the clock clk_i"},
		"own clock":            {"logic c;\nalways_ff @(posedge clk_i) c <= !c;\nalways_ff @(posedge c) y_o <= a_i;", "hw/m.sv:4", "flip-flop y_o: its clock is c (hw/m.sv:2)"},
		"input as clock":       {"always_ff @(posedge a_i[0]) y_o <= a_i;", "hw/m.sv:2", "its clock is a_i"},
		"clock as output":      {"assign y_o = {4{clk_i}};", "", "output y_o: it is a clock"},
		"falling edge":         {"always_ff @(negedge clk_i)\n  y_o <= a_i;", "hw/m.sv:2", "flip-flop y_o: it acts at the falling edge"},
		"delay":                {"always_ff @(posedge clk_i)\n  y_o <= #1 a_i; // #2", "hw/m.sv:3", "delay in y_o <= #1 a_i; // #2"},
		"delay in parentheses": {"assign\n  #(1) y_o = a_i;", "hw/m.sv:3", "delay in #(1) y_o = a_i;"},
		"hierarchical":         {"sub u(.a(a_i));\nassign y_o = u.x;", "hw/m.sv:3", "hierarchical reference u.x: Yosys makes a new wire of it"},
		"not declared":         {"assign y_o = {4{no_such}};", "hw/m.sv:2", "name no_such: it is not declared"},
		"system function":      {"assign y_o = $time;", "hw/m.sv:2", "$time: a system function"},
		"system task":          {"always_ff @(posedge clk_i)\n  if (a_i == 3) $finish;", "hw/m.sv:3", "if (a_i == 3) $finish;: Yosys says: System task"},
		"return":               {"function automatic logic f(input logic z);\n  return z;\nendfunction\nassign y_o = {4{f(a_i[0])}};", "hw/m.sv:3", "return z;: Yosys says: syntax error"},
		"no module":            {"nothing u(.a(a_i));\nassign y_o = a_i;", "", "`\\nothing'"},
		"several drivers":      {"assign y_o = a_i;\nassign y_o = ~a_i;", "", "[0]: it has several drivers"},
		"set and reset":        {"always_ff @(posedge clk_i or negedge rst_ni or posedge a_i[0])\n  if (!rst_ni) y_o <= 0; else if (a_i[0]) y_o <= 4'hf; else y_o <= a_i;", "hw/m.sv:2", "asynchronous set and an asynchronous reset"},
		"loaded":               {"always_ff @(posedge clk_i or negedge rst_ni)\n  if (!rst_ni) y_o <= a_i; else y_o <= y_o + 1;", "hw/m.sv:2", "loads a value that is not constant"},
		"tri-state":            {"assign y_o = a_i[0] ? a_i : 4'bz;", "hw/m.sv:2", "a driver that can be off (z)"},
		"written as latch":     {"logic [3:0] mem [64];\nalways_latch if (a_i[0]) mem[a_i] = a_i;\nassign y_o = mem[a_i];", "", "No latch inferred for signal|latch mem[0]: it has no clock"},
		"call of Go":           {"`include \"cosim.svh\"\nassign y_o = a_i;\nalways_ff @(posedge clk_i) `COSIM_EVENT(\"x\", a_i)", "hw/m.sv:4", "call of Go"},
		"reset by memory": {"logic mem [64];\nlogic [5:0] p;\nwire r = mem[p];\nalways_ff @(posedge clk_i) begin p <= {p[1:0], a_i}; mem[p + 1] <= a_i[0]; end\n" +
			"always_ff @(posedge clk_i or posedge r) if (r) y_o <= 0; else y_o <= a_i;", "", "memory mem: an asynchronous reset follows from it"},
		"gated assertion":     {"wire gated = clk_i & a_i[0];\nalways_ff @(posedge gated) assert (a_i != 3);\nassign y_o = a_i;", "hw/m.sv:", "it reads the clock clk_i"},
		"own clock's":         {"logic c;\nalways_ff @(posedge clk_i) c <= !c;\nalways_ff @(posedge c) assert (a_i != 3);\nassign y_o = a_i;", "hw/m.sv:4", "its clock is c (hw/m.sv:2)|other edges than those of a clock of the design"},
		"asserted at falling": {"always_ff @(negedge clk_i) assert (a_i != 3);\nassign y_o = a_i;", "hw/m.sv:2", "it acts at the falling edge"},
		"asserted of a clock": {"always_comb assert (clk_i);\nassign y_o = a_i;", "", "reads the clock clk_i"},
		"asserted in reset": {"always_ff @(posedge clk_i or negedge rst_ni)\n  if (!rst_ni) begin y_o <= 0; assert (a_i == 0); end else y_o <= a_i;",
			"hw/m.sv:", "its asynchronous reset loads a value that is not constant|it is in the branch of an asynchronous reset"},
		"asserted at first": {"initial assert (a_i == 0);\nassign y_o = a_i;", "", "for formal tools only"},
		"reset by itself":   {"always_ff @(posedge clk_i or posedge y_o[0]) if (y_o[0]) y_o <= 0; else y_o <= a_i;", "", "combinational loop"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := bridge.Design{Top: "m", Dir: "hw", Files: []string{"m.sv"}, Clock: "clk_i", FS: fstest.MapFS{"m.sv": {Data: []byte(
				begin + c.body + "\nendmodule\nmodule sub (input logic [3:0] a);\n  logic [3:0] x;\n  assign x = a;\nendmodule\n")}}}
			_, err := lanes.Build(t.Context(), d, lanes.BuildOptions{})
			e, ok := errors.AsType[*lanes.UnsupportedError](err)
			compile, refused := errors.AsType[*bridge.CompileError](err)
			if refused {
				e = &lanes.UnsupportedError{}
			}
			has := func(has func(string, string) bool, text, any string) bool {
				return slices.ContainsFunc(strings.Split(any, "|"), func(s string) bool { return has(text, s) })
			}
			if !ok && !refused || !has(strings.HasPrefix, e.Where, c.where) || !has(strings.Contains, err.Error(), c.says) {
				t.Errorf("the error is %v\n(%v)", err, compile)
			}
		})
	}
}
