package bridge_test

// The specification that both simulators must pass alike: what a port, a cycle, a
// tape, an unknown and an end are. Every test here runs on each of them.

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/icarus"
	"github.com/cosimate/cosimate/bridge/verilator"
)

var simulators = []struct {
	name  string
	build func(context.Context, bridge.Design, bridge.BuildOptions) (bridge.Model, error)
}{
	{"icarus", func(ctx context.Context, d bridge.Design, o bridge.BuildOptions) (bridge.Model, error) {
		return icarus.Build(ctx, d, o)
	}},
	{"verilator", func(ctx context.Context, d bridge.Design, o bridge.BuildOptions) (bridge.Model, error) {
		return verilator.Build(ctx, d, o)
	}},
}

func design(top, source string) bridge.Design {
	return bridge.Design{
		Top: top, Dir: "hw", FS: fstest.MapFS{top + ".sv": {Data: []byte(source)}}, Files: []string{top + ".sv"}, Clock: "clk_i",
	}
}

// model is a design compiled for one simulator.
type model struct {
	t    *testing.T
	name string
	bridge.Model
}

func (m *model) start(opts bridge.Options) *dut {
	m.t.Helper()
	i, err := m.Start(opts)
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() {
		if err := i.Close(); err != nil {
			m.t.Errorf("close: %v", err)
		}
	})
	l := i.Layout()
	return &dut{m.t, i, bridge.Rows{In: make([]byte, maxRows*l.InSize), Out: make([]byte, maxRows*l.OutSize), Unknown: make([]byte, maxRows*l.OutSize)}}
}

func forEach(t *testing.T, d bridge.Design, body func(t *testing.T, m *model)) {
	forEachWith(t, d, bridge.BuildOptions{}, body)
}

func forEachWith(t *testing.T, d bridge.Design, o bridge.BuildOptions, body func(t *testing.T, m *model)) {
	for _, s := range simulators {
		t.Run(s.name, func(t *testing.T) {
			built, err := s.build(t.Context(), d, o)
			if err != nil {
				t.Fatal(err)
			}
			body(t, &model{t, s.name, built})
		})
	}
}

// maxRows is how many rows a dut has.
const maxRows = 512

// dut is an instance with rows, whose ports are set and read by name. It is slow, and does not need
// package sim.
type dut struct {
	t *testing.T
	bridge.Instance
	rows bridge.Rows
}

func (d *dut) port(name string) bridge.Port {
	d.t.Helper()
	for _, p := range slices.Concat(d.Layout().Inputs, d.Layout().Outputs) {
		if p.Name == name {
			return p
		}
	}
	d.t.Fatalf("no port %s in %v", name, d.Layout())
	return bridge.Port{}
}

func (d *dut) slot(rows []byte, size, row int, name string) []byte {
	p := d.port(name)
	return rows[row*size+p.Offset : row*size+p.Offset+p.Size]
}

func (d *dut) in(row int, name string) []byte {
	return d.slot(d.rows.In, d.Layout().InSize, row, name)
}

func (d *dut) out(row int, name string) []byte {
	return d.slot(d.rows.Out, d.Layout().OutSize, row, name)
}

func (d *dut) unknown(row int, name string) []byte {
	return d.slot(d.rows.Unknown, d.Layout().OutSize, row, name)
}

func (d *dut) set(row int, name string, v uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	copy(d.in(row, name), b[:])
}

func (d *dut) get(row int, name string) uint64 {
	var b [8]byte
	copy(b[:], d.out(row, name))
	return binary.LittleEndian.Uint64(b[:])
}

func (d *dut) run(n int) {
	d.t.Helper()
	if done, err := d.Run(context.Background(), &d.rows, n); err != nil || done != n {
		d.t.Fatalf("Run(%d) = %d, %v", n, done, err)
	}
}

