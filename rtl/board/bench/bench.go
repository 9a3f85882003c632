// Package bench is the testbench of the complete board. Around the circuit it has what a player
// has: pieces over sensors that bounce, LEDs seen by eye, buttons, and a PC at the other end of the
// links.
//
//	b, err := bench.New(dut, board.Scaled, bench.Noisy(board.Scaled), seed)
//	b.SetUp(engine.StartPosition())
//	for _, action := range touch.Orders(move)[0] {
//		b.Touch(action)
//		b.Scans(3)
//	}
//	m, err := bench.Await[message.Move](b, 20)
//
// It reads nothing of the circuit but its pins. A Bench is not safe for concurrent use.
package bench

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/rtl/board/matrix"
	"github.com/cosimate/cosimate/rtl/board/touch"
	"github.com/cosimate/cosimate/rtl/leds"
	"github.com/cosimate/cosimate/rtl/link/frame"
	"github.com/cosimate/cosimate/rtl/link/message"
	"github.com/cosimate/cosimate/rtl/movelink/pair"
	"github.com/cosimate/cosimate/rtl/uart/serial"
	"github.com/cosimate/cosimate/sim"
)

// Bench is a board with a player and a PC.
type Bench struct {
	Params  board.Params
	Sensors *matrix.Sensors
	LEDs    *matrix.Observer
	In      board.In  // pins that a test may set: buttons, switches, lines, reset
	Out     board.Out // pins in the last cycle
	// Published are the moves that came over the published link. A test may clear them.
	Published []pair.Move
	// Unexpected says in words what came over the links and should not have.
	Unexpected []string
	// Noise is the probability that a byte of the framed link is lost, changed or doubled.
	Noise float64
	// Trace is called with each event in words, for messages of failures. It may be nil.
	Trace func(string)

	r       *rand.Rand
	dut     *sim.DUT[board.In, board.Out]
	cycle   int
	host    *frame.Host
	inbox   []any // messages that have come
	pending int   // messages sent that have not arrived
	sender  serial.Sender
	framed  serial.Listener
	moves   serial.Listener
	decoder pair.Decoder
	session uint16
}

// Noisy returns sensors that are just as good as the time constants p expect. They take their time
// to power up, bounce for one scan, and are disturbed now and then.
func Noisy(p board.Params) matrix.Physics {
	period := p.Scanner().Period()
	return matrix.Physics{
		PowerCycles: p.SettleCycles - 1, BounceCycles: period, GlitchEvery: 5 * period, GlitchCycles: max(1, p.HoldCycles/2),
		Crosstalk: 0.25,
	}
}

// New returns a bench with the board dut, whose parameters are p. It has reset the board and opened
// a session of the framed link. What is random follows from the seed.
func New(dut *sim.DUT[board.In, board.Out], p board.Params, sensors matrix.Physics, seed uint64) (*Bench, error) {
	b := &Bench{
		Params: p, Sensors: matrix.NewSensors(sensors, seed), dut: dut, r: rand.New(rand.NewPCG(seed, 1)),
		LEDs:   matrix.NewObserver(p.Scanner().Period(), 2*p.BlinkPhases+1),
		sender: serial.Sender{Divisor: p.Divisor}, framed: serial.Listener{Divisor: p.Divisor}, moves: serial.Listener{Divisor: p.Divisor},
	}
	b.In = board.In{RstN: true}
	if err := b.Reset(); err != nil {
		return nil, err
	}
	b.Connect()
	return b, nil
}

// Reset holds the reset button for 32 cycles and waits for 32 more.
func (b *Bench) Reset() error {
	b.In.RstN = false
	err := b.Run(32)
	b.In.RstN = true
	return errors.Join(err, b.Run(32))
}

