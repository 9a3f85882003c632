package live

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/board/host"
	"github.com/cosimate/cosimate/rtl/link/frame"
	"github.com/cosimate/cosimate/rtl/link/message"
	"github.com/cosimate/cosimate/rtl/uart/serial"
)

// Play is who plays.
type Play struct {
	Computer string     `json:"computer"`        // the side that the computer plays: white, black, both, or "" for two people
	Level    host.Level `json:"level"`           // an Elo rating, or 0 for as strong as it can be
	Seed     uint64     `json:"seed"`            // of the computer's openings and mistakes
	Nodes    uint64     `json:"nodes,omitempty"` // positions that it looks at for a move at most; 0: by its level
	// Lines has the computer's moves come over the seven parallel lines, the published link.
	Lines bool `json:"lines,omitempty"`
}

// DefaultPlay is two people.
var DefaultPlay = Play{Level: host.DefaultLevel, Seed: 1}

// sides returns which sides the computer plays.
func (p Play) sides() (sides [2]bool, err error) {
	switch p.Computer {
	case "":
	case "white":
		sides[engine.White] = true
	case "black":
		sides[engine.Black] = true
	case "both":
		sides = [2]bool{true, true}
	default:
		err = fmt.Errorf("%q is no side for the computer: white, black, both or nothing is", p.Computer)
	}
	if p.Lines && p.Computer != "white" && p.Computer != "black" {
		err = errors.New("the parallel lines are for one side that the computer plays")
	}
	if err == nil && p.Level != host.Strongest {
		_, err = host.ParseLevel(p.Level.String())
	}
	return sides, err
}

// pc is the PC at the other end of the framed link. The wire and the UART are simulated: step is
// called in each cycle. Its program is [host.Session], as on a real PC, and runs in a goroutine of
// its own; what it sends and receives goes through this type, which is its [host.Conn].
type pc struct {
	// Of the simulation's goroutine.
	sender  serial.Sender
	r       *rand.Rand
	noise   float64
	link    *frame.Host
	times   Times
	session uint16
	first   bool      // the program's first session of the link has not begun yet
	waiting []request // those whose messages are under way, in order
	cancel  context.CancelFunc
	ended   chan struct{}
	lines   lines
	play    Play

	mutex    sync.Mutex
	requests []request
	inbox    []frame.Event
	notice   chan struct{}
	game     game
	log      []string // the program's last lines
	logged   int      // how many there were
}

type request struct {
	message frame.Message
	done    chan error
}

// game is what the program knows of the game.
type game struct {
	start  engine.Position
	moves  []engine.Move
	result rules.Result
	cause  rules.Cause
	pgn    []byte
	names  []string // of the moves, as they are written: SAN
}

func (g *game) position() engine.Position {
	p := g.start
	for _, m := range g.moves {
		p = p.Make(m)
	}
	return p
}

func gameOf(g *host.Game) game {
	r, c := g.Result()
	now := game{start: g.Start(), moves: slices.Clone(g.Moves()), result: r, cause: c, pgn: g.PGN(time.Time{}), names: []string{}}
	p := now.start
	for _, m := range now.moves {
		now.names = append(now.names, notation.SAN(&p, m))
		p = p.Make(m)
	}
	return now
}

func newPC(t Times) *pc {
	return &pc{r: rand.New(rand.NewPCG(1, 2)), times: t, sender: serial.Sender{Divisor: t.Params.Divisor}}
}

// plug connects the PC with another board. Cycles begin at 0 again.
func (c *pc) plug(t Times) {
	c.times = t
	c.lines.until = 0
	c.dial(0)
}

// dial begins a new session of the link. The program hears that the board has been restarted,
// unless it has just begun.
func (c *pc) dial(cycle uint64) {
	p := c.times.Params
	c.sender = serial.Sender{Divisor: p.Divisor}
	retry := c.times.duration(uint64(p.RetryCycles))
	c.link = frame.NewHost(frame.Options{
		Retry: retry, Ping: 10 * retry, Silence: c.times.duration(uint64(p.SilenceCycles)),
		Session: func() uint16 { c.session++; return c.session },
	}, c.times.duration(cycle))
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, r := range c.waiting {
		r.done <- frame.ErrRestarted
	}
	c.waiting, c.inbox = nil, nil
}

// polls is after how many cycles the PC looks at what it has to send.
const polls = 16

// step does a cycle's work.
func (c *pc) step(cycle uint64) {
	if c.link == nil {
		return
	}
	c.lines.step(cycle, c.times.Params.LinesCycles)
	if cycle%polls != 0 {
		return
	}
	c.mutex.Lock()
	for _, r := range c.requests {
		c.link.Send(r.message) // messages of package message are short enough
		c.waiting = append(c.waiting, r)
	}
	c.requests = nil
	c.link.Busy = len(c.inbox) >= 64
	c.mutex.Unlock()
	if c.sender.Idle() {
		for _, b := range c.link.Transmit(c.times.duration(cycle)) {
			c.sender.Send(disturb(c.r, c.noise, b)...)
		}
	}
}

