package lanes_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
)

const small = `
module small (input logic clk_i, input logic rst_i, input logic [3:0] a_i, input logic [5:0] fault_i, output logic [7:0] sum_o, output logic full_o,
              output logic [3:0] free_o);
  logic [7:0] sum_q, held;
  logic [3:0] free_q;
  logic [3:0] mem [32];
  initial for (int i = 0; i < 16; i++) mem[i] = 4'h9;
  always_ff @(posedge clk_i) begin
    sum_q <= rst_i ? '0 : held + {4'b0, a_i} + {7'b0, fault_i == 6'd9};
    free_q <= {free_q[2:0], free_q[3]};
    if (!rst_i) assert (sum_q != 8'h30);
    if (rst_i && a_i == 15) mem[31] <= sum_q[3:0];
  end
  assign held = sum_q;
  assign sum_o = sum_q;
  assign full_o = sum_q >= 8'h40;
  assign free_o = free_q ^ mem[{1'b1, a_i}];
endmodule`

func smallDesign() bridge.Design {
	return bridge.Design{Top: "small", Dir: "hw", Files: []string{"small.sv"}, Clock: "clk_i", Reset: "rst_i", FS: fstest.MapFS{"small.sv": {Data: []byte(small)}}}
}

// batch is a batch whose ports are set and read by name.
type batch struct {
	t *testing.T
	*lanes.Batch
	l *bridge.Layout
}

