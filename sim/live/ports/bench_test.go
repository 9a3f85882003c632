package ports_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/ports"
)

// follower is a page that follows a simulation, without a browser.
type follower struct {
	t      testing.TB
	socket *websocket.Conn
	live   live.Status
}

func follow(t testing.TB, address string) *follower {
	t.Helper()
	host := strings.Join(strings.Split(address, "/")[:3], "/")
	conn, _, err := websocket.Dial(context.Background(), strings.Replace(address, "http:", "ws:", 1)+"ws", &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {host}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.CloseNow() })
	conn.SetReadLimit(-1)
	return &follower{t: t, socket: conn}
}

func (f *follower) send(text string) {
	f.t.Helper()
	if err := f.socket.Write(context.Background(), websocket.MessageText, []byte(text)); err != nil {
		f.t.Fatal(err)
	}
}

// next takes the next state.
func (f *follower) next() {
	f.t.Helper()
	for {
		_, data, err := f.socket.Read(context.Background())
		var m struct {
			ID    int
			Error string
			Live  live.Status
		}
		if err == nil {
			err = json.Unmarshal(data, &m)
		}
		if err != nil || m.Error != "" {
			f.t.Fatal(err, m.Error)
		}
		if m.ID == 0 {
			f.live = m.Live
			f.send(`{"do":"seen"}`)
			return
		}
	}
}

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
				address, stop := serve(b, open(b, steps, s, ports.Options{}), live.Options{})
				f := follow(b, address)
				f.send(`{"id":1,"do":"set","args":{"name":"enable_i","value":"1"}}`)
				var plain, behind float64 // cycles a second, at best
				for range turns {
					begin, first := time.Now(), dut.Cycle()
					for time.Since(begin) < length {
						if err := dut.Run(in, out); err != nil {
							b.Fatal(err)
						}
					}
					plain = max(plain, float64(dut.Cycle()-first)/time.Since(begin).Seconds())
					f.send(`{"id":2,"do":"run"}`)
					for first = f.live.Cycles; f.live.Cycles == first; {
						f.next()
					}
					for first, begin = f.live.Cycles, time.Now(); time.Since(begin) < length; {
						f.next()
					}
					behind = max(behind, float64(f.live.Cycles-first)/time.Since(begin).Seconds())
					f.send(`{"id":3,"do":"pause"}`)
					for f.live.Running {
						f.next()
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
	address, _ := serve(t, open(t, steps, sim.Verilator, ports.Options{}), live.Options{})
	f := follow(t, address)
	f.send(`{"id":1,"do":"set","args":{"name":"enable_i","value":"1"}}`)
	f.send(`{"id":2,"do":"run"}`)
	memory := func() uint64 {
		for range 25 {
			f.next()
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	memory()
	begin, first := time.Now(), memory()
	most := first
	for i := 0; time.Since(begin) < *memoryFor; i++ {
		// What a person does is kept, some bytes each.
		f.send(fmt.Sprintf(`{"id":%d,"do":"set","args":{"name":"load_i","value":"%d"}}`, i+3, i%2))
		most = max(most, memory())
	}
	if most > first+1<<20 {
		t.Errorf("in %v and %d cycles the heap grew from %d to %d KB", *memoryFor, f.live.Cycles, first>>10, most>>10)
	}
	t.Logf("%d cycles, heap %d KB at first and %d KB at most", f.live.Cycles, first>>10, most>>10)
}
