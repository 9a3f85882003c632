package host

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

func (c *Console) setClock(base, increment time.Duration) (string, error) {
	if n := len(c.Game.Moves()); n > 0 {
		return "", refuse("time control", "it is set before the first move, and %d have been made", n)
	}
	c.Game.Clock.Set(base, increment)
	return "time control: " + c.Game.Clock.Control(), nil
}

func (c *Console) increment(words []string) (string, error) {
	seconds, err := strconv.Atoi(strings.Join(words, " "))
	switch {
	case err != nil || seconds < 0 || seconds > 99:
		return "", refuse("inc", "whole seconds from 0 to 99 are expected, as in inc 5")
	case c.Game.Clock.Base == 0:
		return "", refuse("inc", "there is no time control: choose one first, as with blitz")
	}
	return c.setClock(c.Game.Clock.Base, time.Duration(seconds)*time.Second)
}

func (c *Console) clock([]string) (string, error) {
	answer := c.Game.Clock.Control()
	if faces := c.Game.Clock.Faces(c.Now()); faces != "" {
		answer = faces + " (" + answer + ")"
	}
	return answer, nil
}

// timed returns a refusal if there is no time control or the game is over.
func (c *Console) timed(what string) error {
	if c.Game.Tick(c.Now()); c.Game.Over() {
		return c.Game.open(what)
	}
	if c.Game.Clock.Base == 0 {
		return refuse(what, "there is no time control")
	}
	return nil
}

func (c *Console) add(words []string) (string, error) {
	side, err := c.side(words)
	if err == nil {
		err = c.timed("+5")
	}
	if err != nil {
		return "", err
	}
	c.Game.Clock.Add(side, 5*time.Minute)
	return fmt.Sprintf("five minutes more for %v: %s", side, c.Game.Clock.Faces(c.Now())), nil
}

func (c *Console) pause([]string) (string, error) {
	if err := c.timed("pause"); err != nil {
		return "", err
	}
	if !c.Game.Clock.Running() {
		return "", refuse("pause", "the clocks do not run")
	}
	c.Game.Clock.Pause(c.Now())
	return "the clocks are stopped: " + c.Game.Clock.Faces(c.Now()), nil
}

func (c *Console) resume([]string) (string, error) {
	if err := c.timed("resume"); err != nil {
		return "", err
	}
	if c.Game.Clock.Running() {
		return "", refuse("resume", "the clocks run")
	}
	c.Game.Clock.Run(c.turn(), c.Now())
	return fmt.Sprintf("the clock of %v runs: %s", c.turn(), c.Game.Clock.Faces(c.Now())), nil
}
