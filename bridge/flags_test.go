package bridge_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/bridge"
)

func TestCheckFlags(t *testing.T) {
	for _, c := range []struct {
		simulator, flags string
		at               int // -1: nothing is wrong
	}{
		{"verilator", "", -1},
		{"verilator", "-Wno-WIDTH -Wno-lint -O1 --threads 4 --bbox-unsup --unroll-count 256 --x-initial 0 --language 1364-2005 -fno-dfg", -1},
		{"verilator", "-Wno-WIDTH --exe", 1},
		{"verilator", "--threads", 0},
		{"verilator", "--threads 0", 1},
		{"verilator", "--threads 65", 1},
		{"verilator", "-CFLAGS -fplugin=x.so", 0},
		{"verilator", "--Mdir /tmp", 0},
		{"verilator", "-f list.f", 0},
		{"verilator", "-Wno-WIDTH;reboot", 0},
		{"verilator", "file.sv", 0},
		{"icarus", "-g2005 -gno-specify -Wall -Wno-timescale -Ttyp", -1},
		{"icarus", "-g2005 -m/tmp/x.vpi", 1},
		{"icarus", "-o/tmp/x", 0},
		{"icarus", "-pfileline=1", 0},
		{"icarus", "-B/tmp", 0},
		{"icarus", "-Wno-WIDTH", 0},
	} {
		at, err := bridge.CheckFlags(c.simulator, strings.Fields(c.flags))
		if err == nil {
			at = -1
		}
		if at != c.at {
			t.Errorf("%s %s: %d, %v", c.simulator, c.flags, at, err)
		}
	}
	d := bridge.Design{Top: "t", FS: fstest.MapFS{"t.v": {}}, Files: []string{"t.v"}, Icarus: []string{"-o/tmp/x"}}
	if _, err := d.Sources(); err == nil || !strings.Contains(err.Error(), "module t, Design.Icarus: -o/tmp/x is not one of the flags") {
		t.Error(err)
	}
}
