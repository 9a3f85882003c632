package convention_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/convention"
)

// folder writes files, and returns their folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o777)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const counter = "module counter (input clk, input rst_n, output reg [3:0] n);\n  always @(posedge clk) if (!rst_n) n <= 0; else n <= n + 1;\nendmodule\n"

func TestComplete(t *testing.T) {
	dir := folder(t, map[string]string{
		"rtl/a_top.sv": "`include \"defs.vh\"\nmodule chip import p::*; #(parameter W = `WIDTH) (input clk, input clear, output [W-1:0] n);\n" +
			"  reg rst; always @(negedge clear) rst <= 1; // counter is not instantiated here\n  counter u_counter (.clk(clk), .rst_n(clear), .n(n));\nendmodule\n",
		"rtl/counter.sv": counter,
		"rtl/p.sv":       "package p; localparam int A = q::B; endpackage\n",
		"rtl/q.sv":       "package q; localparam int B = 3; endpackage\n",
		"rtl/defs.vh":    "`define WIDTH 4\n",
		"rtl/waves.fst":  strings.Repeat("x", 100),
		"rtl/tb.sv":      "module tb; reg clk; chip dut (.clk(clk), .clear(1'b0), .n()); endmodule\n",
	})
	t.Chdir(dir)
	for _, g := range []convention.Given{
		{Files: []string{"rtl/*.sv"}},
		{Files: []string{"../rtl/*.sv"}, Folder: "rtl"},
		{Files: []string{filepath.Join(dir, "rtl", "*.sv")}, Folder: "/"},
	} {
		found, err := convention.Complete(t.Context(), g, sim.Icarus)
		if err != nil {
			t.Fatal(err)
		}
		d := found.Design
		if want := []string{"rtl/q.sv", "rtl/p.sv", "rtl/a_top.sv", "rtl/counter.sv", "rtl/tb.sv"}; !slices.Equal(d.Files, want) || !slices.Equal(d.Include, []string{"rtl"}) {
			t.Errorf("files %v, include %v", d.Files, d.Include)
		}
		if d.Top != "chip" || d.Clock != "clk" || d.Reset != "" || len(found.Description.Ports) != 3 {
			t.Errorf("%+v", d)
		}
		said := strings.Join(convention.Texts(found.Notes), "\n")
		for _, want := range []string{"Include files: those beside a_top.sv, which includes defs.vh.", "Top: chip, which no other module instantiates. --top NAME", "Clock: clk, by its name."} {
			if !strings.Contains(said, want) {
				t.Errorf("%q is not in %s", want, said)
			}
		}
		sources, err := d.Sources()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sources {
			if strings.HasSuffix(s.Name, ".fst") {
				t.Errorf("%s is a source", s.Name)
			}
		}
	}
	// A clock whose name does not say it.
	os.WriteFile("tick.v", []byte("module tick (input beat, input rst_n, input a, output reg q);\n always @(posedge beat or negedge rst_n) q <= rst_n & a;\nendmodule\n"), 0o666)
	if found, err := convention.Complete(t.Context(), convention.Given{Files: []string{"tick.v"}}, sim.Icarus); err != nil || found.Design.Clock != "beat" ||
		!strings.Contains(strings.Join(convention.Texts(found.Notes), "\n"), "Clock: beat, by the edges in tick.") {
		t.Errorf("%+v, %v", found, err)
	}
	// The polarity of a reset whose name does not say it.
	found, err := convention.Complete(t.Context(), convention.Given{Files: []string{"rtl/counter.sv"}}, sim.Icarus)
	if err != nil || !found.Design.ResetActiveLow {
		t.Errorf("%+v, %v", found, err)
	}
	os.WriteFile("low.v", []byte(strings.ReplaceAll(strings.ReplaceAll(counter, "rst_n", "rst"), "counter", "low")), 0o666)
	found, err = convention.Complete(t.Context(), convention.Given{Files: []string{"low.v"}}, sim.Icarus)
	if err != nil || !found.Design.ResetActiveLow || !strings.Contains(found.Notes[2].Text, "active low, by how low uses it") {
		t.Errorf("%+v, %v", found, err)
	}
}

