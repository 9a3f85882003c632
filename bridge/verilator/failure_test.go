package verilator_test

import (
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/verilator"
)

// dies runs a design whose input a_i is 1 in cycle 53, first in a long run and then in short ones,
// and returns its error.
func dies(t *testing.T, d bridge.Design) (dead *bridge.DeadError) {
	t.Helper()
	m := build(t, d, bridge.BuildOptions{})
	other, more := start(t, m, bridge.Options{})
	for at, n := range map[int]int{20: 200, 0: 1} { // it dies in row at of n
		i, rows := start(t, m, bridge.Options{Timeout: 200 * time.Millisecond})
		size := i.Layout().InSize
		rows.In = make([]byte, 200*size)
		rows.Out = make([]byte, 200*i.Layout().OutSize)
		for range 53 { // most of these calls are made without cgo
			if _, err := i.Run(t.Context(), &rows, 1); err != nil {
				t.Fatal(err)
			}
		}
		rows.In[at*size] = 1
		begin := time.Now()
		done, err := i.Run(t.Context(), &rows, n)
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("it took %v", took)
		}
		var ok bool
		if dead, ok = errors.AsType[*bridge.DeadError](err); !ok {
			t.Fatalf("Run gives %d, %v", done, err)
		}
		if dead.Cycle != uint64(53+at) || done > at+1 {
			t.Errorf("it died in cycle %d, %d rows done, not in %d: %v", dead.Cycle, done, 53+at, err)
		}
		if _, again := i.Run(t.Context(), &rows, 1); again != err {
			t.Errorf("the next run gives %v", again)
		}
		if _, err := other.Run(t.Context(), &more, 10); err != nil {
			t.Errorf("another instance: %v", err)
		}
	}
	return dead
}

