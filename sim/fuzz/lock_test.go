package fuzz_test

import (
	"embed"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/fuzz"
)

// lockFS has the source of a lock that opens on five bytes in five cycles. One input of five bytes
// in 2^40 opens it, and without coverage a fuzzer cannot see that a byte is right. The source is
// embedded, as Go runs the fuzzer in another folder.
//
//go:embed testdata/lock.sv
var lockFS embed.FS

var lock = sim.Design{Top: "lock", FS: lockFS, Dir: "sim/fuzz", Files: []string{"testdata/lock.sv"}, Clock: "clk_i", Reset: "rst_i"}

type lockIn struct {
	Rst  bool `rand:"-"`
	Data uint8
}

type lockOut struct{ Open bool }

func FuzzLock(f *testing.F) {
	fuzz.Run(f, lock, 64, func(t *testing.T, dut *sim.DUT[lockIn, lockOut], in []lockIn) { pick(t, dut, in) })
}

// The same without a guide.
func FuzzLockBlind(f *testing.F) {
	dut := sim.OpenTest[lockIn, lockOut](f, lock, sim.Verilator)
	decoder := newDecoder[lockIn](f, 64)
	f.Add(make([]byte, 8))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := dut.Reset(1); err != nil {
			t.Fatal(err)
		}
		pick(t, dut, decoder.Decode(data))
	})
}

// pick fails the test if the lock opens.
func pick(t *testing.T, dut *sim.DUT[lockIn, lockOut], in []lockIn) {
	out := make([]lockOut, len(in))
	if err := dut.Run(in, out); err != nil {
		t.Fatal(err)
	}
	if slices.Contains(out, lockOut{Open: true}) {
		t.Fatal("the lock is open")
	}
}

// Each right byte reaches something new, and what a run reaches does not depend on the runs before.
func TestRightBytesAreNews(t *testing.T) {
	dut := sim.OpenTest[lockIn, lockOut](t, lock, sim.Verilator, sim.WithLineCoverage())
	guide, err := fuzz.NewGuide(dut)
	if err != nil {
		t.Fatal(err)
	}
	ran := map[uint16]int{}
	guide.Observe(func(n uint16) { ran[n]++ })
	play := func(bytes ...uint8) map[uint16]int {
		clear(ran)
		in := make([]lockIn, len(bytes))
		for i, b := range bytes {
			in[i].Data = b
		}
		guide.Case(func() {
			if err := dut.Run(in, make([]lockOut, len(in))); err != nil {
				t.Error(err)
			}
		})
		return maps.Clone(ran)
	}
	key := []uint8{0xc0, 0x51, 0x3a, 0x7e, 0x19}
	var reports []map[uint16]int
	seen := map[uint16]bool{}
	for right := range len(key) + 1 {
		report := play(append(slices.Clone(key[:right]), 0)...)
		news := 0
		for which := range report {
			if !seen[which] {
				news++
			}
			seen[which] = true
		}
		if news == 0 {
			t.Errorf("%d right bytes are no news", right)
		}
		reports = append(reports, report)
	}
	for right := len(key); right >= 0; right-- {
		if again := play(append(slices.Clone(key[:right]), 0)...); !maps.Equal(again, reports[right]) {
			t.Errorf("%d right bytes: %v, and after other cases %v", right, reports[right], again)
		}
	}
}

// The guided fuzzer must open the lock. Without a guide the fuzzer must not, in more runs. It is
// run with COSIMATE_FUZZ=1, as every night. With a guide it took 170 000 to 340 000 runs each time.
func TestGuidanceOpensTheLock(t *testing.T) {
	if os.Getenv("COSIMATE_FUZZ") == "" {
		t.Skip("takes a minute or two: COSIMATE_FUZZ=1 runs it")
	}
	binary := filepath.Join(t.TempDir(), "fuzz.test")
	if out, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-fuzz=FuzzLock", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("go test -c: %v\n%s", err, out)
	}
	t.Run("guided", func(t *testing.T) {
		dir := t.TempDir()
		out, err := goFuzz(t, dir, binary, "FuzzLock", 3_000_000)
		var exit *exec.ExitError
		if !errors.As(err, &exit) || !strings.Contains(out, "the lock is open") {
			t.Fatalf("not opened: %v\n%s", err, out)
		}
		t.Log(out)
		again := exec.CommandContext(t.Context(), binary, "-test.run=^FuzzLock$", "-sim.keep="+t.TempDir())
		again.Dir = dir
		if out, err := again.CombinedOutput(); err == nil || !strings.Contains(string(out), "the lock is open") {
			t.Errorf("what opened the lock does not open it again: %v\n%s", err, out)
		}
	})
	t.Run("blind", func(t *testing.T) {
		out, err := goFuzz(t, t.TempDir(), binary, "FuzzLockBlind", 500_000)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Log(out)
	})
}

// goFuzz runs go test -fuzz for so many runs in a folder, where it leaves what it finds.
func goFuzz(t *testing.T, dir, binary, target string, runs int) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, "-test.run=^$", fmt.Sprintf("-test.fuzz=^%s$", target), fmt.Sprintf("-test.fuzztime=%dx", runs),
		"-test.fuzzcachedir="+filepath.Join(dir, "cache"), "-test.fuzzminimizetime=10000x", "-test.parallel=2")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}
