package try

import (
	"math/rand/v2"

	"github.com/cosimate/cosimate/bridge"
)

// phaseCycles are the lengths of phases. In each, an input behaves in one way. Some designs do
// nothing for hundreds of cycles after something has begun.
var phaseCycles = []int{32, 96, 256, 768}

// stimulus makes rows of random inputs. Inputs that change in every cycle seldom get a design far:
// a counter needs an enable that stays, and a FIFO fills only if more is written than read. So time
// is cut into phases, in each of which every input behaves in a way of its own, drawn anew. The
// rows depend on the layout and the seed alone.
type stimulus struct {
	random *rand.Rand
	layout *bridge.Layout
	reset  *bridge.Port // nil if there is none
	low    bool         // the reset is active low
	hold   int          // cycles of reset at the beginning

	cycle  int
	phases int // begun
	left   int // cycles of this one
	resets int // cycles of reset to come
	habits []habit
	row    []byte
}

// habit is how an input behaves in a phase.
type habit struct {
	change float64 // how probably it gets a new value in a cycle
	ones   float64 // how probably a bit of a new value is 1
	corner float64 // how probably a new value is 0, all ones, one bit, or the one after the last
}

func newStimulus(l *bridge.Layout, d *bridge.Design, hold int, seed uint64) *stimulus {
	s := &stimulus{random: rand.New(rand.NewPCG(seed, 0)), layout: l, low: d.ResetActiveLow, row: make([]byte, l.InSize)}
	for i := range l.Inputs {
		if l.Inputs[i].Name == d.Reset {
			s.reset, s.hold, s.resets = &l.Inputs[i], hold, hold
		}
	}
	s.habits = make([]habit, len(l.Inputs))
	return s
}

// next stores the inputs of the next cycle in a row.
func (s *stimulus) next(row []byte) {
	if s.cycle >= s.hold {
		if s.left == 0 {
			s.phase()
		}
		s.left--
	}
	for i := range s.layout.Inputs {
		p := &s.layout.Inputs[i]
		switch h := &s.habits[i]; {
		case p == s.reset:
			s.row[p.Offset] = 0
			if (s.resets > 0) != s.low {
				s.row[p.Offset] = 1
			}
		case s.cycle >= s.hold && s.random.Float64() < h.change:
			s.draw(p, h)
		}
	}
	s.resets = max(s.resets-1, 0)
	s.cycle++
	copy(row, s.row)
}

// phase begins a phase: it draws how inputs behave from now on. Some begin with a reset.
func (s *stimulus) phase() {
	pick := func(from ...float64) float64 { return from[s.random.IntN(len(from))] }
	for i := range s.habits {
		s.habits[i] = habit{pick(1, 1, 0.5, 0.1, 0.02), pick(0.5, 0.5, 0.1, 0.9, 0, 1), pick(0, 0.2, 0.5)}
	}
	s.left = phaseCycles[s.random.IntN(len(phaseCycles))]
	if s.phases > 0 && s.random.IntN(8) == 0 {
		s.resets = 1 + s.random.IntN(3)
	}
	s.phases++
}

// draw gives an input a new value.
func (s *stimulus) draw(p *bridge.Port, h *habit) {
	value := s.row[p.Offset : p.Offset+p.Size]
	if p.Width > 1 && s.random.Float64() < h.corner {
		s.corner(value, p.Width)
		return
	}
	clear(value)
	for bit := range p.Width {
		if s.random.Float64() < h.ones {
			value[bit/8] |= 1 << (bit % 8)
		}
	}
}

// corner makes a value one at which designs often have a special case.
func (s *stimulus) corner(value []byte, width int) {
	switch s.random.IntN(4) {
	case 0:
		clear(value)
	case 1:
		for bit := range width {
			value[bit/8] |= 1 << (bit % 8)
		}
	case 2:
		clear(value)
		bit := s.random.IntN(width)
		value[bit/8] |= 1 << (bit % 8)
	case 3:
		for i := range value {
			if value[i]++; value[i] != 0 {
				break
			}
		}
		if last := width / 8; width%8 != 0 {
			value[last] &= 1<<(width%8) - 1
			clear(value[last+1:])
		} else {
			clear(value[last:])
		}
	}
}
