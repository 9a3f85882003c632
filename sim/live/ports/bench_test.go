package ports_test

import (
	"context"
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/livetest"
	"github.com/cosimate/cosimate/sim/live/ports"
)

// BenchmarkBehindPage measures how fast a simulation is behind a page that somebody looks at, as a
// ratio to the same without it. They take turns, and the best turn of each counts, as other work on
// the machine comes and goes.
func BenchmarkBehindPage(b *testing.B) {
	const turns, length = 12, 250 * time.Millisecond
	for _, s := range sim.Simulators {
		b.Run(string(s), func(b *testing.B) {
			for range b.N {
				dut, err := sim.Open[stepsIn, stepsOut](context.Background(), steps, s)
				if err != nil {
					b.Fatal(err)
				}
				if err := dut.Reset(2); err != nil { // else X stays, which is quick
					b.Fatal(err)
				}
				in, out := make([]stepsIn, 1024), make([]stepsOut, 1024)
				for i := range in {
					in[i] = stepsIn{Reset: true, Enable: true}
				}
				address, stop := livetest.Serve(b, open(b, steps, s, ports.Options{}), live.Options{})
				f := livetest.Follow(b, address)
				f.Do("set", `{"name":"enable_i","value":"1"}`)
				var plain, behind float64 // cycles a second, at best
				for range turns {
					begin, first := time.Now(), dut.Cycle()
					for time.Since(begin) < length {
						if err := dut.Run(in, out); err != nil {
							b.Fatal(err)
						}
					}
					plain = max(plain, float64(dut.Cycle()-first)/time.Since(begin).Seconds())
					f.Do("run", "null")
					for first = f.Live.Cycles; f.Live.Cycles == first; {
						f.Next()
					}
					for first, begin = f.Live.Cycles, time.Now(); time.Since(begin) < length; {
						f.Next()
					}
					behind = max(behind, float64(f.Live.Cycles-first)/time.Since(begin).Seconds())
					f.Do("pause", "null")
					for f.Live.Running {
						f.Next()
					}
				}
				stop()
				dut.Close()
				b.ReportMetric(behind/plain, "ratio")
				b.ReportMetric(behind, "cycles/s")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}

var memoryFor = flag.Duration("live.memory", 2*time.Second, "how long TestMemory runs a simulation behind a page")

// The server's memory does not grow.
func TestMemory(t *testing.T) {
	address, _ := livetest.Serve(t, open(t, steps, sim.Verilator, ports.Options{}), live.Options{})
	f := livetest.Follow(t, address)
	f.Do("set", `{"name":"enable_i","value":"1"}`)
	f.Do("run", "null")
	// What a person does is kept, some bytes each.
	first, most, _ := f.Heap(*memoryFor, func(i int) { f.Do("set", fmt.Sprintf(`{"name":"load_i","value":"%d"}`, i%2)) })
	if most > first+1<<20 {
		t.Errorf("the heap grew from %d to %d KB", first>>10, most>>10)
	}
}
