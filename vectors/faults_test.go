package vectors_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
	"github.com/cosimate/cosimate/vectors/designs"
)

// faults are one in each block. Its vectors find it.
var faults = []struct{ design, file, old, new string }{
	{"debounce", "debounce.sv", "level = sync_q[SyncStages-1]", "level = sync_q[0]"},
	{"scanner", "scanner.sv", "if (read && ready)", "if (read && ready && select_o != 6'd0)"},
	{"leds", "leds.sv", "end_of(40) : end_of(80);\n", "end_of(40) : end_of(79);\n"},
	{"clock", "clock_side.sv", "UsedWidth'(TenthCycles - 1)", "UsedWidth'(TenthCycles - 2)"},
	{"uart", "uart_tx.sv", "valid_i ? 4'd10", "valid_i ? 4'd8"}, // the published board's
	{"movelink", "movelink_bytes.sv", "FromTag = 2'b01", "FromTag = 2'b00"},
	{"game", "game_make.sv", "{24'd0, taken_ep,", "{32'd0,"}, // a pawn taken en passant stays
	{"movegen", "movegen_count.sv", "(knights_i << 2) & movegen_pkg::NotFilesAB", "(knights_i << 2) & movegen_pkg::NotFileA"},
	{"burst", "burst_arrivals.sv", "movers_ns = ortho & ~(line_ew_i | line_nesw_i | line_nwse_i)", "movers_ns = ortho & ~(line_nesw_i | line_nwse_i)"},
	{"perftengine", "perftengine.sv", "(job_depth_i == 4'd1) & ~job_divide_i\n", "1'b0\n"},
	{"validity", "validity_track.sv", "(occupied_i & agree) | (seen_q & ~agree)", "occupied_i"},
	{"axil", "axil.sv", "none | (whole & ~write_error_i)", "none | whole"},
	{"axi3", "axi3_pkg.sv", "2'd2: mask = {6'd0, bytes};", "2'd2: mask = 12'hfff;"}, // a burst that wraps
	{"core", "game_make.sv", "{24'd0, taken_ep,", "{32'd0,"},
	{"perftcore", "perftengine.sv", "(job_depth_i == 4'd1) & ~job_divide_i\n", "1'b0\n"},
	{"link", "link_pkg.sv", "32'hedb88320", "32'h82f63b78"},
	{"board", "board.sv", "{occupied[7], occupied[0]}", "{occupied[0], occupied[7]}"},
}

