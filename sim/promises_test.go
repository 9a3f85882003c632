package sim_test

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
)

// What sim promises, each so that a fault in it would show here.

// partly gives back its input, but for one value, for which a bit is X.
var partly = sim.Design{Top: "partly", Clock: "clk_i", Files: []string{"partly.sv"}, FS: fstest.MapFS{"partly.sv": {Data: []byte(`
module partly(input wire clk_i, input wire [7:0] a_i, output wire [7:0] b_o);
  assign b_o = a_i == 0 ? 8'b0000_00x0 : a_i;
endmodule`)}}}

type partlyIn struct{ A uint8 }
type partlyOut struct{ B uint8 }

// Every row of every tape is compared: the first, the last, and those at the ends
// of tapes.
func TestEveryRowIsCompared(t *testing.T) {
	sim.ForEach(t, partly, func(t *testing.T, dut *sim.DUT[partlyIn, partlyOut]) {
		const n = 9000
		in, want := make([]partlyIn, n), make([]partlyOut, n)
		for i := range in {
			in[i].A, want[i].B = uint8(i%255)+1, uint8(i%255)+1
		}
		for _, at := range []int{0, 1, 4094, 4095, 4096, 4097, 8191, 8192, n - 2, n - 1} {
			want[at].B ^= 1
			first := dut.Cycle()
			var diff *sim.Difference
			if err := dut.Expect(in, want, nil); !errors.As(err, &diff) || diff.Cycle != first+uint64(at) {
				t.Errorf("row %d is spoilt: %v", at, err)
			}
			// The same bit is not looked at if nobody cares about it.
			if err := dut.Expect(in, want, func(partlyOut) partlyOut { return partlyOut{B: 1} }); err != nil {
				t.Errorf("row %d, not cared about: %v", at, err)
			}
			if err := dut.Expect(in, want, func(partlyOut) partlyOut { return partlyOut{B: 0xfe} }); !errors.As(err, &diff) {
				t.Errorf("row %d, all else not cared about: %v", at, err)
			}
			want[at].B ^= 1
		}
		out := make([]partlyOut, n)
		if err := dut.Run(in, out); err != nil || !slices.Equal(out, want) {
			t.Errorf("Run over several tapes gives other outputs than are right (%v)", err)
		}
	})
}

// X is not 0, unless nobody cares.
func TestUnknownIsADifference(t *testing.T) {
	dut := sim.OpenTest[partlyIn, partlyOut](t, partly, sim.Icarus)
	in, want := []partlyIn{{7}, {0}, {9}}, []partlyOut{{7}, {0}, {9}}
	var diff *sim.Difference
	if err := dut.Expect(in, want, nil); !errors.As(err, &diff) || diff.Cycle != 1 {
		t.Errorf("an X where 0 is due: %v", err)
	}
	if err := dut.Expect(in, want, func(want partlyOut) partlyOut {
		if want.B == 0 {
			return partlyOut{B: 2}
		}
		return partlyOut{}
	}); err != nil {
		t.Errorf("an X that nobody cares about: %v", err)
	}
	for _, c := range []struct{ a, unknown uint8 }{{0, 2}, {5, 0}, {0, 2}} {
		if _, err := dut.Step(partlyIn{c.a}); err != nil {
			t.Fatal(err)
		}
		if u := dut.Unknown(); u.B != c.unknown {
			t.Errorf("after %d the unknown bits are %02x, not %02x", c.a, u.B, c.unknown)
		}
		if _, err := dut.Settle(partlyIn{c.a}); err != nil {
			t.Fatal(err)
		}
		if u := dut.Unknown(); u.B != c.unknown {
			t.Errorf("settled with %d the unknown bits are %02x, not %02x", c.a, u.B, c.unknown)
		}
	}
}

// carelessModel does not care about the count while it is even.
type carelessModel struct{ counterModel }

func (m *carelessModel) Step(in counterIn) counterOut {
	out := m.counterModel.Step(in)
	if out.Count%2 == 0 {
		out.Count = 0
	}
	return out
}

func (m *carelessModel) DontCare(want counterOut) (mask counterOut) {
	if want.Count == 0 {
		mask.Count = 0xff
	}
	return mask
}

