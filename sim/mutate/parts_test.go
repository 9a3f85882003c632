package mutate_test

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/mutate"
)

// half adds two numbers, and says which bits they have in common.
const half = `module half #(
  parameter int Width = 4
) (
  input logic clk_i, input logic rst_i, input logic [Width-1:0] a_i, input logic [Width-1:0] b_i,
  output logic [Width:0] sum_o, output logic [Width-1:0] common_o
);
  always_ff @(posedge clk_i)
    if (rst_i) sum_o <= '0;
    else sum_o <= {1'b0, a_i} + {1'b0, b_i};
  always_comb
    for (int i = 0; i < Width; i++)
      common_o[i] = a_i[i] & b_i[i];
endmodule
`

// commonLine is that of the last operator.
const commonLine = 12

// whole has two of them, and leaves some of what they say unused.
const whole = `module whole (
  input logic clk_i, input logic rst_i, input logic [1:0] a_i, input logic [1:0] b_i,
  output logic [2:0] sum_o, output logic common_o
);
  logic [1:0] sum;
  logic carry, both, unused;
  half #(.Width(2)) u_low (.clk_i, .rst_i, .a_i, .b_i, .sum_o({carry, sum}), .common_o({both, unused}));
  wrapped u_high (.clk_i, .rst_i, .a_i(sum), .b_i({1'b0, carry}), .sum_o);
  assign common_o = both ^ a_i[0];
endmodule

module wrapped (
  input logic clk_i, input logic rst_i, input logic [1:0] a_i, input logic [1:0] b_i, output logic [2:0] sum_o
);
  logic [1:0] unused;
  half #(.Width(2)) u_half (.clk_i, .rst_i, .a_i, .b_i, .sum_o, .common_o(unused));
endmodule
`

type (
	halfIn struct {
		Rst  bool
		A, B uint8
	}
	halfOut   struct{ Sum, Common uint8 }
	halfModel struct{ sum uint8 }
	wholeOut  struct {
		Sum    uint8
		Common bool
	}
	wholeModel struct{ low, high uint8 }
)

func (m *halfModel) Reset() { *m = halfModel{} }

func (m *halfModel) Step(in halfIn) halfOut {
	out := halfOut{m.sum, in.A & in.B}
	if m.sum = in.A + in.B; in.Rst {
		m.Reset()
	}
	return out
}

func (m *wholeModel) Reset() { *m = wholeModel{} }

func (m *wholeModel) Step(in halfIn) wholeOut {
	out := wholeOut{m.high, in.A>>1&in.B>>1 != in.A&1}
	if m.low, m.high = in.A+in.B, m.low&3+m.low>>2; in.Rst {
		m.Reset()
	}
	return out
}

// taped records a test.
func taped[In, Out any](t *testing.T, dir, name string, d sim.Design, m sim.Model[In, Out], stimulus iter.Seq[In]) {
	t.Helper()
	dut, err := sim.Open[In, Out](t.Context(), d, sim.Verilator, sim.WithTape(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := sim.Compare(dut, m, stimulus); err != nil {
		t.Fatal(err)
	}
	if err := dut.Close(); err != nil {
		t.Fatal(err)
	}
}

// What tests of a module find is found in a design that contains it, at each of its instances, and
// nothing else is.
func TestParts(t *testing.T) {
	d := sim.Design{Top: "whole", FS: fstest.MapFS{"half.sv": {Data: []byte(half)}, "whole.sv": {Data: []byte(whole)}},
		Files: []string{"half.sv", "whole.sv"}, Clock: "clk_i", Reset: "rst_i"}
	part := d
	part.Top, part.Params = "half", map[string]string{"Width": "2"}
	dir := t.TempDir()
	taped(t, dir, "TestWhole", d, &wholeModel{}, slices.Values(make([]halfIn, 20))) // always 0 + 0
	taped(t, dir, "TestHalf", part, &halfModel{}, func(yield func(halfIn) bool) {
		r := rand.New(rand.NewPCG(1, 0))
		for range 1000 {
			if !yield(halfIn{r.IntN(10) == 0, uint8(r.IntN(4)), uint8(r.IntN(4))}) {
				return
			}
		}
	})
	sources := []mutate.Source{{Dir: dir, Package: "./whole"}}
	o := mutate.Options{Top: "whole", Limit: 10 * time.Second}
	rep, err := mutate.Run(t.Context(), sources, o)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]int{}
	for i := range rep.Results {
		m := &rep.Results[i]
		inside := m.File == "half.sv" && m.Line != commonLine // whole has one of that operator
		if m.Verdict == mutate.Undecided || m.Verdict == mutate.Missed && inside {
			t.Errorf("%s:%d: %s: %s", m.File, m.Line, m.What, m.Verdict)
		}
		if m.Verdict == mutate.Found {
			if by[m.By.Test]++; m.By.Test == "TestHalf" && !inside && m.Kind == "bit" {
				t.Errorf("%s:%d: %s: TestHalf does not find that", m.File, m.Line, m.What)
			}
		}
	}
	missed := rep.Count(mutate.Missed)
	if by["TestWhole"] < 10 || by["TestHalf"] < 40 || missed < 10 {
		t.Errorf("found by %v, and %d are missed:\n%s", by, missed, rep.Text())
	}
	for _, at := range []string{"u_low", "u_high.u_half"} {
		n := 0
		for i := range rep.Results {
			if m := &rep.Results[i]; m.Verdict == mutate.Found && m.By.Test == "TestHalf" && strings.Contains(m.What, at) {
				n++
			}
		}
		if n < 10 {
			t.Errorf("TestHalf finds %d in %s", n, at)
		}
	}
	if want := "half (Width=2) has tests of its own: what they find is found in u_high.u_half, u_low"; !strings.Contains(rep.Text(), want) {
		t.Errorf("the report does not say %q:\n%s", want, rep.Text())
	}
	only, err := rep.Without(t.Context(), sources, o, "TestHalf")
	if err != nil || len(only) != by["TestHalf"] {
		t.Errorf("without TestHalf %d fewer are found, not %d: %v", len(only), by["TestHalf"], err)
	}
}
