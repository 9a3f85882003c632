package ports

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/icarus"
	"github.com/cosimate/cosimate/bridge/verilator"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live/probe"
)

// A Change is the inputs that a design has from a cycle on.
type change struct {
	Cycle uint64
	In    []byte // a row
}

// historyCycles are how many cycles are kept for waves.
const historyCycles = 4096

// machine is a running instance of a design, and what is known of its last cycles.
type machine struct {
	design   sim.Design
	layout   *bridge.Layout
	clocks   []bridge.Clock
	instance bridge.Instance

	cycle    uint64
	schedule *bridge.Schedule // of the next cycle, if there are several clocks
	time     time.Duration    // at the last cycle's edge, if there are several clocks

	in        []byte // the inputs of the cycle to come
	out       []byte // the outputs, settled with them
	unknown   []byte // nil if the simulator has no unknown values
	settled   bool   // out and unknown are those of in
	inChanged bool   // the model's combinational logic has older inputs

	tape    bridge.Rows // of many cycles with the same inputs
	taped   []byte      // the inputs that the tape has
	most    int         // cycles of a tape
	record  []change    // all inputs since the beginning
	watched []string    // internal signals that are read in each cycle
	history *probe.History

	messages []bridge.Message // the last that were printed
	said     int              // how many were printed
	err      error            // why it has ended
}

// build compiles a design with some internal signals.
func build(ctx context.Context, d sim.Design, s sim.Simulator, wave bool) (bridge.Model, error) {
	o := bridge.BuildOptions{Wave: wave}
	if s == sim.Icarus {
		return icarus.Build(ctx, d, o)
	}
	return verilator.Build(ctx, d, o)
}

// newMachine starts an instance of a model.
func newMachine(m bridge.Model, d sim.Design, s sim.Simulator, o bridge.Options) (*machine, error) {
	clocks, err := d.AllClocks()
	if err != nil {
		return nil, err
	}
	instance, err := m.Start(o)
	if err != nil {
		return nil, err
	}
	l := m.Layout()
	c := &machine{design: d, layout: l, clocks: clocks, instance: instance, most: bridge.MaxRows(l)}
	if len(clocks) > 1 {
		c.schedule = bridge.NewSchedule(clocks)
	}
	c.in, c.out = make([]byte, l.InSize), make([]byte, l.OutSize)
	c.tape = bridge.Rows{In: make([]byte, c.most*l.InSize), Out: make([]byte, c.most*l.OutSize)}
	if s == sim.Icarus {
		c.unknown, c.tape.Unknown = make([]byte, l.OutSize), make([]byte, c.most*l.OutSize)
	}
	if r := c.input(d.Reset); r != nil && d.ResetActiveLow {
		c.in[r.Offset] = 1
	}
	c.taped = make([]byte, l.InSize) // as the tape is
	c.history = probe.NewHistory(l, historyCycles, s == sim.Icarus)
	c.heard()
	return c, nil
}

func (c *machine) close() error { return c.instance.Close() }

// input returns the input of a name, or nil.
func (c *machine) input(name string) *bridge.Port { return probe.Port(c.layout.Inputs, name) }

// Row implements [probe.Design].
func (c *machine) Row() (*bridge.Layout, bridge.Rows) {
	return c.layout, bridge.Rows{In: c.in, Out: c.out, Unknown: c.unknown}
}

// Peek implements [probe.Design].
func (c *machine) Peek(name string) (bridge.Value, error) { return c.instance.Peek(name) }

// set sets an input to a value in binary digits.
func (c *machine) set(name, value string) error {
	p := c.input(name)
	if p == nil {
		return fmt.Errorf("there is no input %s", name)
	}
	if err := probe.Put(c.in[p.Offset:p.Offset+p.Size], p.Width, value); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	c.settled, c.inChanged = false, true
	return nil
}

