package matrix_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cosimate/cosimate/rtl/board/matrix"
	"github.com/cosimate/cosimate/sim"
)

// An ideal board answers at once: low where there is a piece.
func TestIdeal(t *testing.T) {
	s := matrix.NewSensors(matrix.Physics{}, sim.Seed())
	s.Set(0x8000000000000001)
	s.Place(27)
	s.Lift(0)
	for n := range uint8(64) {
		if got, want := !s.Step(n), n == 27 || n == 63; got != want {
			t.Errorf("square %d reads as %v", n, got)
		}
	}
	if s.Pieces() != 1<<63|1<<27 {
		t.Errorf("pieces on %s", matrix.Squares(s.Pieces()))
	}
}

// A sensor's output is right from PowerCycles after each selection on, and before that not always.
func TestPower(t *testing.T) {
	const cycles = 30
	s := matrix.NewSensors(matrix.Physics{PowerCycles: cycles}, sim.Seed()+2)
	s.Set(0x00ff00ff00ff00ff)
	r := rand.New(rand.NewPCG(sim.Seed(), 1))
	wrong, longest := 0, 0
	for range 3000 {
		n := uint8(r.IntN(64))
		s.Step(n ^ 1) // another one
		for cycle := range 2 * cycles {
			if level := s.Step(n); level == (s.Pieces()>>n&1 != 0) {
				wrong++
				longest = max(longest, cycle)
				if cycle >= cycles {
					t.Fatalf("square %d reads wrong in cycle %d after it was selected", n, cycle)
				}
			}
		}
	}
	if wrong < 10_000 || longest != cycles-1 {
		t.Errorf("wrong in %d cycles, the latest is %d: too kind", wrong, longest)
	}
}

// A sensor may read wrong for BounceCycles after its piece moved. With crosstalk so may its
// neighbours, but no others.
func TestBounce(t *testing.T) {
	const cycles = 50
	for _, crosstalk := range []float64{0, 1} {
		s := matrix.NewSensors(matrix.Physics{BounceCycles: cycles, Crosstalk: crosstalk}, sim.Seed()+3)
		r := rand.New(rand.NewPCG(sim.Seed(), 2))
		var wrong [3]int // the square itself, neighbours, others
		for range 3000 {
			n := r.IntN(64)
			if s.Pieces()>>n&1 == 0 {
				s.Place(n)
			} else {
				s.Lift(n)
			}
			for range cycles {
				look := uint8(r.IntN(64))
				if r.IntN(2) == 0 {
					look = uint8(n)
				}
				resting := s.Resting()
				if level := s.Step(look); level != (s.Pieces()>>look&1 != 0) {
					continue
				}
				if resting>>look&1 != 0 {
					t.Fatalf("square %d rests and reads wrong", look)
				}
				switch {
				case int(look) == n:
					wrong[0]++
				case matrix.Neighbours(n)>>look&1 != 0:
					wrong[1]++
				default:
					wrong[2]++
				}
			}
			if s.Resting() != ^uint64(0) {
				t.Fatalf("%d cycles after a move these do not rest: %s", cycles, matrix.Squares(^s.Resting()))
			}
		}
		if wrong[0] < 1000 || wrong[1] > 0 != (crosstalk > 0) || wrong[2] > 0 {
			t.Errorf("crosstalk %v: wrong readings of the square, its neighbours, others: %d", crosstalk, wrong)
		}
	}
}

// Disturbances come about as often as they should, and end.
func TestGlitches(t *testing.T) {
	s := matrix.NewSensors(matrix.Physics{GlitchEvery: 1000, GlitchCycles: 5}, sim.Seed()+4)
	s.Step(0) // the first selection
	glitches, cycles := 0, 0
	for range 1_000_000 {
		if s.Step(0) {
			cycles = 0
			continue
		}
		if cycles++; cycles == 1 {
			glitches++
		}
		if cycles > 5 {
			t.Fatal("a glitch of more than 5 cycles")
		}
	}
	if glitches < 800 || glitches > 1200 {
		t.Errorf("%d glitches in 1 000 000 cycles", glitches)
	}
}

