package live

import "math/rand/v2"

// Faults are what is broken. Sets of squares have bit 8*rank + file, a1 = bit 0.
type Faults struct {
	Stuck    Squares `json:"stuck"`    // sensors that always see a piece
	Dead     Squares `json:"dead"`     // sensors that never see one
	Bouncing Squares `json:"bouncing"` // sensors that see one or not, at random
	Dark     Squares `json:"dark"`     // LEDs whose line is broken
	// Noise is the share of the serial line's bytes that are lost, changed or doubled, either way.
	Noise float64 `json:"noise"`
}

// SetFaults breaks and mends.
func (s *Session) SetFaults(f Faults) {
	s.faults = f
	s.spread()
}

// spread tells the parts what is broken.
func (s *Session) spread() {
	s.sensors.Stuck, s.sensors.Dead = uint64(s.faults.Stuck), uint64(s.faults.Dead)
	s.pc.noise = s.faults.Noise
}

// sense returns the level of the sensors' line.
func (s *Session) sense() bool {
	level := s.sensors.Step(s.out.Select)
	if s.faults.Bouncing == 0 {
		return level
	}
	if s.out.Select != s.at {
		s.at = s.out.Select
		s.flipped = s.faults.Bouncing>>(s.at&63)&1 != 0 && s.r.IntN(2) == 0
	}
	return level != s.flipped
}

// Power switches the board on or off. Off, all that it knew is lost; the pieces stay.
func (s *Session) Power(on bool) {
	s.finger(0, func() { s.off = !on })
}

// disturb returns what arrives of a byte on a line that spoils a share of its bytes.
func disturb(r *rand.Rand, noise float64, c byte) []byte {
	if noise == 0 || r.Float64() >= noise {
		return []byte{c}
	}
	switch r.IntN(3) {
	case 0:
		return nil
	case 1:
		return []byte{c ^ 1<<r.IntN(8)}
	}
	return []byte{c, c}
}
