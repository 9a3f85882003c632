package sim_test

import (
	"errors"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
)

// counterStimuli are stimuli of different lengths, in which the counter counts at random.
func counterStimuli(count int) sim.Stimuli[counterIn, counterOut] {
	return sim.Stimuli[counterIn, counterOut]{
		Count: count,
		Of: func(n int) iter.Seq[counterIn] {
			return func(yield func(counterIn) bool) {
				r := rand.New(rand.NewPCG(uint64(n), 1))
				for range 100 + n%150 {
					if !yield(counterIn{Rst: r.IntN(500) == 0, Enable: r.IntN(8) < n%9}) {
						return
					}
				}
			}
		},
		Model: func() sim.Model[counterIn, counterOut] { return &counterModel{} },
	}
}

// More stimuli than there are lanes, each compared with its own model, as Compare does in
// Verilator: the same fail, in the same cycles.
func TestCompareLanes(t *testing.T) {
	s := counterStimuli(700)
	if faults, err := sim.CompareLanes(t.Context(), counter, s); err != nil || faults != nil {
		t.Errorf("a sound counter: %v, %v", faults, err)
	}
	faults, err := sim.CompareLanes(t.Context(), slips(t), s)
	if err != nil || len(faults) < 100 || len(faults) == s.Count {
		t.Fatalf("%d of %d fail: %v", len(faults), s.Count, err)
	}
	if want := "count_o is 0x4f, not 0x4e"; faults[0].What != want {
		t.Errorf("%q, want %q", faults[0].What, want)
	}
	for n := 0; n < s.Count; n += 97 {
		dut, err := sim.Open[counterIn, counterOut](t.Context(), slips(t), sim.Verilator)
		if err != nil {
			t.Fatal(err)
		}
		err = sim.Compare(dut, s.Model(), s.Of(n))
		dut.Close()
		at := slices.IndexFunc(faults, func(f sim.LaneFault) bool { return f.Stimulus == n })
		diff, differs := errors.AsType[*sim.Difference](err)
		if differs != (at >= 0) || differs && diff.Cycle != faults[at].Cycle {
			t.Errorf("stimulus %d: in Verilator %v, in lanes %v", n, err, faults[max(at, 0)])
		}
	}
}

// Without a model, outputs are compared with those of the first stimulus.
func TestGoldenLane(t *testing.T) {
	s := counterStimuli(600)
	s.Model, s.Golden = nil, true
	s.Of = func(n int) iter.Seq[counterIn] {
		return func(yield func(counterIn) bool) {
			for i := range 100 {
				// One of them counts once more than the others.
				if !yield(counterIn{Enable: i%3 == 0 || n == 555 && i == 50}) {
					return
				}
			}
		}
	}
	faults, err := sim.CompareLanes(t.Context(), counter, s)
	if err != nil || len(faults) != 1 || faults[0] != (sim.LaneFault{Stimulus: 555, Cycle: 3 + 51, What: "count_o is 0x12, not 0x11"}) {
		t.Error(faults, err)
	}
}

// Assertions count by themselves, in the stimulus that violates them only.
func TestLaneAssertions(t *testing.T) {
	d := counter
	d.FS = patched(t, "counter.sv", "endmodule", "  always @(posedge clk_i) if (!rst_i) assert (count_q != 99);\nendmodule")
	s := counterStimuli(300)
	s.Model = nil
	faults, err := sim.CompareLanes(t.Context(), d, s)
	if err != nil || len(faults) == 0 {
		t.Fatal(faults, err)
	}
	for _, f := range faults {
		count, reached := uint8(0), false
		for in := range s.Of(f.Stimulus) {
			reached = reached || count == 99
			count++
			if in.Rst {
				count = 0
			} else if !in.Enable {
				count--
			}
		}
		if !reached || !strings.Contains(f.What, "the assertion at sim/testdata/counter.sv:") {
			t.Error(f)
		}
	}
}

// What cannot be compared is an error.
func TestStimuliMisuse(t *testing.T) {
	s := counterStimuli(3)
	for want, change := range map[string]func(*sim.Stimuli[counterIn, counterOut]){
		"there are no stimuli":                 func(s *sim.Stimuli[counterIn, counterOut]) { s.Count = 0 },
		"not with both":                        func(s *sim.Stimuli[counterIn, counterOut]) { s.Golden = true },
		"needs another one":                    func(s *sim.Stimuli[counterIn, counterOut]) { s.Golden, s.Model, s.Count = true, nil, 1 },
		"module counter has no assertions":     func(s *sim.Stimuli[counterIn, counterOut]) { s.Model = nil },
		"masks all bits of all outputs":        func(s *sim.Stimuli[counterIn, counterOut]) { s.Model = ignoring },
		"the model is no reference for the in": func(s *sim.Stimuli[counterIn, counterOut]) { s.Model = refusing },
	} {
		changed := s
		change(&changed)
		if faults, err := sim.CompareLanes(t.Context(), counter, changed); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", want, faults, err)
		}
	}
}

type ignoringModel struct{ counterModel }

func (*ignoringModel) DontCare(counterOut) counterOut { return counterOut{Count: 255, Wrap: true} }

func ignoring() sim.Model[counterIn, counterOut] { return &ignoringModel{} }

type refusingModel struct{ counterModel }

func (*refusingModel) Err() error { return errors.New("no") }

func refusing() sim.Model[counterIn, counterOut] { return &refusingModel{} }

// A stimulus that fails in lanes is run again in a simulator, with all that a failure leaves.
func TestLanesLeaveEvidence(t *testing.T) {
	out, files := failing(t, "lanes")
	for _, want := range []string{"stimuli fail in lanes, the first: stimulus 7, cycle ", "> count_o", "-run '^TestFailHelper$/^stimulus=7$'"} {
		if !strings.Contains(out, want) {
			t.Errorf("the log lacks %q:\n%s", want, out)
		}
	}
	for name := range files {
		if strings.HasPrefix(name, "sim/TestFailHelper/stimulus=7/") || strings.HasPrefix(name, "sim/TestFailHelper/stimulus_7/") {
			return
		}
	}
	t.Errorf("no files of stimulus 7: %q", slices.Sorted(func(yield func(string) bool) {
		for name := range files {
			if !yield(name) {
				return
			}
		}
	}))
}

// A check that is bound to a module from a file of its own counts in the simulators and in lanes.
func TestBoundChecks(t *testing.T) {
	d := counter
	checks := "module counter_checks (input wire clk_i, input wire rst_i, input wire [7:0] count_q);\n" +
		"  always @(posedge clk_i) if (!rst_i) assert (count_q != 99);\nendmodule\nbind counter counter_checks u_checks (.*);\n"
	files := patched(t, "counter.sv", "endmodule", "endmodule : counter")
	files["checks.sv"] = &fstest.MapFile{Data: []byte(checks)}
	d.FS, d.Files = files, []string{"checks.sv", "counter.sv"}
	sim.ForEach(t, d, func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) {
		in := []counterIn{{Rst: true}}
		for range 120 {
			in = append(in, counterIn{Enable: true})
		}
		err := dut.Run(in, make([]counterOut, len(in)))
		if err == nil || !strings.Contains(err.Error(), "checks.sv:2") || !strings.Contains(err.Error(), "cycle 100") {
			t.Errorf("the error is %v", err)
		}
	})
	s := counterStimuli(300)
	s.Model = nil
	faults, err := sim.CompareLanes(t.Context(), d, s)
	if err != nil || len(faults) == 0 || !strings.Contains(faults[0].What, "the assertion at sim/testdata/checks.sv:2") {
		t.Error(faults, err)
	}
}
