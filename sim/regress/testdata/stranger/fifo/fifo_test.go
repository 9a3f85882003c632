package fifo

import (
	"iter"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/cosimate/cosimate/sim"
)

type in struct {
	Rst, Push bool
	Data      uint8
	Pop       bool
}

type out struct {
	Data        uint8
	Valid, Full bool
}

type model struct{ queue []uint8 }

func (m *model) Reset() { m.queue = nil }

func (m *model) Step(i in) (o out) {
	o.Valid, o.Full = len(m.queue) > 0, len(m.queue) == 4
	if o.Valid {
		o.Data = m.queue[0]
	}
	if i.Rst {
		m.queue = nil
		return o
	}
	if i.Pop && o.Valid {
		m.queue = m.queue[1:]
	}
	if i.Push && !o.Full {
		m.queue = append(m.queue, i.Data)
	}
	return o
}

func stimulus(cycles int) iter.Seq[in] {
	return func(yield func(in) bool) {
		r := rand.New(rand.NewPCG(sim.Seed(), 1))
		push := 1 + r.IntN(3)
		for range cycles {
			if !yield(in{Push: r.IntN(4) < push, Data: uint8(r.Uint32()), Pop: r.IntN(2) == 0}) {
				return
			}
		}
	}
}

func TestFIFO(t *testing.T) {
	design := sim.Design{Top: "fifo", FS: os.DirFS("."), Dir: "fifo", Files: []string{"fifo.sv"}, Clock: "clk_i", Reset: "rst_i"}
	sim.ForEach(t, design, func(t *testing.T, dut *sim.DUT[in, out]) {
		sim.Check(t, dut, &model{}, stimulus(50))
	})
}
