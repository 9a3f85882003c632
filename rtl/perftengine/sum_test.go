package perftengine_test

import (
	"errors"
	"testing"

	"github.com/cosimate/cosimate/rtl/perftengine"
	"github.com/cosimate/cosimate/sim"
)

// The counts have 64 bits, and no job that ends in a test gets to most of them. So they are
// written, while jobs are counted, to values from which a carry goes to each bit.
func TestLongCounts(t *testing.T) {
	design := perftengine.Design
	design.Internals = []string{"u_sum.total_o", "u_sum.count_q"}
	p := parse(t, "4k3/8/8/8/8/8/8/4K3 w - - 0 1") // five moves, each of which has five replies
	// Sixteen: as many as wait to be handed over at most. Here they do.
	many := parse(t, "4k3/8/8/8/8/8/P5B1/4K3 w - - 0 1")
	sim.ForEach(t, design, func(t *testing.T, d *dut) {
		m, r, jobs := perftengine.NewModel(), seeded(6), 150
		if d.Simulator() == sim.Icarus {
			jobs = 10
		}
		if err := d.Reset(d.ResetCycles()); err != nil {
			t.Fatal(err)
		}
		bit := 0 // the next one to which a carry is to go
		in := perftengine.Job(&p, 3, true)
		in.DivReady = true
		for jobs > 0 {
			if r.IntN(200) == 0 {
				in.DivReady = !in.DivReady
			}
			if r.IntN(3) == 0 {
				below, any := uint64(1)<<bit-1-uint64(r.IntN(8)), r.Uint64()
				total, root := below, any
				if r.IntN(2) > 0 {
					total, root = any, below
				}
				bit = (bit + 1) % 64
				if err := errors.Join(d.Poke("u_sum.total_o", sim.Bits(64, total)), d.Poke("u_sum.count_q", sim.Bits(64, root))); err != nil {
					t.Fatal(err)
				}
				m.SetCounts(total, root)
			}
			want := m.Step(in)
			if err := d.Expect([]perftengine.In{in}, []perftengine.Out{want}, m.DontCare); err != nil {
				d.Fail(t, err)
				return
			}
			if want.Done {
				jobs--
				ready := in.DivReady
				if in = perftengine.Job(&p, 3, true); jobs%2 == 0 {
					in = perftengine.Job(&many, 2, true)
				}
				in.DivReady = ready
			}
		}
	})
}
