package leds

import (
	"fmt"
	"math/bits"

	"github.com/cosimate/cosimate/sim"
)

// Model is the reference for the RTL. At the beginning of an idle phase it plans which square is
// lit until which cycle. Make one with [NewModel].
type Model struct {
	p         Params
	show      Show
	at        int // cycle of the idle phase
	phases    int // idle phases of the present half of a blink
	second    bool
	last      int // the square whose turn was last, for Restore
	programme []entry
}

// entry is a part of an idle phase.
type entry struct {
	end    int // the first cycle after it
	square int // or -1: dark
}

// NewModel returns a model in the state after reset.
func NewModel(p Params) *Model {
	m := &Model{p: p}
	m.Reset()
	return m
}

// Reset puts the model in the state after reset.
func (m *Model) Reset() { *m = Model{p: m.p, last: 63, programme: m.programme[:0]} }

// Step plays one cycle and returns its outputs.
func (m *Model) Step(in In) Out {
	var out Out
	if in.Idle {
		if m.at == 0 {
			m.plan()
		}
		for len(m.programme) > 0 && m.at >= m.programme[0].end {
			m.programme = m.programme[1:]
		}
		if len(m.programme) > 0 && m.programme[0].square >= 0 {
			now := m.programme[0]
			out = Out{Select: uint8(now.square), Led: true}
			if m.show.Pattern == Restore && m.at == now.end-1 {
				m.last = now.square
			}
		}
		m.at++
	} else {
		if m.at > 0 {
			m.at = 0
			if m.phases++; m.phases == m.p.BlinkPhases {
				m.phases, m.second = 0, !m.second
			}
		}
		m.show = Show{in.Pattern, in.From, in.To, in.Restore}
	}
	if in.Rst {
		m.Reset()
	}
	return out
}

// plan makes the programme of an idle phase.
func (m *Model) plan() {
	m.programme = m.programme[:0]
	add := func(percent, square int) {
		m.programme = append(m.programme, entry{int(int64(m.p.IdleCycles) * int64(percent) / 100), square})
	}
	row := func(rank int) {
		for i := range 5 {
			add(16*(i+1), 8*rank+2+i)
		}
	}
	switch s := m.show; s.Pattern {
	case Move:
		if m.second {
			add(40, -1)
			add(80, int(s.To))
		} else {
			add(40, int(s.From))
		}
	case Illegal:
		add(15, 18)
		add(30, 20)
		add(45, 34)
		add(60, 36)
		add(79, 27)
	case Restore:
		if m.second || s.Restore == 0 {
			return
		}
		square := m.last
		for turn := range 64 {
			for square = (square + 1) % 64; s.Restore>>square&1 == 0; {
				square = (square + 1) % 64
			}
			m.programme = append(m.programme, entry{(turn + 1) * (m.p.IdleCycles / 64), square})
		}
	case WinnerA:
		row(0)
	case WinnerB:
		row(7)
	case Draw:
		if m.second {
			row(7)
		} else {
			row(0)
		}
	case Check:
		add(40, int(s.From))
	case Promotion:
		if !m.second {
			add(40, int(s.From))
			return
		}
		for i, square := range []int{27, 28, 35, 36} {
			add(15*(i+1), square)
		}
	}
}

// Explain says in words which LED should be lit, and why.
func (m *Model) Explain(x sim.Mismatch[In, Out]) string {
	if !x.In.Idle {
		return "no idle phase: nothing is lit"
	}
	half := "first"
	if m.second {
		half = "second"
	}
	s := fmt.Sprintf("cycle %d of an idle phase of %d, which is %d of %d in the %s half of a blink: %v", m.at, m.p.IdleCycles, m.phases+1, m.p.BlinkPhases, half, m.show)
	if m.show.Pattern == Restore {
		s += fmt.Sprintf(" (%d squares in turn, the last turn that ended was that of square %d)", bits.OnesCount64(m.show.Restore), m.last)
	}
	return s
}