// line returns the level of the line to the board in the coming cycle.
func (c *pc) line() bool { return c.sender.Line() }

// receive takes a byte from the board.
func (c *pc) receive(cycle uint64, b byte) {
	if c.link == nil {
		return
	}
	c.link.Receive(c.times.duration(cycle), disturb(c.r, c.noise, b))
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for e, ok := c.link.Next(); ok; e, ok = c.link.Next() {
		switch {
		case e.Kind == frame.Opened && c.first:
			c.first = false
		case e.Kind == frame.Opened:
			c.lines.wanted = c.play.Lines
			c.inbox = append(c.inbox, e)
			signal(c.notice)
		case e.Kind == frame.Delivered:
			c.waiting[0].done <- nil
			c.waiting = c.waiting[1:]
		case e.Kind == frame.Lost:
			c.waiting[0].done <- frame.ErrRestarted
			c.waiting = c.waiting[1:]
		default:
			c.inbox = append(c.inbox, e)
			signal(c.notice)
		}
	}
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// up reports whether the board is heard.
func (c *pc) up(cycle uint64) bool { return c.link != nil && c.link.Up(c.times.duration(cycle)) }

// Send sends a message and returns when the board has it.
func (c *pc) Send(ctx context.Context, m frame.Message) error {
	r := request{m, make(chan error, 1)}
	c.mutex.Lock()
	c.requests = append(c.requests, r)
	c.mutex.Unlock()
	select {
	case err := <-r.done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// post sends a message without waiting for anything.
func (c *pc) post(v any) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.requests = append(c.requests, request{message.Encode(v), make(chan error, 1)})
}

// Receive returns the next message from the board.
func (c *pc) Receive(ctx context.Context) (frame.Message, error) {
	for {
		c.mutex.Lock()
		if len(c.inbox) > 0 {
			e := c.inbox[0]
			c.inbox = c.inbox[1:]
			c.mutex.Unlock()
			if e.Kind == frame.Opened {
				return frame.Message{}, frame.ErrRestarted
			}
			return e.Message, nil
		}
		c.mutex.Unlock()
		select {
		case <-c.notice:
		case <-ctx.Done():
			return frame.Message{}, context.Cause(ctx)
		}
	}
}

// start starts the program with a game, in place of the one that runs.
func (c *pc) start(cycle uint64, g *host.Game, p Play) {
	c.stop()
	if c.link != nil {
		c.dial(cycle)
	}
	c.first = true
	ctx, cancel := context.WithCancel(context.Background())
	c.cancel, c.ended = cancel, make(chan struct{})
	sides, _ := p.sides()
	c.play, c.lines.wanted = p, p.Lines
	if p.Lines {
		sides = [2]bool{}
	}
	c.mutex.Lock()
	c.requests, c.log, c.logged, c.game = nil, nil, 0, gameOf(g)
	c.notice = make(chan struct{}, 1)
	c.inbox = nil
	c.mutex.Unlock()
	program := host.Session{
		Game: g, Opponent: &host.Opponent{Level: p.Level, Seed: p.Seed, Nodes: p.Nodes}, Engine: sides, Log: c,
		Changed: func(g *host.Game) {
			now := gameOf(g)
			c.mutex.Lock()
			c.game = now
			c.mutex.Unlock()
		},
	}
	ended := c.ended
	go func() {
		defer close(ended)
		if err := program.Run(ctx, c); err != nil && ctx.Err() == nil {
			fmt.Fprintf(c, "the PC's program has ended: %v\n", err)
		}
	}()
}

// stop ends the program.
func (c *pc) stop() {
	if c.cancel == nil {
		return
	}
	c.lines.stop()
	c.cancel()
	<-c.ended
	c.cancel = nil
}

// agree says that board and PC have the same game: the published link's program may begin.
func (c *pc) agree() {
	if c.lines.wanted {
		c.lines.start(c.snapshot(), c.play, c)
	}
}

// logMost is how many lines of the program are kept.
const logMost = 100

// Write takes lines of the program's log.
func (c *pc) Write(text []byte) (int, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for line := range strings.Lines(string(text)) {
		if len(c.log) == logMost {
			c.log = c.log[1:]
		}
		c.log = append(c.log, strings.TrimRight(line, "\n"))
		c.logged++
	}
	return len(text), nil
}

// snapshot returns what the program knows of the game now.
func (c *pc) snapshot() game {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.game
}

// said returns the last lines of the program's log, and how many there were in all.
func (c *pc) said() ([]string, int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return append([]string{}, c.log...), c.logged
}
