package sum_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/cosimate/cosimate/sim"
)

type in struct {
	Rst, Valid bool
	Term       uint8
}

type out struct {
	Sum  uint8
	Over bool
}

type model struct{ out }

func (m *model) Reset() { m.out = out{} }

func (m *model) Step(i in) out {
	now := m.out
	switch sum := int(m.Sum) + int(i.Term); {
	case i.Rst:
		m.out = out{}
	case i.Valid && sum > 255:
		m.out = out{255, true}
	case i.Valid:
		m.Sum = uint8(sum)
	}
	return now
}

func TestSum(t *testing.T) {
	design := sim.Design{Top: "sum", FS: os.DirFS("."), Dir: "sum", Files: []string{"sum.sv"}, Clock: "clk_i", Reset: "rst_i"}
	sim.ForEach(t, design, func(t *testing.T, dut *sim.DUT[in, out]) {
		r := rand.New(rand.NewPCG(sim.Seed(), 1))
		sim.Check(t, dut, &model{}, func(yield func(in) bool) {
			for c := range 6 {
				if !yield(in{Rst: c == 0, Valid: c > 0, Term: uint8(r.Uint32())}) {
					return
				}
			}
		})
	})
}
