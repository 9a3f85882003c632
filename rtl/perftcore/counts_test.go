package perftcore_test

import (
	"testing"

	"github.com/cosimate/cosimate/rtl/perftcore"
	"github.com/cosimate/cosimate/sim"
)

// The counts have 64 bits, and no job of the other tests gets to most of them. So they are written,
// while software goes on, to values from which a carry goes to each bit.
func TestLongCounts(t *testing.T) {
	design := perftcore.Design
	design.Internals = []string{"u_registers.cycles_q", "u_engine.u_sum.total_o", "u_engine.u_sum.count_q"}
	sim.ForEach(t, design, func(t *testing.T, d *dut) {
		s, m, r, cycles := newSoftware(t, seeded(100), pace{}), perftcore.NewModel(), seeded(101), 40_000
		if d.Simulator() == sim.Icarus {
			cycles = 2000
		}
		if err := d.Reset(d.ResetCycles()); err != nil {
			t.Fatal(err)
		}
		for bit := 0; len(s.tape) < cycles; {
			if r.IntN(20) == 0 {
				counts := [3]uint64{r.Uint64(), r.Uint64(), r.Uint64()}
				counts[r.IntN(3)] = 1<<bit - 1 - uint64(r.IntN(8))
				bit = (bit + 1) % 64
				for i, name := range design.Internals {
					if err := d.Poke(name, sim.Bits(64, counts[i])); err != nil {
						t.Fatal(err)
					}
				}
				for _, m := range []*perftcore.Model{m, s.model} {
					m.SetCounts(counts[0], counts[1], counts[2])
				}
			}
			done := len(s.tape)
			s.cycle()
			for _, in := range s.tape[done:] {
				if err := d.Expect([]perftcore.In{in}, []perftcore.Out{m.Step(in)}, m.DontCare); err != nil {
					d.Fail(t, err)
					return
				}
			}
		}
		if s.seen["read answered 0"] < cycles/10 {
			t.Errorf("only %d reads in %d cycles", s.seen["read answered 0"], cycles)
		}
	})
}
