package vectors

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cosimate/cosimate/sim/tb"
	"github.com/cosimate/cosimate/sim/uart"
)

var uartLine = protocol{
	name: "uart", about: "an asynchronous serial line, 8N1: the agent sends to an input, and receives from an output",
	options: []option{{"line", "the port", true}, {"baud", "bits a second", false}, {"divisor", "clock cycles a bit", false}},
	paces:   []string{"gaps"},
	verbs: []verb{
		{"send", "send DATA...", `bytes without a pause, but for gaps: texts "hello\r\n", numbers, ranges`, (*checker).uartSend},
		{"expect", "expect DATA... [within TIME]", "the bytes that come next are these", (*checker).uartExpect},
		{"drop", "drop", "what has come and was not expected does not matter", dropVerb},
		{"framing", "framing BYTE", "send a byte whose stop bit is 0", (*checker).uartFraming},
		{"break", "break [BITS]", "hold the line low for so many bits, 12 by default", (*checker).uartBreak},
	},
	bind: bindUART,
}

// uartTolerance is by how much of a bit edges may be off. A receiver that samples in the middle of
// bits errs at 0.5.
const uartTolerance = 0.3

func bindUART(a *agent, on tb.Pinned, reset *tb.Reset) (speaker, error) {
	w := a.options["line"]
	pins := on.Pins()
	i := slices.IndexFunc(pins, func(p tb.Pin) bool { return p.Port == w.Text })
	switch {
	case i < 0:
		return nil, &optionError{"line", fmt.Sprintf("there is no port %s", w.Text), choice(w.Text, pinNames(pins, 1))}
	case pins[i].Width != 1:
		return nil, &optionError{"line", fmt.Sprintf("%s has %d bits: a line is one", w.Text, pins[i].Width), choice(w.Text, pinNames(pins, 1))}
	}
	divisor, err := a.divisor()
	if err != nil {
		return nil, err
	}
	s := &uartSpeaker{name: a.name, pin: pins[i], divisor: divisor, gaps: a.gaps, inReset: reset.Active}
	if s.pin.Driven {
		s.to = uart.NewTransmitter(s.pin.Bit(), divisor)
	}
	return s, nil
}

// divisor returns the clock cycles of a bit.
func (a *agent) divisor() (int, error) {
	baud, b := a.options["baud"]
	given, d := a.options["divisor"]
	switch {
	case b && d:
		return 0, &optionError{"divisor", "baud and divisor are both given", "delete one of them"}
	case d:
		n, err := strconv.Atoi(given.Text)
		if err != nil || n < 1 || n > 1e6 {
			return 0, &optionError{"divisor", given.Text + " is not a number of clock cycles", "1 to 1000000"}
		}
		return n, nil
	case !b:
		return 0, &optionError{"line", "how long is a bit?", fmt.Sprintf("add baud 115200, or divisor with the clock cycles of a bit; the clock's period is %v", a.period)}
	}
	rate, err := strconv.Atoi(strings.ReplaceAll(baud.Text, "_", ""))
	if err != nil || rate < 1 {
		return 0, &optionError{"baud", baud.Text + " is not a number of bits a second", "9600, 115200"}
	}
	exact := float64(time.Second) / float64(a.period) / float64(rate)
	n := math.Round(exact)
	if n < 1 || math.Abs(n-exact)/exact > 0.015 || n > 1e6 {
		return 0, &optionError{"baud", fmt.Sprintf("a bit of %s baud is %.2f clock cycles of %v", baud.Text, exact, a.period), "the header's period: is the clock's; or give divisor, in whole cycles"}
	}
	return int(n), nil
}

func pinNames(pins []tb.Pin, width int) (names []string) {
	for _, p := range pins {
		if p.Width == width {
			names = append(names, p.Port)
		}
	}
	return names
}

type uartSpeaker struct {
	name    string
	pin     tb.Pin
	divisor int
	gaps    float64
	inReset func() bool
	to      *uart.Transmitter // nil: it receives
	received[byte]
}

func (s *uartSpeaker) drives() []string {
	if s.to == nil {
		return nil
	}
	return []string{s.pin.Port}
}

func (s *uartSpeaker) start(b *tb.Rows, a *agent) {
	if s.to != nil {
		return
	}
	b.Monitor(a.name+" line", on(a, (&uart.Receiver{
		Line: s.pin.Bit(), Divisor: s.divisor, Tolerance: uartTolerance, InReset: s.inReset,
		Each: func(p *tb.Process, f uart.Frame) {
			switch {
			case f.Break:
				p.Fail(errors.New("the line is held low: a break, or a design that drives no idle line"))
			case f.FramingError:
				p.Fail(fmt.Errorf("the stop bit behind %s is 0", byteText(f.Data)))
			}
			s.got = append(s.got, f.Data)
		},
		Glitch: func(p *tb.Process) { p.Fail(errors.New("a start bit is shorter than half a bit")) },
	}).Run))
}

func (s *uartSpeaker) left() string { return s.unexpected(bytesText) }

func (s *uartSpeaker) waits() string {
	if s.to == nil && !*s.pin.Bit() {
		return s.waiting + "; the line is 0"
	}
	return s.waiting
}

// uartDirection reports whether the agent sends or receives, as a statement needs, or reports an
// error.
func (c *checker) uartDirection(o *orderLine, send bool) bool {
	s := o.agent.speaker.(*uartSpeaker)
	if (s.to != nil) == send {
		return true
	}
	side, does := "output", "receives"
	if s.to != nil {
		side, does = "input", "sends"
	}
	c.at(o.line.At, o.at, fmt.Sprintf("%s is an %s of the design: agent %s %s", s.pin.Port, side, s.name, does), "an agent is for one line: write another one for the other direction")
	return false
}

