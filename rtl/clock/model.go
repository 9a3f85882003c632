package clock

import (
	"fmt"
	"strings"

	"github.com/cosimate/cosimate/rtl/clock/codes"
	"github.com/cosimate/cosimate/sim"
)

// Model is the reference for the RTL. It counts cycles, and converts them to digits only for the
// outputs. Make one with [NewModel].
type Model struct {
	hz        int // cycles a second
	state     State
	turn      Side
	control   Control
	increment int    // seconds
	left      [2]int // cycles
	err       codes.Error
	before    In   // the inputs of the cycle before, for Explain
	fell      bool // a flag fell in that cycle
}

// NewModel returns a model in the state after reset, with so many cycles a second.
func NewModel(hz int) *Model {
	m := &Model{hz: hz}
	m.Reset()
	return m
}

// Reset puts the model in the state after reset.
func (m *Model) Reset() { *m = Model{hz: m.hz, before: In{Rst: true}}; m.set(Rapid, 0) }

// set begins a new game.
func (m *Model) set(c Control, increment int) {
	m.state, m.turn, m.control, m.increment = Ready, White, c, increment
	minutes := map[Control]int{Bullet: 1, Blitz: 5, Rapid: 10, Classical: 30}
	m.left = [2]int{minutes[c] * 60 * m.hz, minutes[c] * 60 * m.hz}
}

// Step plays one cycle and returns its outputs.
func (m *Model) Step(in In) Out {
	out := m.Out()
	m.err, m.fell, m.before = codes.NoError, false, in
	if in.Rst {
		m.Reset()
		return out
	}
	if m.state == Running {
		if m.left[m.turn]--; m.left[m.turn] == 0 {
			m.state, m.fell = Over, true
		}
	}
	now := m.state
	if in.Press && now == Running {
		m.left[m.turn] += m.increment * m.hz
		m.turn = 1 - m.turn
	}
	if in.CmdValid {
		m.err = m.do(in, now)
	}
	for s := range m.left {
		m.left[s] = min(m.left[s], 59_999*m.hz/10)
	}
	return out
}

// do carries out the command of a cycle, or returns why it is refused.
func (m *Model) do(in In, now State) codes.Error {
	switch in.Cmd {
	case codes.CmdSet:
		if in.Increment>>4 > 9 || in.Increment&15 > 9 {
			return codes.ErrBadIncrement
		}
		m.set(in.Control, int(in.Increment>>4*10+in.Increment&15))
	case codes.CmdLoad:
		if now == Over {
			return codes.ErrOver
		}
		if strings.ContainsAny(in.Time.String(), "ABCDEF") || in.Time.String()[3] > '5' || in.Time == 0 {
			return codes.ErrBadTime
		}
		m.left[in.Side] = in.Time.Tenths() * m.hz / 10
	case codes.CmdStart:
		if now != Ready {
			return codes.ErrNotReady
		}
		m.state, m.turn = Running, in.Side
	case codes.CmdPause:
		if now != Running {
			return codes.ErrNotRunning
		}
		m.state = Paused
	case codes.CmdResume:
		if now != Paused {
			return codes.ErrNotPaused
		}
		m.state = Running
	case codes.CmdAdd:
		if now == Over {
			return codes.ErrOver
		}
		m.left[in.Side] += 5 * 60 * m.hz
	case codes.CmdStop:
		if now == Over {
			return codes.ErrOver
		}
		m.state = Over
	default:
		return codes.ErrUnknown
	}
	return codes.NoError
}

// Out returns the outputs of the coming cycle, which do not depend on its inputs.
func (m *Model) Out() Out {
	o := Out{Error: m.err, State: m.state, Turn: m.turn, Control: m.control, Increment: uint8(m.increment/10<<4 | m.increment%10)}
	o.WhiteTime, o.WhiteUsed = m.shown(White)
	o.BlackTime, o.BlackUsed = m.shown(Black)
	for s, left := range m.left {
		if left == 0 {
			o.Flag |= 1 << s
		}
	}
	return o
}

// shown returns a side's time rounded up to tenths, and by how many cycles it was rounded.
func (m *Model) shown(s Side) (codes.Digits, uint32) {
	tenth := m.hz / 10
	tenths := (m.left[s] + tenth - 1) / tenth
	return codes.DigitsOf(tenths), uint32(tenths*tenth - m.left[s])
}

// Explain says in words what the state is, and what led to it.
func (m *Model) Explain(sim.Mismatch[In, Out]) string {
	s := fmt.Sprintf("%v, %v to move, %v, increment %d s; White has %d cycles left, Black %d, of %d a second", m.state, m.turn, m.control, m.increment, m.left[White], m.left[Black], m.hz)
	if m.err != codes.NoError {
		s += fmt.Sprintf("; error_o is to say: %v", m.err)
	}
	return s + "\nafter " + m.before.words(m.fell)
}

// words says in words what a cycle's inputs were.
func (in In) words(fell bool) string {
	var w []string
	if fell {
		w = append(w, "the last cycle of the side to move")
	}
	if in.Press {
		w = append(w, "a press")
	}
	switch {
	case in.Rst:
		w = []string{"reset"}
	case !in.CmdValid:
		w = append(w, "no command")
	case in.Cmd == codes.CmdSet:
		w = append(w, fmt.Sprintf("the command set %v +%02X", in.Control, in.Increment))
	case in.Cmd == codes.CmdLoad:
		w = append(w, fmt.Sprintf("the command load %v %v", in.Side, in.Time))
	case in.Cmd == codes.CmdStart:
		w = append(w, fmt.Sprintf("the command start %v", in.Side))
	case in.Cmd == codes.CmdAdd:
		w = append(w, fmt.Sprintf("the command add %v", in.Side))
	default:
		w = append(w, "the command "+map[codes.Command]string{codes.CmdPause: "pause", codes.CmdResume: "resume", codes.CmdStop: "stop"}[in.Cmd]+fmt.Sprintf(" (%d)", in.Cmd))
	}
	return strings.Join(w, ", ")
}
