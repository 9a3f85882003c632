package board

import (
	"fmt"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/board/touch"
	"github.com/cosimate/cosimate/rtl/clock/codes"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/rtl/link/frame"
	"github.com/cosimate/cosimate/rtl/link/message"
	"github.com/cosimate/cosimate/rtl/movelink/pair"
	"github.com/cosimate/cosimate/rtl/uart/serial"
	"github.com/cosimate/cosimate/vectors"
)

// environment is what is around the board in a vector: pieces on its sensors, an observer of its
// LEDs, and a PC at both links.
type environment struct {
	s *vectors.Session[In, Out]
	p Params

	sensing bool   // pieces decide what the sensors say; until then the vector does
	pieces  uint64 // the occupied squares
	setUp   uint64 // the squares of the position that was loaded last
	lit     uint64 // LEDs that were on since this was set to 0

	host    *frame.Host // the PC's end of the framed link; nil: there is none
	opened  bool        // a session has begun
	session uint16
	rx      serial.Sender
	tx      serial.Listener
	movesTx serial.Listener
	decoder pair.Decoder

	// What has come from the board.
	ply     uint16 // of the next move
	moves   []message.Move
	sent    []pair.Move // over the published link
	answer  *message.Answer
	restore *message.Restore
	clock   *message.Clock
	result  *message.Result
	offer   *message.Draw
	state   *message.State
	squares *message.Squares
}

func newEnvironment(s *vectors.Session[In, Out]) *environment {
	start := engine.StartPosition()
	p := paramsOf(s.Params)
	line := serial.Listener{Divisor: p.Divisor}
	return &environment{s: s, p: p, setUp: touch.Occupied(&start), rx: serial.Sender{Divisor: p.Divisor}, tx: line, movesTx: line}
}

// watch looks at a cycle, and sets inputs of the next.
func (e *environment) watch(in In, out Out) {
	if e.sensing {
		e.s.In.SenseN = e.pieces>>out.Select&1 == 0
	}
	if out.Led {
		e.lit |= 1 << out.Select
	}
	if !in.RstN {
		e.ply = 0
	}
	if b, ok := e.movesTx.Listen(out.MovesTx); ok {
		if m, ok := e.decoder.Byte(b); ok {
			e.sent = append(e.sent, m)
		}
	}
	b, ok := e.tx.Listen(out.Tx)
	if e.host == nil {
		return
	}
	now := time.Duration(e.s.Cycle())
	if ok {
		e.host.Receive(now, []byte{b})
		for event, ok := e.host.Next(); ok; event, ok = e.host.Next() {
			switch event.Kind {
			case frame.Opened:
				e.opened = true
			case frame.Received:
				e.receive(event.Message)
			}
		}
	}
	if e.rx.Idle() {
		e.rx.Send(e.host.Transmit(now)...)
	}
	if !e.rx.Idle() {
		e.s.In.Rx = e.rx.Line()
	}
}

// receive keeps a message of the board.
func (e *environment) receive(m frame.Message) {
	decoded, err := message.Decode(m)
	if err != nil {
		return // the board's messages are compared as bits
	}
	switch m := decoded.(type) {
	case message.Move:
		e.moves, e.ply = append(e.moves, m), max(e.ply, m.Ply+1)
	case message.Answer:
		e.answer = &m
	case message.Restore:
		e.restore = &m
	case message.Clock:
		e.clock = &m
	case message.Result:
		e.result = &m
	case message.Draw:
		e.offer = &m
	case message.State:
		e.state = &m
	case message.Squares:
		e.squares = &m
	}
}

// resetLasts is for how many cycles, at most, the board ignores its lines after its reset was let
// go.
const resetLasts = 20