const timing = `
module timing(input wire clk_i, input wire [7:0] a_i,
              output wire [7:0] comb_o, output logic [7:0] reg_o, output logic [7:0] fall_o, output logic [63:0] time_o,
              output logic [63:0] edge_o);
  assign comb_o = a_i ^ reg_o;
  initial reg_o = 8'h55;
  initial fall_o = 8'h00;
  initial edge_o = 0;
  always @(posedge clk_i) begin reg_o <= a_i; edge_o <= $time; end
  always @(negedge clk_i) fall_o <= fall_o + 1;
  always @* begin time_o = {56'b0, a_i}; time_o = $time; end
endmodule`

// Outputs are sampled after the inputs of the cycle have settled and before its rising edge. No
// edge is lost, not even the first. Time advances by the period.
func TestCycle(t *testing.T) {
	forEach(t, design("timing", timing), func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		for row := range 5 {
			d.set(row, "a_i", uint64(row)+1)
		}
		d.run(5)
		state := uint64(0x55)
		for row := range 5 {
			a := uint64(row) + 1
			if got := d.get(row, "reg_o"); got != state {
				t.Errorf("cycle %d: reg_o = %#x, not %#x", row, got, state)
			}
			if got := d.get(row, "comb_o"); got != a^state {
				t.Errorf("cycle %d: comb_o = %#x, not %#x", row, got, a^state)
			}
			// Falling edges come with the new inputs: one before each row but the first. Icarus
			// also sees one at time 0, from Z to 0.
			if got := d.get(row, "fall_o") - d.get(0, "fall_o"); got != uint64(row) {
				t.Errorf("cycle %d: %d falling edges since cycle 0", row, got)
			}
			if got := d.get(row, "time_o"); got != uint64(row+1)*10 {
				t.Errorf("cycle %d is at %d ns, not %d", row, got, (row+1)*10)
			}
			if got, want := d.get(row, "edge_o"), uint64(row)*10+5; row > 0 && got != want {
				t.Errorf("cycle %d: the last rising edge was at %d ns, not %d", row, got, want)
			}
			state = a
		}
	})
}

const falling = `
module inverter(input wire i, output wire o);
  assign o = ~i;
endmodule
module below(input wire clk_ni, input wire rst_i, input wire [7:0] d_i, output logic [7:0] q_o);
  always_ff @(posedge clk_ni or posedge rst_i) if (rst_i) q_o <= 0; else q_o <= d_i;
endmodule
module falling(input wire clk_i, input wire rst_i, input wire [7:0] a_i, output wire [7:0] d_o, output logic [7:0] q0_o, output logic [7:0] q1_o,
               output logic [7:0] q2_o, output wire [7:0] q3_o, output wire [7:0] q4_o, output logic [7:0] high_o, output logic [7:0] gated_o);
  logic [7:0] x, y;
  assign x = (a_i ^ 8'h5a) & 8'hfe;
  always_comb y = {x[3:0], x[7:4]};
  assign d_o = (y ^ 8'h81) + x;
  wire n, gate;
  buf (gate, clk_i);
  always_ff @(negedge clk_i) q0_o <= d_o;
  always_ff @(negedge gate or posedge rst_i) if (rst_i) q1_o <= 0; else q1_o <= d_o;
  always @(posedge clk_i or negedge clk_i) q2_o <= d_o;
  inverter inverter(.i(clk_i), .o(n));
  below below(.clk_ni(n), .rst_i, .d_i(d_o), .q_o(q3_o));
  below below2(.clk_ni(!clk_i), .rst_i, .d_i(d_o), .q_o(q4_o));
  // What looks at the level of the clock never sees it high with the inputs of the next cycle.
  always_latch if (clk_i) high_o = d_o;
  initial gated_o = 0;
  wire gated = clk_i & a_i[0];
  always_ff @(posedge gated) gated_o <= gated_o + 1;
endmodule`

