package ports_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/livetest"
	"github.com/cosimate/cosimate/sim/live/ports"
)

func each(t *testing.T, body func(t *testing.T, s sim.Simulator)) { sim.ForEachSimulator(t, body) }

// Inputs are set, the clock steps, outputs follow, X is seen where there is X.
func TestPorts(t *testing.T) {
	each(t, func(t *testing.T, s sim.Simulator) {
		v := look(t, open(t, steps, s, ports.Options{}))
		if cycles, simulated := v.app.Time(); cycles != 2 || simulated.Nanoseconds() != 20 {
			t.Errorf("the reset took %d cycles, %v", cycles, simulated)
		}
		want := map[sim.Simulator]string{sim.Icarus: "x", sim.Verilator: v.out("never_o")}[s]
		if v.out("count_o") != "00000000" || v.out("never_o") != want || v.out("wide_o") != strings.Repeat("1", 96) {
			t.Errorf("after the reset: %v", v.Out)
		}
		v.must("set", `{"name":"enable_i","value":"1"}`)
		v.step(3)
		if v.out("count_o") != "00000011" || v.out("odd_o") != "1" {
			t.Errorf("after three cycles: %v", v.Out)
		}
		// What depends on inputs alone is seen at once.
		v.must("set", `{"name":"wide_i","value":"1`+strings.Repeat("0", 95)+`"}`)
		if v.see(); v.out("wide_o") != "0"+strings.Repeat("1", 92)+"001" {
			t.Errorf("wide_o is %s", v.out("wide_o"))
		}
		v.must("set", `{"name":"value_i","value":"10000001"}`)
		v.must("set", `{"name":"load_i","value":"1"}`)
		v.step(1)
		if v.out("count_o") != "10000001" || v.out("never_o") != "1" {
			t.Errorf("after loading: %v", v.Out)
		}
		v.must("reset", "null")
		if v.see(); v.out("count_o") != "00000000" {
			t.Errorf("after a reset: %v", v.Out)
		}
		v.must("restart", "null")
		if v.see(); v.out("never_o") != want {
			t.Errorf("after power-up: %v", v.Out)
		}
	})
}

func TestBadRequests(t *testing.T) {
	v := look(t, open(t, steps, sim.Icarus, ports.Options{}))
	for _, bad := range []struct{ name, args, says string }{
		{"set", `{"name":"count_o","value":"1"}`, "no input count_o"},
		{"set", `{"name":"value_i","value":"100000000"}`, "needs 9 bits"},
		{"set", `{"name":"value_i","value":"x"}`, "not a number"},
		{"set", `{"name":"value_i","value":""}`, "not a number"},
		{"set", `[]`, "cannot unmarshal"},
		{"watch", `{"name":"nothing"}`, "no signal nothing"},
		{"watch", `{"name":"count_o"}`, "is a port"},
		{"watch", `{"name":"u_doubler.seen"}`, "name a word"},
		{"watch", `{"name":"u_doubler.seen[9]"}`, "not within [0:3]"},
		{"trigger", `{"name":"count_o","value":"2"}`, "not a value in binary"},
		{"trigger", `{"name":"count_o","value":"111111111"}`, "has 8 bits"},
		{"trigger", `{"name":"nothing","value":"1"}`, "add it first"},
		{"explode", `{}`, "does not know"},
	} {
		if err := v.do(bad.name, bad.args); err == nil || !strings.Contains(err.Error(), bad.says) {
			t.Errorf("%s %s: %v", bad.name, bad.args, err)
		}
	}
}

