package cover_test

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/sim/cover"
	"github.com/cosimate/cosimate/sim/cover/coverdb"
)

const coverageDat = "# SystemC::Coverage-3\nC '\x01f\x02fifo.sv\x01l\x0211\x01n\x023\x01page\x02v_line/fifo\x01o\x02block\x01S\x0211,17\x01h\x02.fifo' 20\n"

// addFIFO collects from a model of a design of three files. One of them has points.
func addFIFO(t *testing.T, text, data string) {
	t.Helper()
	sources := []cover.Source{
		{Name: "fifo.sv", Text: []byte(text)},
		{Name: "fifo_pkg.sv", Text: []byte("package fifo_pkg; /* some */ function int two(); return 2; endfunction endpackage")},
		{Name: "types.sv", Text: []byte("package types; // no function\n/* nor a task */ import \"DPI-C\" function void f(); endpackage")},
	}
	cover.AddCode(t, func(name string) string { return "rtl/fifo/" + name }, sources, []byte(data))
}

// TestCollected is run by TestCollect in processes of its own.
func TestCollected(t *testing.T) {
	mode := os.Getenv("COVER_TEST_MODE")
	if mode == "" {
		return // by itself it has nothing to collect
	}
	if mode == "model" {
		t.Cleanup(func() {
			t.Helper()
			addFIFO(t, "the text", coverageDat)
		})
		return
	}
	t.Run("parallel", func(t *testing.T) {
		for range 3 {
			t.Run("stream", func(t *testing.T) {
				t.Parallel()
				g := newBeats(t)
				t.Cleanup(func() { addFIFO(t, "the text", coverageDat) }) // as a DUT does
				for range 10 {
					g.Sample(beat{op: read, size: 1})
				}
			})
		}
	})
	t.Run("later", func(t *testing.T) {
		t.Chdir("/")
		newBeats(t).Sample(beat{op: write, size: 1})
	})
	switch mode {
	case "corrupt":
		addFIFO(t, "the text", coverageDat[:60])
	case "other":
		addFIFO(t, "another text", coverageDat)
	case "kill":
		p, _ := os.FindProcess(os.Getpid())
		p.Kill()
		select {}
	}
}

// collect runs TestCollected.
func collect(t *testing.T, mode string, args ...string) (output string, err error) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], append([]string{"-test.run=^TestCollected$"}, args...)...)
	cmd.Env = append(os.Environ(), "COVER_TEST_MODE="+mode)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// Every process writes a file of its own, however it ends, and leaves nothing else.
func TestCollect(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	for _, mode := range []string{"end", "end", "kill"} {
		if out, err := collect(t, mode, "-sim.cover="+dir); (err == nil) != (mode == "end") {
			t.Fatalf("%s: %v\n%s", mode, err, out)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "cover-") || !strings.HasSuffix(e.Name(), ".coverage") {
			t.Errorf("%s is left", e.Name())
		}
	}
	d, databases, err := coverdb.Read(dir)
	if err != nil || databases != 3 {
		t.Fatalf("%d files, %v", databases, err)
	}
	want := map[coverdb.CodePoint]uint64{{File: "rtl/fifo/fifo.sv", Line: 11, Column: 3, Kind: "line", Comment: "block", Hierarchy: "fifo", Lines: "11,17"}: 3 * 3 * 20}
	if diff := cmp.Diff(want, d.Code); diff != "" {
		t.Errorf("code (-want +got)\n%s", diff)
	}
	files := map[string]string{"rtl/fifo/fifo.sv": coverdb.Hash([]byte("the text")), "rtl/fifo/fifo_pkg.sv": d.Files["rtl/fifo/fifo_pkg.sv"]}
	if diff := cmp.Diff(files, d.Files); diff != "" || d.Files["rtl/fifo/fifo_pkg.sv"] == "" {
		t.Errorf("files (-want +got)\n%s", diff)
	}
	for name, n := range map[string]uint64{"read": 3 * 3 * 10, "write": 3, "idle": 0} {
		if got, ok := d.Bins[coverdb.Bin{Group: "beats", Item: "op", Kind: coverdb.Goal, Name: name}]; !ok || got.Count != n {
			t.Errorf("bin %s has %d hits (%v), not %d", name, got.Count, ok, n)
		}
	}
}

// Without the flag nothing is written. A relative folder is relative to the module's root.
func TestCollectWhere(t *testing.T) {
	if out, err := collect(t, "end"); err != nil {
		t.Fatal(err, out)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	rel, err := filepath.Rel(root, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if out, err := collect(t, "end", "-sim.cover="+rel); err != nil {
		t.Fatal(err, out)
	}
	if _, files, err := coverdb.Read(filepath.Join(root, rel)); files != 1 {
		t.Fatal(files, err)
	}
}

// A process whose flag has another value in a later run of its tests writes what each run has
// covered into the folder of that run.
func TestCollectRuns(t *testing.T) {
	if os.Getenv("COVER_TEST_MODE") != "runs" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestCollectRuns$")
		cmd.Env = append(os.Environ(), "COVER_TEST_MODE=runs")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	parent := t.TempDir()
	for i, o := range []op{read, read, write} {
		dir := filepath.Join(parent, []string{"1", "2", "2"}[i])
		t.Run("run", func(t *testing.T) {
			if err := flag.Set("sim.cover", dir); err != nil {
				t.Fatal(err)
			}
			newBeats(t).Sample(beat{op: o, size: 1})
		})
	}
	for dir, want := range map[string][2]uint64{"1": {1, 0}, "2": {1, 1}} {
		d, files, err := coverdb.Read(filepath.Join(parent, dir))
		if err != nil || files != 1 {
			t.Fatal(files, err)
		}
		for i, name := range []string{"read", "write"} {
			if n := d.Bins[coverdb.Bin{Group: "beats", Item: "op", Kind: coverdb.Goal, Name: name}].Count; n != want[i] {
				t.Errorf("folder %s: bin %s has %d hits, not %d", dir, name, n, want[i])
			}
		}
	}
	flag.Set("sim.cover", "")
}

// Data that cannot be read or written fail the test.
func TestCollectFailure(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for mode, c := range map[string]struct{ dir, want string }{
		"end":     {file, "-sim.cover=" + file + ": coverage cannot be written: mkdir " + file + ": not a directory"},
		"model":   {file, "-sim.cover=" + file + ": coverage cannot be written: mkdir " + file + ": not a directory"},
		"other":   {t.TempDir(), "different source files are called rtl/fifo/fifo.sv, whose counts cannot be added up: set Design.Dir of one of the designs"},
		"corrupt": {t.TempDir(), "what the model has counted cannot be read: coverage.dat:2: the end of the line is missing: the file was cut"},
	} {
		if out, err := collect(t, mode, "-sim.cover="+c.dir); err == nil || !strings.Contains(out, c.want) {
			t.Errorf("%s: %v\n%s", mode, err, out)
		}
	}
}