// settle lets combinational logic settle with the present inputs.
func (c *machine) settle(ctx context.Context) error {
	if c.err != nil || c.settled {
		return c.err
	}
	c.err = c.instance.Settle(ctx, &bridge.Rows{In: c.in, Out: c.out, Unknown: c.unknown})
	c.heard()
	c.settled, c.inChanged = c.err == nil, false
	return c.err
}

// heard takes what the RTL has printed.
func (c *machine) heard() {
	if m := c.instance.Messages(); len(m) > 0 {
		c.said += len(m)
		c.messages = append(c.messages, m...)
		if len(c.messages) > 2*keptMessages {
			c.messages = slices.Clone(c.messages[len(c.messages)-keptMessages:])
		}
	}
}

// keptMessages are how many of the RTL's messages a page can show.
const keptMessages = 200

// play does at most n cycles with the present inputs and returns how many it did.
func (c *machine) play(ctx context.Context, n int) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n = min(n, c.most)
	if len(c.watched) > 0 {
		if c.inChanged {
			if err := c.settle(ctx); err != nil {
				return 0, err
			}
		}
		n = 1
		if err := c.history.Watch(c.cycle, c.watched, c.instance.Peek); err != nil {
			return 0, err
		}
	}
	if !bytes.Equal(c.taped, c.in) {
		copy(c.taped, c.in)
		copy(c.tape.In, c.in)
		for at := len(c.in); at > 0 && at < len(c.tape.In); at *= 2 {
			copy(c.tape.In[at:], c.tape.In[:at])
		}
	}
	if len(c.record) == 0 || !bytes.Equal(c.record[len(c.record)-1].In, c.in) {
		c.record = append(c.record, change{c.cycle, bytes.Clone(c.in)})
	}
	var done int
	done, c.err = c.instance.Run(ctx, &c.tape, n)
	c.history.Keep(c.cycle, &c.tape, done)
	c.cycle += uint64(done)
	for range done {
		if c.schedule != nil {
			c.time, _ = c.schedule.Next()
		}
	}
	if done > 0 {
		c.settled, c.inChanged = false, false
	}
	c.heard()
	return done, c.err
}

// since returns the simulated time since the beginning.
func (c *machine) since() time.Duration {
	if c.schedule != nil {
		return c.time
	}
	period, _ := c.clocks[0].Picoseconds()
	return time.Duration(float64(c.cycle) * float64(period) / 1000)
}

// reset holds the reset for some cycles, with all other inputs as they are.
func (c *machine) reset(ctx context.Context, cycles int) error {
	r := c.input(c.design.Reset)
	if r == nil {
		return fmt.Errorf("%s has no reset", c.design.Top)
	}
	active, passive := byte(1), byte(0)
	if c.design.ResetActiveLow {
		active, passive = 0, 1
	}
	put := func(v byte) { c.in[r.Offset], c.settled, c.inChanged = v, false, true }
	put(active)
	for range cycles {
		if _, err := c.play(ctx, 1); err != nil {
			return err
		}
	}
	put(passive)
	return nil
}

// replay does a recording again, from the beginning to a cycle, and calls progress from time to
// time, which may end it with an error. Of the last cycles, the history has the watched signals.
func (c *machine) replay(ctx context.Context, record []change, to uint64, progress func(cycle uint64) error) error {
	watched := c.watched
	c.watched = nil
	defer func() { c.watched = watched }()
	from := uint64(0)
	if to > historyCycles {
		from = to - historyCycles
	}
	for next := 0; c.cycle < to; {
		for next < len(record) && record[next].Cycle <= c.cycle {
			copy(c.in, record[next].In)
			c.settled, c.inChanged = false, true
			next++
		}
		end := to
		if next < len(record) {
			end = min(end, record[next].Cycle)
		}
		if c.cycle < from {
			end = min(end, from)
		} else {
			c.watched = watched
		}
		done, err := c.play(ctx, int(min(end-c.cycle, uint64(c.most))))
		if err == nil {
			err = progress(c.cycle)
		}
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		if done == 0 {
			return fmt.Errorf("it stands still in cycle %d", c.cycle)
		}
	}
	return nil
}
