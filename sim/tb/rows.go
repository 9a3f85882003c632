package tb

import (
	"bytes"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/report"
)

// Rows is a bench of a design whose ports are known at run time only. Its inputs and outputs are
// rows of bytes, as a layout says.
type Rows struct {
	In      []byte // the inputs of the coming cycle, or for a monitor those of the cycle just done
	Out     []byte // the outputs as last sampled
	Unknown []byte // the bits of Out that are X or Z; nil in a simulator without such values
	// Reset is one that is driven as a part of In, and not by its own Hold. It may be nil.
	Reset *Reset

	processes
	layout  *bridge.Layout
	applied []byte
}

// RowsOptions are choices of a bench of rows.
type RowsOptions struct {
	What    string // the design and its simulator, for messages
	Clocks  []bridge.Clock
	Seed    uint64
	Done    uint64 // cycles that were played before
	Unknown bool   // the simulator has X and Z
	// Step plays In as a cycle, and sets Out and Unknown. Settle does so before the clock edge.
	Step, Settle func(*Rows) error
}

// NewRows returns a bench without processes.
func NewRows(l *bridge.Layout, o RowsOptions) *Rows {
	b := &Rows{processes: newProcesses(o.Seed, o.Clocks), layout: l, In: make([]byte, l.InSize), Out: make([]byte, l.OutSize), applied: make([]byte, l.InSize)}
	if o.Unknown {
		b.Unknown = make([]byte, l.OutSize)
	}
	b.what = o.What
	b.unfinished = func(error) func() { return nil }
	b.step = func() error {
		copy(b.applied, b.In)
		b.tick()
		if b.Reset.Active() {
			b.Reset.released = b.cycle + 2
		}
		return o.Step(b)
	}
	b.settle = func() error { return o.Settle(b) }
	b.changed = func() bool { return !bytes.Equal(b.In, b.applied) }
	b.flip = func() bool {
		any := byte(0)
		for i, x := range b.Unknown {
			b.Out[i] ^= x
			any |= x
		}
		return any != 0
	}
	for range o.Done {
		b.tick()
	}
	return b
}

// Run is as of a [Bench].
func (b *Rows) Run(cycles int) error { return b.runToEnd(cycles) }

// Pins returns the ports of the design.
func (b *Rows) Pins() []Pin { return PinsOf(b.layout, b.In, b.Out, b.Unknown) }

// Transactions returns what the processes have done last.
func (b *Rows) Transactions() []report.Transaction { return b.transactions("no process") }

// PinsOf returns the ports of a layout, with their memory in rows.
func PinsOf(l *bridge.Layout, in, out, unknown []byte) (pins []Pin) {
	for _, p := range l.Inputs {
		pins = append(pins, Pin{Port: p.Name, Name: PlainName(p.Name), Width: p.Width, Driven: true, Value: in[p.Offset : p.Offset+p.Size]})
	}
	for _, p := range l.Outputs {
		pin := Pin{Port: p.Name, Name: PlainName(p.Name), Width: p.Width, Value: out[p.Offset : p.Offset+p.Size]}
		if unknown != nil {
			pin.Unknown = unknown[p.Offset : p.Offset+p.Size]
		}
		pins = append(pins, pin)
	}
	return pins
}
