package mutate

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
)

// changing is a module with all that is changed in a source, and some that is not.
const changing = `module changing #(parameter int Width = 4) (input logic clk_i, input logic rst_i, input logic [3:0] a_i, input logic [3:0] b_i,
                 output logic [11:0] y_o);
  typedef enum logic [1:0] {Idle, Busy, Done} state_e;
  localparam int Bits = $clog2(Width * 4);          // a width follows from it
  localparam logic [3:0] Top = 4'd9, Half = Top / 2; // a comment; with a semicolon
  state_e state_q;
  logic [Bits-1:0] count_q;
  logic [3:0] sum, most;

  assign sum = a_i + b_i;
  always_comb begin
    most = a_i;
    if (a_i < b_i) most = {b_i[3:1], 1'b1};
  end
  always_ff @(posedge clk_i) begin
    case (state_q)
      Idle: if (a_i[3]) state_q <= Busy;
      Busy, Done: state_q <= (b_i == Half) ? Done : Idle;
      default: state_q <= Idle;
    endcase
    if (count_q >= Top) count_q <= '0;
    else count_q <= count_q + 4'(&sum);
    if (rst_i) begin
      state_q <= Done;
      count_q <= 4'hf;
    end
  end
  assign y_o = {state_q, count_q, {2{most[0]}}, sum};
endmodule
`

// handMade are all changes of the source above: the line, what is changed, and the text by hand.
// The default in line 19 is never chosen.
var handMade = []struct {
	line           int
	what, old, new string
}{
	{5, "Top: 4'd9 becomes 4'd10", "Top = 4'd9", "Top = 4'd10"},
	{5, "Half: 2 becomes 3", "Top / 2", "Top / 3"},
	{10, "+ becomes -", "a_i + b_i", "a_i - b_i"},
	{13, "the condition always holds", "(a_i < b_i)", "(1)"},
	{13, "the condition never holds", "(a_i < b_i)", "(0)"},
	{13, "the condition is inverted", "(a_i < b_i)", "(a_i >= b_i)"},
	{13, "< becomes <=", "a_i < b_i", "a_i <= b_i"},
	{13, "the assignment to most is left out", "most = {b_i[3:1], 1'b1};", ";"},
	{13, "1'b1 becomes 1'b0", "1'b1", "1'b0"},
	{17, "the case Idle is left out", "Idle: if (a_i[3]) state_q <= Busy;", ""},
	{17, "the condition always holds", "(a_i[3])", "(1)"},
	{17, "the condition never holds", "(a_i[3])", "(0)"},
	{17, "the condition is inverted", "(a_i[3])", "(!a_i[3])"},
	{17, "3 becomes 2", "(a_i[3])", "(a_i[2])"},
	{17, "Busy becomes Done", "<= Busy", "<= Done"},
	{17, "the assignment to state_q is left out", "state_q <= Busy;", ";"},
	{18, "the case Busy, Done is left out", "Busy, Done: state_q <= (b_i == Half) ? Done : Idle;", ""},
	{18, "Done becomes Idle", "? Done", "? Idle"},
	{18, "Idle becomes Busy", "Done : Idle;", "Done : Busy;"},
	{18, "the assignment to state_q is left out", "state_q <= (b_i == Half) ? Done : Idle;", ";"},
	{19, "Idle becomes Busy", "default: state_q <= Idle", "default: state_q <= Busy"},
	{19, "the assignment to state_q is left out", "default: state_q <= Idle;", "default: ;"},
	{21, "the condition always holds", "(count_q >= Top)", "(1)"},
	{21, "the condition never holds", "(count_q >= Top)", "(0)"},
	{21, "the condition is inverted", "(count_q >= Top)", "(count_q < Top)"},
	{21, ">= becomes >", "count_q >= Top", "count_q > Top"},
	{21, "'0 becomes '1", "'0", "'1"},
	{21, "the assignment to count_q is left out", "count_q <= '0;", ";"},
	{22, "+ becomes -", "count_q + 4'", "count_q - 4'"},
	{22, "& becomes |", "&sum", "|sum"},
	{22, "the assignment to count_q is left out", "count_q <= count_q + 4'(&sum);", ";"},
	{23, "the condition always holds", "(rst_i)", "(1)"},
	{23, "the condition never holds", "(rst_i)", "(0)"},
	{23, "the condition is inverted", "(rst_i)", "(!rst_i)"},
	{24, "Done becomes Idle", "state_q <= Done;", "state_q <= Idle;"},
	{24, "the assignment to state_q is left out", "state_q <= Done;", ";"},
	{25, "4'hf becomes 4'h0", "4'hf", "4'h0"},
	{25, "the assignment to count_q is left out", "count_q <= 4'hf;", ";"},
	{28, "0 becomes 1", "most[0]", "most[1]"},
}

