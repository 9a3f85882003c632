package regress_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cosimate/cosimate/sim/regress"
)

var (
	faultsFlag = flag.Int("regress.faults", 1, "how many faults TestFaults plants")
	seedsFlag  = flag.Int("regress.seeds", 60, "how many seeds TestFaults runs of each")
)

// faults are texts of the stranger's RTL, and what replaces them.
var faults = []struct{ block, old, new string }{
	{"sum", "next[8] ? 8'hff", "next[8] ? 8'hfe"},
	{"fifo", "count_q == DEPTH[2:0]", "count_q == DEPTH[2:0] - 3'd1"},
	{"fifo", "pop_i && valid_o", "pop_i && valid_o && !full_o"},
	{"fifo", "count_q != 0", "count_q > 1"},
	{"fifo", "memory_q[read_q] : 8'h0", "memory_q[read_q] : 8'h1"},
	{"fifo", "push_i && !full_o", "push_i"},
	{"fifo", "pop_i && valid_o", "pop_i"},
	{"fifo", "read_q  <= '0", "read_q  <= 2'd1"},
	{"fifo", "write_q <= '0", "write_q <= 2'd2"},
	{"fifo", "memory_q[write_q] <= data_i", "memory_q[write_q] <= {data_i[7:1], data_i[0] && !pop_i}"},
	{"fifo", "memory_q[write_q] <= data_i", "memory_q[write_q] <= data_i | 8'h10"},
	{"fifo", "memory_q[write_q] <= data_i", "if (data_i != 8'h77) memory_q[write_q] <= data_i"},
	{"fifo", "write_q + 2'd1", "write_q + 2'd3"},
	{"fifo", "write_q + 2'd1", "write_q + (data_i == 8'h13 ? 2'd2 : 2'd1)"},
	{"fifo", "read_q + 2'd1", "read_q + (full_o ? 2'd2 : 2'd1)"},
	{"fifo", "+ {2'b0, push} - {2'b0, pop}", "+ {2'b0, push && !pop} - {2'b0, pop}"},
	{"fifo", "+ {2'b0, push} - {2'b0, pop}", "+ {2'b0, push} - {2'b0, pop && !push}"},
	{"fifo", "+ {2'b0, push} - {2'b0, pop}", "+ {2'b0, push} - {2'b0, pop && count_q != 3}"},
	{"fifo", "memory_q[read_q] : 8'h0", "memory_q[count_q == 2 ? 2'd0 : read_q] : 8'h0"},
	{"fifo", "count_q != 0", "count_q != 0 && !(push_i && pop_i && count_q == 2)"},
	{"fifo", "count_q == DEPTH[2:0]", "count_q[2] && !pop_i"},
	{"sum", "sum_o + term_i", "sum_o + (term_i & 8'h7f)"},
	{"sum", "sum_o + term_i", "sum_o + (term_i == 8'h11 ? 8'h12 : term_i)"},
	{"sum", "sum_o  <= '0", "sum_o  <= 8'd1"},
	{"sum", "over_o <= '0", "over_o <= 1'b1"},
	{"sum", "over_o || next[8]", "next[8]"},
	{"sum", "over_o || next[8]", "over_o || next[8] && sum_o != 8'hff"},
	{"sum", "if (valid_i)", "if (valid_i && term_i != 8'd3)"},
	{"sum", "next[8] ? 8'hff : ", "next[8] && sum_o[0] ? 8'hff : "},
	{"sum", "next[8] ? 8'hff : ", "term_i == 8'h42 ? 8'h42 : next[8] ? 8'hff : "},
}

// mended is the stranger's RTL of a block without its own faults.
func mended(text string) string {
	return strings.NewReplacer("term_i == 8'h5a ? sum_o : ", "", " && term_i != 8'hfe", "").Replace(text)
}

// Each fault that is planted is one bucket, or two if it shows in two ports on their own; none
// hides another, two at once neither; and the command of each bucket fails as it says.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	root := stranger(t)
	var plan strings.Builder
	for _, block := range []string{"fifo", "sum"} { // the tests take the RTL from a folder that a flag names
		name := filepath.Join(root, block, block+"_test.go")
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.NewReplacer(`os.DirFS(".")`, "os.DirFS(*fault)", "import (", "import (\n\t\"flag\"").Replace(string(text)) + "\nvar fault = flag.String(\"fault\", \".\", \"\")\n"
		if err := os.WriteFile(name, []byte(changed), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	chosen := faults[:min(*faultsFlag, len(faults))]
	for i, f := range chosen {
		text, err := os.ReadFile(filepath.Join(root, f.block, f.block+".sv"))
		if err != nil || !strings.Contains(string(text), f.old) {
			t.Fatalf("fault %d: %q is not in the RTL (%v)", i, f.old, err)
		}
		dir := filepath.Join(root, f.block, "fault"+strconv.Itoa(i))
		text = []byte(strings.Replace(mended(string(text)), f.old, f.new, 1))
		if err := errors.Join(os.Mkdir(dir, 0o777), os.WriteFile(filepath.Join(dir, f.block+".sv"), text, 0o666)); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&plan, "test ./%s -fault=fault%d -sim.only=verilator seeds=1..%d\n", f.block, i, *seedsFlag)
	}
	fmt.Fprintf(&plan, "test ./sum -sim.only=verilator seeds=1..%d # with two faults at once\n", max(*seedsFlag, 300))
	run := prepare(t, plan.String(), regress.Options{Root: root, Out: t.TempDir(), Jobs: 2})
	began := time.Now()
	if err := run.Local(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	res, _, err := run.Result(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	buckets := make([]int, len(chosen)+1)
	for i, b := range res.Buckets {
		buckets[b.Shortest.Job]++
		if b.Again != "fails" {
			t.Errorf("%s: %s passes when it is run again", b.What(), b.Shortest.Command)
		}
		if i > 0 && *faultsFlag == 1 { // the night runs the others' commands, too, which takes a second each
			continue
		}
		cmd := exec.CommandContext(t.Context(), "bash", "-c", b.Shortest.Command)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), b.Message) {
			t.Errorf("%s: %s (%v) does not say %q:\n%s", b.What(), b.Shortest.Command, err, b.Message, out)
		}
	}
	most, two := 0, 0
	for i, n := range buckets[:len(chosen)] {
		if n < 1 || n > 2 {
			t.Errorf("fault %d, %s: %q: %d buckets", i, faults[i].block, faults[i].new, n)
		}
		if most = max(most, n); n == 2 {
			two++
		}
	}
	if n := buckets[len(chosen)]; n != 2 {
		t.Errorf("two faults at once are %d buckets", n)
	}
	t.Logf("%d faults, %d seeds each: %d runs in %v, %d failed, %d buckets; %d faults are two buckets", len(chosen), *seedsFlag, res.Units, took.Round(time.Second), res.Failed, len(res.Buckets), two)
}
