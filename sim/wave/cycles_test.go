package wave_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/wave"
)

type fifoIn struct {
	WrRst, WrValid bool
	WrData         uint8
	RdRst, RdReady bool
}

type fifoOut struct {
	WrReady, RdValid bool
	RdData           uint8
}

type sumIn struct{ A, B uint8 }

type sumOut struct{ Sum uint8 }

// A cycle of the waves is a cycle of the DUT: ports have the values with which they were driven and
// sampled, with one clock of a period that is no whole nanoseconds, with two clocks, and without.
func TestCycles(t *testing.T) {
	in := []string{"wr_rst_i", "wr_valid_i", "wr_data_i", "rd_rst_i", "rd_ready_i"}
	out := []string{"wr_ready_o", "rd_valid_o", "rd_data_o"}
	fifo := sim.Design{Top: "async_fifo", FS: os.DirFS("../testdata"), Files: []string{"async_fifo.sv"}}
	two := fifo
	two.Clocks = []sim.Clock{{Port: "wr_clk_i", Period: 10 * time.Nanosecond}, {Port: "rd_clk_i", Period: 13 * time.Nanosecond, Phase: 4 * time.Nanosecond}}
	odd := fifo
	odd.Clocks = []sim.Clock{{Port: "wr_clk_i", PeriodPs: 6400}, {Port: "rd_clk_i", PeriodPs: 6400}}
	sum := sim.Design{Top: "sum", FS: fstest.MapFS{"sum.sv": {Data: []byte("module sum (input logic [7:0] a_i, b_i, output logic [7:0] sum_o); assign sum_o = a_i + b_i; endmodule\n")}}, Files: []string{"sum.sv"}}
	for _, s := range []sim.Simulator{sim.Icarus, sim.Verilator} {
		t.Run(string(s), func(t *testing.T) {
			t.Run("two clocks", func(t *testing.T) { cycles[fifoIn, fifoOut](t, two, s, in, out) })
			t.Run("6.4 ns", func(t *testing.T) { cycles[fifoIn, fifoOut](t, odd, s, in, out) })
			t.Run("no clock", func(t *testing.T) { cycles[sumIn, sumOut](t, sum, s, []string{"a_i", "b_i"}, []string{"sum_o"}) })
		})
	}
}

// cycles compares a recording of random inputs with what the DUT was given and gave. Structs have
// one byte for each port.
func cycles[I, O any](t *testing.T, d sim.Design, s sim.Simulator, in, out []string) {
	path := filepath.Join(t.TempDir(), "run.fst")
	dut, err := sim.Open[I, O](context.Background(), d, s, sim.WithWave(path, 10, 1000))
	if err != nil {
		t.Fatal(err)
	}
	defer dut.Close()
	rng := rand.New(rand.NewPCG(1, 2))
	type row struct{ in, out, unknown []byte }
	var rows []row
	for c := range 200 {
		var i I
		for at := range bytesOf(&i) {
			bytesOf(&i)[at] = byte(rng.Uint32())
			if len(in) > 2 && at != 2 { // a bool; resets at first only
				bytesOf(&i)[at] = byte(rng.Uint32() & 1)
				if at == 0 || at == 3 {
					bytesOf(&i)[at] = byte(bit(c < 8))
				}
			}
		}
		o, err := dut.Step(i)
		if err != nil {
			t.Fatal(err)
		}
		u := dut.Unknown()
		rows = append(rows, row{bytesOf(&i), bytesOf(&o), bytesOf(&u)})
	}
	recent := dut.Recent()
	if err := dut.Close(); err != nil {
		t.Fatal(err)
	}
	r := wave.Recording{Path: path, Scope: d.Top, Times: recent.Times, Cycle: 199}
	if s == sim.Verilator {
		r.Scope = "TOP." + d.Top
	}
	for _, c := range recent.Clocks {
		r.Clocks = append(r.Clocks, c.Name)
	}
	set, err := wave.ReadFST(r)
	if err != nil {
		t.Fatal(err)
	}
	first := uint64(10)
	if len(d.Clocks) == 0 { // only the cycles whose times are known
		first = 180
	}
	if set.First != first || set.End != 200 {
		t.Errorf("it has the cycles %d to %d", set.First, set.End)
	}
	byName := map[string]*wave.Signal{}
	for _, signal := range set.Signals {
		byName[signal.Name] = signal
	}
	wrong := 0
	compare := func(name string, cycle uint64, bits, unknown byte) {
		gotBits, gotUnknown := byName[name].At(set.First, cycle)
		if wrong < 10 && (gotUnknown != uint64(unknown) || gotBits&^gotUnknown != uint64(bits&^unknown)) {
			t.Errorf("cycle %d: %s is %x with %x unknown, sampled was %x with %x", cycle, name, gotBits, gotUnknown, bits, unknown)
			wrong++
		}
	}
	for cycle := set.First; cycle < set.End; cycle++ {
		for i, name := range in {
			compare(name, cycle, rows[cycle].in[i], 0)
		}
		for i, name := range out {
			compare(name, cycle, rows[cycle].out[i], rows[cycle].unknown[i])
		}
	}
}

func bytesOf[T any](v *T) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v)) }

