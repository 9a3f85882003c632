package tb_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/tb"
)

// BenchmarkProcesses measures what processes cost on top of DUT.Step, in nanoseconds a cycle and
// process and as a ratio of the same run. There are processes and monitors that run in every cycle,
// and processes that wait for a condition that does not come.
func BenchmarkProcesses(b *testing.B) {
	const cycles = 200_000
	kinds := map[string]func(bench bench, name string){
		"running": func(bench bench, name string) {
			bench.Background(name, func(p *tb.Process) {
				for p.Next() {
					bench.In.Data++
				}
			})
		},
		"monitors": func(bench bench, name string) {
			bench.Monitor(name, func(p *tb.Process) {
				for p.Next() {
				}
			})
		},
		"waiting": func(bench bench, name string) {
			bench.Background(name, func(p *tb.Process) {
				p.Until(2*cycles, func() bool { return bench.Out.Count > 128 && !bench.Out.Slow && bench.In.Rst })
			})
		},
	}
	for _, kind := range []string{"running", "monitors", "waiting"} {
		for _, n := range []int{1, 4, 16} {
			b.Run(fmt.Sprintf("%s/%d", kind, n), func(b *testing.B) {
				dut := sim.OpenTest[echoIn, echoOut](b, echo, sim.Verilator)
				bench := tb.New(dut)
				var plain, processes time.Duration
				for b.Loop() {
					start := time.Now()
					var in echoIn
					for range cycles {
						in.Data++
						if _, err := dut.Step(in); err != nil {
							b.Fatal(err)
						}
					}
					plain += time.Since(start)
					start = time.Now()
					for i := range n {
						kinds[kind](bench, fmt.Sprint(i))
					}
					bench.Go("end", func(p *tb.Process) { p.Wait(cycles) })
					if err := bench.Run(cycles); err != nil {
						b.Fatal(err)
					}
					processes += time.Since(start)
				}
				all := float64(b.N * cycles)
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(plain)/all, "step-ns/cycle")
				b.ReportMetric(float64(processes-plain)/all/float64(n), "ns/cycle/process")
				b.ReportMetric(float64(plain)/float64(processes), "x-of-step")
			})
		}
	}
}
