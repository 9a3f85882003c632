package host

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/engine/rules"
)

// press is how long it takes from the engine's decision until its clock is pressed, at most.
const press = 50 * time.Millisecond

// move makes a move of a player.
func (c *Console) move(text string) (string, error) {
	before := c.Game.Position()
	m, err := c.Game.Play(text, c.Now())
	if err != nil {
		return "", err
	}
	answer := c.moved(&before, m)
	if bare := strings.TrimRight(text, "+#!? "); m.Promotion == engine.Queen && strings.HasSuffix(bare, m.To.String()) {
		answer += fmt.Sprintf("\nthe pawn becomes a queen; %[1]vr, %[1]vb and %[1]vn choose another piece", m.From.String()+m.To.String())
	}
	if claim := c.Game.Claimable(); claim != rules.NoCause {
		answer += fmt.Sprintf("\n%v can claim a draw: %s", c.turn(), claim.Words())
	}
	return answer, nil
}

// moved returns a move that was made from a position in words, with the clocks and the board.
func (c *Console) moved(p *engine.Position, m engine.Move) string {
	dots := "."
	if p.SideToMove() == engine.Black {
		dots = "..."
	}
	text := fmt.Sprintf("%d%s %s", p.Fullmove(), dots, notation.SAN(p, m))
	if faces := c.Game.Clock.Faces(c.Now()); faces != "" {
		text += "  [" + faces + "]"
	}
	if c.Diagram {
		text += "\n" + diagram(c.Game, c.Engine)
	}
	return text
}

// think lets the opponent work, and shows the clocks meanwhile. Nothing else happens to the game.
func (c *Console) think(work func(ctx context.Context)) {
	ctx := c.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		work(ctx)
	}()
	for {
		select {
		case <-done:
			return
		case <-c.second:
			c.title()
		}
	}
}

// engineMoves makes the engine's moves as long as it is its turn.
func (c *Console) engineMoves() {
	for !c.Game.Over() && c.Opponent != nil && c.Engine[c.turn()] {
		p, side := c.Game.Position(), c.turn()
		clock := c.Game.Clock.thinking(side, c.Now(), press)
		var d Decision
		var err error
		c.think(func(ctx context.Context) { d, err = c.Opponent.Decide(ctx, c.Game, clock) })
		switch {
		case errors.Is(err, context.Canceled): // the program ends
			return
		case err != nil:
			c.say("warning: the computer does not play: %v", err)
			c.Engine[side] = false
			return
		case d.Resign:
			if c.Game.Resign(side, c.Now()) == nil {
				c.say("%v resigns", side)
			}
		case d.Draw:
			if c.Game.Draw(side, c.Now()) == nil {
				c.say("%v takes the draw", side)
			}
		default:
			if c.Game.Make(d.Move, c.Now()) != nil { // its flag has fallen
				break
			}
			offered := d.Offer && c.Game.Draw(side, c.Now()) == nil && !c.Game.Over()
			c.save()
			c.say("%s", c.moved(&p, d.Move))
			if offered {
				c.say("%v offers a draw: draw accepts it, a move declines", side)
			}
		}
		if c.Game.Over() {
			c.save()
		}
		c.over()
	}
}

func (c *Console) draw(words []string) (string, error) {
	side, err := c.side(words)
	if err != nil {
		return "", err
	}
	if len(words) == 0 && c.Game.Offered(side) { // then this is the opponent's answer
		side = side.Other()
	}
	if err := c.Game.Draw(side, c.Now()); err != nil {
		return "", err
	}
	other := side.Other()
	if !c.Game.Offered(side) {
		return "", nil
	}
	if c.Opponent == nil || !c.Engine[other] {
		return fmt.Sprintf("%v offers a draw: %v accepts with draw %v, or declines with a move", side, other, other), nil
	}
	var accepts bool
	c.think(func(ctx context.Context) { accepts, err = c.Opponent.AcceptsDraw(ctx, c.Game, other) })
	if err != nil {
		return "", err
	}
	answer := fmt.Sprintf("%v offers a draw", side)
	if !accepts {
		return answer + fmt.Sprintf("; %v declines", other), nil
	}
	return answer, c.Game.Draw(other, c.Now())
}

func (c *Console) resign(words []string) (string, error) {
	side, err := c.side(words)
	if err == nil {
		err = c.Game.Resign(side, c.Now())
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%v resigns", side), nil
}

// undo takes back the last move, and the one before if it is the engine's turn then.
func (c *Console) undo([]string) (string, error) {
	if c.Engine == [2]bool{true, true} {
		return "", refuse("undo", "the computer plays both sides: engine off lets it play neither")
	}
	moves := c.Game.Moves()
	count := 1
	if n := len(moves); n > 0 {
		side := c.turn()
		if c.Engine[side.Other()] {
			count = 2
		}
		if n < count {
			return "", refuse("undo", "no move of yours has been made: make one first")
		}
	}
	p := c.Game.Start()
	var taken []string
	for i, m := range moves {
		if i >= len(moves)-count {
			taken = append(taken, notation.SAN(&p, m))
		}
		p = p.Make(m)
	}
	if err := c.Game.Undo(count, c.Now()); err != nil {
		return "", err
	}
	c.ended = nil
	answer := fmt.Sprintf("taken back: %s: %v to move", strings.Join(taken, " "), c.turn())
	if c.Diagram {
		answer += "\n" + diagram(c.Game, c.Engine)
	}
	return answer, nil
}

func (c *Console) hint([]string) (string, error) {
	if err := c.Game.open("hint"); err != nil {
		return "", err
	}
	adviser := c.Opponent
	if adviser == nil {
		adviser = &Opponent{}
	}
	var m engine.Move
	var err error
	c.think(func(ctx context.Context) { m, err = adviser.Hint(ctx, c.Game) })
	if err != nil {
		return "", err
	}
	p := c.Game.Position()
	return fmt.Sprintf("hint: %s (%v)", notation.SAN(&p, m), m), nil
}

// players says which sides the engine plays, and how.
func (c *Console) players() string {
	switch c.Engine {
	case [2]bool{}:
		return "the computer plays neither side"
	case [2]bool{true, true}:
		return fmt.Sprintf("the computer plays both sides: %v", c.Opponent)
	case [2]bool{engine.White: true}:
		return fmt.Sprintf("the computer plays white: %v", c.Opponent)
	}
	return fmt.Sprintf("the computer plays black: %v", c.Opponent)
}

func (c *Console) engine(words []string) (string, error) {
	if c.Opponent == nil {
		return "", refuse("engine", "there is none")
	}
	if strings.ToLower(strings.Join(words, " ")) == "off" {
		c.Engine = [2]bool{}
		return c.players(), nil
	}
	if len(words) == 0 {
		return "", refuse("engine", "white, black or off is expected here")
	}
	side, err := c.side(words)
	if err != nil {
		return "", err
	}
	c.Engine[side] = true
	return c.players(), nil
}

func (c *Console) level(words []string) (string, error) {
	if c.Opponent == nil {
		return "", refuse("level", "there is no computer to play against")
	}
	if len(words) > 0 {
		l, err := ParseLevel(strings.Join(words, " "))
		if err != nil {
			return "", refuse("level", "%v, as in level %d", err, DefaultLevel)
		}
		c.Opponent.Level = l
	}
	return fmt.Sprintf("the computer's %v", c.Opponent), nil
}
