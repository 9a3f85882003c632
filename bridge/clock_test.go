package bridge_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cosimate/cosimate/bridge"
)

const twoClocks = `
module clocks(input wire fast_i, input wire slow_i, input wire [7:0] a_i,
              output logic [31:0] fast_o, output logic [31:0] slow_o, output logic [63:0] fast_time_o, output logic [63:0] slow_time_o,
              output logic [7:0] fast_a_o, output logic [7:0] slow_a_o, output logic [31:0] falls_o, output logic [63:0] fall_time_o);
  initial begin fast_o = 0; slow_o = 0; fast_time_o = 0; slow_time_o = 0; falls_o = 0; fast_a_o = 0; slow_a_o = 0; fall_time_o = 0; end
  always @(posedge fast_i) begin fast_o <= fast_o + 1; fast_time_o <= $time; fast_a_o <= a_i; end
  always @(posedge slow_i) begin slow_o <= slow_o + 1; slow_time_o <= $time; slow_a_o <= a_i; end
  always @(negedge slow_i) if ($time != 0) begin falls_o <= falls_o + 1; fall_time_o <= $time; end
endmodule`

// Several clocks rise when the schedule says. The outputs of a row are those before its edges,
// with the inputs of the row.
func TestSeveralClocks(t *testing.T) {
	for _, periods := range [][4]time.Duration{{10, 0, 26, 3}, {10, 0, 10, 5}, {7, 1, 7, 1}, {3, 0, 1000, 0}, {10, 0, 15, 0}, {13, 40, 11, 2}} {
		d := design("clocks", twoClocks)
		d.Clock = ""
		d.Clocks = []bridge.Clock{
			{Port: "fast_i", Period: periods[0] * time.Nanosecond, Phase: periods[1] * time.Nanosecond},
			{Port: "slow_i", Period: periods[2] * time.Nanosecond, Phase: periods[3] * time.Nanosecond},
		}
		forEach(t, d, func(t *testing.T, m *model) {
			const rows = 200
			dut := m.start(bridge.Options{})
			for row := range rows {
				dut.set(row, "a_i", uint64(row)&0xff)
			}
			dut.run(rows)
			clocks, err := d.AllClocks()
			if err != nil {
				t.Fatal(err)
			}
			schedule := bridge.NewSchedule(clocks)
			var rises, times, values [2]uint64
			for row := range rows {
				if got := [2]uint64{dut.get(row, "fast_o"), dut.get(row, "slow_o")}; got != rises {
					t.Fatalf("%v row %d: the clocks have risen %v times, not %v", periods, row, got, rises)
				}
				if got := [2]uint64{dut.get(row, "fast_time_o"), dut.get(row, "slow_time_o")}; got != times {
					t.Fatalf("%v row %d: the clocks rose at %v ns, not %v", periods, row, got, times)
				}
				if got := [2]uint64{dut.get(row, "fast_a_o"), dut.get(row, "slow_a_o")}; got != values {
					t.Fatalf("%v row %d: a_i was taken as %v, not %v", periods, row, got, values)
				}
				at, rising := schedule.Next()
				if at != bridge.NewSchedule(clocks).Instant(uint64(row)) {
					t.Fatalf("row %d is at %v", row, at)
				}
				for i := range 2 {
					if rising>>i&1 == 1 {
						rises[i]++
						times[i] = uint64(at.Nanoseconds())
						values[i] = uint64(row) & 0xff
					}
				}
			}
			// All but the last rise have been followed by a fall half a period later.
			if falls := dut.get(rows-1, "falls_o"); falls+1 < dut.get(rows-1, "slow_o") || falls > dut.get(rows-1, "slow_o") {
				t.Errorf("%v: the slow clock rose %d times and fell %d times", periods, dut.get(rows-1, "slow_o"), falls)
			}
			if fall, rise := dut.get(rows-1, "fall_time_o"), dut.get(rows-1, "slow_time_o"); fall > rise && fall-rise > uint64(periods[2]+1)/2 {
				t.Errorf("%v: the slow clock rose at %d ns and fell at %d", periods, rise, fall)
			}
		})
	}
}

