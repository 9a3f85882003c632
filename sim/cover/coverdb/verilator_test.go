package coverdb_test

import (
	"context"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/sim/cover/coverdb"
)

// field returns fields in Verilator's format: field("f", "a.sv", "l", "1").
func field(pairs ...string) (s string) {
	for i := 0; i < len(pairs); i += 2 {
		s += "\x01" + pairs[i] + "\x02" + pairs[i+1]
	}
	return s
}

// in returns a function that puts names into a folder.
func in(dir string) func(string) string {
	return func(name string) string { return path.Join(dir, name) }
}

const dat = "# SystemC::Coverage-3\n"

func TestParseVerilator(t *testing.T) {
	text := dat + "\n# a comment\n" +
		"C '" + field("f", "fifo.sv", "l", "7", "n", "2", "page", "v_toggle/fifo", "o", "it's%25 [0]%FFFFFFC3%FFFFFFA9%0A", "h", ".fifo.u_*") + "' 3\n" +
		"C '" + field("f", "fifo.sv", "l", "7", "n", "2", "t", "toggle", "page", "v_toggle/fifo__W8", "o", "it's%25 [0]%C3%A9%0A", "h", "fifo.u_*", "w", "1") + "' 4\n" +
		"C '" + field("f", "/usr/std.sv", "l", "1", "page", "v_fsm_arc/x", "S", "1,3-4") + "' 18446744073709551615\n"
	got, err := coverdb.ParseVerilator("coverage.dat", in("rtl/fifo"), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := map[coverdb.CodePoint]uint64{
		{File: "rtl/fifo/fifo.sv", Line: 7, Column: 2, Kind: "toggle", Comment: "it's% [0]é\n", Hierarchy: "fifo.u_*"}: 7,
		{File: "/usr/std.sv", Line: 1, Kind: "fsm_arc", Lines: "1,3-4"}:                                                1<<64 - 1,
	}
	if diff := cmp.Diff(want, got.Code); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestParseVerilatorErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                    `dat:1: this is no coverage data of Verilator's: "# SystemC::Coverage-3" is not there`,
		"TN:\nSF:x\n":         `dat:1: this is no coverage data of Verilator's: "# SystemC::Coverage-3" is not there`,
		dat + "C 'x":          `dat:2: the end of the line is missing: the file was cut`,
		dat + "x\n":           `dat:2: not of the form C 'fields' count: "x"`,
		dat + "C 'x' 1\n":     `dat:2: the fields do not begin with a byte 1`,
		dat + "\nC 'x' 1e3\n": `dat:3: "1e3" is no count`,
		dat + "C '\x01f' 1\n": `dat:2: field "f" has no value`,
		dat + "C '" + field("f", "a", "l", "1") + "' 1\n":                              `dat:2: field "page" is missing`,
		dat + "C '" + field("f", "a", "l", "-1", "page", "v_line") + "' 1\n":           `dat:2: "-1" is no line or column`,
		dat + "C '" + field("f", "a", "l", "1", "page", "/") + "' 1\n":                 `dat:2: page "/" is of no kind of coverage`,
		dat + "C '" + field("f", "a", "l", "1", "page", "v_line", "S", "3,") + "' 1\n": `dat:2: "3," is no list of lines`,
		dat + "C '" + field("f", "a%2", "l", "1", "page", "v_line") + "' 1\n":          `dat:2: "a%2" ends in the middle of an escaped byte`,
		dat + "C '" + field("f", "a%zz", "l", "1", "page", "v_line") + "' 1\n":         `dat:2: %zz is no escaped byte`,
	} {
		if _, err := coverdb.ParseVerilator("dat", in(""), []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}

const realDesign = `module dut (
    input  logic       clk_i,
    input  logic [1:0] a_i,
    output logic [3:0] q_o
);
  for (genvar i = 0; i < 2; i++) begin : g_sub
    sub #(.W(i + 1)) u_sub (.clk_i, .a_i(a_i[i]));
  end
  always_ff @(posedge clk_i) begin
    if (a_i == 2'd0) q_o <= q_o + 4'd1;
    else if (a_i == 2'd1) begin
      q_o <= '0;
    end else begin
      q_o <= 4'd7;
    end
  end
  seven: cover property (@(posedge clk_i) q_o == 4'd7);
  one: cover property (@(posedge clk_i) q_o == 4'd1 && a_i[0]);
endmodule
module sub #(parameter int W = 1) (input logic clk_i, input logic a_i);
  logic [W-1:0] r_q;
  always_ff @(posedge clk_i) begin
    if (a_i) r_q <= r_q + 1'b1;
  end
endmodule
`

const realMain = `#include "Vdut.h"
#include "verilated.h"
#include "verilated_cov.h"
int main(int, char** argv) {
    VerilatedContext context;
    Vdut dut{&context, ""};
    for (int cycle = 0; cycle < 20; ++cycle) {
        dut.clk_i = 0;
        dut.a_i = cycle < 10 ? 0 : 1;
        dut.eval();
        dut.clk_i = 1;
        dut.eval();
    }
    dut.final();
    context.coveragep()->write(argv[1]);
}
`

// TestRealVerilator reads what the installed Verilator writes. scripts/versions runs it with the
// oldest and the newest version.
func TestRealVerilator(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"rtl/dut.sv": realDesign, "main.cpp": realMain} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Dir = dir
		cmd.WaitDelay = 5 * time.Second
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		return string(out)
	}
	version := run("verilator", "--version")
	// Verilator's runtime is compiled without optimisation, as that would take most of the time.
	run("verilator", "--cc", "--exe", "--build", "-j", "2", "--coverage", "--assert", "-Wno-fatal", "--top-module", "dut",
		"-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0", "main.cpp", "rtl/dut.sv")
	run(filepath.Join(dir, "obj_dir", "Vdut"), "coverage.dat")
	text, err := os.ReadFile(filepath.Join(dir, "coverage.dat"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := coverdb.ParseVerilator("coverage.dat", in("here"), text)
	if err != nil {
		t.Fatal(err)
	}

	// Each point that both versions have, summed over all instances.
	type place struct {
		line int
		kind string
		what string
	}
	got := map[place]uint64{}
	for p, n := range d.Code {
		if p.File != "here/rtl/dut.sv" || !strings.HasPrefix(p.Hierarchy, "dut") {
			t.Errorf("%+v", p)
		}
		what, _, directions := strings.Cut(p.Comment, ":") // 5.048 has points for rises and for falls
		if directions && p.Kind != "toggle" {
			t.Errorf("%+v", p)
		}
		got[place{p.Line, p.Kind, what}] += n
	}
	for p, want := range map[place]uint64{
		{9, "line", "block"}:     20,
		{10, "line", "elsif"}:    10,
		{11, "line", "if"}:       10,
		{11, "line", "else"}:     0,
		{17, "user", "seven"}:    1,
		{18, "user", "one"}:      0,
		{22, "line", "block"}:    40,
		{23, "branch", "if"}:     10,
		{23, "branch", "else"}:   30,
		{3, "toggle", "a_i[0]"}:  1,
		{3, "toggle", "a_i[1]"}:  0,
		{4, "toggle", "q_o[0]"}:  10,
		{21, "toggle", "r_q[1]"}: 0,
	} {
		n, ok := got[p]
		delete(got, p)
		if !ok || n != want {
			t.Errorf("%s: line %d, %s %q: %d (%v), not %d\n%s", strings.TrimSpace(version), p.line, p.kind, p.what, n, ok, want, text)
		}
	}
	for p := range got {
		if p.kind != "toggle" && p.kind != "expr" && p.line != 6 {
			t.Errorf("not expected: %+v", p)
		}
	}
}
