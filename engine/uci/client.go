package uci

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/search"
)

// Client is a chess engine that runs as a program and speaks the protocol.
type Client struct {
	Name string // as it says itself

	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string // closed at the end of what it prints
	last  string
	close sync.Once
}

// patience is how long an engine may take for what is no search.
const patience = 20 * time.Second

// Start runs a program and sets options, each NAME=VALUE. The program is killed when the context
// ends.
func Start(ctx context.Context, options []string, program string, args ...string) (*Client, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("engine %s: %w", program, err)
	}
	c := &Client{Name: program, cmd: cmd, in: in, lines: make(chan string, 64)}
	go func() {
		defer close(c.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			c.lines <- s.Text()
		}
	}()
	fail := func(err error) (*Client, error) {
		c.Close()
		return nil, fmt.Errorf("engine %s: %w", program, err)
	}
	c.send("uci")
	for {
		line, err := c.line(patience)
		if err != nil {
			return fail(err)
		}
		if name, ok := strings.CutPrefix(line, "id name "); ok {
			c.Name = name
		}
		if line == "uciok" {
			break
		}
	}
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		c.send("setoption name %s value %s", name, value)
	}
	if err := c.ready(); err != nil {
		return fail(err)
	}
	return c, nil
}

func (c *Client) send(format string, args ...any) { fmt.Fprintf(c.in, format+"\n", args...) }

// line waits for the next line.
func (c *Client) line(most time.Duration) (string, error) {
	select {
	case l, ok := <-c.lines:
		if !ok {
			return "", fmt.Errorf("it ended; its last line was %q", c.last)
		}
		c.last = l
		return strings.TrimSpace(l), nil
	case <-time.After(most):
		return "", fmt.Errorf("it is silent for %v; its last line was %q", most, c.last)
	}
}

func (c *Client) ready() error {
	c.send("isready")
	for {
		if l, err := c.line(patience); err != nil || l == "readyok" {
			return err
		}
	}
}

// NewGame says that what comes next is of another game.
func (c *Client) NewGame() error {
	c.send("ucinewgame")
	return c.ready()
}

// Answer is the end of a search.
type Answer struct {
	Move engine.Move
	Took time.Duration
	// As the engine says, of its last line: in hundredths of a pawn (mates beyond search.Mate less
	// search.MaxPly), for the side to move.
	Value int
	Depth int
}

// Go has the engine search, and waits for its move for at most so long. The words are those after
// "go". A move that is not legal is an error.
func (c *Client) Go(g *search.Game, words string, most time.Duration) (a Answer, err error) {
	var s strings.Builder
	fmt.Fprintf(&s, "position fen %s", g.Start.FEN())
	for i, m := range g.Moves {
		if i == 0 {
			s.WriteString(" moves")
		}
		s.WriteString(" " + m.String())
	}
	c.send("%s", s.String())
	began := time.Now()
	c.send("go %s", words)
	for {
		l, err := c.line(most - time.Since(began))
		if err != nil {
			return a, err
		}
		f := strings.Fields(l)
		if len(f) == 0 {
			continue
		}
		switch f[0] {
		case "info":
			for i, w := range f[:len(f)-1] {
				switch w {
				case "cp":
					fmt.Sscan(f[i+1], &a.Value)
				case "mate":
					n := 0
					fmt.Sscan(f[i+1], &n)
					if a.Value = search.Mate - 2*n; n <= 0 {
						a.Value = -search.Mate - 2*n
					}
				case "depth":
					fmt.Sscan(f[i+1], &a.Depth)
				}
			}
		case "bestmove":
			a.Took = time.Since(began)
			if len(f) < 2 {
				return a, fmt.Errorf("it says %q", l)
			}
			p := g.Position()
			a.Move, err = legal(&p, f[1])
			return a, err
		}
	}
}

// Close ends the program: it is asked to quit, and killed if it does not within two seconds. What
// it prints until then is dropped.
func (c *Client) Close() error {
	var err error
	c.close.Do(func() {
		c.send("quit")
		c.in.Close()
		kill := time.AfterFunc(2*time.Second, func() { c.cmd.Process.Kill() })
		defer kill.Stop()
		for range c.lines {
		}
		err = c.cmd.Wait()
	})
	return err
}