// Each change of a source does what the same change does that is made by hand, and there are no
// others. The modules that are changed by hand are in one design beside each other.
func TestSource(t *testing.T) {
	d := bridge.Design{Top: "changing", FS: fstest.MapFS{"changing.sv": {Data: []byte(changing)}}, Files: []string{"changing.sv"}, Clock: "clk_i", Reset: "rst_i"}
	r := &runner{report: &Report{}}
	list, err := r.listSource(t.Context(), d)
	if err != nil || len(r.report.Notes) > 0 {
		t.Fatal(err, r.report.Notes)
	}
	of := map[string]int{}
	for i := range list {
		of[fmt.Sprint(list[i].Line, " ", list[i].What)] = i
	}
	modules, instances := "", ""
	number := make([]int, len(handMade)) // of the mutant
	for k, h := range handMade {
		i, ok := of[fmt.Sprint(h.line, " ", h.what)]
		if !ok {
			t.Fatalf("no mutant: line %d, %s", h.line, h.what)
		}
		if number[k] = i; strings.Count(changing, h.old) != 1 {
			t.Fatalf("%q is not there once", h.old)
		}
		name := fmt.Sprintf("changing_%d", k)
		modules += strings.Replace(strings.Replace(changing, h.old, h.new, 1), "module changing ", "module "+name+" ", 1)
		instances += fmt.Sprintf("  %s u_%d (.clk_i, .rst_i, .a_i, .b_i, .y_o(y_o[%d +: 12]));\n", name, k, 12*k)
	}
	if len(list) != len(handMade) {
		t.Errorf("%d mutants, and %d changes by hand", len(list), len(handMade))
	}
	modules += fmt.Sprintf("module changing (input logic clk_i, input logic rst_i, input logic [3:0] a_i, input logic [3:0] b_i, output logic [%d:0] y_o);\n%sendmodule\n",
		12*len(handMade)-1, instances)
	byHand := d
	byHand.FS = fstest.MapFS{"changing.sv": {Data: []byte(modules)}}
	other, err := lanes.Build(t.Context(), byHand, lanes.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := pins(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	mine, loops, err := p.Model(t.Context(), faults(list), lanes.BuildOptions{})
	if err != nil || len(loops) > 0 {
		t.Fatal(loops, err)
	}
	const cycles = 4000
	layout := mine.Layout()
	in := make([]byte, cycles*layout.InSize)
	random := rand.New(rand.NewPCG(3, 3))
	for cycle := range cycles {
		for i := range layout.Inputs {
			fill(&layout.Inputs[i], in[cycle*layout.InSize:][:layout.InSize], random)
			if q := &layout.Inputs[i]; q.Name == "rst_i" && cycle > 2 && random.IntN(30) > 0 {
				in[cycle*layout.InSize+q.Offset] = 0
			}
		}
	}
	outputs := func(m *lanes.Model, on bool) func(cycle, lane int) []byte {
		b, err := m.Start(lanes.Options{Zeros: true})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		for i := range list {
			var lane lanes.Set
			if lane.Add(i + 1); !on {
				continue
			}
			if err := b.SetPort(lanes.FaultInput(i), lane, 1); err != nil {
				t.Fatal(err)
			}
		}
		size := m.Layout().OutSize
		out := make([]byte, cycles*lanes.Count*size)
		if _, err := b.Run(t.Context(), lanes.Rows{In: in, Shared: true, Out: out}, cycles); err != nil {
			t.Fatal(err)
		}
		return func(cycle, lane int) []byte { return out[(cycle*lanes.Count+lane)*size:][:size] }
	}
	a, b := outputs(mine, true), outputs(other, false)
	changed := map[int]bool{}
	for k, h := range handMade {
		for cycle := 3; cycle < cycles; cycle++ {
			hand := b(cycle, 0)
			bit := 12 * k
			got := int(a(cycle, number[k]+1)[0]) | int(a(cycle, number[k]+1)[1])<<8
			want := (int(hand[bit/8]) | int(hand[bit/8+1])<<8) >> (bit % 8) & 0xfff
			if got != want {
				t.Errorf("line %d, %s: in cycle %d %03x, changed by hand %03x", h.line, h.what, cycle, got, want)
				break
			}
			if plain := a(cycle, 0); got != int(plain[0])|int(plain[1])<<8 {
				changed[k] = true
			}
		}
		if never := h.line == 19; changed[k] == never {
			t.Errorf("line %d, %s: a difference to the design: %t", h.line, h.what, changed[k])
		}
	}
}

// A module that is not understood has no changes, and a note.
func TestSourceNotUnderstood(t *testing.T) {
	for _, test := range []struct{ name, text, note string }{
		{"a construct", "assign y_o = a_i + 2'd1; always_comb foreach (y_o[i]) y_o[i] = a_i;", "line 2: foreach: no changes of the source of module odd"},
		{"a macro", "`REGISTER(y_o, a_i + 2'd1)", "line 2: `REGISTER: no changes"},
		{"a file that ends", "assign y_o = (a_i + 2'd1;", "the file ends within a module"},
	} {
		text := "module odd (input logic clk_i, input logic [1:0] a_i, output logic [1:0] y_o);\n" + test.text + "\nendmodule\n"
		d := bridge.Design{Top: "odd", FS: fstest.MapFS{"odd.sv": {Data: []byte(text)}}, Files: []string{"odd.sv"}, Clock: "clk_i"}
		made, all, notes, err := changedDesign(d)
		if err != nil || len(all) > 0 || len(notes) != 1 || !strings.Contains(notes[0], test.note) {
			t.Fatal(test.name, len(all), notes, err)
		}
		if same, err := fs.ReadFile(made.FS, "odd.sv"); err != nil || string(same) != text {
			t.Errorf("%s: the text is %s, %v", test.name, same, err)
		}
	}
}
