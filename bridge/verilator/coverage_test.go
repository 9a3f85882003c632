package verilator_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/verilator"
)

const covered = `module covered(input wire clk_i, input wire [1:0] a_i, output logic [1:0] q_o);
  initial q_o = 0;
  always_ff @(posedge clk_i) begin
    if (a_i == 3)
      q_o <= 2;
    else
      q_o <= 1;
  end
  c_three: cover property (@(posedge clk_i) a_i == 3);
endmodule
`

func build(t *testing.T, d bridge.Design, o bridge.BuildOptions) *verilator.Model {
	t.Helper()
	m, err := verilator.Build(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func start(t *testing.T, m *verilator.Model, o bridge.Options) (bridge.Instance, bridge.Rows) {
	t.Helper()
	i, err := m.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := i.Close(); err != nil {
			t.Error(err)
		}
	})
	return i, bridge.Rows{In: make([]byte, 100*i.Layout().InSize), Out: make([]byte, 100*i.Layout().OutSize)}
}

func design(top, text string) bridge.Design {
	return bridge.Design{Top: top, Dir: "hw", FS: fstest.MapFS{top + ".sv": {Data: []byte(text)}}, Files: []string{top + ".sv"}, Clock: "clk_i"}
}

// Coverage has lines, branches, toggles and cover points with their places, and counts what was
// done. Counters returns the model's own counters, which change while it runs.
func TestCoverage(t *testing.T) {
	m := build(t, design("covered", covered), bridge.BuildOptions{Coverage: true, Toggles: true})
	i, rows := start(t, m, bridge.Options{})
	other, _ := start(t, m, bridge.Options{})
	// counts returns the counts of the points that have all of the texts. There must be some.
	counts := func(i bridge.Instance, texts ...string) (n []string) {
		t.Helper()
		data, err := i.Coverage()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if !slices.ContainsFunc(texts, func(s string) bool { return !strings.Contains(line, s) }) {
				n = append(n, strings.TrimSpace(line[strings.LastIndexByte(line, ' '):]))
			}
		}
		if len(n) == 0 {
			t.Fatalf("no point has %q in\n%q", texts, data)
		}
		return n
	}
	sum := func(i bridge.Instance) (n int) {
		for _, c := range i.Counters() {
			n += int(c)
		}
		return n
	}
	const file = "\x01f\x02hw/covered.sv"
	before := sum(i)
	if _, err := i.Run(t.Context(), &rows, 10); err != nil {
		t.Fatal(err)
	}
	if got := counts(i, file, "\x01l\x024\x01", "branch", "else"); !slices.Equal(got, []string{"10"}) {
		t.Errorf("the else branch was counted %v times, not 10", got)
	}
	if got := counts(i, file, "c_three"); !slices.Equal(got, []string{"0"}) {
		t.Errorf("the cover point was counted %v times", got)
	}
	rows.In[4*i.Layout().InSize] = 3
	between := sum(i)
	if _, err := i.Run(t.Context(), &rows, 10); err != nil {
		t.Fatal(err)
	}
	if got := counts(i, file, "c_three"); !slices.Equal(got, []string{"1"}) {
		t.Errorf("the cover point was counted %v times, not once", got)
	}
	if got := counts(i, file, "toggle", "a_i[1]"); slices.Max(got) == "0" {
		t.Errorf("the toggles of a_i[1] were counted %v times", got)
	}
	if got := counts(other, file, "branch", "else"); !slices.Equal(got, []string{"0"}) {
		t.Errorf("the else branch of an instance that did not run was counted %v times", got)
	}
	if after := sum(i); before >= between || between >= after {
		t.Errorf("the counters' sums are %d, %d, %d", before, between, after)
	}
}

const still = `module still(input wire clk_i, input wire rst_i, output logic [7:0] q_o, output wire any_o);
  logic [31:0] zero_q;   // 0 from the reset on
  logic [31:0] never_q;  // never written
  wire [7:0] tied = 8'h5a;
  always_ff @(posedge clk_i) begin
    if (rst_i) zero_q <= 0;
    q_o <= rst_i ? 8'd0 : q_o + 8'd1;
  end
  assign any_o = ^{zero_q, never_q, tied};
endmodule
`

