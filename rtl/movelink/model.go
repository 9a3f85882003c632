package movelink

import (
	"fmt"

	"github.com/cosimate/cosimate/rtl/movelink/pair"
)

// Model is the reference for the RTL. Make one with [NewModel].
type Model struct {
	p      Params
	toSend []byte // of the move that is being sent

	past   []uint8 // what the lines were, the newest last
	known  int     // cycles since the reset
	halves []uint8 // squares that have settled: none, or one to come from
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

// reset is what a reset does to the RTL: what is on its way from the lines goes on.
func (m *Model) reset() {
	m.toSend, m.known, m.halves, m.move, m.lost = nil, 0, nil, nil, false
}

// Out are the outputs of the coming cycle, whatever its inputs.
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

// Step is one cycle.
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

// settled tells whether the lines, as they come out of the synchroniser, have held for HoldCycles
// cycles, and at what.
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

// DontCare leaves byte and move open while there is none.
func (m *Model) DontCare(want Out) (mask Out) {
	if !want.TxValid {
		mask.TxData = 0xff
	}
	if !want.MoveValid {
		mask.MoveFrom, mask.MoveTo = 0x3f, 0x3f
	}
	return mask
}

// Explain says why the outputs are what they are.
func (m *Model) Explain(In) string {
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
