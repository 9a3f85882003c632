package mutate_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/mutate"
)

// A counter that stops at its end, and says so. What is counted is valid only while it runs.
const rtl = `module stop (input logic clk_i, input logic rst_i, input logic run_i, input logic [1:0] step_i,
              output logic [2:0] count_o, output logic valid_o, output logic end_o);
  logic [2:0] count_q;
  logic [3:0] sum;
  assign sum = {1'b0, count_q} + {2'b0, step_i};
  always_ff @(posedge clk_i)
    if (rst_i) count_q <= '0;
    else if (run_i) count_q <= (sum > 4'd6) ? 3'd6 : sum[2:0];
  assign count_o = run_i ? count_q : ~count_q;
  assign valid_o = run_i;
  assign end_o = count_q == 3'd6;
endmodule
`

var design = sim.Design{Top: "stop", Dir: "hw", FS: fstest.MapFS{"stop.sv": {Data: []byte(rtl)}}, Files: []string{"stop.sv"}, Clock: "clk_i", Reset: "rst_i"}

type in struct {
	Rst, Run bool
	Step     uint8
}

type out struct {
	Count      uint8
	Valid, End bool
}

type model struct{ count uint8 }

func (m *model) Reset() { m.count = 0 }
func (m *model) Step(i in) out {
	o := out{Count: m.count, Valid: i.Run, End: m.count == 6}
	switch {
	case i.Rst:
		m.count = 0
	case i.Run:
		m.count = min(6, m.count+i.Step)
	}
	return o
}

func (m *model) DontCare(want out) (mask out) {
	if !want.Valid {
		mask.Count = 7
	}
	return mask
}

// inputs are random; long ones reach the end of the counter, and the reset after it.
func inputs(seed uint64, cycles int, steps uint8) iter.Seq[in] {
	return func(yield func(in) bool) {
		r := rand.New(rand.NewPCG(seed, 0))
		for range cycles {
			if !yield(in{Rst: r.IntN(20) == 0, Run: r.IntN(3) > 0, Step: uint8(r.IntN(int(steps)))}) {
				return
			}
		}
	}
}

// tests are names and stimuli.
type tests map[string]iter.Seq[in]

