package debounce

import (
	"fmt"

	"github.com/cosimate/cosimate/sim"
)

// Model is the reference for the RTL. It computes the outputs from the cycle in which the level
// last changed. Make one with [NewModel].
type Model struct {
	hold    int
	chain   []bool // levels in the chain, the oldest first
	level   bool   // level at the end of the chain in the cycle before
	changed int    // the first cycle of the present level
	now     int
	clean   bool
}

// NewModel returns a model in the state after reset, with these values of SyncStages and
// HoldCycles.
func NewModel(stages, hold int) *Model {
	m := &Model{hold: hold, chain: make([]bool, stages)}
	m.Reset()
	return m
}

// Reset puts the model in the state after a reset with the line low.
func (m *Model) Reset() {
	clear(m.chain)
	m.level = false
	m.reset()
}

// reset does what a cycle of reset does to the RTL. The chain is not reset.
func (m *Model) reset() {
	m.now, m.changed, m.clean = 0, 0, false
}

// out returns the outputs in the present state.
func (m *Model) out() Out { return Out{Clean: m.clean, Ready: m.now-m.changed >= m.hold} }

// Step plays one cycle and returns its outputs.
func (m *Model) Step(in In) Out {
	out := m.out()
	level := m.chain[0]
	m.chain = append(m.chain[1:], in.Line)
	if level != m.level {
		m.changed = m.now
	}
	m.level = level
	m.now++
	if m.now-m.changed >= m.hold {
		m.clean = level
	}
	if in.Rst {
		m.reset()
	}
	return out
}

// Explain says in words why the model has its outputs.
func (m *Model) Explain(sim.Mismatch[In, Out]) string {
	if m.out().Ready {
		return fmt.Sprintf("the level %d held for %d cycles, at least %d: it is clean and ready", bit(m.level), m.now-m.changed, m.hold)
	}
	return fmt.Sprintf("the level %d held for %d of %d cycles: it is not ready, and clean_o is what it was", bit(m.level), m.now-m.changed, m.hold)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
