package mutate

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
)

// With a bit of everything that has pins: instances, a memory, a choice of several cases, registers
// with an asynchronous reset and with a value at power-up, which is 0, for Yosys forgets the value
// of a register whose output a mutant is at.
const several = `module part (input logic clk_i, input logic rst_i, input logic [2:0] a_i, output logic [2:0] y_o);
  always_ff @(posedge clk_i) if (rst_i) y_o <= 3'd5; else y_o <= y_o + a_i;
endmodule
module several (input logic clk_i, input logic rst_i, input logic [2:0] a_i, input logic [1:0] s_i,
                output logic [3:0] y_o, output logic z_o);
  logic [2:0] sum, late_q = 3'd0;
  logic [3:0] mem [32];
  part u_part (.clk_i, .rst_i, .a_i, .y_o(sum));
  always_comb
    case (s_i)
      2'd0: y_o = {1'b0, sum} - {1'b0, a_i};
      2'd1: y_o = mem[{s_i, a_i}];
      2'd2: y_o = (sum > a_i) ? 4'd9 : {late_q, ^a_i};
      default: y_o = {a_i == 3'd4, sum} << s_i[0];
    endcase
  always_ff @(posedge clk_i) if (s_i[1]) mem[{s_i, sum}] <= {1'b1, a_i};
  always_ff @(posedge clk_i) late_q <= late_q ^ sum;
  always_ff @(posedge clk_i or posedge rst_i) if (rst_i) z_o <= 1'b0; else z_o <= &a_i | z_o & s_i[0];
endmodule
`

// command is the command of Yosys that makes a mutant. It is there only where control is 1.
func (m *Mutant) command(top, control string) string {
	f := &m.fault
	s := fmt.Sprintf("mutate -ctrl %s 1 1 -mode %s -module %s -cell %s -port %s -portbit %d", control, f.Kind, top, f.Cell, f.Port, f.Bit)
	if f.Kind == lanes.InvertedIf0 || f.Kind == lanes.InvertedIf1 {
		s += fmt.Sprintf(" -ctrlbit %d", f.Other)
	}
	return s
}

