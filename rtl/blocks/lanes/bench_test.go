package lanes_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
	"github.com/cosimate/cosimate/bridge/verilator"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/rtl/perftengine"
	"github.com/cosimate/cosimate/rtl/uart"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/sim"
)

// rowsOf returns rows of random inputs as the block's vectors have them. The first is a reset.
func rowsOf[I any, O comparable](b *testing.B, d sim.Design, n int, reset I, random func(*rand.Rand, I) I) (*bridge.Layout, []byte) {
	dut, err := sim.Open[I, O](b.Context(), d, sim.Verilator)
	if err != nil {
		b.Fatal(err)
	}
	defer dut.Close()
	r := rand.New(rand.NewPCG(1, 1))
	in := []I{reset}
	var last I
	for len(in) < n {
		last = random(r, last)
		in = append(in, last)
	}
	l, rows, _, err := dut.Rows(in, make([]O, n))
	if err != nil {
		b.Fatal(err)
	}
	return l, rows
}

// randomRows returns rows for a design without structs of its own: all ports random, no reset but
// in the first row.
func randomRows(b *testing.B, d sim.Design, n int) (*bridge.Layout, []byte) {
	m, err := lanes.Build(b.Context(), d, lanes.BuildOptions{})
	if err != nil {
		b.Fatal(err)
	}
	l := m.Layout()
	r := rand.New(rand.NewPCG(1, 1))
	rows := make([]byte, n*l.InSize)
	for cycle := range n {
		for _, p := range l.Inputs {
			w := r.Uint64() >> (64 - p.Width)
			if p.Name == d.Reset {
				w = 0
				if cycle == 0 {
					w = 1
				}
			}
			for i := range p.Size {
				rows[cycle*l.InSize+p.Offset+i] = byte(w >> (8 * i))
			}
		}
	}
	return l, rows
}

// BenchmarkLanes measures lane-cycles a second beside cycles of the Verilated model with the same
// inputs, in CPU time of one core: with one row for all lanes, and with rows of each lane in and
// out.
func BenchmarkLanes(b *testing.B) {
	const n = 4096
	count := movegen.Design
	count.Top = "movegen_count"
	fast := uart.Design
	fast.Params = map[string]string{"Divisor": "8"}
	for _, c := range []struct {
		design sim.Design
		rows   func(b *testing.B, d sim.Design) (*bridge.Layout, []byte)
	}{
		{fast, func(b *testing.B, d sim.Design) (*bridge.Layout, []byte) {
			bit, left := true, 0
			return rowsOf[uart.In, uart.Out](b, d, n, uart.In{Rst: true, Rx: true}, func(r *rand.Rand, _ uart.In) uart.In {
				if left == 0 {
					bit, left = r.IntN(2) == 0, 8
				}
				left--
				return uart.In{Rx: bit, TxValid: r.IntN(80) == 0, TxData: byte(r.Uint32()), RxReady: r.IntN(80) == 0}
			})
		}},
		{count, func(b *testing.B, d sim.Design) (*bridge.Layout, []byte) { return randomRows(b, d, n) }},
		{movegen.Design, func(b *testing.B, d sim.Design) (*bridge.Layout, []byte) {
			return rowsOf[movegen.In, movegen.Out](b, d, n, movegen.In{Rst: true}, movegen.Block.Random)
		}},
		{perftengine.RTL, func(b *testing.B, d sim.Design) (*bridge.Layout, []byte) {
			return rowsOf[perftengine.In, perftengine.Out](b, d, n, perftengine.In{Rst: true}, perftengine.Block.Random)
		}},
		{validity.Design, func(b *testing.B, d sim.Design) (*bridge.Layout, []byte) {
			return rowsOf[validity.In, validity.Out](b, d, n, validity.In{Rst: true}, validity.Block.Random)
		}},
	} {
		b.Run(c.design.Top, func(b *testing.B) {
			layout, in := c.rows(b, c.design)
			shape := func([]bridge.Port) (*bridge.Layout, error) { return layout, nil }
			v, err := verilator.Build(b.Context(), c.design, bridge.BuildOptions{Shape: shape})
			if err != nil {
				b.Fatal(err)
			}
			model, err := v.Start(bridge.Options{Seed: 1})
			if err != nil {
				b.Fatal(err)
			}
			defer model.Close()
			m, err := lanes.Build(b.Context(), c.design, lanes.BuildOptions{Shape: shape})
			if err != nil {
				b.Fatal(err)
			}
			batch, err := m.Start(lanes.Options{Seed: 1})
			if err != nil {
				b.Fatal(err)
			}
			defer batch.Close()
			const some = 64 // cycles with rows of each lane
			each, out := make([]byte, 0, some*lanes.Count*layout.InSize), make([]byte, some*lanes.Count*layout.OutSize)
			for i := range some * lanes.Count {
				each = append(each, in[i%n*layout.InSize:][:layout.InSize]...)
			}
			got, unknown := make([]byte, n*layout.OutSize), make([]byte, n*layout.OutSize)
			for b.Loop() {
				var one, shared, rows []float64
				for range 9 {
					one = append(one, perCycle(b, 8*n, func() (err error) {
						for range 8 {
							if _, err = model.Run(b.Context(), &bridge.Rows{In: in, Out: got, Unknown: unknown}, n); err != nil {
								return err
							}
						}
						return nil
					}))
					shared = append(shared, perCycle(b, n*lanes.Count, func() error {
						_, err := batch.Run(b.Context(), lanes.Rows{In: in, Shared: true}, n)
						return err
					}))
					rows = append(rows, perCycle(b, some*lanes.Count, func() error {
						_, err := batch.Run(b.Context(), lanes.Rows{In: each, Out: out}, some)
						return err
					}))
				}
				v, s, r := slices.Min(one), slices.Min(shared), slices.Min(rows)
				b.ReportMetric(v/s, "lanes/verilator")
				b.ReportMetric(v/r, "rows/verilator")
				b.ReportMetric(0, "ns/op")
				fmt.Printf("%s, %v, %s: Verilator %.0f ns a cycle; 512 lanes %.2f us (ratio %.1f), with rows in and out %.2f us (ratio %.1f)\n",
					c.design.Top, m.Code(), m.Size(), v, s*lanes.Count/1000, v/s, r*lanes.Count/1000, v/r)
			}
		})
	}
}

// perCycle returns the nanoseconds of CPU time that each of n cycles takes.
func perCycle(b *testing.B, n int, play func() error) float64 {
	begin := cpuTime()
	if err := play(); err != nil {
		b.Fatal(err)
	}
	return float64((cpuTime() - begin).Nanoseconds()) / float64(n)
}

// cpuTime is the CPU time of this process, in which both run.
func cpuTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
