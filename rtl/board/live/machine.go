package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live/probe"
)

// Machine is the board in a simulator. Building one takes as long as compiling its RTL, and may be
// done by any goroutine.
type Machine struct {
	Times   Times
	dut     *sim.DUT[board.In, board.Out]
	about   probe.About
	signals []string // that it has: see [Machine.Watch]

	// The last cycle, and the same as rows.
	in      [1]board.In
	out     [1]board.Out
	unknown [1]board.Out
	rows    bridge.Rows
	layout  *bridge.Layout
	settled bool // the outputs are those of the cycle to come

	watched []string // signals that are read in each cycle
	history *probe.History
	record  *record
	stop    context.CancelFunc // of the context that it was built with; may be nil
}

// historyCycles is for how many cycles there are waves: 42 scans at the shortest times.
const historyCycles = 1 << 14

// internals are the signals that the page shows and its tests compare. All are board.sv's.
var internals = []string{
	"state", "reason", "restore", "show", "show_from", "show_to", "result", "cause",
	"white", "pawns", "knights", "bishops", "rooks", "queens", "kings", "castling", "ep", "black", "halfmove", "fullmove",
	"white_time", "black_time", "clock_state", "clock_turn",
}

// Build returns a board with real time constants, or with scaled ones. Besides the signals that the
// page shows anyway it has more, which can be watched. In Icarus all can.
func Build(ctx context.Context, o Options, real bool, more []string) (*Machine, error) {
	if o.Simulator == "" {
		o.Simulator = sim.Verilator
	}
	t := scaled(o.Simulator)
	if real {
		t = Real
	}
	d := t.Params.Design()
	d.Period = time.Second / time.Duration(t.Params.ClockHz)
	if o.RTL != nil {
		d.FS = overlay{o.RTL, d.FS}
	}
	description, err := sim.Describe(ctx, d, o.Simulator)
	if err != nil {
		return nil, err
	}
	d.Internals = slices.Clone(internals)
	for _, name := range more {
		if !slices.Contains(d.Internals, name) {
			d.Internals = append(d.Internals, name)
		}
	}
	if o.Simulator == sim.Icarus {
		d.Internals = description.Signals // they cost nothing there
	}
	dut, err := sim.Open[board.In, board.Out](ctx, d, o.Simulator, o.Sim...)
	if err != nil {
		return nil, err
	}
	m := &Machine{Times: t, dut: dut, signals: d.Internals, record: &record{}}
	if err := m.lay(description.Signals); err != nil {
		dut.Close()
		return nil, err
	}
	return m, nil
}

// lay finds out how the ports lie in rows.
func (m *Machine) lay(signals []string) error {
	layout, in, out, err := m.dut.Rows(m.in[:], m.out[:])
	if err != nil {
		return err
	}
	m.layout, m.rows.In, m.rows.Out = layout, in, out
	if m.dut.Simulator() == sim.Icarus {
		if _, _, m.rows.Unknown, err = m.dut.Rows(m.in[:], m.unknown[:]); err != nil {
			return err
		}
	}
	d := m.dut.Design()
	clocks, err := d.AllClocks()
	if err != nil {
		return err
	}
	m.about = probe.NewAbout(d.Top, layout, signals, clocks)
	m.about.Looks = looks
	m.forget()
	return nil
}

// forget forgets what the last cycles were.
func (m *Machine) forget() {
	m.history = probe.NewHistory(m.layout, historyCycles, m.rows.Unknown != nil)
}

// Close ends its simulation.
func (m *Machine) Close() error {
	err := m.dut.Close()
	if m.stop != nil {
		m.stop()
	}
	return err
}

// step plays a cycle.
func (m *Machine) step(in board.In) (board.Out, error) {
	changed, cycle := in != m.in[0], m.dut.Cycle()
	if changed || cycle == 0 {
		m.in[0] = in
		m.record.add(cycle, in)
	}
	if len(m.watched) > 0 {
		if changed && !m.settled {
			if err := m.settle(); err != nil {
				return board.Out{}, err
			}
		}
		if err := m.history.Watch(cycle, m.watched, m.dut.Peek); err != nil {
			return board.Out{}, err
		}
	}
	out, err := m.dut.Step(in)
	if err != nil {
		return out, m.broken(err)
	}
	m.out[0], m.settled = out, false
	if m.rows.Unknown != nil {
		m.unknown[0] = m.dut.Unknown()
	}
	m.history.Keep(cycle, &m.rows, 1)
	return out, nil
}

// settle lets combinational logic settle with the last inputs, so that outputs and signals are
// those of the cycle to come.
func (m *Machine) settle() error {
	if m.settled {
		return nil
	}
	out, err := m.dut.Settle(m.in[0])
	if err != nil {
		return m.broken(err)
	}
	m.out[0], m.settled = out, true
	if m.rows.Unknown != nil {
		m.unknown[0] = m.dut.Unknown()
	}
	return nil
}

func (m *Machine) broken(err error) error {
	return fmt.Errorf("the board in %s: %w", m.dut.Simulator(), err)
}

// Row implements [probe.Design].
func (m *Machine) Row() (*bridge.Layout, bridge.Rows) { return m.layout, m.rows }

// Peek implements [probe.Design].
func (m *Machine) Peek(name string) (bridge.Value, error) {
	v, err := m.dut.Peek(name)
	if e, ok := errors.AsType[*bridge.SignalError](err); ok {
		return v, fmt.Errorf("%s: %s", e.Name, e.Reason)
	}
	return v, err
}

// replay plays what a recording has, up to a cycle. Of the last cycles there are waves then, with
// the signals that are watched.
func (m *Machine) replay(ctx context.Context, p *player, to uint64) error {
	own := m.record
	m.record = nil
	defer func() { m.record = own }()
	if to-m.dut.Cycle() > historyCycles {
		m.forget()
	}
	ins, outs := make([]board.In, 1024), make([]board.Out, 1024)
	for m.dut.Cycle() < to {
		if err := ctx.Err(); err != nil {
			return err
		}
		cycle := m.dut.Cycle()
		if cycle+historyCycles >= to {
			if _, err := m.step(p.at(cycle)); err != nil {
				return err
			}
			continue
		}
		n := int(min(to-historyCycles-cycle, uint64(len(ins))))
		for i := range n {
			ins[i] = p.at(cycle + uint64(i))
		}
		if err := m.dut.Run(ins[:n], outs[:n]); err != nil {
			return m.broken(err)
		}
		m.in[0], m.settled = ins[n-1], false
	}
	return nil
}
