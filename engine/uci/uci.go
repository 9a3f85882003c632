package uci

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/search"
)

// Config is what a server is made of.
type Config struct {
	Name string // and version, as the protocol's "id name"
	// Generators are where moves can come from beside "software", by name: values of the option
	// Generator. A source that is an io.Closer is closed when it is not used any more.
	Generators map[string]func() (search.Moves, error)
	Generator  string           // the first one in use; "": software
	Features   *search.Features // nil: all
	Seed       uint64           // of weaker play: see the option UCI_Elo
}

// Bounds and defaults of options.
const (
	defaultHash = 16 // MiB
	maxHash     = 1 << 16
	maxThreads  = 256
	maxMultiPV  = 256
	software    = "software"
	overhead    = 10 * time.Millisecond // between a decision and the press of the clock
)

// server is a conversation.
type server struct {
	c   Config
	out *output

	hash, threads, multiPV int
	generator              string
	features               search.Features
	limitStrength          bool
	elo                    int

	engine *search.Engine // nil: options have changed since
	game   search.Game

	cancel func()        // of the search under way
	done   chan struct{} // closed at its end; nil: there is none
	// Closed when the best move may be told; nil then. Until then the search is an infinite one, or
	// ponders.
	hold chan struct{}
}

// output writes whole lines; the first error is kept.
type output struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

func (o *output) printf(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		_, o.err = fmt.Fprintf(o.w, format+"\n", args...)
	}
}

