package host

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/cosimate/cosimate/engine"
)

// Console plays a game by text: it answers each line. What an answer confirms has been saved. All
// fields but Out may be left at zero.
type Console struct {
	Out      io.Writer
	Game     *Game            // by default a new one from the start position
	Store    *Store           // where the game is saved after every change
	Opponent *Opponent        // for the sides in Engine
	Engine   [2]bool          // which sides Opponent plays, by engine.Color
	Prompt   bool             // print whose turn it is before each line
	Diagram  bool             // print the board after each move
	Title    io.Writer        // a terminal whose title shows the clocks; nil: none
	Now      func() time.Time // the clock; by default time.Now

	ctx    context.Context // of Run
	second <-chan time.Time
	quit   bool
	ended  *Game // the game whose end has been printed
}

// Run answers lines until the input ends, a line says quit, or the context is done. It returns the
// error of reading, if there is one.
func (c *Console) Run(ctx context.Context, in io.Reader) error {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Game == nil {
		c.Game = NewGame(engine.StartPosition())
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	half := time.NewTicker(500 * time.Millisecond)
	defer half.Stop()
	c.ctx, c.second = ctx, half.C
	if c.Engine != [2]bool{} {
		c.say("%s", c.players())
	}
	if c.Diagram {
		c.say("%s", diagram(c.Game, c.Engine))
	}
	c.engineMoves()
	lines, failed := make(chan string), make(chan error, 1)
	go func() {
		s := bufio.NewScanner(in)
		for s.Scan() {
			select {
			case lines <- s.Text():
			case <-ctx.Done():
				return
			}
		}
		err := s.Err()
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("a line has more than %d bytes, and is neither a move nor a command", bufio.MaxScanTokenSize)
		}
		failed <- err
	}()
	for prompt := true; !c.quit; {
		if prompt {
			c.prompt()
		}
		prompt = true
		select {
		case line := <-lines:
			c.Line(line)
		case err := <-failed:
			return err
		case <-c.flag():
			c.Game.Tick(c.Now())
			c.answer("")
		case <-half.C:
			c.title()
			prompt = false
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

func (c *Console) say(format string, args ...any) { fmt.Fprintf(c.Out, format+"\n", args...) }

func (c *Console) prompt() {
	if c.Prompt && c.Game.Over() {
		fmt.Fprint(c.Out, "game over> ")
	} else if c.Prompt {
		fmt.Fprintf(c.Out, "%v> ", c.turn())
	}
}

// title shows the clocks.
func (c *Console) title() {
	if c.Title != nil && c.Game.Clock.Running() {
		fmt.Fprintf(c.Title, "\x1b]0;%s\a", c.Game.Clock.Faces(c.Now()))
	}
}

// flag returns a channel that receives when a flag falls, or nil if no time runs.
func (c *Console) flag() <-chan time.Time {
	if d, ok := c.Game.Clock.falls(c.Now()); ok {
		return time.After(d)
	}
	return nil
}

func (c *Console) turn() engine.Color {
	p := c.Game.Position()
	return p.SideToMove()
}

// Line answers a line.
func (c *Console) Line(line string) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return
	}
	answer, err := "", error(nil)
	switch cmd := find(words[0]); {
	case cmd == nil:
		answer, err = c.move(strings.Join(words, " "))
	case cmd.words == "" && len(words) > 1:
		err = refuse(strings.Join(words, " "), "nothing is expected after %s: type it alone", cmd.name)
	default:
		answer, err = cmd.do(c, words[1:])
	}
	if err != nil {
		answer = fmt.Sprintf("refused: %v", err)
	}
	c.answer(answer)
}

// answer saves the game and prints the answer. Then it prints the end of the game, or makes the
// engine's move.
func (c *Console) answer(answer string) {
	c.save()
	if answer != "" {
		c.say("%s", answer)
	}
	c.over()
	c.engineMoves()
}

// over prints how the game has ended, once.
func (c *Console) over() {
	if c.Game.Over() && c.ended != c.Game {
		c.ended = c.Game
		c.say("game over: %s", c.Game.Outcome())
	}
}

func (c *Console) save() {
	if c.Store == nil {
		return
	}
	if err := c.Store.Save(c.Game.PGN(c.Now())); err != nil {
		c.say("warning: the game is not saved: %v", err)
	}
}