// Signals are added while it runs, with what they were before, and a word of a memory is a signal.
func TestWatch(t *testing.T) {
	each(t, func(t *testing.T, s sim.Simulator) {
		v := look(t, open(t, steps, s, ports.Options{}))
		v.must("set", `{"name":"enable_i","value":"1"}`)
		v.step(5)
		var found struct{ Signals []string }
		answer, err := v.app.Handle(v.v, "view.search", json.RawMessage(`{"query":"PAST doub"}`))
		data, _ := json.Marshal(answer)
		if err = errors.Join(err, json.Unmarshal(data, &found)); err != nil || !slices.Equal(found.Signals, []string{"u_doubler.past_q"}) {
			t.Fatalf("found %s: %v", data, err)
		}
		for _, name := range []string{"u_doubler.past_q", "u_doubler.seen[2]"} {
			v.must("watch", fmt.Sprintf(`{"name":%q}`, name))
			if err := v.do("set", `{"name":"enable_i","value":"0"}`); err == nil || !strings.Contains(err.Error(), "one moment") {
				t.Errorf("an input is set meanwhile: %v", err)
			}
			v.settle()
			if v.Problem != "" {
				t.Fatal(v.Problem)
			}
		}
		if v.watched("u_doubler.past_q") != "100" || v.watched("u_doubler.seen[2]") != "00000010" {
			t.Errorf("after five cycles: %v", v.Watched)
		}
		if cycles, _ := v.app.Time(); cycles != 7 {
			t.Errorf("%d cycles are done", cycles)
		}
		want := []any{4.0, "001", 5.0, "010", 6.0, "011"}
		if got := v.wave("u_doubler.past_q"); !cmp.Equal(got[max(0, len(got)-6):], want) {
			t.Errorf("its past is %v", got)
		}
		v.step(2)
		if got, want := v.wave("u_doubler.past_q"), []any{7.0, "100", 8.0, "101"}; v.Wave.Anew || !cmp.Equal(got, want) {
			t.Errorf("two cycles later its wave goes on with %v (anew: %t)", got, v.Wave.Anew)
		}
		v.must("unwatch", `{"name":"u_doubler.past_q"}`)
		if v.see(); v.watched("u_doubler.past_q") != "" || len(v.Watched) != 1 {
			t.Errorf("after removing it: %v", v.Watched)
		}
	})
}

// The trigger pauses just when the signal gets the value, and not again while it has it.
func TestTrigger(t *testing.T) {
	each(t, func(t *testing.T, s sim.Simulator) {
		v := look(t, open(t, steps, s, ports.Options{}))
		v.must("set", `{"name":"enable_i","value":"1"}`)
		v.must("watch", `{"name":"u_doubler.past_q"}`)
		v.settle()
		run := func() (cycles uint64, reason string) {
			t.Helper()
			for range 10_000 {
				_, err := v.app.Step(t.Context(), 1000)
				if pause, ok := errors.AsType[*live.Pause](err); ok {
					v.see()
					cycles, _ = v.app.Time()
					return cycles, pause.Reason
				} else if err != nil {
					t.Fatal(err)
				}
			}
			return 0, "never"
		}
		v.must("trigger", `{"name":"count_o","value":"11001000"}`)
		if cycles, reason := run(); cycles != 202 || v.out("count_o") != "11001000" || !strings.Contains(reason, "count_o is now 8'hc8") {
			t.Errorf("it pauses after %d cycles with %s: %s", cycles, v.out("count_o"), reason)
		}
		if cycles, _ := run(); cycles != 202+256 {
			t.Errorf("it pauses again after %d cycles", cycles)
		}
		v.must("trigger", `{"name":"u_doubler.past_q","value":"101"}`)
		if cycles, reason := run(); v.watched("u_doubler.past_q") != "101" || v.out("count_o") != "11001110" || !strings.Contains(reason, "is now 101") {
			t.Errorf("it pauses after %d cycles with %v, %s: %s", cycles, v.Watched, v.out("count_o"), reason)
		}
		v.must("trigger", `{}`)
		v.step(5000)
	})
}

// A viewer who cannot follow sees the newest cycles, and all that are kept when it pauses.
func TestFastWaves(t *testing.T) {
	v := look(t, open(t, steps, sim.Verilator, ports.Options{}))
	v.must("set", `{"name":"enable_i","value":"1"}`)
	v.step(100_000)
	if w := v.Wave; !w.Anew || w.To != 100_002 || w.From != w.To-4096 {
		t.Errorf("the wave is from %d to %d (anew: %t)", w.From, w.To, w.Anew)
	}
	if got := v.wave("count_o"); len(got) != 2*4096 || got[0] != float64(v.Wave.From) || got[1] != fmt.Sprintf("%08b", (100_002-4096-2)%256) {
		t.Errorf("count_o has %d entries, and begins with %v", len(got), got[:2])
	}
	if v.see(); v.Wave != nil {
		t.Error("without a new cycle there is a new wave")
	}
}

// Without a clock, each change of an input is a cycle.
func TestCombinational(t *testing.T) {
	each(t, func(t *testing.T, s sim.Simulator) {
		d := sim.Design{Top: "both", Files: []string{"both.sv"}, FS: fstest.MapFS{"both.sv": {Data: []byte(
			"module both(input wire a_i, b_i, output wire y_o); assign y_o = a_i & b_i; endmodule\n")}}}
		app := open(t, d, s, ports.Options{})
		v := look(t, app)
		v.must("set", `{"name":"a_i","value":"1"}`)
		v.must("set", `{"name":"b_i","value":"1"}`)
		if v.see(); app.Clocked() || v.out("y_o") != "1" {
			t.Errorf("y_o is %s", v.out("y_o"))
		}
		if got, want := v.wave("y_o"), []any{0.0, "0", 1.0, "1"}; !cmp.Equal(got, want) {
			t.Errorf("the wave of y_o is %v", got)
		}
	})
}

