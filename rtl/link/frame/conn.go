package frame

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// ErrRestarted says that the board has been restarted and has forgotten the session. Ask it for its
// position.
var ErrRestarted = errors.New("frame: the board has been restarted")

// ErrClosed says that Close was called.
var ErrClosed = errors.New("frame: the connection is closed")

// maxUnread is how many messages wait here to be read. The board keeps those that come then.
const maxUnread = 64

// Conn is a link with the board, made with [Dial]. Its methods may be called by several goroutines.
type Conn struct {
	line  io.ReadWriteCloser
	host  *Host
	start time.Time

	incoming chan []byte
	requests chan request
	closing  chan struct{}
	opened   chan struct{} // closed when the first session begins
	ended    chan struct{} // closed when the connection has ended
	end      func(error)
	wait     sync.WaitGroup
	err      error // why it has ended; set before ended is closed

	mutex  sync.Mutex
	inbox  []Event       // Received and Opened
	up     bool          // as of the last event
	notice chan struct{} // there is something in the inbox
	taken  chan struct{} // something has been taken from a full one
}

type request struct {
	message Message
	done    chan error
}

// Dial begins a session with the board over a line. The line belongs to the connection then. Dial
// waits until the board answers or the context is done. Closing the line must end a Read that
// waits.
func Dial(ctx context.Context, line io.ReadWriteCloser, o Options) (*Conn, error) {
	c := &Conn{
		line: line, host: NewHost(o, 0), start: time.Now(),
		incoming: make(chan []byte), requests: make(chan request), closing: make(chan struct{}),
		opened: make(chan struct{}), ended: make(chan struct{}),
		notice: make(chan struct{}, 1), taken: make(chan struct{}, 1),
	}
	var once sync.Once
	c.end = func(err error) {
		once.Do(func() {
			c.err = err
			close(c.ended)
			line.Close()
		})
	}
	c.wait.Add(2)
	go c.read()
	go c.run()
	select {
	case <-c.opened:
		return c, nil
	case <-c.ended:
		return nil, c.err
	case <-ctx.Done():
		c.end(ErrClosed)
		c.wait.Wait()
		return nil, fmt.Errorf("frame: no board answers: %w", context.Cause(ctx))
	}
}

// Send sends a message and returns when the board has it. If the error is ErrRestarted or the
// context's, the message may or may not have arrived.
func (c *Conn) Send(ctx context.Context, m Message) error {
	if err := check(m); err != nil {
		return err
	}
	r := request{m, make(chan error, 1)}
	select {
	case c.requests <- r:
	case <-c.ended:
		return c.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case err := <-r.done:
		return err
	case <-c.ended:
		return c.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Receive returns the next message from the board. It returns ErrRestarted between the messages
// before and after a restart of the board.
func (c *Conn) Receive(ctx context.Context) (Message, error) {
	for {
		if e, ok := c.take(); ok {
			if e.Kind == Opened {
				return Message{}, ErrRestarted
			}
			return e.Message, nil
		}
		select {
		case <-c.notice:
		case <-c.ended:
			return Message{}, c.err
		case <-ctx.Done():
			return Message{}, context.Cause(ctx)
		}
	}
}

// take takes the first event from the inbox.
func (c *Conn) take() (e Event, ok bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if len(c.inbox) == 0 {
		return Event{}, false
	}
	e, c.inbox = c.inbox[0], c.inbox[1:]
	if len(c.inbox) > 0 {
		signal(c.notice) // for another goroutine
	}
	signal(c.taken)
	return e, true
}

// Up reports whether the board was heard from within Options.Silence.
func (c *Conn) Up() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.up
}

// Close tells the board that the session ends, and closes the line.
func (c *Conn) Close() error {
	timeout := time.NewTimer(time.Second) // for a line that takes no bytes
	defer timeout.Stop()
	select {
	case c.closing <- struct{}{}:
		select {
		case <-c.ended:
		case <-timeout.C:
		}
	case <-c.ended:
	case <-timeout.C:
	}
	c.end(ErrClosed)
	c.wait.Wait()
	if c.err != ErrClosed {
		return c.err
	}
	return nil
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// read passes on what comes over the line.
func (c *Conn) read() {
	defer c.wait.Done()
	for {
		bytes := make([]byte, 256)
		n, err := c.line.Read(bytes)
		if n > 0 {
			select {
			case c.incoming <- bytes[:n]:
			case <-c.ended:
				return
			}
		}
		if err != nil {
			c.end(fmt.Errorf("frame: reading the line: %w", err))
			return
		}
	}
}

// run is the goroutine that uses the host. No other does.
func (c *Conn) run() {
	defer c.wait.Done()
	var waiting []request // those whose messages are under way, in order
	first := true
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		if out := c.host.Transmit(c.now()); len(out) > 0 {
			if _, err := c.line.Write(out); err != nil {
				c.end(fmt.Errorf("frame: writing to the line: %w", err))
				return
			}
		}
		timer.Reset(c.host.Wake() - c.now())
		select {
		case bytes := <-c.incoming:
			c.host.Receive(c.now(), bytes)
		case r := <-c.requests:
			c.host.Send(r.message)
			waiting = append(waiting, r)
		case <-timer.C:
		case <-c.taken:
		case <-c.closing:
			c.line.Write(c.host.Close())
			c.end(ErrClosed)
			return
		case <-c.ended:
			return
		}

		c.mutex.Lock()
		for e, ok := c.host.Next(); ok; e, ok = c.host.Next() {
			switch {
			case e.Kind == Delivered:
				waiting[0].done <- nil
				waiting = waiting[1:]
			case e.Kind == Lost:
				waiting[0].done <- ErrRestarted
				waiting = waiting[1:]
			case e.Kind == Opened && first:
				first = false
				close(c.opened)
			default:
				c.inbox = append(c.inbox, e)
				signal(c.notice)
			}
		}
		c.host.Busy = len(c.inbox) >= maxUnread
		c.up = c.host.Up(c.now())
		c.mutex.Unlock()
	}
}

func (c *Conn) now() time.Duration { return time.Since(c.start) }
