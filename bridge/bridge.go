// Package bridge is where Go and the simulators meet. It turns a [Design], a
// set of SystemVerilog files with a top module, into an [Instance], a running
// model that is nothing but a block of memory and a step:
//
//   - a table of ports (name, direction, width) with a place for each in a row,
//     the [Layout], which the user of this package chooses: a row can be a Go struct;
//   - [Rows], values of inputs and sampled outputs, in memory of the user's;
//   - one operation, [Instance.Run], which plays n rows as n clock cycles in a
//     single crossing. A single step is a run of one row.
//
// Reading or writing a port is a Go load or store, not a call. The two
// simulators live in sibling folders and mean exactly the same by all of this
// (spec_test.go is the one specification that both must pass):
//
//   - bridge/verilator compiles the model to a shared library and loads it into
//     this process;
//   - bridge/icarus runs vvp as a child process with a VPI module, over shared
//     memory.
//
// Beside the rows there are internal signals by hierarchical name (signal.go), calls from
// RTL into Go (call.go), messages (message.go), code coverage and waveforms.
//
// Testbenches do not use this package directly: package sim binds Go structs to
// ports on top of it.
//
// # What a cycle is
//
// Cycle t is, in both simulators: with the clock low the inputs of row
// t are applied and combinational logic settles; all outputs are sampled into
// row t, so out(t) = f(state(t), in(t)); then comes the rising edge, so
// state(t+1) = g(state(t), in(t)). Before cycle 0 the model settles once at time
// 0 with the clock low and all inputs 0. Cycle t begins at time (t+1)*Period and
// its rising edge is half a period later.
//
// With several clocks, of any periods and phases, a row is an instant in which one or more of them
// rise; all else is the same. Inputs change a low phase ahead of the instant, or half the time
// since the one before if that is less; falling edges come at their own times in between. (Icarus,
// in which the clock is Z before time 0, sees a falling edge there, and of all inputs. Under
// Verilator only Design.Reset falls there, if it is active low: it is 1 while initial blocks run,
// and does not rise before a row says so.)
package bridge

import (
	"context"
	"fmt"
	"time"
)

// Model is a compiled design, from which any number of instances can be made.
type Model interface {
	Layout() *Layout
	Start(Options) (Instance, error)
}

// BuildOptions are choices at compile time. Each is part of the cache's key.
type BuildOptions struct {
	// Shape says where the ports, given in any order and without those of the clocks, lie in
	// rows. Nil means [NewLayout].
	Shape func(ports []Port) (*Layout, error)
	// Coverage compiles code coverage of lines, branches and cover points in: Verilator only, an
	// error under Icarus. If a run begins in Design.Reset, what registers' random values at
	// power-up do is not counted: lines and branches count from the clock's first edge on (of
	// several clocks, the last one's), cover points and toggles from the first row that is not in
	// reset.
	Coverage bool
	// Toggles makes Coverage count the changes of each bit, too, which costs many times as much.
	Toggles bool
	// Wave makes it possible to record waveforms: see [Options].
	Wave bool
	// Signs makes Verilator tell [Port].DeclaredSigned, for which it runs once more. Icarus always
	// does.
	Signs bool
}

// Instance is one running model. It is not safe for concurrent use; different
// instances are independent of each other and may run in parallel.
type Instance interface {
	// Layout says where each port lies in the rows.
	Layout() *Layout
	// Run plays n rows, n clock cycles, and returns the number of rows whose outputs were sampled:
	// n, or fewer with an error. The error is a *StopError if the RTL ended the simulation
	// ($finish, $stop, $fatal), a *DeadError if the simulator died or hung, or the cause of ctx.
	// After an error the instance is finished: each later call returns the same error. Only after
	// an *InputError, of a row that was not played, it is not. ctx is looked at before the first
	// row, by Icarus while it waits as well: runs should be short ([MaxRows]).
	Run(ctx context.Context, rows *Rows, n int) (int, error)
	// Settle applies the inputs of row 0, lets combinational logic settle before the
	// edge of the cycle to come and samples the outputs into row 0. No cycle is
	// done: the next Run begins with its own inputs. Its errors are those of Run.
	Settle(ctx context.Context, rows *Rows) error
	// Messages returns what the RTL printed since the last call, oldest first.
	Messages() []Message
	// Peek, Poke, Force and Release reach internal signals: see [Value]. The name is one of
	// Design.Internals (or a word of a memory that is: "mem[3]"); others are a *SignalError.
	Peek(name string) (Value, error)
	Poke(name string, v Value) error
	Force(name string, v Value) error
	Release(name string) error
	// Coverage is what the model has counted so far, in the format of Verilator's coverage.dat;
	// an error if it was not compiled in.
	Coverage() ([]byte, error)
	// Counters are the coverage counters as they lie in the model, live, valid until Close; nil if
	// they were not compiled in. What each counts is in Coverage; the order is fixed for a model.
	// The reset at the beginning sets some back.
	Counters() []uint32
	// Spent is where time went so far. Only counted with [Options].Timed.
	Spent() Spent
	// Close ends the simulation, whose final blocks run, and frees everything. A waveform is
	// complete then, and Messages has what was printed. Its error is that of the final blocks. It
	// may be called twice.
	Close() error
}

