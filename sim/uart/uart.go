// Package uart has testbench processes for asynchronous serial lines: one start bit, eight data
// bits with the least significant first, no parity, one stop bit (8N1), at any number of clock
// cycles a bit.
//
//	tx := uart.NewTransmitter(&b.In.Rx, 868) // 115 200 baud at 100 MHz
//	b.Go("send", func(p *tb.Process) { tx.Send(p, 'h', 'i') })
//	b.Monitor("receive", (&uart.Receiver{Line: &b.Out.Tx, Divisor: 868, Each: func(p *tb.Process, f uart.Frame) { ... }}).Run)
package uart

import (
	"fmt"
	"math"

	"github.com/cosimate/cosimate/sim/tb"
)

// forever is a bound for waits that the bench's own bound ends.
const forever = math.MaxInt

// dataBits is the number of data bits in a frame.
const dataBits = 8

// Frame is what came after a start bit: a byte, a byte without its stop bit, or a break.
type Frame struct {
	Data         byte
	FramingError bool // the stop bit was 0
	Break        bool // the stop bit and all data bits were 0: the line is held low
}

func (f Frame) String() string {
	switch {
	case f.Break:
		return "break"
	case f.FramingError:
		return fmt.Sprintf("%#02x with framing error", f.Data)
	}
	return fmt.Sprintf("%#02x", f.Data)
}

// Transmitter drives a line.
type Transmitter struct {
	line    *bool
	divisor int
}

// NewTransmitter returns a transmitter that drives a line with divisor cycles a bit, at least 1. It
// sets the line to idle, which is 1.
func NewTransmitter(line *bool, divisor int) *Transmitter {
	*line = true
	return &Transmitter{line, divisor}
}

// Send sends bytes without a pause between them, and returns after the last stop bit.
func (t *Transmitter) Send(p *tb.Process, data ...byte) {
	for _, b := range data {
		t.frame(p, b, true)
	}
}

// SendFramingError sends a byte whose stop bit is 0, and then leaves the line idle for a bit.
func (t *Transmitter) SendFramingError(p *tb.Process, b byte) {
	t.frame(p, b, false)
	t.bit(p, true)
}

// SendBreak holds the line low for so many bits, and then leaves it idle for one bit. A receiver
// takes ten bits or more for a break.
func (t *Transmitter) SendBreak(p *tb.Process, bits int) {
	defer t.idle()
	for range bits {
		t.bit(p, false)
	}
	t.bit(p, true)
}

func (t *Transmitter) frame(p *tb.Process, b byte, stop bool) {
	defer t.idle()
	sent := p.Begin("sends", b)
	t.bit(p, false)
	for i := range dataBits {
		t.bit(p, b>>i&1 != 0)
	}
	t.bit(p, stop)
	sent.End()
}

// idle sets the line to 1. It is deferred, for a process that is stopped.
func (t *Transmitter) idle() { *t.line = true }

func (t *Transmitter) bit(p *tb.Process, level bool) {
	if t.divisor < 1 {
		p.Failf("uart: %d cycles a bit: there must be one at least", t.divisor)
	}
	*t.line = level
	p.Wait(t.divisor)
}

// Receiver reads a line. Each bit is sampled in its middle.
type Receiver struct {
	Line    *bool
	Divisor int                      // cycles a bit, at least 1
	Each    func(*tb.Process, Frame) // is called after the middle of each stop bit
	Glitch  func(*tb.Process)        // is called after a start bit that was too short; may be nil
	// Tolerance is by how much of a bit an edge may come early or late, counted from the begin of
	// its start bit. One that is further off ends the bench with an error. 0: edges may be
	// anywhere.
	Tolerance float64
	// InReset reports whether the design is in reset, which cuts a frame short. It may be nil.
	InReset func() bool
}

// Run is a process for Bench.Monitor. It begins to receive when the line is idle. A break is one
// frame, however long it lasts. A bit that is X or Z ends the bench with an error.
func (r *Receiver) Run(p *tb.Process) {
	if r.Divisor < 1 {
		p.Failf("uart: %d cycles a bit: there must be one at least", r.Divisor)
	}
	end := -1 // the cycle in which the last stop bit is over
	for {
		if !r.idle(p) {
			p.Until(forever, func() bool { return r.idle(p) })
		}
		p.Until(forever, func() bool { return !*r.Line })
		start := p.Cycle()
		if early := float64(end-start) / float64(r.Divisor); r.Tolerance > 0 && early > r.Tolerance {
			p.Failf("uart: a start bit comes %.2f bits before the end of the stop bit before it", early)
		}
		if !r.wait(p, (r.Divisor-1)/2, start) {
			continue
		}
		if r.bit(p, "the start bit") {
			if r.Glitch != nil {
				r.Glitch(p)
			}
			continue
		}
		var f Frame
		cut := false
		for i := range dataBits {
			if cut = !r.wait(p, r.Divisor, start); cut {
				break
			}
			if r.bit(p, "a data bit") {
				f.Data |= 1 << i
			}
		}
		if cut || !r.wait(p, r.Divisor, start) {
			continue
		}
		end = start + (2+dataBits)*r.Divisor
		f.FramingError = !r.bit(p, "the stop bit")
		f.Break = f.FramingError && f.Data == 0
		p.Note(tb.Item{What: "received", Value: f, From: start})
		r.Each(p, f)
	}
}

// wait waits for n cycles, and checks that edges come where bits begin. It returns false if a reset
// has come.
func (r *Receiver) wait(p *tb.Process, n, start int) bool {
	if r.Tolerance <= 0 && r.InReset == nil {
		p.Wait(n)
		return true
	}
	for range n {
		before := *r.Line
		p.Next()
		if r.InReset != nil && r.InReset() {
			return false
		}
		if *r.Line == before || r.Tolerance <= 0 {
			continue
		}
		cycles := p.Cycle() - start
		at := float64(cycles) / float64(r.Divisor)
		if off := at - math.Round(at); math.Abs(off) > r.Tolerance {
			p.Failf("uart: an edge comes %d cycles after the begin of the start bit, which are %.2f bits of %d cycles: %.2f bits %s", cycles, at, r.Divisor, math.Abs(off), map[bool]string{true: "late", false: "early"}[off > 0])
		}
	}
	return true
}

// idle reports whether the line is 1, and neither X nor Z.
func (r *Receiver) idle(p *tb.Process) bool {
	level := *r.Line
	p.Flipped(func() { level = level && *r.Line })
	return level
}

// bit returns the line's level, in the middle of a bit that is named for messages.
func (r *Receiver) bit(p *tb.Process, which string) bool {
	level := *r.Line
	p.Flipped(func() {
		if *r.Line != level {
			p.Failf("uart: the line is X or Z in the middle of %s", which)
		}
	})
	return level
}
