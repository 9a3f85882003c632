package link

import (
	"fmt"

	"github.com/cosimate/cosimate/rtl/link/frame"
	"github.com/cosimate/cosimate/sim"
)

// Model is the reference for the RTL: what the protocol does in which cycle. Package frame codes
// its frames. Make one with [NewModel].
type Model struct {
	p Params

	decoder frame.Decoder
	begun   bool         // a frame has begun
	stored  bool         // its message is stored
	frame   *frame.Frame // the frame that has come in the cycle before, or nil
	damaged bool

	open, opened, fresh bool
	session             uint16
	due                 uint8 // expected number of the host's next message
	silence             int   // cycles left until the host counts as absent
	received            *frame.Message

	full    bool
	message frame.Message // the message to the host
	number  uint8         // its number, or that of the next one
	retry   int           // cycles left until it is sent again
	answer  *frame.Frame  // the answer to send
	sending []byte        // the bytes left of the frame that is being sent
	data    bool          // that frame has a message

	last    string // the last frame, in words
	verdict string // what was done with it
	damage  error  // what was wrong with bytes since
}

// NewModel returns a model in the state after reset.
func NewModel(p Params) *Model {
	m := &Model{p: p}
	m.Reset()
	return m
}

// Reset puts the model in the state after reset.
func (m *Model) Reset() {
	*m = Model{p: m.p, decoder: frame.Decoder{AtBoard: true}, last: "none since the reset"}
}

// Out returns the outputs of the coming cycle, which do not depend on its inputs.
func (m *Model) Out() Out {
	out := Out{
		TxValid: len(m.sending) > 0, SendReady: m.open && !m.full && !m.data,
		RecvValid: m.received != nil, Open: m.open, Opened: m.opened, Up: m.open && m.silence > 0, Damaged: m.damaged,
	}
	if out.TxValid {
		out.TxData = m.sending[0]
	}
	if out.RecvValid {
		out.RecvType, out.RecvLength = m.received.Type, uint8(len(m.received.Payload))
		out.RecvPayload = pack(m.received.Payload)
	}
	return out
}

// Step plays one cycle and returns its outputs.
func (m *Model) Step(in In) Out {
	out := m.Out()
	if in.Rst {
		m.Reset()
		return out
	}

	m.transmit(in.TxReady)
	if in.RecvReady {
		m.received = nil
	}
	m.opened = false
	m.silence = max(0, m.silence-1)
	if m.frame != nil {
		m.handle(m.frame)
	}
	// The session may have ended in this very cycle.
	if in.SendValid && out.SendReady && m.open && !m.opened {
		m.full, m.message, m.retry = true, in.sent(), 0
	}
	m.receive(in)
	return out
}

// transmit plays a cycle of the transmitter.
func (m *Model) transmit(ready bool) {
	idle := len(m.sending) == 0
	again := m.retry == 0
	m.retry = max(0, m.retry-1)
	switch {
	case !idle && ready:
		m.sending = m.sending[1:]
		if len(m.sending) == 0 && m.data {
			m.data, m.retry = false, m.p.RetryCycles
		}
	case !idle:
	case m.answer != nil:
		m.sending, m.answer = m.answer.Append(nil), nil
	case m.full && again:
		f := frame.Frame{FromBoard: true, Kind: frame.Data, Seq: m.number, Session: m.session, Message: m.message}
		m.sending, m.data = f.Append(nil), true
	}
}

// receive plays a cycle of the receiver.
func (m *Model) receive(in In) {
	m.frame, m.damaged = nil, false
	if !in.RxValid {
		return
	}
	f, ok, err := m.decoder.Byte(in.RxData)
	m.damaged = err != nil
	if ok {
		m.frame = &f
	}
	if err != nil {
		m.damage = err
	}
	const flag = 0x7e
	if in.RxData == flag {
		m.begun = false
	} else if !m.begun {
		m.begun = true
		m.stored = m.received == nil
	}
}

// handle carries out a frame.
func (m *Model) handle(f *frame.Frame) {
	current := m.open && f.Session == m.session
	acknowledge := func(seq uint8) {
		m.answer = &frame.Frame{FromBoard: true, Kind: frame.Ack, Seq: seq % frame.Numbers, Session: f.Session}
	}
	m.last, m.damage = f.String(), nil
	if f.Kind == frame.Open {
		m.answer = &frame.Frame{FromBoard: true, Kind: frame.Open, Session: f.Session}
		m.verdict = "the session is as it was"
		if !current || !m.fresh {
			m.verdict = "a new session begins"
			m.open, m.opened, m.fresh, m.session = true, true, true, f.Session
			m.due, m.number, m.full = 0, 0, false
		}
		m.silence = m.p.SilenceCycles
		return
	}
	if !current {
		m.verdict = "there is no such session"
		if f.Kind != frame.None {
			m.answer = &frame.Frame{FromBoard: true, Kind: frame.None, Session: f.Session}
		}
		return
	}
	m.silence, m.fresh = m.p.SilenceCycles, false
	last := (m.due + frame.Numbers - 1) % frame.Numbers
	switch {
	case f.Kind == frame.None:
		m.verdict = "the session ends"
		m.open, m.full = false, false
	case f.Kind == frame.Ping:
		m.verdict = "the last message is acknowledged again"
		acknowledge(last)
	case f.Kind == frame.Ack && m.full && f.Seq == m.number:
		m.verdict = "the message to the host has arrived"
		m.full, m.number = false, (m.number+1)%frame.Numbers
	case f.Kind == frame.Data && f.Seq == m.due && m.stored:
		m.verdict = "its message is delivered"
		m.received, m.due = &f.Message, (m.due+1)%frame.Numbers
		acknowledge(f.Seq)
	case f.Kind == frame.Data && f.Seq == m.due:
		m.verdict = "there is no room for its message"
	case f.Kind == frame.Data && f.Seq == last:
		m.verdict = "its message has come before, and is acknowledged again"
		acknowledge(last)
	default:
		m.verdict = "its number is not due"
	}
}

// DontCare returns the bits that are not compared: byte and message while there is none.
func (m *Model) DontCare(want Out) (mask Out) {
	if !want.TxValid {
		mask.TxData = 0xff
	}
	if !want.RecvValid {
		const all = 1<<64 - 1
		mask.RecvType, mask.RecvLength, mask.RecvPayload = 0xff, 0x3f, Payload{all, all, all, all}
	}
	return mask
}

// Explain says in words why the model has its outputs.
func (m *Model) Explain(sim.Mismatch[In, Out]) string {
	s := fmt.Sprintf("last frame: %s", m.last)
	if m.verdict != "" {
		s += ": " + m.verdict
	}
	if m.damage != nil {
		s += fmt.Sprintf("\ndamaged since: %v", m.damage)
	}
	if m.open {
		s += fmt.Sprintf("\nsession %#04x, message %d of the host is due, the host was heard %d cycles ago", m.session, m.due, m.p.SilenceCycles-m.silence)
	} else {
		s += "\nno session"
	}
	if m.full {
		s += fmt.Sprintf("\nmessage %d to the host: %v; sent again in %d cycles", m.number, m.message, m.retry)
	}
	if m.answer != nil {
		s += fmt.Sprintf("\nto be answered: %v", m.answer)
	}
	return s + fmt.Sprintf("\nbytes of this frame to be sent: % 02x", m.sending)
}
