package board_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/rtl/board/bench"
	"github.com/cosimate/cosimate/rtl/board/matrix"
	"github.com/cosimate/cosimate/rtl/board/touch"
	"github.com/cosimate/cosimate/rtl/link/frame"
	"github.com/cosimate/cosimate/rtl/link/message"
	"github.com/cosimate/cosimate/rtl/movelink/pair"
	"github.com/cosimate/cosimate/rtl/uart/serial"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/sim"
)

// world is what is around a board: sensors that bounce, a hand without much sense, a PC at both
// ends of a bad line, and somebody who presses buttons. It plays against the model; as the RTL does
// the same, what it did is a stimulus for that.
type world struct {
	p       board.Params
	r       *rand.Rand
	m       *board.Model
	sensors *matrix.Sensors
	in      []board.In
	now     board.In
	out     board.Out

	touches []touch.Action // that the hand is about to do
	until   int            // the cycle in which it does the next
	host    *frame.Host
	deaf    bool // it hears nothing
	session uint16
	bytes   []byte // on their way to the board
	bits    []bool // of the one that is on its way
	phase   int
	framed  serial.Listener
	lines   []uint8 // values that the parallel lines are to have
	states  map[validity.State]int
	answers map[uint8]int // reasons that the host was told
	mail    map[string]int
	resets  int
	moves   int
	pawns   int // that were promoted
}

func newWorld(p board.Params, r *rand.Rand) *world {
	w := &world{
		p: p, r: r, m: board.NewModel(p), sensors: matrix.NewSensors(bench.Noisy(p), r.Uint64()),
		framed: serial.Listener{Divisor: p.Divisor}, states: map[validity.State]int{}, answers: map[uint8]int{}, mail: map[string]int{},
	}
	w.now = board.In{RstN: true, Rx: true}
	start := engine.StartPosition()
	w.sensors.Set(touch.Occupied(&start))
	w.dial()
	return w
}

// dial starts the PC's program anew.
func (w *world) dial() {
	retry := time.Duration(w.p.RetryCycles)
	w.host = frame.NewHost(frame.Options{
		Retry: retry, Ping: 4 * retry, Silence: time.Duration(w.p.SilenceCycles),
		Session: func() uint16 { w.session++; return w.session },
	}, w.time())
}

// time is the PC's: a cycle is a nanosecond.
func (w *world) time() time.Duration { return time.Duration(len(w.in)) }

// step is one cycle.
func (w *world) step() {
	w.now.SenseN = w.sensors.Step(w.out.Select)
	w.now.Rx = w.line()
	w.in = append(w.in, w.now)
	w.out = w.m.Step(w.now)
	if b, ok := w.framed.Listen(w.out.Tx); ok && !w.deaf {
		w.host.Receive(w.time(), []byte{b})
		for e, ok := w.host.Next(); ok; e, ok = w.host.Next() {
			if e.Kind != frame.Received {
				continue
			}
			v, err := message.Decode(e.Message)
			if err != nil {
				panic(err) // of the model
			}
			w.mail[fmt.Sprintf("%T", v)]++
			if a, ok := v.(message.Answer); ok {
				w.answers[a.Reason]++
			}
			if m, ok := v.(message.Move); ok {
				w.moves++
				if m.Promotion != 0 {
					w.pawns++
				}
			}
		}
	}
}

// line is the level of the serial line in the coming cycle.
func (w *world) line() bool {
	if len(w.bits) == 0 && len(w.bytes) == 0 {
		w.bytes = append(w.bytes, w.host.Transmit(w.time())...)
	}
	if len(w.bits) == 0 && len(w.bytes) > 0 {
		b := w.bytes[0]
		w.bytes = w.bytes[1:]
		w.bits = append(w.bits, false)
		for i := range 8 {
			w.bits = append(w.bits, b>>i&1 != 0)
		}
		w.bits = append(w.bits, true)
	}
	if len(w.bits) == 0 {
		return true
	}
	level := w.bits[0]
	if w.phase++; w.phase == w.p.Divisor {
		w.phase, w.bits = 0, w.bits[1:]
	}
	return level
}

func (w *world) one(chance int) bool { return w.r.IntN(chance) == 0 }

