package bridge_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/bridge"
)

const inner = `
module lane #(parameter int N = 0) (input wire clk_i, input wire [7:0] a_i, output logic [7:0] q_o);
  typedef enum logic [1:0] {IDLE = 0, BUSY = 2, DONE = 3} state_e;
  typedef struct packed {logic [3:0] kind; logic [11:0] data;} item_t;
  state_e state_q;
  item_t item_q;
  logic [3:0][7:0] packed_q;
  logic [7:0] count_q = 0;
  wire [7:0] sum = a_i + count_q;
  always_ff @(posedge clk_i) begin
    count_q <= count_q + 1;
    if (count_q[0]) state_q <= BUSY; else state_q <= DONE;
    item_q <= {4'(N), 4'h0, a_i};
    packed_q <= {packed_q[2:0], a_i};
  end
  assign q_o = sum;
endmodule
module inner(input wire clk_i, input wire [7:0] a_i, input wire write_i, output logic [7:0] q_o, output logic [7:0] word_o,
             output logic [99:0] wide_o);
  logic [7:0] mem [0:15];
  logic [7:0] q [2];
  logic [7:0] plane [4:2][1:3];
  bit [3:0] two [1:0][3];
  initial for (int i = 2; i < 5; i++) for (int j = 1; j < 4; j++) plane[i][j] = 8'(16 * i + j);
  logic [99:0] wide_q = 100'h1_00000002_00000003;
  logic flag_q = 0;
  logic [63:0] unset_q;
  for (genvar i = 0; i < 2; i++) begin : g_lane
    lane #(.N(i + 5)) u_lane(.clk_i, .a_i(a_i + 8'(i)), .q_o(q[i]));
  end
  always_ff @(posedge clk_i) begin
    if (write_i) mem[a_i[3:0]] <= a_i;
    flag_q <= ~flag_q;
    if (write_i) wide_q <= {wide_q[98:0], wide_q[99]};
    if (write_i) unset_q <= 0;
    two[1][2] <= two[0][1] + 4'd3;
    if (a_i == 255) plane[2][1] <= 0;
  end
  assign q_o = q[1];
  assign word_o = mem[3] ^ {7'b0, unset_q[0]};
  assign wide_o = wide_q;
endmodule`

func innerDesign() bridge.Design {
	d := design("inner", inner)
	d.Internals = []string{
		"mem", "plane", "two", "wide_q", "flag_q", "unset_q", "g_lane[1].u_lane.state_q", "g_lane[1].u_lane.item_q",
		"g_lane[1].u_lane.packed_q", "g_lane[1].u_lane.count_q", "g_lane[1].u_lane.sum",
	}
	return d
}

func (d *dut) peek(name string) bridge.Value {
	d.t.Helper()
	v, err := d.Peek(name)
	if err != nil {
		d.t.Fatal(err)
	}
	return v
}

func value(width int, bits ...uint64) bridge.Value { return bridge.Value{Width: width, Bits: bits} }

// Registers, wires, enums, structs, packed arrays and words of memories of any width are read by
// name. Their values are those after the last edge with the last inputs.
func TestPeek(t *testing.T) {
	forEach(t, innerDesign(), func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		for row := range 5 {
			d.set(row, "a_i", uint64(row)+3)
			d.set(row, "write_i", 1)
		}
		d.run(5) // the last a_i is 7
		for name, want := range map[string]bridge.Value{
			"plane[4][1]": value(8, 0x41), "plane[2][3]": value(8, 0x23), "two[1][2]": value(4, 3),
			"mem[3]": value(8, 3), "mem[7]": value(8, 7), "flag_q": value(1, 1),
			"wide_q":                    value(100, 0x0000004000000060, 0x20), // turned left by 5
			"g_lane[1].u_lane.state_q":  value(2, 3),
			"g_lane[1].u_lane.item_q":   value(16, 6<<12|8),
			"g_lane[1].u_lane.packed_q": value(32, 0x05060708),
			"g_lane[1].u_lane.count_q":  value(8, 5),
			"g_lane[1].u_lane.sum":      value(8, 8+5),
		} {
			got := d.peek(name)
			if !got.Known() {
				t.Errorf("%s has unknown bits: %x", name, got.Unknown)
			}
			got.Unknown = nil
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s:\n%s", name, diff)
			}
		}
		if m.name == "icarus" {
			for name, want := range map[string]int{"mem[8]": 8, "mem[3]": 0, "unset_q": 0} {
				known := 0
				for _, w := range d.peek(name).Unknown {
					for ; w != 0; w &= w - 1 {
						known++
					}
				}
				if known != want {
					t.Errorf("%s has %d unknown bits, not %d", name, known, want)
				}
			}
		}
	})
}