// Compare resets the design and the model, uses the model's DontCare, and wants a stimulus.
func TestCompare(t *testing.T) {
	sim.ForEach(t, counter, func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) {
		m := &carelessModel{counterModel{count: 99}}
		for range 2 {
			if err := sim.Compare(dut, m, counterStimulus(1000)); err != nil {
				t.Error(err)
			}
		}
		var none iter.Seq[counterIn] = func(func(counterIn) bool) {}
		if err := sim.Compare(dut, m, none); err == nil {
			t.Error("a comparison of nothing passes")
		}
	})
}

// While Reset holds the reset, all other inputs are 0, whatever they were before.
func TestResetClearsInputs(t *testing.T) {
	d := counter
	d.FS = patched(t, "counter.sv", "if (rst_i) count_d = '0;", "if (rst_i) count_d = enable_i ? 8'd77 : 8'd0;")
	sim.ForEach(t, d, func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) {
		for range 10 {
			if _, err := dut.Step(counterIn{Enable: true}); err != nil {
				t.Fatal(err)
			}
		}
		if err := dut.Reset(5000); err != nil { // more than a tape
			t.Fatal(err)
		}
		if out, err := dut.Step(counterIn{}); err != nil || out.Count != 0 {
			t.Errorf("after the reset the count is %d (%v)", out.Count, err)
		}
		if got := dut.Cycle(); got != 5011 {
			t.Errorf("%d cycles are done, not 5011", got)
		}
	})
}

// The options reach the simulator: seed, time limit, and where messages go.
func TestOptions(t *testing.T) {
	powerUp := func(seed uint64) uint8 {
		dut := sim.OpenTest[counterIn, counterOut](t, counter, sim.Verilator, sim.WithSeed(seed))
		out, err := dut.Step(counterIn{})
		if err != nil {
			t.Fatal(err)
		}
		return out.Count
	}
	values := map[uint8]bool{}
	for seed := range uint64(10) {
		first, again := powerUp(seed), powerUp(seed)
		if first != again {
			t.Errorf("seed %d gives two power-up values", seed)
		}
		values[first] = true
	}
	if len(values) < 3 {
		t.Errorf("ten seeds give the power-up values %v", values)
	}

	speaking := sim.Design{Top: "speaking", Clock: "clk_i", Files: []string{"s.sv"}, FS: fstest.MapFS{"s.sv": {Data: []byte(`
module speaking(input wire clk_i, input wire [7:0] a_i, output wire [7:0] b_o);
  assign b_o = a_i;
  always @(posedge clk_i) begin
    if (a_i == 5) $display("five is right out");
    while (a_i == 6) ;
  end
endmodule`)}}}
	for _, s := range sim.Simulators {
		var log bytes.Buffer
		dut := sim.OpenTest[partlyIn, partlyOut](t, speaking, s, sim.WithLogger(hclog.New(&hclog.LoggerOptions{Output: &log})))
		for _, a := range []uint8{4, 5, 4} {
			if _, err := dut.Step(partlyIn{a}); err != nil {
				t.Fatal(err)
			}
		}
		if got := log.String(); strings.Count(got, "five is right out") != 1 || !strings.Contains(got, "cycle=1") || !strings.Contains(got, string(s)) {
			t.Errorf("%s: the log is %q", s, got)
		}
	}

	dut := sim.OpenTest[partlyIn, partlyOut](t, speaking, sim.Icarus, sim.WithTimeout(200*time.Millisecond))
	start := time.Now()
	_, err := dut.Step(partlyIn{6})
	var dead *bridge.DeadError
	if !errors.As(err, &dead) || time.Since(start) > 10*time.Second {
		t.Errorf("after %v a loop without end gives %v", time.Since(start), err)
	}
}

// The waveform goes back over the end of the tape before.
func TestHistoryOverTapes(t *testing.T) {
	dut := sim.OpenTest[partlyIn, partlyOut](t, partly, sim.Icarus)
	const n = 4096 + 2
	in, want := make([]partlyIn, n), make([]partlyOut, n)
	for i := range in {
		in[i].A, want[i].B = uint8(i%200)+1, uint8(i%200)+1
	}
	want[n-1].B ^= 0x80
	err := dut.Expect(in, want, nil)
	if err == nil {
		t.Fatal("no difference")
	}
	for _, line := range strings.Split(err.Error(), "\n") {
		if strings.HasPrefix(line, "a_i") && len(strings.Fields(line)) != 21 {
			t.Errorf("the waveform does not have 20 cycles: %s", line)
		}
	}
}