// A list's names are relative to the folder, or to its own, and may be above the present folder.
func TestList(t *testing.T) {
	dir := folder(t, map[string]string{
		"ip/rtl/counter.sv": counter,
		"ip/own.f":          "rtl/counter.sv\n",
		"all.f":             "ip/rtl/counter.sv +define+A=1\n",
		"missing.f":         "rtl/nothing.sv\n",
		"wrong.f":           "\n-q\n",
		"below/x":           "",
	})
	for _, c := range []struct{ here, list, file string }{
		{"", "all.f", "ip/rtl/counter.sv"},
		{"", "ip/own.f", "ip/rtl/counter.sv"},
		{"ip", "own.f", "rtl/counter.sv"},
		{"below", "../ip/own.f", "counter.sv"},
	} {
		t.Chdir(filepath.Join(dir, c.here))
		d, _, err := convention.Read(convention.Given{Files: []string{c.list}})
		if err != nil || !slices.Equal(d.Files, []string{c.file}) {
			t.Errorf("%+v: %v, %v", c, d.Files, err)
			continue
		}
		d.Top = "counter"
		if _, err := sim.Ports(t.Context(), d, sim.Icarus); err != nil {
			t.Error(err)
		}
	}
	t.Chdir(dir)
	for list, want := range map[string]string{
		"missing.f": "rtl/nothing.sv, which is in the list missing.f, cannot be read",
		"wrong.f":   "wrong.f:2:1: -q is not understood",
	} {
		if _, _, err := convention.Read(convention.Given{Files: []string{list}}); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", list, err)
		}
	}
}

func TestTop(t *testing.T) {
	const a, b, ab = "module a(input x); endmodule ", "module b(input x); endmodule ", "module ab(input x); a u_a(.x(x)); b #(3) u_b(.x(x)); endmodule "
	for _, c := range []struct {
		files []string // name, text, ...
		top   string
		err   string
	}{
		{files: []string{"a.v", a}, top: "a"},
		{files: []string{"x.v", a}, top: "a"},
		{files: []string{"a.v", a, "b.v", b, "ab.v", ab}, top: "ab"},
		{files: []string{"ab.v", ab, "a.v", a, "b.v", b}, top: "ab"},
		{files: []string{"a.v", a, "b.v", b}, top: "b"},
		{files: []string{"a.v", a + b + ab}, top: "a"},
		{files: []string{"x.v", a + b}, err: "several modules are instantiated by no other: a, b: --top NAME"},
		{files: []string{"x.v", "module t; endmodule module u (); endmodule module v #(parameter A = (1)) (); endmodule"}, err: "no module has ports: t, u, v"},
		{files: []string{"x.v", "`BODY"}, top: "x"},
		{files: []string{"x.v", "// module c(input x);\n/* module d(input x); */ module e(input b); wire w = \"module f(\"; endmodule"}, top: "e"},
		{files: []string{"x.v", "module a(input x); reg b; function c (input x); c = b (x); endfunction endmodule " + b}, err: "several"},
	} {
		files := map[string]string{}
		g := convention.Given{}
		for i := 0; i < len(c.files); i += 2 {
			files[c.files[i]] = c.files[i+1]
			g.Files = append(g.Files, c.files[i])
		}
		t.Chdir(folder(t, files))
		d, _, err := convention.Read(g)
		if err == nil {
			_, err = convention.Top(&d, g)
		}
		if d.Top != c.top || (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%v: %s, %v", c.files, d.Top, err)
		}
	}
}

func TestWrong(t *testing.T) {
	t.Chdir(folder(t, map[string]string{"a.sv": "module a(input x); endmodule", "rtl/x": "", "-mx.v": "module a(input x); endmodule"}))
	for _, c := range []struct {
		g    convention.Given
		part convention.Part
		want string
	}{
		{convention.Given{}, convention.Files, "there are no source files"},
		{convention.Given{Files: []string{"b.sv"}}, convention.Files, "b.sv cannot be read"},
		{convention.Given{Files: []string{"rtl"}}, convention.Files, "rtl is a folder: name its files: rtl/*.sv"},
		{convention.Given{Files: []string{"rtl/*"}}, convention.Files, "no source file"},
		{convention.Given{Files: []string{"./-mx.v"}}, convention.Files, "a simulator would take the name -mx.v for a flag"},
		{convention.Given{Files: []string{"[.sv"}}, convention.Files, "is not a glob"},
		{convention.Given{Files: []string{"a.sv"}, Include: []string{"inc"}}, convention.Include, "there is no folder inc"},
		{convention.Given{Files: []string{"a.sv"}, Top: "b"}, convention.TopPart, "there is no module b in the files: --top NAME takes another one; there are a"},
	} {
		_, err := convention.Complete(t.Context(), c.g, sim.Icarus)
		if e, ok := errors.AsType[*convention.Error](err); !ok || e.Part != c.part || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.g, err)
		}
	}
}
