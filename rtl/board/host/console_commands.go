package host

import (
	"fmt"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/internal/spelling"
)

// command is a command of the console. do gets the words behind the name and returns the answer.
type command struct {
	name, words, help string
	do                func(c *Console, words []string) (string, error)
}

// commands are in the order of the help. A line that begins with none of them is a move.
var commands []command

func init() {
	for _, control := range Controls {
		commands = append(commands, command{control.Name, "", fmt.Sprintf("time control: %.0f minutes a side; before the first move", control.Base.Minutes()),
			func(c *Console, _ []string) (string, error) { return c.setClock(control.Base, c.Game.Clock.Increment) }})
	}
	commands = append(commands, []command{
		{"untimed", "", "no time control; before the first move", func(c *Console, _ []string) (string, error) { return c.setClock(0, 0) }},
		{"inc", "SECONDS", "increment: so many seconds more after each move; before the first move", (*Console).increment},
		{"clock", "", "show the clocks", (*Console).clock},
		{"+5", "[white|black]", "five minutes more for the side to move, or this one", (*Console).add},
		{"pause", "", "stop the clocks", (*Console).pause},
		{"resume", "", "let them run again", (*Console).resume},
		{"draw", "[white|black]", "claim a draw, offer one, or accept the offer: the side to move, or this one", (*Console).draw},
		{"resign", "[white|black]", "the side to move, or this one, gives up", (*Console).resign},
		{"undo", "", "take back the last move; against the computer, its answer too", (*Console).undo},
		{"hint", "", "show a good move", (*Console).hint},
		{"engine", "white|black|off", "let the computer play a side", (*Console).engine},
		{"level", "[ELO|max]", "show or set how well the computer plays", (*Console).level},
		{"board", "", "show the position", (*Console).board},
		{"moves", "", "show all legal moves", (*Console).moves},
		{"new", "", "begin a new game", func(c *Console, _ []string) (string, error) {
			return c.begin(NewGame(engine.StartPosition()), "a new game")
		}},
		{"restart", "", "begin this game anew: from its first position, with its time control", (*Console).restart},
		{"scenario", "NAME", "begin from a position to try something: " + scenarioNames(), (*Console).scenario},
		{"fen", "[FEN]", "show the position as FEN, or begin a game from one", (*Console).fen},
		{"pgn", "", "show the game as PGN", (*Console).pgn},
		{"save", "[FILE]", "write the game to a PGN file; without a name it is saved where it always is", (*Console).saveTo},
		{"load", "FILE", "go on with a game from a PGN file", (*Console).load},
		{"help", "", "show this", (*Console).help},
		{"quit", "", "leave; the game is saved", func(c *Console, _ []string) (string, error) { c.quit = true; return "", nil }},
	}...)
}

func find(name string) *command {
	for i := range commands {
		if commands[i].name == strings.ToLower(name) {
			return &commands[i]
		}
	}
	return nil
}

// unknown says what to type in place of a line that is neither a command nor a move.
func unknown(line string) error {
	word, _, _ := strings.Cut(strings.ToLower(line), " ")
	nearest, least := "", 3
	for _, cmd := range commands {
		if d := spelling.Distance(word, cmd.name, least); d < least && 2*d < len(cmd.name) {
			nearest, least = cmd.name, d
		}
	}
	if nearest != "" {
		return refuse(line, "there is no such command, and it is no move: did you mean %s?", nearest)
	}
	return refuse(line, "is no move and no command: moves look like e2e4, Nf3, Ng1f3, exd5, e7e8q or O-O; help lists the commands")
}

// side returns the side that the words name, or the side to move.
func (c *Console) side(words []string) (engine.Color, error) {
	switch strings.ToLower(strings.Join(words, " ")) {
	case "":
		return c.turn(), nil
	case "white":
		return engine.White, nil
	case "black":
		return engine.Black, nil
	}
	return 0, refuse(strings.Join(words, " "), "white or black is expected here")
}

func (c *Console) help([]string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%-22s %s\n", "a move", "e2e4, Nf3, Ng1f3, Pe2e4, Ng1-f3, exd5, e7e8n, O-O, O-O-O")
	for _, c := range commands {
		fmt.Fprintf(&b, "%-22s %s\n", strings.TrimSpace(c.name+" "+c.words), c.help)
	}
	return strings.TrimRight(b.String(), "\n"), nil
}