// RTL on the falling edge of a clock sees the inputs of the cycle that begins with this edge,
// directly and through logic. It is the same if the clock is inverted on its way.
func TestFallingEdgeSeesInputs(t *testing.T) {
	forEach(t, design("falling", falling), func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		const rows = 200
		r := rand.New(rand.NewPCG(1, 2))
		for row := range rows {
			d.set(row, "a_i", r.Uint64N(256))
		}
		d.run(rows)
		gated := uint64(0)
		for row := 1; row < rows; row++ {
			for i := range 5 {
				name := fmt.Sprintf("q%d_o", i)
				if got, want := d.get(row, name), d.get(row, "d_o"); got != want {
					t.Fatalf("row %d: %s is %#x, not %#x", row, name, got, want)
				}
			}
			if got, want := d.get(row, "high_o"), d.get(row-1, "d_o"); got != want {
				t.Fatalf("row %d: high_o is %#x, not %#x", row, got, want)
			}
			gated += uint64(d.in(row-1, "a_i")[0] & 1)
			if got := d.get(row, "gated_o"); got != gated&0xff {
				t.Fatalf("row %d: gated_o is %d, not %d", row, got, gated)
			}
		}
		// If inputs are settled before the run, the edge comes with the first of these.
		var settled []uint64
		for a := range uint64(2) {
			d.set(0, "a_i", 0x30+a<<1)
			if err := d.Settle(t.Context(), &d.rows); err != nil {
				t.Fatal(err)
			}
			settled = append(settled, d.get(0, "d_o"))
		}
		d.run(1)
		for i := range 5 {
			if got := d.get(0, fmt.Sprintf("q%d_o", i)); got != settled[0] || settled[0] == settled[1] {
				t.Errorf("q%d_o is %#x after %#x were settled", i, got, settled)
			}
		}
	})
}

func TestPeriod(t *testing.T) {
	d := design("timing", timing)
	d.Period = 25 * time.Nanosecond
	forEach(t, d, func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		d.set(1, "a_i", 1)
		d.run(2)
		if got := d.get(1, "time_o"); got != 50 {
			t.Errorf("cycle 1 is at %d ns, not 50", got)
		}
	})
}

// widths is a module with an input and an output of each width. The output is the input, inverted
// and delayed by a cycle.
func widths(all []int) string {
	var ports, body strings.Builder
	for _, w := range all {
		fmt.Fprintf(&ports, ", input wire [%d:0] in_%d_i, output logic [%d:0] out__%d_o", w-1, w, w-1, w)
		fmt.Fprintf(&body, "  always_ff @(posedge clk_i) out__%d_o <= ~in_%d_i;\n", w, w)
	}
	return "module widths(input wire clk_i" + ports.String() + ");\n" + body.String() + "endmodule\n"
}

// Values of any width arrive complete and in their place, in both directions.
func TestWidths(t *testing.T) {
	all := []int{1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 95, 96, 97, 127, 128, 129, 2048, 2079}
	forEach(t, design("widths", widths(all)), func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		const rows = 12
		r := rand.New(rand.NewPCG(1, 2))
		inverted := map[string][]byte{}
		for row := range rows {
			for _, w := range all {
				in := d.in(row, fmt.Sprintf("in_%d_i", w))
				not := make([]byte, len(in))
				for bit := range w {
					if r.IntN(2) == 1 {
						in[bit/8] |= 1 << (bit % 8)
					} else {
						not[bit/8] |= 1 << (bit % 8)
					}
				}
				inverted[fmt.Sprint(row, w)] = not
			}
		}
		d.run(rows)
		for row := 1; row < rows; row++ {
			for _, w := range all {
				name := fmt.Sprintf("out__%d_o", w)
				if diff := cmp.Diff(inverted[fmt.Sprint(row-1, w)], d.out(row, name)); diff != "" {
					t.Errorf("row %d %s:\n%s", row, name, diff)
				}
			}
		}
	})
}

