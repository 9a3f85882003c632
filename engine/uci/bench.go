package uci

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/search"
)

// perft counts sequences of moves, by first move.
func (s *server) perft(ctx context.Context, depth int) error {
	p := s.game.Position()
	began := time.Now()
	counts, err := engine.Divide(ctx, &p, depth, s.threads)
	if err != nil {
		return err
	}
	var sum uint64
	for _, c := range counts {
		s.out.printf("%v: %d", c.Move, c.Nodes)
		sum += c.Nodes
	}
	s.out.printf("\nNodes searched: %d\ninfo string %d nodes in %v", sum, sum, time.Since(began).Round(time.Millisecond))
	return nil
}

// benchPositions are those of bench: openings, middlegames and endgames.
var benchPositions = []string{
	"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
	"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
	"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
	"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
	"8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47",
	"8/3k4/8/8/8/8/4PK2/8 w - - 0 1",
}

// bench searches fixed positions to a depth, by default 10, and prints how many nodes that took.
func (s *server) bench(ctx context.Context, words []string) error {
	depth := 10
	if len(words) > 0 {
		n, err := strconv.Atoi(words[0])
		if err != nil || n < 1 || n > search.MaxPly {
			return fmt.Errorf("the depth is a number from 1 to %d, not %q", search.MaxPly, words[0])
		}
		depth = n
	}
	e, err := search.New(search.Options{Features: s.features, Hash: defaultHash << 20, Source: s.c.Generators[s.generator]})
	if err != nil {
		return err
	}
	defer e.Close()
	var nodes uint64
	began := time.Now()
	for _, fen := range benchPositions {
		p, err := engine.ParseFEN(fen)
		if err != nil {
			return err
		}
		e.Clear()
		r, err := e.Search(ctx, search.Game{Start: p}, search.Limits{Depth: depth}, nil)
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		nodes += r.Nodes
	}
	took := time.Since(began)
	s.out.printf("Nodes searched: %d\nNodes/second: %.0f", nodes, float64(nodes)/took.Seconds())
	return nil
}
