package sim_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/cosimate/cosimate/sim"
)

func BenchmarkStep(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	const n = 1 << 12
	in := make([]pipeIn, n)
	out := make([]pipeOut, n)
	for i := range in {
		in[i] = pipeIn{Rst: i < 4, Valid: r.IntN(4) > 0, Op: uint8(r.IntN(4)), A: r.Uint64(), B: r.Uint64(), Tag: uint16(r.Uint32())}
	}
	dut, err := sim.Open[pipeIn, pipeOut](b.Context(), pipe, sim.Verilator)
	if err != nil {
		b.Fatal(err)
	}
	defer dut.Close()
	for range 2 {
		for i := range in {
			if out[i], err = dut.Step(in[i]); err != nil {
				b.Fatal(err)
			}
		}
	}
	var ts []float64
	for range 6000 {
		start := time.Now()
		for i := range n {
			got, err := dut.Step(in[i])
			if err != nil {
				b.Fatal(err)
			}
			if i > 200 && got != out[i] {
				b.Fatal(i, got, out[i])
			}
		}
		ts = append(ts, float64(time.Since(start).Nanoseconds())/n)
	}
	slices.Sort(ts)
	b.ReportMetric(ts[len(ts)/100], "p10")
	b.ReportMetric(ts[len(ts)/2], "p50")
}

func BenchmarkTape(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	const n = 1 << 12
	in := make([]pipeIn, n)
	out := make([]pipeOut, n)
	for i := range in {
		in[i] = pipeIn{Rst: i < 4, Valid: r.IntN(4) > 0, Op: uint8(r.IntN(4)), A: r.Uint64(), B: r.Uint64(), Tag: uint16(r.Uint32())}
	}
	dut, err := sim.Open[pipeIn, pipeOut](b.Context(), pipe, sim.Verilator)
	if err != nil {
		b.Fatal(err)
	}
	defer dut.Close()
	var ts []float64
	for range 6000 {
		start := time.Now()
		if err := dut.Run(in, out); err != nil {
			b.Fatal(err)
		}
		ts = append(ts, float64(time.Since(start).Nanoseconds())/n)
	}
	slices.Sort(ts)
	b.ReportMetric(ts[len(ts)/100], "p10")
	b.ReportMetric(ts[len(ts)/2], "p50")
}
