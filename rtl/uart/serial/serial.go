// Package serial is the far end of an asynchronous serial line, cycle by cycle, for whoever steps a
// design himself: one start bit, eight data bits with the least significant first, no parity, one
// stop bit (8N1). Testbench processes have package [github.com/cosimate/cosimate/sim/uart].
package serial

// Frame is the levels of a byte on the line, a bit each.
func Frame(b byte) (levels [10]bool) {
	for i := range 8 {
		levels[1+i] = b>>i&1 != 0
	}
	levels[9] = true
	return levels
}

// Sender sends bytes. Its Divisor, the cycles a bit, is at least 1.
type Sender struct {
	Divisor int
	bits    []bool // that are still to be sent
	cycles  int    // for which the first of them has been
}

// Send adds bytes to those that it is to send.
func (s *Sender) Send(bytes ...byte) {
	for _, b := range bytes {
		levels := Frame(b)
		s.bits = append(s.bits, levels[:]...)
	}
}

// Idle tells whether all has been sent.
func (s *Sender) Idle() bool { return len(s.bits) == 0 }

// Line is the line's level in the coming cycle. It is to be called once a cycle.
func (s *Sender) Line() bool {
	if s.Idle() {
		return true
	}
	level := s.bits[0]
	if s.cycles++; s.cycles == s.Divisor {
		s.bits, s.cycles = s.bits[1:], 0
	}
	return level
}

// Listener receives bytes. Its Divisor, the cycles a bit, is at least 1.
type Listener struct {
	Divisor int
	at      int // cycles since the frame began, 0 if none has
	bits    uint16
	held    bool // the line is low where a stop bit should be
}

// Listen is told the line's level in each cycle. It returns a byte in the middle of its stop bit.
// One without a stop bit, or whose start bit was none, is dropped; then the line is to be idle
// before another begins.
func (l *Listener) Listen(level bool) (b byte, ok bool) {
	if l.at == 0 {
		l.held = l.held && !level
		if level || l.held {
			return 0, false
		}
		l.bits = 0
	}
	bit := l.at / l.Divisor
	if l.at%l.Divisor == l.Divisor/2 {
		if level {
			l.bits |= 1 << bit
		}
		if bit == 9 {
			l.at, l.held = 0, !level
			return byte(l.bits >> 1), level && l.bits&1 == 0
		}
	}
	l.at++
	return 0, false
}
