package scanner_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/board/matrix"
	"github.com/cosimate/cosimate/rtl/leds"
	"github.com/cosimate/cosimate/rtl/scanner"
	"github.com/cosimate/cosimate/sim"
)

type dut = sim.DUT[scanner.In, scanner.Out]

// small has time constants with which a period takes 2049 cycles.
var small = scanner.Params{SettleCycles: 20, HoldCycles: 5, SyncStages: 2, IdleCycles: 256}

// design returns the RTL with these parameters.
func design(p scanner.Params) sim.Design {
	d := scanner.Design
	d.Params = map[string]string{
		"SettleCycles": fmt.Sprint(p.SettleCycles), "HoldCycles": fmt.Sprint(p.HoldCycles),
		"SyncStages": fmt.Sprint(p.SyncStages), "IdleCycles": fmt.Sprint(p.IdleCycles),
	}
	return d
}

// rough returns sensors with much noise, for time constants p.
func rough(p scanner.Params) matrix.Physics {
	return matrix.Physics{
		PowerCycles: p.SettleCycles, BounceCycles: 3 * p.Slot(),
		GlitchEvery: 10 * p.Slot(), GlitchCycles: p.HoldCycles, Crosstalk: 0.5,
	}
}

// played returns so many cycles of a board with a player and an LED driver. Some pieces move in
// each scan; now and then all pieces change, or a defect appears. LEDs are lit for a cycle or
// longer, also outside of the idle phase.
func played(p scanner.Params, physics matrix.Physics, seed, stream uint64, cycles int, resets float64) iter.Seq[scanner.In] {
	return func(yield func(scanner.In) bool) {
		r := rand.New(rand.NewPCG(seed, stream))
		board := matrix.NewSensors(physics, r.Uint64())
		board.Set(r.Uint64())
		m := scanner.NewModel(p)
		square, lit, lasts := uint8(0), false, 0
		for range cycles {
			if r.IntN(p.Period()/4) == 0 {
				if r.IntN(2) == 0 {
					board.Place(r.IntN(64))
				} else {
					board.Lift(r.IntN(64))
				}
			}
			if r.IntN(p.Period()) == 0 {
				board.Set(r.Uint64())
			}
			if r.IntN(10*p.Period()) == 0 {
				board.Dead, board.Stuck = r.Uint64()&r.Uint64()&r.Uint64(), r.Uint64()&r.Uint64()&r.Uint64()
				board.Line = matrix.Line(r.IntN(3))
			}
			if lasts--; lasts <= 0 {
				square, lit, lasts = uint8(r.IntN(64)), r.IntN(2) == 0, 1+r.IntN(2*p.Slot())*r.IntN(2)
			}
			in := scanner.In{
				Rst: r.Float64() < resets, SenseN: board.Step(m.Out().Select), LedSelect: square, Led: lit,
			}
			m.Step(in)
			if !yield(in) {
				return
			}
		}
	}
}

// Every output is compared with the model in every cycle, for boards with all kinds of noise and
// defects.
func TestNoise(t *testing.T) {
	for _, p := range []scanner.Params{small, {SettleCycles: 3, HoldCycles: 2, SyncStages: 3, IdleCycles: 37}} {
		t.Run(fmt.Sprintf("period=%d", p.Period()), func(t *testing.T) {
			sim.ForEach(t, design(p), func(t *testing.T, d *dut) {
				periods := 200
				if d.Simulator() == sim.Icarus {
					periods = 25
				}
				sim.Check(t, d, scanner.NewModel(p), played(p, rough(p), sim.Seed(), 1, periods*p.Period(), 0.1/float64(p.Period())))
			})
		})
	}
}