// Seen returns what the line says with defects of sensors and of the line; other squares stay
// right.
func TestDefects(t *testing.T) {
	s := matrix.NewSensors(matrix.Physics{Dead: 0xf0, Stuck: 0x0f00}, sim.Seed()+5)
	s.Set(0xff)
	for _, line := range []matrix.Line{matrix.LineGood, matrix.LineLow, matrix.LineHigh} {
		s.Line = line
		for n := range uint8(64) {
			if got := !s.Step(n); got != (s.Seen()>>n&1 != 0) {
				t.Errorf("line %d, square %d reads as %v", line, n, got)
			}
		}
	}
	if s.Line = matrix.LineGood; s.Seen() != 0x0f0f {
		t.Errorf("seen: %s", matrix.Squares(s.Seen()))
	}
}

// The same seed and the same calls give the same line.
func TestSeed(t *testing.T) {
	line := func(seed uint64) (levels string) {
		s := matrix.NewSensors(matrix.Physics{PowerCycles: 20, BounceCycles: 20, GlitchEvery: 50, Crosstalk: 1}, seed)
		for i := range 2000 {
			if i%100 == 0 {
				s.Place(i / 100)
			}
			levels += fmt.Sprint(s.Step(uint8(i / 30)))
		}
		return levels
	}
	for _, seed := range []uint64{1, 2} {
		if same := line(1) == line(seed); same != (seed == 1) {
			t.Errorf("seeds 1 and %d alike: %v", seed, same)
		}
	}
}

// show gives an observer the LEDs of so many windows without the first skip cycles. In each cycle,
// lit returns the selected square and whether its LED is on.
func show(o *matrix.Observer, window, windows, skip int, lit func(cycle int) (square uint8, on bool)) {
	for cycle := skip; cycle < windows*window; cycle++ {
		square, on := lit(cycle)
		o.Observe(square, on)
	}
}

// Squares that are steady, blink together, blink in turn, are dark or are too dim are found to be
// so, wherever the observer's windows begin.
func TestObserver(t *testing.T) {
	const window, half = 1000, 4 // windows in half a blink
	lit := func(cycle int) (uint8, bool) {
		first := cycle/window/half%2 == 0
		switch at := cycle % window; {
		case at < 2:
			return 1, true // 0.2 %: too dim
		case at < 12:
			return 9, true // 1 %
		case at < 200:
			return 20, first
		case at < 400:
			return 30, first
		case at < 600:
			return 12, !first
		case at < 700:
			return 40, false
		}
		return 41, cycle%window < 750
	}
	for _, skip := range []int{0, 5, 100, 300, 650, 999} {
		o := matrix.NewObserver(window, 2*half)
		if _, ok := o.Observed(); ok {
			t.Error("sees without having looked")
		}
		show(o, window, 2*half+3, skip, lit)
		s, ok := o.Observed()
		if !ok || s.Steady != 1<<9|1<<41 || s.First != 1<<12 || s.Second != 1<<20|1<<30 {
			t.Errorf("from cycle %d on: %v, %v", skip, s, ok)
		}
		for n, due := range map[int]float64{1: 0.002, 9: 0.01, 20: 0.094, 30: 0.1, 12: 0.1, 40: 0, 41: 0.05} {
			// Its memory is not a whole number of blinks.
			if got := s.Brightness[n]; got < 0.74*due || got > 1.26*due {
				t.Errorf("square %d is on for %v of the time, not %v", n, got, due)
			}
		}
		o.Reset()
		if _, ok := o.Observed(); ok {
			t.Error("sees what it forgot")
		}
	}
}

func ExampleSensors() {
	board := matrix.NewSensors(matrix.Physics{PowerCycles: 40}, 1)
	board.Place(12) // e2
	var level bool
	for range 41 {
		level = board.Step(12)
	}
	fmt.Println("the line is low:", !level)
	// Output: the line is low: true
}

func ExampleObserver() {
	observer := matrix.NewObserver(100, 4)
	for cycle := range 500 {
		square := uint8(12) // e2
		if cycle/200%2 == 1 {
			square = 28 // e4
		}
		observer.Observe(square, cycle%100 < 40)
	}
	seen, _ := observer.Observed()
	fmt.Println(seen)
	// Output: steady none, blinking e2, in turn with e4
}
