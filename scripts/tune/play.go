package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/engine/search"
)

// playAll plays the games, on all processors. The positions are in the order of the games.
func playAll(ctx context.Context) ([]position, error) {
	byGame := make([][]position, *games)
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
	var all []position
	for i, list := range byGame {
		if errs[i] != nil {
			return nil, errs[i]
		}
		all = append(all, list...)
	}
	if *keep == "" {
		return all, nil
	}
	f, err := os.OpenFile(*keep, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var text []byte
	for i := range all {
		text = append(text, all[i].line()...)
	}
	if _, err := f.Write(text); err != nil {
		return nil, err
	}
	return all, f.Close()
}

// decided is a value from which on a game is taken for won, if it stays for some moves; drawn is
// after how many plies a game is one.
const (
	decided = 1500
	drawn   = 320
)

// playOne plays a game from random moves.
func playOne(ctx context.Context, e *search.Engine, number uint64) (list []position, err error) {
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
			list = append(list, position{fen: p.FEN(), value: value})
		}
		g.Moves = append(g.Moves, m)
		p = p.Make(m)
	}
	for i := range list {
		list[i].result = result
	}
	return list, nil
}
