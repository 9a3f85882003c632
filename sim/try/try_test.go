package try_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/convention"
	"github.com/cosimate/cosimate/sim/try"
)

// design returns the design of a file in testdata, and what was taken for what.
func design(t *testing.T, file string) (sim.Design, string) {
	t.Helper()
	g := convention.Given{Folder: "testdata", Files: []string{file}}
	found, err := convention.Complete(t.Context(), g, sim.Icarus)
	if _, refused := errors.AsType[*bridge.CompileError](err); refused {
		found, err = convention.Complete(t.Context(), g, sim.Verilator)
	}
	if err != nil {
		t.Fatal(err)
	}
	return found.Design, strings.Join(convention.Texts(found.Notes), "\n")
}

// What is found in each design of testdata is what its first lines say, and not what they forbid.
func TestDesigns(t *testing.T) {
	files, err := filepath.Glob("testdata/*.sv")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for i, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".sv"), func(t *testing.T) {
			if testing.Short() && i%4 != 0 {
				t.Skip("one in four is enough by day: go test without -short runs all, as make nightly does")
			}
			d, taken := design(t, filepath.Base(file))
			r, err := try.Run(t.Context(), d, try.Options{})
			if err != nil {
				t.Fatal(err)
			}
			text := taken + "\n" + r.Text()
			f, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			checks := 0
			for s := bufio.NewScanner(f); s.Scan(); {
				if says, ok := strings.CutPrefix(s.Text(), "// says: "); ok {
					checks++
					if !strings.Contains(text, says) {
						t.Errorf("it does not say %q", says)
					}
				}
				if never, ok := strings.CutPrefix(s.Text(), "// never: "); ok {
					checks++
					if strings.Contains(text, never) {
						t.Errorf("it says %q", never)
					}
				}
			}
			if wrong := strings.Contains(text, "\nwrong "); wrong == r.OK() || checks == 0 {
				t.Errorf("OK is %v", r.OK())
			}
			if t.Failed() {
				t.Log("\n" + text)
			}
		})
	}
}

// One seed gives one report, but for the speed. Another seed gives other inputs.
func TestSeed(t *testing.T) {
	d, _ := design(t, "noreset.sv")
	run := func(seed uint64) (string, string) {
		r, err := try.Run(t.Context(), d, try.Options{Seed: seed, Cycles: 300})
		if err != nil {
			t.Fatal(err)
		}
		text, _, _ := strings.Cut(r.Text(), "speed: ")
		return text, string(r.Tape)
	}
	text1, tape1 := run(7)
	text2, tape2 := run(7)
	if _, tape3 := run(8); text1 != text2 || tape1 != tape2 || tape1 == tape3 {
		t.Errorf("same seed: %v, %v; other seed: %v\n%s\n%s", text1 == text2, tape1 == tape2, tape1 == tape3, text1, text2)
	}
}

// A difference ends the tape with its cycle, and the cycles before do not differ.
func TestTapeOfDifference(t *testing.T) {
	d, _ := design(t, "race.sv")
	r, err := try.Run(t.Context(), d, try.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(r.Tape) / r.Layout.InSize; !r.Differs || r.Reset != 3 || n != r.Reset+r.Cycles || n > 10 {
		t.Errorf("differs %v, reset %d, %d cycles, tape of %d", r.Differs, r.Reset, r.Cycles, n)
	}
}

func TestNobodyTakesIt(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "bad.sv"), []byte("module bad (input logic a_i;\nendmodule\n"), 0o666)
	_, err := try.Run(t.Context(), sim.Design{Top: "bad", FS: os.DirFS(dir), Files: []string{"bad.sv"}}, try.Options{})
	if err == nil || !strings.Contains(err.Error(), "icarus: ") || !strings.Contains(err.Error(), "bad.sv:1") || !strings.Contains(err.Error(), "verilator: ") {
		t.Errorf("%v", err)
	}
}

func TestInterrupted(t *testing.T) {
	d, _ := design(t, "clean.sv")
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	_, err := try.Run(ctx, d, try.Options{Cycles: 1 << 40, Limit: 1 << 62, Progress: func(n int) {
		if n > 1000 {
			cancel(stopped)
		}
	}})
	if !errors.Is(err, stopped) {
		t.Errorf("%v", err)
	}
}
