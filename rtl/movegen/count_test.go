package movegen_test

import (
	"errors"
	"iter"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/sim"
)

// The counter by itself, on arrival words that no chess position gives: its upper adders see more
// moves than there can be, and every word by itself.

// countIn and countOut are the ports of movegen_count.
type countIn struct {
	Rst       bool   `port:"rst_i"`
	Valid     bool   `port:"valid_i"`
	North     uint64 `port:"to_n_i"`
	South     uint64 `port:"to_s_i"`
	East      uint64 `port:"to_e_i"`
	West      uint64 `port:"to_w_i"`
	NorthEast uint64 `port:"to_ne_i"`
	SouthWest uint64 `port:"to_sw_i"`
	NorthWest uint64 `port:"to_nw_i"`
	SouthEast uint64 `port:"to_se_i"`
	Knights   uint64 `port:"knights_i"`
	Targets   uint64 `port:"targets_i"`
	PromoteN  uint8  `port:"promote_n_i"`
	PromoteNE uint8  `port:"promote_ne_i"`
	PromoteNW uint8  `port:"promote_nw_i"`
	Castling  uint8  `port:"castling_i"`
	Check     bool   `port:"check_i"`
}

type countOut struct {
	Valid bool  `port:"count_valid_o"`
	Count uint8 `port:"count_o"`
	Check bool  `port:"count_check_o"`
}

// words are the boards of in that are counted as they are, and the knights with their targets.
func (in *countIn) words() []*uint64 {
	return []*uint64{&in.North, &in.South, &in.East, &in.West, &in.NorthEast, &in.SouthWest, &in.NorthWest, &in.SouthEast,
		&in.Knights, &in.Targets}
}

// count counts the moves one by one.
func (in *countIn) count() uint8 {
	n := bits.OnesCount8(in.Castling)
	for _, p := range []uint8{in.PromoteN, in.PromoteNE, in.PromoteNW} {
		n += 3 * bits.OnesCount8(p) // to_n and its like have the fourth
	}
	for _, w := range in.words()[:8] {
		n += bits.OnesCount64(*w)
	}
	for from := range 64 {
		for to := range 64 {
			dx, dy := from%8-to%8, from/8-to/8
			if dx*dx+dy*dy == 5 && in.Knights>>from&1 != 0 && in.Targets>>to&1 != 0 {
				n++
			}
		}
	}
	return uint8(n)
}

// countModel is the counter: three cycles, one position in each.
type countModel struct{ stages [3]countOut }

func (m *countModel) Reset() { *m = countModel{} }

func (m *countModel) Step(in countIn) countOut {
	out := m.stages[2]
	m.stages = [3]countOut{{Valid: in.Valid, Count: in.count(), Check: in.Check}, m.stages[0], m.stages[1]}
	if in.Rst {
		m.Reset()
	}
	return out
}

func (m *countModel) DontCare(want countOut) (mask countOut) {
	if !want.Valid {
		mask.Count, mask.Check = 0xff, true
	}
	return mask
}

// countStimulus is words that are empty, sparse, dense and full, each by itself and all alike, and
// resets now and then.
func countStimulus(r *rand.Rand, cycles int) iter.Seq[countIn] {
	word := func(density float64) (w uint64) {
		for i := range 64 {
			if r.Float64() < density {
				w |= 1 << i
			}
		}
		return w
	}
	densities := []float64{0, 0.05, 0.3, 0.5, 0.7, 0.95, 1}
	return func(yield func(countIn) bool) {
		for range cycles {
			in := countIn{
				Rst: r.IntN(100) == 0, Valid: r.IntN(10) > 0, Check: r.IntN(2) > 0, Castling: uint8(r.IntN(4)),
				PromoteN: uint8(r.Uint32()), PromoteNE: uint8(r.Uint32()), PromoteNW: uint8(r.Uint32()),
			}
			alike, common := r.IntN(2) > 0, densities[r.IntN(len(densities))]
			for _, w := range in.words() {
				density := densities[r.IntN(len(densities))]
				if alike {
					density = common
				}
				*w = word(density)
			}
			if !yield(in) {
				return
			}
		}
	}
}

// counter is the counter of a design of the move generator.
func counter(d sim.Design) sim.Design {
	d.Top = "movegen_count"
	d.Files = []string{
		"movegen/movegen_pkg.sv", "movegen/movegen_sum6.sv", "movegen/movegen_columns.sv", "movegen/movegen_count.sv",
	}
	return d
}

// countCycles is enough for every adder's every output to matter many times.
const countCycles = 3000

func TestCount(t *testing.T) {
	sim.ForEach(t, counter(movegen.Design), func(t *testing.T, d *sim.DUT[countIn, countOut]) {
		sim.Check(t, d, &countModel{}, countStimulus(seeded(500), countCycles))
	})
}

// countMutants are faults of the counter that chess positions hardly show.
var countMutants = []mutant{
	{
		rule: "count: 128s of the 64s of level 5", file: "movegen_count.sv",
		old: "{x5_32_128, x5_64_128, x4_32_128, x4_64_128}", new: "{x5_32_128, x4_32_128, x4_64_128}",
	},
	{
		rule: "count: 128s of the 64s of level 4", file: "movegen_count.sv",
		old: "{x5_32_128, x5_64_128, x4_32_128, x4_64_128}", new: "{x5_32_128, x5_64_128, x4_32_128}",
	},
	{
		rule: "count: 128s of the 32s", file: "movegen_count.sv",
		old: "{x5_32_128, x5_64_128, x4_32_128, x4_64_128}", new: "{x5_64_128, x4_64_128}",
	},
	{
		rule: "count: 128s of the 32s of level 5", file: "movegen_count.sv",
		old: "{x5_32_128, x5_64_128, x4_32_128, x4_64_128}", new: "{x5_64_128, x4_32_128, x4_64_128}",
	},
	{
		rule: "count: 128s of the 32s of level 4", file: "movegen_count.sv",
		old: "{x5_32_128, x5_64_128, x4_32_128, x4_64_128}", new: "{x5_32_128, x5_64_128, x4_64_128}",
	},
}

// Each of them is found.
func TestCountMutants(t *testing.T) {
	for _, m := range countMutants {
		t.Run(m.rule, func(t *testing.T) {
			t.Parallel()
			d := sim.OpenTest[countIn, countOut](t, counter(m.design(t)), sim.Icarus)
			err := sim.Compare(d, &countModel{}, countStimulus(seeded(500), countCycles))
			var diff *sim.Difference
			if !errors.As(err, &diff) {
				t.Fatalf("the mutant survives: %v", err)
			}
			if report := diff.Error(); !strings.Contains(report, "> count_o") {
				t.Errorf("the report does not say count_o:\n%s", report)
			}
		})
	}
}
