package matrix

import (
	"fmt"
	"slices"
)

// dimmest is how short a time an LED may be on and still be seen: a share of 1/dimmest.
const dimmest = 400

// parts of a window: how often within it the eye looks back at the last window.
const parts = 4

// Eye looks at the LEDs. It is too slow to see single flashes: it adds up the light of a window of
// time, and does so several times in a window. Of what it remembers, it makes out what is lit all
// the time and what blinks. Make one with [NewEye].
type Eye struct {
	part, memory int        // cycles of a part of a window; parts that it remembers
	cycles       int        // of the present part
	on           [64]uint32 // in how many of them each LED was on
	seen         [][64]uint32
}

// NewEye returns an eye with windows of so many cycles that remembers as many of them as memory
// says. A window is a period of the scan, or somewhat longer: the eye's 50 ms. The memory is to
// span a whole period of what blinks.
func NewEye(window, memory int) *Eye {
	return &Eye{part: max(1, window/parts), memory: parts*max(1, memory) + parts - 1}
}

// See shows it the LEDs for one cycle: the square that the select lines name is lit or is not.
func (e *Eye) See(selectLines uint8, lit bool) {
	if lit {
		e.on[selectLines&63]++
	}
	if e.cycles++; e.cycles == e.part {
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

// Sight is what it saw in the time that it remembers. Until its memory is full, it has not looked
// long enough: false.
func (e *Eye) Sight() (Sight, bool) {
	var s Sight
	if len(e.seen) < e.memory {
		return s, false
	}
	var first []bool // when the lowest of the blinking squares is lit
	for n := range 64 {
		lit, on := e.lit(n)
		s.Brightness[n] = on
		switch {
		case !slices.Contains(lit, true):
		case !slices.Contains(lit, false):
			s.Steady |= 1 << n
		case first == nil:
			first = lit
			s.First = 1 << n
		default:
			alike := 0
			for i := range lit {
				if lit[i] == first[i] {
					alike++
				}
			}
			if 2*alike > len(lit) {
				s.First |= 1 << n
			} else {
				s.Second |= 1 << n
			}
		}
	}
	return s, true
}

// lit is in which windows a square's LED was bright enough to be seen, and the share of the time in
// which it was on.
func (e *Eye) lit(n int) (lit []bool, on float64) {
	for i := range e.memory {
		on += float64(e.seen[i][n])
		if i+parts > e.memory {
			continue
		}
		var window uint32
		for _, part := range e.seen[i : i+parts] {
			window += part[n]
		}
		lit = append(lit, int(window)*dimmest >= parts*e.part)
	}
	return lit, on / float64(e.memory*e.part)
}