// A reset may come in any cycle, such as that in which the strobe is about to come: every output is
// compared with the model in every cycle, with a reset after 0, 1, 2 cycles, up to a period.
func TestResets(t *testing.T) {
	p := scanner.Params{SettleCycles: 3, HoldCycles: 2, SyncStages: 3, IdleCycles: 37}
	r := rand.New(rand.NewPCG(sim.Seed(), 3))
	var in []scanner.In
	for cycles := range p.Period() + 1 {
		for range cycles {
			in = append(in, scanner.In{SenseN: r.IntN(4) == 0, LedSelect: uint8(r.IntN(64)), Led: r.IntN(2) == 0})
		}
		in = append(in, scanner.In{Rst: true, LedSelect: uint8(r.IntN(64)), Led: true})
	}
	sim.ForEach(t, design(p), func(t *testing.T, d *dut) {
		in := in
		if d.Simulator() == sim.Icarus {
			in = in[:10_000]
		}
		sim.Check(t, d, scanner.NewModel(p), slices.Values(in))
	})
}

// bench is the RTL with sensors at its pins, which react to its outputs. There is no model.
type bench struct {
	*dut
	t     *testing.T
	p     scanner.Params
	board *matrix.Sensors
	// the LED driver; may be nil. idle is the cycle of an idle phase, or -1
	led  func(idle int) (square uint8, lit bool)
	idle int
	out  scanner.Out
}

// onBench runs a test on the RTL with small time constants in both simulators.
func onBench(t *testing.T, physics matrix.Physics, test func(b *bench)) {
	t.Helper()
	sim.ForEach(t, design(small), func(t *testing.T, d *dut) {
		test(newBench(t, d, small, physics))
	})
}

func newBench(t *testing.T, d *dut, p scanner.Params, physics matrix.Physics) *bench {
	if err := d.Reset(3); err != nil {
		t.Fatal(err)
	}
	return &bench{dut: d, t: t, p: p, idle: -1, board: matrix.NewSensors(physics, sim.Seed())}
}

// some returns n, or less in Icarus, which is slow.
func (b *bench) some(n int) int {
	if b.Simulator() == sim.Icarus {
		return n / 16
	}
	return n
}

// cycle plays one cycle. The select lines come from registers, so that they do not depend on the
// inputs of the cycle.
func (b *bench) cycle() scanner.Out {
	b.t.Helper()
	in := scanner.In{Led: true, LedSelect: 42} // must have no effect outside of the idle phase
	out, err := b.Settle(in)
	if err != nil {
		b.t.Fatal(err)
	}
	b.idle++
	if !out.Idle {
		b.idle = -1
	}
	if b.led != nil {
		in.LedSelect, in.Led = b.led(b.idle)
	}
	in.SenseN = b.board.Step(out.Select)
	if b.out, err = b.Step(in); err != nil {
		b.t.Fatal(err)
	}
	return b.out
}

// scan plays cycles until a scan has ended, and returns its readings.
func (b *bench) scan() uint64 {
	b.t.Helper()
	for range 2 * b.p.Period() {
		if b.cycle().Strobe {
			return b.out.Occupied
		}
	}
	b.t.Fatalf("no strobe within %d cycles", 2*b.p.Period())
	return 0
}

// reads fails the test if a scan's readings are not these squares.
func (b *bench) reads(what string, want uint64) {
	b.t.Helper()
	if got := b.scan(); got != want {
		b.t.Fatalf("%s: the scan that ended in cycle %d has these squares wrong: %s\nread:\n%sdue:\n%s",
			what, b.Cycle(), matrix.Squares(got^want), matrix.Board(got), matrix.Board(want))
	}
}

// A piece on each square alone, and on all squares but one, is read from sensors that take all the
// time that they may.
func TestEverySquare(t *testing.T) {
	onBench(t, matrix.Physics{PowerCycles: small.SettleCycles}, func(b *bench) {
		for i := range b.some(64) {
			n := 63 * i / (b.some(64) - 1) // from a1 to h8
			for _, squares := range []uint64{1 << n, ^(1 << n)} {
				b.board.Set(squares)
				b.reads(fmt.Sprintf("square %d", n), squares)
			}
		}
	})
}

