package leds_test

import (
	"fmt"
	"iter"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/board/matrix"
	"github.com/cosimate/cosimate/rtl/leds"
	"github.com/cosimate/cosimate/sim"
)

type dut = sim.DUT[leds.In, leds.Out]

// small has parameters with which a blink takes 4 idle phases. 130 is divisible by neither 100 nor
// 64.
var small = leds.Params{IdleCycles: 130, BlinkPhases: 2}

// design returns the RTL with these parameters.
func design(p leds.Params) sim.Design {
	d := leds.Design
	d.Params = map[string]string{"IdleCycles": fmt.Sprint(p.IdleCycles), "BlinkPhases": fmt.Sprint(p.BlinkPhases)}
	return d
}

// anything returns a random pattern, which may be one that does not exist.
func anything(r *rand.Rand) leds.Show {
	s := leds.Show{Pattern: leds.Pattern(r.IntN(11)), From: uint8(r.IntN(64)), To: uint8(r.IntN(64)), Restore: r.Uint64()}
	if s.Pattern > leds.Promotion {
		s.Pattern = leds.Pattern(r.IntN(16))
	}
	for range r.IntN(7) { // often few squares, or none
		s.Restore &= r.Uint64()
	}
	if r.IntN(2) == 0 { // none below some square
		s.Restore <<= r.IntN(64)
	}
	return s
}

// shown returns so many cycles with idle phases, most of them of the right length. The pattern
// changes at any time, but mostly between two idle phases.
func shown(p leds.Params, seed, stream uint64, cycles int, resets float64) iter.Seq[leds.In] {
	return func(yield func(leds.In) bool) {
		r := rand.New(rand.NewPCG(seed, stream))
		s := anything(r)
		for left := cycles; left > 0; {
			n, idle := 1+r.IntN(5), r.IntN(2) == 0
			if idle {
				switch r.IntN(10) {
				case 0:
					n = 1 + r.IntN(p.IdleCycles)
				case 1:
					n = p.IdleCycles + r.IntN(p.IdleCycles)
					if r.IntN(4) == 0 { // so long that a counter that does not stop lights an LED again
						n *= 15
					}
				default:
					n = p.IdleCycles
				}
			} else if r.IntN(3) == 0 {
				s = anything(r)
			}
			for range n {
				in := s.In(idle)
				in.Rst = r.Float64() < resets
				if !yield(in) {
					return
				}
				if r.IntN(2*p.IdleCycles) == 0 {
					s = anything(r)
				}
			}
			// An idle phase is followed by at least one other cycle.
			if idle && !yield(s.In(false)) {
				return
			}
			left -= n
		}
	}
}

// Every output is compared with the model in every cycle, with any pattern in phases of any length.
func TestPatterns(t *testing.T) {
	for _, p := range []leds.Params{small, {IdleCycles: 64, BlinkPhases: 1}} {
		t.Run(fmt.Sprintf("idle=%d,blink=%d", p.IdleCycles, p.BlinkPhases), func(t *testing.T) {
			sim.ForEach(t, design(p), func(t *testing.T, d *dut) {
				cycles := 3000 * p.IdleCycles
				if d.Simulator() == sim.Icarus {
					cycles /= 30
				}
				sim.Check(t, d, leds.NewModel(p), shown(p, sim.Seed(), 1, cycles, 0.02/float64(p.IdleCycles)))
			})
		})
	}
}

// turns returns so many cycles of Restore with any squares, in phases of which most have time for a
// few turns only: so the next square is looked for behind each square, and after a reset, among many
// others.
func turns(p leds.Params, seed uint64, cycles int) iter.Seq[leds.In] {
	return func(yield func(leds.In) bool) {
		r := rand.New(rand.NewPCG(seed, 5))
		for left := cycles; left > 0; {
			s := anything(r)
			s.Pattern = leds.Restore
			switch r.IntN(30) {
			case 0:
				s = anything(r)
			case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15: // few, near to each other
				from := r.IntN(64)
				s.Restore = 0
				for range 1 + r.IntN(3) {
					s.Restore |= 1 << ((from + r.IntN(8)) % 64)
				}
			}
			n := r.IntN(8 * (p.IdleCycles / 64))
			if r.IntN(300) == 0 { // twice as many turns as there are, and more
				n += 130 * (p.IdleCycles / 64)
			}
			for i := range n + 1 {
				in := s.In(i > 0)
				in.Rst = (i == 0 || i == n) && r.IntN(8) == 0
				if !yield(in) {
					return
				}
			}
			left -= n + 1
		}
	}
}

