package frame_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cosimate/cosimate/rtl/link"
	"github.com/cosimate/cosimate/rtl/link/frame"
)

// fast are times for tests, in which the board's model makes a cycle a microsecond or less.
var fast = frame.Options{Retry: 5 * time.Millisecond, Ping: 10 * time.Millisecond, Silence: 200 * time.Millisecond}

// board is the board's model at the other end of a pipe, with a user: it sends what is in toSend,
// and answers each message with one of the next type.
type board struct {
	pipe   net.Conn
	reset  chan struct{}
	damage func([]byte) []byte // of what goes to the host
	mutex  sync.Mutex
	toSend []frame.Message
	got    []frame.Message
	deaf   bool // takes no messages
}

// start returns a board and the host's end of the line.
func start(t *testing.T) (*board, net.Conn) {
	host, pipe := net.Pipe()
	b := &board{pipe: pipe, reset: make(chan struct{}), damage: func(b []byte) []byte { return b }}
	incoming := make(chan []byte)
	var wait sync.WaitGroup
	wait.Add(2)
	go func() {
		defer wait.Done()
		defer close(incoming)
		for {
			bytes := make([]byte, 64)
			n, err := pipe.Read(bytes)
			if err != nil {
				return
			}
			incoming <- bytes[:n]
		}
	}()
	go func() {
		defer wait.Done()
		b.run(incoming)
	}()
	t.Cleanup(func() {
		pipe.Close()
		wait.Wait()
	})
	return b, host
}

func (b *board) run(incoming chan []byte) {
	m := link.NewModel(link.Params{RetryCycles: 5000, SilenceCycles: 1_000_000})
	var line, out []byte
	for {
		select {
		case bytes, ok := <-incoming:
			if !ok {
				return
			}
			line = append(line, bytes...)
		case <-b.reset:
			m.Reset()
			b.mutex.Lock()
			b.toSend = nil
			b.mutex.Unlock()
		case <-time.After(50 * time.Microsecond):
		}
		b.mutex.Lock()
		for i := 0; i < 100 || len(line) > 0; i++ {
			in := link.In{TxReady: true, RecvReady: !b.deaf}
			if len(line) > 0 {
				in.RxValid, in.RxData = true, line[0]
				line = line[1:]
			}
			if len(b.toSend) > 0 {
				in.Send(b.toSend[0])
			}
			o := m.Step(in)
			if o.TxValid {
				out = append(out, o.TxData)
			}
			if in.SendValid && o.SendReady {
				b.toSend = b.toSend[1:]
			}
			if o.RecvValid && in.RecvReady {
				got := o.Message()
				b.got = append(b.got, got)
				b.toSend = append(b.toSend, frame.Message{Type: got.Type + 1, Payload: got.Payload})
			}
		}
		b.mutex.Unlock()
		if len(out) > 0 {
			bytes := b.damage(out)
			out = nil
			b.pipe.SetWriteDeadline(time.Now().Add(time.Second))
			b.pipe.Write(bytes)
		}
	}
}