// The published scanner writes what it reads to the square before, when the next one is selected.
// Here a column that changes between squares shows which square a reading is taken for.
func TestKnownFaultReadingOfPreviousSquare(t *testing.T) {
	onBench(t, matrix.Physics{PowerCycles: small.SettleCycles}, func(b *bench) {
		for _, squares := range []uint64{0x5555555555555555, 0xaaaaaaaaaaaaaaaa, 0x00ff00ff00ff00ff, 0x0123456789abcdef} {
			b.board.Set(squares)
			b.reads("alternating squares", squares)
		}
	})
}

// The published scanner must select square 0 in the last hundredth of the idle phase. Here the LED
// driver may have the select lines up to the end: it keeps them on squares of the other kind, and
// square 0 is still read right.
func TestKnownFaultSquare0NeedsTheIdlePhase(t *testing.T) {
	onBench(t, matrix.Physics{PowerCycles: small.SettleCycles}, func(b *bench) {
		for i := range 8 {
			square0 := uint64(i & 1)
			b.board.Set(0x8000000000000010 | square0)
			// an occupied square, which is also the last of the scan once
			other := uint8(4 + 59*(i>>1&1))
			if square0 != 0 {
				other = 7 // an empty square
			}
			b.led = func(int) (uint8, bool) { return other, true }
			b.reads("square 0", 0x8000000000000010|square0)
		}
	})
}

// The line's level in the idle phase is no square's reading. Pieces that are moved in the idle
// phase and are back before the scan have no effect.
func TestKnownFaultReadingOfIdlePhase(t *testing.T) {
	onBench(t, matrix.Physics{}, func(b *bench) {
		for n := range uint8(b.some(64)) {
			b.board.Set(0)
			b.led = func(idle int) (uint8, bool) {
				b.board.Set(0)
				if idle >= 0 && idle < b.p.IdleCycles-1 {
					b.board.Set(1 << n)
				}
				return n, true
			}
			b.reads("a board that is empty in the scan", 0)
			for range b.p.IdleCycles + 2 {
				if out := b.cycle(); out.Occupied != 0 {
					t.Fatalf("between two scans these were read: %s", matrix.Squares(out.Occupied))
				}
			}
		}
	})
}

// A square whose reading is not stable keeps its value. If the line is disturbed whenever certain
// squares are read, their changes are not seen until it is quiet.
func TestUnsettledReadingKeepsFormerValue(t *testing.T) {
	onBench(t, matrix.Physics{}, func(b *bench) {
		r := rand.New(rand.NewPCG(sim.Seed(), 5))
		for range 8 {
			before, after, disturbed := r.Uint64(), r.Uint64(), r.Uint64()
			b.board.Set(before)
			b.reads("quiet", before)
			b.board.Set(after)
			at, square := 0, uint8(63)
			for !b.out.Strobe || at == 0 {
				// Set the wrong level for one cycle, in the middle of the time in which the line
				// must be stable.
				if b.out.Select != square || b.out.Idle {
					square, at = b.out.Select, 0
				}
				b.board.Line = matrix.LineGood
				if disturbed>>square&1 != 0 && at == b.p.SettleCycles+2 {
					b.board.Line = matrix.LineLow
					if after>>square&1 != 0 {
						b.board.Line = matrix.LineHigh
					}
				}
				b.cycle()
				at++
			}
			if got, want := b.out.Occupied, after&^disturbed|before&disturbed; got != want {
				t.Fatalf("read:\n%sdue, as the line is disturbed on %s:\n%s", matrix.Board(got), matrix.Squares(disturbed), matrix.Board(want))
			}
			b.board.Line = matrix.LineGood
			b.reads("quiet again", after)
		}
	})
}

// A sensor may take all of SettleCycles to power up. If it takes one cycle more it is not read, and
// the square keeps its value.
func TestPowerUpTime(t *testing.T) {
	sim.ForEach(t, design(small), func(t *testing.T, d *dut) {
		for late := range 2 {
			if err := d.Reset(3); err != nil {
				t.Fatal(err)
			}
			// Square 0 holds a piece; its line is high until it is powered.
			for cycle := range small.Slot() + 1 {
				out, err := d.Step(scanner.In{SenseN: cycle < small.SettleCycles+late})
				if err != nil {
					t.Fatal(err)
				}
				if want := uint64(1 - late); cycle == small.Slot() && out.Occupied != want {
					t.Errorf("powered after %d cycles, of %d: occupied_o is %d, not %d", small.SettleCycles+late, small.SettleCycles, out.Occupied, want)
				} else if cycle < small.Slot() && (out.Occupied != 0 || out.Select != 0) {
					t.Fatalf("cycle %d of square 0's slot: %+v", cycle, out)
				}
			}
		}
	})
}