// Every output is compared with the model in every cycle while Restore takes its turns.
func TestTurns(t *testing.T) {
	sim.ForEach(t, design(small), func(t *testing.T, d *dut) {
		cycles := 500_000
		if d.Simulator() == sim.Icarus {
			cycles /= 100
		}
		sim.Check(t, d, leds.NewModel(small), turns(small, sim.Seed(), cycles))
	})
}

// specification returns for how many cycles each LED is on in the idle phases of a blink, for all
// patterns but Restore.
func specification(p leds.Params, s leds.Show) (cycles [64]int) {
	// half lights a square from one percentage of each idle phase to another, in one half of the
	// blink.
	half := func(square, from, to int) {
		cycles[square] += p.BlinkPhases * (p.IdleCycles*to/100 - p.IdleCycles*from/100)
	}
	both := func(square, from, to int) {
		half(square, from, to)
		half(square, from, to)
	}
	switch s.Pattern {
	case leds.Move:
		half(int(s.From), 0, 40)
		half(int(s.To), 40, 80)
	case leds.Illegal:
		both(2*8+2, 0, 15)
		both(2*8+4, 15, 30)
		both(4*8+2, 30, 45)
		both(4*8+4, 45, 60)
		both(3*8+3, 60, 79)
	case leds.WinnerA:
		for i := range 5 {
			both(2+i, 16*i, 16*i+16)
		}
	case leds.WinnerB:
		for i := range 5 {
			both(56+2+i, 16*i, 16*i+16)
		}
	case leds.Check:
		both(int(s.From), 0, 40)
	case leds.Draw:
		for i := range 5 {
			half(2+i, 16*i, 16*i+16)
			half(56+2+i, 16*i, 16*i+16)
		}
	case leds.Promotion:
		half(int(s.From), 0, 40)
		for i := range 4 {
			half([4]int{27, 28, 35, 36}[i], 15*i, 15*i+15)
		}
	}
	return cycles
}

// measured plays blinks of one pattern, from the beginning of the first half on, with a gap before
// each idle phase. It returns for how many cycles each LED was on. The observers get every cycle.
func measured(t *testing.T, d *dut, p leds.Params, s leds.Show, blinks, gap int, observers ...*matrix.Observer) (cycles [64]int) {
	t.Helper()
	if err := d.Reset(3); err != nil {
		t.Fatal(err)
	}
	in := make([]leds.In, gap+p.IdleCycles)
	out := make([]leds.Out, len(in))
	for i := range in {
		in[i] = s.In(i >= gap)
	}
	for range blinks * 2 * p.BlinkPhases {
		if err := d.Run(in, out); err != nil {
			t.Fatal(err)
		}
		for i, o := range out {
			if o.Led {
				cycles[o.Select]++
			}
			if o.Led && i < gap {
				t.Fatalf("%v: an LED is on outside of the idle phase", s)
			}
			for _, observer := range observers {
				observer.Observe(o.Select, o.Led)
			}
		}
	}
	return cycles
}

// The measured duty of each LED is exactly that of the specification.
func TestDuty(t *testing.T) {
	sim.ForEach(t, design(small), func(t *testing.T, d *dut) {
		r := rand.New(rand.NewPCG(sim.Seed(), 2))
		for pattern := range leds.Pattern(16) {
			if pattern == leds.Restore {
				continue
			}
			for i := range 8 {
				if d.Simulator() == sim.Icarus && i > 1 {
					break
				}
				s := anything(r)
				s.Pattern = pattern
				got, want := measured(t, d, small, s, 1, 10), specification(small, s)
				for n := range 64 {
					if got[n] != want[n] {
						t.Errorf("%v: LED %s is on for %d cycles of a blink, not %d", s, matrix.Squares(1<<n), got[n], want[n])
					}
				}
			}
		}
	})
}

