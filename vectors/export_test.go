package vectors_test

import (
	"cmp"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosimate/cosimate/rtl/blocks"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

var exportAll = flag.Bool("vectors.export", false, "export all vectors as Verilog, not the shortest of each block")

// bare runs an exported testbench in Icarus alone.
func bare(t *testing.T, file, folder string) bool {
	t.Helper()
	text, sources, err := blocks.All().Verilog(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	bench := filepath.Join(dir, "tb.sv")
	if err := os.WriteFile(bench, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"-g2012", "-o", filepath.Join(dir, "tb.vvp")}
	for _, s := range sources {
		path := filepath.Join(folder, filepath.Base(s))
		if _, err := os.Stat(path); folder == "" || err != nil {
			path = filepath.Join("..", filepath.FromSlash(s))
		}
		args = append(args, path)
	}
	if out, err := exec.Command("iverilog", append(args, bench)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	out, err := exec.CommandContext(ctx, "vvp", "-n", filepath.Join(dir, "tb.vvp")).Output()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	last := lines[len(lines)-1]
	if err != nil || last != "PASS" && last != "FAIL" {
		t.Fatalf("%v\n%s", err, out)
	}
	return last == "PASS"
}

// A vector exported as Verilog passes in bare Icarus if and only if it passes in a run. This is
// tried with vectors of each block, with and without a fault in the RTL (TestMutants has another
// for each block), and with one that expects a wrong value.
func TestExport(t *testing.T) {
	r := blocks.All()
	for _, f := range faults {
		t.Run(f.design, func(t *testing.T) {
			t.Parallel()
			faulty := plant(t, f.design, f.file, f.old, f.new)
			files, err := vectors.Files(folderOf(f.design))
			if err != nil {
				t.Fatal(err)
			}
			if !*exportAll {
				model := r.Run(t.Context(), files, vectors.Options{Simulators: []sim.Simulator{}})
				files = []string{slices.MinFunc(model, func(a, b vectors.Result) int { return cmp.Compare(a.Cycles, b.Cycles) }).File}
			}
			for _, folder := range []string{"", faulty} {
				o := vectors.Options{Simulators: []sim.Simulator{sim.Icarus}}
				if folder != "" {
					o.RTL = vectors.Overlay(folder)
				}
				passes := 0
				for _, run := range r.Run(t.Context(), files, o) {
					if run.Verdict == vectors.Pass {
						passes++
					}
					if got := bare(t, run.File, folder); got != (run.Verdict == vectors.Pass) {
						t.Errorf("%s, fault %v: bare Icarus passes: %v; run says %s: %v", run.File, folder != "", got, run.Verdict, run.Err)
					}
				}
				if folder == "" && passes != len(files) || folder != "" && *exportAll && passes == len(files) {
					t.Errorf("fault %v: %d of %d pass", folder != "", passes, len(files))
				}
			}
		})
	}
	wrong := write(t, a("0 | 0 0 *2\n0 | 1 0\n"))
	if bare(t, wrong, "") || r.Run(t.Context(), []string{wrong}, vectors.Options{})[0].Verdict != vectors.Differs {
		t.Error("an expectation that is wrong passes")
	}
}
