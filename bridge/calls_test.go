package bridge_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosimate/cosimate/bridge"
)

const caller = "`include \"cosim.svh\"" + `
module mon(input wire clk_i, input wire [7:0] a_i, input wire [63:0] b_i, output logic [63:0] answer_o);
  logic [2:0] low;
  assign low = a_i[2:0];
  initial answer_o = 0;
  always_ff @(posedge clk_i) begin : watch
    if (a_i[0]) ` + "`COSIM_EVENT(\"one\", a_i)" + `
    if (a_i[1]) ` + "`COSIM_EVENT2(\"two\", low, b_i)" + `
    if (a_i[2]) ` + "`COSIM_EVENT4(\"four\", a_i, b_i, a_i + 8'd1, clk_i)" + `
    if (a_i[3]) ` + "`COSIM_LOG(\"warning\", \"about to ask\")" + `
    if (a_i[3]) ` + "`COSIM_ASK(\"what\", b_i, answer_o)" + `
    if (a_i[4]) ` + "`COSIM_EVENT3(\"three\", answer_o, 5, 16'hffff)" + `
  end
endmodule
module caller(input wire clk_i, input wire [7:0] a_i, input wire [63:0] b_i, output logic [63:0] answer_o);
  mon u_mon(.clk_i, .a_i, .b_i, .answer_o);
endmodule`