// All squares of Restore have the same share, for any number of squares. In a blink their numbers
// of turns differ by one at most, and in k blinks of k squares they are equal. No other LED is on.
func TestDutyOfRestore(t *testing.T) {
	turn := small.IdleCycles / 64
	turns := 64 * small.BlinkPhases // in a blink
	sim.ForEach(t, design(small), func(t *testing.T, d *dut) {
		r := rand.New(rand.NewPCG(sim.Seed(), 3))
		for k := range 65 {
			if d.Simulator() == sim.Icarus && k%8 > 1 {
				continue
			}
			s := leds.Show{Pattern: leds.Restore}
			for bits.OnesCount64(s.Restore) < k {
				s.Restore |= 1 << r.IntN(64)
			}
			for n, cycles := range measured(t, d, small, s, 1, 10) {
				var least, most int
				if s.Restore>>n&1 != 0 {
					least = turns / k
					most = (turns + k - 1) / k
				}
				if cycles%turn != 0 || cycles/turn < least || cycles/turn > most {
					t.Errorf("%v: LED %s is on for %d cycles of a blink, not for %d to %d turns of %d", s, matrix.Squares(1<<n), cycles, least, most, turn)
				}
			}
		}
		// The turns go on from one idle phase to the next. So in 3 blinks each of 3 squares has as
		// many turns as there are in one blink.
		s := leds.Show{Pattern: leds.Restore, Restore: 1<<5 | 1<<40 | 1<<63}
		for n, cycles := range measured(t, d, small, s, 3, 1) {
			want := 0
			if s.Restore>>n&1 != 0 {
				want = turns * turn
			}
			if cycles != want {
				t.Errorf("LED %s is on for %d cycles of 3 blinks, not %d", matrix.Squares(1<<n), cycles, want)
			}
		}
	})
}

// An observer sees the pattern that is shown. It gets only which LED is on in which cycle, with
// scans as long as the idle phases between them, and its windows begin anywhere.
func TestObserver(t *testing.T) {
	const gap = 137
	sim.ForEach(t, design(small), func(t *testing.T, d *dut) {
		r := rand.New(rand.NewPCG(sim.Seed(), 4))
		shows := []leds.Show{
			{Pattern: leds.Restore, Restore: 1 << 11},
			{Pattern: leds.Restore, Restore: 1<<11 | 1<<12},
			// the squares of Illegal
			{Pattern: leds.Restore, Restore: 1<<18 | 1<<20 | 1<<34 | 1<<36 | 1<<27},
			{Pattern: leds.Restore, Restore: ^uint64(0)},
			{Pattern: leds.Restore},
		}
		for pattern := range leds.Pattern(16) {
			s := anything(r)
			s.Pattern = pattern
			if pattern == leds.Promotion {
				s.From = uint8(56 + r.IntN(8))
			}
			if s.From != s.To {
				shows = append(shows, s)
			}
		}
		for i, s := range shows {
			if d.Simulator() == sim.Icarus && i%3 > 0 {
				continue
			}
			want := leds.Show{Pattern: s.Pattern}
			switch s.Pattern {
			case leds.Move:
				want.From, want.To = min(s.From, s.To), max(s.From, s.To)
			case leds.Check, leds.Promotion:
				want.From = s.From
			case leds.Restore:
				want.Restore = s.Restore
			}
			if s.Pattern > leds.Promotion || s.Pattern == leds.Restore && s.Restore == 0 {
				want = leds.Show{}
			}
			var observers []*matrix.Observer
			skips := []int{0, 1, gap / 2, gap + 100, gap + small.IdleCycles - 1}
			for _, skip := range skips {
				observer := matrix.NewObserver(gap+small.IdleCycles, 2*small.BlinkPhases)
				for range skip {
					observer.Observe(0, false)
				}
				observers = append(observers, observer)
			}
			measured(t, d, small, s, 3, gap, observers...) // more blinks than they remember
			for i, observer := range observers {
				sight, _ := observer.Observed()
				if got, err := leds.Read(sight); err != nil || got != want {
					t.Errorf("%v: seen from cycle %d of a window on: %v (%v), %v", s, skips[i], got, err, sight)
				}
			}
		}
	})
}

