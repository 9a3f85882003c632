package vectors_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/convention"
	"github.com/cosimate/cosimate/vectors"
)

// anyRTL has no blocks: its vectors name their RTL.
var anyRTL = vectors.NewRegistry()

// quiet has the RTL's messages and the compilers' warnings dropped.
var quiet = []sim.Option{sim.WithLogger(hclog.NewNullLogger())}

// fifo is RTL as somebody else would write it.
const fifo = `module fifo #(parameter int DEPTH = 8) (
  input clk, input rst_n, input push, input [7:0] din, input pop,
  output [7:0] dout, output empty, output full);
  reg [7:0] mem [0:DEPTH-1];
  reg [$clog2(DEPTH)-1:0] rp, wp;
  reg [$clog2(DEPTH):0] count;
  assign empty = count == 0;
  assign full = count == DEPTH;
  assign dout = mem[rp];
  wire put = push && !full, get = pop && !empty;
  always @(posedge clk)
    if (!rst_n) begin rp <= 0; wp <= 0; count <= 0; end
    else begin
      if (put) begin mem[wp] <= din; wp <= wp + 1'b1; end
      if (get) rp <= rp + 1'b1;
      count <= count + put - get;
    end
endmodule
`

// here returns a folder with these files.
func here(t testing.TB, files map[string]string) string {
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

// result runs a vector.
func result(t testing.TB, name string, o vectors.Options) vectors.Result {
	t.Helper()
	o.Sim = quiet
	return anyRTL.Run(t.Context(), []string{name}, o)[0]
}

// A vector for RTL that its header names, wherever both are.
func TestRTL(t *testing.T) {
	const table = "\n-- cycles --\npush din pop | dout empty full\n0 0 0 | x 1 0\n1 0x11 0 | - 1 0\n1 0x22 0 | 0x11 0 0\n0 0 1 | 0x11 0 0\n0 0 1 | 0x22 0 0\n0 0 0 | - 1 0\n"
	dir := here(t, map[string]string{
		"rtl/fifo.sv": fifo,
		"list.f":      "rtl/fifo.sv\n",
		"a.txtar":     "rtl: rtl/fifo.sv\n" + table,
		"b.txtar":     "# All that a header can have.\nrtl: rtl/*.sv\ntop: fifo\nclock: clk\nreset: rst_n low 5\nparameters: DEPTH=8\ndefine: UNUSED WIDTH=8\nverilator: -Wno-WIDTH\nicarus: -Wno-portbind\nperiod: 20ns\nseed: 7\n" + table,
		"c.txtar":     "rtl: list.f\nreset: rst_n\nclock: clk=20ns\n" + table + "\n-- script --\nset push 1\nwithin 2us expect full 1\nfor 40ns expect full 1\nreset 3\nexpect empty 1 # push is still 1\nset push 0 pop 1\nwithin 3 expect empty 1\n",
		"sub/d.txtar": "rtl: ../rtl/fifo.sv\nreset: 0\n\n-- script --\nexpect full x empty x\nset push 0 pop 0\nreset\nexpect full 0 empty 1\n",
	})
	t.Chdir(t.TempDir()) // not where the files are
	names := []string{filepath.Join(dir, "a.txtar"), filepath.Join(dir, "b.txtar"), filepath.Join(dir, "c.txtar"), filepath.Join(dir, "sub/d.txtar")}
	for _, r := range anyRTL.Run(t.Context(), names, vectors.Options{Sim: quiet}) {
		if r.Verdict != vectors.Pass || r.Cycles < 4 {
			t.Errorf("%s: %s after %d cycles: %v", r.File, r.Verdict, r.Cycles, r.Err)
		}
	}
}

// broken is RTL that does something wrong in each of several ways, by its input.
const broken = `module broken (input clk, input rst, input [2:0] a, input [3:0] b, output reg [3:0] q, output reg r);
  reg [3:0] never; // no reset sets it
  reg [3:0] limit;
  always @(posedge clk)
    if (rst) begin q <= 0; r <= 0; limit <= 0; end
    else begin
      r <= 0;
      q <= q + 4'd1;
      if (a == 1 && b == 3) q <= 0;
      if (a == 2) r <= never == 4'd9 ? 1'b1 : never == 4'd9 ? 1'b0 : 1'b1; // X chooses
      if (a == 3) begin if (never[0]) q <= 1; else q <= 2; end
      if (a == 4 && b == 5) $error("b is five");
      if (a == 5 && b == 5) $fatal(1, "b is five for ever");
      if (a == 6 && b == 5) $finish;
      if (a == 7) limit <= limit + b;
    end
endmodule
`

// What can be wrong with RTL without a model is found, and is shown where it is.
func TestRTLDiffers(t *testing.T) {
	dir := here(t, map[string]string{"broken.v": broken})
	for _, c := range []struct {
		name, statements string
		sims             []sim.Simulator
		want             []string
	}{
		{"expected", "set a 1 b 0\nwait 2\nexpect q 2\nexpect q 4\n", nil, []string{":7:10: error: q is 3, expected 4", "^ cycle 3, 35ns", "= icarus 3, verilator 3", "broken differs from vector in cycle 3"}},
		{"lockstep", "set a 0\nwait 10\nset a 3\nwait 40\n", nil, []string{":7:1: error: the simulators do not agree on q", "cycle 1", "= icarus 2, verilator 1", "differ in state that no reset sets"}},
		{"error", "set a 4 b 4\nwait 9\nset b 5\nwait 3\n", nil, []string{":7:1: error: icarus: the RTL reports an error: b is five (broken.v:12)", "cycle 9"}},
		{"fatal", "set a 5 b 5\nwait 1\n", nil, []string{":5:1: error: icarus: broken called $fatal in cycle 0", "b is five for ever"}},
		{"finish", "set a 6 b 5\nwait 1\n", []sim.Simulator{sim.Verilator}, []string{":5:1: error: verilator: broken called $finish in cycle 0"}},
		{"always", "always q != 4'd9 || limit == 3\nset a 7 b 1\nwait 20\n", nil, []string{":4:8: error: this is not so in cycle 9 (icarus)", "; line 6 is played", "= q 9, limit 9"}},
		{"unknown", "always never < 12\nwait 1\n", []sim.Simulator{sim.Icarus}, []string{":4:8: error: whether this is so is unknown in cycle 0 (icarus)", "= never x"}},
		{"peek", "set a 7 b 2\nwait 3\npeek limit 7\n", nil, []string{":6:12: error: limit is 6, expected 7", "before cycle 3"}},
		{"late", "set a 1 b 3\nwithin 5 expect q 1\n", nil, []string{":5:19: error: q is 0, expected 1", "the vector has waited 5 cycles for it", "give it more time: within TIME"}},
		{"force", "set a 7 b 1\nwait 2\nforce limit 9\nwait 2\npeek limit 9\nrelease limit\nwait 2\npeek limit 12\n", nil, []string{":11:12: error: limit is 11, expected 12"}},
		{"wide", "peek limit 99\n", nil, []string{":4:12: error: 99 needs 7 bits, but limit has 4"}},
	} {
		name := filepath.Join(dir, c.name+".txtar")
		if err := os.WriteFile(name, []byte("rtl: broken.v\n\n-- script --\n"+c.statements), 0o666); err != nil {
			t.Fatal(err)
		}
		r := result(t, name, vectors.Options{Simulators: c.sims})
		if r.Verdict != vectors.Differs {
			t.Errorf("%s: %s, %v", c.name, r.Verdict, r.Err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(r.Err.Error(), want) {
				t.Errorf("%s: %q is not in\n%v", c.name, want, r.Err)
			}
		}
	}
}

// Random rows are the same for the same seed, and have what was asked for.
func TestRandom(t *testing.T) {
	dir := here(t, map[string]string{"all.v": "module all(input clk, input rst, input [3:0] a, input [7:0] b, input c, input d, output reg [7:0] last, output e);\n" +
		"  always @(posedge clk) last <= rst ? 0 : b; assign e = d;\nendmodule\n"})
	name := filepath.Join(dir, "r.txtar")
	csv := func(seed, statement string) [][]string {
		t.Helper()
		if err := os.WriteFile(name, []byte("rtl: all.v\nseed: "+seed+"\n\n-- script --\n"+statement+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		text, err := anyRTL.CSV(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		var rows [][]string
		for line := range strings.Lines(text) {
			rows = append(rows, strings.Split(strings.TrimSpace(line), ","))
		}
		return rows[1:]
	}
	const statement = "random 400 a 0..9 b 3,0x80..0x81 when c 1 c any d 25% when a 5..9 and e 0"
	rows := csv("1", statement)
	if len(rows) != 400 {
		t.Fatalf("%d rows", len(rows))
	}
	seen := map[string]int{}
	a, b, d, e := "", "0", "0", "0"
	for i, r := range rows { // a b c d rst e last
		seen["a"+r[0]]++
		seen["b"+r[1]]++
		seen["c"+r[2]]++
		seen["d"+r[3]]++
		if r[1] != b && i > 0 && rows[i-1][2] == "0" { // c as it was drawn last, as it stands right of b
			t.Errorf("row %d: b is drawn though c is 0: %v", i, r)
		}
		if r[3] != d && (len(r[0]) == 1 && r[0] < "5" || e == "1" && d == "1" && r[3] == "0") {
			t.Errorf("row %d: d is drawn though a is %s and e was %s", i, r[0], e)
		}
		a, b, d, e = r[0], r[1], r[3], r[5]
	}
	_ = a
	for _, want := range []string{"a0", "a9", "b3", "b128", "b129", "c0", "c1", "d0", "d1"} {
		if seen[want] == 0 {
			t.Errorf("%s never came: %v", want, seen)
		}
	}
	if seen["a10"]+seen["b1"]+seen["b127"]+seen["b130"] > 0 {
		t.Errorf("values that were not asked for: %v", seen)
	}
	same := func(x, y [][]string) bool {
		for i := range x {
			if strings.Join(x[i], ",") != strings.Join(y[i], ",") {
				return false
			}
		}
		return true
	}
	if !same(rows, csv("1", statement)) || same(rows, csv("2", statement)) {
		t.Error("what is random does not depend on the seed alone")
	}
}

// load fills a memory as $readmemh does.
func TestLoad(t *testing.T) {
	dir := here(t, map[string]string{
		"fifo.sv":   fifo,
		"words.hex": "// a\n11 2_2 /* x\n y */ 33\n@5 55\n",
		"wide.hex":  "100\n",
		"l.txtar":   "rtl: fifo.sv\n\n-- script --\nload mem words.hex\npeek mem[0] 0x11 mem[2] 0x33 mem[5] 0x55 mem[4] x\nset push 1 din 0xff\nwait 2\npeek mem[1] 0xff mem[2] 0x33\n",
		"m.txtar":   "rtl: fifo.sv\n\n-- script --\nload mem wide.hex\n",
	})
	if r := result(t, filepath.Join(dir, "l.txtar"), vectors.Options{}); r.Verdict != vectors.Pass {
		t.Error(r.Err)
	}
	if r := result(t, filepath.Join(dir, "m.txtar"), vectors.Options{}); r.Verdict != vectors.Differs || !strings.Contains(r.Err.Error(), "0x100 needs 9 bits, but those of mem have 8") {
		t.Error(r.Err)
	}
}

// Designs without a clock, and with two.
func TestRTLClocks(t *testing.T) {
	dir := here(t, map[string]string{
		"add.v":     "module add(input [3:0] a, input [3:0] b, output [4:0] sum); assign sum = a + b; endmodule",
		"add.txtar": "rtl: add.v\nclock: none\n\n-- cycles --\na b | sum\n0..15 1 | 1..16\n7 9 | 16\n",
		"two.v":     "module two(input clk_a, input clk_b, input rst, output reg [3:0] a, output reg [3:0] b); always @(posedge clk_a) a <= rst ? 0 : a + 1; always @(posedge clk_b) b <= rst ? 0 : b + 1; endmodule",
		"two.txtar": "rtl: two.v\nclock: clk_a=10ns clk_b=20ns\nreset: rst high 4\n\n-- cycles --\n| a b\n| 0 0\n| 1 0\n| 1 1\n| 2 1\n| 3 1\n| 3 2\n",
	})
	for _, name := range []string{"add.txtar", "two.txtar"} {
		if r := result(t, filepath.Join(dir, name), vectors.Options{Simulators: []sim.Simulator{sim.Icarus}}); r.Verdict != vectors.Pass {
			t.Errorf("%s: %v", name, r.Err)
		}
	}
}

// Update, export and new on such a vector.
func TestRTLMake(t *testing.T) {
	dir := here(t, map[string]string{"rtl/fifo.sv": fifo})
	t.Chdir(dir)
	text, notes, err := vectors.SkeletonRTL(t.Context(), convention.Given{Files: []string{"rtl/fifo.sv"}}, "tests")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"rtl: ../rtl/fifo.sv\ntop: fifo\nclock: clk\nreset: rst_n low 3\n", "din pop push | dout empty full\n", "random 100 din any pop any push any\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if len(notes) != 3 {
		t.Error(notes)
	}
	os.Mkdir("tests", 0o777)
	name := filepath.Join("tests", "a.txtar")
	os.WriteFile(name, []byte(text), 0o666)
	if text, err = anyRTL.Update(t.Context(), name, false, vectors.Options{Sim: quiet}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, " -     1    0 *3") { // dout is X
		t.Error(text)
	}
	os.WriteFile(name, []byte(text), 0o666)
	if r := result(t, name, vectors.Options{}); r.Verdict != vectors.Pass {
		t.Fatal(r.Err)
	}
	bench, files, err := anyRTL.Verilog(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	run := func(design string) string {
		t.Helper()
		os.WriteFile("tb.v", []byte(bench), 0o666)
		out, err := exec.Command("iverilog", "-g2012", "-o", "tb.vvp", design, "tb.v").CombinedOutput()
		if err == nil {
			out, err = exec.Command("vvp", "tb.vvp").CombinedOutput()
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	if out := run(files[0]); !strings.HasSuffix(out, "PASS\n") {
		t.Error(out)
	}
	os.WriteFile("faulty.sv", []byte(strings.Replace(fifo, "count == 0", "count == 1", 1)), 0o666)
	if out := run("faulty.sv"); !strings.HasSuffix(out, "FAIL\n") {
		t.Error(out)
	}
	doc, err := anyRTL.DocFile(t.Context(), name)
	if err != nil || !strings.Contains(doc, "  count\n") || !strings.Contains(doc, "reset rst_n, active low") {
		t.Errorf("%v\n%s", err, doc)
	}
	os.WriteFile("tests/f.txtar", []byte("rtl: ../rtl/fifo.sv\n\n-- script --\nforce count 3\nwait 3\n"), 0o666)
	if _, err := anyRTL.CSV(t.Context(), "tests/f.txtar"); err == nil || !strings.Contains(err.Error(), ":4:1: error: force reaches into the RTL") {
		t.Error(err)
	}
}

// A vector with random rows that fails becomes the few rows that still fail.
func TestRTLShrink(t *testing.T) {
	dir := here(t, map[string]string{"broken.v": broken})
	name := filepath.Join(dir, "b.txtar")
	for _, c := range []struct{ statements, want string }{
		{"random 1000 a 0,4 b any\n", "b |\n4 5 |\n"},
		{"always limit != 4'd3\nset a 7\nrandom 500 b 1..3 a 0,7\n", "-- script --\nalways limit != 4'd3\n\n-- cycles --\n"},
	} {
		os.WriteFile(name, []byte("rtl: broken.v\n\n-- script --\n"+c.statements), 0o666)
		text, tries, err := anyRTL.Shrink(t.Context(), name, vectors.Options{Sim: quiet, Simulators: []sim.Simulator{sim.Icarus}})
		if err != nil || tries == 0 || !strings.Contains(text, c.want) || strings.Count(text, "|\n") > 6 {
			t.Errorf("%v\n%s", err, text)
			continue
		}
		os.WriteFile(name, []byte(text), 0o666)
		if r := result(t, name, vectors.Options{}); r.Verdict != vectors.Differs {
			t.Errorf("%s:\n%s", r.Verdict, text)
		}
	}
	os.WriteFile(name, []byte("rtl: broken.v\n\n-- script --\nexpect q 7\n"), 0o666)
	if _, _, err := anyRTL.Shrink(t.Context(), name, vectors.Options{Sim: quiet}); err == nil || !strings.Contains(err.Error(), "nothing to shrink") {
		t.Error(err)
	}
}

// RTL that does not compile is no fault of the vector.
func TestRTLTrouble(t *testing.T) {
	dir := here(t, map[string]string{"a.v": "module a(input x);\n  nonsense\nendmodule\n", "a.txtar": "rtl: a.v\n\n-- script --\nwait 1\n"})
	name := filepath.Join(dir, "a.txtar")
	if r := result(t, name, vectors.Options{}); r.Verdict != vectors.Trouble || !strings.Contains(r.Err.Error(), "a.v:3") {
		t.Errorf("%s: %v", r.Verdict, r.Err)
	}
	if err := anyRTL.CheckFile(name); err == nil || !strings.Contains(err.Error(), "does not compile") {
		t.Error(err)
	}
}

// BenchmarkRTLVector measures the time from saving a vector of ten lines for RTL that its header
// names to the verdict of both simulators. The target is one second.
func BenchmarkRTLVector(b *testing.B) {
	name := filepath.Join(tenLines(b, 1), "0.txtar")
	defer processorTime(b)()
	for b.Loop() {
		if r := result(b, name, vectors.Options{}); r.Verdict != vectors.Pass {
			b.Fatal(r.Err)
		}
	}
}

// BenchmarkRTLThousand runs a thousand such vectors. The target is five seconds.
func BenchmarkRTLThousand(b *testing.B) {
	files, err := vectors.Files(tenLines(b, 1000))
	if err != nil {
		b.Fatal(err)
	}
	defer processorTime(b)()
	for b.Loop() {
		for _, r := range anyRTL.Run(b.Context(), files, vectors.Options{Sim: quiet}) {
			if r.Verdict != vectors.Pass {
				b.Fatal(r.Err)
			}
		}
	}
}

// BenchmarkRTLAgents plays 20 000 cycles in both simulators, without an agent, in runs of many
// cycles, and with one. An agent may answer in the cycle after an output has changed. Simulators
// cannot go back, so each cycle is a run of its own.
func BenchmarkRTLAgents(b *testing.B) {
	for _, c := range []struct{ name, agent string }{{"none", ""}, {"one", "agent out uart line empty baud 115200\n"}} {
		b.Run(c.name, func(b *testing.B) {
			dir := here(b, map[string]string{"fifo.sv": fifo, "a.txtar": "rtl: fifo.sv\nperiod: 10ns\n\n-- script --\n" + c.agent + "wait 20000\n"})
			defer processorTime(b)()
			for b.Loop() {
				if r := result(b, filepath.Join(dir, "a.txtar"), vectors.Options{}); r.Verdict != vectors.Pass {
					b.Fatal(r.Err)
				}
			}
		})
	}
}

// processorTime begins to count processor time, of child processes that have ended too, and returns
// a function that reports it.
func processorTime(b *testing.B) func() {
	spent := func() (all time.Duration) {
		for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
			var u syscall.Rusage
			if err := syscall.Getrusage(who, &u); err != nil {
				b.Fatal(err)
			}
			all += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
		return all
	}
	begin := spent()
	return func() { b.ReportMetric(float64(spent()-begin)/float64(b.N), "cpu-ns/op") }
}

// tenLines returns a folder with so many vectors.
func tenLines(b *testing.B, n int) string {
	files := map[string]string{"fifo.sv": fifo}
	for i := range n {
		files[fmt.Sprintf("%d.txtar", i)] = "rtl: fifo.sv\n\n-- cycles --\npush din pop | dout empty full\n0 0 0 | - 1 0\n1 0x11 0 | - 1 0\n1 0x22 0 | 0x11 0 0\n0 0 1 | 0x11 0 0\n0 0 1 | 0x22 0 0\n0 0 0 | - 1 0\n"
	}
	return here(b, files)
}

// What stands in the way of files that are there already works, or says what to do.
func TestRTLAsItIs(t *testing.T) {
	dir := here(t, map[string]string{
		"rtl/rom.v":       "module rom(input clk, input [1:0] a, output reg [7:0] q); reg [7:0] mem [0:3]; initial $readmemh(\"rtl/words.hex\", mem); always @(posedge clk) q <= mem[a]; endmodule\n",
		"rtl/words.hex":   "11 22 33 44\n",
		"same.v":          "module same(input clk, input d, output reg same); always @(posedge clk) same <= d; endmodule\n",
		"a b/x y.v":       "module xy(input [2:0] a, output [2:0] y); assign y = ~a; endmodule\n",
		"blank.txtar":     "rtl: a?b/x?y.v\n\n-- script --\nset a 3\nexpect y 4\n",
		"quoted.txtar":    "rtl: \"a b/x y.v\"\n\n-- script --\nwait 1\n",
		"ifc.sv":          "interface bus; logic v; modport s(input v); endinterface\nmodule ifc(input clk, bus.s b, output logic q); always_ff @(posedge clk) q <= b.v; endmodule\n",
		"ifc.txtar":       "rtl: ifc.sv\n\n-- script --\nwait 1\n",
		"empty.v":         "",
		"empty.txtar":     "rtl: empty.v\n\n-- script --\nwait 1\n",
		"same.txtar":      "rtl: same.v\n\n-- script --\nwait 3\n",
		"sub/list.txtar":  "rtl: list.f\n\n-- cycles --\na | q\n1 | -\n0 | 0x22\n",
		"sub/word.txtar":  "rtl: ../rtl/rom.v\n\n-- script --\nalways mem[2] == 0x33 && mem[1][5:4] == 2 && mem[3][2]\nwait 3\n",
		"sub/wrong.txtar": "rtl: ../rtl/rom.v\n\n-- script --\nalways q[7] || mem[2] != 0x33\nwait 3\n",
		"sub/any.txtar":   "rtl: ../rtl/rom.v\n\n-- script --\nalways mem[a] != 7\nwait 3\n",
		"sub/s.txtar":     "rtl: ../rtl/rom.v\n\n-- script --\nload mem ../rtl/words.hex\nalways q != 0x33\nset a 0\nwait 3\nset a 2\nwait 3\n",
	})
	list := filepath.Join(dir, "rtl/rom.v") + "\n"
	if err := os.WriteFile(filepath.Join(dir, "sub/list.f"), []byte(list), 0o666); err != nil {
		t.Fatal(err)
	}
	icarus := vectors.Options{Simulators: []sim.Simulator{sim.Icarus}}
	run := func(name, want string) {
		t.Helper()
		r := result(t, filepath.Join(dir, name), icarus)
		if want == "" && r.Err != nil || want != "" && (r.Err == nil || !strings.Contains(r.Err.Error(), want)) {
			t.Errorf("%s: %v, want %q", name, r.Err, want)
		}
	}
	// The RTL finds its files from the present folder.
	t.Chdir(dir)
	run("sub/list.txtar", "")
	run("sub/word.txtar", "")
	run("sub/wrong.txtar", "mem[2] 0x33")
	run("sub/any.txtar", "it is a memory with indices [0:3]: name a word, for example mem[3]")
	run("blank.txtar", "")
	run("quoted.txtar", "write ? for a blank in a name")
	run("ifc.txtar", "hint: the ports of a top module cannot be interfaces")
	run("empty.txtar", "no module is declared in empty.v")
	run("same.txtar", "port same has the name of its module: Verilator takes no such design")
	t.Chdir(filepath.Join(dir, "sub"))
	run("sub/list.txtar", "help: RTL finds its files from the folder in which cosimate is called, here "+filepath.Join(dir, "sub"))
	// A vector that was shrunk stands where it is written.
	t.Chdir(dir)
	text, _, err := anyRTL.Shrink(t.Context(), filepath.Join(dir, "sub/s.txtar"), vectors.Options{Simulators: icarus.Simulators, Sim: quiet})
	if err != nil {
		t.Fatal(err)
	}
	moved, err := vectors.Moved(filepath.Join(dir, "sub/s.txtar"), text, filepath.Join(dir, "out", "x.txtar"))
	if err != nil || !strings.Contains(moved, "rtl: ../rtl/rom.v\n") {
		t.Fatal(moved, err)
	}
	if moved, err = vectors.Moved(filepath.Join(dir, "sub/s.txtar"), text, filepath.Join(dir, "x.txtar")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("x.txtar", []byte(moved), 0o666); err != nil {
		t.Fatal(err)
	}
	run("x.txtar", "always q != 0x33")
}