// A tape of n rows gives the same as n steps, and as any pieces of the tape.
func TestTapeIsSteps(t *testing.T) {
	forEach(t, design("timing", timing), func(t *testing.T, m *model) {
		const cycles = 500
		play := func(cut func() int) (trace []uint64) {
			d := m.start(bridge.Options{})
			r := rand.New(rand.NewPCG(3, 4))
			for done := 0; done < cycles; {
				n := min(cut(), cycles-done)
				for row := range n {
					d.set(row, "a_i", r.Uint64N(256))
				}
				d.run(n)
				for row := range n {
					trace = append(trace, d.get(row, "comb_o")<<8|d.get(row, "reg_o")|d.get(row, "time_o")<<16)
				}
				done += n
			}
			return trace
		}
		r := rand.New(rand.NewPCG(5, 6))
		steps := play(func() int { return 1 })
		if diff := cmp.Diff(steps, play(func() int { return cycles })); diff != "" {
			t.Errorf("a tape differs from steps:\n%s", diff)
		}
		if diff := cmp.Diff(steps, play(func() int { return 1 + r.IntN(40) })); diff != "" {
			t.Errorf("a cut tape differs from steps:\n%s", diff)
		}
	})
}

// Under Icarus each bit that is X or Z is reported as such. Verilator has no unknowns: it has
// random values in their place, which depend on the seed.
func TestUnknown(t *testing.T) {
	d := design("unknown", `
module unknown(input wire clk_i, input wire drive_i, output logic [63:0] state_o, output wire [3:0] z_o, output wire [99:0] wide_o);
  logic [63:0] state;
  logic [99:0] wide;
  always_ff @(posedge clk_i) if (drive_i) state <= 64'h123; else state <= state;
  always_ff @(posedge clk_i) wide <= wide;
  assign state_o = state;
  assign z_o = drive_i ? 4'b0110 : 4'bz01x;
  assign wide_o = wide;
endmodule`)
	forEach(t, d, func(t *testing.T, m *model) {
		first := func(seed uint64) (uint64, *dut) {
			d := m.start(bridge.Options{Seed: seed})
			d.run(2)
			return d.get(0, "state_o"), d
		}
		a, d := first(1)
		if m.name == "icarus" {
			if got := d.unknown(0, "state_o"); slices.Contains(got, 0) {
				t.Errorf("state_o before any reset: unknown bits %x, not all", got)
			}
			if v, u := d.out(0, "z_o")[0], d.unknown(0, "z_o")[0]; v != 0b1010 || u != 0b1001 {
				t.Errorf("z01x is value %04b unknown %04b, not 1010 and 1001", v, u)
			}
			if got := d.unknown(0, "wide_o"); got[12] != 0x0f || got[0] != 0xff {
				t.Errorf("the unknown bits of 100 are %x", got)
			}
		} else {
			b, _ := first(2)
			again, _ := first(1)
			if a == b || a != again {
				t.Errorf("power-up values by seed 1, 2 and 1 again: %#x, %#x, %#x", a, b, again)
			}
		}
		d.set(0, "drive_i", 1)
		d.set(1, "drive_i", 1)
		d.run(2)
		if got, u := d.get(1, "state_o"), d.unknown(1, "state_o"); got != 0x123 || slices.Max(u) != 0 {
			t.Errorf("state_o = %#x, unknown %x after it was set", got, u)
		}
	})
}

const ender = `
module ender(input wire clk_i, input wire [2:0] how_i, output logic [7:0] count_o);
  initial count_o = 0;
  always @(posedge clk_i) begin
    count_o <= count_o + 1;
    $display("count %0d", count_o);
    if (how_i == 1) $finish;
    if (how_i == 2) $stop;
    if (how_i == 3) $fatal(1, "the sky is falling");
  end
endmodule`

