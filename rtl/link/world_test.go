package link_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/cosimate/cosimate/rtl/link"
	"github.com/cosimate/cosimate/rtl/link/frame"
)

// A channel is what a line does to the bytes of one direction: it returns what arrives of a byte.
type channel func(b byte) []byte

// clean is a line without fault.
func clean(b byte) []byte { return []byte{b} }

// noise is how bad a line is: probabilities for each byte.
type noise struct {
	lose, flip, replace, double, insert float64
	// the probabilities that a gap of up to 40, and of up to 2000 bytes begins
	cut, outage float64
}

// noisy returns a line that loses, changes, doubles and invents bytes. It is clean once *quiet is
// true.
func noisy(r *rand.Rand, n noise, quiet *bool) channel {
	gap := 0
	special := func() byte { // mostly a byte with a meaning in the protocol
		return []byte{0x7e, 0x7d, 0x5e, 0x5d, 0, byte(r.Uint32()), byte(r.Uint32())}[r.IntN(7)]
	}
	return func(b byte) []byte {
		if *quiet {
			return []byte{b}
		}
		if r.Float64() < n.outage {
			gap = r.IntN(2000)
		} else if r.Float64() < n.cut {
			gap = r.IntN(40)
		}
		if gap > 0 {
			gap--
			return nil
		}
		out := []byte{b}
		switch x := r.Float64(); {
		case x < n.lose:
			out = nil
		case x < n.lose+n.flip:
			out[0] ^= 1 << r.IntN(8)
		case x < n.lose+n.flip+n.replace:
			out[0] = special()
		case x < n.lose+n.flip+n.replace+n.double:
			out = append(out, b)
		case x < n.lose+n.flip+n.replace+n.double+n.insert:
			for range 1 + r.IntN(3) {
				out = append(out, special())
			}
		}
		return out
	}
}

// plan is a description of a world.
type plan struct {
	p        link.Params
	pace     int     // cycles a byte on the line
	messages int     // number of messages each way
	gap      float64 // probability in each cycle that there is a message to send
	busy     float64 // probability in each cycle that the board does not take a message
	toBoard  channel
	toHost   channel
	// probability in each cycle that the host's program or the board is restarted
	restarts float64
	quiet    *bool // set towards the end: then the line is clean, and there are no restarts
}

// world is a board, a host, and a line between them. It checks that each message is the one that
// was sent, comes once and in order, and that a message has come when it is reported as delivered.
type world struct {
	plan
	r     *rand.Rand
	cycle int
	host  *frame.Host
	in    link.In
	out   link.Out

	wire    []byte // bytes on their way from the host
	arrived []byte // bytes that have reached the board

	toBoard, toHost traffic
	hosts, resets   int // restarts of the host, and of the board
	damaged         int // damaged frames at the board
	taken           bool
	err             error
}

// traffic is the messages of one direction, which are numbered.
type traffic struct {
	name     string
	sent     []frame.Message
	offered  *frame.Message
	received int  // number of the last message that has come, from 1 on
	settled  int  // number of the last message that was reported as delivered or lost
	broken   bool // a session has ended since the last message was sent
	lost     int  // how many have not come, as a session ended
}

func newWorld(r *rand.Rand, p plan) *world {
	w := &world{plan: p, r: r, toBoard: traffic{name: "to the board"}, toHost: traffic{name: "to the host"}}
	w.start()
	return w
}

// now returns the host's time. A cycle is a nanosecond.
func (w *world) now() time.Duration { return time.Duration(w.cycle) }

// start starts the host's program.
func (w *world) start() {
	retry := time.Duration(w.p.RetryCycles)
	w.host = frame.NewHost(frame.Options{
		Retry: retry, Ping: 5 * retry, Silence: time.Duration(w.p.SilenceCycles),
		Session: func() uint16 { return uint16(w.r.Uint32()) },
	}, w.now())
}

// message returns the next message of a direction: its number, and bytes of all kinds, sometimes a
// frame.
func (w *world) message(t *traffic) frame.Message {
	number := binary.LittleEndian.AppendUint32(nil, uint32(len(t.sent)+1))
	m := frame.Message{Type: byte(w.r.Uint32()), Payload: number}
	for range w.r.IntN(frame.MaxPayload - len(number) + 1) {
		m.Payload = append(m.Payload, []byte{0x7e, 0x7d, 0x5e, byte(w.r.Uint32()), byte(w.r.Uint32())}[w.r.IntN(5)])
	}
	if w.r.IntN(20) == 0 {
		forged := frame.Frame{FromBoard: t == &w.toHost, Kind: frame.Data, Session: uint16(w.r.Uint32()), Message: frame.Message{Payload: m.Payload[:4]}}
		m.Payload = append(m.Payload[:4], forged.Append(nil)...)
	}
	t.sent = append(t.sent, m)
	return m
}

func (w *world) failf(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("cycle %d: "+format, append([]any{w.cycle}, args...)...)
	}
}

// receive checks a message that has come.
func (w *world) receive(t *traffic, m frame.Message) {
	if len(m.Payload) < 4 {
		w.failf("%s: %v was never sent", t.name, m)
		return
	}
	number := int(binary.LittleEndian.Uint32(m.Payload))
	if number < 1 || number > len(t.sent) || t.sent[number-1].String() != m.String() {
		w.failf("%s: %v was never sent", t.name, m)
		return
	}
	if number <= t.received {
		w.failf("%s: message %d comes after message %d", t.name, number, t.received)
		return
	}
	if number != t.received+1 && !t.broken {
		w.failf("%s: message %d comes after message %d, within a session", t.name, number, t.received)
	}
	t.lost += number - t.received - 1
	t.received = number
}

