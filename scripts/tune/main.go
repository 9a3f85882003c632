// Command tune fits the weights of the evaluation to games that the engine plays against itself,
// and writes them to engine/search/weights.go:
//
//	go run ./scripts/tune --games 5000 --nodes 800
//
// Of each game the quiet positions are kept, with the game's result. The weights are those that
// make the results most likely, if the chance to score is a logistic function of a position's value
// (logistic regression), and that stay near the ones there were: a term that hardly ever occurs is
// not to follow chance. The same flags and weights give the same games. A match shows whether the
// new weights are better:
//
//	go run ./scripts/match --nodes 5000 --games 400 NEW OLD
package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/engine/search"
)

var (
	games = pflag.Int("games", 5000, "games to play")
	nodes = pflag.Uint64("nodes", 800, "nodes for each move")
	seed  = pflag.Uint64("seed", 1, "of the openings")
	stay  = pflag.Float64("stay", 2e-7, "what it costs for each weight and hundredth of a pawn, squared, to move")
	out   = pflag.String("out", "engine/search/weights.go", "file for the weights")
)

func main() {
	pflag.Parse()
	if pflag.NArg() != 0 || *games < 10 || *nodes < 1 || *stay < 0 {
		fmt.Fprintln(os.Stderr, "error: tune takes flags only, and 10 games at least")
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
	samples, err := playAll(ctx)
	if err != nil {
		return err
	}
	fitted, err := fit(samples)
	if err != nil {
		return err
	}
	command := "go run ./scripts/tune " + strings.Join(os.Args[1:], " ")
	return os.WriteFile(*out, format(fitted, strings.TrimSpace(command), time.Now()), 0o666)
}

// sample is a quiet position: what its value is made of, and how the game ended for White.
type sample struct {
	shares []share
	result float64 // 0, 0.5 or 1
}

// share is a search.Share in less memory.
type share struct {
	term        uint16
	middle, end float32
}

// playAll plays the games, on all processors. The samples are in the order of the games.
func playAll(ctx context.Context) ([]sample, error) {
	byGame := make([][]sample, *games)
	errs := make([]error, *games)
	var next, done atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			e, err := search.New(search.Options{Features: search.AllFeatures, Hash: 1 << 20})
			if err != nil {
				panic(err) // a Generator does not fail
			}
			for i := next.Add(1) - 1; i < int64(*games) && ctx.Err() == nil; i = next.Add(1) - 1 {
				e.Clear()
				byGame[i], errs[i] = playOne(ctx, e, uint64(i))
				if n := done.Add(1); n%100 == 0 {
					fmt.Fprintf(os.Stderr, "\r%d of %d games ", n, *games)
				}
			}
		})
	}
	wg.Wait()
	fmt.Fprintln(os.Stderr)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var all []sample
	for i, s := range byGame {
		if errs[i] != nil {
			return nil, errs[i]
		}
		all = append(all, s...)
	}
	return all, nil
}

// decided is a value from which on a game is taken for won, if it stays for some moves; drawn is
// after how many plies a game is one.
const (
	decided = 1500
	drawn   = 320
)

// playOne plays a game from random moves.
func playOne(ctx context.Context, e *search.Engine, number uint64) (samples []sample, err error) {
	r := rand.New(rand.NewPCG(*seed, number))
	p := engine.StartPosition()
	g := search.Game{Start: p}
	for range 6 + r.IntN(6) {
		moves := p.AppendMoves(nil)
		if len(moves) == 0 {
			return nil, nil
		}
		g.Moves = append(g.Moves, moves[r.IntN(len(moves))])
		p = p.Make(g.Moves[len(g.Moves)-1])
	}
	opening := len(g.Moves)
	seen := map[rules.Key]int{}
	result, won := 0.5, 0
	var shares []search.Share
	for len(g.Moves) < drawn {
		key := rules.KeyOf(&p)
		seen[key]++
		end, _ := rules.End(&p, seen[key])
		if threefold, fifty := rules.Claims(&p, seen[key]); end == rules.Draw || threefold || fifty {
			break
		}
		if end != rules.InPlay {
			result = map[rules.Result]float64{rules.WhiteWins: 1, rules.BlackWins: 0}[end]
			break
		}
		found, err := e.Search(ctx, g, search.Limits{Nodes: *nodes}, nil)
		if err != nil {
			return nil, err
		}
		m, value := found.Moves[0], found.Value
		if p.SideToMove() == engine.Black {
			value = -value
		}
		if len(g.Moves) == opening && (value > 300 || value < -300) {
			return nil, nil // what came by chance is too uneven to tell anything
		}
		switch {
		case value > decided:
			won = max(won, 0) + 1
		case value < -decided:
			won = min(won, 0) - 1
		default:
			won = 0
		}
		if won > 6 || won < -6 {
			result = map[bool]float64{true: 1, false: 0}[won > 0]
			break
		}
		// A position is quiet if the best move is: then its value is that of what stands on it.
		if m.Captured == engine.NoPiece && m.Promotion == engine.NoPiece && !p.InCheck() && won == 0 {
			var ok bool
			if shares, ok = search.AppendShares(shares[:0], &p); ok {
				s := sample{shares: make([]share, len(shares))}
				for i, x := range shares {
					s.shares[i] = share{uint16(x.Term), float32(x.Middle), float32(x.End)}
				}
				samples = append(samples, s)
			}
		}
		g.Moves = append(g.Moves, m)
		p = p.Make(m)
	}
	for i := range samples {
		samples[i].result = result
	}
	return samples, nil
}
