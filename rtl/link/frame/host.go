package frame

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// Options are a host's choices. Zero values mean the defaults.
type Options struct {
	Retry   time.Duration // a frame without an answer is sent again after it; 100 ms
	Ping    time.Duration // an idle host sends a Ping after it; 1 s
	Silence time.Duration // a board that was not heard for so long counts as absent; 3 s
	// Session returns the number of a new session. Successive numbers must differ, also after a
	// restart of the program. The default is random.
	Session func() uint16
}

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		value *time.Duration
		or    time.Duration
	}{{&o.Retry, 100 * time.Millisecond}, {&o.Ping, time.Second}, {&o.Silence, 3 * time.Second}} {
		if *d.value <= 0 {
			*d.value = d.or
		}
	}
	if o.Session == nil {
		o.Session = func() uint16 { return uint16(rand.Uint32()) }
	}
	return o
}

// EventKind is the kind of an event.
type EventKind uint8

// The kinds of events.
const (
	Opened    EventKind = iota // a session begins; no message is under way
	Received                   // a message has come
	Delivered                  // a message that was sent has arrived
	Lost                       // the session ended first: the message may or may not have arrived
)

// Event is what has happened to a host.
type Event struct {
	Kind    EventKind
	Message Message // not with Opened
}

// Host is the host's end of a link as a state machine. Its methods take the time, which must not go
// back, and take and return the bytes on the line. It is not safe for concurrent use.
type Host struct {
	o       Options
	decoder Decoder
	events  []Event
	out     []byte // bytes to be sent now

	session  uint16
	open     bool
	heard    time.Duration // when the board was last heard
	expected uint8         // number of the next message from the board
	queue    []Message     // to be sent; the first is under way if sent is true
	sent     bool
	number   uint8         // of the first message in the queue
	due      time.Duration // when to send the unanswered frame again, or a Ping

	// Busy makes the host accept no messages. It does not acknowledge them, so that the board keeps
	// them.
	Busy bool

	// Damaged counts stretches of bytes that were no frame. LastDamage is the reason of the last.
	Damaged    int
	LastDamage error
}

// NewHost returns a host that asks the board for a session, from time now on.
func NewHost(o Options, now time.Duration) *Host {
	h := &Host{o: o.withDefaults()}
	h.begin(now)
	return h
}

// begin asks for a new session. Messages under way in the last one are lost.
func (h *Host) begin(now time.Duration) {
	for _, m := range h.queue {
		h.events = append(h.events, Event{Lost, m})
	}
	h.queue, h.sent = nil, false
	session := h.o.Session()
	if session == h.session {
		session++
	}
	h.session, h.open, h.due = session, false, now
}

// Send queues a message. It is sent when there is a session and the messages before it have
// arrived. An event, Delivered or Lost, says what has become of it. The error is that of a payload
// that is too long.
func (h *Host) Send(m Message) error {
	if err := check(m); err != nil {
		return err
	}
	h.queue = append(h.queue, m)
	return nil
}

func check(m Message) error {
	if len(m.Payload) > MaxPayload {
		return fmt.Errorf("frame: a payload of %d bytes; %d is the most", len(m.Payload), MaxPayload)
	}
	return nil
}

// Next returns the next event, if there is one.
func (h *Host) Next() (e Event, ok bool) {
	if len(h.events) == 0 {
		return Event{}, false
	}
	e, h.events = h.events[0], h.events[1:]
	return e, true
}

// Up reports whether there is a session and the board was heard from within Options.Silence.
func (h *Host) Up(now time.Duration) bool { return h.open && now-h.heard < h.o.Silence }

// Receive takes bytes from the line.
func (h *Host) Receive(now time.Duration, bytes []byte) {
	for _, b := range bytes {
		f, ok, err := h.decoder.Byte(b)
		if err != nil {
			h.Damaged++
			h.LastDamage = err
		}
		if ok && f.Session == h.session {
			h.frame(now, f)
		}
	}
}

func (h *Host) frame(now time.Duration, f Frame) {
	switch {
	case f.Kind == Open && !h.open:
		h.open, h.expected, h.number, h.due = true, 0, 0, now+h.o.Ping
		h.events = append(h.events, Event{Kind: Opened})
	case !h.open: // nothing else counts before the board has begun the session
		return
	case f.Kind == None:
		h.begin(now)
		return
	case f.Kind == Ack && h.sent && f.Seq == h.number:
		h.events = append(h.events, Event{Delivered, h.queue[0]})
		h.queue, h.sent = h.queue[1:], false
		h.number = (h.number + 1) % Numbers
		h.due = now + h.o.Ping
	case f.Kind == Data && f.Seq == h.expected && !h.Busy:
		h.events = append(h.events, Event{Received, f.Message})
		h.expected = (h.expected + 1) % Numbers
		h.put(Ack, f.Seq, Message{})
	case f.Kind == Data && f.Seq == (h.expected+Numbers-1)%Numbers:
		h.put(Ack, f.Seq, Message{})
	}
	h.heard = now
}

// put adds a frame to the bytes to be sent.
func (h *Host) put(k Kind, seq uint8, m Message) {
	h.out = Frame{Kind: k, Seq: seq, Session: h.session, Message: m}.Append(h.out)
}

// Transmit returns the bytes to send over the line now. They are valid until the next call of a
// method.
func (h *Host) Transmit(now time.Duration) []byte {
	switch first := h.open && !h.sent && len(h.queue) > 0; {
	case !first && now < h.due:
	case !h.open:
		h.put(Open, 0, Message{})
		h.due = now + h.o.Retry
	case first, h.sent:
		h.put(Data, h.number, h.queue[0])
		h.sent = true
		h.due = now + h.o.Retry
	default:
		h.put(Ping, 0, Message{})
		h.due = now + h.o.Ping
	}
	out := h.out
	h.out = h.out[:0]
	return out
}

// Wake returns the time at which to call Transmit again if nothing happens before.
func (h *Host) Wake() time.Duration { return h.due }

// Close ends the session and returns the bytes that tell the board. The host is not used
// afterwards.
func (h *Host) Close() []byte {
	h.out = h.out[:0]
	if h.open {
		h.put(None, 0, Message{})
	}
	return h.out
}
