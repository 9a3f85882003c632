package host

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/engine/rules"
)

// Console plays a game by text: it answers each line. What an answer confirms has been saved. All
// fields but Out may be left at zero.
type Console struct {
	Out    io.Writer
	Game   *Game            // by default a new one from the start position
	Store  *Store           // where the game is saved after every change
	Search *Search          // the opponent, for the sides in Engine
	Engine [2]bool          // which sides Search plays, by engine.Color
	Prompt bool             // print whose turn it is before each line
	Title  io.Writer        // a terminal whose title shows the clocks; nil: none
	Now    func() time.Time // the clock; by default time.Now

	quit  bool
	ended *Game // the game whose end has been printed
}

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
		{"engine", "white|black|off", "let the computer play a side", (*Console).engine},
		{"board", "", "show the position", (*Console).board},
		{"moves", "", "show all legal moves", (*Console).moves},
		{"new", "", "begin a new game", func(c *Console, _ []string) (string, error) {
			return c.begin(NewGame(engine.StartPosition()), "a new game")
		}},
		{"scenario", "NAME", "begin from a position to try something: " + scenarioNames(), (*Console).scenario},
		{"fen", "[FEN]", "show the position as FEN, or begin a game from one", (*Console).fen},
		{"pgn", "[FILE]", "show the game as PGN, or write it to a file", (*Console).pgn},
		{"load", "FILE", "go on with a game from a PGN file", (*Console).load},
		{"help", "", "show this", (*Console).help},
		{"quit", "", "leave; the game is saved", func(c *Console, _ []string) (string, error) { c.quit = true; return "", nil }},
	}...)
}

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

// Run answers lines until the input ends, a line says quit, or the context is done. It returns the
// error of reading, if there is one.
func (c *Console) Run(ctx context.Context, in io.Reader) error {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Game == nil {
		c.Game = NewGame(engine.StartPosition())
	}
	c.engineMoves()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
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
		failed <- s.Err()
	}()
	half := time.NewTicker(500 * time.Millisecond)
	defer half.Stop()
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
	if cmd := find(words[0]); cmd != nil {
		answer, err = cmd.do(c, words[1:])
	} else {
		answer, err = c.move(strings.Join(words, " "))
	}
	if err != nil {
		answer = fmt.Sprintf("refused: %v", err)
	}
	c.answer(answer)
}

func find(name string) *command {
	for i := range commands {
		if commands[i].name == strings.ToLower(name) {
			return &commands[i]
		}
	}
	return nil
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

// moved returns a move in words, with the clocks.
func (c *Console) moved(p *engine.Position, m engine.Move) string {
	dots := "."
	if p.SideToMove() == engine.Black {
		dots = "..."
	}
	text := fmt.Sprintf("%d%s %s", p.Fullmove(), dots, notation.SAN(p, m))
	if faces := c.Game.Clock.Faces(c.Now()); faces != "" {
		text += "  [" + faces + "]"
	}
	return text
}

// engineMoves makes the engine's moves as long as it is its turn.
func (c *Console) engineMoves() {
	for !c.Game.Over() && c.Search != nil && c.Engine[c.turn()] {
		p := c.Game.Position()
		m, _, ok := c.Search.Best(&p)
		if !ok {
			return
		}
		if err := c.Game.Make(m, c.Now()); err == nil { // otherwise its flag has fallen
			c.save()
			c.say("%s", c.moved(&p, m))
		}
		c.over()
	}
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
	answer := ""
	if c.Game.Offered(side) {
		other := side.Other()
		answer = fmt.Sprintf("%v offers a draw: %v accepts with draw %v, or declines with a move", side, other, other)
		if c.Search != nil && c.Engine[other] {
			answer = fmt.Sprintf("%v offers a draw", side)
			if p := c.Game.Position(); c.Search.acceptsDraw(&p, other) {
				c.Game.Draw(other, c.Now())
			} else {
				answer += fmt.Sprintf("; %v declines", other)
			}
		}
	}
	return answer, nil
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

func (c *Console) engine(words []string) (string, error) {
	if c.Search == nil {
		return "", refuse("engine", "there is none")
	}
	if strings.ToLower(strings.Join(words, " ")) == "off" {
		c.Engine = [2]bool{}
		return "the computer plays neither side", nil
	}
	if len(words) == 0 {
		return "", refuse("engine", "white, black or off is expected here")
	}
	side, err := c.side(words)
	if err != nil {
		return "", err
	}
	c.Engine[side] = true
	return fmt.Sprintf("the computer plays %v", side), nil
}

func (c *Console) board([]string) (string, error) {
	p := c.Game.Position()
	if c.Game.Over() {
		return p.Board() + c.Game.Outcome(), nil
	}
	return fmt.Sprintf("%s%v to move", p.Board(), c.turn()), nil
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

// begin goes on with another game. The engine keeps its sides.
func (c *Console) begin(g *Game, what string) (string, error) {
	c.Game = g
	answer := what
	if !g.Over() {
		answer += fmt.Sprintf(": %v to move", c.turn())
	}
	return answer, nil
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

func (c *Console) pgn(words []string) (string, error) {
	text := c.Game.PGN(c.Now())
	if len(words) == 0 {
		return strings.TrimRight(string(text), "\n"), nil
	}
	name := strings.Join(words, " ")
	if err := os.WriteFile(name, text, 0o666); err != nil {
		return "", err
	}
	return "written to " + name, nil
}

func (c *Console) load(words []string) (string, error) {
	if len(words) == 0 {
		return "", refuse("load", "the name of a PGN file is expected")
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

func (c *Console) help([]string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%-22s %s\n", "a move", "e2e4, Nf3, Ng1f3, Ng1-f3, exd5, e7e8n, O-O, O-O-O")
	for _, c := range commands {
		fmt.Fprintf(&b, "%-22s %s\n", strings.TrimSpace(c.name+" "+c.words), c.help)
	}
	return strings.TrimRight(b.String(), "\n"), nil
}
