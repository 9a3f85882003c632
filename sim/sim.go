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
// [ClockedModel].
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
	"reflect"
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
	Icarus    Simulator = "icarus"
	Verilator Simulator = "verilator"
)

// Simulators are all of them, in the order in which they are tried.
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
	logger hclog.Logger
}

// WithSeed sets the seed of the power-up values under Verilator. The default is 1.
func WithSeed(seed uint64) Option { return func(o *options) { o.Seed = seed } }

// WithTimeout sets how long Icarus may stay without finishing a cycle before it is
// given up as hung. The default is 30 seconds. A Verilated model runs in this process
// and cannot be stopped in the middle of a cycle: RTL that loops without end hangs its test under
// Verilator until go test's own time limit. Run it under Icarus to see where.
func WithTimeout(d time.Duration) Option { return func(o *options) { o.Timeout = d } }

// WithLogger sets where the lines go that the RTL prints. The default is
// hclog's default logger.
func WithLogger(l hclog.Logger) Option { return func(o *options) { o.logger = l } }

// DUT is a running design under test, with inputs I and outputs O: structs whose
// fields are bound to ports by tag (`port:"valid_i"`) or by name. One-bit ports are
// bool, ports up to 64 bits are integers of sufficient size, signed or not, and wider ones
// are arrays of uint64 or uint32, least significant word first. The clock is not
// among them: the DUT drives it. The reset is.
//
// A DUT is not safe for concurrent use; several DUTs may run in parallel.
type DUT[I, O any] struct {
	ctx       context.Context
	design    Design
	simulator Simulator
	instance  bridge.Instance
	layout    *bridge.Layout
	clocks    []bridge.Clock
	schedule  *bridge.Schedule // at the next row; kept up only if there are several clocks
	in, out   *binding
	logger    hclog.Logger
	seed      uint64
	reset     int // index of the reset among the inputs, or -1
	cycle     uint64
	last      []byte // unknown bits of the last row
	past      history
	differs   []uint64 // scratch of Expect, a word per row
	ignored   []O      // and what the model does not care about in that row
}

// model is a compiled design.
type model interface {
	Layout() *bridge.Layout
	Start(bridge.Options) (bridge.Instance, error)
}

// compile compiles a design in a simulator, or finds it compiled in the cache.
func compile(ctx context.Context, d Design, s Simulator) (model, error) {
	switch s {
	case Icarus:
		return icarus.Build(ctx, d)
	case Verilator:
		return verilator.Build(ctx, d)
	}
	_, err := ParseSimulator(string(s))
	return nil, err
}

// Open compiles a design, or finds it compiled in the cache, and starts it. The
// context bounds the build and the whole life of the DUT: when it is done, what
// runs is stopped with its cause. Close must be called.
func Open[I, O any](ctx context.Context, d Design, s Simulator, opts ...Option) (*DUT[I, O], error) {
	o := options{Options: bridge.Options{Seed: 1}, logger: hclog.Default()}
	for _, opt := range opts {
		opt(&o)
	}
	m, err := compile(ctx, d, s)
	if err != nil {
		return nil, err
	}
	instance, err := m.Start(o.Options)
	if err != nil {
		return nil, err
	}
	clocks, err := d.AllClocks()
	if err != nil {
		instance.Close()
		return nil, err
	}
	l := instance.Layout()
	dut := &DUT[I, O]{
		ctx: ctx, design: d, simulator: s, instance: instance, layout: l, clocks: clocks, schedule: bridge.NewSchedule(clocks), seed: o.Seed, reset: -1,
		logger: o.logger.Named(string(s)), differs: make([]uint64, instance.Tape().Rows), last: make([]byte, l.OutSize),
	}
	if dut.in, err = bind(reflect.TypeFor[I](), l.Inputs, l.InSize, bridge.Input, d.Top); err == nil {
		dut.out, err = bind(reflect.TypeFor[O](), l.Outputs, l.OutSize, bridge.Output, d.Top)
	}
	if err == nil && d.Reset != "" {
		for i, p := range l.Inputs {
			if p.Name == d.Reset && p.Width == 1 {
				dut.reset = i
			}
		}
		if dut.reset < 0 {
			err = fmt.Errorf("the reset %s of module %s is not a one-bit input", d.Reset, d.Top)
		}
	}
	if err != nil {
		instance.Close()
		return nil, err
	}
	dut.past.init(l, instance.Tape(), dut.in, dut.out)
	return dut, nil
}

// Design is what the DUT was made from.
func (d *DUT[I, O]) Design() Design { return d.design }

// Simulator is the simulator that runs it.
func (d *DUT[I, O]) Simulator() Simulator { return d.simulator }

// Cycle is the number of cycles done, those of Reset included.
func (d *DUT[I, O]) Cycle() uint64 { return d.cycle }

