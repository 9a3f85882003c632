package agree_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
	"github.com/cosimate/cosimate/bridge/lanes/agree"
)

var (
	foreign       = flag.String("agree.foreign", "", "folder with designs of others, as scripts/foreign leaves them in out/foreign/trees")
	foreignCycles = flag.Int("agree.cycles", 1_000_000, "with -agree.foreign: lane-cycles of each design")
)

// Designs that are not ours behave in lanes as in Verilator: a processor and a UART.
func TestForeign(t *testing.T) {
	if *foreign == "" {
		t.Skip("needs clones: scripts/foreign makes them and runs this")
	}
	for _, c := range []struct {
		folder string
		design bridge.Design
		idle   map[string]uint64
	}{
		{"picorv32", bridge.Design{Top: "picorv32", Files: []string{"picorv32.v"}, Clock: "clk", Reset: "resetn", ResetActiveLow: true}, nil},
		{"verilog-uart", bridge.Design{Top: "uart", Files: []string{"rtl/uart.v", "rtl/uart_rx.v", "rtl/uart_tx.v"}, Clock: "clk", Reset: "rst"},
			map[string]uint64{"prescale": 1, "s_axis_tvalid": 0}},
	} {
		t.Run(c.design.Top, func(t *testing.T) {
			d := c.design
			// What the RTL sets to x each tool may choose for itself: here all take 0.
			files := fstest.MapFS{}
			for _, name := range d.Files {
				text, err := os.ReadFile(filepath.Join(*foreign, c.folder, name))
				if err != nil {
					t.Fatal(err)
				}
				// Synthesis believes that exactly one branch of a parallel_case is taken. Random
				// programs break that, so the claim goes.
				for claim, instead := range map[string]string{"'bx": "'b0", "(* parallel_case *)": "", "(* parallel_case, full_case *)": ""} {
					text = bytes.ReplaceAll(text, []byte(claim), []byte(instead))
				}
				files[name] = &fstest.MapFile{Data: text}
			}
			d.FS = files
			r, err := agree.Check(t.Context(), d, agree.Options{
				Cycles: (*foreignCycles + lanes.Count - 1) / lanes.Count, Seed: 1, Verilator: lanes.Count, Reset: 4, Zeros: true, Idle: c.idle,
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d lane-cycles, %d values of outputs", r.Cycles, r.Values)
		})
	}
}