// A poked value stays until the RTL assigns the signal again, a forced value until it is released.
func TestPokeAndForce(t *testing.T) {
	forEach(t, innerDesign(), func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		const count = "g_lane[1].u_lane.count_q"
		d.run(2)
		must(d.Poke(count, value(8, 100)))
		must(d.Poke("mem[3]", value(8, 0x5a)))
		must(d.Poke("wide_q", value(100, 0xfedcba9876543210, 0xabcdef123)))
		if got := d.peek(count).Uint64(); got != 100 {
			t.Errorf("%s is %d after it was poked", count, got)
		}
		must(d.Poke("unset_q", value(64, 0)))
		d.run(2)
		for row, want := range []uint64{101, 102} { // a_i is 0, and lane 1 adds 1
			if got := d.get(row, "q_o"); got != want {
				t.Errorf("row %d after the poke: q_o is %d, not %d", row, got, want)
			}
		}
		if got := d.get(0, "word_o"); got != 0x5a {
			t.Errorf("word_o is %#x after mem[3] was poked", got)
		}
		if got := fmt.Sprintf("%x", d.out(1, "wide_o")[:13]); got != "1032547698badcfe23f1debc0a" {
			t.Errorf("wide_o is %s after wide_q was poked", got)
		}
		must(d.Force(count, value(8, 7)))
		d.run(3)
		for row := range 3 {
			if got := d.get(row, "q_o"); got != 8 {
				t.Errorf("row %d with %s forced: q_o is %d, not 8", row, count, got)
			}
		}
		must(d.Force(count, value(8, 9)))
		d.run(2)
		if got := d.peek(count).Uint64(); got != 9 {
			t.Errorf("%s is %d, forced to 9 a second time", count, got)
		}
		must(d.Release(count))
		d.run(3)
		for row, want := range []uint64{10, 11, 12} {
			if got := d.get(row, "q_o"); got != want {
				t.Errorf("row %d after the release: q_o is %d, not %d", row, got, want)
			}
		}
		must(d.Force("g_lane[1].u_lane.sum", value(8, 200)))
		d.run(2)
		if got := d.get(1, "q_o"); got != 200 {
			t.Errorf("q_o is %d with the wire sum forced to 200", got)
		}
		must(d.Release("g_lane[1].u_lane.sum"))
		d.run(1)
		if got := d.get(0, "q_o"); got != 12+3-1+1 {
			t.Errorf("q_o is %d after the wire was released", got)
		}
	})
}

const joined = `
module joined(input wire clk_i, input wire [7:0] a_i, output wire [7:0] top_o, reg_o, other_o, sum_o, const_o, nested_o, inner_o);
  logic [7:0] r = 0;
  always_ff @(posedge clk_i) r <= a_i;
  assign other_o = r;
  stage #(.N(1)) u_top(.clk_i, .d_i(a_i), .q_o(top_o));
  stage #(.N(2)) u_reg(.clk_i, .d_i(r), .q_o(reg_o));
  stage u_sum(.clk_i, .d_i(r[7:1] + 8'd1), .q_o(sum_o));
  stage u_const(.clk_i, .d_i(8'h11), .q_o(const_o));
  nest u_nest(.clk_i, .d_i(r), .q_o(nested_o), .inner_o);
endmodule
module stage #(parameter int N = 0) (input wire clk_i, input wire [7:0] d_i, output logic [7:0] q_o);
  always_ff @(posedge clk_i) q_o <= d_i;
endmodule
module nest(input wire clk_i, input wire [7:0] d_i, output wire [7:0] q_o, inner_o);
  stage u_stage(.clk_i, .d_i, .q_o(inner_o));
  assign q_o = ~d_i;
endmodule`

// An input port of an instance is forced for the instance alone, with all that is below it. Icarus
// makes one net of the port and its driver: there it is an error, and nothing is forced.
func TestForceInputPort(t *testing.T) {
	d := design("joined", joined)
	d.Internals = []string{"u_top.d_i", "u_reg.d_i", "u_sum.d_i", "u_const.d_i", "u_nest.d_i", "u_nest.u_stage.d_i"}
	forEach(t, d, func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		outputs := func() (all []string) {
			for row := range 2 {
				d.set(row, "a_i", 0x24)
			}
			d.run(2)
			for _, name := range []string{"top_o", "reg_o", "other_o", "sum_o", "const_o", "nested_o", "inner_o"} {
				all = append(all, fmt.Sprintf("%s=%02x", name, d.get(1, name)))
			}
			return all
		}
		d.run(1)
		outputs()
		usual := outputs()
		for name, want := range map[string][]string{
			"u_top.d_i": {"top_o=5a"}, "u_reg.d_i": {"reg_o=5a"}, "u_sum.d_i": {"sum_o=5a"}, "u_const.d_i": {"const_o=5a"},
			"u_nest.d_i": {"nested_o=a5", "inner_o=5a"}, "u_nest.u_stage.d_i": {"inner_o=5a"},
		} {
			err := d.Force(name, value(8, 0x5a))
			if m.name == "icarus" {
				for _, err := range []error{err, d.Poke(name, value(8, 0x5a)), d.Release(name)} {
					if _, ok := errors.AsType[*bridge.SignalError](err); !ok || !strings.Contains(err.Error(), "it is an input port of an instance") {
						t.Errorf("%s: the error is %v", name, err)
					}
				}
				want = nil
			} else if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i, text := range outputs() {
				if text != usual[i] {
					got = append(got, text)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("with %s forced, these outputs differ: %v, not %v", name, got, want)
			}
			if m.name == "icarus" {
				continue
			}
			if v := d.peek(name); v.Uint64() != 0x5a {
				t.Errorf("%s is %v, forced to 5a", name, v)
			}
			if err := d.Release(name); err != nil {
				t.Fatal(err)
			}
			if got := outputs(); !slices.Equal(got, usual) {
				t.Errorf("with %s released, the outputs are %v, not %v", name, got, usual)
			}
		}
	})
}

