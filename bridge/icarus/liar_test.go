package icarus_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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

// liarEnv makes this test binary a vvp that answers as it should, but for one lie.
const liarEnv = "COSIMATE_TEST_LIAR"

func init() {
	if what := os.Getenv(liarEnv); what != "" {
		liar(what)
	}
}

// liar says of every command that it is done, until it is killed.
func liar(what string) {
	const ( // see shim/shared.h
		fd        = 3
		request   = 4
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
	word := func(at int) *atomic.Uint32 { return (*atomic.Uint32)(unsafe.Pointer(&memory[at])) }
	arena := memory[binary.LittleEndian.Uint64(memory[arenaAt:]):]
	for n := uint32(0); ; n++ {
		if n > 0 {
			switch what {
			case "kind":
				word(why).Store(77)
			case "width":
				word(width).Store(1 << 31)
			case "values":
				const size = 96 // 80, and two strings
				clear(arena[:size])
				binary.LittleEndian.PutUint32(arena, size)
				binary.LittleEndian.PutUint32(arena[4:], 5)
				copy(arena[80:], "m\x00name\x00")
				word(arenaUsed).Store(size)
			}
		}
		word(reply).Add(1)
		for word(request).Load() == n {
			time.Sleep(100 * time.Microsecond)
		}
	}
}

// What a child says is not believed if it cannot be: sizes would be a panic in the host.
func TestLiar(t *testing.T) {
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
		Top: "m", FS: fstest.MapFS{"m.sv": {Data: []byte("module m(input wire clk_i, output wire q_o);\n  reg q = 0;\n  assign q_o = q;\n  always @(posedge clk_i) q <= ~q;\nendmodule")}},
		Files: []string{"m.sv"}, Clock: "clk_i", Internals: []string{"q"},
	}, bridge.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for what, want := range map[string]string{"kind": "an answer of the unknown kind 77", "width": "a width of 2147483648", "values": "a damaged event"} {
		t.Run(what, func(t *testing.T) {
			t.Setenv(liarEnv, what)
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
