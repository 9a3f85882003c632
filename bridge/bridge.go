// Package bridge is where Go and the simulators meet. It turns a [Design], a
// set of SystemVerilog files with a top module, into an [Instance], a running
// model. To its user an instance is memory and one operation:
//
//   - the [Layout] is the table of ports: name, direction, width, and the place of each
//     in a row. The user of this package chooses the places, so a row can be a Go struct.
//   - [Rows] are values of inputs and sampled outputs, in the user's memory.
//   - [Instance.Run] plays n rows as n clock cycles in a single call of the simulator.
//     A single step is a run of one row.
//
// Reading or writing a port is a Go load or store, not a call. The two
// simulators live in sibling folders, and all of this means exactly the same in both
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
// rise; all else is the same. Inputs change one low phase before the instant, or half the time
// since the previous instant if that is less. Falling edges come at their own times in between.
//
// At time 0 the simulators differ in edges. In Icarus clocks and inputs are Z before time 0, so
// each of them has a falling edge there. Under Verilator only Design.Reset falls there, and only
// if it is active low: it is 1 while initial blocks run, then 0 until a row sets it.
package bridge

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/cosimate/cosimate/bridge/internal/build"
)

// ErrBuilt is the error of Model.Start where models are compiled and nothing else, as before a
// regression: the environment variable COSIMATE_COMPILE is "only".
var ErrBuilt = build.ErrBuilt

// Model is a compiled design, from which any number of instances can be made.
type Model interface {
	Layout() *Layout
	Start(Options) (Instance, error)
}

// Description is what a design has, as a simulator sees it.
type Description struct {
	Ports []Port // inputs first, each sorted by name, clocks among them
	// Signals are the names of the internal signals that Design.Internals may have. They are
	// sorted.
	Signals []string
}

// BuildOptions are choices at compile time. Each is part of the cache's key.
type BuildOptions struct {
	// Shape returns the layout of the rows. It is given the ports in any order, without those of
	// the clocks. Nil means [NewLayout].
	Shape func(ports []Port) (*Layout, error)
	// Coverage compiles code coverage of lines, branches and cover points in. It is Verilator's
	// only: under Icarus it is an error.
	//
	// What the random values of registers at power-up cause is not counted in a run that begins in
	// Design.Reset. There lines and branches count from the clock's first edge on (with several
	// clocks, from the last of their first edges), cover points and toggles from the first row that
	// is not in reset.
	Coverage bool
	// Toggles makes Coverage count the changes of each bit, too, which costs many times as much.
	Toggles bool
	// Wave makes it possible to record waveforms: see [Options].
	Wave bool
	// Signs fills in [Port].DeclaredSigned under Verilator, which has to run once more for it.
	// Icarus always fills it in.
	Signs bool
}

// Instance is one running model. It is not safe for concurrent use; different
// instances are independent of each other and may run in parallel.
type Instance interface {
	// Layout says where each port lies in the rows.
	Layout() *Layout
	// Run plays n rows, n clock cycles, and returns the number of rows whose outputs were sampled:
	// n, or fewer with an error. The error is a *StopError if the RTL ended the simulation
	// ($finish, $stop, $fatal), a *DeadError if the simulator died or hung, an *InputError if a row
	// has a value that its port cannot hold, or the cause of ctx.
	//
	// After an *InputError the instance goes on: that row was not played, and the next run may play
	// another in its place. After any other error the instance is finished, and each later call
	// returns the same error. Both simulators look at ctx before the first row; Icarus also does
	// while it waits. Runs should therefore be short ([MaxRows]).
	Run(ctx context.Context, rows *Rows, n int) (int, error)
	// Settle applies the inputs of row 0, lets combinational logic settle before the
	// edge of the cycle to come and samples the outputs into row 0. No cycle is
	// done: the next Run begins with its own inputs. Its errors are those of Run.
	Settle(ctx context.Context, rows *Rows) error
	// Messages returns what the RTL printed since the last call, oldest first.
	Messages() []Message
	// Peek, Poke, Force and Release reach internal signals: see [Value]. The name is one of
	// Design.Internals, or a word of such a memory: "mem[3]". Any other name is a *SignalError.
	Peek(name string) (Value, error)
	Poke(name string, v Value) error
	Force(name string, v Value) error
	Release(name string) error
	// Coverage returns what the model has counted so far, in the format of Verilator's
	// coverage.dat. It is an error if coverage was not compiled in.
	Coverage() ([]byte, error)
	// Counters returns the model's own coverage counters, not a copy: they change with each run,
	// and are valid until Close. It is nil if coverage was not compiled in. Their order is fixed
	// for a model, and Coverage says what each counts. Some are set to 0 during the reset at the
	// beginning: see [BuildOptions].Coverage.
	Counters() []uint32
	// Spent returns where time went so far. It is counted only with [Options].Timed.
	Spent() Spent
	// Close ends the simulation, whose final blocks run, and frees everything. A waveform is
	// complete then, and Messages has what was printed. Its error is that of the final blocks. It
	// may be called twice.
	Close() error
}

