package live_test

import (
	"flag"
	"testing"
	"time"

	board "github.com/cosimate/cosimate/rtl/board/live"
	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/livetest"
)

// BenchmarkBehindPage measures how fast the board is behind a page that somebody looks at, as a
// ratio to the same session without it. They take turns, and the best turn of each counts, as other
// work on the machine comes and goes.
func BenchmarkBehindPage(b *testing.B) {
	const turns, length = 12, 250 * time.Millisecond
	for range b.N {
		bare, err := board.Open(b.Context(), board.Options{})
		if err != nil {
			b.Fatal(err)
		}
		address, end := served(b, live.Options{}, nil)
		f := livetest.Follow(b, address)
		f.Do("speed", `{"cycles":0}`)
		var plain, behind float64 // cycles a second, at best
		for range turns {
			f.Do("pause", "null")
			for f.Next().Running {
			}
			first, begin := bare.Cycles(), time.Now()
			for time.Since(begin) < length {
				if err := bare.Run(1000); err != nil {
					b.Fatal(err)
				}
			}
			plain = max(plain, float64(bare.Cycles()-first)/time.Since(begin).Seconds())
			f.Do("run", "null")
			for f.Next().Cycles == 0 {
			}
			first, begin = f.Next().Cycles, time.Now()
			now := first
			for time.Since(begin) < length {
				now = f.Next().Cycles
			}
			behind = max(behind, float64(now-first)/time.Since(begin).Seconds())
		}
		end()
		bare.Close()
		b.ReportMetric(behind/plain, "ratio")
		b.ReportMetric(behind, "cycles/s")
		b.ReportMetric(0, "ns/op")
	}
}

var memoryFor = flag.Duration("live.memory", 2*time.Second, "how long TestMemory plays behind a page that looks inside")

// The server's memory does not grow, but for the recording of the board's inputs, which ends when
// it has 4 MB.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long: go test without -short runs it, as make nightly does")
	}
	const recording = 5 << 20
	address, _ := served(t, live.Options{}, nil)
	f := livetest.Follow(t, address)
	f.Do("speed", `{"cycles":0}`)
	f.Do("view.inside", `{"on":true}`)
	for f.Next().Cycles < 50_000 {
	}
	f.Do("watch", `{"name":"state"}`)
	first, most, _ := f.Heap(*memoryFor, func(i int) { f.Do("knock", `{"id":4}`); f.Do("tidy", "null") })
	if most > first+recording {
		t.Errorf("the heap grew from %d to %d KB", first>>10, most>>10)
	}
}
