package debounce_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/debounce"
	"github.com/cosimate/cosimate/sim"
)

type dut = sim.DUT[debounce.In, debounce.Out]

// design returns the RTL with these parameters.
func design(stages, hold int) sim.Design {
	d := debounce.Design
	d.Params = map[string]string{"SyncStages": fmt.Sprint(stages), "HoldCycles": fmt.Sprint(hold)}
	return d
}

// bounces returns a line that changes at random. Levels are stable for about HoldCycles, shorter or
// much longer. There are bursts of glitches, and resets now and then.
func bounces(seed, stream uint64, hold, cycles int, resets float64) iter.Seq[debounce.In] {
	return func(yield func(debounce.In) bool) {
		r := rand.New(rand.NewPCG(seed, stream))
		line := false
		for left := cycles; left > 0; {
			n := 1
			switch r.IntN(4) {
			case 0: // a glitch
				n = 1 + r.IntN(3)
			case 1: // about as long as HoldCycles
				n = max(1, hold-1+r.IntN(3))
			case 2:
				n = 1 + r.IntN(hold+2)
			case 3:
				n = 1 + r.IntN(3*hold+6)
			}
			line = !line
			for range min(n, left) {
				if !yield(debounce.In{Line: line, Rst: r.Float64() < resets}) {
					return
				}
			}
			left -= n
		}
	}
}

// Every output is compared with the model in every cycle, for random lines, parameters of all sizes
// and the default ones.
func TestBounces(t *testing.T) {
	for _, p := range []struct{ stages, hold, cycles int }{
		{2, 1, 3000}, {3, 16, 30_000}, {debounce.SyncStages, debounce.HoldCycles, 100_000},
	} {
		t.Run(fmt.Sprintf("stages=%d,hold=%d", p.stages, p.hold), func(t *testing.T) {
			sim.ForEach(t, design(p.stages, p.hold), func(t *testing.T, d *dut) {
				sim.Check(t, d, debounce.NewModel(p.stages, p.hold), bounces(sim.Seed(), 1, p.hold, p.cycles, 0.05/float64(p.hold)))
			})
		})
	}
}

// The outputs of the RTL are compared with their definition, without the model. ready_o is 1 if and
// only if the line was stable in the HoldCycles cycles that ended SyncStages cycles ago. clean_o is
// the level in the last such cycles.
func TestPromises(t *testing.T) {
	for _, p := range []struct{ stages, hold int }{{2, 1}, {3, 16}} {
		t.Run(fmt.Sprintf("stages=%d,hold=%d", p.stages, p.hold), func(t *testing.T) {
			sim.ForEach(t, design(p.stages, p.hold), func(t *testing.T, d *dut) {
				if err := d.Reset(p.stages + 1); err != nil {
					t.Fatal(err)
				}
				var in []debounce.In
				for i := range bounces(sim.Seed(), 2, p.hold, 20_000, 0) {
					in = append(in, i)
				}
				out := make([]debounce.Out, len(in))
				if err := d.Run(in, out); err != nil {
					t.Fatal(err)
				}
				clean, taken := false, 0
				for at := range out {
					first, last := at-p.stages-p.hold, at-p.stages-1 // the cycles of ready_o's definition
					if first < 0 {
						continue // some of them are in the reset
					}
					steady := true
					for i := first; i < last; i++ {
						steady = steady && in[i].Line == in[i+1].Line
					}
					if steady {
						if clean != in[last].Line {
							taken++
						}
						clean = in[last].Line
					}
					if want := (debounce.Out{Clean: clean, Ready: steady}); out[at] != want {
						t.Fatalf("cycle %d: %+v, but the line from cycle %d to %d demands %+v", at, out[at], first, last, want)
					}
				}
				if taken < 100 {
					t.Errorf("only %d changes were taken: the stimulus is too poor", taken)
				}
			})
		})
	}
}

// With the default parameters, a pulse of 999 cycles has no effect. One of 1000 cycles appears 1002
// cycles later, for as long as it lasted.
func TestPulses(t *testing.T) {
	sim.ForEach(t, debounce.Design, func(t *testing.T, d *dut) {
		for _, pulse := range []int{1, 999, 1000, 1001} {
			if err := d.Reset(3); err != nil {
				t.Fatal(err)
			}
			in, out := make([]debounce.In, 8000), make([]debounce.Out, 8000)
			const begin = 3000
			for i := range pulse {
				in[begin+i].Line = true
			}
			if err := d.Run(in, out); err != nil {
				t.Fatal(err)
			}
			first, cycles := -1, 0
			for i := range out {
				if out[i].Clean {
					if first < 0 {
						first = i
					}
					cycles++
				}
			}
			switch {
			case pulse < debounce.HoldCycles && cycles > 0:
				t.Errorf("a pulse of %d cycles is at clean_o from cycle %d on", pulse, first)
			case pulse >= debounce.HoldCycles && (first != begin+debounce.SyncStages+debounce.HoldCycles || cycles != pulse):
				t.Errorf("a pulse of %d cycles from cycle %d on is at clean_o for %d cycles from %d on", pulse, begin, cycles, first)
			}
		}
	})
}

// An invalid parameter ends the simulation, with its name.
func TestParameters(t *testing.T) {
	for name, design := range map[string]sim.Design{"SyncStages": design(1, 10), "HoldCycles": design(2, 0)} {
		d := sim.OpenTest[debounce.In, debounce.Out](t, design, sim.Icarus)
		if _, err := d.Step(debounce.In{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v: %v", design.Params, err)
		}
	}
}

func ExampleModel() {
	m := debounce.NewModel(2, 4)
	for i, line := range "..#....########" {
		out := m.Step(debounce.In{Line: line == '#'})
		fmt.Printf("%d:%v,%v ", i, out.Clean, out.Ready)
	}
	// Output:
	// 0:false,false 1:false,false 2:false,false 3:false,false 4:false,true 5:false,false 6:false,false 7:false,false 8:false,false 9:false,true 10:false,false 11:false,false 12:false,false 13:true,true 14:true,true
}
