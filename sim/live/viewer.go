package live

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"
)

const (
	maxViewers = 32
	maxMessage = 1 << 20 // bytes of a message from a page
	maxAnswers = 256     // that wait to be sent to a page
	inFlight   = 2       // states that were sent and not yet acknowledged
	sendWithin = 20 * time.Second
	pingEvery  = 15 * time.Second
)

// visitors counts the connections, so that none outlives the server.
type visitors struct {
	mu     sync.Mutex
	closed bool
	count  sync.WaitGroup
}

// enter reports whether one more may come.
func (v *visitors) enter() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.closed {
		v.count.Add(1)
	}
	return !v.closed
}

func (v *visitors) leave() { v.count.Done() }

// close lets nobody in any more, and waits until all have left.
func (v *visitors) close() {
	v.mu.Lock()
	v.closed = true
	v.mu.Unlock()
	v.count.Wait()
}

// connection is what the server knows about a viewer. All but the channels is the runner's.
type connection struct {
	answers chan []byte // in order, none is lost
	states  chan []byte // room for one
	unseen  int         // states that were sent and not acknowledged
	stale   bool        // there is news that the viewer has not been sent
	held    bool        // it had the hand before its connection broke
	drop    context.CancelFunc
	runner  *runner
}

// NewViewer returns a viewer without a page or server, for tests of Apps.
func NewViewer() *Viewer { return &Viewer{connection: &connection{runner: &runner{}}} }

// Running reports whether the simulation runs. It is for App.State.
func (v *Viewer) Running() bool { return v.runner.active() }

// request is a message from a page.
type request struct {
	ID   int             `json:"id"`
	Do   string          `json:"do"`
	Args json.RawMessage `json:"args"`

	viewer *Viewer
}

// answer is the server's answer to a request.
type answer struct {
	ID     int    `json:"id"`
	Answer any    `json:"answer,omitempty"`
	Error  string `json:"error,omitempty"`
}

// websocket serves the connection of one viewer until it ends.
func (h *handler) websocket(w http.ResponseWriter, r *http.Request) {
	// Browsers always send it here, and ServeHTTP has compared it.
	if r.Header.Get("Origin") == "" {
		http.Error(w, "A WebSocket needs the header Origin.", http.StatusForbidden)
		return
	}
	if !h.runner.viewers.enter() {
		http.Error(w, "The server ends.", http.StatusServiceUnavailable)
		return
	}
	defer h.runner.viewers.leave()
	socket, err := websocket.Accept(w, r, nil)
	if err != nil {
		return // Accept has answered
	}
	defer socket.CloseNow()
	socket.SetReadLimit(maxMessage)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	v := &Viewer{connection: &connection{
		answers: make(chan []byte, maxAnswers), states: make(chan []byte, 1), held: r.URL.Query().Get("hand") == "1", drop: cancel, runner: h.runner,
	}}
	select {
	case h.runner.joins <- v:
	case <-ctx.Done():
		return
	}
	go func() {
		defer cancel()
		v.write(ctx, socket)
	}()
	for ctx.Err() == nil {
		kind, data, err := socket.Read(ctx)
		if err != nil || kind != websocket.MessageText {
			break
		}
		m := request{viewer: v}
		if err := json.Unmarshal(data, &m); err != nil {
			socket.Close(websocket.StatusUnsupportedData, "not a message of this page")
			break
		}
		select {
		case h.runner.requests <- m:
		case <-ctx.Done():
		}
	}
	cancel()
	select {
	case h.runner.leaves <- v:
	case <-h.runner.ended:
	}
}

// write sends what waits to be sent.
func (v *Viewer) write(ctx context.Context, socket *websocket.Conn) {
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	send := func(data []byte) error {
		ctx, cancel := context.WithTimeout(ctx, sendWithin)
		defer cancel()
		return socket.Write(ctx, websocket.MessageText, data)
	}
	for {
		var err error
		select {
		case data := <-v.answers:
			err = send(data)
		case data := <-v.states:
			err = send(data)
		case <-ping.C:
			within, cancel := context.WithTimeout(ctx, sendWithin)
			err = socket.Ping(within)
			cancel()
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// reply answers a request. A viewer that asks and never reads is dropped.
func (v *Viewer) reply(id int, value any, err error) {
	a := answer{ID: id, Answer: value}
	if err != nil {
		a = answer{ID: id, Error: err.Error()}
	}
	data, err := json.Marshal(a)
	if err != nil {
		data, _ = json.Marshal(answer{ID: id, Error: err.Error()})
	}
	select {
	case v.answers <- data:
	default:
		v.drop()
	}
}