func start(t *testing.T, o lanes.BuildOptions, p lanes.Options, internals ...string) *batch {
	t.Helper()
	d := smallDesign()
	d.Internals = internals
	m, err := lanes.Build(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Start(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return &batch{t, b, m.Layout()}
}

// row is a row of inputs: the reset and a_i, and fault_i if there is room for it.
func (b *batch) row(rst, a byte) []byte {
	row := make([]byte, b.l.InSize)
	for _, p := range b.l.Inputs {
		switch p.Name {
		case "rst_i":
			row[p.Offset] = rst
		case "a_i":
			row[p.Offset] = a
		}
	}
	return row
}

func (b *batch) out(lane int, name string) byte {
	b.t.Helper()
	row := make([]byte, b.l.OutSize)
	if err := b.Get(lane, row); err != nil {
		b.t.Fatal(err)
	}
	for _, p := range b.l.Outputs {
		if p.Name == name {
			return row[p.Offset]
		}
	}
	b.t.Fatalf("no output %s", name)
	return 0
}

func (b *batch) run(rows lanes.Rows, n int) {
	b.t.Helper()
	if played, err := b.Run(b.t.Context(), rows, n); err != nil || played != n {
		b.t.Fatalf("played %d of %d cycles: %v", played, n, err)
	}
}

func (b *batch) reset() { b.run(lanes.Rows{In: b.row(1, 0), Shared: true}, 1) }

// A port that rows do not have is set by lane, and keeps its value: a lane a fault. The comparison
// with one expectation says which lanes differ, and since when.
func TestWant(t *testing.T) {
	shape := func(ports []bridge.Port) (*bridge.Layout, error) {
		var shown []bridge.Port
		for _, p := range ports {
			if p.Name != "fault_i" {
				shown = append(shown, p)
			}
		}
		return bridge.NewLayout(shown), nil
	}
	b := start(t, lanes.BuildOptions{Shape: shape}, lanes.Options{Alike: true})
	var faulty lanes.Set
	faulty.Add(3)
	faulty.Add(300)
	if err := b.SetPort("fault_i", faulty, 9); err != nil {
		t.Fatal(err)
	}
	b.reset()
	// The rows of a good lane are what is wanted of all.
	const n = 5
	in := bytes.Repeat(b.row(0, 2), n)
	good := start(t, lanes.BuildOptions{}, lanes.Options{Alike: true})
	good.reset()
	out := make([]byte, n*lanes.Count*b.l.OutSize)
	good.run(lanes.Rows{In: bytes.Repeat(good.row(0, 2), n), Shared: true, Out: out}, n)
	var want []byte
	for cycle := range n {
		want = append(want, out[cycle*lanes.Count*b.l.OutSize:][:b.l.OutSize]...)
	}
	// Nobody cares for the sum up to and with the third cycle.
	care := bytes.Repeat([]byte{0xff}, len(want))
	for _, p := range b.l.Outputs {
		if p.Name == "sum_o" {
			for cycle := range 3 {
				care[cycle*b.l.OutSize+p.Offset] = 0
			}
		}
	}
	b.run(lanes.Rows{In: in, Shared: true, Want: want, Care: care}, n)
	if got := b.Differing(); got != faulty {
		t.Errorf("the lanes %v differ, not %v", got, faulty)
	}
	if got := b.Since(300); got != 4 {
		t.Errorf("lane 300 differs since cycle %d, not 4", got)
	}
	b.Forget()
	if got := b.Differing(); got.Len() != 0 {
		t.Errorf("%d lanes differ after Forget", got.Len())
	}
	b.run(lanes.Rows{In: in[:b.l.InSize], Shared: true, Want: want}, 1)
	if got := b.Differing(); got != lanes.All() {
		t.Errorf("%d lanes differ from a row of another cycle", got.Len())
	}
}

// Until ends after the first cycle in which any lane has the output at 1.
func TestUntil(t *testing.T) {
	b := start(t, lanes.BuildOptions{}, lanes.Options{})
	b.reset()
	for lane := range lanes.Count {
		if err := b.Set(lane, b.row(0, byte(lane%8))); err != nil {
			t.Fatal(err)
		}
	}
	played, came, err := b.Until(t.Context(), 1000, "full_o")
	if err != nil || !came || played != 11 { // 7 times 10 is 0x46
		t.Errorf("full_o came %v after %d cycles: %v", came, played, err)
	}
	if a, c := b.out(15, "sum_o"), b.out(6, "sum_o"); a != 70 || c != 60 {
		t.Errorf("the sums are %d and %d", a, c)
	}
	if _, _, err := b.Until(t.Context(), 1, "sum_o"); err == nil || !strings.Contains(err.Error(), "no output sum_o of one bit") {
		t.Errorf("waiting for a word: %v", err)
	}
	if b.Cycle() != 12 {
		t.Errorf("%d cycles were played", b.Cycle())
	}
}

// Assertions are counted by lane. One at an edge is seen in the cycle after.
func TestViolations(t *testing.T) {
	b := start(t, lanes.BuildOptions{}, lanes.Options{})
	b.reset()
	for lane := range lanes.Count {
		if err := b.Set(lane, b.row(0, byte(lane%16))); err != nil {
			t.Fatal(err)
		}
	}
	b.run(lanes.Rows{}, 15)
	all := b.Violations()
	// 0x30 is 3 * 16, 4 * 12, 6 * 8, 8 * 6 and 12 * 4; 3 does not get there in 15 cycles.
	if len(all) != 1 || all[0].Where != "hw/small.sv:11" || all[0].Lanes.Len() != 4*lanes.Count/16 || !all[0].Lanes.Has(4) || all[0].Lanes.Has(3) || all[0].Cycle != 6 {
		t.Errorf("violations: %+v", all)
	}
	b.Forget()
	if all := b.Violations(); len(all) != 0 {
		t.Errorf("after Forget: %v", all)
	}
}

// An assertion beside an asynchronous reset is looked at while that is not active, one in logic in
// each cycle, and one with a condition if that holds. What is printed changes nothing.
func TestAssertions(t *testing.T) {
	const text = `
module m (input logic clk_i, input logic rst_ni, input logic [3:0] a_i, output logic [3:0] y_o);
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) y_o <= 0;
    else begin
      y_o <= a_i;
      assert (a_i != 1);
    end
  always_comb assert (a_i != 2);
  always @(posedge clk_i)
    if (y_o[3]) begin
      assume (a_i != 3);
      $display("%d", a_i);
    end
endmodule`
	d := bridge.Design{Top: "m", Dir: "hw", Files: []string{"m.sv"}, Clock: "clk_i", FS: fstest.MapFS{"m.sv": {Data: []byte(text)}}}
	m, err := lanes.Build(t.Context(), d, lanes.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Start(lanes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	// What a_i is in the lanes, cycle by cycle; the first is in reset.
	values := [][4]uint64{{1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 0, 2, 0}, {0, 8, 3, 0}, {8, 3, 3, 0}}
	set := func(port string, in lanes.Set, v uint64) {
		t.Helper()
		if err := b.SetPort(port, in, v); err != nil {
			t.Fatal(err)
		}
	}
	for cycle := range 4 {
		set("rst_ni", lanes.All(), uint64(min(cycle, 1)))
		for lane, v := range values {
			var in lanes.Set
			in.Add(lane)
			set("a_i", in, v[cycle])
		}
		if _, err := b.Run(t.Context(), lanes.Rows{}, 1); err != nil {
			t.Fatal(err)
		}
	}
	got := ""
	for _, v := range b.Violations() {
		got += fmt.Sprintf("%s in cycle %d, lanes", v.Where, v.Cycle)
		for lane := range values {
			if v.Lanes.Has(lane) {
				got += fmt.Sprint(" ", lane)
			}
		}
		got += "\n"
	}
	if want := "hw/m.sv:12 in cycle 3, lanes 4\nhw/m.sv:7 in cycle 2, lanes 1\nhw/m.sv:9 in cycle 0, lanes 2 3\n"; sorted(got) != sorted(want) {
		t.Errorf("violations:\n%swant\n%s", got, want)
	}
}

// sorted returns a text with its lines in order.
func sorted(text string) string {
	lines := strings.SplitAfter(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// A value that does not fit its port is an error, and its cycle is not played.
func TestMisfit(t *testing.T) {
	b := start(t, lanes.BuildOptions{}, lanes.Options{})
	b.reset()
	rows := append(b.row(0, 1), b.row(0, 16)...)
	played, err := b.Run(t.Context(), lanes.Rows{In: rows, Shared: true}, 2)
	e, ok := errors.AsType[*lanes.RowError](err)
	if played != 1 || !ok || e.Lane != -1 || e.Row != 1 || !strings.Contains(err.Error(), "row 1: 0x10 does not fit port input [3:0] a_i") {
		t.Errorf("played %d: %v", played, err)
	}
	each := bytes.Repeat(b.row(0, 1), lanes.Count)
	copy(each[77*b.l.InSize:], b.row(0, 0xff))
	played, err = b.Run(t.Context(), lanes.Rows{In: each}, 1)
	if e, ok := errors.AsType[*lanes.RowError](err); played != 0 || !ok || e.Lane != 77 {
		t.Errorf("played %d: %v", played, err)
	}
	if err := b.Set(5, b.row(0, 16)); err == nil || !strings.Contains(err.Error(), "in lane 5") {
		t.Errorf("Set: %v", err)
	}
	// It goes on. The sum of the one cycle that was played is there.
	b.run(lanes.Rows{In: b.row(0, 0), Shared: true}, 1)
	if got := b.out(77, "sum_o"); got != 1 {
		t.Errorf("the sum is %d", got)
	}
	for _, rows := range []lanes.Rows{{In: each[1:]}, {Out: each[:1]}, {Want: []byte{}}, {Care: each}} {
		if _, err := b.Run(t.Context(), rows, 1); err == nil {
			t.Errorf("rows of %d, %d, %d and %d bytes are taken", len(rows.In), len(rows.Out), len(rows.Want), len(rows.Care))
		}
	}
}

// Values at power-up follow from the seed, each lane its own, unless they are to be alike. Words of
// memories with an initial value have it.
func TestPowerUp(t *testing.T) {
	free := func(o lanes.Options) string {
		b := start(t, lanes.BuildOptions{}, o)
		b.run(lanes.Rows{In: b.row(1, 3), Shared: true}, 1)
		all := ""
		for lane := range lanes.Count {
			all += string('0' + rune(b.out(lane, "free_o")))
		}
		return all
	}
	one := free(lanes.Options{Seed: 1})
	if one != free(lanes.Options{Seed: 1}) || one == free(lanes.Options{Seed: 2}) {
		t.Error("values at power-up do not follow from the seed")
	}
	for v := range 16 {
		if n := strings.Count(one, string('0'+rune(v))); n < 10 || n > 60 {
			t.Errorf("%d of 512 lanes have %d", n, v)
		}
	}
	if alike := free(lanes.Options{Seed: 3, Alike: true}); strings.Count(alike, alike[:1]) != lanes.Count {
		t.Errorf("alike, they are %s", alike)
	}
	for lane, v := range free(lanes.Options{Seed: 1, Inverted: true}) {
		if other := rune(one[lane]); v-'0' != '?'-other {
			t.Fatalf("inverted, %c of lane %d is %c", other, lane, v)
		}
	}
}

// Registers without an initial value begin with 0 if that is asked for.
func TestZeros(t *testing.T) {
	b := start(t, lanes.BuildOptions{}, lanes.Options{Seed: 1, Zeros: true}, "free_q")
	b.run(lanes.Rows{In: b.row(1, 3), Shared: true}, 1)
	for lane := range lanes.Count {
		if v, err := b.Peek("free_q", lane); err != nil || v.Uint64() != 0 {
			t.Fatalf("lanes begin with %v, not 0: %v", v, err)
		}
	}
}

// A register is written once, by lane, and need not be named in the design.
func TestPoke(t *testing.T) {
	b := start(t, lanes.BuildOptions{}, lanes.Options{})
	b.reset()
	b.run(lanes.Rows{In: bytes.Repeat(b.row(0, 1), 4), Shared: true}, 4)
	var in lanes.Set
	in.Add(9)
	if err := b.Poke("sum_o", in, bridge.Value{Width: 8, Bits: []uint64{0x80}}); err != nil {
		t.Fatal(err)
	}
	b.run(lanes.Rows{In: b.row(0, 1), Shared: true}, 1)
	if a, c := b.out(9, "sum_o"), b.out(10, "sum_o"); a != 0x80 || c != 4 {
		t.Errorf("written, the sums are %#x and %#x", a, c)
	}
	b.run(lanes.Rows{In: b.row(0, 1), Shared: true}, 1)
	if a, c := b.out(9, "sum_o"), b.out(10, "sum_o"); a != 0x81 || c != 5 {
		t.Errorf("a cycle later, the sums are %#x and %#x", a, c)
	}
	for _, test := range []struct {
		name  string
		value bridge.Value
		says  string
	}{
		{"held", bridge.Value{Width: 8, Bits: []uint64{1}}, "no register of this name"},
		{"sum_o", bridge.Value{Width: 9, Bits: []uint64{1}}, "9 bits is written, and lanes have 8"},
		{"sum_o", bridge.Value{Width: 8, Bits: []uint64{1}, Unknown: []uint64{1}}, "no X or Z"},
	} {
		if err := b.Poke(test.name, in, test.value); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s = %v: %v", test.name, test.value, err)
		}
	}
}

// Internal signals are read and forced by lane.
func TestForce(t *testing.T) {
	b := start(t, lanes.BuildOptions{}, lanes.Options{}, "sum_q", "free_q")
	b.reset()
	b.run(lanes.Rows{In: bytes.Repeat(b.row(0, 1), 4), Shared: true}, 4)
	if v, err := b.Peek("sum_q", 9); err != nil || v.Uint64() != 3 || v.Width != 8 {
		t.Errorf("sum_q is %v, %v", v, err)
	}
	var in lanes.Set
	in.Add(9)
	if err := b.Force("sum_q", in, bridge.Value{Width: 8, Bits: []uint64{0x80}}); err != nil {
		t.Fatal(err)
	}
	b.run(lanes.Rows{}, 3)
	if a, c := b.out(9, "sum_o"), b.out(10, "sum_o"); a != 0x80 || c != 6 {
		t.Errorf("forced, the sums are %#x and %#x", a, c)
	}
	if err := b.Release("sum_q", lanes.All()); err != nil {
		t.Fatal(err)
	}
	b.run(lanes.Rows{}, 1)
	if a, c := b.out(9, "sum_o"), b.out(10, "sum_o"); a != 0x81 || c != 7 {
		t.Errorf("released, the sums are %#x and %#x", a, c)
	}
	for name, says := range map[string]string{"sum": "did you mean sum_q", "mem": "not among Design.Internals"} {
		if _, err := b.Peek(name, 0); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	d := smallDesign()
	d.Internals = []string{"sum_o", "held", "nothing"}
	_, err := lanes.Build(t.Context(), d, lanes.BuildOptions{})
	if err == nil || !strings.Contains(err.Error(), "signal sum_o of module small: Design.Internals names it, and it is a port") || !strings.Contains(err.Error(), "signal nothing") {
		t.Errorf("what cannot be reached: %v", err)
	}
	d.Internals = []string{"held"}
	if _, err := lanes.Build(t.Context(), d, lanes.BuildOptions{}); err == nil || !strings.Contains(err.Error(), "another name") {
		t.Errorf("another name: %v", err)
	}
}

// A context that has ended ends a run, and a closed batch answers with an error.
func TestEnds(t *testing.T) {
	b := start(t, lanes.BuildOptions{}, lanes.Options{})
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if n, err := b.Run(ctx, lanes.Rows{}, 5); n != 0 || err != why {
		t.Errorf("played %d: %v", n, err)
	}
	b.run(lanes.Rows{}, 5)
	b.Close()
	b.Close()
	if _, err := b.Run(t.Context(), lanes.Rows{}, 5); err == nil {
		t.Error("a closed batch runs")
	}
	if b.Set(0, nil) == nil || b.Get(0, nil) == nil || b.SetPort("a_i", lanes.All(), 1) == nil || b.Violations() != nil || b.Differing() != (lanes.Set{}) {
		t.Error("a closed batch answers")
	}
}
