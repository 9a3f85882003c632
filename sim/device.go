package sim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"
	"unsafe"

	"github.com/hashicorp/go-hclog"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/internal/tape"
)

// device is a [DUT] without the types of its inputs and outputs. Their rows are bytes here, as the
// bridge has them, so that this is compiled once and not for each design.
type device struct {
	ctx       context.Context
	design    Design
	simulator Simulator
	instance  bridge.Instance
	layout    *bridge.Layout
	clocks    []bridge.Clock
	schedule  *bridge.Schedule // at the next row; kept up only if there are several clocks
	ports
	models   map[Simulator]*compiled // those of Reopen
	logger   hclog.Logger
	options  options
	cycle    uint64
	began    uint64 // cycle at the beginning of the last run
	rows     int    // of a run, at most
	past     history
	last     []byte // the unknown bits of the last cycle: a row
	settled  bridge.Rows
	sampled  []byte            // buffer of a run's outputs
	unknown  []byte            // buffer of their unknown bits; nil under Verilator
	waveName string            // in tests: the name of the waveform's file
	differs  func(*Difference) // in tests: called with each difference; elsewhere nil
	todo     []*error          // see Unfinished
	building time.Duration
	opened   time.Time
	tapes    *tape.Writer // nil unless it is recorded
}

func open(ctx context.Context, d Design, s Simulator, o options, in, out reflect.Type) (*device, error) {
	begin := time.Now()
	m, err := build(ctx, d, s, o.build, in, out)
	if err != nil {
		return nil, err
	}
	building := time.Since(begin)
	dut, err := start(ctx, d, s, o, m)
	if err != nil {
		return nil, err
	}
	dut.opened, dut.building = begin, building
	if !o.build.Wave {
		dut.models = map[Simulator]*compiled{s: m}
	}
	return dut, nil
}

// reopen opens another instance of the design in a simulator, without a waveform.
func (d *device) reopen(s Simulator) (*device, error) {
	o := d.options
	o.build.Wave, o.Wave = false, bridge.Wave{}
	o.alone = true
	m := d.models[s]
	if m == nil {
		var err error
		if m, err = build(d.ctx, d.design, s, o.build, d.in.of, d.out.of); err != nil {
			return nil, err
		}
		if d.models == nil {
			d.models = map[Simulator]*compiled{}
		}
		d.models[s] = m
	}
	return start(d.ctx, d.design, s, o, m)
}

// ports are the ports of a design, bound to the fields of two structs.
type ports struct {
	in, out *binding
	reset   int // index of the reset among the inputs, or -1
}

// compiled is a compiled design whose ports are bound.
type compiled struct {
	bridge.Model
	ports
}

// build compiles a design, or finds it compiled in the cache, for structs of inputs and of outputs.
func build(ctx context.Context, d Design, s Simulator, o bridge.BuildOptions, in, out reflect.Type) (*compiled, error) {
	m := &compiled{}
	o.Shape = m.binder(d, in, out)
	played, err := inserted(d)
	if err != nil {
		return nil, err
	}
	m.Model, err = compile(ctx, played, s, o)
	return m, err
}

// start starts an instance of a model.
func start(ctx context.Context, d Design, s Simulator, o options, m *compiled) (*device, error) {
	clocks, err := d.AllClocks()
	if err != nil {
		return nil, err
	}
	dut := &device{
		ctx: ctx, design: d, simulator: s, clocks: clocks, schedule: bridge.NewSchedule(clocks), options: o,
		ports: m.ports, layout: m.Layout(),
		logger: o.logger.Named(string(s)), opened: time.Now(),
	}
	if dut.instance, err = m.Start(o.Options); err != nil {
		return nil, err
	}
	dut.rows = bridge.MaxRows(dut.layout)
	dut.last = memory(dut.layout.OutSize)
	if s == Icarus {
		dut.unknown = memory(dut.rows * dut.layout.OutSize)
	}
	for i := range dut.past.ring {
		dut.past.ring[i].Rows = dut.row()
	}
	dut.past.next = &dut.past.ring[0]
	dut.settled = dut.row()
	if err := dut.recorded(&d); err != nil {
		return nil, errors.Join(err, dut.close())
	}
	return dut, nil
}

// binder returns the function that binds the fields of structs of inputs and of outputs to a
// design's ports. Rows are these structs themselves.
func (p *ports) binder(d Design, in, out reflect.Type) func(ports []bridge.Port) (*bridge.Layout, error) {
	return func(ports []bridge.Port) (*bridge.Layout, error) { return p.shape(d, in, out, ports) }
}

func (p *ports) shape(d Design, inputs, outputs reflect.Type, ports []bridge.Port) (*bridge.Layout, error) {
	ports = slices.SortedFunc(slices.Values(ports), func(a, b bridge.Port) int { return cmp.Compare(a.Name, b.Name) })
	var sides [2][]bridge.Port
	for _, p := range ports {
		side := 0
		if p.Dir == bridge.Output {
			side = 1
		}
		sides[side] = append(sides[side], p)
	}
	in, err := bind(inputs, sides[0], bridge.Input, &d)
	if err != nil {
		return nil, err
	}
	out, err := bind(outputs, sides[1], bridge.Output, &d)
	if err != nil {
		return nil, err
	}
	p.in, p.out, p.reset = in, out, -1
	l := &bridge.Layout{InSize: in.size, OutSize: out.size}
	for i, f := range in.fields {
		l.Inputs = append(l.Inputs, f.port)
		if f.port.Name == d.Reset && f.port.Width == 1 {
			p.reset = i
		}
	}
	for _, f := range out.fields {
		l.Outputs = append(l.Outputs, f.port)
	}
	if d.Reset != "" && p.reset < 0 {
		i := slices.IndexFunc(ports, func(p bridge.Port) bool { return p.Name == d.Reset })
		if i < 0 {
			return nil, fmt.Errorf("there is no port %s to be the reset; besides clocks, the module has %s", d.Reset, bridge.Names(ports))
		}
		return nil, fmt.Errorf("the reset %s is %q: it must be a one-bit input", d.Reset, ports[i])
	}
	return l, nil
}

