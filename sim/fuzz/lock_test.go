package fuzz_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cosimate/cosimate/sim/fuzz"
)

// A lock that opens on five bytes in five cycles: one input of five bytes in 2^40 opens it, and a
// fuzzer that sees no coverage cannot know that it is getting warmer.

type lockIn struct{ Data uint8 }

// lock counts in which of its states it has been, as the code coverage of RTL does. It has no
// branches, so that Go's own instrumentation sees nothing of it, as it sees nothing of RTL.
type lock struct {
	state    uint8 // bytes that were right; 5 is open
	counters [6]uint32
}

var key = [6]uint8{0xc0, 0x51, 0x3a, 0x7e, 0x19, 0}

func (l *lock) Counters() []uint32 { return l.counters[:] }

func (l *lock) step(in lockIn) {
	l.counters[l.state]++
	wrong := in.Data ^ key[l.state]
	right := 1 - (wrong|-wrong)>>7
	open := l.state / 5
	l.state = open*5 + (1-open)*right*(l.state+1)
	l.counters[l.state]++
}

// fuzzLock plays inputs until the lock opens. With a guide or without, the rest is the same.
func fuzzLock(f *testing.F, guided bool) {
	l := &lock{}
	guide, err := fuzz.NewGuide(l)
	if err != nil {
		f.Fatal(err)
	}
	decoder, err := fuzz.NewDecoder[lockIn](64)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(make([]byte, 8))
	f.Fuzz(func(t *testing.T, data []byte) {
		run := func() {
			l.state = 0
			for _, in := range decoder.Decode(data) {
				l.step(in)
			}
			if l.state == 5 {
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

// The guided fuzzer opens the lock (after some ten seconds on two busy cores, 400 000 runs), the blind one
// does not. Set COSIMATE_FUZZ=1 to see it.
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