func patience(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func dial(t *testing.T, line io.ReadWriteCloser) *frame.Conn {
	t.Helper()
	c, err := frame.Dial(patience(t), line, fast)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// Messages there and back, over a line that loses and changes bytes.
func TestConn(t *testing.T) {
	for _, bad := range []float64{0, 0.01} {
		t.Run(fmt.Sprint(bad), func(t *testing.T) {
			b, line := start(t)
			r := seeded(20)
			b.damage = damage(r, bad)
			c := dial(t, lossy{line, damage(seeded(21), bad)})
			ctx := patience(t)
			for i := range 60 {
				m := frame.Message{Type: 8, Payload: []byte{byte(i), 0x7e}}
				if err := c.Send(ctx, m); err != nil {
					t.Fatal(err)
				}
				got, err := c.Receive(ctx)
				if err != nil {
					t.Fatal(err)
				}
				if want := (frame.Message{Type: 9, Payload: m.Payload}); got.String() != want.String() {
					t.Fatalf("%v came back, want %v", got, want)
				}
			}
			if !c.Up() {
				t.Error("the board is not up")
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
			if err := c.Send(ctx, frame.Message{}); !errors.Is(err, frame.ErrClosed) {
				t.Errorf("after Close: %v", err)
			}
		})
	}
}

// damage loses or changes bytes.
func damage(r *rand.Rand, p float64) func([]byte) []byte {
	return func(b []byte) (out []byte) {
		for _, b := range b {
			switch x := r.Float64(); {
			case x < p/2:
			case x < p:
				out = append(out, b^1<<r.IntN(8))
			default:
				out = append(out, b)
			}
		}
		return out
	}
}

// lossy is a line that damages what is written.
type lossy struct {
	net.Conn
	damage func([]byte) []byte
}

func (l lossy) Write(b []byte) (int, error) {
	if d := l.damage(bytes.Clone(b)); len(d) > 0 {
		if _, err := l.Conn.Write(d); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// A board that is restarted is noticed, also if the host has nothing to say; what was under way is
// said to be lost, and the next message goes through.
func TestConnRestart(t *testing.T) {
	b, line := start(t)
	c := dial(t, line)
	ctx := patience(t)
	if err := c.Send(ctx, frame.Message{Type: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Receive(ctx); err != nil {
		t.Fatal(err)
	}
	b.reset <- struct{}{}
	if _, err := c.Receive(ctx); !errors.Is(err, frame.ErrRestarted) {
		t.Fatalf("after a restart: %v", err)
	}

	b.mutex.Lock()
	b.deaf = true // so that it is not acknowledged
	b.mutex.Unlock()
	// the one message that the board has room for
	if err := c.Send(ctx, frame.Message{Type: 2}); err != nil {
		t.Fatal(err)
	}
	sent := make(chan error)
	go func() { sent <- c.Send(ctx, frame.Message{Type: 3}) }()
	time.Sleep(20 * time.Millisecond)
	b.reset <- struct{}{}
	if err := <-sent; !errors.Is(err, frame.ErrRestarted) {
		t.Errorf("the message under way: %v", err)
	}
	b.mutex.Lock()
	b.deaf = false
	b.mutex.Unlock()
	if err := c.Send(ctx, frame.Message{Type: 5}); err != nil {
		t.Error(err)
	}
}

// A host that does not read makes the board keep its messages; none is lost.
func TestConnUnread(t *testing.T) {
	b, line := start(t)
	c := dial(t, line)
	ctx := patience(t)
	const n = 200
	b.mutex.Lock()
	for i := range n {
		b.toSend = append(b.toSend, frame.Message{Type: 1, Payload: []byte{byte(i)}})
	}
	b.mutex.Unlock()
	time.Sleep(300 * time.Millisecond)
	b.mutex.Lock()
	kept := len(b.toSend)
	b.mutex.Unlock()
	if kept < n-70 {
		t.Errorf("the board keeps only %d messages of %d", kept, n)
	}
	for i := range n {
		m, err := c.Receive(ctx)
		if err != nil || m.Payload[0] != byte(i) {
			t.Fatalf("message %d: %v, %v", i, m, err)
		}
	}
}

// Without a board Dial ends with its context; a line that breaks ends all that wait; nothing stays
// behind.
func TestConnErrors(t *testing.T) {
	before := runtime.NumGoroutine()
	silent, other := net.Pipe()
	go io.Copy(io.Discard, other)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := frame.Dial(ctx, silent, fast); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "no board answers") {
		t.Errorf("no board: %v", err)
	}

	b, line := start(t)
	c := dial(t, line)
	if err := c.Send(patience(t), frame.Message{Payload: make([]byte, 33)}); err == nil || !strings.Contains(err.Error(), "33 bytes; 32 is the most") {
		t.Errorf("a long message: %v", err)
	}
	short, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if _, err := c.Receive(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("nothing to receive: %v", err)
	}
	received := make(chan error)
	go func() {
		_, err := c.Receive(context.Background())
		received <- err
	}()
	b.pipe.Close()
	if err := <-received; err == nil || !strings.Contains(err.Error(), "the line") {
		t.Errorf("a line that breaks: %v", err)
	}
	if err := c.Send(context.Background(), frame.Message{}); err == nil || !strings.Contains(err.Error(), "the line") {
		t.Errorf("after it broke: %v", err)
	}
	if err := c.Close(); err == nil || !strings.Contains(err.Error(), "the line") {
		t.Errorf("closed after it broke: %v", err)
	}
	for range 100 {
		if runtime.NumGoroutine() <= before+1 { // the board's own
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// Close ends even if the line takes nothing.
func TestConnStuckLine(t *testing.T) {
	b, line := start(t)
	stuck := &stuckLine{Conn: line, closed: make(chan struct{})}
	c := dial(t, stuck)
	stuck.mutex.Lock()
	stuck.stuck = true
	stuck.mutex.Unlock()
	_ = b
	go c.Send(context.Background(), frame.Message{})
	time.Sleep(20 * time.Millisecond)
	begin := time.Now()
	if err := c.Close(); err != nil || time.Since(begin) > 10*time.Second {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
}

type stuckLine struct {
	net.Conn
	mutex  sync.Mutex
	stuck  bool
	once   sync.Once
	closed chan struct{}
}

func (s *stuckLine) Write(b []byte) (int, error) {
	s.mutex.Lock()
	stuck := s.stuck
	s.mutex.Unlock()
	if stuck {
		<-s.closed
		return 0, io.ErrClosedPipe
	}
	return s.Conn.Write(b)
}

func (s *stuckLine) Close() error {
	s.once.Do(func() { close(s.closed) })
	return s.Conn.Close()
}