// bytes reads texts and numbers up to the end of the line.
func (o *orderLine) bytes(c *checker) (data []byte, at []Word) {
	for {
		w, ok := o.next()
		switch {
		case !ok && len(data) == 0:
			o.lacks(c, "its bytes")
			return nil, nil
		case !ok:
			return data, at
		case strings.HasPrefix(w.Text, `"`):
			text := o.text(c, w)
			if text == "" {
				return nil, nil
			}
			data = append(data, text...)
			at = append(at, slices.Repeat([]Word{w}, len(text))...)
		default:
			v, ok := c.value(o.line.At, w, &Port{Name: "a byte", Width: 8})
			if ok && (v.open || v.fill || v.care != nil) {
				c.at(o.line.At, w, fmt.Sprintf("%s is not a byte", w.Text), `write a number, a range (0..9 is ten bytes), or a text in quotes: "hello"`)
				ok = false
			}
			if !ok {
				return nil, nil
			}
			for n := v.lo.Int64(); n <= v.hi.Int64(); n++ {
				data, at = append(data, byte(n)), append(at, w)
			}
		}
	}
}

// text reads a text in quotes. It returns "" if it has reported an error.
func (o *orderLine) text(c *checker, w Word) string {
	text, err := strconv.Unquote(w.Text)
	if err != nil || text == "" {
		c.at(o.line.At, w, w.Text+" is not a text", `write "hello"; within it \n, \r, \x00, \" and \\ stand for single characters`)
		return ""
	}
	return text
}

func (c *checker) uartSend(o *orderLine) order {
	if !c.uartDirection(o, true) {
		return nil
	}
	data, _ := o.bytes(c)
	return func(p *tb.Process, pl *rowPlayer, s speaker) error {
		u := s.(*uartSpeaker)
		for _, b := range data {
			for u.gaps > 0 && p.Rand().Float64() < u.gaps {
				p.Wait(1 + p.Rand().IntN(u.divisor))
			}
			u.to.Send(p, b)
		}
		return nil
	}
}

func (c *checker) uartFraming(o *orderLine) order {
	if !c.uartDirection(o, true) {
		return nil
	}
	w, ok := o.next()
	if !ok {
		o.lacks(c, "its byte")
		return nil
	}
	n, _ := o.number(c, w, "a byte", 8)
	return func(p *tb.Process, pl *rowPlayer, s speaker) error {
		s.(*uartSpeaker).to.SendFramingError(p, byte(n))
		return nil
	}
}

func (c *checker) uartBreak(o *orderLine) order {
	if !c.uartDirection(o, true) {
		return nil
	}
	bits := uint64(12)
	if w, ok := o.next(); ok {
		if bits, ok = o.number(c, w, "the number of bits", 16); ok && bits == 0 {
			c.at(o.line.At, w, "a break of no bits is none", "10 or more, for most receivers")
		}
	}
	return func(p *tb.Process, pl *rowPlayer, s speaker) error {
		s.(*uartSpeaker).to.SendBreak(p, int(bits))
		return nil
	}
}

func (c *checker) uartExpect(o *orderLine) order {
	if !c.uartDirection(o, false) {
		return nil
	}
	data, at := o.bytes(c)
	return func(p *tb.Process, pl *rowPlayer, s speaker) error {
		return s.(*uartSpeaker).expect(p, pl, o.agent.name, data, at, byteText, bytesText)
	}
}

// byteText is a byte for messages.
func byteText(b byte) string {
	if b >= 0x20 && b < 0x7f {
		return fmt.Sprintf("%#02x %q", b, rune(b))
	}
	return fmt.Sprintf("%#02x", b)
}

func bytesText(data []byte) string {
	if len(data) > 40 {
		return fmt.Sprintf("%q... (%d bytes)", data[:40], len(data))
	}
	return fmt.Sprintf("%q", data)
}

// received are items that have come and that no statement has expected yet.
type received[T comparable] struct {
	got      []T
	expected bool // some statement expects or drops items
	waiting  string
}

// expect waits for items.
func (r *received[T]) expect(p *tb.Process, pl *rowPlayer, name string, want []T, at []Word, text func(T) string, all func([]T) string) error {
	r.expected = true
	for i, w := range want {
		for len(r.got) == 0 {
			r.waiting = fmt.Sprintf("%d of %d have come", i, len(want))
			if i > 0 {
				r.waiting += ": " + all(want[:i])
			}
			p.Next()
		}
		if got := r.got[0]; got != w && !pl.o.ignore {
			e := &orderError{word: at[i], problem: fmt.Sprintf("%s has sent %s, expected %s", name, text(got), text(w))}
			if len(want) > 1 {
				e.notes = append(e.notes, fmt.Sprintf("it is number %d of %d; before it came %s", i+1, len(want), all(want[:i])))
			}
			return e
		}
		r.got = r.got[1:]
	}
	r.waiting = ""
	return nil
}

func (r *received[T]) waits() string { return r.waiting }

func (r *received[T]) drop() { r.got, r.expected = nil, true }

// unexpected says what is left, if a statement has expected anything at all.
func (r *received[T]) unexpected(all func([]T) string) string {
	if !r.expected || len(r.got) == 0 {
		return ""
	}
	return all(r.got)
}

func dropVerb(c *checker, o *orderLine) order {
	return func(_ *tb.Process, _ *rowPlayer, s speaker) error {
		s.(interface{ drop() }).drop()
		return nil
	}
}