// play is so many cycles of all this.
func (w *world) play(cycles int) {
	scan := w.p.Scanner().Period()
	for range cycles {
		w.step()
		if len(w.in) >= w.until {
			w.hand(scan)
		}
		if w.one(scan) {
			w.pc()
		}
		if len(w.lines) > 0 && w.one(w.p.LinesCycles+2) {
			w.now.Lines, w.lines = w.lines[0], w.lines[1:]
		}
		if w.one(scan) {
			w.press()
		}
		if w.one(4000) && len(w.bytes) > 0 { // a bad line
			w.bytes[0] ^= 1 << w.r.IntN(8)
		}
		switch {
		case !w.now.RstN:
			w.now.RstN = w.one(4)
		case w.one(150 * scan):
			w.now.RstN = false
			w.resets++
		}
		if len(w.in)%97 == 0 {
			state, _ := w.m.State()
			w.states[state]++
		}
	}
}

// hand lifts and places pieces: legal moves mostly, in any order, and what somebody does who is not
// looking.
func (w *world) hand(scan int) {
	w.until = len(w.in) + w.r.IntN(2*scan)
	if len(w.touches) > 0 {
		t := w.touches[0]
		w.touches = w.touches[1:]
		if t.Place {
			w.sensors.Place(int(t.Square))
		} else {
			w.sensors.Lift(int(t.Square))
		}
		w.until += (w.p.StableScans + w.r.IntN(3)) * scan
		return
	}
	p := w.m.Position()
	legal := p.AppendMoves(nil)
	state, _ := w.m.State()
	switch {
	case state == validity.Over && w.one(6):
		w.load()
	case state == validity.Promotion: // the buttons' turn
	case state != validity.Turn && !w.one(4): // all as it should be
		w.sensors.Set(touch.Occupied(&p))
		w.until += (w.p.StableScans + 3) * scan
	case len(legal) > 0 && !w.one(8):
		m := legal[w.r.IntN(len(legal))]
		for range 5 { // what is special is played more often than by chance
			if other := legal[w.r.IntN(len(legal))]; other.Castling || other.EnPassant || other.Promotion != engine.NoPiece {
				m = other
			}
		}
		if m, ok := w.m.Shown(); ok && !w.one(6) { // what the LEDs show
			for _, l := range legal {
				if l.From == m.From && l.To == m.To {
					w.touches = append(w.touches, touch.Orders(l)[0]...)
				}
			}
			break
		}
		orders := touch.Orders(m)
		w.touches = append(w.touches, orders[w.r.IntN(len(orders))]...)
		if w.one(10) {
			w.touches = w.touches[:len(w.touches)-1]
		}
	case w.one(2):
		w.sensors.Lift(w.r.IntN(64))
	default:
		w.sensors.Place(w.r.IntN(64))
	}
}

// load gives the board a position, and puts its pieces so.
func (w *world) load() {
	p := engine.StartPosition()
	if w.one(2) {
		p = rich[w.r.IntN(len(rich))]
	}
	for range w.r.IntN(12) {
		legal := p.AppendMoves(nil)
		if len(legal) == 0 {
			break
		}
		p = p.Make(legal[w.r.IntN(len(legal))])
	}
	state, squares := message.Position(&p)
	w.send(state)
	w.send(squares)
	if !w.one(4) {
		w.sensors.Set(touch.Occupied(&p))
	}
}

// rich are positions with many kinds of moves, or nearly at the end.
var rich = []engine.Position{
	position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
	position("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"),
	position("rnbqkb1r/ppppp1pp/7n/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"),
	position("7k/8/5KQ1/8/8/8/8/8 w - - 97 80"),
	position("8/8/8/8/8/4k3/4p3/4K3 b - - 0 60"),
}

func position(fen string) engine.Position {
	p, err := engine.ParseFEN(fen)
	if err != nil {
		panic(err)
	}
	return p
}

func (w *world) send(v any) {
	if err := w.host.Send(message.Encode(v)); err != nil {
		panic(err) // no message is too long
	}
}