// record records tests: each is a name and its stimulus.
func record(t *testing.T, d sim.Design, all tests) []mutate.Source {
	t.Helper()
	dir := t.TempDir()
	for name, stimulus := range all {
		d, err := sim.Open[in, out](t.Context(), d, sim.Verilator, sim.WithTape(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := sim.Compare(d, &model{}, stimulus); err != nil {
			t.Fatal(err)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return []mutate.Source{{Dir: dir, Package: "./stop"}}
}

func run(t *testing.T, all tests) *mutate.Report {
	t.Helper()
	return runOf(t, design, all)
}

func runOf(t *testing.T, d sim.Design, all tests) *mutate.Report {
	t.Helper()
	r, err := mutate.Run(t.Context(), record(t, d, all), mutate.Options{Limit: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What a test writes to a register is played, too: no test has time to count to the upper bits of a
// counter. What it writes to anything else ends what is played of it.
func TestPoked(t *testing.T) {
	const text = `module timer (input logic clk_i, input logic rst_i, input logic run_i, output logic [47:0] count_o);
  logic [47:0] count_q, next;
  assign next = count_q + 48'd1;
  always_ff @(posedge clk_i) if (rst_i) count_q <= '0; else if (run_i) count_q <= next;
  assign count_o = count_q;
endmodule
`
	type in struct{ Rst, Run bool }
	type out struct{ Count uint64 }
	d := sim.Design{Top: "timer", FS: fstest.MapFS{"timer.sv": {Data: []byte(text)}}, Files: []string{"timer.sv"}, Clock: "clk_i", Reset: "rst_i",
		Internals: []string{"count_q", "next"}}
	timed := func(signal string, most int) *mutate.Report {
		dir := t.TempDir()
		dut, err := sim.Open[in, out](t.Context(), d, sim.Verilator, sim.WithTape(dir, "TestTimer"))
		if err != nil {
			t.Fatal(err)
		}
		expect := func(i in, count uint64) {
			t.Helper()
			if err := dut.Expect([]in{i}, []out{{count}}, nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := dut.Reset(2); err != nil {
			t.Fatal(err)
		}
		expect(in{}, 0)
		random := rand.New(rand.NewPCG(1, 0))
		for n := range 60 {
			count := random.Uint64N(1 << 48)
			if n < 47 {
				count = count>>n<<n | 1<<n - 1 // a carry over n bits
			}
			if err := dut.Poke(signal, sim.Bits(48, count)); err != nil {
				t.Fatal(err)
			}
			if signal == "next" {
				expect(in{}, 0)
				continue
			}
			expect(in{}, count)
			expect(in{Run: true}, count)
			expect(in{Rst: n%8 == 0}, count+1)
		}
		if err := dut.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := mutate.Run(t.Context(), []mutate.Source{{Dir: dir, Package: "./timer"}}, mutate.Options{Limit: time.Second, Most: most})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := timed("count_q", 20); !r.OK() || r.Count(mutate.Found) < 20 || len(r.Notes) > 0 {
		t.Errorf("%v\n%s", r.Notes, r.Text())
	}
	r := timed("next", 1)
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "not played from cycle 3 on: the test writes to an internal signal there: lanes: signal next of module timer: lanes have no register of this name") {
		t.Errorf("%q", r.Notes)
	}

	// Yosys calls a register that is an output by the output's name.
	d.FS = fstest.MapFS{"timer.sv": {Data: []byte(`module count (input logic clk_i, input logic rst_i, input logic run_i, output logic [47:0] total_o);
  always_ff @(posedge clk_i) if (rst_i) total_o <= '0; else if (run_i) total_o <= total_o + 48'd1;
endmodule
module timer (input logic clk_i, input logic rst_i, input logic run_i, output logic [47:0] count_o);
  count u_count (.clk_i(clk_i), .rst_i(rst_i), .run_i(run_i), .total_o(count_o));
endmodule
`)}}
	d.Internals = []string{"u_count.total_o"}
	if r := timed("u_count.total_o", 20); !r.OK() || r.Count(mutate.Found) < 15 || len(r.Notes) > 0 {
		t.Errorf("%v\n%s", r.Notes, r.Text())
	}
}

// A good test finds all mutants that change something. The others are proved to change nothing, and
// random inputs agree. A weak test misses mutants; each is shown by a stimulus.
func TestRun(t *testing.T) {
	good := run(t, tests{"TestGood": inputs(1, 3000, 4)})
	if !good.OK() || good.Count(mutate.Found) < 100 || good.Count(mutate.Equivalent) < 5 {
		t.Errorf("of a good test:\n%s", good.Text())
	}
	if by := good.Valid["count_o"]; by != "valid_o" {
		t.Errorf("count_o counts where %s is 1", by)
	}
	if n := good.Tests()["TestGood"]; n != good.Count(mutate.Found) {
		t.Errorf("TestGood has found %d of %d", n, good.Count(mutate.Found))
	}
	tried := 0
	for i := range good.Results {
		m := &good.Results[i]
		if m.Verdict != mutate.Equivalent || tried >= 2 || i%3 != 0 {
			continue
		}
		tried++
		if differs, err := good.Differs(t.Context(), m, 100_000, 1); differs || err != nil {
			t.Errorf("%s is called equivalent, and differs: %v", m.What, err)
		}
	}
	for i := range good.Results { // the check of the check
		if m := &good.Results[i]; m.Verdict == mutate.Found {
			if differs, err := good.Differs(t.Context(), m, 100_000, 1); !differs || err != nil {
				t.Errorf("%s is found, and does not differ: %v", m.What, err)
			}
			break
		}
	}

	weak := run(t, tests{"TestWeak": inputs(1, 60, 2)})
	if weak.OK() || weak.Count(mutate.Missed) < 2 || weak.Count(mutate.Undecided) > 0 || weak.Count(mutate.Equivalent) != good.Count(mutate.Equivalent) {
		t.Errorf("of a weak test:\n%s", weak.Text())
	}
	for i := range weak.Results {
		m := &weak.Results[i]
		if m.Verdict == mutate.Missed && (m.Witness == nil || !m.Witness.Shortest || len(m.Witness.Rows) == 0 || len(m.Witness.Rows) > 12) {
			t.Errorf("%s: %+v", m.What, m.Witness)
		}
		if w := m.Witness; w != nil { // the outputs differ in the last cycle and in no other
			for k := range w.Rows {
				if same := slices.Equal(w.Want[k], w.Got[k]); same == (k == len(w.Rows)-1) {
					t.Errorf("%s: in cycle %d of %d the outputs %v are %v, with the mutant %v", m.What, k, len(w.Rows), w.Outputs, w.Want[k], w.Got[k])
				}
			}
		}
	}
	page, err := weak.HTML()
	if err != nil {
		t.Fatal(err)
	}
	for part, n := range map[string]int{`<h3 id="mutant`: weak.Count(mutate.Missed), `<a href="#mutant`: weak.Count(mutate.Missed), `<img src="data:image/svg`: weak.Count(mutate.Missed),
		`<tr class="miss"><td class="n">8</td>`: 1, "always_ff @(posedge clk_i)": 1, "://": 0} {
		if got := strings.Count(string(page), part); got != n {
			t.Errorf("the page has %q %d times, not %d", part, got, n)
		}
	}
	if text := weak.Text(); !strings.Contains(text, "hw/stop.sv:8\n") || !strings.Contains(text, "cycle rst_i run_i step_i") && !strings.Contains(text, "cycle run_i rst_i step_i") {
		t.Errorf("the report is\n%s", text)
	}
}

// What matters only if an assumption is broken changes nothing. Of the assumption itself there are
// no mutants, nor of an assertion.
func TestAssumed(t *testing.T) {
	all := tests{"TestOne": inputs(1, 3000, 2)}
	if r := run(t, all); r.OK() || r.Count(mutate.Missed) < 2 {
		t.Errorf("nothing is assumed:\n%s", r.Text())
	}
	d, lines := design, strings.Count(rtl, "\n")
	check := func(r *mutate.Report) {
		t.Helper()
		for i := range r.Results {
			if m := &r.Results[i]; m.Line >= lines {
				t.Errorf("a mutant of a check: line %d: %s", m.Line, m.What)
			}
		}
	}
	d.FS = fstest.MapFS{"stop.sv": {Data: []byte(strings.Replace(rtl, "endmodule", `
  logic slow_q = 1'b1; // a cycle late, so that a proof in one cycle does not see it
  always @(posedge clk_i) begin
    slow_q <= rst_i || step_i < 2'd2;
    assume (slow_q);
  end
endmodule`, 1))}}
	r := runOf(t, d, all)
	if !r.OK() || r.Count(mutate.Found) < 100 {
		t.Errorf("the step is assumed to be small:\n%s", r.Text())
	}
	check(r)
	if want := "assumed, since the design says so: hw/stop.sv:16\n"; !strings.Contains(r.Text(), want) {
		t.Errorf("the report does not say %q:\n%s", want, r.Text())
	}
	if _, err := r.Differs(t.Context(), &r.Results[0], 1000, 1); !errors.Is(err, mutate.ErrAssumed) {
		t.Error(err)
	}
	d.FS = fstest.MapFS{"stop.sv": {Data: []byte(strings.Replace(rtl, "endmodule", `
  logic end_q;
  always @(posedge clk_i) begin
    end_q <= !rst_i && count_q + 3'd1 >= 3'd7;
    if (!rst_i) assert (count_q < 3'd7);
    if (!rst_i) assert (!end_q || count_q == 3'd6);
  end
endmodule`, 1))}}
	r = runOf(t, d, all)
	check(r)
	if len(r.Assumed) > 0 || r.Count(mutate.Found) < 100 {
		t.Errorf("it is asserted:\n%s", r.Text())
	}
}

// Without one of two tests, the score falls by what only that test has found.
func TestWithout(t *testing.T) {
	short, long := inputs(1, 30, 2), inputs(2, 3000, 4)
	sources := record(t, design, tests{"TestShort": short, "TestLong": long})
	both, err := mutate.Run(t.Context(), sources, mutate.Options{Limit: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	alone := run(t, tests{"TestShort": short})
	by := both.Tests()
	if by["TestShort"] != alone.Count(mutate.Found) || by["TestShort"]+by["TestLong"] != both.Count(mutate.Found) || by["TestLong"] == 0 {
		t.Errorf("both: %v; TestShort alone has found %d", by, alone.Count(mutate.Found))
	}
	for test, want := range map[string]int{"TestLong": both.Count(mutate.Found) - alone.Count(mutate.Found), "TestShort": 0} {
		only, err := both.Without(t.Context(), sources, mutate.Options{}, test)
		if err != nil || len(only) != want {
			t.Errorf("without %s %d fewer are found, not %d: %v", test, len(only), want, err)
		}
		for _, m := range only {
			if i := m.ID - 1; alone.Results[i].Verdict == mutate.Found {
				t.Errorf("without %s is not found what TestShort finds: %s", test, m.What)
			}
		}
	}
}

// What a test compares only while another output of two bits is not 0 counts only then.
func TestValid(t *testing.T) {
	type in struct{ Ask uint8 }
	type out struct{ Ask, Data uint8 }
	design := sim.Design{Top: "two", FS: fstest.MapFS{"two.sv": {Data: []byte(`module two (input logic clk_i, input logic [1:0] ask_i,
              output logic [1:0] ask_o, output logic [1:0] data_o);
  assign ask_o = ask_i;
  assign data_o = ~ask_i;
endmodule
`)}}, Files: []string{"two.sv"}, Clock: "clk_i"}
	dir := t.TempDir()
	d, err := sim.Open[in, out](t.Context(), design, sim.Verilator, sim.WithTape(dir, "TestValid"))
	if err != nil {
		t.Fatal(err)
	}
	all := []in{{0}, {1}, {2}, {3}}
	want := []out{{0, 0}, {1, 2}, {2, 1}, {3, 0}}
	if err := d.Expect(all, want, func(want out) (mask out) {
		if want.Ask == 0 {
			mask.Data = 3
		}
		return mask
	}); err != nil {
		t.Fatal(err)
	}
	d.Close()
	r, err := mutate.Run(t.Context(), []mutate.Source{{Dir: dir}}, mutate.Options{})
	if err != nil || r.Valid["data_o"] != "ask_o" || !strings.Contains(r.Summary(), "data_o counts where ask_o is not 0") || r.Count(mutate.Missed) > 0 {
		t.Errorf("%v\n%s", err, r.Text())
	}
}

// An output may count where another does that counts only now and then itself.
func TestValidTogether(t *testing.T) {
	type in struct{ Ask uint8 }
	type out struct {
		Data, None uint8
		Valid      bool
	}
	design := sim.Design{Top: "three", FS: fstest.MapFS{"three.sv": {Data: []byte(`module three (input logic clk_i, input logic [2:0] ask_i,
              output logic [1:0] data_o, output logic none_o, output logic valid_o);
  assign valid_o = ask_i[2];
  assign none_o = ask_i == 3'd4;
  assign data_o = none_o | ~valid_o ? {2{ask_i[1]}} : ask_i[1:0];
endmodule
`)}}, Files: []string{"three.sv"}, Clock: "clk_i"}
	dir := t.TempDir()
	d, err := sim.Open[in, out](t.Context(), design, sim.Verilator, sim.WithTape(dir, "TestValidTogether"))
	if err != nil {
		t.Fatal(err)
	}
	all := []in{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}
	want := make([]out, len(all))
	for i := range want {
		if want[i].Valid = i >= 4; i == 4 {
			want[i].None = 1
		} else if i > 4 {
			want[i].Data = uint8(i - 4)
		}
	}
	if err := d.Expect(all, want, func(want out) (mask out) {
		if !want.Valid {
			mask.None = 1
		}
		if !want.Valid || want.None != 0 {
			mask.Data = 3
		}
		return mask
	}); err != nil {
		t.Fatal(err)
	}
	d.Close()
	r, err := mutate.Run(t.Context(), []mutate.Source{{Dir: dir}}, mutate.Options{})
	if err != nil || r.Valid["none_o"] != "valid_o" || r.Valid["data_o"] != "valid_o & !none_o" || len(r.Valid) != 2 ||
		!strings.Contains(r.Summary(), "data_o counts where valid_o is 1 and none_o is 0") ||
		r.Count(mutate.Missed) > 0 || r.Count(mutate.Undecided) > 0 || r.Count(mutate.Equivalent) == 0 {
		t.Errorf("%v\n%s", err, r.Text())
	}
}

// What shows only if a register without a reset has one of some values at power-up, of four
// billion, is shown by a prover, and by no inputs.
func TestPowerUpOnly(t *testing.T) {
	type in struct{ Rst bool }
	type out struct{ Hit bool }
	design := sim.Design{Top: "rare", FS: fstest.MapFS{"rare.sv": {Data: []byte(`module rare (input logic clk_i, input logic rst_i, output logic hit_o);
  logic [31:0] q;
  always_ff @(posedge clk_i) q <= {q[0], q[31:1]};
  assign hit_o = ~rst_i & (q == 32'h2ace5b17);
endmodule
`)}}, Files: []string{"rare.sv"}, Clock: "clk_i", Reset: "rst_i"}
	dir := t.TempDir()
	d, err := sim.Open[in, out](t.Context(), design, sim.Verilator, sim.WithTape(dir, "TestPowerUpOnly"))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Expect([]in{{Rst: true}, {}, {}, {}}, make([]out, 4), nil); err != nil {
		t.Fatal(err)
	}
	d.Close()
	r, err := mutate.Run(t.Context(), []mutate.Source{{Dir: dir}}, mutate.Options{Limit: time.Second, Most: 6})
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	for _, m := range r.Results {
		if tried := strings.Join(m.Tried, "; "); strings.Contains(tried, "at power-up") {
			said++
		} else if strings.Contains(tried, "fault of Cosimate") {
			t.Errorf("%s: %s", m.What, tried)
		}
	}
	if said == 0 {
		t.Errorf("of no mutant it is said that it depends on power-up:\n%s", r.Text())
	}
}

// A register that a mutant leaves as it is at power-up is right by chance. Tests of some length are
// played with both values of each bit. It is not proved to be right because no other value is ever
// put into it.
func TestPowerUpBoth(t *testing.T) {
	type in struct{ Rst bool }
	type out struct{ A, B, C, D, E, F, G, H bool }
	text := "module left (input logic clk_i, rst_i, output logic a_o, b_o, c_o, d_o, e_o, f_o, g_o, h_o);\n"
	for i, name := range "abcdefgh" {
		text += fmt.Sprintf("always_ff @(posedge clk_i) if (rst_i) %c_o <= 1'b%d;\n", name, i%2)
	}
	design := sim.Design{Top: "left", FS: fstest.MapFS{"left.sv": {Data: []byte(text + "endmodule\n")}}, Files: []string{"left.sv"}, Clock: "clk_i", Reset: "rst_i"}
	for _, cycles := range []int{3, 5000} {
		dir := t.TempDir()
		d, err := sim.Open[in, out](t.Context(), design, sim.Verilator, sim.WithTape(dir, "TestPowerUpBoth"))
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Reset(1); err != nil {
			t.Fatal(err)
		}
		if err := d.Expect(make([]in, cycles), slices.Repeat([]out{{B: true, D: true, F: true, H: true}}, cycles), nil); err != nil {
			t.Fatal(err)
		}
		d.Close()
		r, err := mutate.Run(t.Context(), []mutate.Source{{Dir: dir}}, mutate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, m := range r.Results {
			if !strings.Contains(m.What, "assignment") {
				continue
			}
			if n++; m.Verdict != mutate.Found && (cycles > 3 || m.Verdict != mutate.Missed) {
				t.Errorf("%d cycles: %s: %s, although a register is right by chance only", cycles, m.What, m.Verdict)
			}
		}
		if n != 8 {
			t.Errorf("%d assignments are left out", n)
		}
	}
}

// What a word becomes while nobody waits for it does not matter. That is proved of all its bits at
// once. If one of them is shown, its mutants are found, and those of the others are proved.
func TestGroups(t *testing.T) {
	type in struct {
		Rst, Start bool
		Bits       uint8
	}
	type out struct {
		Done bool
		Word uint16
	}
	for _, shown := range []string{"12'd0", "{8'd0, word_q[3], 3'd0}"} {
		design := sim.Design{Top: "hold", FS: fstest.MapFS{"hold.sv": {Data: []byte(`module hold (input logic clk_i, input logic rst_i, input logic start_i, input logic [3:0] bits_i,
             output logic done_o, output logic [11:0] word_o);
  logic [11:0] word_q;
  logic [1:0] left_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) left_q <= '0;
    else if (start_i) left_q <= 2'd3;
    else if (left_q != '0) left_q <= left_q - 2'd1;
    if (rst_i) word_q <= '0;
    else if (left_q != '0) word_q <= {bits_i, word_q[11:4]};
    done_o <= ~rst_i & ~start_i & (left_q == 2'd1);
  end
  assign word_o = done_o ? word_q : ` + shown + `;
endmodule
`)}}, Files: []string{"hold.sv"}, Clock: "clk_i", Reset: "rst_i"}
		dir := t.TempDir()
		d, err := sim.Open[in, out](t.Context(), design, sim.Verilator, sim.WithTape(dir, "TestGroups"))
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(5, 5))
		var all []in
		var want []out
		left, word, done := 0, uint16(0), false
		for n := range 3000 {
			i, o := in{Rst: n == 0 || r.IntN(50) == 0, Start: r.IntN(5) == 0, Bits: uint8(r.IntN(16))}, out{Done: done}
			if done {
				o.Word = word
			} else if strings.Contains(shown, "word_q") {
				o.Word = word & 8
			}
			all, want = append(all, i), append(want, o)
			done = !i.Rst && !i.Start && left == 1
			if left > 0 {
				word = word>>4 | uint16(i.Bits)<<8
			}
			left = max(left-1, 0)
			if i.Start {
				left = 3
			}
			if i.Rst {
				left, word = 0, 0
			}
		}
		if err := errors.Join(d.Reset(3), d.Expect(all, want, nil)); err != nil {
			t.Fatal(err)
		}
		d.Close()
		rep, err := mutate.Run(t.Context(), []mutate.Source{{Dir: dir}}, mutate.Options{Limit: 2 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		grouped, held := 0, 0
		for _, m := range rep.Results {
			if strings.HasPrefix(m.Proof, "with any others of the same cell: ") {
				grouped++
			} else if m.Verdict == mutate.Equivalent && strings.Contains(m.What, "the value if the condition is false") {
				held++
			}
		}
		if grouped < 16 || !rep.OK() {
			t.Errorf("%d are proved with others, %d by themselves:\n%s", grouped, held, rep.Text())
		}
		t.Logf("%d are proved with others, %d by themselves: %d in all", grouped, held, len(rep.Results))
	}
}

// Of three words in one output, each with a bit that says when the others count, a test compares
// these only then.
func TestValidBits(t *testing.T) {
	type in struct{ Ask uint8 }
	type out struct{ Word [3]uint32 }
	design := sim.Design{Top: "words", FS: fstest.MapFS{"words.sv": {Data: []byte(`module words (input logic clk_i, input logic [3:0] ask_i, output logic [95:0] word_o);
  for (genvar i = 0; i < 3; i++) begin : g_words
    assign word_o[32*i +: 32] = {ask_i[i], 28'd0, ask_i[i] ? ask_i[3:1] : {old_q, ~ask_i[2:1]}};
  end
  logic old_q; // changes only what does not count, but no proof in one cycle says so
  always_ff @(posedge clk_i) old_q <= ask_i[0];
endmodule
`)}}, Files: []string{"words.sv"}, Clock: "clk_i"}
	for _, rounds := range []int{1, 3} {
		dir := t.TempDir()
		d, err := sim.Open[in, out](t.Context(), design, sim.Verilator, sim.WithTape(dir, "TestValidBits"))
		if err != nil {
			t.Fatal(err)
		}
		var all []in
		var want []out
		for n := range 16 * uint32(rounds) {
			ask, o := n%16, out{}
			for i := range o.Word {
				if o.Word[i] = 7 &^ (ask >> 1); ask>>i&1 != 0 {
					o.Word[i] = 1<<31 | ask>>1
				}
			}
			all, want = append(all, in{uint8(ask)}), append(want, o)
		}
		if err := d.Expect(all, want, func(want out) (mask out) {
			for i, w := range want.Word {
				if w>>31 == 0 {
					mask.Word[i] = 1<<31 - 1
				}
			}
			return mask
		}); err != nil {
			t.Fatal(err)
		}
		d.Close()
		r, err := mutate.Run(t.Context(), []mutate.Source{{Dir: dir}}, mutate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if rounds == 1 { // eight cycles of each say too little
			if len(r.Valid) > 0 {
				t.Errorf("of too few cycles it follows when bits count: %v", r.Valid)
			}
			continue
		}
		if r.Valid["word_o[30:0]"] != "word_o[31]" || r.Valid["word_o[62:32]"] != "word_o[63]" || len(r.Valid) != 3 ||
			!strings.Contains(r.Summary(), "word_o[62:32] counts where word_o[63] is 1") || !r.OK() || r.Count(mutate.Equivalent) == 0 {
			t.Errorf("%s", r.Text())
		}
	}
}

// A test that reacts to outputs that it has seen does something else with a mutant, so that what
// was recorded after the first difference says nothing: nothing is found by it.
func TestReacts(t *testing.T) {
	dir := t.TempDir()
	d, err := sim.Open[in, out](t.Context(), design, sim.Verilator, sim.WithTape(dir, "TestReacts"))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Reset(3); err != nil {
		t.Fatal(err)
	}
	for range 3 { // the mutants of step_i and + show here
		if _, err := d.Step(in{Run: true, Step: 2}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Step(in{Run: true}); err != nil {
		t.Fatal(err)
	}
	if err := d.Expect([]in{{Run: true}}, []out{{Count: 6, Valid: true, End: true}}, nil); err != nil {
		t.Fatal(err)
	}
	d.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := mutate.Run(ctx, []mutate.Source{{Dir: dir}}, mutate.Options{Progress: func(stage, _ string, done, of int) {
		if stage == "search" {
			cancel() // all was replayed
		}
	}})
	if err != nil || !r.Stopped || r.Count(mutate.Found) > 0 || len(r.Results) < 100 {
		t.Errorf("%v\n%s", err, r.Summary())
	}
}

// An interrupted run returns what is known.
func TestInterrupted(t *testing.T) {
	sources := record(t, design, tests{"TestWeak": inputs(1, 60, 2)})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := mutate.Run(ctx, sources, mutate.Options{Progress: func(stage, _ string, done, of int) {
		if stage == "decide" {
			cancel()
		}
	}})
	if err != nil || !r.Stopped || r.Count(mutate.Found) == 0 || r.Count("") == 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// A test that puts something else in when it runs again is named.
func TestDeterministic(t *testing.T) {
	a := record(t, design, tests{"TestRandom": inputs(1, 60, 2), "TestSame": inputs(3, 60, 2)})
	b := record(t, design, tests{"TestRandom": inputs(2, 60, 2), "TestSame": inputs(3, 60, 2)})
	if err := mutate.Deterministic(a, a); err != nil {
		t.Error(err)
	}
	if err := mutate.Deterministic(a, b); err == nil || !strings.HasPrefix(err.Error(), "TestRandom is not deterministic") {
		t.Error(err)
	}
}

// A mutant is built into the design as a netlist that Verilator takes, in which what found it does.
// It is a bit that is stuck, as a netlist has buffers there that Verilog does not know.
func TestInsert(t *testing.T) {
	sources := record(t, design, tests{"TestGood": inputs(1, 3000, 4)})
	var found *mutate.Result
	r, err := mutate.Run(t.Context(), sources, mutate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Results {
		if m := &r.Results[i]; m.Verdict == mutate.Found && strings.Contains(m.What, "count_q[2]") && strings.Contains(m.What, "stuck at 1") {
			found = m
		}
	}
	for _, m := range []*mutate.Mutant{nil, &found.Mutant} {
		dir := filepath.Join(t.TempDir(), "insert")
		s := &mutate.Subject{Key: r.Key, Mutant: m, Design: design}
		if err := s.Insert(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
		d, err := sim.Open[in, out](t.Context(), s.Changed(dir, design), sim.Verilator)
		if err != nil {
			t.Fatal(err)
		}
		if err := sim.Compare(d, &model{}, inputs(1, 3000, 4)); (err == nil) != (m == nil) {
			t.Errorf("with the mutant %v: %v", m, err)
		}
		d.Close()
	}
}

// Of conditions that the source says exclude one another the first one counts that holds, in the
// netlist as in the source, even if the source is wrong.
func TestInsertParallel(t *testing.T) {
	type in struct {
		Rst bool
		Sel uint8
	}
	type out struct{ Last uint8 }
	d := sim.Design{Top: "last", FS: fstest.MapFS{"last.sv": {Data: []byte(`module last (input logic clk_i, input logic rst_i, input logic [2:0] sel_i, output logic [1:0] last_o);
  always_ff @(posedge clk_i)
    if (rst_i) last_o <= 2'd0;
    else (* parallel_case *) case (1'b1)
      sel_i[0]: last_o <= 2'd1;
      sel_i[1]: last_o <= 2'd2;
      sel_i[2]: last_o <= 2'd3;
      default: last_o <= last_o;
    endcase
endmodule
`)}}, Files: []string{"last.sv"}, Clock: "clk_i", Reset: "rst_i"}
	all := []in{{false, 1}, {false, 2}, {false, 4}, {false, 0}, {false, 3}, {false, 6}, {false, 5}, {true, 7}, {false, 7}, {false, 0}}
	want := []out{{0}, {1}, {2}, {3}, {3}, {1}, {2}, {1}, {0}, {1}}
	play := func(d sim.Design, o ...sim.Option) error {
		dut, err := sim.Open[in, out](t.Context(), d, sim.Verilator, o...)
		if err != nil {
			t.Fatal(err)
		}
		defer dut.Close()
		if err := dut.Reset(2); err != nil {
			return err
		}
		return dut.Expect(all, want, nil)
	}
	dir := t.TempDir()
	if err := play(d, sim.WithTape(dir, "TestLast")); err != nil {
		t.Fatal(err)
	}
	r, err := mutate.Run(t.Context(), []mutate.Source{{Dir: dir}}, mutate.Options{Most: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := &mutate.Subject{Key: r.Key, Design: d}
	if err := s.Insert(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if err := play(s.Changed(dir, d)); err != nil {
		t.Errorf("as a netlist: %v", err)
	}
}

// Without a recording of Verilator there is nothing to decide by.
func TestNothing(t *testing.T) {
	if _, err := mutate.Run(t.Context(), []mutate.Source{{Dir: t.TempDir()}}, mutate.Options{}); err == nil || !strings.Contains(err.Error(), "sim.ForEach") {
		t.Error(err)
	}
}

// Of a design that contains a block with tests of its own, only the mutants of the other sources
// are decided, and that is said.
func TestIn(t *testing.T) {
	d := sim.Design{Top: "outer", Dir: "hw", Clock: "clk_i", Reset: "rst_i", Files: []string{"stop/stop.sv", "around/around.sv", "outer.sv"}, FS: fstest.MapFS{
		"outer.sv": {Data: []byte(`module outer (input logic clk_i, input logic rst_i, input logic run_i, input logic [1:0] step_i,
              output logic [2:0] count_o, output logic valid_o, output logic end_o);
  around #(.Unused(1)) u_around (.*);
endmodule
`)},
		"stop/stop.sv": {Data: []byte(strings.Replace(rtl, "module stop (", "module stop #(parameter Unused = 0) (", 1))},
		"around/around.sv": {Data: []byte(`module around #(parameter Unused = 0) (input logic clk_i, input logic rst_i, input logic run_i, input logic [1:0] step_i,
              output logic [2:0] count_o, output logic valid_o, output logic end_o);
  stop #(.Unused(1)) u_stop (.clk_i, .rst_i, .run_i, .step_i(run_i ? step_i : 2'd0), .count_o, .valid_o(), .end_o);
  assign valid_o = run_i;
endmodule
`)}}}
	sources := record(t, d, tests{"TestAll": inputs(1, 4000, 4)})
	of := func(in string) *mutate.Report {
		t.Helper()
		r, err := mutate.Run(t.Context(), sources, mutate.Options{In: in, Limit: 10 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if r.In != in || r.All != len(r.Results) || len(r.Results) == 0 {
			t.Errorf("in %q: %d of %d mutants in %q", in, len(r.Results), r.All, r.In)
		}
		return r
	}
	all, around := of(""), of("hw/around")
	if stop := of("./hw/stop/stop.sv"); len(around.Results)+len(stop.Results) != len(all.Results) {
		t.Errorf("%d and %d mutants, and %d in both", len(around.Results), len(stop.Results), len(all.Results))
	}
	for _, m := range around.Results {
		if m.File != "hw/around/around.sv" {
			t.Errorf("a mutant of %s", m.File)
		}
	}
	for _, m := range all.Results { // also of cells two instances down
		if inner := strings.Contains(m.Key, "u_stop."); inner != (m.File == "hw/stop/stop.sv") {
			t.Errorf("%s is in %s", m.Key, m.File)
		}
	}
	if want := "mutants of the sources in hw/around only\n"; !strings.Contains(around.Summary(), want) {
		t.Errorf("not %q in\n%s", want, around.Summary())
	}
	_, err := mutate.Run(t.Context(), sources, mutate.Options{In: "hw/aroun"})
	if want := "outer has no source in hw/aroun: they are in hw/stop, hw/around, hw"; err == nil || err.Error() != want {
		t.Errorf("%v, not %s", err, want)
	}
}