// dial starts the PC's program: a session begins.
func (e *environment) dial() error {
	if err := e.s.Wait(resetLasts); err != nil {
		return err
	}
	retry := time.Duration(e.p.RetryCycles)
	e.host = frame.NewHost(frame.Options{
		Retry: retry, Ping: 20 * retry, Silence: time.Duration(e.p.SilenceCycles),
		Session: func() uint16 { e.session++; return e.session },
	}, time.Duration(e.s.Cycle()))
	e.rx = serial.Sender{Divisor: e.p.Divisor}
	e.opened, e.moves, e.clock, e.restore, e.result, e.offer = false, nil, &message.Clock{}, &message.Restore{}, nil, nil
	return e.await("no session begins", func() bool { return e.opened })
}

// connect begins a session unless there is one.
func (e *environment) connect() error {
	if e.host != nil {
		return nil
	}
	return e.dial()
}

// connected returns an error unless the PC receives what the board sends.
func (e *environment) connected() error {
	if e.host == nil {
		return fmt.Errorf("nobody hears the board: write \"dial\" before what it is to tell")
	}
	return nil
}

// awaitScans is for how many scans a statement waits.
const awaitScans = 40

// await waits until done. What says what is missing if that does not come.
func (e *environment) await(what string, done func() bool) error {
	if done() {
		return nil
	}
	end := e.s.Cycle() + uint64(awaitScans*e.p.Scanner().Period())
	err := e.s.Until(what, func(Out) bool { return done() || e.s.Cycle() > end })
	if err == nil && !done() {
		err = fmt.Errorf("%s in %d scans", what, awaitScans)
	}
	return err
}

func (e *environment) scans(n int) error { return e.s.Wait(n * e.p.Scanner().Period()) }

// settle leaves the pieces as they are until the board decides on them: for the rest of a scan, two
// scans that agree, and those for which a reading must stay.
func (e *environment) settle() error { return e.scans(e.p.StableScans + 3) }

// request sends a message, which may have parts, and waits for its answer.
func (e *environment) request(messages ...any) error {
	if err := e.connect(); err != nil {
		return err
	}
	e.answer = nil
	for _, m := range messages {
		if err := e.host.Send(message.Encode(m)); err != nil {
			return err
		}
	}
	return e.await("no answer comes", func() bool { return e.answer != nil })
}

// command sends a request that must not be refused.
func (e *environment) command(messages ...any) error {
	err := e.request(messages...)
	if err == nil && e.answer.Reason != 0 {
		err = fmt.Errorf("the board refuses it: %s", e.reason())
	}
	return err
}

// reason returns the reason of the last answer in words.
func (e *environment) reason() string {
	switch a := e.answer; {
	case a.Reason == 31:
		return "it knows no such message"
	case a.To == message.Type(message.Time{}):
		return codes.Error(a.Reason).String()
	default:
		return rules.Reason(a.Reason).String()
	}
}

// lastRestore returns in words what the board last sent about squares to be put right.
func (e *environment) lastRestore() string {
	switch {
	case e.restore == nil:
		return "the board has told nothing"
	case *e.restore == message.Restore{}:
		return "the board has told that all is well"
	}
	return fmt.Sprintf("the board has told: %v, to be put right: %s", rules.Reason(e.restore.Reason), block.FormatSquares(e.restore.Squares))
}

// touch lifts or places pieces.
func (e *environment) touch(fill bool, squares []any) error {
	e.sensing = true
	for i, x := range squares {
		bit := uint64(1) << x.(engine.Square)
		if e.pieces&bit != 0 == fill {
			return block.WrongArg(i, "%v is %s already", x, map[bool]string{true: "occupied", false: "empty"}[fill])
		}
		e.pieces ^= bit
	}
	if fill {
		return e.settle()
	}
	return e.scans(3) // enough to be seen
}

// hold presses buttons until they count, and lets them go.
func (e *environment) hold(set, clear func(in *In)) error {
	cycles := e.p.ButtonCycles + 6
	set(&e.s.In)
	if err := e.s.Wait(cycles); err != nil {
		return err
	}
	clear(&e.s.In)
	return e.s.Wait(cycles)
}