// Connect starts the PC's program anew, with a new session of the framed link. Messages that have
// not been taken are lost.
func (b *Bench) Connect() {
	retry := time.Duration(b.Params.RetryCycles)
	b.host = frame.NewHost(frame.Options{
		Retry: retry, Ping: 10 * retry, Silence: time.Duration(b.Params.SilenceCycles),
		Session: func() uint16 { b.session++; return b.session },
	}, b.now())
	b.inbox, b.pending = nil, 0
}

// now returns the PC's time. A cycle is a nanosecond.
func (b *Bench) now() time.Duration { return time.Duration(b.cycle) }

// Cycle returns how many cycles have been played.
func (b *Bench) Cycle() int { return b.cycle }

// Run plays so many cycles.
func (b *Bench) Run(cycles int) error {
	for range cycles {
		if err := b.step(); err != nil {
			return err
		}
	}
	return nil
}

// Scans plays n scans of the board.
func (b *Bench) Scans(n int) error { return b.Run(n * b.Params.Scanner().Period()) }

// step plays one cycle.
func (b *Bench) step() error {
	b.In.SenseN = b.Sensors.Step(b.Out.Select)
	if b.host != nil && b.sender.Idle() { // the PC's program runs
		for _, c := range b.host.Transmit(b.now()) {
			b.sender.Send(b.disturb(c)...)
		}
	}
	b.In.Rx = b.sender.Line()
	out, err := b.dut.Step(b.In)
	if err != nil {
		return err
	}
	b.Out = out
	b.cycle++
	b.LEDs.Observe(out.Select, out.Led)
	// Before Connect has made the host, the line may end a byte that the reset cut off.
	if c, ok := b.framed.Listen(out.Tx); ok && b.host != nil {
		b.host.Receive(b.now(), b.disturb(c))
		b.events()
	}
	if c, ok := b.moves.Listen(out.MovesTx); ok {
		if m, ok := b.decoder.Byte(c); ok {
			b.Published = append(b.Published, m)
		}
	}
	return nil
}

// disturb returns what arrives of a byte on a line with noise.
func (b *Bench) disturb(c byte) []byte {
	if b.Noise == 0 || b.r.Float64() >= b.Noise {
		return []byte{c}
	}
	switch b.r.IntN(3) {
	case 0:
		return nil
	case 1:
		return []byte{c ^ 1<<b.r.IntN(8)}
	}
	return []byte{c, c}
}

// events takes what has come over the framed link.
func (b *Bench) events() {
	for {
		e, ok := b.host.Next()
		if !ok {
			return
		}
		switch e.Kind {
		case frame.Received:
			v, err := message.Decode(e.Message)
			if err != nil {
				b.Unexpected = append(b.Unexpected, err.Error())
				continue
			}
			b.trace("the board says %T%+v", v, v)
			b.inbox = append(b.inbox, v)
		case frame.Delivered, frame.Lost:
			b.pending--
		}
	}
}

func (b *Bench) trace(format string, args ...any) {
	if b.Trace != nil {
		b.Trace(fmt.Sprintf("cycle %d: ", b.cycle) + fmt.Sprintf(format, args...))
	}
}

// Send sends a message to the board. It does not wait until the message has arrived.
func (b *Bench) Send(v any) error {
	b.trace("the PC says %T%+v", v, v)
	b.pending++
	return b.host.Send(message.Encode(v))
}

// Take returns the messages that have come since the last call.
func (b *Bench) Take() []any {
	messages := b.inbox
	b.inbox = nil
	return messages
}

// repetitions is how often a message may have to be sent on a line with noise. Of the longest
// messages every second try fails where one byte in a hundred is damaged.
const repetitions = 50

// Await waits for a message of type M, for at most that many scans. On a line with noise it waits
// for repetitions besides. Messages of other types that come before it are dropped. It is an error
// if no message of the type comes.
func Await[M any](b *Bench, scans int) (m M, err error) {
	end := b.cycle + scans*b.Params.Scanner().Period()
	if b.Noise > 0 {
		end += repetitions * 2 * b.Params.RetryCycles // the time until a try, and that of the try
	}
	for {
		for len(b.inbox) > 0 {
			v := b.inbox[0]
			b.inbox = b.inbox[1:]
			if m, ok := v.(M); ok {
				return m, nil
			}
		}
		if b.cycle >= end {
			return m, fmt.Errorf("cycle %d: in %d scans%s there came no message %T", b.cycle, scans, b.tries(), m)
		}
		if err := b.Run(16); err != nil {
			return m, err
		}
	}
}

