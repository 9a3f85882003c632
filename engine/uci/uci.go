package uci

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
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
