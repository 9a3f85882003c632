// Package sim lets ordinary Go tests drive RTL, in Icarus Verilog and in
// Verilator, and compare every output in every cycle with a Go reference model.
//
// A testbench needs three things: a [Design] (which files, which top module), two
// structs whose fields are the module's inputs and outputs, and a [Model], the
// reference. Then
//
//	func TestCounter(t *testing.T) {
//		sim.ForEach(t, design, func(t *testing.T, dut *sim.DUT[In, Out]) {
//			sim.Check(t, dut, &model{}, stimulus)
//		})
//	}
//
// runs the same stimulus through the RTL in both simulators and through the model,
// and reports the first cycle in which an output differs. [Open], [DUT.Step] and
// [DUT.Expect] do the same outside of tests.
//
// What a cycle is: with the clock low the inputs are applied and combinational
// logic settles; the outputs are sampled, out(t) = f(state(t), in(t)); then comes
// the rising edge, state(t+1) = g(state(t), in(t)). A model's Step is just this.
// With several clocks a cycle is an instant in which one or more of them rise, and the model is a
// [ClockedModel], which [Clocked] makes a Model of.
//
// For stimulus that reacts to the RTL there are testbench processes in package
// sim/tb, with ready-made drivers, monitors and protocol checkers in sim/stream,
// sim/axi and sim/uart, and scoreboards in sim/score.
//
// The package knows nothing of chess. It is meant for anyone's RTL.
package sim

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"slices"
	"time"
	"unsafe"

	"github.com/hashicorp/go-hclog"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/icarus"
	"github.com/cosimate/cosimate/bridge/verilator"
)

// Design is RTL to simulate: files, a top module and how to compile them.
type Design = bridge.Design

// Clock is one clock of a design with several.
type Clock = bridge.Clock

// Simulator is one of the simulators.
type Simulator string

const (
	Icarus Simulator = "icarus" // Icarus Verilog: four states, 0, 1, X and Z; slower
	// two states, compiled: what is unknown at power-up is random by the seed
	Verilator Simulator = "verilator"
)

// Simulators are all simulators, in the order in which tests run on them.
var Simulators = []Simulator{Icarus, Verilator}

// ParseSimulator finds a simulator by name.
func ParseSimulator(name string) (Simulator, error) {
	for _, s := range Simulators {
		if string(s) == name {
			return s, nil
		}
	}
	return "", fmt.Errorf("unknown simulator %q: use icarus or verilator", name)
}

// An Option is a choice in [Open].
type Option func(*options)

type options struct {
	bridge.Options
	build  bridge.BuildOptions
	logger hclog.Logger
	errors bool // $error is not the DUT's error

	tape, tapeName string // the folder of the recording, and the name in it; "" if there is none
	alone          bool   // never recorded
}

// WithSeed sets the seed of the power-up values under Verilator. The default is 1.
func WithSeed(seed uint64) Option { return func(o *options) { o.Seed = seed } }

// WithTimeout sets how long a simulator may take for one cycle. One that takes longer is stopped as
// hung. The default is 30 seconds.
func WithTimeout(d time.Duration) Option { return func(o *options) { o.Timeout = d } }

// WithLogger sets the logger of the lines that the RTL prints. The default is hclog's default
// logger.
func WithLogger(l hclog.Logger) Option { return func(o *options) { o.logger = l } }

// Chosen returns what options choose, for packages that run designs without a DUT.
func Chosen(opts ...Option) (logger hclog.Logger, timeout time.Duration) {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	return o.logger, o.Timeout
}

// WithErrors has $error and failed assertions logged only. Without it, the first of them is
// returned as a *[MessageError].
func WithErrors() Option { return func(o *options) { o.errors = true } }

// WithEvents sets a function that is called with each event that the RTL reports with COSIM_EVENT
// (bridge/sv/cosim.svh), in their order. An event's call comes before Step, Run or whatever did its
// cycle returns.
func WithEvents(handle func(Event)) Option { return func(o *options) { o.OnEvent = handle } }

// WithAnswers sets a function that answers what the RTL asks with COSIM_ASK. The simulation waits
// for the answer, so the function must not use the DUT. If it returns an error, the simulation ends
// with a *[bridge.CallError].
func WithAnswers(answer func(Event) (uint64, error)) Option {
	return func(o *options) { o.OnAsk = answer }
}

// WithCoverage counts code coverage, for [DUT.Coverage] and [DUT.Counters]. Only Verilator can.
func WithCoverage() Option {
	return func(o *options) { o.build.Coverage, o.build.Toggles = true, true }
}

// WithLineCoverage is WithCoverage without toggles: it counts lines, branches and cover points.
// Counting toggles takes most of the time, in compiling too. A fuzzer (package sim/fuzz) needs
// none.
func WithLineCoverage() Option { return func(o *options) { o.build.Coverage = true } }

// WithWave records all signals into an FST file, from the beginning of cycle from to the end of
// cycle to. The file is complete when the DUT is closed.
func WithWave(path string, from, to uint64) Option {
	return func(o *options) {
		o.build.Wave = true
		o.Wave = bridge.Wave{Path: path, From: from, To: to}
	}
}

