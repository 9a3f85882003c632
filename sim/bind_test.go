package sim_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
)

// Each way in which structs and ports can disagree is an error that names the
// field, the port and what the module has.
func TestBindErrors(t *testing.T) {
	open := func(f func() error) string {
		t.Helper()
		err := f()
		if err == nil {
			t.Fatal("it opened")
		}
		return err.Error()
	}
	tests := []struct {
		name string
		open func() error
		want []string
	}{
		{"missing input", func() error {
			_, err := sim.Open[struct{ Rst bool }, counterOut](t.Context(), counter, sim.Icarus)
			return err
		}, []string{"does not fit the inputs of module counter", "no field for input enable_i: add one tagged `port:\"enable_i\"`", "the module has: input enable_i, input rst_i"}},
		{"missing output", func() error {
			_, err := sim.Open[counterIn, struct{ Count uint8 }](t.Context(), counter, sim.Icarus)
			return err
		}, []string{"no field for output wrap_o"}},
		{"unknown port", func() error {
			_, err := sim.Open[struct {
				Rst, Enable bool
				Up          bool `port:"up_i"`
			}, counterOut](t.Context(), counter, sim.Icarus)
			return err
		}, []string{"field Up: the module has no input up_i"}},
		{"clock", func() error {
			_, err := sim.Open[struct{ Clk, Rst, Enable bool }, counterOut](t.Context(), counter, sim.Icarus)
			return err
		}, []string{"field Clk: clk_i is a clock of the design, which the DUT drives: take the field away"}},
		{"direction", func() error {
			_, err := sim.Open[struct {
				Rst, Enable bool
				Wrap        bool `port:"wrap_o"`
			}, counterOut](t.Context(), counter, sim.Icarus)
			return err
		}, []string{"field Wrap: the module has no input wrap_o"}},
		{"too narrow", func() error {
			_, err := sim.Open[counterIn, struct {
				Count bool
				Wrap  bool
			}](t.Context(), counter, sim.Icarus)
			return err
		}, []string{"field Count is bool, but the port is output [7:0] count_o: use uint8"}},
		{"wrong kind", func() error {
			_, err := sim.Open[struct {
				Rst    bool
				Enable string
			}, counterOut](t.Context(), counter, sim.Icarus)
			return err
		}, []string{"field Enable is string, but the port is input enable_i: use bool"}},
		{"no struct", func() error {
			_, err := sim.Open[int, counterOut](t.Context(), counter, sim.Icarus)
			return err
		}, []string{"must be a struct"}},
		{"wrong reset", func() error {
			d := counter
			d.Reset = "reset_i"
			_, err := sim.Open[counterIn, counterOut](t.Context(), d, sim.Icarus)
			return err
		}, []string{"icarus: module counter: there is no port reset_i to be the reset; besides clocks, the module has output [7:0] count_o, input enable_i, input rst_i, output wrap_o"}},
		{"reset that is an output", func() error {
			d := counter
			d.Reset = "count_o"
			_, err := sim.Open[counterIn, counterOut](t.Context(), d, sim.Icarus)
			return err
		}, []string{`the reset count_o is "output [7:0] count_o": it must be a one-bit input`}},
		{"unknown simulator", func() error {
			_, err := sim.Open[counterIn, counterOut](t.Context(), counter, "modelsim")
			return err
		}, []string{`unknown simulator "modelsim": use icarus or verilator`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			message := open(test.open)
			for _, want := range test.want {
				if !strings.Contains(message, want) {
					t.Errorf("the error lacks %q:\n%s", want, message)
				}
			}
		})
	}
}

// echo gives back what it gets, in fields of all kinds.
var echo = sim.Design{Top: "echo", Files: []string{"echo.sv"}, FS: fstest.MapFS{"echo.sv": {Data: []byte(`
module echo(input wire one_i, input wire [3:0] nibble_i, input wire signed [4:0] small_i, input wire [15:0] half_i,
            input wire signed [63:0] long_i, input wire [12:0] roomy_i, input wire [99:0] wide_i, input wire [63:0] pair_i,
            output wire one_o, output wire [3:0] nibble_o, output wire signed [4:0] small_o, output wire [15:0] half_o,
            output wire signed [63:0] long_o, output wire [12:0] roomy_o, output wire [99:0] wide_o, output wire [63:0] pair_o);
  assign one_o = one_i; assign nibble_o = nibble_i; assign small_o = small_i; assign half_o = half_i;
  assign long_o = long_i; assign roomy_o = roomy_i; assign wide_o = wide_i; assign pair_o = pair_i;
endmodule`)}}}