// pc is something that a PC may say.
func (w *world) pc() {
	p := w.m.Position()
	legal := p.AppendMoves(nil)
	move := message.Move{Ply: message.Ply(&p), From: uint8(w.r.IntN(64)), To: uint8(w.r.IntN(64)), Promotion: uint8(w.r.IntN(8))}
	if len(legal) > 0 && !w.one(4) {
		m := legal[w.r.IntN(len(legal))]
		move.From, move.To, move.Promotion = uint8(m.From), uint8(m.To), uint8(m.Promotion)
	}
	if w.one(8) {
		move.Ply++
	}
	switch w.r.IntN(24) {
	case 0, 1, 2, 3, 4:
		w.send(move)
	case 5, 6, 7:
		w.send(message.Replay(move))
	case 8, 9, 10, 11:
		t := message.Time{
			Command: uint8(w.r.IntN(8)), Side: uint8(w.r.IntN(2)), Control: uint8(w.r.IntN(4)), Increment: uint8(w.r.IntN(3) + 16*w.r.IntN(2)),
			Left: uint32(w.r.IntN(4) + 1),
		}
		if w.one(10) {
			t.Increment, t.Left = uint8(w.r.IntN(256)), uint32(w.r.IntN(1<<20))
		}
		w.send(t)
	case 12, 13:
		w.send(message.Request{})
	case 14, 15:
		w.send(message.Players{Remote: uint8(w.r.IntN(4) & w.r.IntN(4) & w.r.IntN(4))})
	case 16:
		w.send(message.Draw{Side: uint8(w.r.IntN(2)), Claim: uint8(w.r.IntN(2))})
	case 17:
		if w.one(6) {
			w.send(message.Resign{Side: uint8(w.r.IntN(2))})
		}
	case 18: // what no board knows
		w.host.Send(frame.Message{Type: uint8(w.r.IntN(16)), Payload: make([]byte, w.r.IntN(4))})
	case 19:
		if w.one(4) {
			w.dial()
		} else {
			w.load()
		}
	case 20:
		w.load()
	case 21: // Squares without a State
		_, squares := message.Position(&p)
		w.send(squares)
	default:
		l := pair.Move{From: move.From, To: move.To}.Lines()
		w.lines = append(w.lines, l[0], l[1])
	}
}

// press is something that happens to the buttons and switches.
func (w *world) press() {
	switch w.r.IntN(6) {
	case 0:
		w.now.Clock = !w.now.Clock
	case 1, 2:
		w.now.Promotion = uint8(1 << w.r.IntN(4))
	case 3:
		w.now.Promotion = uint8(w.r.IntN(16))
	case 4:
		w.now.LinesPlay = uint8(w.r.IntN(4) & w.r.IntN(4) & w.r.IntN(4))
	case 5:
		w.now.Promotion = 0
	}
}

// odd are times that no other test has.
var odd = board.Params{
	ClockHz: 50_000, SettleCycles: 3, HoldCycles: 2, IdleCycles: 100, BlinkPhases: 1, IllegalScans: 1, StableScans: 1, CastlingScans: 3,
	QuestionCycles: 300, Divisor: 5, RetryCycles: 3000, SilenceCycles: 20_000, LinesCycles: 7, ButtonCycles: 1,
}

// Whatever happens around the board, in whatever cycle: each pin is in each cycle what the model
// says.
func TestModel(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name              string
		p                 board.Params
		verilator, icarus int // cycles
	}{{"quick", quick, 200_000, 6000}, {"scaled", board.Scaled, 100_000, 2000}}
	if *deep {
		for i := range cases {
			cases[i].verilator, cases[i].icarus = 4_000_000, 60_000
		}
		cases = append(cases, cases[0])
		last := &cases[2]
		last.name, last.p = "odd", odd
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(c.p, seeded(50))
			w.play(c.verilator)
			if err := w.m.Err(); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d cycles: the PC was told of %d moves, %d promotions; states %v, messages %v, answers %v, %d resets",
				len(w.in), w.moves, w.pawns, w.states, w.mail, w.answers, w.resets)
			sim.ForEach(t, c.p.Design(), func(t *testing.T, d *dut) {
				in := w.in
				if d.Simulator() == sim.Icarus {
					in = in[:c.icarus]
				}
				sim.Check(t, d, board.NewModel(c.p), slices.Values(in))
			})
		})
	}
}

func BenchmarkModel(b *testing.B) {
	w := newWorld(board.Scaled, seeded(51))
	w.play(300_000)
	m := board.NewModel(board.Scaled)
	for i := 0; b.Loop(); i++ {
		m.Step(w.in[i%len(w.in)])
	}
}
