// Package table is the sensing board with all that is around it, for testbenches: a person's hand
// that lifts and places pieces over sensors that bounce, a person's eye on the LEDs, and a PC at
// the other end of its links.
//
//	t, err := table.New(dut, board.Scaled, table.Noisy(board.Scaled), seed)
//	t.SetUp(engine.StartPosition())
//	for _, touch := range hand.Orders(move)[0] {
//		t.Touch(touch)
//		t.Scans(3)
//	}
//	m, err := t.Await(table.Moved, 20)
//
// Everything it knows of the board it has from the pins. A Table is not safe for concurrent use.
package table

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/rtl/board/hand"
	"github.com/cosimate/cosimate/rtl/board/matrix"
	"github.com/cosimate/cosimate/rtl/leds"
	"github.com/cosimate/cosimate/rtl/link/frame"
	"github.com/cosimate/cosimate/rtl/link/message"
	"github.com/cosimate/cosimate/rtl/movelink/pair"
	"github.com/cosimate/cosimate/rtl/uart/serial"
	"github.com/cosimate/cosimate/sim"
)

// Table is a board with somebody at it.
type Table struct {
	Params  board.Params
	Sensors *matrix.Sensors
	Eye     *matrix.Eye
	In      board.In    // pins that a test may set: buttons, switches, lines, reset
	Out     board.Out   // pins in the cycle done last
	Shown   []pair.Move // moves that came over the published link
	Doubts  []string    // what came over the links and should not have
	// probability with which a byte of the framed link is lost, changed or doubled
	Noise   float64
	Trace   func(string) // if not nil, is told what happens, for messages
	r       *rand.Rand
	dut     *sim.DUT[board.In, board.Out]
	cycle   int
	host    *frame.Host
	mail    []any // messages that have come
	pending int   // messages sent that have not arrived
	sender  serial.Sender
	framed  serial.Listener
	moves   serial.Listener
	decoder pair.Decoder
	session uint16
}

// Noisy is how sensors behave that are as good as the board's time constants expect, and no better:
// they take their time, bounce for a scan, and now and then there is a disturbance.
func Noisy(p board.Params) matrix.Physics {
	period := p.Scanner().Period()
	return matrix.Physics{
		PowerCycles: p.SettleCycles - 1, BounceCycles: period, GlitchEvery: 5 * period, GlitchCycles: max(1, p.HoldCycles/2),
		Crosstalk: 0.25,
	}
}

// New puts the RTL on the table, whose parameters are p, resets it, and opens a session of the
// framed link.
func New(dut *sim.DUT[board.In, board.Out], p board.Params, sensors matrix.Physics, seed uint64) (*Table, error) {
	t := &Table{
		Params: p, Sensors: matrix.NewSensors(sensors, seed), dut: dut, r: rand.New(rand.NewPCG(seed, 1)),
		Eye:    matrix.NewEye(p.Scanner().Period(), 2*p.BlinkPhases+1),
		sender: serial.Sender{Divisor: p.Divisor}, framed: serial.Listener{Divisor: p.Divisor}, moves: serial.Listener{Divisor: p.Divisor},
	}
	t.In = board.In{RstN: true}
	if err := t.Reset(); err != nil {
		return nil, err
	}
	t.Dial()
	return t, nil
}

// Reset presses the reset button.
func (t *Table) Reset() error {
	t.In.RstN = false
	err := t.Run(32)
	t.In.RstN = true
	return errors.Join(err, t.Run(32))
}

// Dial starts the PC's program: a new session.
func (t *Table) Dial() {
	retry := time.Duration(t.Params.RetryCycles)
	t.host = frame.NewHost(frame.Options{
		Retry: retry, Ping: 10 * retry, Silence: time.Duration(t.Params.SilenceCycles),
		Session: func() uint16 { t.session++; return t.session },
	}, t.now())
	t.mail, t.pending = nil, 0
}

// now is the PC's time: a cycle is a nanosecond.
func (t *Table) now() time.Duration { return time.Duration(t.cycle) }

// Cycle is how many cycles there have been.
func (t *Table) Cycle() int { return t.cycle }

// Run lets the board be for so many cycles.
func (t *Table) Run(cycles int) error {
	for range cycles {
		if err := t.step(); err != nil {
			return err
		}
	}
	return nil
}

// Scans lets it be for so many scans of the board.
func (t *Table) Scans(n int) error { return t.Run(n * t.Params.Scanner().Period()) }

func (t *Table) step() error {
	t.In.SenseN = t.Sensors.Step(t.Out.Select)
	if t.host != nil && t.sender.Idle() { // there is a PC
		for _, b := range t.host.Transmit(t.now()) {
			t.sender.Send(t.spoil(b)...)
		}
	}
	t.In.Rx = t.sender.Line()
	out, err := t.dut.Step(t.In)
	if err != nil {
		return err
	}
	t.Out = out
	t.cycle++
	t.Eye.See(out.Select, out.Led)
	// the rest of a byte that a reset cut off comes before Dial
	if b, ok := t.framed.Listen(out.Tx); ok && t.host != nil {
		t.host.Receive(t.now(), t.spoil(b))
		t.events()
	}
	if b, ok := t.moves.Listen(out.MovesTx); ok {
		if m, ok := t.decoder.Byte(b); ok {
			t.Shown = append(t.Shown, m)
		}
	}
	return nil
}