// tries says for how many repetitions Await has waited.
func (b *Bench) tries() string {
	if b.Noise == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d repetitions on a line that damages %g of the bytes", repetitions, b.Noise)
}

// Ask sends a message and waits for its answer: 0 if the board does what it asks for, or the reason
// of the refusal.
func (b *Bench) Ask(v any) (reason uint8, err error) {
	if err := b.Send(v); err != nil {
		return 0, err
	}
	for {
		a, err := Await[message.Answer](b, 20)
		if err != nil {
			return 0, fmt.Errorf("%+v: %w", v, err)
		}
		if a.To == message.Type(v) {
			return a.Reason, nil
		}
		b.Unexpected = append(b.Unexpected, fmt.Sprintf("an answer to %d, which was not asked", a.To))
	}
}

// Demand is like [Bench.Ask]; a refusal is an error.
func (b *Bench) Demand(v any) error {
	reason, err := b.Ask(v)
	if err == nil && reason != 0 {
		err = fmt.Errorf("cycle %d: %T%+v is refused with reason %d", b.cycle, v, v, reason)
	}
	return err
}

// Position asks the board for the position of its game.
func (b *Bench) Position() (s message.State, q message.Squares, err error) {
	if err = b.Send(message.Request{}); err != nil {
		return
	}
	if s, err = Await[message.State](b, 20); err != nil {
		return
	}
	q, err = Await[message.Squares](b, 20)
	return
}

// Load sends the board a position to play from. The pieces stay where they are.
func (b *Bench) Load(p *engine.Position) error {
	s, q := message.Position(p)
	if err := b.Send(s); err != nil {
		return err
	}
	return b.Demand(q)
}

// SetUp begins a game from a position: puts the pieces so, sends it to the board, and waits until
// the board has seen them.
func (b *Bench) SetUp(p *engine.Position) error {
	b.Sensors.Set(touch.Occupied(p))
	return errors.Join(b.Load(p), b.Scans(b.Params.StableScans+4))
}

// Look looks at the LEDs for as long as blinking takes to be seen, and returns what they show.
func (b *Bench) Look() (leds.Show, error) {
	b.LEDs.Reset()
	for {
		if s, ok := b.LEDs.Observed(); ok {
			return leds.Read(s)
		}
		if err := b.Scans(1); err != nil {
			return leds.Show{}, err
		}
	}
}

// Touch lifts or places a piece. No cycle is played.
func (b *Bench) Touch(a touch.Action) {
	b.trace("%v", a)
	if a.Place {
		b.Sensors.Place(int(a.Square))
	} else {
		b.Sensors.Lift(int(a.Square))
	}
}

// Lines gives the board a move over the published parallel lines, which change one after the other.
func (b *Bench) Lines(m pair.Move) error {
	b.trace("the lines say %+v", m)
	for _, value := range m.Lines() {
		for i := range 7 {
			b.In.Lines = b.In.Lines&^(1<<i) | value&(1<<i)
			if err := b.Run(max(1, b.Params.LinesCycles/10)); err != nil {
				return err
			}
		}
		if err := b.Run(2 * b.Params.LinesCycles); err != nil {
			return err
		}
	}
	return nil
}

// Press holds a button for twice the time after which the board takes it for pressed, and releases
// it for as long.
func (b *Bench) Press(button func(in *board.In, on bool)) error {
	button(&b.In, true)
	err := b.Run(2 * b.Params.ButtonCycles)
	button(&b.In, false)
	return errors.Join(err, b.Run(2*b.Params.ButtonCycles))
}