// Serve reads commands until "quit", the end of the input or of the context. It returns the error
// of reading or writing, if there was one.
func Serve(ctx context.Context, in io.Reader, out io.Writer, c Config) error {
	s := &server{
		c: c, out: &output{w: out}, hash: defaultHash, threads: 1, multiPV: 1, elo: search.MaxElo,
		generator: cmp.Or(c.Generator, software),
		features:  search.AllFeatures,
		game:      search.Game{Start: engine.StartPosition()},
	}
	if c.Features != nil {
		s.features = *c.Features
	}
	// Lines are read beside the work, so that the context can end a server that waits for one.
	type line struct {
		text string
		err  error
	}
	lines := make(chan line)
	over := make(chan struct{})
	defer close(over)
	go func() {
		r := bufio.NewReader(in)
		for {
			text, err := r.ReadString('\n')
			select {
			case lines <- line{text, err}:
			case <-over:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	defer s.drop()
	defer s.stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case l := <-lines:
			if quit := s.command(ctx, l.text); quit {
				return s.out.err
			}
			if errors.Is(l.err, io.EOF) {
				if s.hold == nil { // nobody is left to stop what does not end by itself
					s.wait()
				}
				return s.out.err
			}
			if err := cmp.Or(l.err, s.out.err); err != nil {
				return err
			}
		}
	}
}

// command carries out a line and reports whether it was "quit". Unknown words before a command are
// skipped, as the protocol asks.
func (s *server) command(ctx context.Context, line string) (quit bool) {
	words := strings.Fields(line)
	for len(words) > 0 {
		name, args := words[0], words[1:]
		var err error
		switch name {
		case "uci":
			s.identify()
		case "isready":
			// A simulator's model may have to be compiled: a program that asks waits for it.
			if s.generator != software && s.done == nil {
				err = s.ready()
			}
			s.wrong(name, err)
			err = nil
			s.out.printf("readyok")
		case "debug", "register":
		case "setoption":
			s.stop()
			err = s.setOption(args)
		case "ucinewgame":
			s.stop()
			s.game = search.Game{Start: engine.StartPosition()}
			if s.engine != nil {
				s.engine.Clear()
			}
		case "position":
			s.stop()
			err = s.position(args)
		case "go":
			s.stop()
			err = s.start(ctx, args)
		case "stop":
			s.stop()
		case "ponderhit":
			if s.done != nil {
				s.engine.PonderHit()
				s.release()
			}
		case "d":
			p := s.game.Position()
			s.out.printf("%sfen %s\nkey %016x", p.Board(), p.FEN(), search.Key(&p))
		case "eval":
			p := s.game.Position()
			s.out.printf("%s", search.Explain(&p))
		case "bench":
			s.stop()
			err = s.bench(ctx, args)
		case "quit":
			return true
		default:
			words = args
			continue
		}
		s.wrong(name, err)
		return false
	}
	return false
}

// wrong says what is wrong with a command, if something is, in one line.
func (s *server) wrong(name string, err error) {
	if err != nil {
		s.out.printf("info string error: %s: %s", name, strings.Join(strings.Fields(err.Error()), " "))
	}
}

// drop closes the engine, so that the next search makes another.
func (s *server) drop() {
	if s.engine != nil {
		s.wrong("generator", s.engine.Close())
	}
	s.engine = nil
}

func (s *server) identify() {
	s.out.printf("id name %s\nid author the Cosimate authors", cmp.Or(s.c.Name, "Cosimate"))
	s.out.printf("option name Hash type spin default %d min 1 max %d", defaultHash, maxHash)
	s.out.printf("option name Clear Hash type button")
	s.out.printf("option name Threads type spin default 1 min 1 max %d", maxThreads)
	s.out.printf("option name MultiPV type spin default 1 min 1 max %d", maxMultiPV)
	s.out.printf("option name Ponder type check default false")
	s.out.printf("option name UCI_LimitStrength type check default false")
	s.out.printf("option name UCI_Elo type spin default %d min %d max %d", search.MaxElo, search.MinElo, search.MaxElo)
	names := ""
	for _, n := range s.generators() {
		names += " var " + n
	}
	s.out.printf("option name Generator type combo default %s%s", cmp.Or(s.c.Generator, software), names)
	s.out.printf("option name Features type string default %s", s.features)
	s.out.printf("uciok")
}

func (s *server) generators() []string {
	names := []string{software}
	for n := range s.c.Generators {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// setOption is "setoption name NAME [value VALUE]". Names and values are not case sensitive.
func (s *server) setOption(words []string) error {
	if len(words) == 0 || words[0] != "name" {
		return errors.New("expected: setoption name NAME value VALUE")
	}
	at := slices.Index(words, "value")
	if at < 0 {
		at = len(words)
	}
	name := strings.Join(words[1:at], " ")
	value := strings.Join(words[min(at+1, len(words)):], " ")
	number := func(to *int, least, most int) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < least || n > most {
			return fmt.Errorf("%s is a number from %d to %d, not %q", name, least, most, value)
		}
		*to = n
		return nil
	}
	s.drop()
	switch strings.ToLower(name) {
	case "hash":
		return number(&s.hash, 1, maxHash)
	case "clear hash":
		return nil // the next search has a new table
	case "threads":
		return number(&s.threads, 1, maxThreads)
	case "multipv":
		return number(&s.multiPV, 1, maxMultiPV)
	case "uci_elo":
		return number(&s.elo, search.MinElo, search.MaxElo)
	case "uci_limitstrength":
		b, err := strconv.ParseBool(value)
		if err != nil {
			return fmt.Errorf("%s is true or false, not %q", name, value)
		}
		s.limitStrength = b
		return nil
	case "ponder", "uci_analysemode", "uci_opponent", "uci_showwdl":
		return nil // nothing depends on it
	case "generator":
		for _, n := range s.generators() {
			if strings.EqualFold(n, value) {
				s.generator = n
				return nil
			}
		}
		return fmt.Errorf("there is no generator %q: there are %s", value, strings.Join(s.generators(), ", "))
	case "features":
		f, err := search.ParseFeatures(value)
		if err == nil {
			s.features = f
		}
		return err
	}
	return fmt.Errorf("there is no option %q", name)
}

// position is "position startpos|fen FEN [moves MOVE...]". A position with a mistake changes
// nothing.
func (s *server) position(words []string) error {
	at := slices.Index(words, "moves")
	if at < 0 {
		at = len(words)
	}
	var g search.Game
	switch {
	case at > 0 && words[0] == "startpos":
		g.Start = engine.StartPosition()
	case at > 0 && words[0] == "fen":
		fen := words[1:at]
		if len(fen) == 4 { // many programs leave the counters out
			fen = append(slices.Clone(fen), "0", "1")
		}
		p, err := engine.ParseFEN(strings.Join(fen, " "))
		if err != nil {
			return err
		}
		g.Start = p
	default:
		return errors.New("expected: position startpos, or position fen FEN, and perhaps: moves MOVE MOVE")
	}
	p := g.Start
	for _, word := range words[min(at+1, len(words)):] {
		m, err := legal(&p, word)
		if err != nil {
			return err
		}
		g.Moves = append(g.Moves, m)
		p = p.Make(m)
	}
	s.game = g
	return nil
}

// legal returns the legal move that a word names.
func legal(p *engine.Position, word string) (engine.Move, error) {
	for _, m := range p.AppendMoves(nil) {
		if m.String() == strings.ToLower(word) {
			return m, nil
		}
	}
	return engine.Move{}, fmt.Errorf("%s is not a legal move in %s", word, p.FEN())
}

// ready makes the engine, if options have changed.
func (s *server) ready() error {
	if s.engine != nil {
		return nil
	}
	e, err := search.New(search.Options{
		Features: s.features, Hash: s.hash << 20, Threads: s.threads, MultiPV: s.multiPV,
		Source: s.c.Generators[s.generator],
	})
	if err != nil {
		return err
	}
	s.engine = e
	return nil
}

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
