// Command tune fits the weights of the evaluation to games that the engine plays against itself,
// and writes them to engine/search/weights.go:
//
//	go run ./scripts/tune --games 6000 --nodes 1500
//
// Of each game the quiet positions are kept, with the value that the search found and with the
// game's result. The weights are those that make both most likely, if the chance to score is a
// logistic function of a position's value (logistic regression), and that stay near the ones there
// were: a term that hardly ever occurs is not to follow chance. The same flags and weights give the
// same games. With --keep the positions are written to a file, and --from fits to such a file
// without playing again, as after a change of the terms. A match shows whether the new weights are
// better:
//
//	go run ./scripts/match --nodes 5000 --games 400 NEW OLD
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/search"
)

var (
	games = pflag.Int("games", 6000, "games to play")
	nodes = pflag.Uint64("nodes", 1500, "nodes for each move")
	seed  = pflag.Uint64("seed", 1, "of the openings")
	keep  = pflag.String("keep", "", "file to which the positions are added, each with its value and the game's result")
	from  = pflag.String("from", "", "file of positions that were kept, instead of new games")
	trust = pflag.Float64("trust", 0.2, "how much the game's result counts, of 1; the rest is the value that the search found")
	stay  = pflag.Float64("stay", 5e-10, "what it costs for each weight and hundredth of a pawn, squared, to move")
	out   = pflag.String("out", "engine/search/weights.go", "file for the weights; none if empty")
)

func main() {
	pflag.Parse()
	if pflag.NArg() != 0 || *games < 10 || *nodes < 1 || *stay < 0 || *trust < 0 || *trust > 1 {
		fmt.Fprintln(os.Stderr, "error: tune takes flags only: 10 games at least, and a trust of 0 to 1")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	var kept []position
	var err error
	if *from != "" {
		kept, err = read(*from)
	} else {
		kept, err = playAll(ctx)
	}
	if err != nil {
		return err
	}
	if *out == "" {
		return nil
	}
	fitted, err := fit(ctx, samplesOf(kept))
	if err != nil {
		return err
	}
	command := "go run ./scripts/tune " + strings.Join(os.Args[1:], " ")
	return os.WriteFile(*out, format(fitted, strings.TrimSpace(command), time.Now()), 0o666)
}

// position is a quiet position of a game.
type position struct {
	fen    string
	value  int     // that the search found, for White
	result float64 // of the game for White: 0, 0.5 or 1
}

// line is a position as a line of a file.
func (p *position) line() string { return fmt.Sprintf("%s;%d;%g\n", p.fen, p.value, p.result) }

// read reads a file of positions.
func read(name string) (list []position, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Split(lines.Text(), ";")
		if len(fields) != 3 {
			return nil, fmt.Errorf("%s:%d: %d fields, not FEN;VALUE;RESULT", name, n, len(fields))
		}
		p := position{fen: fields[0]}
		if p.value, err = strconv.Atoi(fields[1]); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if p.result, err = strconv.ParseFloat(fields[2], 64); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if _, err := engine.ParseFEN(p.fen); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		list = append(list, p)
	}
	return list, lines.Err()
}

// sample is what a position's value is made of.
type sample struct {
	shares []share
	value  float64 // that the search found, for White
	result float64
}

// share is a search.Share in less memory.
type share struct {
	term        uint16
	middle, end float32
}

// samplesOf takes positions apart.
func samplesOf(list []position) (samples []sample) {
	var shares []search.Share
	for _, k := range list {
		p, err := engine.ParseFEN(k.fen)
		if err != nil {
			panic(err) // it was written by us, or read
		}
		var ok bool
		if shares, ok = search.AppendShares(shares[:0], &p); !ok {
			continue
		}
		s := sample{shares: make([]share, len(shares)), value: float64(k.value), result: k.result}
		for i, x := range shares {
			s.shares[i] = share{uint16(x.Term), float32(x.Middle), float32(x.End)}
		}
		samples = append(samples, s)
	}
	return samples
}
