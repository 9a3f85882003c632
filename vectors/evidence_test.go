package vectors_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/wave/fst"
	"github.com/cosimate/cosimate/vectors"
)

// kept runs a vector that fails, and returns the files that it leaves, by their names.
func kept(t *testing.T, name, keep string, sims []sim.Simulator) (*vectors.Failure, map[string]string) {
	t.Helper()
	r := result(t, name, vectors.Options{Keep: keep, Simulators: sims})
	f, ok := errors.AsType[*vectors.Failure](r.Err)
	if !ok {
		t.Fatal(r.Verdict, r.Err)
	}
	files := map[string]string{}
	for _, file := range f.Report.Files {
		files[filepath.Base(file.Path)] = file.Path
	}
	if f.Report.FST != "" {
		files[filepath.Base(f.Report.FST)] = f.Report.FST
	}
	for _, path := range files {
		if !strings.Contains(r.Err.Error(), path) {
			t.Errorf("the message does not name %s", path)
		}
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", path, err)
		}
	}
	return f, files
}

// recorded returns a signal's value at a time of a recording, before the changes of that time.
func recorded(t *testing.T, path, scope, signal string, at time.Duration) (value string) {
	t.Helper()
	file, err := fst.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(file.Vars, func(v fst.Var) bool { return v.Name == signal && strings.Join(v.Scopes, ".") == scope })
	if i < 0 {
		t.Fatalf("%s is not in %s", signal, path)
	}
	before := uint64(float64(at.Nanoseconds()) * math.Pow10(-9-file.Exponent))
	err = file.Changes(func(c fst.Change) {
		if c.Handle == file.Vars[i].Handle && c.Time < before {
			value = string(c.Value)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// A vector that fails leaves a page, and the waves of what is inside: also if thousands of cycles
// were played behind the one that is wrong.
func TestKeep(t *testing.T) {
	dir := here(t, map[string]string{
		"fifo.sv":   fifo,
		"a.txtar":   "rtl: fifo.sv\n\n-- cycles --\npush din pop | dout empty full\n1 0x11 0 | - 1 0\n1 0x22 0 | 0x11 0 0\n0 0 1 | 0x12 0 0\n\n-- script --\nwait 3000\n",
		"x.v":       "module x(input clk, input rst, input a, output reg q, output y); reg [3:0] n; reg u;\nalways @(posedge clk) begin n <= rst ? 0 : n + 1; q <= a; end\nassign y = n == 9 ? (u === 1'bx) : 1'b0; endmodule\n",
		"two.txtar": "rtl: x.v\n\n-- script --\nwait 30\n",
	})
	keep := t.TempDir()
	f, files := kept(t, filepath.Join(dir, "a.txtar"), keep, []sim.Simulator{sim.Icarus})
	for _, name := range []string{"report.html", "report.txt", "wave.svg", "wave.gtkw", "icarus.fst"} {
		if !strings.HasPrefix(files[name], keep) {
			t.Errorf("%s is %q", name, files[name])
		}
	}
	if f.Cycle != 2 || len(f.Report.Wave.Cycles) != 3 {
		t.Fatalf("cycle %d, %d cycles are drawn", f.Cycle, len(f.Report.Wave.Cycles))
	}
	// Cycle 2 is the sixth, of which three are the reset: its edge is at 65 ns.
	if got := recorded(t, files["icarus.fst"], "fifo", "count", 65*time.Nanosecond); got != "0010" {
		t.Errorf("count is %s in the recording", got)
	}
	page, err := os.ReadFile(files["report.html"])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"fifo differs from vector in cycle 2 (65ns)", "the vector&#39;s first cycle begins 40ns"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	if text := result(t, filepath.Join(dir, "a.txtar"), vectors.Options{Simulators: []sim.Simulator{sim.Icarus}}).Err.Error(); strings.Contains(text, "files:") {
		t.Errorf("without Keep there are files:\n%s", text)
	}
	// Where the simulators differ, both are recorded. The page of before is replaced.
	f, files = kept(t, filepath.Join(dir, "two.txtar"), keep, nil)
	if f.Cycle != 9 {
		t.Fatal(f)
	}
	for name, scope := range map[string]string{"icarus.fst": "x", "verilator.fst": "TOP.x"} {
		if got := recorded(t, files[name], scope, "n", 135*time.Nanosecond); got != "1001" {
			t.Errorf("n is %s in %s", got, name)
		}
	}
	// A folder that cannot be made is said, and the failure stays what it is.
	blocked := filepath.Join(dir, "fifo.sv")
	r := result(t, filepath.Join(dir, "a.txtar"), vectors.Options{Keep: blocked, Simulators: []sim.Simulator{sim.Icarus}})
	if r.Verdict != vectors.Differs || !strings.Contains(r.Err.Error(), "there are no files of it") || !strings.Contains(r.Err.Error(), "dout is 0x11, expected 0x12") {
		t.Error(r.Err)
	}
}