// memory returns zeroed bytes that a struct of numbers can lie in.
func memory(size int) []byte {
	words := make([]uint64, (size+7)/8+1)
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), size)
}

// row returns memory for one row.
func (d *device) row() bridge.Rows {
	r := bridge.Rows{In: memory(d.layout.InSize), Out: memory(d.layout.OutSize)}
	if d.unknown != nil {
		r.Unknown = memory(d.layout.OutSize)
	}
	return r
}

// close is [DUT.Close].
func (d *device) close() error {
	err := d.instance.Close()
	if d.tapes != nil {
		err = errors.Join(err, d.tapes.Close())
		d.tapes = nil
	}
	return errors.Join(err, d.log(d.instance.Messages()))
}

// step does one cycle with the inputs that lie at in, and returns where its outputs lie until the
// next cycles are done.
func (d *device) step(in unsafe.Pointer) (out unsafe.Pointer, err error) {
	m := d.past.next
	m.cycle = d.cycle
	copy(m.In, unsafe.Slice((*byte)(in), len(m.In)))
	err = d.play(&m.Rows, 1)
	if d.cycle != m.cycle {
		d.past.advance()
		d.lastUnknown(m.Unknown)
	}
	return unsafe.Pointer(unsafe.SliceData(m.Out)), err
}

// settle is [DUT.Settle].
func (d *device) settle(in, out []byte) error {
	copy(d.settled.In, in)
	err := d.named(d.instance.Settle(d.ctx, &d.settled))
	err = both(d.log(d.instance.Messages()), err)
	d.lastUnknown(d.settled.Unknown)
	copy(out, d.settled.Out)
	return err
}

// lastUnknown notes the row of the last cycle's unknown bits: nil under Verilator, which has none.
func (d *device) lastUnknown(row []byte) {
	if row != nil {
		d.last = row
	}
}

// run is [DUT.Run] of n rows.
func (d *device) run(in, out []byte, n int) error {
	for n > 0 {
		part := min(n, d.rows)
		first := d.cycle
		err := d.tape(in, out, part)
		done := int(d.cycle - first)
		d.keep(first, in, out, d.unknown, upTo(err, first, done))
		if err != nil {
			return err
		}
		in, out, n = in[part*d.layout.InSize:], out[part*d.layout.OutSize:], n-part
	}
	return nil
}

// tape plays n cycles, at most d.rows. Their unknown bits are in d.unknown then.
func (d *device) tape(in, out []byte, n int) error {
	rows := bridge.Rows{In: in[:n*d.layout.InSize], Out: out[:n*d.layout.OutSize], Unknown: d.unknown}
	err := d.play(&rows, n)
	if done := int(d.cycle - d.began); done > 0 && d.unknown != nil {
		d.last = row(d.unknown, done-1, d.layout.OutSize)
	}
	return err
}

// holdReset is [DUT.Reset].
func (d *device) holdReset(cycles int) error {
	if d.reset < 0 {
		return fmt.Errorf("module %s cannot be reset: set Design.Reset", d.design.Top)
	}
	in := memory(d.layout.InSize)
	if !d.design.ResetActiveLow {
		in[d.layout.Inputs[d.reset].Offset] = 1
	}
	for range cycles {
		if _, err := d.step(unsafe.Pointer(unsafe.SliceData(in))); err != nil {
			return err
		}
		d.unseen()
	}
	return nil
}

// time is [DUT.Time].
func (d *device) time() time.Duration {
	if len(d.clocks) > 1 {
		return d.schedule.Instant(0)
	}
	return bridge.NewSchedule(d.clocks).Instant(d.cycle)
}

// play does n cycles, and adds to d.cycle those whose outputs were sampled.
func (d *device) play(rows *bridge.Rows, n int) error {
	d.began = d.cycle
	done, err := d.instance.Run(d.ctx, rows, n)
	d.cycle += uint64(done)
	d.taped(rows, done)
	for i := 0; i < done && len(d.clocks) > 1; i++ {
		d.schedule.Next()
	}
	if messages := d.instance.Messages(); len(messages) > 0 {
		err = both(d.log(messages), err)
	}
	if err != nil {
		err = d.named(err)
	}
	return err
}

// named returns a simulator's error. If it is about the value of an input, it names the field.
func (d *device) named(err error) error {
	if e, ok := err.(*bridge.InputError); ok {
		return &inputError{d.cycle, d.in.fault(e.Port, e.Fault)}
	}
	return err
}

// inputError is a value that its input cannot hold. Its cycle was not done.
type inputError struct {
	cycle uint64
	err   error
}

func (e *inputError) Error() string { return fmt.Sprintf("cycle %d: %v", e.cycle, e.err) }
func (e *inputError) Unwrap() error { return e.err }

// row returns a row of rows of a size.
func row(rows []byte, i, size int) []byte { return rows[i*size : (i+1)*size] }