// Faults at pins do the same as Yosys' own mutants, all of them, with random inputs in each lane.
func TestPins(t *testing.T) {
	d := bridge.Design{Top: "several", FS: fstest.MapFS{"several.sv": {Data: []byte(several)}}, Files: []string{"several.sv"}, Clock: "clk_i", Reset: "rst_i"}
	list, err := List(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	// Some, of the write in line 16, choose its address where nothing is written, or write there.
	// Yosys leaves it open, and its own mutants do anything then: see TestWritesAnyway.
	list = draw(list, len(list), 1)
	list = slices.DeleteFunc(list, func(m Mutant) bool { return m.Line == 16 && (m.fault.Kind != lanes.StuckAt0 || m.fault.Port == "S") })
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	list = list[:min(len(list), chunk)]
	p, err := pins(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	mine, loops, err := p.Model(t.Context(), faults(list), lanes.BuildOptions{})
	if err != nil || len(loops) > 0 {
		t.Fatal(loops, err)
	}
	commands := []string{lower}
	for i := range list {
		commands = append(commands, list[i].command(d.Top, lanes.FaultInput(i)))
	}
	layout := mine.Layout()
	yosys, err := lanes.Build(t.Context(), d, lanes.BuildOptions{Edit: commands, Shape: func([]bridge.Port) (*bridge.Layout, error) { return layout, nil }})
	if err != nil {
		t.Fatal(err)
	}
	const cycles = 600
	r := rand.New(rand.NewPCG(2, 2))
	in := make([]byte, cycles*lanes.Count*layout.InSize)
	for row := range cycles * lanes.Count {
		for i := range layout.Inputs {
			fill(&layout.Inputs[i], in[row*layout.InSize:][:layout.InSize], r)
			if q := &layout.Inputs[i]; q.Name == "rst_i" && row/lanes.Count > 2 && r.IntN(20) > 0 {
				in[row*layout.InSize+q.Offset] = 0
			}
		}
	}
	var out [2][]byte
	for i, m := range []*lanes.Model{mine, yosys} {
		b, err := m.Start(lanes.Options{Zeros: true})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		for k := range list {
			var lane lanes.Set
			lane.Add(k + 1)
			if err := b.SetPort(lanes.FaultInput(k), lane, 1); err != nil {
				t.Fatal(err)
			}
		}
		out[i] = make([]byte, cycles*lanes.Count*layout.OutSize)
		if _, err := b.Run(t.Context(), lanes.Rows{In: in, Out: out[i]}, cycles); err != nil {
			t.Fatal(err)
		}
	}
	kinds, wrong := map[lanes.Kind]int{}, 0
	for lane := range lanes.Count {
		for cycle := range cycles {
			at := (cycle*lanes.Count + lane) * layout.OutSize
			if a, b := out[0][at:at+layout.OutSize], out[1][at:at+layout.OutSize]; !bytes.Equal(a, b) {
				what := "no mutant"
				if lane > 0 && lane <= len(list) {
					what = list[lane-1].Key
				}
				if wrong++; wrong < 20 {
					t.Errorf("%s: in cycle %d %x, with Yosys' own mutants %x", what, cycle, a, b)
				}
				break
			}
		}
		if lane > 0 && lane <= len(list) {
			kinds[list[lane-1].fault.Kind]++
		}
	}
	if len(kinds) != 5 || len(list) < 400 {
		t.Errorf("%d mutants, kinds %v", len(list), kinds)
	}
}

// Mutants of a class do the same, with random inputs, and those in none change nothing.
func TestClasses(t *testing.T) {
	d := bridge.Design{Top: "several", FS: fstest.MapFS{"several.sv": {Data: []byte(several)}}, Files: []string{"several.sv"}, Clock: "clk_i", Reset: "rst_i"}
	list, err := List(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	p, err := pins(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	classes := p.Classes(faults(list))
	const cycles = 2000
	looping := map[int]bool{}
	outputs := map[int][]byte{} // of each mutant, and of none
	for begin := 0; begin < len(list); begin += chunk {
		part := list[begin:min(begin+chunk, len(list))]
		m, loops, err := p.Model(t.Context(), faults(part), lanes.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range loops {
			looping[begin+i] = true
		}
		layout := m.Layout()
		r := rand.New(rand.NewPCG(3, 3))
		in := make([]byte, cycles*layout.InSize)
		for row := range cycles {
			for i := range layout.Inputs {
				q := &layout.Inputs[i]
				if fill(q, in[row*layout.InSize:][:layout.InSize], r); q.Name == "rst_i" && row > 2 && r.IntN(20) > 0 {
					in[row*layout.InSize+q.Offset] = 0
				}
			}
		}
		b, err := m.Start(lanes.Options{Zeros: true})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		for k := range part {
			var lane lanes.Set
			lane.Add(k + 1)
			if err := b.SetPort(lanes.FaultInput(k), lane, 1); err != nil {
				t.Fatal(err)
			}
		}
		out := make([]byte, cycles*lanes.Count*layout.OutSize)
		if _, err := b.Run(t.Context(), lanes.Rows{In: in, Shared: true, Out: out}, cycles); err != nil {
			t.Fatal(err)
		}
		for lane := range len(part) + 1 {
			var all []byte
			for cycle := range cycles {
				all = append(all, out[(cycle*lanes.Count+lane)*layout.OutSize:][:layout.OutSize]...)
			}
			if lane == 0 {
				outputs[lanes.NoEffect] = all
			} else {
				outputs[begin+lane-1] = all
			}
		}
	}
	kinds, none := map[lanes.Kind]int{}, 0
	for i, class := range classes {
		switch {
		case class == i || looping[i] && looping[class]:
			continue
		case looping[i] || looping[class]:
			t.Errorf("%s makes a loop, or %s does", list[i].Key, list[class].Key)
		case class == lanes.NoEffect:
			none++
		default:
			kinds[list[i].fault.Kind]++
		}
		if !bytes.Equal(outputs[i], outputs[class]) {
			t.Errorf("%s: the outputs differ from those of class %d", list[i].Key, class)
		}
	}
	t.Logf("of %d mutants %d change nothing, and others do the same as one before them: %v", len(list), none, kinds)
	if none < 10 || len(kinds) != 5 {
		t.Errorf("%d change nothing; that do the same as others: %v", none, kinds)
	}
}

// hidden has selects that another select hides, and whose cases are open there.
const hidden = `module hidden (input logic clk_i, input logic f_i, input logic [2:0] k_i, output logic [2:0] y_o, output logic z_o);
  always_comb begin
    y_o = 3'd0;
    z_o = 1'b0;
    if (f_i) begin
      case (k_i)
        3'd1: z_o = 1'b1;
        3'd2: ;
        default: begin
          if (k_i[0]) z_o = k_i[2];
          else y_o = k_i;
        end
      endcase
    end
  end
endmodule
`

// A mutant may choose what Yosys leaves open. It is 0 then, in all models and simulators.
func TestOpen(t *testing.T) {
	d := bridge.Design{Top: "hidden", FS: fstest.MapFS{"hidden.sv": {Data: []byte(hidden)}}, Files: []string{"hidden.sv"}, Clock: "clk_i"}
	files, err := lanes.Script(t.Context(), d, []string{lower, "write_json netlist.json"}, "netlist.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(files["netlist.json"], []byte(`"x"`)) {
		t.Error("nothing is open")
	}
	list, err := List(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	commands, err := lanes.Faulty(t.Context(), d, []string{lower}, &list[0].fault, "")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(strings.Join(commands, "\n"), `"x"`) {
		t.Error("with a mutant something is open")
	}
}

// written has a memory that is written at times.
const written = `module store (input logic clk_i, input logic we_i, input logic [2:0] a_i, input logic [3:0] d_i, input logic [2:0] b_i, output logic [3:0] y_o);
  logic [3:0] words [32];
  assign y_o = words[{2'd0, b_i}];
  always_ff @(posedge clk_i) if (we_i) words[{2'd0, a_i}] <= d_i;
endmodule
`

// A mutant that enables a write of a bit where there is none writes what would be written to where
// it would be: as RTL does that has no condition there. Yosys leaves both open.
func TestWritesAnyway(t *testing.T) {
	d := bridge.Design{Top: "store", FS: fstest.MapFS{"store.sv": {Data: []byte(written)}}, Files: []string{"store.sv"}, Clock: "clk_i"}
	list, err := List(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	list = slices.DeleteFunc(list, func(m Mutant) bool {
		return m.fault.Port != "A" || m.fault.Kind != lanes.Inverted || !strings.Contains(m.What, "if the condition is false")
	})
	p, err := pins(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := p.Model(t.Context(), faults(list), lanes.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Start(lanes.Options{Zeros: true})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for k := range list {
		var lane lanes.Set
		lane.Add(k)
		if err := b.SetPort(lanes.FaultInput(k), lane, 1); err != nil {
			t.Fatal(err)
		}
	}
	port := func(ports []bridge.Port, name string) int {
		return ports[slices.IndexFunc(ports, func(q bridge.Port) bool { return q.Name == name })].Offset
	}
	layout := m.Layout()
	we, to, data, from := port(layout.Inputs, "we_i"), port(layout.Inputs, "a_i"), port(layout.Inputs, "d_i"), port(layout.Inputs, "b_i")
	const cycles = 500
	in, out := make([]byte, cycles*lanes.Count*layout.InSize), make([]byte, cycles*lanes.Count*layout.OutSize)
	r := rand.New(rand.NewPCG(1, 1))
	var words [4][8]byte // with each bit written always
	left := [4]map[int]bool{}
	for bit := range left {
		left[bit] = map[int]bool{}
		for k := range list {
			left[bit][k] = true
		}
	}
	var want [cycles][4]byte
	for cycle := range cycles {
		row := make([]byte, layout.InSize)
		row[we], row[to], row[data], row[from] = byte(r.IntN(2)), byte(r.IntN(8)), byte(r.IntN(16)), byte(r.IntN(8))
		for lane := range lanes.Count {
			copy(in[(cycle*lanes.Count+lane)*layout.InSize:], row)
		}
		for bit := range words {
			want[cycle][bit] = words[bit][row[from]]
			mask := byte(1) << bit
			if row[we] != 0 {
				mask = 15
			}
			words[bit][row[to]] = words[bit][row[to]]&^mask | row[data]&mask
		}
	}
	if _, err := b.Run(t.Context(), lanes.Rows{In: in, Out: out}, cycles); err != nil {
		t.Fatal(err)
	}
	for bit := range left {
		for cycle := range cycles {
			for k := range left[bit] {
				if out[(cycle*lanes.Count+k)*layout.OutSize] != want[cycle][bit] {
					delete(left[bit], k)
				}
			}
		}
		if len(left[bit]) != 1 {
			t.Errorf("%d of %d mutants write bit %d always", len(left[bit]), len(list), bit)
		}
	}
}