// What the RTL prints is shown once, and its $finish is no fault.
func TestMessages(t *testing.T) {
	each(t, func(t *testing.T, s sim.Simulator) {
		v := look(t, open(t, steps, s, ports.Options{}))
		v.must("set", `{"name":"load_i","value":"1"}`)
		v.must("set", `{"name":"value_i","value":"11111111"}`)
		v.step(1)
		if len(v.Messages) != 1 || v.Messages[0].Text != "loaded the largest: 255" || v.Messages[0].Cycle != 2 {
			t.Errorf("the messages are %v", v.Messages)
		}
		v.must("watch", `{"name":"u_doubler.past_q"}`)
		if v.settle(); len(v.Messages) != 0 {
			t.Errorf("after the cycles were done again, the messages are %v", v.Messages)
		}
		v.must("set", `{"name":"value_i","value":"11101110"}`)
		_, err := v.app.Step(t.Context(), 1)
		if pause, ok := errors.AsType[*live.Pause](err); !ok || !strings.Contains(pause.Reason, "$finish") {
			t.Errorf("$finish: %v", err)
		}
		v.see()
		if err := v.do("watch", `{"name":"never_q"}`); err == nil || !strings.Contains(err.Error(), "restart") {
			t.Errorf("after the end: %v", err)
		}
		v.must("restart", "null")
		v.must("set", `{"name":"enable_i","value":"1"}`)
		if v.step(2); v.out("count_o") != "00000010" {
			t.Errorf("after a restart: %v", v.Out)
		}
	})
}

// What was done is done again by a new server.
func TestSave(t *testing.T) {
	each(t, func(t *testing.T, s sim.Simulator) {
		v := look(t, open(t, steps, s, ports.Options{}))
		v.must("set", `{"name":"enable_i","value":"1"}`)
		v.step(100)
		v.must("set", `{"name":"enable_i","value":"0"}`)
		v.step(9000)
		v.must("watch", `{"name":"u_doubler.past_q"}`)
		v.settle()
		v.must("trigger", `{"name":"u_doubler.past_q","value":"11"}`)
		v.must("set", `{"name":"value_i","value":"101"}`)
		saved, err := v.app.Save()
		if err != nil {
			t.Fatal(err)
		}
		again := open(t, steps, s, ports.Options{})
		if err := again.Restore(context.Background(), saved); err != nil {
			t.Fatal(err)
		}
		w := look(t, again)
		v.see()
		if cycles, _ := again.Time(); cycles != 9102 || !cmp.Equal(w.In, v.In) || !cmp.Equal(w.Out, v.Out) || !cmp.Equal(w.Watched, v.Watched) || w.watched("u_doubler.past_q") != "100" {
			t.Errorf("after %d cycles %v %v %v, before it was %v %v %v", cycles, w.In, w.Out, w.Watched, v.In, v.Out, v.Watched)
		}
		for _, bad := range []string{"", "{}", `{"design":"other"}`, strings.Replace(string(saved), `"c":2,`, `"c":90000,`, 1), strings.Replace(string(saved), `"Width":8`, `"Width":7`, 1)} {
			if bad == string(saved) {
				t.Fatal("nothing is spoilt")
			}
			if err := open(t, steps, s, ports.Options{}).Restore(context.Background(), []byte(bad)); err == nil {
				t.Errorf("%.60s is restored", bad)
			}
		}
	})
}

// What would take too long to be done again begins anew, and people are told.
func TestSaveTooLong(t *testing.T) {
	v := look(t, open(t, steps, sim.Icarus, ports.Options{}))
	v.step(9000)
	saved, err := v.app.Save()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "steps.json")
	if err := os.WriteFile(path, saved, 0o666); err != nil {
		t.Fatal(err)
	}
	ports.ReplayWithin(t, 0)
	address, _ := livetest.Serve(t, open(t, steps, sim.Icarus, ports.Options{}), live.Options{Save: path})
	now := livetest.Follow(t, address).Next()
	if now.Cycles != 2 || !now.Fault || !strings.Contains(now.Notice, "so it begins anew: it had done 9002 cycles, of which ") {
		t.Errorf("after %d cycles the page says: %s", now.Cycles, now.Notice)
	}
}

