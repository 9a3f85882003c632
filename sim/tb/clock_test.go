package tb_test

import (
	"os"
	"testing"
	"time"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/tb"
)

// A process that belongs to a clock counts the cycles of this clock only, and samples in them only.
func TestClocks(t *testing.T) {
	design := sim.Design{Top: "two", FS: os.DirFS("testdata"), Dir: "sim/tb/testdata", Files: []string{"two.sv"}, Reset: "rst_i",
		Clocks: []sim.Clock{{Port: "clk_a_i", Period: 10 * time.Nanosecond}, {Port: "clk_b_i", Period: 14 * time.Nanosecond, Phase: 3 * time.Nanosecond}}}
	type in struct{ Rst bool }
	type out struct{ A, B uint8 }
	sim.ForEach(t, design, func(t *testing.T, dut *sim.DUT[in, out]) {
		if err := dut.Reset(6); err != nil {
			t.Fatal(err)
		}
		b := tb.New(dut)
		watch := func(clock string, count *uint8, period time.Duration) {
			b.Go(clock, func(p *tb.Process) {
				p.On(clock)
				for p.Wait(5); *count < 50; {
					before, at := *count, p.Time()
					p.Wait(3)
					if *count != before+3 || p.Time() != at+3*period {
						t.Errorf("%s: 3 cycles led from %d at %v to %d at %v", clock, before, at, *count, p.Time())
					}
					before, at = *count, p.Time()
					p.Until(4, func() bool { return *count == before+4 })
					p.Sleep(2*period - 1)
					if p.Time() != at+6*period {
						t.Errorf("%s: 6 periods led from %v to %v", clock, at, p.Time())
					}
				}
			})
		}
		watch("clk_a_i", &b.Out.A, 10*time.Nanosecond)
		watch("clk_b_i", &b.Out.B, 14*time.Nanosecond)
		b.Check(t, 1000)
	})
}
