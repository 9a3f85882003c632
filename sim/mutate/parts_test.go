package mutate_test

import (
	"iter"
	"math/rand/v2"
	"regexp"
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

// registers has eight of them: those of even numbers take a, the others b.
const registers = `module registers (
  input logic clk_i, input logic rst_i, input logic load_i, input logic [3:0] a_i, input logic [2:0] b_i, output logic [27:0] q_o
);
  logic [3:0] r0, r2, r4, r6;
  logic [2:0] r1, r3, r5, r7;
  always_ff @(posedge clk_i) begin
    if (load_i) begin
      r0 <= a_i;
      r1 <= b_i;
      r2 <= a_i;
      r3 <= b_i;
      r4 <= a_i;
      r5 <= b_i;
      r6 <= a_i;
      r7 <= b_i;
    end
    if (rst_i) {r0, r1, r2, r3, r4, r5, r6, r7} <= '0;
  end
  assign q_o = {r0, r1, r2, r3, r4, r5, r6, r7};
endmodule
`

type (
	registersIn struct {
		Rst, Load bool
		A, B      uint8
	}
	registersOut   struct{ Q uint32 }
	registersModel struct{ q uint32 }
	sumOut         struct{ Y uint8 }
	sumModel       struct{ registersModel }
)

func (m *registersModel) Reset() { m.q = 0 }

func (m *registersModel) Step(in registersIn) registersOut {
	out := registersOut{m.q}
	if in.Load {
		m.q = (uint32(in.A)<<3 | uint32(in.B)) * (1 + 1<<7 + 1<<14 + 1<<21)
	}
	if in.Rst {
		m.Reset()
	}
	return out
}

func (m *sumModel) Step(in registersIn) sumOut {
	q := m.registersModel.Step(in).Q
	a, b := q>>3&15, q&7
	return sumOut{uint8(a + a&7 + a&3 + a&5 + b + b&3 + b&5 + b&6)}
}

// Yosys puts what an always block assigns into an order that depends on the names of the whole
// design. What tests of the module find of one register is not found of another.
func TestPartsOrder(t *testing.T) {
	const top = `module sum (
  input logic clk_i, input logic rst_i, input logic load_i, input logic [3:0] a_i, input logic [2:0] b_i, output logic [7:0] y_o
);
  logic [2:0] r7, r5, r3, r1;
  logic [3:0] r6, r4, r2, r0;
  registers u_registers (.clk_i, .rst_i, .load_i, .a_i, .b_i, .q_o({r0, r1, r2, r3, r4, r5, r6, r7}));
  assign y_o = 8'(r0) + 8'(r2 & 4'd7) + 8'(r4 & 4'd3) + 8'(r6 & 4'd5) +
               8'(r1) + 8'(r3 & 3'd3) + 8'(r5 & 3'd5) + 8'(r7 & 3'd6);
endmodule
`
	d := sim.Design{Top: "sum", FS: fstest.MapFS{"registers.sv": {Data: []byte(registers)}, "sum.sv": {Data: []byte(top)}},
		Files: []string{"sum.sv", "registers.sv"}, Clock: "clk_i", Reset: "rst_i"}
	part := d
	part.Top, part.Files = "registers", []string{"registers.sv"}
	dir := t.TempDir()
	stimulus := func(yield func(registersIn) bool) {
		r := rand.New(rand.NewPCG(1, 0))
		for range 1000 {
			if !yield(registersIn{Load: r.IntN(2) > 0, A: uint8(r.IntN(16))}) { // the others stay 0
				return
			}
		}
	}
	taped(t, dir, "TestSum", d, &sumModel{}, slices.Values(make([]registersIn, 20)))
	taped(t, dir, "TestRegisters", part, &registersModel{}, stimulus)
	rep, err := mutate.Run(t.Context(), []mutate.Source{{Dir: dir, Package: "./sum"}}, mutate.Options{Top: "sum", In: "registers.sv", Limit: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	n, choices := 0, 0
	for i := range rep.Results {
		m := &rep.Results[i]
		name := regexp.MustCompile(`r[0-7]\[`).FindString(m.What)
		switch {
		case m.Verdict != mutate.Found || !strings.Contains(m.What, "stuck at 0"):
		case name == "" && strings.Contains(m.What, "the value if the condition is false"):
			choices++
		case name != "" && (name[1]-'0')%2 > 0:
			t.Errorf("%s:%d: %s: %s does not find that", m.File, m.Line, m.What, m.By.Test)
		case name != "":
			n++
		}
	}
	// With some of them in the module the test fails.
	for i, left := range rand.New(rand.NewPCG(2, 0)).Perm(len(rep.Results)) {
		m := &rep.Results[left]
		if i >= 16 || m.Verdict != mutate.Found || m.By.Test != "TestRegisters" {
			continue
		}
		s, folder := rep.FoundIn(m), t.TempDir()
		if s == nil || s.Design.Top != part.Top {
			t.Fatalf("%s is found in %+v", m.What, s)
		}
		if err := s.Insert(t.Context(), folder); err != nil {
			t.Fatal(err)
		}
		dut, err := sim.Open[registersIn, registersOut](t.Context(), s.Changed(folder, part), sim.Icarus)
		if err != nil {
			t.Fatal(err)
		}
		if err := sim.Compare(dut, &registersModel{}, stimulus); err == nil {
			t.Errorf("%s: %s passes with it", m.What, m.By.Test)
		}
		if err := dut.Close(); err != nil {
			t.Error(err)
		}
	}
	// Of the choices in the reset, which have no names, all bits of four registers are found.
	if n < 16 || choices != 16 {
		t.Errorf("of the registers that take a %d are found, and %d of choices without names:\n%s", n, choices, rep.Text())
	}
}

type (
	chosenIn struct {
		Rst       bool
		Select, A uint8
	}
	chosenOut   struct{ Y uint8 }
	chosenModel struct{ y uint8 }
)

func (m *chosenModel) Reset() { m.y = 0 }

func (m *chosenModel) Step(in chosenIn) chosenOut {
	out := chosenOut{m.y}
	if m.y = [4]uint8{in.A, ^in.A & 15, in.A >> 2, 0}[in.Select]; in.Rst {
		m.Reset()
	}
	return out
}

// A case of several values is a chain of choices to the mutants. They are found in an instance,
// too, and where assertions are bound to the module.
func TestPartsChoice(t *testing.T) {
	const chosen = `module chosen (
  input logic clk_i, input logic rst_i, input logic [1:0] select_i, input logic [3:0] a_i, output logic [3:0] y_o
);
  always_ff @(posedge clk_i) begin
    case (select_i)
      2'd0: y_o <= a_i;
      2'd1: y_o <= ~a_i;
      2'd2: y_o <= a_i >> 2;
      default: y_o <= '0;
    endcase
    if (rst_i) y_o <= '0;
  end
endmodule
`
	const top = `module outer (
  input logic clk_i, input logic rst_i, input logic [1:0] select_i, input logic [3:0] a_i, output logic [3:0] y_o
);
  chosen u_chosen (.clk_i, .rst_i, .select_i, .a_i, .y_o);
endmodule
`
	const bound = `module asserted (input logic clk_i, input logic [3:0] a_i, input logic [1:0] select_i, input logic [3:0] y_o);
  logic zero_q = 1'b0;
  always @(posedge clk_i) zero_q <= select_i == 2'd3 && a_i == 4'd5;
  always @(posedge clk_i) assert (!zero_q || y_o == '0);
endmodule
bind chosen asserted u_asserted (.*);
`
	d := sim.Design{Top: "outer", FS: fstest.MapFS{"chosen.sv": {Data: []byte(chosen)}, "outer.sv": {Data: []byte(top)},
		"bound.sv": {Data: []byte(bound)}}, Files: []string{"outer.sv", "chosen.sv", "bound.sv"}, Clock: "clk_i", Reset: "rst_i"}
	part := d
	part.Top, part.Files = "chosen", []string{"chosen.sv"}
	dir := t.TempDir()
	taped(t, dir, "TestOuter", d, &chosenModel{}, slices.Values(make([]chosenIn, 20)))
	taped(t, dir, "TestChosen", part, &chosenModel{}, func(yield func(chosenIn) bool) {
		r := rand.New(rand.NewPCG(1, 0))
		for range 1000 {
			if !yield(chosenIn{r.IntN(10) == 0, uint8(r.IntN(4)), uint8(r.IntN(16))}) {
				return
			}
		}
	})
	rep, err := mutate.Run(t.Context(), []mutate.Source{{Dir: dir, Package: "./outer"}},
		mutate.Options{Top: "outer", In: "chosen.sv", Limit: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	choices := 0
	for i := range rep.Results {
		m := &rep.Results[i]
		if m.Verdict != mutate.Found && m.Verdict != mutate.Equivalent {
			t.Errorf("%s:%d: %s: %s", m.File, m.Line, m.What, m.Verdict)
		}
		if m.Verdict == mutate.Found && m.By.Test == "TestChosen" && strings.Contains(m.What, "the condition") {
			choices++
		}
	}
	if choices < 12 {
		t.Errorf("TestChosen finds %d choices:\n%s", choices, rep.Text())
	}
}