// Rows are the memory of a run: at least n rows each, in the shape of the [Layout]. The memory
// must hold no Go pointers. It is used during the call only.
type Rows struct {
	In  []byte // n * Layout.InSize, read
	Out []byte // n * Layout.OutSize, written: all bytes of all outputs, nothing between them
	// Unknown has the shape of Out: a bit is set where the output was X or Z, and then Out has 0
	// for X and 1 for Z. May be nil: not wanted. Under Verilator, which has no unknowns, it is not
	// touched.
	Unknown []byte
}

// Spent is how long the parts of an instance have worked.
type Spent struct {
	Simulator time.Duration // evaluating RTL
	Bridge    time.Duration // copying ports, crossing over
	Waiting   time.Duration // of that, asleep until vvp answers
}

// Options are the run-time choices of an instance.
type Options struct {
	// Seed randomises power-up values and unknowns under Verilator, which has
	// only two states. Icarus ignores it: there they are X.
	Seed uint64
	// Timeout is how long Icarus may stay without finishing a cycle before it is
	// given up as hung, and a Verilated model within a loop. Zero means 30 seconds.
	Timeout time.Duration

	// OnEvent is given what RTL reports with COSIM_EVENT, in order, at the latest when the run
	// returns. Nil: events are dropped.
	OnEvent func(Event)
	// OnAsk answers COSIM_ASK while the RTL waits. Nil, or an error: the run ends with a
	// *CallError. It must not use the instance.
	OnAsk func(Event) (uint64, error)

	// Wave records all signals (of memories of up to 4096 words, which Icarus counts from 0 if
	// there are several indices; under Icarus not of bit, int and real) from the beginning of cycle
	// From to the end of cycle To into an FST file, if Path is not empty. The model must be built
	// with Wave.
	Wave Wave

	// Timed counts [Spent], which costs some 50 ns a cycle.
	Timed bool
}

// Wave is a window of cycles to record.
type Wave struct {
	Path     string
	From, To uint64
}

// HangTimeout is the time without progress after which a simulator is given up.
func (o Options) HangTimeout() time.Duration {
	if o.Timeout > 0 {
		return o.Timeout
	}
	return 30 * time.Second
}

// CompileError is RTL that a simulator refuses. Its text is the simulator's own
// message, in which files are named as in the design: folder/file.sv:line.
type CompileError struct {
	Simulator string
	Top       string
	Command   string // what was run
	Output    string // what it printed
}

func (e *CompileError) Error() string {
	return fmt.Sprintf("%s: module %s does not compile; it says:\n%s", e.Simulator, e.Top, e.Output)
}

// StopError is the RTL ending the simulation by itself.
type StopError struct {
	Simulator string
	Top       string
	Cycle     uint64 // the cycle during which it happened
	Task      string // "$finish", "$stop", "$fatal" ..., or "" where the simulator does not tell
	Where     string // "folder/file.sv:line", where the simulator tells
	Message   string // what it printed
}

func (e *StopError) Error() string {
	task := e.Task
	if task == "" {
		task = "$finish or $stop"
	}
	where := ""
	if e.Where != "" {
		where = " at " + e.Where
	}
	msg := ""
	if e.Message != "" {
		msg = ": " + e.Message
	}
	return fmt.Sprintf("%s: %s called %s in cycle %d%s%s", e.Simulator, e.Top, task, e.Cycle, where, msg)
}

// DeadError is a simulator that died or hung.
type DeadError struct {
	Simulator string
	Top       string
	Cycle     uint64 // cycles completed before
	Reason    string
	Output    string // the last of what it printed
}

func (e *DeadError) Error() string {
	s := fmt.Sprintf("%s: %s: %s after cycle %d", e.Simulator, e.Top, e.Reason, e.Cycle)
	if e.Output != "" {
		s += "; its last output was:\n" + e.Output
	}
	return s
}
