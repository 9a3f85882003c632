package live_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	board "github.com/cosimate/cosimate/rtl/board/live"
	"github.com/cosimate/cosimate/sim/live"
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
		host := strings.Join(strings.Split(address, "/")[:3], "/")
		socket, _, err := websocket.Dial(context.Background(), strings.Replace(address, "http:", "ws:", 1)+"ws", &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {host}}})
		if err != nil {
			b.Fatal(err)
		}
		socket.SetReadLimit(-1)
		send := func(text string) {
			if err := socket.Write(context.Background(), websocket.MessageText, []byte(text)); err != nil {
				b.Fatal(err)
			}
		}
		next := func() (now live.Status) { // the next state, as a page takes it
			for {
				_, data, err := socket.Read(context.Background())
				m := struct {
					ID   int
					Live live.Status
				}{}
				if err == nil {
					err = json.Unmarshal(data, &m)
				}
				if err != nil {
					b.Fatal(err)
				}
				if m.ID == 0 {
					send(`{"do":"seen"}`)
					return m.Live
				}
			}
		}
		send(`{"id":1,"do":"speed","args":{"cycles":0}}`)
		var plain, behind float64 // cycles a second, at best
		for range turns {
			send(`{"id":2,"do":"pause"}`)
			for next().Running {
			}
			first, begin := bare.Cycles(), time.Now()
			for time.Since(begin) < length {
				if err := bare.Run(1000); err != nil {
					b.Fatal(err)
				}
			}
			plain = max(plain, float64(bare.Cycles()-first)/time.Since(begin).Seconds())
			send(`{"id":3,"do":"run"}`)
			for next().Cycles == 0 {
			}
			first, begin = next().Cycles, time.Now()
			now := first
			for time.Since(begin) < length {
				now = next().Cycles
			}
			behind = max(behind, float64(now-first)/time.Since(begin).Seconds())
		}
		socket.CloseNow()
		end()
		bare.Close()
		b.ReportMetric(behind/plain, "ratio")
		b.ReportMetric(behind, "cycles/s")
		b.ReportMetric(0, "ns/op")
	}
}
