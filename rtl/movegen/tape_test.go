package movegen_test

import (
	"slices"
	"testing"
	"time"

	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/sim"
)

func BenchmarkTape(b *testing.B) {
	in := gameInputs(500_000)
	out := make([]movegen.Out, len(in))
	dut, err := sim.Open[movegen.In, movegen.Out](b.Context(), movegen.Design, sim.Verilator)
	if err != nil {
		b.Fatal(err)
	}
	if err := dut.Run(in, out); err != nil {
		b.Fatal(err)
	}
	dut.Close()
	var ts []float64
	var ts2 []float64
	for range 6 {
		dut, err := sim.Open[movegen.In, movegen.Out](b.Context(), movegen.Design, sim.Verilator)
		if err != nil {
			b.Fatal(err)
		}
		dut.Run(in[:128], out[:128])
		var got [2000]movegen.Out
		for i := 128; i+2000 <= len(in); i += 2000 {
			start := time.Now()
			if err := dut.Expect(in[i:i+2000], out[i:i+2000], nil); err != nil {
				b.Fatal(err)
			}
			ts = append(ts, float64(time.Since(start).Nanoseconds())/2000)
		}
		dut.Close()
		dut, err = sim.Open[movegen.In, movegen.Out](b.Context(), movegen.Design, sim.Verilator)
		if err != nil {
			b.Fatal(err)
		}
		dut.Run(in[:128], out[:128])
		for i := 128; i+2000 <= len(in); i += 2000 {
			start := time.Now()
			for j := range got {
				var err error
				got[j], err = dut.Step(in[i+j])
				if err != nil {
					b.Fatal(err)
				}
				if got[j] != out[i+j] {
					b.Fatal(i, j)
				}
			}
			ts2 = append(ts2, float64(time.Since(start).Nanoseconds())/2000)
		}
		dut.Close()
	}
	slices.Sort(ts)
	slices.Sort(ts2)
	b.ReportMetric(ts[len(ts)/20], "tape-p5")
	b.ReportMetric(ts[len(ts)/2], "tape-p50")
	b.ReportMetric(ts2[len(ts2)/20], "step-p5")
	b.ReportMetric(ts2[len(ts2)/2], "step-p50")
}