// DUT is a running design under test, with inputs I and outputs O: structs whose fields are bound
// to ports by tag (`port:"valid_i"`) or by name. One-bit ports are bool, ports up to 64 bits are
// integers of sufficient size, signed or not, and wider ones are arrays of uint64 or uint32, least
// significant word first. The clock is not among them: the DUT drives it. The reset is. A tag can
// also say how reports show a port: `port:"count_o,decimal"`, `port:",binary"`, or
// `port:"board_o,grid8x8"` for a word of 64 bits that is a board, drawn with bit 0 in the lower
// left corner; otherwise it is hexadecimal. The simulators read and write these structs where they
// lie: a cycle costs no conversion.
//
// A DUT is not safe for concurrent use; several DUTs may run in parallel.
type DUT[I, O any] struct {
	device *device
}

// compile compiles a design in a simulator, or finds it compiled in the cache.
func compile(ctx context.Context, d Design, s Simulator, o bridge.BuildOptions) (bridge.Model, error) {
	switch s {
	case Icarus:
		return icarus.Build(ctx, d, o)
	case Verilator:
		return verilator.Build(ctx, d, o)
	}
	_, err := ParseSimulator(string(s))
	return nil, err
}

// Open compiles a design, or finds it compiled in the cache, and starts it. The
// context bounds the build and the whole life of the DUT: when it is done, what
// runs is stopped with its cause. Close must be called.
func Open[I, O any](ctx context.Context, d Design, s Simulator, opts ...Option) (*DUT[I, O], error) {
	// Part of go test's cache key: the Makefile puts the identity of the simulators there, which
	// lie outside of the module, where go test does not look.
	os.Getenv("COSIMATE_TOOLS")
	o := options{Options: bridge.Options{Seed: 1}, logger: hclog.Default()}
	for _, opt := range opts {
		opt(&o)
	}
	device, err := open(ctx, d, s, o, reflect.TypeFor[I](), reflect.TypeFor[O]())
	if err != nil {
		return nil, err
	}
	return &DUT[I, O]{device}, nil
}

// Reopen opens another instance of the design in the same simulator, with the same options, but
// without a waveform: to see how the RTL behaves from power-up on with other inputs, for example in
// [Explainer]. Close must be called.
func (d *DUT[I, O]) Reopen() (*DUT[I, O], error) { return d.reopen(d.device.simulator) }

// reopen is Reopen in any simulator.
func (d *DUT[I, O]) reopen(s Simulator) (*DUT[I, O], error) {
	again, err := d.device.reopen(s)
	if err != nil {
		return nil, err
	}
	return &DUT[I, O]{again}, nil
}

// Design returns the design that was opened.
func (d *DUT[I, O]) Design() Design { return d.device.design }

// Simulator returns the simulator that runs the design.
func (d *DUT[I, O]) Simulator() Simulator { return d.device.simulator }

// Ports returns the ports that the fields of I and O are bound to, in the order of the fields. Each
// has its width in bits, and the offset of its field in bytes.
func (d *DUT[I, O]) Ports() (inputs, outputs []bridge.Port) {
	return slices.Clone(d.device.layout.Inputs), slices.Clone(d.device.layout.Outputs)
}

// Cycle returns the number of cycles done, including those of Reset.
func (d *DUT[I, O]) Cycle() uint64 { return d.device.cycle }

// Close ends the simulation. It may be called twice.
func (d *DUT[I, O]) Close() error { return d.device.close() }

// Step does one cycle and returns the outputs sampled in it. A bit that is X
// reads as 0 and one that is Z as 1; [DUT.Unknown] returns which bits these are.
func (d *DUT[I, O]) Step(in I) (O, error) {
	// This must stay small enough to be inlined. Without inlining, structs are passed in registers
	// and stored field by field. Copying them in wider pieces then has to wait for these stores,
	// which takes as long as a cycle of a small block.
	out, err := d.device.step(unsafe.Pointer(&in))
	return *(*O)(out), err
}

// Settle applies inputs with the clock low, lets combinational logic settle and returns the
// outputs. It does no cycle: the next Step or Run applies inputs of its own. It is for a testbench
// that must see an output before it can decide on another input of the same cycle.
//
// Combinational logic forgets the inputs of Settle. What stores values while the clock is low does
// not: open latches, asynchronous resets, flip-flops clocked by an input. Flip-flops on the falling
// edge see the inputs of the cycle's first Settle, and not those of its Step.
func (d *DUT[I, O]) Settle(in I) (out O, err error) {
	err = d.device.settle(rowOf(&in), rowOf(&out))
	return out, err
}

// Run does len(in) cycles as a tape, and stores the outputs sampled in each in out, which must be
// as long as in. Unknown bits read as in [DUT.Step]. If the RTL ends the simulation, the outputs up
// to there are valid.
func (d *DUT[I, O]) Run(in []I, out []O) error {
	if len(out) != len(in) {
		return fmt.Errorf("a tape of %d inputs needs as many outputs, not %d", len(in), len(out))
	}
	return d.device.run(rowsOf(in), rowsOf(out), len(in))
}

// Reset holds the design's reset for some cycles, with all other inputs 0.
// Nothing is compared: before the first reset, the state is unknown.
func (d *DUT[I, O]) Reset(cycles int) error { return d.device.holdReset(cycles) }

// Unknown returns which bits of the outputs were X or Z in the last cycle: these are 1. Under
// Verilator all are 0.
func (d *DUT[I, O]) Unknown() (mask O) {
	copy(rowOf(&mask), d.device.last)
	return mask
}

// Time returns the simulated time at which the clock rises in the next cycle. With several clocks
// it is the time at which the next one or more of them rise.
func (d *DUT[I, O]) Time() time.Duration { return d.device.time() }