// $finish, $stop and $fatal are errors with their cycle and, if the simulator reports it, their
// place. Other instances go on.
func TestEnd(t *testing.T) {
	forEach(t, design("ender", ender), func(t *testing.T, m *model) {
		other := m.start(bridge.Options{})
		other.run(1)
		for how, want := range []struct{ icarus, verilator string }{
			1: {"icarus: ender called $finish or $stop in cycle 12", "verilator: ender called $finish in cycle 12 at hw/ender.sv:7"},
			2: {"icarus: ender called $finish or $stop in cycle 12", "verilator: ender called $stop in cycle 12 at hw/ender.sv:8"},
			3: {
				"icarus: ender called $fatal in cycle 12 at hw/ender.sv:9: the sky is falling",
				"verilator: ender called $fatal in cycle 12 at hw/ender.sv:9: the sky is falling",
			},
		} {
			if how == 0 {
				continue
			}
			d := m.start(bridge.Options{})
			d.run(10)
			d.set(0, "how_i", 0)
			d.set(2, "how_i", uint64(how))
			n, err := d.Run(t.Context(), &d.rows, 5)
			var stop *bridge.StopError
			if !errors.As(err, &stop) {
				t.Fatalf("how %d: the error is %v", how, err)
			}
			wanted := want.icarus
			if m.name == "verilator" {
				wanted = want.verilator
			}
			// Newer versions of Icarus report the place.
			if stop.Error() != wanted && !(m.name == "icarus" && how < 3 && stop.Cycle == 12 && strings.HasPrefix(stop.Where, "hw/ender.sv:")) {
				t.Errorf("how %d: the error is\n%v\nnot\n%v", how, err, wanted)
			}
			if n != 3 || d.get(2, "count_o") != 12 {
				t.Errorf("how %d: %d rows were sampled, count_o in the last is %d", how, n, d.get(2, "count_o"))
			}
			if n, again := d.Run(t.Context(), &d.rows, 1); n != 0 || again != err {
				t.Errorf("how %d: a run after the end gives %d, %v", how, n, again)
			}
			if messages := d.Messages(); len(messages) < 13 || messages[12].Text != "count 12" {
				t.Errorf("how %d: the messages are %q", how, messages)
			}
		}
		other.run(3)
		if got := other.get(2, "count_o"); got != 3 {
			t.Errorf("another instance counts %d, not 3", got)
		}
	})
}

// Messages belong to the run in which they were printed, every time.
func TestMessages(t *testing.T) {
	forEach(t, design("ender", ender), func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		for i := range 50 {
			d.run(1)
			if diff := cmp.Diff([]bridge.Message{{Cycle: uint64(i), Text: fmt.Sprintf("count %d", i)}}, d.Messages()); diff != "" {
				t.Fatalf("run %d:\n%s", i, diff)
			}
		}
	})
}

// Instances are independent of each other when they run in parallel, on any threads.
func TestParallelInstances(t *testing.T) {
	forEach(t, design("ender", ender), func(t *testing.T, m *model) {
		var wg sync.WaitGroup
		for i := range 8 {
			d := m.start(bridge.Options{Seed: uint64(i) + 1})
			wg.Go(func() {
				for range 20 {
					if _, err := d.Run(context.Background(), &d.rows, i+1); err != nil {
						t.Errorf("instance %d: %v", i, err)
						return
					}
				}
				if got, want := d.get(i, "count_o"), uint64(20*(i+1)-1)&0xff; got != want {
					t.Errorf("instance %d: count_o = %d, not %d", i, got, want)
				}
			})
		}
		wg.Wait()
	})
}

