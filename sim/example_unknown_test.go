package sim_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/stim"
)

// What is not known at power-up: Icarus, with four states, has X there, and finds its use always.
// Verilator, with two, has a random value that depends on the seed, and finds it if that value
// happens to matter.

var lookup = sim.Design{Top: "lookup", FS: os.DirFS("testdata"), Dir: "sim/testdata", Files: []string{"lookup.sv"}, Clock: "clk_i", Reset: "rst_i"}

type lookupIn struct {
	Rst   bool  `rand:"p=0.02"`
	Fill  bool  `rand:"p=0.2"`
	Index uint8 `rand:"bits=4"`
	Tag   uint8 `rand:"0..3:3, 0..255:1"`
}

type lookupOut struct{ Hit bool }

type lookupModel map[uint8]uint8 // tag at index

func (m lookupModel) Reset() { clear(m) }

func (m lookupModel) Step(in lookupIn) lookupOut {
	tag, valid := m[in.Index]
	if in.Fill {
		m[in.Index] = in.Tag
	}
	if in.Rst {
		m.Reset()
	}
	return lookupOut{Hit: valid && tag == in.Tag}
}

// compareLookup does a few hundred cycles with a seed for power-up, and always the same stimulus.
func compareLookup(t *testing.T, d sim.Design, s sim.Simulator, powerUp uint64, cycles int) (diff *sim.Difference) {
	t.Helper()
	g, err := stim.New[lookupIn](1)
	if err != nil {
		t.Fatal(err)
	}
	dut := sim.OpenTest[lookupIn, lookupOut](t, d, s, sim.WithSeed(powerUp))
	if err := sim.Compare(dut, lookupModel{}, g.Cycles(t, cycles)); err != nil && !errors.As(err, &diff) {
		t.Fatal(err)
	}
	return diff
}

func TestLookup(t *testing.T) {
	for _, s := range sim.Simulators {
		for seed := range uint64(10) {
			if diff := compareLookup(t, lookup, s, seed, 1000); diff != nil {
				t.Error(diff)
			}
		}
	}
}

// The block forgets to look whether an entry is valid. The first look at an empty one gives X in
// Icarus. Verilator has some tag there, and it takes luck that it is the one looked for: most seeds
// show nothing.
func TestUnknownThatOnlyIcarusShows(t *testing.T) {
	d := lookup
	d.FS = patched(t, "lookup.sv", "valid_q[index_i] & (tags[index_i] == tag_i)", "tags[index_i] == tag_i")
	const cycles = 3 // all of them look at entries that are empty
	diff := compareLookup(t, d, sim.Icarus, 1, cycles)
	if diff == nil {
		t.Fatal("Icarus does not show it")
	}
	if got := diff.Differing(); !slices.Equal(got, []string{"hit_o"}) || diff.Cycle != 3 || !strings.Contains(diff.Error(), "> hit_o       0       x  [0]") {
		t.Errorf("Icarus is to show an X on hit_o[0] in the first cycle after the reset, 3:\n%v", diff)
	}
	shown := 0
	for seed := range uint64(20) {
		if diff := compareLookup(t, d, sim.Verilator, seed, cycles); diff != nil {
			shown++
		}
	}
	if shown > 10 {
		t.Errorf("Verilator shows it with %d seeds of 20: this is no longer an example of what it misses", shown)
	}
	t.Logf("Verilator shows it with %d seeds of 20", shown)
}

// The reset forgets what is valid. Icarus has X at once; Verilator begins with entries that nobody
// made, others with each seed.
func TestMissingReset(t *testing.T) {
	d := lookup
	d.FS = patched(t, "lookup.sv", "if (rst_i) valid_q <= '0;", "")
	diff := compareLookup(t, d, sim.Icarus, 1, 1000)
	if diff == nil || diff.Cycle != 3 || !strings.Contains(diff.Error(), "> hit_o       0       x  [0]") {
		t.Errorf("Icarus is to show an X on hit_o[0] in the first cycle after the reset, 3:\n%v", diff)
	}
	for seed := range uint64(20) {
		if diff := compareLookup(t, d, sim.Verilator, seed, 1000); diff != nil {
			t.Logf("Verilator shows it with seed %d:\n%v", seed, diff)
			return
		}
	}
	t.Error("Verilator does not show it with 20 seeds")
}
