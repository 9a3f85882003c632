package vectors_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/blocks"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

const glitch = "../rtl/debounce/vectors/glitch.txtar"

// pass fails the test if a vector does not pass.
func pass(t testing.TB, text string) {
	t.Helper()
	if r := blocks.All().Run(t.Context(), []string{write(t, text)}, vectors.Options{})[0]; r.Verdict != vectors.Pass {
		t.Errorf("%s: %v\n%s", r.Verdict, r.Err, text)
	}
}

// Update fills in values that are written ?, and splits rows whose values change. It corrects wrong
// values only with all.
func TestUpdate(t *testing.T) {
	name := write(t, "design: debounce\nparameters: HoldCycles=4\n\n-- cycles --\nline_i | clean_o ready_o\npress: 1 | ? ? *14 # for a while\n\n-- script --\nexpect ready_o ?\n")
	text, err := blocks.All().Update(t.Context(), name, false, vectors.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "design: debounce\nparameters: HoldCycles=4\n\n-- cycles --\n       line_i | clean_o ready_o\npress:      1 |       0       0 *6  # for a while\n            1 |       1       1 *8\n\n-- script --\nexpect ready_o 1\n"
	if text != want {
		t.Errorf("%s", text)
	}
	pass(t, text)
	wrong := write(t, strings.Replace(text, "expect ready_o 1", "expect ready_o 0", 1))
	if _, err := blocks.All().Update(t.Context(), wrong, false, vectors.Options{}); err == nil || !strings.Contains(err.Error(), ":10:16: error: ready_o is 1, expected 0") {
		t.Error(err)
	}
	if text, err = blocks.All().Update(t.Context(), wrong, true, vectors.Options{}); err != nil || text != want {
		t.Errorf("%v\n%s", err, text)
	}
	// A statement has no place for several values.
	name = write(t, "design: debounce\nparameters: HoldCycles=4\n\n-- script --\nset line_i 1\nfor 20 expect clean_o ?\n")
	if _, err := blocks.All().Update(t.Context(), name, false, vectors.Options{}); err == nil || !strings.Contains(err.Error(), "clean_o has several values here: 0, 1") {
		t.Error(err)
	}
}

// Nothing is filled in if RTL and model differ.
func TestUpdateRefuses(t *testing.T) {
	f := faults[0]
	o := vectors.Options{RTL: vectors.Overlay(plant(t, f.design, f.file, f.old, f.new)), Simulators: []sim.Simulator{sim.Icarus}}
	if _, err := blocks.All().Update(t.Context(), glitch, true, o); err == nil || !strings.Contains(err.Error(), "do not agree: nothing is filled in") {
		t.Error(err)
	}
}

// A vector with values that are still to be filled in does not pass.
func TestFilledIn(t *testing.T) {
	r := blocks.All().Run(t.Context(), []string{write(t, a("0 | ? 0\n"))}, vectors.Options{})[0]
	if r.Verdict != vectors.Invalid || !strings.Contains(r.Err.Error(), ":5:5: error: the value of clean_o is to be filled in") {
		t.Errorf("%s: %v", r.Verdict, r.Err)
	}
}

// A recording of random cycles passes, and is the same for the same seed.
func TestRecord(t *testing.T) {
	for _, design := range []string{"debounce", "uart", "game", "leds"} {
		text, err := blocks.All().Record(t.Context(), design, "", 3, 40)
		if err != nil {
			t.Fatal(err)
		}
		again, err := blocks.All().Record(t.Context(), design, "", 3, 40)
		if err != nil || again != text {
			t.Errorf("%s: another one the second time: %v", design, err)
		}
		pass(t, text)
	}
	if _, err := blocks.All().Record(t.Context(), "uart", "Divisr=3", 1, 10); err == nil || !strings.Contains(err.Error(), "did you mean Divisor?") {
		t.Error(err)
	}
}

// A vector is made of the file that a failing Go test leaves.
func TestReplay(t *testing.T) {
	const shrunk = "5 steps of 80 still fail.\n\n  step  rst_i  line_i\n     0      0       1  *3\n     3      0       0\n\nAs Go, ...\n"
	text, err := blocks.All().Replay(t.Context(), "debounce", "HoldCycles=4", shrunk)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "     1 |       0       0 *3\n     0 |       0       0\n") {
		t.Error(text)
	}
	pass(t, text)
	if _, err := blocks.All().Replay(t.Context(), "debounce", "", "nothing"); err == nil || !strings.Contains(err.Error(), "there is no table of inputs of debounce") {
		t.Error(err)
	}
}