// Changes of the random values with which registers and Verilator's own variables power up are no
// toggles. Neither is what the first reset does.
func TestTogglesOfPowerUp(t *testing.T) {
	d := design("still", still)
	d.Reset = "rst_i"
	m := build(t, d, bridge.BuildOptions{Coverage: true, Toggles: true})
	for _, c := range []struct {
		reset, rows int
		want        []string
	}{
		{2, 5, []string{"clk_i", "q_o[0]", "q_o[1]", "rst_i"}},
		{2, 2, nil},
		{0, 0, nil},
	} {
		i, rows := start(t, m, bridge.Options{Seed: 3})
		for row := range c.reset {
			rows.In[row*i.Layout().InSize+i.Layout().Inputs[0].Offset] = 1
		}
		if _, err := i.Run(t.Context(), &rows, c.rows); err != nil {
			t.Fatal(err)
		}
		data, err := i.Coverage()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for line := range strings.Lines(string(data)) {
			_, name, ok := strings.Cut(line, "\x01o\x02")
			if ok && strings.Contains(line, "v_toggle") && !strings.HasSuffix(line, " 0\n") {
				name, _, _ = strings.Cut(name, "\x01")
				name, _, _ = strings.Cut(name, ":") // newer versions count both directions
				got = append(got, name)
			}
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, c.want) {
			t.Errorf("after %d rows, %d of them in reset, the toggles are %v, not %v", c.rows, c.reset, got, c.want)
		}
	}
}

const powered = `module powered(input wire clk_i, input wire slow_i, input wire rst_i, output logic [3:0] o);
  logic [31:0] q, s;
  logic [3:0] made;
  initial begin
    made = 3;
  end
  always_comb begin
    if (q != 0) begin
      o = 1;
    end else begin
      o = made;
    end
  end
  always_comb begin
    if (s != 0) begin
      $display("s is not 0");
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      q <= 0;
    end
  end
  always_ff @(posedge slow_i) begin
    if (rst_i) begin
      s <= 0;
    end
  end
  c_garbage: cover property (@(posedge clk_i) q != 0);
  c_zero: cover property (@(posedge clk_i) q == 0);
endmodule
`

// Lines, branches and cover properties are not covered if only random values at power-up reach
// them. They are covered if the reset reaches them, or code that runs once.
func TestCoverageOfPowerUp(t *testing.T) {
	d := design("powered", powered)
	d.Clock = ""
	d.Clocks = []bridge.Clock{{Port: "clk_i", Period: 10 * time.Nanosecond}, {Port: "slow_i", Period: 30 * time.Nanosecond}}
	for _, reset := range []string{"rst_i", ""} {
		d.Reset = reset
		i, rows := start(t, build(t, d, bridge.BuildOptions{Coverage: true}), bridge.Options{Seed: 3})
		rst := slices.IndexFunc(i.Layout().Inputs, func(p bridge.Port) bool { return p.Name == "rst_i" })
		for row := range 9 {
			rows.In[row*i.Layout().InSize+i.Layout().Inputs[rst].Offset] = 1
		}
		if _, err := i.Run(t.Context(), &rows, 12); err != nil {
			t.Fatal(err)
		}
		data, err := i.Coverage()
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		for line := range strings.Lines(string(data)) {
			for name, texts := range map[string][]string{
				"made = 3": {"\x01l\x024\x01"}, "q != 0": {"\x01l\x028\x01", "\x02if\x01"}, "q == 0": {"\x01l\x028\x01", "\x02else\x01"},
				"s != 0": {"\x01l\x0215\x01", "\x02if\x01"}, "q <= 0": {"\x01l\x0220\x01", "\x02if\x01"}, "s <= 0": {"\x01l\x0225\x01", "\x02if\x01"},
				"garbage": {"c_garbage"}, "zero": {"c_zero"},
			} {
				if !slices.ContainsFunc(texts, func(s string) bool { return !strings.Contains(line, s) }) {
					got[name] = !strings.HasSuffix(line, " 0\n")
				}
			}
		}
		random := reset == "" // without a reset the counters are not set back
		want := map[string]bool{"made = 3": true, "q != 0": random, "q == 0": true, "s != 0": random, "q <= 0": true, "s <= 0": true, "garbage": random, "zero": true}
		if !maps.Equal(got, want) {
			t.Errorf("reset %q: covered are %v, not %v\n%q", reset, got, want, data)
		}
	}
}

func TestNoCoverage(t *testing.T) {
	i, _ := start(t, build(t, design("covered", covered), bridge.BuildOptions{}), bridge.Options{})
	if _, err := i.Coverage(); err == nil || !strings.Contains(err.Error(), "set BuildOptions.Coverage") {
		t.Errorf("the error is %v", err)
	}
	if i.Counters() != nil {
		t.Error("there are counters")
	}
}