// A loop of the design that does not end is left after the timeout. The error names the loops.
func TestHang(t *testing.T) {
	for name, body := range map[string]string{
		"while":   "while (a_i) q_o = q_o + 1;",
		"forever": "if (a_i) forever q_o = q_o + 1;",
		"do":      "do q_o = q_o + 1; while (a_i);",
		"for":     "for (int i = 0; i >= 0 && a_i; i = i ^ 1) q_o = q_o + 1;",
		"inner":   "while (a_i) for (int i = 0; i < 3 + int'(q_o[0]); i++) q_o = q_o + 1;",
	} {
		t.Run(name, func(t *testing.T) {
			d := design("hang", "module hang(input wire clk_i, input wire a_i, output logic [7:0] q_o);\n  initial q_o = 0;\n  // for comment's sake\n  always @(posedge clk_i) begin\n    "+body+"\n  end\nendmodule\n")
			err := dies(t, d)
			if !strings.Contains(err.Error(), "was not finished in 200ms") || !strings.Contains(err.Error(), "hw/hang.sv:5 (") || strings.Contains(err.Error(), "hang.sv:3") {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// While a step hangs, the rest of the program goes on, and so do garbage collections.
func TestHangStopsNobodyElse(t *testing.T) {
	m := build(t, design("hang", "module hang(input wire clk_i, input wire a_i, output logic [7:0] q_o);\n  initial q_o = 0;\n  always @(posedge clk_i) while (a_i) q_o = q_o + 1;\nendmodule\n"), bridge.BuildOptions{})
	i, rows := start(t, m, bridge.Options{Timeout: 3 * time.Second})
	for range 100 {
		if _, err := i.Run(t.Context(), &rows, 1); err != nil {
			t.Fatal(err)
		}
	}
	rows.In[0] = 1
	var collected atomic.Bool
	begins := make(chan bool)
	go func() {
		close(begins)
		time.Sleep(100 * time.Millisecond)
		runtime.GC()
		collected.Store(true)
	}()
	<-begins
	if n, err := i.Run(t.Context(), &rows, 1); err == nil {
		t.Errorf("Run gives %d, %v", n, err)
	}
	if !collected.Load() {
		t.Error("a garbage collection had to wait for the end of the hang")
	}
}

// A crash within a model is an error that names the signal, the address and the function. Here the
// RTL calls a function of the C library with an invalid pointer.
func TestCrash(t *testing.T) {
	d := design("crash", `module crash(input wire clk_i, input wire a_i, output logic [31:0] q_o);
  import "DPI-C" function longint argz_count(input longint argz, input longint size);
  always @(posedge clk_i) if (a_i) q_o <= 32'(argz_count(16, 8)); else q_o <= 7;
endmodule
`)
	for range 3 { // the signal is caught again
		err := dies(t, d)
		if !strings.Contains(err.Error(), "SIGSEGV at address 0x10 in ") || !strings.Contains(err.Error(), "libc.so") {
			t.Errorf("the error is %v", err)
		}
	}
	// Faults in Go code are still handled by Go.
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(error).Error(), "nil pointer") {
			t.Errorf("a nil pointer in Go gives %v", r)
		}
	}()
	var p *int
	*p = 1
}

// If the stack is full, the error says so. Verilator 5.006 has local arrays on the stack, but no
// recursive functions. 5.048 has recursive functions, but no local arrays on the stack.
func TestStackOverflow(t *testing.T) {
	d := design("deep", `module deep(input wire clk_i, input wire a_i, output logic [31:0] q_o);
  function automatic int down(input int n);
    if (n == 0) return 0;
    return down(n + 2) ^ n;
  endfunction
  always @(posedge a_i) q_o <= down(1);
endmodule
`)
	if _, err := verilator.Build(t.Context(), d, bridge.BuildOptions{}); err != nil {
		d = design("deep", `module deep(input wire clk_i, input wire a_i, output logic [7:0] q_o);
  function automatic logic [7:0] wide(input logic [7:0] n);
    logic [7:0] room [0:24'hffffff];
    for (int i = 0; i < 24'hffffff; i += 4096) room[i[23:0]] = n + i[23:16];
    return room[{n, 16'd0}];
  endfunction
  always @(posedge a_i) q_o <= wide(q_o);
endmodule
`)
	}
	err := dies(t, d)
	if !strings.Contains(err.Error(), "SIGSEGV at address 0x") || !strings.Contains(err.Error(), "its stack is full") {
		t.Errorf("the error is %v", err)
	}
}

// Logic that oscillates is an error with its place.
func TestNoConvergence(t *testing.T) {
	err := dies(t, design("swing", `module swing(input wire clk_i, input wire a_i, output logic q_o);
  logic r;
  assign q_o = a_i & ~r;
  always_comb r = q_o;
endmodule
`))
	if !strings.Contains(err.Error(), "hw/swing.sv:") || !strings.Contains(err.Error(), "converge") || !strings.Contains(err.Error(), "depends on itself: q_o (hw/swing.sv:1, hw/swing.sv:4") {
		t.Errorf("the error is %v", err)
	}
}

// If too many errors are printed, the run ends.
func TestFlood(t *testing.T) {
	i, rows := start(t, build(t, design("flood", `module flood(input wire clk_i, input wire a_i, output logic q_o);
  logic [16383:0] wide;
  initial wide = 1;
  assign q_o = a_i;
  always @(posedge clk_i) if (a_i) for (int i = 0; i < 3000; i++) $error("wide is %h", wide);
endmodule
`), bridge.BuildOptions{}), bridge.Options{})
	rows.In[0] = 1
	_, err := i.Run(t.Context(), &rows, 1)
	if _, ok := errors.AsType[*bridge.DeadError](err); !ok || !strings.Contains(err.Error(), "printed more than 8 MiB of errors in one run") {
		t.Errorf("the error is %.1000v", err)
	}
}

// Spent divides the time of runs into its parts.
func TestSpent(t *testing.T) {
	m := build(t, design("covered", covered), bridge.BuildOptions{})
	i, rows := start(t, m, bridge.Options{Timed: true})
	begin := time.Now()
	for range 100 {
		if _, err := i.Run(t.Context(), &rows, 100); err != nil {
			t.Fatal(err)
		}
	}
	if s, all := i.Spent(), time.Since(begin); s.Simulator <= 0 || s.Bridge <= 0 || s.Simulator+s.Bridge > all || s.Waiting != 0 {
		t.Errorf("of %v, %+v were spent", all, s)
	}
	i, rows = start(t, m, bridge.Options{})
	if _, err := i.Run(t.Context(), &rows, 100); err != nil || i.Spent() != (bridge.Spent{}) {
		t.Errorf("untimed, %+v were spent (%v)", i.Spent(), err)
	}
}
