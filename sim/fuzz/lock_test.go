package fuzz_test

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/fuzz"
)

// A lock that opens on five bytes in five cycles: one input of five bytes in 2^40 opens it, and a
// fuzzer that sees no coverage cannot know that it is getting warmer. It is embedded, for Go
// runs the fuzzer in other folders.
//
//go:embed testdata/lock.sv
var lockFS embed.FS

var lock = sim.Design{Top: "lock", FS: lockFS, Dir: "sim/fuzz", Files: []string{"testdata/lock.sv"}, Clock: "clk_i", Reset: "rst_i"}

type lockIn struct {
	Rst  bool `rand:"-"`
	Data uint8
}

type lockOut struct{ Open bool }

// fuzzLock plays inputs until the lock opens. With a guide or without, the rest is the same.
func fuzzLock(f *testing.F, guided bool) {
	dut := sim.OpenTest[lockIn, lockOut](f, lock, sim.Verilator, sim.WithCoverage())
	guide, err := fuzz.NewGuide(dut)
	if err != nil {
		f.Fatal(err)
	}
	decoder, err := fuzz.NewDecoder[lockIn](64)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(make([]byte, 8))
	out := make([]lockOut, 64)
	f.Fuzz(func(t *testing.T, data []byte) {
		run := func() {
			in := decoder.Decode(data)
			if err := errors.Join(dut.Reset(1), dut.Run(in, out[:len(in)])); err != nil {
				t.Fatal(err)
			}
			if slices.Contains(out[:len(in)], lockOut{Open: true}) {
				t.Fatal("the lock is open")
			}
		}
		if guided {
			guide.Case(run)
		} else {
			run()
		}
	})
}

func FuzzLock(f *testing.F)      { fuzzLock(f, true) }
func FuzzLockBlind(f *testing.F) { fuzzLock(f, false) }

// The guided fuzzer must open the lock, and the blind one must not. COSIMATE_FUZZ=1 runs it, as the night does. With a lock
// written in Go, of six counters, it took some 400 000 runs. With this one, whose counters are those of toggles too, 930 000 were not
// enough: that is open.
func TestGuidanceOpensTheLock(t *testing.T) {
	if os.Getenv("COSIMATE_FUZZ") == "" {
		t.Skip("takes a minute or two: COSIMATE_FUZZ=1 runs it")
	}
	dir := t.TempDir()
	binary := filepath.Join(dir, "fuzz.test")
	if out, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-fuzz=FuzzLock", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("go test -c: %v\n%s", err, out)
	}
	t.Run("guided", func(t *testing.T) {
		start := time.Now()
		out, err := goFuzz(t, binary, "FuzzLock", 5*time.Minute)
		var exit *exec.ExitError
		if !errors.As(err, &exit) || !strings.Contains(out, "the lock is open") {
			t.Fatalf("not opened after %v: %v\n%s", time.Since(start), err, out)
		}
		t.Logf("opened after %v:\n%s", time.Since(start), out)
	})
	t.Run("blind", func(t *testing.T) {
		out, err := goFuzz(t, binary, "FuzzLockBlind", 20*time.Second)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Log(out)
	})
}

// goFuzz is go test -fuzz, in a folder of its own.
func goFuzz(t *testing.T, binary, target string, d time.Duration) (string, error) {
	t.Helper()
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), d+30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "-test.run=^$", fmt.Sprintf("-test.fuzz=^%s$", regexp.QuoteMeta(target)),
		"-test.fuzztime="+d.String(), "-test.fuzzcachedir="+filepath.Join(dir, "cache"), "-test.fuzzminimizetime=1000x", "-test.parallel=2")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}
