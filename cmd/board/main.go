// Command board is the PC's side of the sensing board. On its console two people play chess by
// text, or one against the computer. With a board on a serial line it is the opponent of the person
// at the board. It needs no simulator.
//
//	board                             two players
//	board --engine black --level 1800 against the computer
//	board --line /dev/ttyUSB1 --engine black
//	                                  at the board, over the framed link
//	board --published /dev/ttyUSB1 --engine black
//	                                  likewise, over the published link
//	board decode [--published] FILE   what the bytes of a recorded line say
//
// The game is saved after every move, and restored at the start. `help` lists the commands of the
// console; rtl/board/host/README.md describes them.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/search"
	"github.com/cosimate/cosimate/rtl/board/host"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err == nil {
		return
	}
	fmt.Fprintf(os.Stderr, "error: %v\n", err)
	if _, ok := errors.AsType[misuse](err); ok {
		fmt.Fprintln(os.Stderr, "hint: board --help lists what there is")
		os.Exit(2)
	}
	os.Exit(1)
}

// misuse is an error of the command line.
type misuse struct{ error }

const usage = `Play chess by text, or at the sensing board. The game is saved after every move.

  board [flags]                      lines in, answers out; help lists the commands
  board decode [--published] [FILE]  print what recorded bytes of the board's serial line say

`

func run(ctx context.Context, args []string) error {
	if len(args) > 0 && args[0] == "decode" {
		return decode(args[1:])
	}
	flags := pflag.NewFlagSet("board", pflag.ContinueOnError)
	flags.SortFlags = false
	save := flags.String("save", defaultSave(), "file of the saved game")
	plays := flags.String("engine", "", "side that the computer plays: white or black")
	level := flags.String("level", host.DefaultLevel.String(), fmt.Sprintf("how well the computer plays: an Elo rating from %d to %d, or max", search.MinElo, search.MaxElo))
	seed := flags.Uint64("seed", 0, "seed of the computer's openings and mistakes; the same seed and moves give the same game (default: a new one, which is printed)")
	nodes := flags.Uint64("nodes", 0, "positions that the computer looks at for a move, at most (default: by its level)")
	board := flags.String("board", "auto", "show the board after each move: always, never, or auto, which is on a terminal")
	device := flags.String("line", "", "serial line of the sensing board, such as /dev/ttyUSB1")
	published := flags.String("published", "", "serial line from the sensing board's published link, in place of --line")
	lines := flags.String("lines", "", "serial line to the microcontroller that drives the published link's seven parallel lines (default: that of --published)")
	flags.Usage = func() { fmt.Fprint(os.Stderr, usage+flags.FlagUsages()) }
	switch err := flags.Parse(args); {
	case errors.Is(err, pflag.ErrHelp):
		return nil
	case err != nil:
		return misuse{err}
	case flags.NArg() > 0:
		return misuse{fmt.Errorf("%q is not expected", flags.Arg(0))}
	case flags.Changed("nodes") && *nodes < 1:
		return misuse{fmt.Errorf("--nodes is %d, and must be at least 1", *nodes)}
	case *board != "auto" && *board != "always" && *board != "never":
		return misuse{fmt.Errorf("--board is %q, and must be auto, always or never", *board)}
	}
	switch {
	case *published != "" && *device != "":
		return misuse{errors.New("--published and --line exclude each other: the board is at one of its links")}
	case *lines != "" && *published == "":
		return misuse{errors.New("--lines is for --published only")}
	case *published != "" && *plays == "":
		return misuse{errors.New("--published needs --engine white or --engine black: the link is for moves of the computer")}
	}
	strength, err := host.ParseLevel(*level)
	if err != nil {
		return misuse{fmt.Errorf("--level: %w", err)}
	}
	if !flags.Changed("seed") {
		*seed = uint64(rand.Uint32()) // short enough to be typed
	}
	sides := map[string][2]bool{"": {}, "white": {engine.White: true}, "black": {engine.Black: true}}
	engines, ok := sides[*plays]
	if !ok {
		return misuse{fmt.Errorf("--engine is %q, not white or black", *plays)}
	}

	if err := os.MkdirAll(filepath.Dir(*save), 0o777); err != nil {
		return err
	}
	store, err := host.OpenStore(*save)
	if err != nil {
		return err
	}
	defer store.Close()
	game, err := store.Game()
	if err != nil {
		return fmt.Errorf("the saved game cannot be read: %w; move the file away to begin anew", err)
	}
	if n := len(game.Moves()); n > 0 {
		fmt.Printf("restored after %d moves: %s\n", n, *save)
	}
	opponent := &host.Opponent{Level: strength, Seed: *seed, Nodes: *nodes}
	if *device != "" {
		if engines != [2]bool{} {
			fmt.Printf("the computer plays %s: %v\n", *plays, opponent)
		}
		return atBoard(ctx, *device, &host.Session{Game: game, Store: store, Opponent: opponent, Engine: engines, Log: os.Stdout})
	}
	if *published != "" {
		side := engine.White
		if engines[engine.Black] {
			side = engine.Black
		}
		fmt.Printf("the computer plays %s: %v\n", *plays, opponent)
		return atPublished(ctx, *published, *lines, &host.Published{Game: game, Store: store, Opponent: opponent, Engine: side, Log: os.Stdout})
	}
	terminal := term.IsTerminal(int(os.Stdout.Fd()))
	c := &host.Console{Out: os.Stdout, Game: game, Store: store, Opponent: opponent, Engine: engines}
	c.Diagram = *board == "always" || *board == "auto" && terminal
	if terminal && term.IsTerminal(int(os.Stdin.Fd())) {
		c.Prompt, c.Title = true, os.Stdout
		fmt.Println("help lists the commands")
	}
	return c.Run(ctx, os.Stdin)
}

// defaultSave returns the file of the saved game if --save is not given.
func defaultSave() string {
	dir := os.Getenv("XDG_STATE_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "board.pgn"
		}
		dir = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(dir, "cosimate", "board.pgn")
}

// input opens a file, or standard input for - and without a name.
func input(args []string) (io.ReadCloser, string, error) {
	if len(args) == 0 || args[0] == "-" {
		return os.Stdin, "standard input", nil
	}
	f, err := os.Open(args[0])
	return f, args[0], err
}