// Close ends the simulation. It may be called twice.
func (d *DUT[I, O]) Close() error {
	err := d.instance.Close()
	d.log()
	return err
}

// Step does one cycle and returns the outputs sampled in it. A bit that is X
// reads as 0 and one that is Z as 1; [DUT.Unknown] tells which they were.
func (d *DUT[I, O]) Step(in I) (out O, err error) {
	tape := d.instance.Tape()
	if err := d.write(unsafe.Slice(&in, 1)); err != nil {
		return out, err
	}
	n, err := d.play(1)
	if n == 1 {
		d.out.unpack(columnOf(unsafe.Slice(&out, 1), tape.Out, d.layout.OutSize))
	}
	return out, err
}

// Settle applies inputs and lets combinational logic settle before the edge of the
// cycle to come, and returns the outputs. No cycle is done: the next Step or Run begins with
// its own inputs. It is for outputs that a testbench must see before it can decide on
// other inputs of the same cycle.
func (d *DUT[I, O]) Settle(in I) (out O, err error) {
	if err := d.write(unsafe.Slice(&in, 1)); err != nil {
		return out, err
	}
	if err := d.instance.Settle(d.ctx); err != nil {
		d.log()
		return out, err
	}
	d.log()
	tape := d.instance.Tape()
	d.out.unpack(columnOf(unsafe.Slice(&out, 1), tape.Out, d.layout.OutSize))
	if tape.Unknown != nil {
		copy(d.last, tape.Unknown[:d.layout.OutSize])
	}
	return out, nil
}

// Time is the simulated time of the instant at which the next cycle's clock rises
// (with several clocks: at which one or more of them rise).
func (d *DUT[I, O]) Time() time.Duration {
	if len(d.clocks) > 1 {
		return d.schedule.Instant(0)
	}
	return bridge.NewSchedule(d.clocks).Instant(d.cycle)
}

// Run does len(in) cycles as a tape and stores the outputs sampled in each: out
// must be as long as in. Unknown bits read as in [DUT.Step]. If the RTL ends the
// simulation, the outputs up to there are valid.
func (d *DUT[I, O]) Run(in []I, out []O) error {
	if len(out) != len(in) {
		return fmt.Errorf("a tape of %d inputs needs as many outputs, not %d", len(in), len(out))
	}
	tape := d.instance.Tape()
	for len(in) > 0 {
		n := min(len(in), tape.Rows)
		if err := d.write(in[:n]); err != nil {
			return err
		}
		done, err := d.play(n)
		d.out.unpack(columnOf(out[:done], tape.Out, d.layout.OutSize))
		if err != nil {
			return err
		}
		in, out = in[n:], out[n:]
	}
	return nil
}

// Reset holds the design's reset for some cycles, with all other inputs 0.
// Nothing is compared: before the first reset, the state is unknown.
func (d *DUT[I, O]) Reset(cycles int) error {
	if d.reset < 0 {
		return fmt.Errorf("module %s cannot be reset: set Design.Reset", d.design.Top)
	}
	tape := d.instance.Tape()
	for cycles > 0 {
		n := min(cycles, tape.Rows)
		clear(tape.In[:n*d.layout.InSize])
		for i := range n {
			tape.In[i*d.layout.InSize+d.layout.Inputs[d.reset].Offset] = 1
		}
		if _, err := d.play(n); err != nil {
			return err
		}
		cycles -= n
	}
	return nil
}

// Unknown has all bits set that were X or Z in the last cycle. Under Verilator
// there are none.
func (d *DUT[I, O]) Unknown() (mask O) {
	d.out.unpack(columnOf(unsafe.Slice(&mask, 1), d.last, d.layout.OutSize))
	return mask
}

// write packs inputs into the tape.
func (d *DUT[I, O]) write(in []I) error {
	if i, err := d.in.pack(columnOf(in, d.instance.Tape().In, d.layout.InSize)); err != nil {
		return fmt.Errorf("cycle %d: %w", d.cycle+uint64(i), err)
	}
	return nil
}

// play runs n rows of the tape and returns how many were sampled.
func (d *DUT[I, O]) play(n int) (int, error) {
	done, err := d.instance.Run(d.ctx, n)
	d.log()
	d.past.keep(d.instance.Tape(), d.cycle, done)
	d.cycle += uint64(done)
	for i := 0; i < done && len(d.clocks) > 1; i++ {
		d.schedule.Next()
	}
	if done > 0 {
		if u := d.instance.Tape().Unknown; u != nil {
			copy(d.last, u[(done-1)*d.layout.OutSize:])
		}
	}
	return done, err
}

// log hands on what the RTL printed.
func (d *DUT[I, O]) log() {
	for _, line := range d.instance.Messages() {
		d.logger.Info(line, "dut", d.design.Top, "cycle", d.cycle)
	}
}
