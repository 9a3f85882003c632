package scanner

import (
	"fmt"

	"github.com/cosimate/cosimate/rtl/debounce"
	"github.com/cosimate/cosimate/sim"
)

// Model is the reference for the RTL. It computes what to do from the number of the cycle in the
// period. Make one with [NewModel].
type Model struct {
	p    Params
	line *debounce.Model
	at   int // cycle of the period
	out  Out
}

// NewModel returns a model in the state after reset.
func NewModel(p Params) *Model {
	m := &Model{p: p, line: debounce.NewModel(p.SyncStages, p.HoldCycles)}
	m.Reset()
	return m
}

// Reset puts the model in the state after reset.
func (m *Model) Reset() {
	m.line.Reset()
	m.at, m.out = 0, Out{}
}

// Out returns the outputs of the coming cycle, which do not depend on its inputs.
func (m *Model) Out() Out { return m.out }

// Step plays one cycle and returns its outputs.
func (m *Model) Step(in In) Out {
	out := m.out
	line := m.line.Step(debounce.In{Rst: in.Rst, Line: in.SenseN})
	if in.Rst {
		m.at, m.out = 0, Out{}
		return out
	}
	scan := 64 * m.p.Slot()
	if square, last := m.place(); last && line.Ready {
		m.out.Occupied &^= 1 << square
		if !line.Clean {
			m.out.Occupied |= 1 << square
		}
	}
	m.out.Select, m.out.Led = 0, false
	if out.Idle {
		m.out.Select, m.out.Led = in.LedSelect, in.Led
	}
	m.at = (m.at + 1) % m.p.Period()
	if m.at < scan {
		m.out.Select = uint8(m.at / m.p.Slot())
	}
	m.out.Idle = m.at >= scan && m.at < scan+m.p.IdleCycles
	m.out.Strobe = m.at == scan
	return out
}

// place returns the square of the present slot, and whether the cycle is the slot's last.
func (m *Model) place() (square int, last bool) {
	slot := m.p.Slot()
	return m.at / slot, m.at < 64*slot && m.at%slot == slot-1
}

// Explain says in words what happens in the present cycle.
func (m *Model) Explain(x sim.Mismatch[In, Out]) string {
	slot, scan := m.p.Slot(), 64*m.p.Slot()
	switch {
	case x.In.Rst:
		return "reset"
	case m.at < scan:
		before := ""
		if m.at%slot == 0 && m.at > 0 {
			before = fmt.Sprintf("; the cycle before was the last of square %d: its reading came, if the line had held", m.at/slot-1)
		}
		return fmt.Sprintf("cycle %d of %d of the slot of square %d%s", m.at%slot, slot, m.at/slot, before)
	case m.at == scan:
		return "the first idle cycle: square 63 was read, the scan is over"
	case m.at < scan+m.p.IdleCycles:
		return fmt.Sprintf("idle cycle %d of %d: the pins show what the LED driver gave in the cycle before", m.at-scan, m.p.IdleCycles)
	}
	return "the cycle after the idle phase: the pins show the LED driver's last word, then comes square 0"
}