// X and Z can be poked, if the simulator has them.
func TestPokeUnknown(t *testing.T) {
	forEach(t, innerDesign(), func(t *testing.T, m *model) {
		if m.name == "verilator" {
			return // two states only
		}
		d := m.start(bridge.Options{})
		d.run(1)
		if err := d.Poke("wide_q", bridge.Value{Width: 100, Bits: []uint64{0b1010, 1 << 35}, Unknown: []uint64{0b0110, 1 << 35}}); err != nil {
			t.Fatal(err)
		}
		d.run(1)
		if v, u := d.out(0, "wide_o"), d.unknown(0, "wide_o"); v[0] != 0b1010 || u[0] != 0b0110 || v[12] != 8 || u[12] != 8 {
			t.Errorf("wide_o is %x, unknown %x", v, u)
		}
	})
}

// Wrong names and values are errors that say what to do, and do not end the instance.
func TestInternalErrors(t *testing.T) {
	forEach(t, innerDesign(), func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		d.run(1)
		_, notListed := d.Peek("g_lane[0].u_lane.count_q")
		_, noWord := d.Peek("mem[16]")
		_, whole := d.Peek("mem")
		_, notListedWord := d.Peek("q[1]")
		_, oneIndex := d.Peek("plane[3]")
		_, threeIndices := d.Peek("plane[3][2][1]")
		_, outside := d.Peek("plane[3][4]")
		_, wholePlane := d.Peek("plane")
		_, bit := d.Peek("wide_q[3]")
		_, member := d.Peek("g_lane[1].u_lane.item_q.kind")
		for _, c := range []struct {
			err  error
			want string
		}{
			{notListed, "add it"},
			{noWord, "[0:15]"},
			{whole, "mem[3]"},
			{notListedWord, "q is not among Design.Internals: add it there"},
			{oneIndex, "plane is a memory with indices [4:2][1:3]: name a word with 2 of them, for example plane[3][1]"},
			{threeIndices, "name a word with 2 of them"},
			{outside, "the index 4 is not within [1:3]"},
			{wholePlane, "name a word, for example plane[3][1]"},
			{bit, "wide_q is not a memory: name the whole signal, and take the bits of its value"},
			{member, "it is a part of g_lane[1].u_lane.item_q: name that, and take the bits of its value"},
			{d.Poke("flag_q", value(2, 1)), "1 bit"},
			{d.Force("wide_q", bridge.Value{Width: 100, Bits: []uint64{1}}), "100 bits"},
		} {
			if _, ok := errors.AsType[*bridge.SignalError](c.err); !ok || !strings.Contains(c.err.Error(), c.want) {
				t.Errorf("the error is %v, not one with %q", c.err, c.want)
			}
		}
		d.run(1)
		if got := d.peek("flag_q").Uint64(); got != 0 {
			t.Errorf("flag_q is %d after two cycles", got)
		}
	})
}

// A name that the design does not have fails the build, and the error has the nearest names. A name
// that is no signal within the design fails it as well.
func TestMissingInternal(t *testing.T) {
	for _, s := range simulators {
		t.Run(s.name, func(t *testing.T) {
			none := "there is no such signal; the nearest are "
			if s.name == "icarus" {
				none = "there is no such signal (Icarus leaves out what no logic uses); the nearest are "
			}
			for name, want := range map[string]string{
				"g_lane[1].u_lane.coutn_q":     none + "g_lane[1].u_lane.count_q",
				"q_o":                          "it is a port: use a field of In or Out; an output cannot be written from Go: keep its value in a register inside",
				"mem[3]":                       "it is a part of mem: name that",
				"g_lane[1].u_lane.item_q.kind": "it is a part of g_lane[1].u_lane.item_q: name that",
			} {
				d := innerDesign()
				d.Internals = append(slices.Clone(d.Internals), name)
				_, err := s.build(t.Context(), d, bridge.BuildOptions{})
				if _, ok := errors.AsType[*bridge.SignalError](err); !ok || !strings.Contains(err.Error(), "signal "+name+" of") || !strings.Contains(err.Error(), want) {
					t.Errorf("the error is %v, not one with %q", err, want)
				}
			}
		})
	}
}