// Parameters, defines, several files and include folders reach both simulators.
func TestDesignOptions(t *testing.T) {
	d := bridge.Design{
		Top: "top", Dir: "hw", Clock: "clk_i",
		FS: fstest.MapFS{
			"top.sv":        {Data: []byte("`include \"value.svh\"\n`define NAME \"named.svh\"\n`include `NAME\nmodule top #(parameter int Add = 1) (input wire clk_i, input wire [7:0] a_i, output wire [7:0] b_o);\n  leaf #(.Add(Add)) leaf(.a_i, .b_o);\nendmodule")},
			"sub/leaf.sv":   {Data: []byte("module leaf #(parameter int Add = 2) (input wire [7:0] a_i, output wire [7:0] b_o);\n  assign b_o = a_i + 8'(Add) + `VALUE + `MORE + `NAMED;\nendmodule")},
			"inc/value.svh": {Data: []byte("`include \"deep/er/a.svh\"\n`define VALUE (`A + `B)\n")},
			// Included by a macro, which Sources does not expand.
			"inc/named.svh": {Data: []byte("`define NAMED 8'd2\n")},
			"inc/other.txt": {Data: []byte("not RTL\n")},
			"inc/sub/x.svh": {Data: []byte("not looked at\n")},
			// Below an include folder; a link.
			"inc/deep/er/a.svh": {Data: []byte("`include  \"deep/b.svh\"\n`define A 8'd3\n")},
			"inc/deep/b.svh":    {Data: []byte("../../b.svh"), Mode: fs.ModeSymlink},
			"b.svh":             {Data: []byte("`define B 8'd7\n")},
			"unrelated.sv":      {Data: []byte("syntax error\n")},
			"sub/unrelated2":    {Data: nil},
		},
		Files: []string{"top.sv", "sub/leaf.sv"}, Include: []string{"inc"},
		Params: map[string]string{"Add": "40'h00_0000_0064"}, Defines: map[string]string{"MORE": "(8'd20 + 8'd30)"},
	}
	forEach(t, d, func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		d.set(0, "a_i", 1)
		d.run(1)
		if got := d.get(0, "b_o"); got != 163 {
			t.Errorf("b_o = %d, not 163", got)
		}
	})
}

// Ports have their Verilog names in both simulators, even if the C++ has others. The name of the
// top module may be an escaped one.
func TestNames(t *testing.T) {
	names := []string{"data$", "operator", "short", "a__b", "_x", "delete", "__SYM", "TOP", "root"}
	var ports, body strings.Builder
	for i, name := range names {
		fmt.Fprintf(&ports, ", input wire [7:0] %s, output wire [15:0] %s_o", name, name)
		fmt.Fprintf(&body, "  assign %s_o = {%s, 8'd%d};\n", name, name, i)
	}
	d := design("top", "module \\a+b/c (input wire clk$"+ports.String()+");\n"+body.String()+"endmodule\n")
	d.Top, d.Clock = "a+b/c", "clk$"
	forEach(t, d, func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		for i, name := range names {
			d.set(0, name, uint64(i*19))
		}
		d.run(1)
		for i, name := range names {
			if got, want := d.get(0, name+"_o"), uint64(i*19<<8|i); got != want {
				t.Errorf("%s_o is %#x, not %#x", name, got, want)
			}
		}
	})
}

// A port is an error if Verilator's class already has a member of that name. Icarus takes it.
func TestTakenNames(t *testing.T) {
	for _, name := range []string{"name", "eval", "Vdut", "vlSymsp", "rootp", "contextp", "final_"} {
		d := design("m", "module m(input wire clk_i, output wire "+name+"); assign "+name+" = 1; endmodule")
		for _, s := range simulators {
			wrong := s.name == "verilator" && name != "final_"
			_, err := s.build(t.Context(), d, bridge.BuildOptions{})
			if wrong != (err != nil) || wrong && !strings.Contains(err.Error(), "port "+name+": the C++ class that Verilator makes of a design has a member of that name: rename the port") {
				t.Errorf("%s: %v", s.name, err)
			}
		}
	}
}