// A vector that is exported and imported has the same cycles.
func TestExportImport(t *testing.T) {
	r := blocks.All()
	for _, form := range []struct {
		name   string
		export func() (string, error)
	}{
		{"csv", func() (string, error) { return r.CSV(t.Context(), glitch) }},
		{"hex", func() (string, error) { return r.Hex(t.Context(), glitch) }},
	} {
		text, err := form.export()
		if err != nil {
			t.Fatal(err)
		}
		vector, err := r.Import("debounce", "HoldCycles=4", "table."+form.name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		pass(t, vector)
		if !strings.Contains(vector, "0      0 |       0       1 *2\n") {
			t.Errorf("%s:\n%s", form.name, vector)
		}
	}
	for text, want := range map[string]string{
		"line_i,claen_o\n0,0\n":      "did you mean clean_o?",
		"line_i,clean_o\n2,0\n":      "t:2: 2 needs 2 bits",
		"line_i\n0\n\n\"0\n":         "t:4:",
		"// line_i\n0\nx\n-\n":       "",
		"0\n0\n":                     "t:1: debounce has no port \"0\"",
		"// a table\n0\n":            "t:1: debounce has no port \"a\"",
		"//\n0\n":                    "t:2: what the word 0 is of is not known",
		"\ufeffline_i\r\n0\r\n":      "",
		"line_i\n0b-\n":              "t:2: 0b- is no value for the input line_i",
		"line_i,clean_o\n":           "there are no cycles in it",
		"line_i,clean_o\n0\n":        "t:2:1: wrong number of fields",
		"// line_i clean_o\n0_0_0\n": "1 digits more",
		"// line_i clean_o\n0\n":     "too few digits",
	} {
		if _, err := r.Import("debounce", "", "t", []byte(text)); (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// No table makes Import panic, and what it returns without an error is a vector.
func FuzzImport(f *testing.F) {
	for _, text := range []string{"line_i,clean_o\n0,0\n1,-\n", "// line_i clean_o\n0_x\n@3 11\n", "line_i\n\"0\n", "from_i,restore_i\ne2,\"e2,e4\"\n", "// restore_i\n00ffx\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, design := range []string{"debounce", "leds"} {
			text, err := blocks.All().Import(design, "", "t", data)
			if err != nil {
				continue
			}
			g, err := vectors.Parse("t", []byte(text))
			if err == nil {
				err = blocks.All().Check(g)
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
		}
	})
}

// A skeleton of each design passes when it is filled in.
func TestSkeleton(t *testing.T) {
	for _, name := range blocks.All().Names() {
		text, err := blocks.All().Skeleton(name)
		if err != nil {
			t.Fatal(err)
		}
		if name != "debounce" && name != "clock" { // the others take too long to compile
			if err := blocks.All().CheckFile(write(t, text)); err != nil {
				t.Error(err)
			}
			continue
		}
		if text, err = blocks.All().Update(t.Context(), write(t, text), false, vectors.Options{}); err != nil {
			t.Fatal(err)
		}
		pass(t, text)
	}
}

// BenchmarkVector measures the time from saving a vector of ten lines to the verdict of both
// simulators and the model. The target is one second.
func BenchmarkVector(b *testing.B) {
	text, err := os.ReadFile(glitch)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		pass(b, string(text))
	}
}

// BenchmarkThousand runs a thousand vectors of one block. The target is five seconds.
func BenchmarkThousand(b *testing.B) {
	dir := b.TempDir()
	text, err := os.ReadFile(glitch)
	if err != nil {
		b.Fatal(err)
	}
	for i := range 1000 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.txtar", i)), text, 0o666); err != nil {
			b.Fatal(err)
		}
	}
	files, err := vectors.Files(dir)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, r := range blocks.All().Run(b.Context(), files, vectors.Options{}) {
			if r.Verdict != vectors.Pass {
				b.Fatal(r.Err)
			}
		}
	}
}
