package blocks

import (
	"fmt"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	sensing "github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/rtl/board/touch"
	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/rtl/link/frame"
	"github.com/cosimate/cosimate/rtl/link/message"
	"github.com/cosimate/cosimate/rtl/movelink/pair"
	"github.com/cosimate/cosimate/rtl/uart/serial"
	"github.com/cosimate/cosimate/vectors"
)

// visitor is what is around a board in a vector: pieces on its sensors, somebody who looks at its
// LEDs, and a PC at both links.
type visitor struct {
	s *vectors.Session[sensing.In, sensing.Out]
	p sensing.Params

	seated bool   // there are sensors
	pieces uint64 // on them
	due    uint64 // the squares of the position that was loaded last
	lit    uint64 // LEDs that were on since somebody looks

	host    *frame.Host // nil: nobody is there
	opened  bool        // there is a session
	session uint16
	rx      serial.Sender
	tx      serial.Listener
	movesTx serial.Listener
	decoder pair.Decoder

	// What the board has told.
	ply     uint16 // of the move that is due
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

func newVisitor(s *vectors.Session[sensing.In, sensing.Out]) *visitor {
	start := engine.StartPosition()
	p := boardParams(s.Params)
	line := serial.Listener{Divisor: p.Divisor}
	return &visitor{s: s, p: p, due: touch.Occupied(&start), rx: serial.Sender{Divisor: p.Divisor}, tx: line, movesTx: line}
}

// watch is told of each cycle, and sets inputs of the next.
func (v *visitor) watch(in sensing.In, out sensing.Out) {
	if v.seated {
		v.s.In.SenseN = v.pieces>>out.Select&1 == 0
	}
	if out.Led {
		v.lit |= 1 << out.Select
	}
	if !in.RstN {
		v.ply = 0
	}
	if b, ok := v.movesTx.Listen(out.MovesTx); ok {
		if m, ok := v.decoder.Byte(b); ok {
			v.sent = append(v.sent, m)
		}
	}
	b, ok := v.tx.Listen(out.Tx)
	if v.host == nil {
		return
	}
	now := time.Duration(v.s.Cycle())
	if ok {
		v.host.Receive(now, []byte{b})
		for e, ok := v.host.Next(); ok; e, ok = v.host.Next() {
			switch e.Kind {
			case frame.Opened:
				v.opened = true
			case frame.Received:
				v.told(e.Message)
			}
		}
	}
	if v.rx.Idle() {
		v.rx.Send(v.host.Transmit(now)...)
	}
	if !v.rx.Idle() {
		v.s.In.Rx = v.rx.Line()
	}
}

// told takes a message of the board.
func (v *visitor) told(m frame.Message) {
	any, err := message.Decode(m)
	if err != nil {
		return // the board's messages are compared as bits
	}
	switch m := any.(type) {
	case message.Move:
		v.moves, v.ply = append(v.moves, m), max(v.ply, m.Ply+1)
	case message.Answer:
		v.answer = &m
	case message.Restore:
		v.restore = &m
	case message.Clock:
		v.clock = &m
	case message.Result:
		v.result = &m
	case message.Draw:
		v.offer = &m
	case message.State:
		v.state = &m
	case message.Squares:
		v.squares = &m
	}
}

// resetLasts is for how long, at most, the board hears nothing after its reset was let go.
const resetLasts = 20

// dial starts the PC's program: a session begins.
func (v *visitor) dial() error {
	if err := v.s.Wait(resetLasts); err != nil {
		return err
	}
	retry := time.Duration(v.p.RetryCycles)
	v.host = frame.NewHost(frame.Options{
		Retry: retry, Ping: 20 * retry, Silence: time.Duration(v.p.SilenceCycles),
		Session: func() uint16 { v.session++; return v.session },
	}, time.Duration(v.s.Cycle()))
	v.rx = serial.Sender{Divisor: v.p.Divisor}
	v.opened, v.moves, v.clock, v.restore, v.result, v.offer = false, nil, &message.Clock{}, &message.Restore{}, nil, nil
	return v.await("no session begins", func() bool { return v.opened })
}

// dialed makes sure that the PC is there.
func (v *visitor) dialed() error {
	if v.host != nil {
		return nil
	}
	return v.dial()
}

// there complains if nobody hears what the board tells.
func (v *visitor) there() error {
	if v.host == nil {
		return fmt.Errorf("nobody hears the board: write \"dial\" before what it is to tell")
	}
	return nil
}

// patience is for how many scans something is waited for.
const patience = 40

// await waits until something is so.
func (v *visitor) await(what string, so func() bool) error {
	if so() {
		return nil
	}
	end := v.s.Cycle() + uint64(patience*v.p.Scanner().Period())
	err := v.s.Until(what, func(sensing.Out) bool { return so() || v.s.Cycle() > end })
	if err == nil && !so() {
		err = fmt.Errorf("%s in %d scans", what, patience)
	}
	return err
}

func (v *visitor) scans(n int) error { return v.s.Wait(n * v.p.Scanner().Period()) }

// rest leaves the board as it is until it is decided on: what is left of a scan, two that agree,
// those for which they stay.
func (v *visitor) rest() error { return v.scans(v.p.StableScans + 3) }

// ask sends a message and waits for its answer.
func (v *visitor) ask(messages ...any) error {
	if err := v.dialed(); err != nil {
		return err
	}
	v.answer = nil
	for _, m := range messages {
		if err := v.host.Send(message.Encode(m)); err != nil {
			return err
		}
	}
	return v.await("no answer comes", func() bool { return v.answer != nil })
}

// demand is ask for what must not be refused.
func (v *visitor) demand(messages ...any) error {
	err := v.ask(messages...)
	if err == nil && v.answer.Reason != 0 {
		err = fmt.Errorf("the board refuses it: %s", v.reason())
	}
	return err
}

// reason is that of the last answer, in words.
func (v *visitor) reason() string {
	switch a := v.answer; {
	case a.Reason == 31:
		return "it knows no such message"
	case a.To == message.Type(message.Time{}):
		return clock.Error(a.Reason).String()
	default:
		return rules.Reason(a.Reason).String()
	}
}

// saw is what the board has told last about what stands on it.
func (v *visitor) saw() string {
	switch {
	case v.restore == nil:
		return "the board has told nothing"
	case *v.restore == message.Restore{}:
		return "the board has told that all is well"
	}
	return fmt.Sprintf("the board has told: %v, to be put right: %s", rules.Reason(v.restore.Reason), block.FormatSquares(v.restore.Squares))
}

// touch lifts or places pieces.
func (v *visitor) touch(fill bool, squares []any) error {
	v.seated = true
	for i, x := range squares {
		bit := uint64(1) << x.(engine.Square)
		if v.pieces&bit != 0 == fill {
			return block.WrongArg(i, "%v is %s already", x, map[bool]string{true: "occupied", false: "empty"}[fill])
		}
		v.pieces ^= bit
	}
	if fill {
		return v.rest()
	}
	return v.scans(3) // enough to be seen
}

// hold holds what is set of the buttons until it counts, and lets it go.
func (v *visitor) hold(set, clear func(in *sensing.In)) error {
	settle := v.p.ButtonCycles + 6
	set(&v.s.In)
	if err := v.s.Wait(settle); err != nil {
		return err
	}
	clear(&v.s.In)
	return v.s.Wait(settle)
}
