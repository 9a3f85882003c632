package uci

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/search"
)

// start is "go": it begins a search and returns.
func (s *server) start(ctx context.Context, words []string) error {
	p := s.game.Position()
	l, perft, infinite, err := limits(words, &p)
	if err != nil {
		return err
	}
	if perft > 0 {
		return s.perft(ctx, perft)
	}
	if err := s.ready(); err != nil {
		s.wrong("go", err)
		s.out.printf("bestmove 0000") // so that nobody waits for one
		return nil
	}
	ctx, s.cancel = context.WithCancel(ctx)
	done, hold := make(chan struct{}), make(chan struct{})
	s.done, s.hold = done, hold
	if !infinite && !l.Ponder {
		s.release()
	}
	e, g := s.engine, s.game
	strength := search.Strength{Elo: s.elo, Seed: s.c.Seed}
	if !s.limitStrength {
		strength = search.Strength{}
	}
	go func() {
		defer close(done)
		r, err := e.SearchAs(ctx, strength, g, l, s.report)
		if !errors.Is(err, search.ErrNoMoves) {
			s.wrong("go", err)
		}
		// The protocol: no best move before "stop" of an infinite search, or before the guess of a
		// pondering one is decided.
		select {
		case <-hold:
		case <-ctx.Done():
		}
		switch {
		case len(r.Moves) == 0:
			s.out.printf("bestmove 0000")
		case len(r.Moves) == 1:
			s.out.printf("bestmove %v", r.Moves[0])
		default:
			s.out.printf("bestmove %v ponder %v", r.Moves[0], r.Moves[1])
		}
	}()
	return nil
}

// release lets the best move be told when it is found.
func (s *server) release() {
	if s.hold != nil {
		close(s.hold)
		s.hold = nil
	}
}

// stop ends the search under way, and returns when its best move was told.
func (s *server) stop() {
	if s.done == nil {
		return
	}
	s.cancel()
	s.wait()
}

// wait waits for the end of the search under way.
func (s *server) wait() {
	if s.done == nil {
		return
	}
	s.release()
	<-s.done
	s.cancel()
	s.done = nil
}

// limits reads what stands after "go".
func limits(words []string, p *engine.Position) (l search.Limits, perft int, infinite bool, err error) {
	if len(words) == 0 {
		infinite = true
	}
	side := "w"
	if p.SideToMove() == engine.Black {
		side = "b"
	}
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch word {
		case "infinite":
			infinite = true
			continue
		case "ponder":
			l.Ponder = true
			continue
		case "searchmoves":
			for i+1 < len(words) {
				m, notLegal := legal(p, words[i+1])
				if notLegal != nil {
					if len(l.Only) == 0 {
						return l, 0, false, notLegal
					}
					break // the next word of the command
				}
				l.Only = append(l.Only, m)
				i++
			}
			continue
		}
		names := []string{"depth", "nodes", "mate", "movetime", "perft", "movestogo", "wtime", "btime", "winc", "binc"}
		if !slices.Contains(names, word) {
			continue // unknown words are skipped
		}
		i++
		if i == len(words) {
			return l, 0, false, fmt.Errorf("a number is missing after %s", word)
		}
		n, notNumber := strconv.ParseInt(words[i], 10, 64)
		if notNumber != nil {
			return l, 0, false, fmt.Errorf("%s: %q is not a number", word, words[i])
		}
		// Clocks may be below zero; the rest is at least 1, and nothing overflows.
		n = min(max(n, 0), 1<<40)
		ms := time.Duration(min(n, 1<<32)) * time.Millisecond
		switch word {
		case "depth":
			l.Depth = int(max(n, 1))
		case "nodes":
			l.Nodes = uint64(max(n, 1))
		case "mate":
			l.Mate = int(max(n, 1))
		case "movetime":
			l.MoveTime = max(ms, time.Millisecond)
		case "perft":
			perft = int(min(max(n, 1), 30))
		case "movestogo":
			l.Clock.MovesToGo = int(n)
		case side + "time":
			l.Clock.Left = max(ms, time.Millisecond)
			l.Clock.Overhead = overhead
		case side + "inc":
			l.Clock.Increment = ms
		}
	}
	if l.Clock.Left == 0 {
		l.Clock = search.Clock{}
	}
	return l, perft, infinite, nil
}

// report tells of a line.
func (s *server) report(l search.Line) {
	score := fmt.Sprintf("cp %d", l.Value)
	if n := search.MateIn(l.Value); n != 0 {
		score = fmt.Sprintf("mate %d", n)
	}
	score += map[search.Bound]string{search.AtLeast: " lowerbound", search.AtMost: " upperbound"}[l.Bound]
	var line strings.Builder
	for _, m := range l.Moves {
		line.WriteByte(' ')
		line.WriteString(m.String())
	}
	s.out.printf("info depth %d seldepth %d multipv %d score %s nodes %d nps %.0f hashfull %d time %d pv%s",
		l.Depth, max(l.Selected, l.Depth), l.Rank, score, l.Nodes, float64(l.Nodes)/max(l.Time.Seconds(), 1e-6), l.Full,
		l.Time.Milliseconds(), line.String())
}