// Rows are the memory of a run: at least n rows each, in the shape of the [Layout]. The memory
// must hold no Go pointers. It is used during the call only.
type Rows struct {
	In []byte // n * Layout.InSize bytes, read
	// Out has n * Layout.OutSize bytes. All bytes of all outputs are written, and none between
	// them.
	Out []byte
	// Unknown has the shape of Out. A bit is set where the output was X or Z, and Out then has 0
	// for X and 1 for Z. Nil means that it is not wanted. Verilator, which has no unknowns, does
	// not touch it.
	Unknown []byte
}

// Spent is how long the parts of an instance have worked.
type Spent struct {
	Simulator time.Duration // evaluating RTL
	Bridge    time.Duration // copying ports, and calling the simulator
	Waiting   time.Duration // asleep until vvp answered; part of the two above
}

// Options are the run-time choices of an instance.
type Options struct {
	// Seed randomises power-up values and unknowns under Verilator, which has
	// only two states. Icarus ignores it: there they are X.
	Seed uint64
	// Timeout is the time after which a simulator is given up as hung: Icarus, if it finishes no
	// cycle in this time; a Verilated model, if it stays within one loop for so long. Zero means 30
	// seconds.
	Timeout time.Duration

	// OnEvent is given what RTL reports with COSIM_EVENT, in order, at the latest when the run
	// returns. Nil: events are dropped.
	OnEvent func(Event)
	// OnAsk answers COSIM_ASK while the RTL waits. Nil, or an error: the run ends with a
	// *CallError. It must not use the instance.
	OnAsk func(Event) (uint64, error)

	// Wave records all signals into an FST file, if its Path is not empty. The model must be built
	// with [BuildOptions].Wave.
	//
	// Memories are recorded up to 4096 words. Icarus does not record memories of bit, int and real,
	// and names the words of a memory with several indices by one index that counts from 0.
	Wave Wave

	// Timed counts [Spent], which costs some 50 ns a cycle.
	Timed bool
}

// Wave is a window of cycles to record: from the beginning of cycle From to the end of cycle To.
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
	Hint      string // what to do about it, or ""
}

func (e *CompileError) Error() string {
	text := fmt.Sprintf("%s: module %s does not compile; it says:\n%s", e.Simulator, e.Top, e.Output)
	hint := e.Hint
	if noTop.MatchString(e.Output) {
		hint = fmt.Sprintf("Design.Top is %q: it must be the name of a module in Design.Files", e.Top)
	}
	if strings.Contains(e.Output, "Interfaced port on top level module") {
		hint = "the ports of a top module cannot be interfaces: write a module around it that has their signals as ports"
	}
	if hint != "" {
		text = strings.TrimRight(text, "\n") + "\nhint: " + hint
	}
	return text
}

// noTop finds what simulators say of a top module that there is not.
var noTop = regexp.MustCompile(`Unable to find the root module|Specified --top-module .* was not found`)

// StopError is the RTL ending the simulation by itself.
type StopError struct {
	Simulator string
	Top       string
	Cycle     uint64 // the cycle during which it happened
	Task      string // "$finish", "$stop", "$fatal" ..., or "" if the simulator does not report it
	Where     string // "folder/file.sv:line", or "" if the simulator does not report it
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
	Cycle     uint64 // how many cycles were completed before
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