// Periods and phases have picoseconds.
func TestPicoseconds(t *testing.T) {
	for _, clocks := range [][2]bridge.Clock{
		// 156.25 and 100 MHz
		{{Period: 6 * time.Nanosecond, PeriodPs: 400}, {Period: 10 * time.Nanosecond, Phase: 1, PhasePs: 2}},
		{{PeriodPs: 6400}, {Period: 1}},
		{{PeriodPs: 6666, PhasePs: 4}, {Period: 7 * time.Nanosecond, PeriodPs: -400}},
		{{PeriodPs: 4}, {PeriodPs: 14}},
		{{Period: 7}, {PeriodPs: 7002}},
	} {
		clocks[0].Port, clocks[1].Port = "fast_i", "slow_i"
		d := design("clocks", "`timescale 1ps/1ps\n"+twoClocks)
		d.Clock, d.Clocks = "", clocks[:]
		forEach(t, d, func(t *testing.T, m *model) {
			const rows = 100
			dut := m.start(bridge.Options{})
			dut.run(rows)
			low := func(period int64) uint64 {
				if period >= 2000 && period%1000 == 0 {
					return uint64(period / 2000 * 1000)
				}
				return uint64(period / 4 * 2)
			}
			var period [2]int64
			var next, last [2]uint64
			for i, c := range clocks {
				period[i] = int64(c.Period)*1000 + c.PeriodPs
				next[i] = uint64(period[i]+int64(c.Phase)*1000+c.PhasePs) + low(period[i])
			}
			schedule := bridge.NewSchedule(clocks[:])
			for row := range rows {
				if got := [2]uint64{dut.get(row, "fast_time_o"), dut.get(row, "slow_time_o")}; got != last {
					t.Fatalf("%v row %d: the clocks rose at %v ps, not %v", clocks, row, got, last)
				}
				slow := period[1]
				if fall := dut.get(row, "fall_time_o"); fall != 0 && fall != last[1]-low(slow) && fall != last[1]+uint64(slow)-low(slow) {
					t.Fatalf("%v row %d: the slow clock rose at %d ps and fell at %d", clocks, row, last[1], fall)
				}
				instant, want := min(next[0], next[1]), uint16(0)
				for i := range clocks {
					if next[i] == instant {
						last[i], want = instant, want|1<<i
						next[i] += uint64(period[i])
					}
				}
				if at, rises := schedule.Next(); rises != want || at != time.Duration(instant/1000) {
					t.Fatalf("%v row %d is at %v with rises %b, not at %d ps with %b", clocks, row, at, rises, instant, want)
				}
			}
		})
	}
}

// Clocks are just as exact in a design with coarser units of time.
func TestCoarseTimescale(t *testing.T) {
	d := design("timing", "`timescale 1ns/1ns\n"+timing)
	d.Clock, d.Clocks = "", []bridge.Clock{{Port: "clk_i", PeriodPs: 6400}}
	forEach(t, d, func(t *testing.T, m *model) {
		const rows = 500
		dut := m.start(bridge.Options{})
		dut.run(rows)
		// the rising edge before; Icarus rounds it up
		const last = (6400*(rows-2) + 6400 + 3200) / 1000
		if got := dut.get(rows-1, "edge_o"); got != last && got != last+1 {
			t.Errorf("in cycle %d of a clock of 6.4 ns, the last edge was at %d ns, not at %d", rows-1, got, last)
		}
	})
}

func TestWrongClocks(t *testing.T) {
	both := design("clocks", twoClocks)
	both.Clocks = []bridge.Clock{{Port: "fast_i"}}
	missing := design("clocks", twoClocks)
	missing.Clock, missing.Clocks = "", []bridge.Clock{{Port: "fast_i"}, {Port: "medium_i"}}
	short := design("clocks", twoClocks)
	short.Clock, short.Clocks = "", []bridge.Clock{{Port: "fast_i", Period: 1, PeriodPs: -998}}
	odd := design("clocks", twoClocks)
	odd.Clock, odd.Clocks = "", []bridge.Clock{{Port: "fast_i", PeriodPs: 6400, PhasePs: 3}}
	long := design("clocks", twoClocks)
	long.Clock, long.Clocks = "", []bridge.Clock{{Port: "fast_i", Period: 1 << 62}}
	nameless := design("clocks", twoClocks)
	nameless.Clock, nameless.Clocks = "", []bridge.Clock{{Port: "fast_i"}, {}}
	for _, s := range simulators {
		for _, c := range []struct {
			design bridge.Design
			want   string
		}{
			{both, "sets both Clock and Clocks"}, {missing, "there is no port medium_i to be the clock"},
			{short, "has a period of 1ns and -998 ps and a phase of 0s and 0 ps: the period must be from 4 ps to an hour"},
			{odd, "even picoseconds"}, {long, "to an hour"}, {nameless, "has no port"},
		} {
			if _, err := s.build(t.Context(), c.design, bridge.BuildOptions{}); err == nil || !contains(err, c.want) {
				t.Errorf("%s: the error is %v, not one with %q", s.name, err, c.want)
			}
		}
	}
}