// Verilator records the names of enumerations, Icarus does not.
func TestEnumeration(t *testing.T) {
	const text = `module states (input logic clk_i, input logic go_i, output logic busy_o);
  typedef enum logic [1:0] {IDLE = 2'd0, RUN = 2'd2, DONE = 2'd3} state_e;
  state_e state_q;
  always_ff @(posedge clk_i) case (state_q)
    IDLE: if (go_i) state_q <= RUN;
    RUN: state_q <= DONE;
    default: state_q <= IDLE;
  endcase
  assign busy_o = state_q != IDLE;
endmodule
`
	type in struct{ Go bool }
	type out struct{ Busy bool }
	d := sim.Design{Top: "states", FS: fstest.MapFS{"states.sv": {Data: []byte(text)}}, Files: []string{"states.sv"}, Clock: "clk_i"}
	path := filepath.Join(t.TempDir(), "run.fst")
	dut, err := sim.Open[in, out](t.Context(), d, sim.Verilator, sim.WithWave(path, 0, 100))
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if _, err := dut.Step(in{true}); err != nil {
			t.Fatal(err)
		}
	}
	recent := dut.Recent()
	if err := dut.Close(); err != nil {
		t.Fatal(err)
	}
	set, err := wave.ReadFST(wave.Recording{Path: path, Scope: "TOP.states", Clocks: []string{"clk_i"}, Times: recent.Times, Cycle: 9})
	if err != nil {
		t.Fatal(err)
	}
	for _, signal := range set.Signals {
		if signal.Name != "state_q" {
			continue
		}
		if diff := cmp.Diff(map[uint64]string{0: "IDLE", 2: "RUN", 3: "DONE"}, signal.Names); diff != "" {
			t.Errorf("the names of state_q (-want +got)\n%s", diff)
		}
		return
	}
	t.Error("there is no state_q")
}

// Of a recording that is too large, the last cycles are kept. What cannot be read is said.
func TestReadFST(t *testing.T) {
	r := wave.Recording{Path: "../report/testdata/icarus.fst", Scope: "t.counter", Clocks: []string{"clk_i"}, Times: []time.Duration{295 * time.Nanosecond}, Cycle: 28}
	whole, err := wave.ReadFST(r)
	if err != nil {
		t.Fatal(err)
	}
	r.Most = 60
	part, err := wave.ReadFST(r)
	if err != nil {
		t.Fatal(err)
	}
	if part.End != whole.End || part.First <= whole.First+5 || len(part.Edges) != int(part.End-part.First) {
		t.Errorf("the whole is %d to %d, the part %d to %d with %d edges", whole.First, whole.End, part.First, part.End, len(part.Edges))
	}
	for i, signal := range part.Signals {
		for cycle := part.First; cycle < part.End; cycle++ {
			bits, unknown := signal.At(part.First, cycle)
			if b, u := whole.Signals[i].At(whole.First, cycle); b != bits || u != unknown {
				t.Errorf("cycle %d: %s is %x in the part, %x in the whole", cycle, signal.Path(), bits, b)
			}
		}
	}
	for want, change := range map[string]func(*wave.Recording){
		"has no signals in the scope t.timer": func(r *wave.Recording) { r.Scope = "t.timer" },
		"none of the clocks tick":             func(r *wave.Recording) { r.Clocks = []string{"tick"} },
		"no rising edge of clk_i at 296ns":    func(r *wave.Recording) { r.Times = []time.Duration{296 * time.Nanosecond} },
		"the time of cycle 28 is not known":   func(r *wave.Recording) { r.Times = nil },
		"no such file":                        func(r *wave.Recording) { r.Path = "none.fst" },
	} {
		bad := r
		change(&bad)
		if _, err := wave.ReadFST(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// Of several clocks, all rises in the recording are known, of whichever cycle.
func TestClocksOfRecording(t *testing.T) {
	const text = `module two (input wire fast_i, input wire slow_i, input wire d_i, output logic q_o, output logic r_o);
  always_ff @(posedge fast_i) q_o <= d_i;
  always_ff @(posedge slow_i) r_o <= q_o;
endmodule
`
	type in struct{ D bool }
	type out struct{ Q, R bool }
	const cycles = 300
	clocks := []sim.Clock{{Port: "fast_i", Period: 10 * time.Nanosecond}, {Port: "slow_i", Period: 35 * time.Nanosecond, Phase: 2 * time.Nanosecond}}
	d := sim.Design{Top: "two", FS: fstest.MapFS{"two.sv": {Data: []byte(text)}}, Files: []string{"two.sv"}, Clocks: clocks}
	sim.ForEachSimulator(t, func(t *testing.T, s sim.Simulator) {
		path := filepath.Join(t.TempDir(), "run.fst")
		dut, err := sim.Open[in, out](t.Context(), d, s, sim.WithWave(path, 20, cycles))
		if err != nil {
			t.Fatal(err)
		}
		for i := range cycles {
			if _, err := dut.Step(in{i%3 == 0}); err != nil {
				t.Fatal(err)
			}
		}
		recent := dut.Recent()
		if err := dut.Close(); err != nil {
			t.Fatal(err)
		}
		scope := map[sim.Simulator]string{sim.Icarus: "two", sim.Verilator: "TOP.two"}[s]
		set, err := wave.ReadFST(wave.Recording{Path: path, Scope: scope, Clocks: []string{"fast_i", "slow_i"}, Times: recent.Times, Cycle: cycles - 1})
		if err != nil {
			t.Fatal(err)
		}
		if set.First > 30 || set.End != cycles || len(set.Lanes) != 2 {
			t.Fatalf("cycles %d to %d with %d lanes", set.First, set.End, len(set.Lanes))
		}
		schedule := bridge.NewSchedule(clocks)
		want := map[string][]uint64{}
		for cycle := range uint64(cycles) {
			_, rise := schedule.Next()
			for i, c := range clocks {
				if rise>>i&1 != 0 && cycle >= set.First {
					want[c.Port] = append(want[c.Port], cycle)
				}
			}
		}
		for _, lane := range set.Lanes {
			var got []uint64
			for _, span := range lane.Spans {
				got = append(got, span.From)
			}
			if diff := cmp.Diff(want[lane.Label], got); diff != "" || len(got) < 50 {
				t.Errorf("%s rises (-want +got)\n%s", lane.Label, diff)
			}
		}
	})
}