// arrivedUpTo checks that a message that was reported as delivered has come.
func (w *world) arrivedUpTo(t *traffic, number int) {
	if t.received < number {
		w.failf("%s: message %d has arrived, its sender is told, but the last that came is %d", t.name, number, t.received)
	}
	t.settled = number
}

// before sets the inputs of a cycle.
func (w *world) before() {
	w.in = link.In{TxReady: w.cycle%w.pace == 0, RecvReady: w.r.Float64() >= w.busy}
	if w.restarts > 0 && !*w.quiet {
		switch x := w.r.Float64(); {
		case x < w.restarts/2:
			w.hosts++
			w.start()
			w.toHost.broken, w.toBoard.broken = true, true
			w.toBoard.settled = len(w.toBoard.sent)
			if w.r.IntN(2) == 0 {
				w.wire = nil // the system drops what it had buffered
			}
		case x < w.restarts:
			w.resets++
			w.in.Rst = true
			w.toHost.broken, w.toBoard.broken = true, true
			w.toHost.offered = nil
		}
	}

	// The host's program, and its bytes.
	if len(w.toBoard.sent) < w.limit() && len(w.toBoard.sent) < w.toBoard.settled+3 && w.r.Float64() < w.gap {
		if err := w.host.Send(w.message(&w.toBoard)); err != nil {
			w.failf("%v", err)
		}
	}
	w.wire = append(w.wire, w.host.Transmit(w.now())...)
	if w.cycle%w.pace == 0 && len(w.wire) > 0 {
		w.arrived = append(w.arrived, w.plan.toBoard(w.wire[0])...)
		w.wire = w.wire[1:]
	}
	if len(w.arrived) > 0 {
		w.in.RxValid, w.in.RxData = true, w.arrived[0]
		w.arrived = w.arrived[1:]
	}

	// The logic of the board at the link's ports.
	if t := &w.toHost; t.offered == nil && len(t.sent) < w.limit() && w.r.Float64() < w.gap {
		m := w.message(t)
		t.offered = &m
	}
	if w.toHost.offered != nil {
		w.in.Send(*w.toHost.offered)
	}
}

// after checks the outputs of a cycle.
func (w *world) after(out link.Out) {
	w.out = out
	if w.in.TxReady && out.TxValid {
		w.host.Receive(w.now(), w.plan.toHost(out.TxData))
	}
	if out.Damaged {
		w.damaged++
	}
	if out.Opened {
		w.taken = false
		w.toHost.broken = true
	}
	if out.SendReady && w.taken && !w.in.Rst { // the last one has been acknowledged
		w.taken = false
		last := len(w.toHost.sent)
		if w.toHost.offered != nil {
			last--
		}
		w.arrivedUpTo(&w.toHost, last)
	}
	if w.in.SendValid && out.SendReady && !w.in.Rst {
		w.taken, w.toHost.offered = true, nil
	}
	if w.in.Rst {
		w.taken = false
	}
	if out.RecvValid && w.in.RecvReady && !w.in.Rst {
		w.receive(&w.toBoard, out.Message())
	}
	for e, ok := w.host.Next(); ok; e, ok = w.host.Next() {
		switch e.Kind {
		case frame.Opened:
			w.toBoard.broken, w.toHost.broken = true, true
		case frame.Lost:
			w.toBoard.broken, w.toHost.broken = true, true
			w.toBoard.settled++
		case frame.Received:
			w.receive(&w.toHost, e.Message)
		case frame.Delivered:
			// The board may not have taken it from the port yet.
			number := int(binary.LittleEndian.Uint32(e.Message.Payload))
			if out.RecvValid && out.Message().String() == e.Message.String() {
				w.toBoard.settled = number
			} else {
				w.arrivedUpTo(&w.toBoard, number)
			}
		}
	}
	w.cycle++
	if w.quiet != nil && len(w.toBoard.sent) >= w.limit() && len(w.toHost.sent) >= w.limit() {
		*w.quiet = true
	}
}

// limit returns how many messages may be sent. If sessions end, the last ten are kept until the
// line is quiet, as messages under way may be lost with the session.
func (w *world) limit() int {
	if w.restarts > 0 && !*w.quiet {
		return w.messages - 10
	}
	return w.messages
}

// done reports whether all messages have come that can.
func (w *world) done() bool {
	return w.toBoard.received == w.messages && w.toHost.received == w.messages
}

// run runs the world until all messages have come, for at most so many cycles.
func (w *world) run(cycles int, board func(link.In) (link.Out, error)) error {
	for end := w.cycle + cycles; w.err == nil && !w.done(); {
		if w.cycle == end {
			w.failf("stuck: of %d messages %d came to the board and %d to the host; host up: %v, board: open %v, up %v",
				w.messages, w.toBoard.received, w.toHost.received, w.host.Up(w.now()), w.out.Open, w.out.Up)
			break
		}
		w.before()
		out, err := board(w.in)
		if err != nil {
			return err
		}
		w.after(out)
	}
	return w.err
}
