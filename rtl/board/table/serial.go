package table

// sender sends bytes over a serial line, 8N1.
type sender struct {
	divisor int
	queue   []byte
	bits    uint16 // of the frame under way, the next in bit 0
	left    int    // of them
	phase   int    // cycles of the present bit that are left
	level   bool
	begun   bool
}

func (s *sender) idle() bool { return len(s.queue) == 0 && s.left == 0 && s.phase == 0 }

// line is the line's level in the coming cycle.
func (s *sender) line() bool {
	if !s.begun {
		s.level, s.begun = true, true
	}
	if s.phase == 0 {
		if s.left == 0 && len(s.queue) > 0 {
			s.bits, s.left = uint16(s.queue[0])<<1|0x200, 10
			s.queue = s.queue[1:]
		}
		if s.left == 0 {
			return true
		}
		s.level = s.bits&1 != 0
		s.bits >>= 1
		s.left--
		s.phase = s.divisor
	}
	s.phase--
	return s.level
}

// listener receives bytes. Bits are sampled in their middle.
type listener struct {
	divisor int
	at      int // cycles since the frame began, 0 if none has
	bits    uint16
}

func (l *listener) listen(level bool) (b byte, ok bool) {
	if l.at == 0 && level {
		return 0, false
	}
	bit := l.at / l.divisor
	if l.at%l.divisor == l.divisor/2 {
		l.bits = l.bits&^(1<<bit) | uint16(number(level))<<bit
		if bit == 9 {
			l.at = 0
			return byte(l.bits >> 1), level && l.bits&1 == 0
		}
	}
	l.at++
	return 0, false
}

func number(level bool) int {
	if level {
		return 1
	}
	return 0
}
