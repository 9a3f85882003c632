package lanes_test

import (
	"flag"
	"maps"
	"slices"
	"testing"

	"github.com/cosimate/cosimate/bridge/lanes"
	"github.com/cosimate/cosimate/bridge/lanes/agree"
	"github.com/cosimate/cosimate/rtl/blocks"
	"github.com/cosimate/cosimate/sim"
)

var laneCycles = flag.Int("lanes.cycles", 0, "lane-cycles that every block plays in lanes and in Verilator; 0: 200 000, and only in small blocks")

var icarusCycles = flag.Int("lanes.icarus", 0, "lane-cycles that every block plays in lanes and in Icarus; 0: 2 000, and only in the UART")

// small are the blocks that Yosys and Verilator compile in a few seconds.
var small = []string{"axil", "debounce", "movelink", "uart"}

// parameters make happen in hundreds of cycles what else takes many thousand.
var parameters = map[string]map[string]string{"uart": {"Divisor": "4"}}

// idle are inputs that would end what a block does if they were 1 half of the time.
var idle = map[string]map[string]uint64{
	"perftengine": {"abort_i": 0},
	"uart":        {"tx_valid_i": 0},
	"validity":    {"load_valid_i": 0, "flag_i": 0, "resign_i": 0, "draw_i": 0},
}

// All outputs of 512 copies of a block, each with inputs of its own, are in each cycle those of 512
// Verilated models. Registers without a reset begin with 0 in both, so that everything counts.
func TestLanes(t *testing.T) {
	for _, name := range blocks.All().Names() {
		if *laneCycles == 0 && !slices.Contains(small, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			d := withParameters(name)
			cycles := 1 + (max(*laneCycles, 200_000)-1)/lanes.Count
			r, err := agree.Check(t.Context(), d, agree.Options{Cycles: cycles, Seed: 1, Verilator: lanes.Count, Zeros: true, Idle: idle[name]})
			if err != nil {
				t.Fatal(err)
			}
			if r.Cycles != cycles*lanes.Count || r.Values < r.Cycles {
				t.Errorf("%d values were compared in %d lane-cycles, not in %d", r.Values, r.Cycles, cycles*lanes.Count)
			}
			t.Logf("%d lane-cycles, %d values of outputs", r.Cycles, r.Values)
		})
	}
}

// withParameters returns the RTL of a block with its parameters.
func withParameters(name string) sim.Design {
	d, _ := blocks.All().RTL(name)
	d.Params = maps.Clone(d.Params)
	for k, v := range parameters[name] {
		if d.Params == nil {
			d.Params = map[string]string{}
		}
		d.Params[k] = v
	}
	return d
}

// Four of the copies are, in all that is not X, as Icarus has them, too.
func TestLanesInIcarus(t *testing.T) {
	const copies = 4
	for _, name := range blocks.All().Names() {
		if *icarusCycles == 0 && name != "uart" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			cycles := (max(*icarusCycles, 2_000) + copies - 1) / copies
			r, err := agree.Check(t.Context(), withParameters(name), agree.Options{Cycles: cycles, Seed: 2, Icarus: copies, Reset: 5, Idle: idle[name]})
			if err != nil {
				t.Fatal(err)
			}
			if r.Cycles != cycles*copies || r.Values < r.Cycles/2 {
				t.Errorf("%d values were compared in %d lane-cycles, not in %d", r.Values, r.Cycles, cycles*copies)
			}
			t.Logf("%d lane-cycles, %d values of outputs", r.Cycles, r.Values)
		})
	}
}
