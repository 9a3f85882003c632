package icarus_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/icarus"
)

// Each of these variables makes this test binary a fake vvp, which writes what a crashing vvp might
// write into the shared memory.
const (
	noiseEnv = "COSIMATE_TEST_NOISE" // random bytes, by the seed that is the value
	wrongEnv = "COSIMATE_TEST_WRONG" // right answers, but for the one thing that is the value
)

func TestMain(m *testing.M) {
	os.Getenv("COSIMATE_TOOLS") // part of go test's cache key: see sim.Open
	if seed := os.Getenv(noiseEnv); seed != "" {
		noise(seed)
	}
	if what := os.Getenv(wrongEnv); what != "" {
		wrong(what)
	}
	os.Exit(m.Run())
}

// Offsets of fields of the shared memory, see shim/shared.h, and its file.
const (
	memoryFile  = 3
	atRequest   = 4
	atReply     = 8
	atWhy       = 48
	atArena     = 96
	atArenaUsed = 108
	atWidth     = 176
)

// mapMemory maps the shared memory, as the VPI module does, and returns it and the arena in it.
func mapMemory() (memory, arena []byte) {
	var stat unix.Stat_t
	if err := unix.Fstat(memoryFile, &stat); err != nil {
		panic(err)
	}
	memory, err := unix.Mmap(memoryFile, 0, int(stat.Size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	return memory, memory[binary.LittleEndian.Uint64(memory[atArena:]):]
}

// noise writes random bytes into the shared memory and answers at random, until it is killed.
func noise(text string) {
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		panic(err)
	}
	memory, arena := mapMemory()
	unix.Ftruncate(memoryFile, 0) // the host has made this impossible
	r := rand.New(rand.NewPCG(seed, seed))
	fmt.Print("\x1dl\x1d\x1e\x1dc99999999999999999999\x1eERROR: a:1: \x1f\n")
	put := func(at int, v uint32) { binary.LittleEndian.PutUint32(memory[at:], v) }
	for n := uint32(1); ; n++ {
		for i := range 4096 {
			if i >= atReply+4 {
				memory[i] = byte(r.Uint32())
			}
			arena[i] = byte(r.Uint32())
		}
		if seed%4 > 0 { // most of these seeds' answers are of a possible kind
			put(atWhy, r.Uint32N(6))
			put(atArenaUsed, 0)
		}
		if seed%4 > 1 { // and some have a possible width or event
			put(atWidth, []uint32{0, 100, 1 << 20, 1 << 31}[r.IntN(4)])
			put(atArenaUsed, []uint32{0, 8, 96, 4096, 1 << 18, 1 << 30}[r.IntN(6)])
			binary.LittleEndian.PutUint32(arena, []uint32{0, 8, 88, 96, 1 << 18}[r.IntN(5)])
			binary.LittleEndian.PutUint32(arena[4:], r.Uint32N(6))
		}
		put(atReply, n)
		time.Sleep(time.Millisecond)
	}
}

// wrong answers each command at once, with one thing wrong, until it is killed.
func wrong(what string) {
	memory, arena := mapMemory()
	word := func(at int) *atomic.Uint32 { return (*atomic.Uint32)(unsafe.Pointer(&memory[at])) }
	for n := uint32(0); ; n++ {
		if n > 0 {
			switch what {
			case "kind":
				word(atWhy).Store(77)
			case "width":
				word(atWidth).Store(1 << 31)
			case "values":
				const size = 96 // 80, and two strings
				clear(arena[:size])
				binary.LittleEndian.PutUint32(arena, size)
				binary.LittleEndian.PutUint32(arena[4:], 5)
				copy(arena[80:], "m\x00name\x00")
				word(atArenaUsed).Store(size)
			}
		}
		word(atReply).Add(1)
		for word(atRequest).Load() == n {
			time.Sleep(100 * time.Microsecond)
		}
	}
}

// buildForFake builds a model, with an internal signal q, whose instances are run by this test
// binary in place of vvp.
func buildForFake(t *testing.T, source string) *icarus.Model {
	t.Helper()
	real, err := exec.LookPath("vvp")
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\ncase \"$*\" in *cosim-ports*) exec %s \"$@\";; esac\nexec %s\n", real, exe)
	if err := os.WriteFile(filepath.Join(bin, "vvp"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	t.Setenv("COSIMATE_CACHE", t.TempDir())
	m, err := icarus.Build(t.Context(), bridge.Design{
		Top: "m", FS: fstest.MapFS{"m.sv": {Data: []byte(source)}},
		Files: []string{"m.sv"}, Clock: "clk_i", Internals: []string{"q"},
	}, bridge.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Whatever a child writes, the host neither crashes nor hangs.
func TestCorruptMemory(t *testing.T) {
	m := buildForFake(t, "module m(input wire clk_i, input wire [99:0] a_i, output wire [99:0] q_o);\n  reg [99:0] q;\n  assign q_o = q;\n  always @(posedge clk_i) q <= a_i;\nendmodule")
	l := m.Layout()
	digits := regexp.MustCompile(`\d+`)
	reasons := map[string]int{}
	for seed := range 20 {
		t.Setenv(noiseEnv, strconv.Itoa(seed+1))
		i, err := m.Start(bridge.Options{
			Timeout: 300 * time.Millisecond, Timed: true, OnEvent: func(bridge.Event) {}, OnAsk: func(bridge.Event) (uint64, error) { return 1, nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		rows := bridge.Rows{In: make([]byte, 9*l.InSize), Out: make([]byte, 9*l.OutSize), Unknown: make([]byte, 9*l.OutSize)}
		for err == nil && time.Since(began) < 5*time.Second {
			var n int
			n, err = i.Run(t.Context(), &rows, 9)
			if n < 0 || n > 9 {
				t.Errorf("seed %d: %d of 9 rows were sampled", seed, n)
			}
			if err == nil {
				_, err = i.Peek("q")
			}
			if _, refused := errors.AsType[*bridge.SignalError](err); refused {
				err = nil
			}
			i.Messages()
		}
		if err == nil {
			t.Errorf("seed %d: the noise went unnoticed for 5 s", seed)
		} else {
			reason, _, _ := strings.Cut(digits.ReplaceAllString(err.Error(), "N"), " after cycle")
			reasons[reason]++
		}
		if err := i.Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > 9*time.Second {
			t.Errorf("seed %d: it took %v to end", seed, took)
		}
	}
	if len(reasons) < 3 {
		t.Errorf("all seeds together led to these errors only: %v", reasons)
	}
}

// What a child answers is checked before it is used: an unknown kind of answer is an error, and so
// are sizes that would be a panic.
func TestWrongAnswers(t *testing.T) {
	m := buildForFake(t, "module m(input wire clk_i, output wire q_o);\n  reg q = 0;\n  assign q_o = q;\n  always @(posedge clk_i) q <= ~q;\nendmodule")
	for what, want := range map[string]string{"kind": "an answer of the unknown kind 77", "width": "a width of 2147483648", "values": "a damaged event"} {
		t.Run(what, func(t *testing.T) {
			t.Setenv(wrongEnv, what)
			i, err := m.Start(bridge.Options{OnEvent: func(bridge.Event) {}})
			if err != nil {
				t.Fatal(err)
			}
			defer i.Close()
			if _, err = i.Peek("q"); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("the error is %v, not one with %q", err, want)
			}
		})
	}
}