// Events come in order, with cycle, scope and values, at the latest when the run returns. A
// question is answered within the run, after the events before it.
func TestCalls(t *testing.T) {
	forEach(t, design("caller", caller), func(t *testing.T, m *model) {
		var got []string
		note := func(kind string, e bridge.Event) {
			got = append(got, fmt.Sprintf("%s %d %s %s %x", kind, e.Cycle, e.Scope, e.Name, e.Values))
			for _, u := range e.Unknown {
				if u != 0 {
					t.Errorf("%+v has unknown bits", e)
				}
			}
		}
		d := m.start(bridge.Options{
			OnEvent: func(e bridge.Event) { note("event", e) },
			OnAsk: func(e bridge.Event) (uint64, error) {
				note("ask", e)
				return e.Values[0] + 1, nil
			},
		})
		for row, a := range []uint64{0, 1, 6, 0x1f, 0} {
			d.set(row, "a_i", a)
			d.set(row, "b_i", 0xfedcba9876543210+uint64(row))
		}
		d.run(2)
		if diff := cmp.Diff([]string{"event 1 caller.u_mon one [1]"}, got); diff != "" {
			t.Fatalf("after two cycles:\n%s", diff)
		}
		copy(d.rows.In, d.rows.In[2*d.Layout().InSize:])
		d.run(3)
		want := []string{
			"event 1 caller.u_mon one [1]",
			"event 2 caller.u_mon two [6 fedcba9876543212]",
			"event 2 caller.u_mon four [6 fedcba9876543212 7 1]",
			"event 3 caller.u_mon one [1f]",
			"event 3 caller.u_mon two [7 fedcba9876543213]",
			"event 3 caller.u_mon four [1f fedcba9876543213 20 1]",
			"ask 3 caller.u_mon what [fedcba9876543213]",
			"event 3 caller.u_mon three [fedcba9876543214 5 ffff]",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if got := d.get(2, "answer_o"); got != 0xfedcba9876543214 {
			t.Errorf("answer_o is %#x", got)
		}
		messages := d.Messages()
		if len(messages) != 1 || messages[0].Severity != bridge.Warning || messages[0].Text != "about to ask" || messages[0].Cycle != 3 || messages[0].Scope != "caller.u_mon" {
			t.Errorf("the messages are %+v", messages)
		}
	})
}

// If there are more events than there is room for, all arrive within the run, in order.
func TestManyEvents(t *testing.T) {
	forEach(t, design("caller", caller), func(t *testing.T, m *model) {
		next := uint64(0)
		bad := 0
		d := m.start(bridge.Options{OnEvent: func(e bridge.Event) {
			if e.Cycle != next/2 || e.Name != [...]string{"two", "four"}[next%2] {
				bad++
			}
			next++
		}})
		const n = 10_000
		l := d.Layout()
		rows := bridge.Rows{In: make([]byte, n*l.InSize), Out: make([]byte, n*l.OutSize)}
		for row := range n {
			rows.In[row*l.InSize+d.port("a_i").Offset] = 6
		}
		if _, err := d.Run(t.Context(), &rows, n); err != nil {
			t.Fatal(err)
		}
		if bad > 0 || next != 2*n {
			t.Errorf("%d of %d events are wrong; %d were sent", bad, next, 2*n)
		}
	})
}

// A question without an answer ends the run with an error that names it.
func TestUnanswered(t *testing.T) {
	forEach(t, design("caller", caller), func(t *testing.T, m *model) {
		cause := errors.New("no idea")
		for _, c := range []struct {
			opts bridge.Options
			want error
		}{
			{bridge.Options{}, nil},
			{bridge.Options{OnAsk: func(bridge.Event) (uint64, error) { return 0, cause }}, cause},
		} {
			d := m.start(c.opts)
			d.set(3, "a_i", 8)
			n, err := d.Run(t.Context(), &d.rows, 10)
			call, ok := errors.AsType[*bridge.CallError](err)
			if !ok || c.want != nil && !errors.Is(err, c.want) || call.Event.Cycle != 3 || call.Event.Name != "what" || n != 4 {
				t.Errorf("Run gives %d, %v", n, err)
			}
			if _, again := d.Run(t.Context(), &d.rows, 1); again != err {
				t.Errorf("the next run gives %v", again)
			}
		}
	})
}

// A handler that panics or ends its goroutine ends the instance, but not the program. The panic
// reaches the caller, the next run is an error that says why, and other instances run.
func TestHandlersThatDoNotReturn(t *testing.T) {
	forEach(t, design("caller", caller), func(t *testing.T, m *model) {
		for _, leave := range []func(){func() { panic("no more") }, runtime.Goexit} {
			for _, c := range []struct {
				opts bridge.Options
				a    uint64 // of cycle 3
				name string
			}{
				{bridge.Options{OnAsk: func(bridge.Event) (uint64, error) { leave(); return 0, nil }}, 8, "what"},
				{bridge.Options{OnEvent: func(bridge.Event) { leave() }}, 3, "one"},
			} {
				d := m.start(c.opts)
				d.set(3, "a_i", c.a)
				left := make(chan any)
				go func() {
					defer func() { left <- recover() }()
					n, err := d.Run(t.Context(), &d.rows, 10)
					t.Errorf("Run gives %d, %v", n, err)
				}()
				if value := <-left; value != nil && value != "no more" {
					t.Errorf("Run panics with %v", value)
				}
				n, err := d.Run(t.Context(), &d.rows, 1)
				call, ok := errors.AsType[*bridge.CallError](err)
				if !ok || n != 0 || call.Err != bridge.ErrNoReturn || call.Event.Cycle != 3 || call.Event.Name != c.name {
					t.Errorf("the next run gives %d, %v", n, err)
				}
				m.start(bridge.Options{}).run(10)
				if err := d.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

// X and Z arrive as such, if the simulator has them.
func TestUnknownEvents(t *testing.T) {
	d := design("vague", "`include \"cosim.svh\"\n"+`
module vague(input wire clk_i, output wire q_o);
  assign q_o = clk_i;
`+"`ifdef VERILATOR\n`define V 6'b101010\n`else\n`define V 6'b1xz0zx\n`endif\n"+`
  always_ff @(posedge clk_i) `+"`COSIM_EVENT(\"v\", `V)"+`
endmodule`)
	forEach(t, d, func(t *testing.T, m *model) {
		var got []bridge.Event
		i := m.start(bridge.Options{OnEvent: func(e bridge.Event) { got = append(got, e) }})
		i.run(1)
		if len(got) != 1 {
			t.Fatalf("the events are %+v", got)
		}
		if v, u := got[0].Values[0], got[0].Unknown[0]; m.name == "icarus" && (v != 0b101010 || u != 0b011011) {
			t.Errorf("1xz0zx is %06b, unknown %06b", v, u)
		} else if m.name == "verilator" && u != 0 {
			t.Errorf("unknown bits %b", u)
		}
	})
}

// Under Icarus a wrong call in RTL is an error of the build with its line. There the calls are
// system tasks. (Under Verilator they are functions with types, which it checks itself.)
func TestWrongCalls(t *testing.T) {
	for _, c := range []struct{ call, want string }{
		{"`COSIM_EVENT(\"wide\", wide)", "at most 64"},
		{"`COSIM_ASK(\"what\", 1, 8'd3)", "must be a variable"},
		{"`COSIM_LOG(\"loud\", \"text\")", "\"loud\""},
	} {
		d := design("m", "`include \"cosim.svh\"\nmodule m(input wire clk_i, output logic q_o);\n  logic [64:0] wide = 0;\n  assign q_o = wide[0];\n  always @(posedge clk_i)\n    "+c.call+"\nendmodule")
		_, err := simulators[0].build(t.Context(), d, bridge.BuildOptions{})
		if _, ok := errors.AsType[*bridge.CompileError](err); !ok || !contains(err, c.want) || !contains(err, "hw/m.sv:6") {
			t.Errorf("%s: the error is %v", c.call, err)
		}
	}
}

// The calls are the same into whatever runs the cycles are divided.
func TestCallsOfCuts(t *testing.T) {
	forEach(t, design("caller", caller), func(t *testing.T, m *model) {
		play := func(cut func() int) string {
			var trace strings.Builder
			d := m.start(bridge.Options{
				OnEvent: func(e bridge.Event) { fmt.Fprintln(&trace, e) },
				OnAsk:   func(e bridge.Event) (uint64, error) { fmt.Fprintln(&trace, "?", e); return e.Values[0] * 3, nil },
			})
			r := rand.New(rand.NewPCG(1, 2))
			for done := 0; done < 300; {
				n := min(cut(), 300-done)
				for row := range n {
					d.set(row, "a_i", r.Uint64N(32))
					d.set(row, "b_i", r.Uint64())
				}
				d.run(n)
				done += n
			}
			return trace.String()
		}
		if diff := cmp.Diff(play(func() int { return 1 }), play(func() int { return 77 })); diff != "" {
			t.Errorf("runs of 77 cycles differ from steps:\n%s", diff)
		}
	})
}

// In both simulators a value has the bits of its own width, and 0 above them even if it is signed.
// The calls give no warnings.
func TestWidthsOfCalls(t *testing.T) {
	forEach(t, design("widths", "`include \"cosim.svh\"\n"+`
module widths(input wire clk_i, input wire [7:0] a_i);
  wire signed [7:0] number = a_i;
  always_ff @(posedge clk_i) begin
    `+"`COSIM_EVENT4(\"widths\", a_i + 8'd1, number, a_i + 1, number == -1)"+`
  end
endmodule`), func(t *testing.T, m *model) {
		var got []uint64
		d := m.start(bridge.Options{OnEvent: func(e bridge.Event) { got = e.Values }})
		d.set(0, "a_i", 0xff)
		d.run(1)
		if diff := cmp.Diff([]uint64{0, 0xff, 0x100, 1}, got); diff != "" {
			t.Error(diff)
		}
		for _, msg := range d.Messages() {
			t.Errorf("it printed %v", msg)
		}
	})
}
