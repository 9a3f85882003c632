package live

import (
	"fmt"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/clock/codes"
	"github.com/cosimate/cosimate/rtl/link/frame"
	"github.com/cosimate/cosimate/rtl/link/message"
	"github.com/cosimate/cosimate/rtl/movelink/pair"
	"github.com/cosimate/cosimate/rtl/uart/serial"
)

// Line is which of the serial lines something was on.
type Line string

// The serial lines.
const (
	ToBoard   Line = "rx"    // the framed link, from the PC
	FromBoard Line = "tx"    // and to it
	Moves     Line = "moves" // the published link's moves, from the board
)

// Heard is something that went over a serial line.
type Heard struct {
	N     int    `json:"n"` // the first is 1
	Cycle uint64 `json:"cycle"`
	Line  Line   `json:"line"`
	Bytes string `json:"bytes"` // in hexadecimal
	Text  string `json:"text"`
	Bad   bool   `json:"bad,omitempty"`  // it was damaged
	Idle  bool   `json:"idle,omitempty"` // it only keeps the link up
}

// heardMost is how many of them are remembered.
const heardMost = 200

// wires are what a listener on the serial lines hears.
type wires struct {
	heard []Heard
	n     int
	lines [3]tap
	pairs pair.Decoder
}

// tap is a listener on one line.
type tap struct {
	serial.Listener
	frames frame.Decoder
	bytes  []byte
}

func newWires(divisor int) *wires {
	w := &wires{}
	for i := range w.lines {
		w.lines[i].Divisor = divisor
	}
	w.lines[0].frames.AtBoard = true
	return w
}

func (w *wires) fromPC(cycle uint64, level bool) {
	if b, ok := w.lines[0].Listen(level); ok {
		w.frame(cycle, ToBoard, &w.lines[0], b)
	}
}

// fromBoard returns the byte that ends in this cycle, if one does.
func (w *wires) fromBoard(cycle uint64, level bool) (b byte, ok bool) {
	if b, ok = w.lines[1].Listen(level); ok {
		w.frame(cycle, FromBoard, &w.lines[1], b)
	}
	return b, ok
}

// published returns the byte of a move that ends in this cycle, if one does.
func (w *wires) published(cycle uint64, level bool) (b byte, ok bool) {
	t := &w.lines[2]
	if b, ok = t.Listen(level); !ok {
		return b, ok
	}
	t.bytes = append(t.bytes, b)
	if m, ok := w.pairs.Byte(b); ok {
		w.add(cycle, Moves, t, fmt.Sprintf("from %v to %v", engine.Square(m.From), engine.Square(m.To)))
	}
	return b, ok
}

// frame takes a byte of the framed link.
func (w *wires) frame(cycle uint64, line Line, t *tap, b byte) {
	t.bytes = append(t.bytes, b)
	f, ok, err := t.frames.Byte(b)
	switch {
	case err != nil:
		w.add(cycle, line, t, "no frame: "+err.Error()).Bad = true
	case ok:
		h := w.add(cycle, line, t, frameText(f))
		h.Idle = f.Kind == frame.Ping || f.Kind == frame.Ack
	}
}

func (w *wires) add(cycle uint64, line Line, t *tap, text string) *Heard {
	w.n++
	if len(w.heard) == heardMost {
		w.heard = append(w.heard[:0], w.heard[1:]...)
	}
	w.heard = append(w.heard, Heard{N: w.n, Cycle: cycle, Line: line, Bytes: fmt.Sprintf("% 02x", t.bytes), Text: text})
	t.bytes = t.bytes[:0]
	return &w.heard[len(w.heard)-1]
}

// frameText returns a frame in words.
func frameText(f frame.Frame) string {
	if f.Kind != frame.Data {
		return f.Kind.String()
	}
	v, err := message.Decode(f.Message)
	if err != nil {
		return err.Error()
	}
	return messageText(v)
}

// requests are what the PC asks for, by the types of the messages.
var requests = map[uint8]string{
	message.Type(message.Move{}): "move", message.Type(message.Replay{}): "replay", message.Type(message.Time{}): "time",
	message.Type(message.State{}): "state", message.Type(message.Squares{}): "squares", message.Type(message.Draw{}): "draw",
	message.Type(message.Resign{}): "resign", message.Type(message.Players{}): "players",
}

// messageText returns a message of the framed link in words.
func messageText(v any) string {
	move := func(name string, m message.Move) string {
		text := fmt.Sprintf("%s %d: %v%v", name, m.Ply, engine.Square(m.From), engine.Square(m.To))
		if m.Promotion != 0 {
			text += " becomes a " + engine.Piece(m.Promotion).String()
		}
		return text
	}
	switch v := v.(type) {
	case message.Move:
		return move("move", v)
	case message.Replay:
		return move("replay", message.Move(v))
	case message.Answer:
		to := requests[v.To]
		switch {
		case v.Reason == 0:
			return fmt.Sprintf("answer to %s: done", to)
		case to == "time":
			return fmt.Sprintf("answer to %s: %v", to, codes.Error(v.Reason))
		}
		return fmt.Sprintf("answer to %s: %v", to, rules.Reason(v.Reason))
	case message.Restore:
		if v.Squares == 0 {
			return "restore: all is well"
		}
		return fmt.Sprintf("restore: %v, %v", rules.Reason(v.Reason), Squares(v.Squares))
	case message.Clock:
		return fmt.Sprintf("clock: white %v, black %v", codes.Digits(v.White), codes.Digits(v.Black))
	case message.Result:
		return fmt.Sprintf("result: %v, %v", rules.Result(v.Result), rules.Cause(v.Cause))
	case message.Request:
		return "request: the position"
	case message.State:
		return fmt.Sprintf("state: %v to move, move %d", engine.Color(v.Black&1), v.Fullmove)
	case message.Squares:
		return fmt.Sprintf("squares: pieces on %d", onSquares(v))
	case message.Draw:
		return fmt.Sprintf("draw: %v", engine.Color(v.Side&1))
	case message.Resign:
		return fmt.Sprintf("resign: %v", engine.Color(v.Side&1))
	case message.Players:
		return fmt.Sprintf("players: from the PC come %s", map[uint8]string{0: "no moves", 1: "White's moves", 2: "Black's moves", 3: "all moves"}[v.Remote&3])
	case message.Time:
		return fmt.Sprintf("time: command %d", v.Command)
	}
	return fmt.Sprintf("%T", v)
}
