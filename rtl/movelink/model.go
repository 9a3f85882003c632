package movelink

import (
	"fmt"

	"github.com/cosimate/cosimate/rtl/movelink/pair"
	"github.com/cosimate/cosimate/sim"
)

// Model is the reference for the RTL. Make one with [NewModel].
type Model struct {
	p      Params
	toSend []byte // the bytes still to be sent of a move

	past   []uint8 // values of the lines, the newest last
	known  int     // cycles since the reset
	halves []uint8 // the origin of the next move, or nothing
	move   *pair.Move
	shown  pair.Move // the last move at the outputs
	lost   bool
}

// NewModel returns a model in the state after reset.
func NewModel(p Params) *Model {
	m := &Model{p: p, past: make([]uint8, p.SyncStages+p.HoldCycles)}
	m.Reset()
	return m
}

// Reset puts the model in the state after a reset with the lines at 0.
func (m *Model) Reset() {
	clear(m.past)
	m.reset()
}

// reset does what a cycle of reset does to the RTL. The synchroniser of the lines is not reset.
func (m *Model) reset() {
	m.toSend, m.known, m.halves, m.move, m.lost = nil, 0, nil, nil, false
}

// Out returns the outputs of the coming cycle, which do not depend on its inputs.
func (m *Model) Out() Out {
	out := Out{
		SendReady: len(m.toSend) == 0, TxValid: len(m.toSend) > 0,
		MoveValid: m.move != nil, MoveFrom: m.shown.From, MoveTo: m.shown.To, MoveLost: m.lost,
	}
	if out.TxValid {
		out.TxData = m.toSend[0]
	}
	return out
}

// Step plays one cycle and returns its outputs.
func (m *Model) Step(in In) Out {
	out := m.Out()
	switch {
	case out.TxValid && in.TxReady:
		m.toSend = m.toSend[1:]
	case out.SendReady && in.SendValid:
		m.toSend = pair.Move{From: in.SendFrom, To: in.SendTo}.Append(nil)
	}

	if in.MoveReady {
		m.move = nil
	}
	m.lost = false
	m.past = append(m.past[1:], in.Lines)
	m.known++
	if lines, settled := m.settled(); settled {
		switch square := lines >> 1; {
		case lines&1 == 0:
			m.halves = []uint8{square}
		case len(m.halves) > 0:
			if m.lost = m.move != nil; !m.lost {
				m.shown = pair.Move{From: m.halves[0], To: square}
				m.move = &m.shown
			}
			m.halves = nil
		}
	}
	if in.Rst {
		m.reset()
	}
	return out
}

// settled returns the lines at the end of the synchroniser, and whether they have been stable for
// HoldCycles cycles.
func (m *Model) settled() (lines uint8, ok bool) {
	held := m.past[:m.p.HoldCycles]
	if m.known < m.p.HoldCycles {
		return 0, false
	}
	for _, l := range held {
		if l != held[0] {
			return 0, false
		}
	}
	return held[0], true
}

// DontCare returns the bits that are not compared: byte and move while there is none.
func (m *Model) DontCare(want Out) (mask Out) {
	if !want.TxValid {
		mask.TxData = 0xff
	}
	if !want.MoveValid {
		mask.MoveFrom, mask.MoveTo = 0x3f, 0x3f
	}
	return mask
}

// Explain says in words why the model has its outputs.
func (m *Model) Explain(sim.Mismatch[In, Out]) string {
	s := fmt.Sprintf("bytes to be sent: %#02x\n", m.toSend)
	if len(m.halves) > 0 {
		s += fmt.Sprintf("from square %d, a square to go to is due", m.halves[0])
	} else {
		s += "a square to come from is due"
	}
	if lines, ok := m.settled(); ok {
		s += fmt.Sprintf("; the lines have settled at %07b, line 6 first", lines)
	} else {
		s += fmt.Sprintf("; the lines have not held for %d cycles", m.p.HoldCycles)
	}
	switch {
	case m.lost:
		s += "; a move was dropped, as the one before it was not taken yet"
	case m.move != nil:
		s += fmt.Sprintf("; the move from %d to %d waits to be taken", m.move.From, m.move.To)
	}
	return s
}