// Settle gives the outputs that follow from inputs. It can be called several times, and changes
// neither the state nor what the next run does.
func TestSettle(t *testing.T) {
	forEach(t, design("timing", timing), func(t *testing.T, m *model) {
		d := m.start(bridge.Options{})
		state := uint64(0x55)
		for cycle := range 5 {
			for _, a := range []uint64{3, 200, 7, 7} {
				d.set(0, "a_i", a)
				if err := d.Settle(t.Context(), &d.rows); err != nil {
					t.Fatal(err)
				}
				if got := d.get(0, "comb_o"); got != a^state {
					t.Errorf("cycle %d: comb_o settles at %#x, not %#x", cycle, got, a^state)
				}
				if got := d.get(0, "reg_o"); got != state {
					t.Errorf("cycle %d: reg_o = %#x, not %#x", cycle, got, state)
				}
			}
			a := uint64(cycle + 100)
			d.set(0, "a_i", a)
			d.run(1)
			if got := d.get(0, "comb_o"); got != a^state {
				t.Errorf("cycle %d: comb_o = %#x, not %#x", cycle, got, a^state)
			}
			if got := d.get(0, "time_o"); got != uint64(cycle+1)*10 {
				t.Errorf("cycle %d is at %d ns", cycle, got)
			}
			state = a
		}
	})
}

// A reset that is asynchronous, active low and held from the start resets registers whose clock
// does not rise. Before that, assertions are not evaluated, because the design is not in reset.
func TestResetFromTheStart(t *testing.T) {
	d := design("held", `
module held(input wire clk_i, input wire slow_i, input wire rst_ni, input wire [7:0] a_i, output logic [7:0] q_o);
  wire rst_n = rst_ni & ~a_i[7];
  always_ff @(posedge slow_i or negedge rst_n)
    if (!rst_n) q_o <= 8'h5a;
    else q_o <= a_i;
  always_comb if (rst_n) assert (q_o == 8'h5a) else $error("not reset");
endmodule`)
	d.Clock, d.Clocks = "", []bridge.Clock{{Port: "clk_i"}, {Port: "slow_i", Period: time.Microsecond}}
	d.Reset, d.ResetActiveLow = "rst_ni", true
	forEach(t, d, func(t *testing.T, m *model) {
		for seed := range uint64(3) {
			dut := m.start(bridge.Options{Seed: seed})
			dut.run(4) // all inputs are 0
			if got := dut.get(0, "q_o"); got != 0x5a {
				t.Errorf("q_o is %#x in the first cycle", got)
			}
			dut.set(0, "rst_ni", 1)
			dut.run(1)
			if got := dut.get(0, "q_o"); got != 0x5a {
				t.Errorf("q_o is %#x after the reset", got)
			}
			for _, msg := range dut.Messages() {
				t.Errorf("it printed %v", msg)
			}
		}
	})
}

// Before the first cycle an active-low reset falls once and does not rise. Assertions of initial
// blocks are checked.
func TestResetFallsOnce(t *testing.T) {
	d := design("boot", `
module boot(input wire clk_i, input wire rst_ni, output logic [7:0] ups_o, output logic [7:0] downs_o);
  initial begin ups_o = 0; downs_o = 0; end
  always @(posedge rst_ni) ups_o <= ups_o + 1;
  always @(negedge rst_ni) downs_o <= downs_o + 1;
  initial assert (clk_i === 1) else $error("initially");
endmodule`)
	d.Reset, d.ResetActiveLow = "rst_ni", true
	forEach(t, d, func(t *testing.T, m *model) {
		dut := m.start(bridge.Options{Seed: 2})
		dut.set(2, "rst_ni", 1)
		dut.run(3)
		for row, ups := range []uint64{0, 0, 1} {
			if u, d := dut.get(row, "ups_o"), dut.get(row, "downs_o"); u != ups || d != 1 {
				t.Errorf("row %d: the reset has risen %d times and fallen %d times, not %d and 1", row, u, d, ups)
			}
		}
		if msgs := dut.Messages(); len(msgs) != 1 || !strings.Contains(msgs[0].Text, "initially") {
			t.Errorf("the messages are %v", msgs)
		}
	})
}
