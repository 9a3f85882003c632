package sim_test

import (
	"slices"
	"testing"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/cover"
	"github.com/cosimate/cosimate/sim/cover/coverdb"
	"github.com/cosimate/cosimate/sim/tb"
)

// Functional coverage: which situations a test has brought about. What it has not is named.

type counterCycle struct {
	In  counterIn
	Out counterOut
}

func newCounterCoverage(t testing.TB) *cover.Group[counterCycle] {
	g := cover.NewGroup[counterCycle](t, "counter")
	enable := cover.Bool(g, "enable", func(c counterCycle) bool { return c.In.Enable })
	reset := cover.Bool(g, "reset", func(c counterCycle) bool { return c.In.Rst })
	count := cover.Point(g, "count", func(c counterCycle) uint8 { return c.Out.Count })
	count.Bin("zero", 0)
	count.Bin("middle").Range(1, 254)
	count.Bin("full", 255)
	count.Transition("full", "zero")
	g.Cross("reset x count", reset, count)
	g.Cross("enable x count", enable, count)
	return g
}

// notHit are the bins without a hit after some stimulus.
func notHit(t *testing.T, dut *sim.DUT[counterIn, counterOut], stimulus func(b *tb.Bench[counterIn, counterOut], p *tb.Process)) (holes []string) {
	g := newCounterCoverage(t)
	b := tb.New(dut)
	b.Go("stimulus", func(p *tb.Process) {
		b.In = counterIn{Rst: true}
		p.Wait(2)
		stimulus(b, p)
	})
	b.Monitor("coverage", func(p *tb.Process) {
		for p.Next() {
			g.Sample(counterCycle{b.In, b.Out})
		}
	})
	b.Check(t, 10_000)
	d := g.Data()
	for _, bin := range d.SortedBins() {
		if bin.Kind == coverdb.Goal && !d.Bins[bin].Covered() {
			holes = append(holes, bin.Item+": "+bin.Name)
		}
	}
	return holes
}

func random(cycles int) func(*tb.Bench[counterIn, counterOut], *tb.Process) {
	return func(b *tb.Bench[counterIn, counterOut], p *tb.Process) {
		for b.In = range counterStimulus(cycles) {
			p.Next()
		}
	}
}

// In 200 cycles a counter of eight bits does not come to its end.
func TestCoverageShowsHoles(t *testing.T) {
	sim.ForEach(t, counter, func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) {
		holes := notHit(t, dut, random(200))
		for _, hole := range []string{"count: full", "count: full=>zero", "enable x count: <true,full>"} {
			if !slices.Contains(holes, hole) {
				t.Errorf("%q is to be among what is not hit: %q", hole, holes)
			}
		}
	})
}

// In 5 000 cycles it does. But a reset just when it is at its end is rare: that is brought about on
// purpose.
func TestCoverage(t *testing.T) {
	sim.ForEach(t, counter, func(t *testing.T, dut *sim.DUT[counterIn, counterOut]) {
		holes := notHit(t, dut, func(b *tb.Bench[counterIn, counterOut], p *tb.Process) {
			random(5000)(b, p)
			b.In = counterIn{Enable: true}
			p.Until(300, func() bool { return b.Out.Count == 254 })
			b.In.Rst = true
			p.Next()
		})
		if len(holes) > 0 {
			t.Errorf("not hit: %q", holes)
		}
	})
}
