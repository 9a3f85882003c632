package matrix

import (
	"fmt"
	"slices"
)

// dimmest is how short a time an LED may be on and still be seen: a share of 1/dimmest.
const dimmest = 400

// parts is how often an observer judges the last window anew within the time of one window.
const parts = 4

// Observer judges the LEDs as a person does. The eye is too slow for single flashes, so an Observer
// adds up the light of a window of time, and begins such a window several times in a window's
// length. From the windows that it remembers it finds which LEDs are lit all the time, and which
// blink together. Make one with [NewObserver].
type Observer struct {
	part, memory int        // cycles of a part of a window; how many parts are remembered
	cycles       int        // of the present part
	on           [64]uint32 // for how many of these cycles each LED was on
	seen         [][64]uint32
}

// NewObserver returns an observer with windows of that many cycles that remembers that many of
// them. A window should be one period of the scan, or somewhat longer: the eye's 50 ms. The memory
// should span a whole period of what blinks.
func NewObserver(window, memory int) *Observer {
	return &Observer{part: max(1, window/parts), memory: parts*max(1, memory) + parts - 1}
}

// Observe takes one cycle: the LED of the square that the select lines name is lit or is not.
func (o *Observer) Observe(selectLines uint8, lit bool) {
	if lit {
		o.on[selectLines&63]++
	}
	if o.cycles++; o.cycles == o.part {
		if len(o.seen) == o.memory {
			o.seen = o.seen[1:]
		}
		o.seen = append(o.seen, o.on)
		o.cycles, o.on = 0, [64]uint32{}
	}
}

// Reset forgets all cycles.
func (o *Observer) Reset() { o.cycles, o.on, o.seen = 0, [64]uint32{}, nil }

// Observation is what a person sees on the LEDs. Each set of squares has bit 8*rank + file of a
// square, a1 = bit 0.
type Observation struct {
	Steady uint64 // lit all the time
	// First and Second are the squares that blink. Those of one set blink together; those of Second
	// are lit while those of First are dark. The lowest square that blinks is in First.
	First, Second uint64
	// Brightness is the share of the time for which each LED is on, 0 to 1.
	Brightness [64]float64
}

func (s Observation) String() string {
	return fmt.Sprintf("steady %s, blinking %s, in turn with %s", Squares(s.Steady), Squares(s.First), Squares(s.Second))
}

// Observed returns what was seen in the time that o remembers. It returns false until that many
// cycles have been observed.
func (o *Observer) Observed() (Observation, bool) {
	var s Observation
	if len(o.seen) < o.memory {
		return s, false
	}
	var first []bool // when the lowest of the blinking squares is lit
	for n := range 64 {
		lit, on := o.lit(n)
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

// lit returns for each window whether square n's LED was on for long enough to be seen, and the
// share of the whole time for which it was on.
func (o *Observer) lit(n int) (lit []bool, on float64) {
	for i := range o.memory {
		on += float64(o.seen[i][n])
		if i+parts > o.memory {
			continue
		}
		var window uint32
		for _, part := range o.seen[i : i+parts] {
			window += part[n]
		}
		lit = append(lit, int(window)*dimmest >= parts*o.part)
	}
	return lit, on / float64(o.memory*o.part)
}
