// Package serial has the other end of an asynchronous serial line, cycle by cycle, for testbenches
// that step a design themselves: one start bit, eight data bits with the least significant first,
// no parity, one stop bit (8N1).
//
//	sender := serial.Sender{Divisor: 868}
//	sender.Send('h', 'i')
//	for { // a cycle
//		in.Rx = sender.Line()
//	}
//
// For testbench processes there is package [github.com/cosimate/cosimate/sim/uart].
package serial

// Frame returns the levels of a byte on the line, one for each bit.
func Frame(b byte) (levels [10]bool) {
	for i := range 8 {
		levels[1+i] = b>>i&1 != 0
	}
	levels[9] = true
	return levels
}

// Sender sends bytes. Its Divisor is the number of cycles a bit, at least 1.
type Sender struct {
	Divisor int
	bits    []bool // bits still to be sent
	cycles  int    // cycles for which the first of them has been on the line
}

// Send appends bytes to those still to be sent.
func (s *Sender) Send(bytes ...byte) {
	for _, b := range bytes {
		levels := Frame(b)
		s.bits = append(s.bits, levels[:]...)
	}
}

// Idle reports whether all bytes have been sent.
func (s *Sender) Idle() bool { return len(s.bits) == 0 }

// Line returns the line's level in the coming cycle. Call it once in each cycle.
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

// Listener receives bytes. Its Divisor is the number of cycles a bit, at least 1.
type Listener struct {
	Divisor int
	at      int // cycles since the frame began; 0 if there is no frame
	bits    uint16
	held    bool // the line is low instead of a stop bit
}

// Listen takes the line's level. Call it once in each cycle. In the middle of a stop bit it returns
// the byte. A byte without a stop bit, or whose start bit was too short, is dropped; then the line
// must be idle before another byte begins.
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
