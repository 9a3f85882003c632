package uart

import (
	"fmt"

	"github.com/cosimate/cosimate/sim"
)

// Model is the reference for the RTL. Its receiver records the line from the beginning of a frame
// on, and finds the bits in the recording. Its transmitter computes the present bit from the cycle
// in which the frame began. Make one with [NewModel].
type Model struct {
	p     Params
	chain []bool // levels in the synchroniser, the oldest first

	listening bool // the line has been 1 since the reset or the last error
	// levels since the beginning of the frame that is being received; empty if there is none
	frame    []bool
	arrived  bool // a byte, in this cycle
	data     byte // that byte
	framing  bool // outputs of this cycle
	broken   bool
	received []byte // the queue

	toSend  []byte // the queue
	sending bool
	sent    byte // the byte that is being sent
	elapsed int  // cycles since its frame began
}

// NewModel returns a model in the state after reset.
func NewModel(p Params) *Model {
	m := &Model{p: p}
	m.Reset()
	return m
}

// Reset puts the model in the state after reset.
func (m *Model) Reset() {
	*m = Model{p: m.p, chain: make([]bool, m.p.SyncStages), frame: m.frame[:0]}
}

// Step plays one cycle and returns its outputs.
func (m *Model) Step(in In) Out {
	out := m.Out()
	if in.Rst {
		m.Reset()
		return out
	}

	if out.RxValid && in.RxReady {
		m.received = m.received[1:]
	}
	if m.arrived && !out.RxOverrun {
		m.received = append(m.received, m.data)
	}
	m.receive(m.chain[0])
	m.chain = append(m.chain[1:], in.Rx)

	if m.sending {
		m.elapsed++
		m.sending = m.elapsed < 10*m.p.Divisor
	}
	if !m.sending && len(m.toSend) > 0 {
		m.sending, m.sent, m.elapsed = true, m.toSend[0], 0
		m.toSend = m.toSend[1:]
	}
	if in.TxValid && out.TxReady {
		m.toSend = append(m.toSend, in.TxData)
	}
	return out
}

// Out returns the outputs of the coming cycle, which do not depend on its inputs.
func (m *Model) Out() Out {
	out := Out{
		Tx:      !m.sending || bitOf(m.sent, m.elapsed/m.p.Divisor),
		TxReady: len(m.toSend) < m.p.TxDepth,
		RxValid: len(m.received) > 0,

		RxFraming: m.framing,
		RxBreak:   m.broken,
		RxOverrun: m.arrived && len(m.received) == m.p.RxDepth,
	}
	if out.RxValid {
		out.RxData = m.received[0]
	}
	return out
}

// DontCare returns the bits that are not compared: the received byte while there is none.
func (m *Model) DontCare(want Out) Out {
	if want.RxValid {
		return Out{}
	}
	return Out{RxData: 0xff}
}

// bitOf returns bit n of the ten bits of a frame.
func bitOf(data byte, n int) bool {
	switch n {
	case 0:
		return false
	case 9:
		return true
	}
	return data>>(n-1)&1 != 0
}

// receive plays a cycle of the receiver.
func (m *Model) receive(level bool) {
	m.arrived, m.framing = false, false
	m.broken = m.broken && !level
	switch {
	case !m.listening:
		m.listening = level
		return
	case len(m.frame) == 0 && level:
		return
	}
	m.frame = append(m.frame, level)
	switch len(m.frame) - 1 {
	case m.sample(0, 1):
		if m.bit(0) { // the start bit was a glitch
			m.frame = m.frame[:0]
		}
	case m.sample(9, 1):
		m.data = 0
		for i := range 8 {
			if m.bit(1 + i) {
				m.data |= 1 << i
			}
		}
		m.arrived = m.bit(9)
		m.listening = m.arrived
		m.framing = !m.arrived && m.data != 0
		m.broken = !m.arrived && m.data == 0
		m.frame = m.frame[:0]
	}
}

// sample returns the cycle of a frame in which a bit is sampled: when is -1 for the sample before
// the middle of the bit, 0 for the one in the middle, and 1 for the one after it.
func (m *Model) sample(bit, when int) int {
	return bit*m.p.Divisor + (m.p.Divisor-1)/2 + when*m.p.Spread()
}

// bit returns the majority of a bit's samples.
func (m *Model) bit(n int) bool {
	ones := 0
	for when := -1; when <= 1; when++ {
		if m.frame[m.sample(n, when)] {
			ones++
		}
	}
	return ones >= 2
}

// Explain says in words why the model has its outputs.
func (m *Model) Explain(sim.Mismatch[In, Out]) string {
	s := "receiver: "
	switch n := len(m.frame); {
	case m.broken:
		s += "a break, all ten bits were 0 and the line is still"
	case m.framing:
		s += fmt.Sprintf("byte %#02x has been dropped, as its stop bit was 0", m.data)
	case m.arrived:
		s += fmt.Sprintf("byte %#02x has come; there are %d of %d in the queue, and a byte that finds it full is lost", m.data, len(m.received), m.p.RxDepth)
	case !m.listening:
		s += "waits for the line to be 1"
	case n == 0:
		s += "listens for a start bit"
	default:
		s += fmt.Sprintf("cycle %d of a frame, in bit %d", n, n/m.p.Divisor)
		for i := 0; m.sample(i, 1) < n; i++ {
			s += fmt.Sprintf("; bit %d is %d", i, number(m.bit(i)))
		}
	}
	s += fmt.Sprintf("\nreceived and not taken: %#02x\ntransmitter: ", m.received)
	if m.sending {
		bit := m.elapsed / m.p.Divisor
		s += fmt.Sprintf("byte %#02x, cycle %d of bit %d of 0 to 9, which is %d", m.sent, m.elapsed%m.p.Divisor, bit, number(bitOf(m.sent, bit)))
	} else {
		s += "idle"
	}
	return s + fmt.Sprintf("\nstill to be sent: %#02x", m.toSend)
}

func number(level bool) int {
	if level {
		return 1
	}
	return 0
}
