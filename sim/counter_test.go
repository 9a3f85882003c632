package sim_test

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim"
)

// The smallest testbench: a design, its ports, its model and a stimulus.

var counter = sim.Design{Top: "counter", FS: os.DirFS("testdata"), Dir: "sim/testdata", Files: []string{"counter.sv"}, Clock: "clk_i", Reset: "rst_i"}

type counterIn struct{ Rst, Enable bool }

type counterOut struct {
	Count uint8
	Wrap  bool
}

type counterModel struct{ count uint8 }

func (m *counterModel) Reset() { m.count = 0 }

func (m *counterModel) Step(in counterIn) counterOut {
	out := counterOut{Count: m.count, Wrap: m.count == 255}
	switch {
	case in.Rst:
		m.count = 0
	case in.Enable:
		m.count++
	}
	return out
}

// counterStimulus counts at random, with a reset now and then.
func counterStimulus(cycles int) iter.Seq[counterIn] {
	return func(yield func(counterIn) bool) {
		r := rand.New(rand.NewPCG(sim.Seed(), 1))
		for range cycles {
			if !yield(counterIn{Rst: r.IntN(500) == 0, Enable: r.IntN(4) != 0}) {
				return
			}
		}
	}
}

func TestCounter(t *testing.T) {
	sim.ForEach(t, counter, func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) {
		sim.Check(t, dut, &counterModel{}, counterStimulus(10_000))
	})
}

// withFault is the counter with a textual fault planted in it.
func withFault(t testing.TB, old, new string) sim.Design {
	t.Helper()
	d := counter
	d.FS = patched(t, "counter.sv", old, new)
	return d
}

func TestCounterFaultsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	for _, fault := range []struct{ name, old, new, message string }{
		{"counts too far", "count_q + 1'b1", "count_q + 2'd2", "> count_o"},
		{"no reset", "if (rst_i) count_d = '0;", "", "> count_o"},
		{"late wrap", "count_q == '1", "count_q == '0", "> wrap_o"},
		{"enable ignored", "if (enable_i)", "if (1'b1)", "> count_o"},
		{"unknown output", "count_q == '1", "1'bx", "> wrap_o"},
	} {
		t.Run(fault.name, func(t *testing.T) {
			sim.ForEach(t, withFault(t, fault.old, fault.new), func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) {
				err := sim.Compare(dut, &counterModel{}, counterStimulus(10_000))
				var diff *sim.Difference
				if !errors.As(err, &diff) {
					t.Fatalf("the fault was not found: %v", err)
				}
				if !strings.Contains(err.Error(), fault.message) {
					t.Errorf("the report lacks %q:\n%v", fault.message, err)
				}
			})
		})
	}
}

func ExampleDUT_Step() {
	dut, err := sim.Open[counterIn, counterOut](exampleContext, counter, sim.Verilator)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dut.Close()
	dut.Reset(1)
	for range 3 {
		out, err := dut.Step(counterIn{Enable: true})
		fmt.Println(out.Count, err)
	}
	// Output:
	// 0 <nil>
	// 1 <nil>
	// 2 <nil>
}