// A design without a clock is combinational: each row is a settled state.
func TestNoClock(t *testing.T) {
	d := design("comb", "module comb(input wire [7:0] a_i, output wire [7:0] b_o); assign b_o = a_i + 1; endmodule")
	d.Clock = ""
	forEach(t, d, func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		for row := range 4 {
			d.set(row, "a_i", uint64(row*7))
		}
		d.run(4)
		for row := range 4 {
			if got := d.get(row, "b_o"); got != uint64(row*7+1) {
				t.Errorf("row %d: b_o = %d", row, got)
			}
		}
	})
}

// A context that ends between two runs ends the second, even if both are short.
func TestCancelledBetweenRuns(t *testing.T) {
	forEach(t, design("ender", ender), func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		ctx, cancel := context.WithCancelCause(t.Context())
		if n, err := d.Run(ctx, &d.rows, 1); n != 1 || err != nil {
			t.Fatalf("the first run gives %d, %v", n, err)
		}
		cause := errors.New("enough")
		cancel(cause)
		for range 2 {
			if n, err := d.Run(ctx, &d.rows, 1); n != 0 || !errors.Is(err, cause) {
				t.Errorf("a run after the cancellation gives %d, %v", n, err)
			}
		}
	})
}

// shapeWidths are the widths of the ports of TestShape.
var shapeWidths = []int{1, 5, 8, 13, 16, 27, 32, 40, 64, 65, 96, 100}

// oddShape places ports in reverse order, at odd addresses, wider than necessary, and some as
// signed.
func oddShape(ports []bridge.Port) (*bridge.Layout, error) {
	l := &bridge.Layout{InSize: 3, OutSize: 1}
	for i, p := range slices.Backward(ports) {
		side, end := &l.Inputs, &l.InSize
		if p.Dir == bridge.Output {
			side, end = &l.Outputs, &l.OutSize
		}
		p.Offset, p.Size, p.Signed = *end, 8, p.Width <= 64 && i%4 < 2
		if p.Width > 64 {
			p.Size = 16
		}
		*end += p.Size + 1
		*side = append(*side, p)
	}
	return l, nil
}

// Rows have the user's shape: any order of ports, offsets of any alignment, sizes above what the
// width needs, and signs. Nothing between the ports is written.
func TestShape(t *testing.T) {
	forEachWith(t, design("widths", widths(shapeWidths)), bridge.BuildOptions{Shape: oddShape}, func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		for i := range d.rows.In {
			d.rows.In[i] = byte(i*i>>3 ^ i*37)
		}
		for i := range d.rows.Out {
			d.rows.Out[i] = 0xa5
		}
		const rows = 20
		for row := range rows {
			for _, p := range d.Layout().Inputs {
				value := d.in(row, p.Name)
				for bit := p.Width; bit < 8*p.Size; bit++ {
					value[bit/8] &^= 1 << (bit % 8)
					if p.Signed {
						value[bit/8] |= value[(p.Width-1)/8] >> ((p.Width - 1) % 8) & 1 << (bit % 8)
					}
				}
			}
		}
		d.run(rows)
		want := bytes.Repeat([]byte{0xa5}, rows*d.Layout().OutSize)
		for row := 1; row < rows; row++ {
			for _, w := range shapeWidths {
				in, p := d.in(row-1, fmt.Sprintf("in_%d_i", w)), d.port(fmt.Sprintf("out__%d_o", w))
				out := d.slot(want, d.Layout().OutSize, row, p.Name)
				for bit := range p.Size * 8 {
					source := bit
					if p.Signed {
						source = min(bit, w-1)
					}
					out[bit/8] &^= 1 << (bit % 8)
					if source < w && in[source/8]>>(source%8)&1 == 0 {
						out[bit/8] |= 1 << (bit % 8)
					}
				}
			}
		}
		l := d.Layout()
		if diff := cmp.Diff(want[l.OutSize:], d.rows.Out[l.OutSize:rows*l.OutSize]); diff != "" {
			t.Errorf("%v:\n%s", l.Outputs, diff)
		}
	})
}
