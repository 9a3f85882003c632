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
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/icarus"
)

// madEnv makes this test binary a vvp that has gone mad, by a seed.
const madEnv = "COSIMATE_TEST_MAD"

func TestMain(m *testing.M) {
	os.Getenv("COSIMATE_TOOLS") // part of go test's cache key: see sim.OpenTest
	if seed := os.Getenv(madEnv); seed != "" {
		mad(seed)
	}
	os.Exit(m.Run())
}

// mad scribbles over the shared memory, and answers whatever is asked, until it is killed.
func mad(text string) {
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		panic(err)
	}
	const ( // see shim/shared.h
		fd        = 3
		reply     = 8
		why       = 48
		arenaAt   = 96
		arenaUsed = 108
		width     = 176
	)
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		panic(err)
	}
	memory, err := unix.Mmap(fd, 0, int(stat.Size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	unix.Ftruncate(fd, 0) // the host must have seen to it that this fails
	r := rand.New(rand.NewPCG(seed, seed))
	fmt.Print("\x1dl\x1d\x1e\x1dc99999999999999999999\x1eERROR: a:1: \x1f\n")
	arena := memory[binary.LittleEndian.Uint64(memory[arenaAt:]):]
	put := func(at int, v uint32) { binary.LittleEndian.PutUint32(memory[at:], v) }
	for n := uint32(1); ; n++ {
		for i := range 4096 {
			if i >= reply+4 {
				memory[i] = byte(r.Uint32())
			}
			arena[i] = byte(r.Uint32())
		}
		if seed%4 > 0 { // less mad: what is possible more often than not
			put(why, r.Uint32N(6))
			put(arenaUsed, 0)
		}
		if seed%4 > 1 {
			put(width, []uint32{0, 100, 1 << 20, 1 << 31}[r.IntN(4)])
			put(arenaUsed, []uint32{0, 8, 96, 4096, 1 << 18, 1 << 30}[r.IntN(6)])
			binary.LittleEndian.PutUint32(arena, []uint32{0, 8, 88, 96, 1 << 18}[r.IntN(5)])
			binary.LittleEndian.PutUint32(arena[4:], r.Uint32N(6))
		}
		put(reply, n)
		time.Sleep(time.Millisecond)
	}
}

// Whatever a child writes, the host neither crashes nor hangs.
func TestMadChild(t *testing.T) {
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
		Top: "m", FS: fstest.MapFS{"m.sv": {Data: []byte("module m(input wire clk_i, input wire [99:0] a_i, output wire [99:0] q_o);\n  reg [99:0] q;\n  assign q_o = q;\n  always @(posedge clk_i) q <= a_i;\nendmodule")}},
		Files: []string{"m.sv"}, Clock: "clk_i", Internals: []string{"q"},
	}, bridge.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	l := m.Layout()
	digits := regexp.MustCompile(`\d+`)
	reasons := map[string]int{}
	for seed := range 20 {
		t.Setenv(madEnv, strconv.Itoa(seed+1))
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
			t.Errorf("seed %d: a mad vvp goes unnoticed for 5 s", seed)
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
		t.Errorf("the child was not mad enough: %v", reasons)
	}
}