// The two squares of a move alternate visibly: in each half of a blink only one of them is lit.
func TestMoveAlternates(t *testing.T) {
	sim.ForEach(t, design(small), func(t *testing.T, d *dut) {
		if err := d.Reset(3); err != nil {
			t.Fatal(err)
		}
		s := leds.Show{Pattern: leds.Move, From: 52, To: 36}
		for phase := range 12 {
			var seen uint64
			for i := range small.IdleCycles + 3 {
				out, err := d.Step(s.In(i >= 3))
				if err != nil {
					t.Fatal(err)
				}
				if out.Led {
					seen |= 1 << out.Select
				}
			}
			want := uint64(1) << 52
			if phase/small.BlinkPhases%2 == 1 {
				want = 1 << 36
			}
			if seen != want {
				t.Errorf("in idle phase %d are lit: %s", phase, matrix.Squares(seen))
			}
		}
	})
}

// With the default parameters: some patterns and both halves of a blink in Verilator, and the
// beginning of an idle phase in Icarus.
func TestRealTimeConstants(t *testing.T) {
	p := leds.Default
	sim.ForEach(t, leds.Design, func(t *testing.T, d *dut) {
		sim.Check(t, d, leds.NewModel(p), func(yield func(leds.In) bool) {
			s := leds.Show{Pattern: leds.Restore, From: 12, To: 28, Restore: 0x8100000000000081}
			phases, cycles := p.BlinkPhases+2, p.IdleCycles
			if d.Simulator() == sim.Icarus {
				phases, cycles = 1, 3*p.IdleCycles/64+2
			}
			for phase := range phases {
				for i := range cycles + 1 {
					if !yield(s.In(i > 0)) {
						return
					}
				}
				s.Pattern = leds.Pattern(phase % 9)
			}
		})
	})
}

// Invalid parameters end the simulation, with their names.
func TestParameters(t *testing.T) {
	for name, p := range map[string]leds.Params{"IdleCycles": {IdleCycles: 63, BlinkPhases: 1}, "BlinkPhases": {IdleCycles: 64, BlinkPhases: 0}} {
		d := sim.OpenTest[leds.In, leds.Out](t, design(p), sim.Icarus)
		if _, err := d.Step(leds.In{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v: %v", p, err)
		}
	}
}

// Read returns an error for what is no pattern.
func TestReadNonsense(t *testing.T) {
	for _, s := range []matrix.Observation{
		{Steady: 3}, {Steady: 1, First: 2}, {First: 3, Second: 4}, {First: 0x7c, Second: 0x7c << 48}, {Steady: 1, First: 2, Second: 4},
	} {
		if got, err := leds.Read(s); err == nil {
			t.Errorf("%v is read as %v", s, got)
		}
	}
}

func ExampleModel() {
	p := leds.Params{IdleCycles: 100, BlinkPhases: 1}
	m := leds.NewModel(p)
	observer := matrix.NewObserver(101, 2)
	e2e4 := leds.Show{Pattern: leds.Move, From: 12, To: 28}
	for cycle := range 4 * 101 {
		// The select lines are not free in one cycle of 101.
		out := m.Step(e2e4.In(cycle%101 > 0))
		observer.Observe(out.Select, out.Led)
	}
	sight, _ := observer.Observed()
	fmt.Println(sight)
	fmt.Println(leds.Read(sight))
	// Output:
	// steady none, blinking e2, in turn with e4
	// move e2 e4 <nil>
}
