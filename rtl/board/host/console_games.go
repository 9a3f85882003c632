package host

import (
	"fmt"
	"os"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
)

// Scenarios are positions to try a rule in.
var Scenarios = []struct{ Name, FEN string }{
	{"promotion", "8/P6k/8/8/8/8/p6K/8 w - - 0 1"},
	{"en-passant", "4k3/3p4/8/4P3/4p3/8/3P4/4K3 w - - 0 1"},
	{"castling", "r3k2r/pppqppbp/8/8/8/8/PPPQPPBP/R3K2R w KQkq - 0 1"},
	{"last-move", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"}, // mate in one
}

func scenarioNames() string {
	var names []string
	for _, s := range Scenarios {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}

func (c *Console) board([]string) (string, error) {
	text := diagram(c.Game, c.Engine)
	if c.Game.Over() {
		return text + "\n" + c.Game.Outcome(), nil
	}
	return fmt.Sprintf("%s\n%v to move", text, c.turn()), nil
}

func (c *Console) moves([]string) (string, error) {
	if err := c.Game.open("moves"); err != nil {
		return "", err
	}
	p := c.Game.Position()
	var names []string
	for _, m := range p.AppendMoves(nil) {
		names = append(names, notation.SAN(&p, m))
	}
	return strings.Join(names, " "), nil
}

// begin goes on with another game. The engine keeps its sides, and plays it with another seed.
func (c *Console) begin(g *Game, what string) (string, error) {
	c.Game = g
	answer := what
	if !g.Over() {
		answer += fmt.Sprintf(": %v to move", c.turn())
	}
	if c.Opponent != nil {
		c.Opponent.next()
		if c.Engine != [2]bool{} {
			answer += "\n" + c.players()
		}
	}
	if c.Diagram {
		answer += "\n" + diagram(g, c.Engine)
	}
	return answer, nil
}

func (c *Console) restart([]string) (string, error) {
	g := NewGame(c.Game.Start())
	g.Clock.Set(c.Game.Clock.Base, c.Game.Clock.Increment)
	return c.begin(g, "the game begins anew")
}

func (c *Console) scenario(words []string) (string, error) {
	name := strings.ToLower(strings.Join(words, " "))
	for _, s := range Scenarios {
		if s.Name != name {
			continue
		}
		p, err := engine.ParseFEN(s.FEN)
		if err != nil {
			return "", err
		}
		return c.begin(NewGame(p), "scenario "+name)
	}
	return "", refuse("scenario", "there are %s", scenarioNames())
}

func (c *Console) fen(words []string) (string, error) {
	if len(words) == 0 {
		p := c.Game.Position()
		return p.FEN(), nil
	}
	p, err := engine.ParseFEN(strings.Join(words, " "))
	if err != nil {
		return "", err
	}
	return c.begin(NewGame(p), "a game from this position")
}

func (c *Console) pgn([]string) (string, error) {
	return strings.TrimRight(string(c.Game.PGN(c.Now())), "\n"), nil
}

func (c *Console) saveTo(words []string) (string, error) {
	text := c.Game.PGN(c.Now())
	if len(words) == 0 {
		if c.Store == nil {
			return "", refuse("save", "the name of a file is expected, as in save game.pgn")
		}
		if err := c.Store.Save(text); err != nil {
			return "", err
		}
		return "saved to " + c.Store.path, nil
	}
	name := strings.Join(words, " ")
	if err := os.WriteFile(name, text, 0o666); err != nil {
		return "", err
	}
	return "written to " + name, nil
}

func (c *Console) load(words []string) (string, error) {
	if len(words) == 0 {
		return "", refuse("load", "the name of a PGN file is expected, as in load game.pgn")
	}
	name := strings.Join(words, " ")
	text, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	g, err := ReadGame(text, name)
	if err != nil {
		return "", err
	}
	return c.begin(g, fmt.Sprintf("%s, after %d moves", name, len(g.Moves())))
}
