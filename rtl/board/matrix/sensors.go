package matrix

import (
	"math/bits"
	"math/rand/v2"
)

// Line is the state of the sensor line between the matrix and the FPGA.
type Line uint8

// The states.
const (
	LineGood Line = iota
	LineLow       // shorted to ground: every square reads as occupied
	LineHigh      // broken: every square reads as empty
)

// Physics says how the sensors behave. Times are in clock cycles. The zero value is an ideal board.
type Physics struct {
	// PowerCycles is for how many cycles at most after a sensor is selected its output is random.
	PowerCycles int
	// BounceCycles is for how many cycles at most it is random after its piece is placed or lifted.
	BounceCycles int
	GlitchEvery  int // mean distance of disturbances of the line; 0: there are none
	GlitchCycles int // how long a disturbance lasts at most
	// Crosstalk is the probability that a moved piece makes a neighbouring sensor bounce too.
	Crosstalk float64
	Dead      uint64 // squares whose sensor never sees a magnet
	Stuck     uint64 // squares whose sensor always sees one
	Line      Line
}

// Real is the board as it was built, at 100 MHz. Its sensors need 0.4 ms of power and bounce for
// 20 ms; some twenty times a second the line is disturbed for up to 5 us; and one moved piece in
// four makes a neighbouring sensor bounce.
var Real = Physics{PowerCycles: 40_000, BounceCycles: 2_000_000, GlitchEvery: 5_000_000, GlitchCycles: 500, Crosstalk: 0.25}

// Sensors models the 64 hall sensors with pieces on them. The select lines power one sensor at a
// time, and its output is on the line. Make one with [NewSensors]. The same seed and the same calls
// give the same line.
type Sensors struct {
	Physics // may be changed at any time

	r        *rand.Rand
	now      int64
	pieces   uint64
	selected int
	power    chatter
	bounces  [64]chatter
	glitch   int64 // when the next disturbance begins
	glitched int64 // when it ends
}

// NewSensors returns the sensors of an empty board.
func NewSensors(p Physics, seed uint64) *Sensors {
	return &Sensors{Physics: p, r: rand.New(rand.NewPCG(seed, 0)), selected: -1}
}

// Set puts pieces on these squares and no others. All sensors are at rest.
func (s *Sensors) Set(squares uint64) {
	s.pieces = squares
	s.bounces = [64]chatter{}
}

// Place puts a piece on a square. If it holds one already, nothing happens.
func (s *Sensors) Place(square int) { s.move(square, s.pieces|1<<square) }

// Lift takes the piece from a square. If it is empty already, nothing happens.
func (s *Sensors) Lift(square int) { s.move(square, s.pieces&^(1<<square)) }

func (s *Sensors) move(square int, pieces uint64) {
	if pieces == s.pieces {
		return
	}
	s.pieces = pieces
	s.bounce(square)
	for near := Neighbours(square); near != 0; near &= near - 1 {
		if s.Crosstalk > 0 && s.r.Float64() < s.Crosstalk/4 {
			s.bounce(bits.TrailingZeros64(near))
		}
	}
}

func (s *Sensors) bounce(square int) {
	if s.BounceCycles > 0 {
		s.bounces[square].start(s.now, s.r.Int64N(int64(s.BounceCycles)+1), s.r)
	}
}

// Neighbours returns the squares that share an edge with a square.
func Neighbours(square int) uint64 {
	const fileA, fileH = 0x0101010101010101, 0x8080808080808080
	b := uint64(1) << square
	return b<<8 | b>>8 | b&^fileH<<1 | b&^fileA>>1
}

// Pieces returns the squares that hold a piece, whatever the sensors say.
func (s *Sensors) Pieces() uint64 { return s.pieces }

// Seen returns the squares whose sensors see a piece when all are at rest: the pieces, changed by
// defects.
func (s *Sensors) Seen() uint64 {
	switch s.Line {
	case LineLow:
		return ^uint64(0)
	case LineHigh:
		return 0
	}
	return s.pieces&^s.Dead | s.Stuck
}

// Resting returns the squares whose sensors do not bounce now.
func (s *Sensors) Resting() (squares uint64) {
	for n := range s.bounces {
		if s.now >= s.bounces[n].until {
			squares |= 1 << n
		}
	}
	return squares
}

// Step plays one cycle with these select lines. It returns the level of the sensor line: low if the
// selected square holds a piece.
func (s *Sensors) Step(selectLines uint8) (senseN bool) {
	n := int(selectLines & 63)
	if n != s.selected {
		s.selected = n
		if s.PowerCycles > 0 {
			cycles := int64(s.PowerCycles)
			if s.r.IntN(2) == 0 {
				cycles = s.r.Int64N(cycles + 1)
			}
			s.power.start(s.now, cycles, s.r)
		}
	}
	magnet := (s.pieces&^s.Dead|s.Stuck)>>n&1 != 0
	if s.Dead>>n&1 == 0 && s.Stuck>>n&1 == 0 {
		magnet = s.bounces[n].read(s.now, magnet, s.r)
	}
	level := !s.power.read(s.now, magnet, s.r)
	if s.now >= s.glitched {
		s.disturb()
	}
	if s.GlitchEvery > 0 && s.now >= s.glitch {
		level = !level
	}
	s.now++
	switch s.Line {
	case LineLow:
		return false
	case LineHigh:
		return true
	}
	return level
}

// disturb draws the next disturbance of the line.
func (s *Sensors) disturb() {
	if s.GlitchEvery <= 0 {
		return
	}
	s.glitch = s.now + 1 + s.r.Int64N(2*int64(s.GlitchEvery))
	s.glitched = s.glitch + 1 + s.r.Int64N(int64(max(1, s.GlitchCycles)))
}

// chatter is an output that changes at random until it has settled.
type chatter struct {
	until, next, period int64
	level               bool
}

// start lets the output chatter for so many cycles from now. It changes quickly, slowly, or not at
// all; if not at all, it is wrong for the whole time in half of the cases.
func (c *chatter) start(now, cycles int64, r *rand.Rand) {
	c.until = now + cycles
	c.level = r.IntN(2) == 0
	c.period = []int64{4, 1 + cycles/8, 1 + 4*cycles}[r.IntN(3)]
	c.next = now + 1 + r.Int64N(c.period)
}

// read returns the output now, whose settled level is given.
func (c *chatter) read(now int64, settled bool, r *rand.Rand) bool {
	if now >= c.until {
		return settled
	}
	if now >= c.next {
		c.level = !c.level
		c.next = now + 1 + r.Int64N(c.period)
	}
	return c.level
}
