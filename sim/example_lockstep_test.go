package sim_test

import (
	"flag"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/stim"
)

// Lockstep: the model and both simulators do each cycle together, and a report has all three side
// by side.

func lookupLockstep(t testing.TB, d sim.Design) {
	g, err := stim.New[lookupIn](sim.Seed())
	if err != nil {
		t.Fatal(err)
	}
	sim.Lockstep(t, d, lookupModel{}, g.Cycles(t, 2000))
}

func TestLockstep(t *testing.T) { lookupLockstep(t, lookup) }

// A fault that both have, and one that only one of them shows, told apart at a glance.
func TestLockstepFaultsAreFound(t *testing.T) {
	for _, fault := range []struct{ name, old, new, row string }{
		{"half of the tag is compared", "tags[index_i] == tag_i", "tags[index_i][3:0] == tag_i[3:0]", "> hit_o       0       1          1  [0]"},
		{"looks at what is not valid", "valid_q[index_i] & (tags", "(tags", "> hit_o       0       x          0  icarus [0]"},
	} {
		t.Run(fault.name, func(t *testing.T) {
			d := lookup
			d.FS = patched(t, "lookup.sv", fault.old, fault.new)
			if report := failure(t, func(t testing.TB) { lookupLockstep(t, d) }); !strings.Contains(report, fault.row) {
				t.Errorf("the report is to have the row\n%s\n%s", fault.row, report)
			}
		})
	}
}

// What a simulator says itself counts if it comes before the difference of another.
func TestLockstepReportsTheEarlierError(t *testing.T) {
	d := lookup
	d.FS = patched(t, "lookup.sv", "assign hit_o = ", `int n = 0;
  always @(posedge clk_i) n <= n + 1;
`+"`ifdef VERILATOR"+`
  always @(posedge clk_i) if (n == 99) $error("a hundred");
  assign hit_o =
`+"`else"+`
  assign hit_o = (n > 110) ^
`+"`endif\n")
	report := failure(t, func(t testing.TB) { lookupLockstep(t, d) })
	if want := "lookup failed in cycle 99 "; !strings.Contains(report, want) || !strings.Contains(report, "a hundred") {
		t.Errorf("the report lacks %q:\n%s", want, report)
	}
}

// A model of several clocks, which is told which of them rise, behind the reset too.
func TestLockstepOfSeveralClocks(t *testing.T) {
	type in struct{ Rst bool }
	type out struct{ Fast, Slow uint8 }
	d := sim.Design{
		Top: "two", Files: []string{"two.sv"}, Reset: "rst_i",
		Clocks: []sim.Clock{{Port: "fast_i", Period: 10 * time.Nanosecond}, {Port: "slow_i", Period: 35 * time.Nanosecond}},
		FS: fstest.MapFS{"two.sv": {Data: []byte(`
module two(input logic fast_i, input logic slow_i, input logic rst_i, output logic [7:0] fast_o, output logic [7:0] slow_o);
  always_ff @(posedge fast_i) fast_o <= rst_i ? 0 : fast_o + 1;
  always_ff @(posedge slow_i) slow_o <= rst_i ? 0 : slow_o + 1;
endmodule`)}},
	}
	sim.Lockstep(t, d, sim.Clocked(&twoModel[in, out]{step: func(_ in, fast, slow uint8) out { return out{fast, slow} }}), func(yield func(in) bool) {
		for range 10_000 {
			if !yield(in{}) {
				return
			}
		}
	})
}

// twoModel counts the rises of two clocks.
type twoModel[I, O any] struct {
	fast, slow uint8
	step       func(in I, fast, slow uint8) O
}

func (m *twoModel[I, O]) Reset() { m.fast, m.slow = 0, 0 }

func (m *twoModel[I, O]) Step(in I, rises uint16) O {
	out := m.step(in, m.fast, m.slow)
	m.fast += uint8(rises & 1)
	m.slow += uint8(rises >> 1 & 1)
	return out
}

// failure is the report with which a test ends, which must not pass. It is not run again for
// waveforms.
func failure(t *testing.T, test func(testing.TB)) string {
	t.Helper()
	for name, value := range map[string]string{"sim.wave": "off", "sim.keep": t.TempDir()} {
		f := flag.Lookup(name)
		before := f.Value.String()
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { flag.Set(name, before) })
	}
	r := &caught{TB: t}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		test(r)
	}()
	<-ended
	if r.report == "" {
		t.Fatal("the fault was not found")
	}
	return r.report
}

// caught is a test that notes with what it ends, instead of caught.
type caught struct {
	testing.TB
	report string
}

func (c *caught) Fatal(args ...any) {
	c.report = fmt.Sprint(args...)
	runtime.Goexit()
}
