package debounce

import "fmt"

// Model is the reference for the RTL. It remembers when the level last changed and computes the
// rest from that. Make one with [NewModel].
type Model struct {
	hold    int
	chain   []bool // levels on their way, the oldest first
	level   bool   // of the cycle before, at the end of the chain
	changed int    // the first cycle that counts for the present level
	now     int
	clean   bool
}

// NewModel returns a model in the state after reset, with so many stages and cycles to hold.
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

// reset is what a reset does to the RTL: the chain goes on.
func (m *Model) reset() {
	m.now, m.changed, m.clean = 0, 0, false
}

// out are the outputs in the present state.
func (m *Model) out() Out { return Out{Clean: m.clean, Ready: m.now-m.changed >= m.hold} }

// Step is one cycle.
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

// Explain says why the outputs are what they are.
func (m *Model) Explain(In) string {
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