// plant leaves a design's file with a fault in a folder of its own.
func plant(t *testing.T, design, file, old, new string) (folder string) {
	t.Helper()
	d, _ := designs.All().RTL(design)
	folder = t.TempDir()
	for _, name := range d.Files {
		if filepath.Base(name) != file {
			continue
		}
		b, err := fs.ReadFile(d.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(b), old); n != 1 {
			t.Fatalf("%q stands %d times in %s", old, n, file)
		}
		if err := os.WriteFile(filepath.Join(folder, file), []byte(strings.Replace(string(b), old, new, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		return folder
	}
	t.Fatalf("%s is not a file of %s", file, design)
	return ""
}

// A fault in each block is found by the block's vectors; the one that finds it shrinks, and what is left finds it as well, passes
// without it, and does so with the command that the report prints (which scripts of the command try).
func TestFaults(t *testing.T) {
	r := designs.All()
	tried := map[string]bool{}
	for _, f := range faults {
		tried[f.design] = true
		t.Run(f.design, func(t *testing.T) {
			t.Parallel()
			o := vectors.Options{Simulators: []sim.Simulator{sim.Icarus}, RTL: vectors.Overlay(plant(t, f.design, f.file, f.old, f.new))}
			folder := f.design
			if folder == "board" {
				folder = "board/lights.txtar" // Icarus takes seconds for each of the others
			}
			files, err := vectors.Files(folder)
			if err != nil {
				t.Fatal(err)
			}
			var found *vectors.Result
			for _, result := range r.Run(t.Context(), files, o) {
				var failure *vectors.Failure
				if result.Verdict == vectors.Differs && errors.As(result.Err, &failure) && failure.RTL && (found == nil || result.Cycles < found.Cycles) {
					found = &result
				}
			}
			if found == nil {
				t.Fatal("no vector finds it")
			}
			if text := found.Err.Error(); !strings.Contains(text, found.File+":") || !strings.Contains(text, " of the RTL is not what the model says") || !strings.Contains(text, "again: cosimate vectors run "+found.File) {
				t.Errorf("the report does not say where:\n%s", text)
			}
			small, tries, err := r.Shrink(t.Context(), found.File, o)
			if err != nil {
				t.Fatal(err)
			}
			name := write(t, small)
			again := r.Run(t.Context(), []string{name}, o)[0]
			if again.Verdict != vectors.Differs || again.Cycles > found.Cycles {
				t.Errorf("shrunk, it does not find the fault any more: %v\n%s", again.Err, small)
			}
			if sound := r.Run(t.Context(), []string{name}, vectors.Options{Simulators: o.Simulators})[0]; sound.Verdict != vectors.Pass {
				t.Errorf("shrunk, it fails without the fault: %v\n%s", sound.Err, small)
			}
			t.Logf("%s: %d cycles, after %d tries %d", found.File, found.Cycles, tries, again.Cycles)
		})
	}
	for _, name := range r.Names() {
		if !tried[name] {
			t.Errorf("no fault in %s", name)
		}
	}
}

// Each design has ten vectors or more, in a folder of its name, in canonical form and with a title.
func TestShipped(t *testing.T) {
	for _, name := range designs.All().Names() {
		files, err := vectors.Files(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(files) < 10 {
			t.Errorf("%s has %d vectors", name, len(files))
		}
		for _, file := range files {
			f, err := vectors.Load(file)
			if err != nil {
				t.Error(err)
				continue
			}
			if f.Design() != name || len(f.Title()) < 10 {
				t.Errorf("%s is for %s: %q", file, f.Design(), f.Title())
			}
			text, _ := os.ReadFile(file)
			if again, err := vectors.Fmt(file, text); err != nil || string(again) != string(text) {
				t.Errorf("%s is not in canonical form (cosimate vectors fmt): %v", file, err)
			}
		}
	}
}

// bare runs an exported testbench in Icarus alone.
func bare(t *testing.T, file, folder string) bool {
	t.Helper()
	text, sources, err := designs.All().Verilog(t.Context(), file)
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
	out, err := exec.Command("vvp", "-n", filepath.Join(dir, "tb.vvp")).Output()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	last := lines[len(lines)-1]
	if err != nil || last != "PASS" && last != "FAIL" {
		t.Fatalf("%v\n%s", err, out)
	}
	return last == "PASS"
}

// A vector exported as Verilog passes and fails in bare Icarus exactly when it does in a run: the shipped ones of small blocks, with and
// without a fault in the RTL, and with an expectation that is wrong.
func TestExport(t *testing.T) {
	r := designs.All()
	for _, f := range faults[:7] {
		t.Run(f.design, func(t *testing.T) {
			t.Parallel()
			files, err := vectors.Files(f.design)
			if err != nil {
				t.Fatal(err)
			}
			faulty, passes, fails := plant(t, f.design, f.file, f.old, f.new), 0, 0
			for i, file := range files {
				if strings.HasSuffix(file, "real-time.txtar") {
					continue // long, and nothing new
				}
				for _, folder := range []string{"", faulty} {
					o := vectors.Options{Simulators: []sim.Simulator{sim.Icarus}}
					if folder != "" {
						o.RTL = vectors.Overlay(folder)
					}
					run := r.Run(t.Context(), []string{file}, o)[0]
					if got := bare(t, file, folder); got != (run.Verdict == vectors.Pass) {
						t.Errorf("%s, fault %v: bare Icarus passes: %v; run says %s: %v", file, folder != "", got, run.Verdict, run.Err)
					}
					if run.Verdict == vectors.Pass {
						passes++
					} else {
						fails++
					}
				}
				if i == 4 {
					break
				}
			}
			if passes == 0 {
				t.Error("nothing passed")
			}
			if fails == 0 && f.design == "debounce" {
				t.Error("nothing failed")
			}
		})
	}
	wrong := write(t, a("0 | 0 0 *2\n0 | 1 0\n"))
	if bare(t, wrong, "") || r.Run(t.Context(), []string{wrong}, vectors.Options{})[0].Verdict != vectors.Differs {
		t.Error("an expectation that is wrong passes")
	}
}
