package vectors_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/blocks"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// faults has one fault in each block, which the block's vectors find.
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
	// a burst that wraps
	{"axi3", "axi3_pkg.sv", "2'd2: mask = {6'd0, bytes};", "2'd2: mask = 12'hfff;"},
	{"core", "game_make.sv", "{24'd0, taken_ep,", "{32'd0,"},
	{"perftcore", "perftengine.sv", "(job_depth_i == 4'd1) & ~job_divide_i\n", "1'b0\n"},
	{"link", "link_pkg.sv", "32'hedb88320", "32'h82f63b78"},
	{"board", "board.sv", "{occupied[7], occupied[0]}", "{occupied[0], occupied[7]}"},
	{"zedboard_system", "zedboard_system.sv", "{perft_rdata, core_rdata}", "{core_rdata, perft_rdata}"},
}

// folderOf is the folder of a design's vectors.
func folderOf(design string) string {
	return "../rtl/" + strings.TrimSuffix(design, "_system") + "/vectors"
}

// plant writes a design's file with a fault into a new folder, and returns the folder.
func plant(t *testing.T, design, file, old, new string) (folder string) {
	t.Helper()
	d, _ := blocks.All().RTL(design)
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

// A fault in each block is found by the block's vectors. The vector that finds it is shrunk. The
// shrunk vector fails with the fault and passes without it, in a run and as Verilog in bare Icarus.
// (The command that the report prints is tried by scripts of the command.)
func TestMutants(t *testing.T) {
	r := blocks.All()
	tried := map[string]bool{}
	for _, f := range faults {
		tried[f.design] = true
		t.Run(f.design, func(t *testing.T) {
			t.Parallel()
			faulty := plant(t, f.design, f.file, f.old, f.new)
			o := vectors.Options{Simulators: []sim.Simulator{sim.Icarus}, RTL: vectors.Overlay(faulty)}
			folder := folderOf(f.design)
			if f.design == "board" {
				folder += "/lights.txtar" // one only, as Icarus takes seconds for each other
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
			if bare(t, name, faulty) || !bare(t, name, "") {
				t.Errorf("as Verilog in bare Icarus, it does not report whether there is the fault:\n%s", small)
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

// Each design has at least ten vectors in a folder of its name, in canonical form and with titles.
func TestShipped(t *testing.T) {
	for _, name := range blocks.All().Names() {
		files, err := vectors.Files(folderOf(name))
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