type echoPorts struct {
	Nibble uint8
	One    bool
	Small  int8
	Half   uint16
	Long   int64
	Roomy  uint64 // a field may be wider than its port
	Wide   [2]uint64
	Pair   uint64
	Note   uint8 `port:"-"` // of the testbench's own
}

func TestEveryKindOfField(t *testing.T) {
	sim.ForEach(t, echo, func(t *testing.T, dut *sim.DUT[echoPorts, echoPorts]) {
		r := rand.New(rand.NewPCG(1, 1))
		in := make([]echoPorts, 1000)
		for i := range in {
			in[i] = echoPorts{
				Note: 7, Nibble: uint8(r.IntN(16)), One: r.IntN(2) == 1, Small: int8(r.IntN(32) - 16), Half: uint16(r.Uint32()), Long: int64(r.Uint64()),
				Roomy: r.Uint64N(1 << 13), Wide: [2]uint64{r.Uint64(), r.Uint64N(1 << 36)}, Pair: r.Uint64(),
			}
		}
		out := make([]echoPorts, len(in))
		for i := range out {
			out[i].Note = 7
		}
		if err := dut.Run(in, out); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(in, out); diff != "" {
			t.Error(diff)
		}
		if err := dut.Expect(in, in, nil); err != nil {
			t.Error(err)
		}
		// Each field is compared, in any bit.
		for _, spoil := range []func(*echoPorts){
			func(p *echoPorts) { p.Nibble ^= 8 }, func(p *echoPorts) { p.One = !p.One }, func(p *echoPorts) { p.Small ^= 1 },
			func(p *echoPorts) { p.Half ^= 1 << 15 }, func(p *echoPorts) { p.Long ^= -1 << 63 }, func(p *echoPorts) { p.Roomy ^= 1 << 12 },
			func(p *echoPorts) { p.Wide[1] ^= 1 << 35 }, func(p *echoPorts) { p.Pair ^= 1 << 40 },
		} {
			want := append([]echoPorts(nil), in...)
			spoil(&want[777])
			first := dut.Cycle()
			var diff *sim.Difference
			if err := dut.Expect(in, want, nil); !errors.As(err, &diff) || diff.Cycle != first+777 {
				t.Errorf("a spoilt expectation gives %v", err)
			}
		}
	})
}

// A value that its port cannot hold is an error that names it, not a value cut short.
func TestValuesThatDoNotFit(t *testing.T) {
	sim.ForEach(t, echo, func(t *testing.T, dut *sim.DUT[echoPorts, echoPorts]) {
		for _, test := range []struct {
			in   echoPorts
			want string
		}{
			{echoPorts{Nibble: 16}, "sim_test.echoPorts.Nibble: 0x10 does not fit port input [3:0] nibble_i"},
			{echoPorts{Small: 16}, "echoPorts.Small: 16, which is not in -16 to 15, does not fit"},
			{echoPorts{Small: -17}, "echoPorts.Small: -17, which is not in -16 to 15, does not fit"},
			{echoPorts{Roomy: 1 << 13}, "echoPorts.Roomy: 0x2000 does not fit"},
			{echoPorts{Wide: [2]uint64{0, 1 << 36}}, "echoPorts.Wide: bit 100 is set, which is beyond port input [99:0] wide_i"},
		} {
			_, err := dut.Step(test.in)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "cycle 0") {
				t.Errorf("the error is %v, not one with %q", err, test.want)
			}
		}
	})
}

// The RTL's own end and a simulator's death come through as they are.
func TestErrorsComeThrough(t *testing.T) {
	d := sim.Design{Top: "ends", Clock: "clk_i", Files: []string{"ends.sv"}, FS: fstest.MapFS{"ends.sv": {Data: []byte(
		"module ends(input wire clk_i, input wire a_i, output wire b_o);\nassign b_o = a_i;\nalways @(posedge clk_i) if (a_i) $fatal(1, \"too hot\");\nendmodule")}}}
	type in struct{ A bool }
	type out struct{ B bool }
	sim.ForEach(t, d, func(t *testing.T, dut *sim.DUT[in, out]) {
		ins, outs := make([]in, 10), make([]out, 10)
		ins[6].A, outs[6].B = true, true
		err := dut.Expect(ins, outs, nil)
		var stop *bridge.StopError
		if !errors.As(err, &stop) || stop.Cycle != 6 || stop.Where != "ends.sv:3" || stop.Message != "too hot" {
			t.Errorf("the error is %v", err)
		}
		// A difference before the end is found first.
		if _, err := dut.Step(in{}); !errors.As(err, &stop) {
			t.Errorf("a step after the end gives %v", err)
		}
	})
}