func TestWaveFile(t *testing.T) {
	each(t, func(t *testing.T, s sim.Simulator) {
		path := filepath.Join(t.TempDir(), "all.fst")
		app := open(t, steps, s, ports.Options{Wave: path})
		v := look(t, app)
		v.step(10)
		v.must("restart", "null")
		if err := app.Close(); err != nil {
			t.Fatal(err)
		}
		for _, p := range []string{path, strings.Replace(path, "all.fst", "all-2.fst", 1)} {
			if info, err := os.Stat(p); err != nil || info.Size() < 100 {
				t.Errorf("%s: %v", p, err)
			}
		}
	})
}

// With several clocks a cycle is an instant in which one or more of them rise.
func TestTwoClocks(t *testing.T) {
	d := sim.Design{Top: "two", Files: []string{"two.sv"}, FS: fstest.MapFS{"two.sv": {Data: []byte(`
module two(input wire clk_a_i, input wire clk_b_i, input wire rst_i, output logic [3:0] a_o, output logic [3:0] b_o);
  always_ff @(posedge clk_a_i) a_o <= rst_i ? '0 : a_o + 1'b1;
  always_ff @(posedge clk_b_i) b_o <= rst_i ? '0 : b_o + 1'b1;
endmodule
`)}}, Clocks: []sim.Clock{{Port: "clk_a_i", Period: 10 * time.Nanosecond}, {Port: "clk_b_i", Period: 30 * time.Nanosecond}}, Reset: "rst_i"}
	app := open(t, d, sim.Icarus, ports.Options{NoReset: true})
	v := look(t, app)
	v.must("set", `{"name":"rst_i","value":"1"}`)
	v.step(6) // each clock has risen
	v.must("set", `{"name":"rst_i","value":"0"}`)
	before, at := app.Time()
	v.step(12)
	a, _ := strconv.ParseUint(v.out("a_o"), 2, 64)
	b, _ := strconv.ParseUint(v.out("b_o"), 2, 64)
	now, time := app.Time()
	if now-before != 12 || time-at < 90 || time-at > 120 || a < 9 || a > 12 || b < 3 || b > 4 || len(v.About.Inputs) != 1 {
		t.Errorf("in 12 instants, %v, the first clock counts %d, the second %d; inputs %v", time-at, a, b, v.About.Inputs)
	}
}

// A page that ends while a signal is being added leaves nothing behind.
func TestCloseWhileBuilding(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		app, err := ports.Open(context.Background(), steps, sim.Icarus, ports.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v := look(t, app)
		v.step(10_000)
		v.must("watch", `{"name":"never_q"}`)
		<-app.Wakes() // compiled
		app.Wake()
		if err := app.Close(); err != nil {
			t.Error(err)
		}
	}
	for i := 0; runtime.NumGoroutine() > before; i++ {
		if i == 2000 {
			t.Fatalf("%d goroutines are left", runtime.NumGoroutine()-before)
		}
		time.Sleep(time.Millisecond)
	}
}

// Of a large design, signals are not made ready before somebody wants them.
func TestLargeDesign(t *testing.T) {
	const registers = 3000
	text := "module chain (input wire clk_i, input wire d_i, output wire q_o);\n  logic r0_q;\n  always_ff @(posedge clk_i) r0_q <= d_i;\n"
	for i := 1; i < registers; i++ {
		text += fmt.Sprintf("  logic r%d_q;\n  always_ff @(posedge clk_i) r%d_q <= r%d_q;\n", i, i, i-1)
	}
	text += fmt.Sprintf("  assign q_o = r%d_q;\nendmodule\n", registers-1)
	d := sim.Design{Top: "chain", FS: fstest.MapFS{"chain.sv": {Data: []byte(text)}}, Files: []string{"chain.sv"}, Clock: "clk_i"}
	v := look(t, open(t, d, sim.Icarus, ports.Options{}))
	v.must("set", `{"name":"d_i","value":"1"}`)
	v.step(10)
	v.must("watch", `{"name":"r9_q"}`)
	v.settle()
	if r9 := v.watched("r9_q"); r9 != "1" {
		t.Errorf("r9_q is %s", r9)
	}
	v.must("watch", `{"name":"r10_q"}`)
	v.settle()
	if r10 := v.watched("r10_q"); r10 != "x" {
		t.Errorf("r10_q is %s", r10)
	}
}