// Dead and stuck sensors are read as empty and as occupied. Other squares are not affected.
func TestDeadAndStuckSensors(t *testing.T) {
	onBench(t, matrix.Physics{PowerCycles: small.SettleCycles}, func(b *bench) {
		r := rand.New(rand.NewPCG(sim.Seed(), 6))
		for range 8 {
			pieces := r.Uint64()
			b.board.Dead, b.board.Stuck = r.Uint64()&r.Uint64(), r.Uint64()&r.Uint64()
			b.board.Set(pieces)
			b.reads("with dead and stuck sensors", pieces&^b.board.Dead|b.board.Stuck)
		}
	})
}

// A stuck line is read as a full or an empty board. When it is repaired, the board is read again.
func TestStuckLine(t *testing.T) {
	onBench(t, matrix.Physics{PowerCycles: small.SettleCycles}, func(b *bench) {
		b.board.Set(0xffff00000000ffff)
		for _, c := range []struct {
			line matrix.Line
			want uint64
		}{{matrix.LineLow, ^uint64(0)}, {matrix.LineHigh, 0}, {matrix.LineGood, 0xffff00000000ffff}} {
			b.board.Line = c.line
			b.reads(fmt.Sprintf("line %d", c.line), c.want)
		}
	})
}

// While a piece is placed or lifted its sensor bounces. Then its square is read as before or as
// after, and other squares do not change. When the sensor rests, the square is read right.
func TestBounce(t *testing.T) {
	physics := matrix.Physics{PowerCycles: small.SettleCycles, BounceCycles: 2 * small.Slot(), Crosstalk: 1}
	onBench(t, physics, func(b *bench) {
		r := rand.New(rand.NewPCG(sim.Seed(), 7))
		pieces := uint64(0)
		for range b.some(40) {
			n := r.IntN(64)
			for range r.IntN(b.p.Period()) {
				b.cycle()
			}
			if pieces>>n&1 == 0 {
				b.board.Place(n)
			} else {
				b.board.Lift(n)
			}
			pieces ^= 1 << n
			moving := uint64(1)<<n | matrix.Neighbours(n)
			for range 2 {
				if wrong := (b.scan() ^ pieces) &^ moving; wrong != 0 {
					t.Fatalf("square %d was moved, and these read wrong: %s", n, matrix.Squares(wrong))
				}
			}
			b.reads("at rest", pieces)
		}
	})
}

// Whatever the LED driver does, no LED is on in a scan, and select_o is stable for a whole slot. In
// the idle phase the pins have exactly the LED driver's outputs, a cycle later.
func TestSelectLines(t *testing.T) {
	onBench(t, matrix.Physics{}, func(b *bench) {
		r := rand.New(rand.NewPCG(sim.Seed(), 8))
		type lamp struct {
			square uint8
			lit    bool
		}
		var asked, shown []lamp
		b.led = func(idle int) (uint8, bool) {
			l := lamp{uint8(r.IntN(64)), r.IntN(2) == 0}
			if idle >= 0 {
				asked = append(asked, l)
			}
			return l.square, l.lit
		}
		b.scan()
		for range 4 {
			asked, shown = asked[:0], shown[:0]
			// Begin in the cycle after the strobe, as the strobe's cycle has been played.
			for i := range small.Period() {
				out := b.cycle()
				if i < small.IdleCycles {
					shown = append(shown, lamp{out.Select, out.Led})
					continue
				}
				slot := (i - small.IdleCycles) / small.Slot()
				if slot < 64 && (out.Led || int(out.Select) != slot) {
					t.Fatalf("%d cycles after the idle phase, in the slot of square %d: %+v", i-small.IdleCycles, slot, out)
				}
			}
			if !b.out.Strobe {
				t.Fatalf("the strobe does not come %d cycles after the last", small.Period())
			}
			if fmt.Sprint(shown[1:]) != fmt.Sprint(asked[:len(shown)-1]) {
				t.Fatalf("the LED driver asked for\n%v\nand the pins had\n%v", asked, shown[1:])
			}
		}
	})
}

