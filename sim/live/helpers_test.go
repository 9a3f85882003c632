package live_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/coder/websocket"

	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/livetest"
)

// lamps is an App of eight lamps, of which a cycle switches on the next one.
type lamps struct {
	cycle   uint64
	stopAt  uint64 // pauses there
	breaks  uint64 // fails there
	big     int    // bytes that make the state long
	restore string // why it cannot be restored
	joined  int
	steps   int
}

func (l *lamps) Files() []fs.FS {
	return []fs.FS{fstest.MapFS{"index.html": {Data: []byte("<h1>Lamps</h1>\n")}, "own.js": {Data: []byte("1")}}}
}
func (l *lamps) Join(*live.Viewer)  { l.joined++ }
func (l *lamps) Leave(*live.Viewer) { l.joined-- }

func (l *lamps) Handle(_ *live.Viewer, name string, args json.RawMessage) (any, error) {
	switch name {
	case "set", "view.set":
		return l.cycle, json.Unmarshal(args, &l.cycle)
	}
	return nil, fmt.Errorf("there is no %s", name)
}

func (l *lamps) Step(_ context.Context, n int) (int, error) {
	l.steps++
	for i := range n {
		l.cycle++
		switch l.cycle {
		case l.stopAt:
			return i + 1, &live.Pause{Reason: "the lamp that you wanted"}
		case l.breaks:
			return i + 1, fmt.Errorf("a lamp is broken")
		}
	}
	return n, nil
}

func (l *lamps) Time() (uint64, time.Duration) {
	return l.cycle, time.Duration(l.cycle) * time.Millisecond
}

func (l *lamps) State(*live.Viewer) any {
	return map[string]any{"lamp": l.cycle % 8, "cycle": l.cycle, "fill": strings.Repeat("x", l.big)}
}

func (l *lamps) Save() ([]byte, error) { return json.Marshal(l.cycle) }
func (l *lamps) Restore(_ context.Context, saved []byte) error {
	if l.restore != "" {
		return fmt.Errorf("%s", l.restore)
	}
	return json.Unmarshal(saved, &l.cycle)
}

// page is what a page's script does, in Go.
type page struct {
	t      *testing.T
	socket *websocket.Conn
	next   int
	// The newest that was received.
	state struct {
		Lamp, Cycle uint64
		Fill        string
	}
	status  live.Status
	answers map[int]reply
	silent  bool // acknowledges nothing
	states  int
}

type reply struct {
	Answer json.RawMessage
	Error  string
}

func origin(address string) string {
	return address[:strings.LastIndex(strings.TrimSuffix(address, "/"), "/")]
}

func open(t *testing.T, address string) *page {
	t.Helper()
	conn, _, err := livetest.Dial(t.Context(), address, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.CloseNow() })
	p := &page{t: t, socket: conn, answers: map[int]reply{}}
	p.until(func() bool { return p.states > 0 })
	return p
}

// receive takes one message.
func (p *page) receive() {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	defer cancel()
	_, data, err := p.socket.Read(ctx)
	if err != nil {
		p.t.Fatalf("the page has read %d states: %v", p.states, err)
	}
	var m struct {
		ID int
		reply
		State json.RawMessage
		Live  live.Status
	}
	if err := json.Unmarshal(data, &m); err != nil {
		p.t.Fatal(err)
	}
	if m.ID != 0 {
		p.answers[m.ID] = m.reply
		return
	}
	if err := json.Unmarshal(m.State, &p.state); err != nil {
		p.t.Fatal(err)
	}
	p.status = m.Live
	p.states++
	if !p.silent {
		p.send(`{"do":"seen"}`)
	}
}

func (p *page) send(text string) {
	p.t.Helper()
	if err := p.socket.Write(p.t.Context(), websocket.MessageText, []byte(text)); err != nil {
		p.t.Fatal(err)
	}
}

// until receives until something is so.
func (p *page) until(so func() bool) {
	p.t.Helper()
	for !so() {
		p.receive()
	}
}

// do asks for something and returns the answer, or the error.
func (p *page) do(name, args string) (string, string) {
	p.t.Helper()
	p.next++
	p.send(fmt.Sprintf(`{"id":%d,"do":%q,"args":%s}`, p.next, name, args))
	p.until(func() bool { _, ok := p.answers[p.next]; return ok })
	a := p.answers[p.next]
	return string(a.Answer), a.Error
}

// must is do without an error.
func (p *page) must(name, args string) string {
	p.t.Helper()
	a, err := p.do(name, args)
	if err != "" {
		p.t.Fatalf("%s: %s", name, err)
	}
	return a
}
