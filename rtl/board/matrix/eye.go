package matrix

import (
	"fmt"
	"math/bits"
)

// dimmest is how short a time an LED may be on and still be seen: a share of 1/dimmest.
const dimmest = 400

// Eye looks at the LEDs. It is too slow to see single flashes: it adds up the light of a window of time. What it
// remembers are some windows, of which it makes out what is lit all the time and what blinks. Make one
// with [NewEye].
type Eye struct {
	window, memory int
	cycles         int        // of the present window
	on             [64]uint32 // in how many of them each LED was on
	seen           [][64]uint32
}

// NewEye returns an eye with windows of so many cycles, of which it remembers as many as memory says, at most
// 64. A window is a period of the scan, or somewhat longer: the eye's 50 ms. The memory is to span a whole period
// of what blinks.
func NewEye(window, memory int) *Eye {
	return &Eye{window: max(1, window), memory: min(max(1, memory), 64)}
}

// See shows it the LEDs for one cycle: the square that the select lines name is lit or is not.
func (e *Eye) See(selectLines uint8, lit bool) {
	if lit {
		e.on[selectLines&63]++
	}
	if e.cycles++; e.cycles == e.window {
		if len(e.seen) == e.memory {
			e.seen = e.seen[1:]
		}
		e.seen = append(e.seen, e.on)
		e.cycles, e.on = 0, [64]uint32{}
	}
}

// Forget lets it look anew.
func (e *Eye) Forget() { e.cycles, e.on, e.seen = 0, [64]uint32{}, nil }

// Sight is what an eye has seen.
type Sight struct {
	Steady uint64 // lit all the time
	// First and Second are the squares that blink: those of each together. The lowest of all is in
	// First. If Second has any, they are lit while those of First are dark.
	First, Second uint64
	// Brightness is the share of the time in which each LED is on.
	Brightness [64]float64
}

func (s Sight) String() string {
	return fmt.Sprintf("steady %s, blinking %s, in turn with %s", Squares(s.Steady), Squares(s.First), Squares(s.Second))
}

// Sight is what it saw in the windows that it remembers. Until its memory is full, it has not looked long
// enough: false.
func (e *Eye) Sight() (Sight, bool) {
	var s Sight
	if len(e.seen) < e.memory {
		return s, false
	}
	var lit [64]uint64 // in which windows; a bit a window
	every := uint64(1)<<e.memory - 1
	for n := range lit {
		var on uint32
		for w, window := range e.seen {
			on += window[n]
			if int(window[n])*dimmest >= e.window {
				lit[n] |= 1 << w
			}
		}
		s.Brightness[n] = float64(on) / float64(e.memory*e.window)
		switch {
		case lit[n] == every:
			s.Steady |= 1 << n
		case lit[n] != 0 && s.First == 0:
			s.First = 1 << n
		case lit[n] != 0:
			// More often than not alike with the first, or not.
			if differ := lit[n] ^ lit[bits.TrailingZeros64(s.First)]; 2*bits.OnesCount64(differ) < e.memory {
				s.First |= 1 << n
			} else {
				s.Second |= 1 << n
			}
		}
	}
	return s, true
}
