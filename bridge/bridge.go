// Package bridge is where Go and the simulators meet. It turns a [Design], a
// set of SystemVerilog files with a top module, into an [Instance], a running
// model that is nothing but a block of memory and a step:
//
//   - a table of ports (name, direction, width) with a place for each in a row,
//     the [Layout];
//   - a [Tape], rows of input values and rows of sampled output values, in
//     memory that the simulator reads and writes itself;
//   - one operation, [Instance.Run], which plays n rows as n clock cycles in a
//     single crossing. A single step is a tape of one row.
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
// Testbenches do not use this package directly: package sim binds Go structs to
// ports on top of it.
//
// # What a cycle is
//
// Cycle t of a tape is, in both simulators: with the clock low the inputs of row
// t are applied and combinational logic settles; all outputs are sampled into
// row t, so out(t) = f(state(t), in(t)); then comes the rising edge, so
// state(t+1) = g(state(t), in(t)). Before cycle 0 the model settles once at time
// 0 with the clock low and all inputs 0. Cycle t begins at time (t+1)*Period and
// its rising edge is half a period later.
//
// With several clocks, of any periods and phases, a row is an instant in which one
// or more of them rise; all else is the same. Inputs change a low phase ahead of the
// instant, or half the time since the one before if that is less; falling edges come
// at their own times in between. (Icarus, in which the clock is Z before
// time 0, sees a falling edge there.)
package bridge

import (
	"context"
	"fmt"
	"time"
)

// Instance is one running model. It is not safe for concurrent use; different
// instances are independent of each other and may run in parallel.
type Instance interface {
	// Layout says where each port lies in the rows of the tape.
	Layout() *Layout
	// Tape is the port memory. It stays valid until Close.
	Tape() *Tape
	// Run plays rows 0..n-1 of the tape, n clock cycles, and returns the number
	// of rows whose outputs were sampled: n, or fewer with an error. The error is a *StopError
	// if the RTL ended the simulation ($finish, $stop, $fatal), a *DeadError if
	// the simulator died or hung, or the cause of ctx. After an error the instance
	// is finished: each later Run returns the same error.
	Run(ctx context.Context, n int) (int, error)
	// Settle applies the inputs of row 0, lets combinational logic settle before the
	// edge of the cycle to come and samples the outputs into row 0. No cycle is
	// done: the next Run begins with its own inputs. Its errors are those of Run.
	Settle(ctx context.Context) error
	// Messages returns what the RTL printed ($display and its kin) since the
	// last call, a string per line, oldest first.
	Messages() []string
	// Close ends the simulation and frees everything. It may be called twice.
	Close() error
}

// Options are the run-time choices of an instance.
type Options struct {
	// Seed randomises power-up values and unknowns under Verilator, which has
	// only two states. Icarus ignores it: there they are X.
	Seed uint64
	// Timeout is how long Icarus may stay without finishing a cycle before it is
	// given up as hung. Zero means 30 seconds. A Verilated model, which runs in this
	// process, cannot be stopped in the middle of a cycle.
	Timeout time.Duration
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
