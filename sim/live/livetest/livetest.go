// Package livetest is for tests of Apps of package live: it serves one, and follows it as a page
// does, without a browser. Package browser has one.
package livetest

import (
	"context"
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/cosimate/cosimate/sim/live"
)

// Serve serves an App until the test ends, or until stop is called. An error of the server fails
// the test.
func Serve(t testing.TB, app live.App, o live.Options) (address string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	o.Ready = func(a string) { ready <- a }
	go func() { ended <- live.Serve(ctx, app, o) }()
	stopped := false
	stop = func() {
		cancel()
		if !stopped {
			stopped = true
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	}
	t.Cleanup(stop)
	select {
	case address = <-ready:
	case err := <-ended:
		stopped = true
		t.Fatal(err)
	}
	return address, stop
}

// Size fails the test if the files of a page are larger than 1 MB together.
func Size(t testing.TB, app live.App) {
	t.Helper()
	size := int64(0)
	for _, folder := range append(app.Files(), live.Shared()) {
		err := fs.WalkDir(folder, ".", func(_ string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			size += info.Size()
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("the page has %d KB", size>>10)
	if size > 1<<20 {
		t.Errorf("the page has %d bytes, more than 1 MB", size)
	}
}

// Dial opens the WebSocket of an address, as a page of an origin; "" is the server's own.
func Dial(ctx context.Context, address, origin string) (*websocket.Conn, *http.Response, error) {
	if origin == "" {
		origin = strings.Join(strings.Split(address, "/")[:3], "/")
	}
	conn, response, err := websocket.Dial(ctx, strings.Replace(address, "http:", "ws:", 1)+"ws", &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {origin}}})
	if err == nil {
		conn.SetReadLimit(-1)
	}
	return conn, response, err
}

// Follower is a page that follows a simulation.
type Follower struct {
	Live live.Status // the newest

	t      testing.TB
	socket *websocket.Conn
	asked  int
}

// Follow opens a page, until the test ends.
func Follow(t testing.TB, address string) *Follower {
	t.Helper()
	conn, _, err := Dial(context.Background(), address, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.CloseNow() })
	return &Follower{t: t, socket: conn}
}

// Do asks for something, with arguments in JSON. An error fails the test when Next reads the
// answer.
func (f *Follower) Do(name, args string) {
	f.t.Helper()
	f.asked++
	f.send(`{"id":` + strconv.Itoa(f.asked) + `,"do":"` + name + `","args":` + args + `}`)
}

func (f *Follower) send(text string) {
	f.t.Helper()
	if err := f.socket.Write(context.Background(), websocket.MessageText, []byte(text)); err != nil {
		f.t.Fatal(err)
	}
}

// Next takes the next state.
func (f *Follower) Next() live.Status {
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
			f.Live = m.Live
			f.send(`{"do":"seen"}`)
			return f.Live
		}
	}
}

// Heap follows a running simulation for so long, and returns the bytes on the heap at first, at
// most and at last. In each second it calls act, which does what a person does.
func (f *Follower) Heap(long time.Duration, act func(i int)) (first, most, last uint64) {
	f.t.Helper()
	heap := func() uint64 {
		for range 25 {
			f.Next()
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	heap()
	begin, resident := time.Now(), residentKB()
	first = heap()
	for i := 0; time.Since(begin) < long; i++ {
		act(i)
		last = heap()
		most = max(most, last)
	}
	f.t.Logf("in %v %d cycles; heap %d KB at first, %d at most, %d at last; resident %s KB at first, %s at last",
		long, f.Live.Cycles, first>>10, most>>10, last>>10, resident, residentKB())
	return first, most, last
}

// residentKB returns the memory of this process, as Linux counts it.
func residentKB() string {
	data, _ := os.ReadFile("/proc/self/status")
	if m := regexp.MustCompile(`VmRSS:\s*(\d+) kB`).FindSubmatch(data); m != nil {
		return string(m[1])
	}
	return "?"
}