// spoil is what becomes of a byte on a bad line.
func (t *Table) spoil(b byte) []byte {
	if t.Noise == 0 || t.r.Float64() >= t.Noise {
		return []byte{b}
	}
	switch t.r.IntN(3) {
	case 0:
		return nil
	case 1:
		return []byte{b ^ 1<<t.r.IntN(8)}
	}
	return []byte{b, b}
}

// events takes what has come over the framed link.
func (t *Table) events() {
	for {
		e, ok := t.host.Next()
		if !ok {
			return
		}
		switch e.Kind {
		case frame.Received:
			v, err := message.Decode(e.Message)
			if err != nil {
				t.Doubts = append(t.Doubts, err.Error())
				continue
			}
			t.trace("the board says %T%+v", v, v)
			t.mail = append(t.mail, v)
		case frame.Delivered, frame.Lost:
			t.pending--
		}
	}
}

func (t *Table) trace(format string, args ...any) {
	if t.Trace != nil {
		t.Trace(fmt.Sprintf("cycle %d: ", t.cycle) + fmt.Sprintf(format, args...))
	}
}

// Send sends a message to the board.
func (t *Table) Send(v any) error {
	t.trace("the PC says %T%+v", v, v)
	t.pending++
	return t.host.Send(message.Encode(v))
}

// Mail returns the messages that have come, and forgets them.
func (t *Table) Mail() []any {
	mail := t.mail
	t.mail = nil
	return mail
}

// repetitions is how often a message may have to be sent on a bad line. Of the longest, every
// second try fails where a byte in a hundred is damaged.
const repetitions = 50

// Await waits for a message that is of type M, for at most so many scans, and on a bad line for its
// repetitions. Those that come before it are passed over.
func Await[M any](t *Table, scans int) (m M, err error) {
	end := t.cycle + scans*t.Params.Scanner().Period()
	if t.Noise > 0 {
		end += repetitions * 2 * t.Params.RetryCycles // until a try, and for it
	}
	for {
		for len(t.mail) > 0 {
			v := t.mail[0]
			t.mail = t.mail[1:]
			if m, ok := v.(M); ok {
				return m, nil
			}
		}
		if t.cycle >= end {
			return m, fmt.Errorf("cycle %d: in %d scans%s there came no message %T", t.cycle, scans, t.tries(), m)
		}
		if err := t.Run(16); err != nil {
			return m, err
		}
	}
}

// tries says what Await has waited for besides.
func (t *Table) tries() string {
	if t.Noise == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d repetitions on a line that damages %g of the bytes", repetitions, t.Noise)
}

// Ask sends a message and waits for its answer. A refusal is a reason that is not 0.
func (t *Table) Ask(v any) (reason uint8, err error) {
	if err := t.Send(v); err != nil {
		return 0, err
	}
	for {
		a, err := Await[message.Answer](t, 20)
		if err != nil {
			return 0, fmt.Errorf("%+v: %w", v, err)
		}
		if a.To == message.Type(v) {
			return a.Reason, nil
		}
		t.Doubts = append(t.Doubts, fmt.Sprintf("an answer to %d, which was not asked", a.To))
	}
}

// Demand is Ask for what must not be refused.
func (t *Table) Demand(v any) error {
	reason, err := t.Ask(v)
	if err == nil && reason != 0 {
		err = fmt.Errorf("cycle %d: %T%+v is refused with reason %d", t.cycle, v, v, reason)
	}
	return err
}

// Position asks the board where the game is.
func (t *Table) Position() (s message.State, q message.Squares, err error) {
	if err = t.Send(message.Request{}); err != nil {
		return
	}
	if s, err = Await[message.State](t, 20); err != nil {
		return
	}
	q, err = Await[message.Squares](t, 20)
	return
}

// Load gives the board a position to play from, and SetUp puts the pieces so, too.
func (t *Table) Load(p *engine.Position) error {
	s, q := message.Position(p)
	if err := t.Send(s); err != nil {
		return err
	}
	return t.Demand(q)
}

// SetUp begins a game from a position.
func (t *Table) SetUp(p *engine.Position) error {
	t.Sensors.Set(hand.Occupied(p))
	return errors.Join(t.Load(p), t.Scans(t.Params.StableScans+4))
}

// Look is what the eye makes of the LEDs, after it has looked for as long as it takes.
func (t *Table) Look() (leds.Show, error) {
	t.Eye.Forget()
	for {
		if s, ok := t.Eye.Sight(); ok {
			return leds.Read(s)
		}
		if err := t.Scans(1); err != nil {
			return leds.Show{}, err
		}
	}
}

// Touch lifts or places a piece.
func (t *Table) Touch(h hand.Touch) {
	t.trace("%v", h)
	if h.Place {
		t.Sensors.Place(int(h.Square))
	} else {
		t.Sensors.Lift(int(h.Square))
	}
}

// Lines gives the board a move over the published parallel lines, one line after the other.
func (t *Table) Lines(m pair.Move) error {
	t.trace("the lines say %+v", m)
	for _, value := range m.Lines() {
		for i := range 7 {
			t.In.Lines = t.In.Lines&^(1<<i) | value&(1<<i)
			if err := t.Run(max(1, t.Params.LinesCycles/10)); err != nil {
				return err
			}
		}
		if err := t.Run(2 * t.Params.LinesCycles); err != nil {
			return err
		}
	}
	return nil
}

// Press holds a button for long enough.
func (t *Table) Press(button func(in *board.In, on bool)) error {
	button(&t.In, true)
	err := t.Run(2 * t.Params.ButtonCycles)
	button(&t.In, false)
	return errors.Join(err, t.Run(2*t.Params.ButtonCycles))
}