// With the LED driver, each LED has the right duty at the pins, an observer sees the pattern, and
// the sensors are read as without LEDs.
func TestWithLEDs(t *testing.T) {
	onBench(t, matrix.Physics{PowerCycles: small.SettleCycles}, func(b *bench) {
		const blink = 3
		driver := leds.NewModel(leds.Params{IdleCycles: small.IdleCycles, BlinkPhases: blink})
		e2e4 := leds.Show{Pattern: leds.Move, From: 12, To: 28}
		eye := matrix.NewObserver(small.Period(), 2*blink)
		var on [64]int
		b.led = func(idle int) (uint8, bool) {
			out := driver.Step(e2e4.In(idle >= 0))
			return out.Select, out.Led
		}
		const pieces = 0xffff00000000ffff
		b.board.Set(pieces)
		b.reads("first", pieces)
		for range 2 * 2 * blink * small.Period() {
			out := b.cycle()
			if out.Strobe && out.Occupied != pieces {
				t.Fatalf("read:\n%s", matrix.Board(out.Occupied))
			}
			eye.Observe(out.Select, out.Led)
			if out.Led {
				on[out.Select]++
			}
		}
		for n, cycles := range on {
			due := 0
			switch n {
			case 12:
				due = 2 * blink * (small.IdleCycles * 40 / 100)
			case 28:
				due = 2 * blink * (small.IdleCycles*80/100 - small.IdleCycles*40/100)
			}
			if cycles != due {
				t.Errorf("LED %s is on for %d cycles, not %d", matrix.Squares(1<<n), cycles, due)
			}
		}
		sight, _ := eye.Observed()
		if got, err := leds.Read(sight); err != nil || got != e2e4 {
			t.Errorf("seen: %v, %v", got, err)
		}
	})
}

// With the default parameters and noise, every output is compared in every cycle, and the readings
// are the pieces: for whole scans in Verilator, and for the first squares in Icarus.
func TestRealTimeConstants(t *testing.T) {
	p := scanner.Default
	sim.ForEach(t, scanner.Design, func(t *testing.T, d *dut) {
		cycles := p.Period() + 3*p.Slot()
		if d.Simulator() == sim.Icarus {
			cycles = 3*p.Slot() + 2
		}
		sim.Check(t, d, scanner.NewModel(p), played(p, matrix.Real, sim.Seed(), 9, cycles, 0))
	})
}

// Invalid parameters end the simulation, with their names.
func TestParameters(t *testing.T) {
	for name, p := range map[string]scanner.Params{
		"SettleCycles": {SettleCycles: 0, HoldCycles: 2, SyncStages: 2, IdleCycles: 9},
		"IdleCycles":   {SettleCycles: 9, HoldCycles: 2, SyncStages: 2, IdleCycles: 0},
	} {
		d := sim.OpenTest[scanner.In, scanner.Out](t, design(p), sim.Icarus)
		if _, err := d.Step(scanner.In{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v: %v", p, err)
		}
	}
}

// The model reads a board, as it does in testbenches of larger designs.
func ExampleModel() {
	m := scanner.NewModel(scanner.Params{SettleCycles: 20, HoldCycles: 5, SyncStages: 2, IdleCycles: 100})
	board := matrix.NewSensors(matrix.Physics{PowerCycles: 20, BounceCycles: 30}, 1)
	board.Place(0)
	board.Place(28)
	for {
		out := m.Step(scanner.In{SenseN: board.Step(m.Out().Select)})
		if out.Strobe {
			fmt.Println(matrix.Squares(out.Occupied))
			break
		}
	}
	// Output: a1 e4
}
