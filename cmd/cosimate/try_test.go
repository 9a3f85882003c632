package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/convention"
	"github.com/cosimate/cosimate/sim/try"
	"github.com/cosimate/cosimate/vectors"
)

// Inputs with which an assertion fails become a vector that fails, with as few rows as it takes.
func TestKeepInputs(t *testing.T) {
	text, err := os.ReadFile("../../sim/try/testdata/asserts.sv")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("asserts.sv", text, 0o666); err != nil {
		t.Fatal(err)
	}
	g := convention.Given{Files: []string{"asserts.sv"}}
	found, err := convention.Complete(t.Context(), g, sim.Icarus)
	if err != nil {
		t.Fatal(err)
	}
	r, err := try.Run(t.Context(), found.Design, try.Options{Cycles: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if err := keepInputs(t.Context(), g, r, r.Tape, "An assertion fails.", "no assertion fails"); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile("asserts.try.txtar")
	if err != nil || strings.Count(string(kept), "\n") > 12 || !strings.Contains(string(kept), "0xff") {
		t.Errorf("%v\n%s", err, kept)
	}
	result := vectors.NewRegistry().Run(t.Context(), []string{"asserts.try.txtar"}, vectors.Options{})[0]
	if result.Verdict == vectors.Pass || !strings.Contains(result.Err.Error(), "a_i is 255") {
		t.Errorf("%v: %v", result.Verdict, result.Err)
	}
}

// BenchmarkTry measures the command from an empty folder with one file to its verdict: with an
// empty cache, as on a machine on which nothing was ever compiled; with the second design there,
// for which the headers are compiled that all later models share; with a design that is new; and
// again.
// The targets are five seconds for any design, and one for a second time.
func BenchmarkTry(b *testing.B) {
	text, err := os.ReadFile("../../docs/examples/fifo/fifo.sv")
	if err != nil {
		b.Fatal(err)
	}
	command := filepath.Join(b.TempDir(), "cosimate")
	if out, err := exec.Command("go", "build", "-o", command, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	cache := b.TempDir()
	try := func(folder string) (wall, processor float64) {
		b.Helper()
		c := exec.Command(command, "try", "fifo.sv")
		c.Dir, c.Env = folder, append(os.Environ(), "COSIMATE_CACHE="+cache)
		begin := time.Now()
		if out, err := c.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		return time.Since(begin).Seconds(), (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	}
	times := map[string][]float64{}
	n := 0
	for b.Loop() {
		folder := b.TempDir()
		// Another width is another design.
		design := strings.Replace(string(text), "int Width = 8", fmt.Sprintf("int Width = %d", 8+n), 1)
		if err := os.WriteFile(filepath.Join(folder, "fifo.sv"), []byte(design), 0o666); err != nil {
			b.Fatal(err)
		}
		names := []string{"new", "again"}
		if n < 2 {
			names[0] = []string{"first-ever", "second-ever"}[n]
		}
		for _, name := range names {
			wall, processor := try(folder)
			times["s-"+name] = append(times["s-"+name], wall)
			times["cpu-s-"+name] = append(times["cpu-s-"+name], processor)
		}
		n++
	}
	for name, all := range times {
		slices.Sort(all)
		b.ReportMetric(all[len(all)/2], name)
	}
}
