// Package moves lets a search take its moves from the move generator core: a [Source] is a
// [search.Moves] that lists, makes and takes back moves by way of package driver.
//
//	core, err := driver.OpenCore(bus)
//	e, err := search.New(search.Options{
//		Features: search.AllFeatures,
//		Source: func() (search.Moves, error) { return &moves.Source{Core: core, Scheme: moves.FIFO}, nil },
//	})
//
// Like package driver it needs no simulator, and builds for the board's processor.
package moves

import (
	"fmt"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/search"
	"github.com/cosimate/cosimate/rtl/driver"
)

// Scheme is a way in which the core hands a list over.
type Scheme uint8

// The schemes.
const (
	// Published is that of the published core: each command begins a list, and a move takes two
	// reads. Lists have one order only, search.Plain.
	Published Scheme = iota
	FIFO             // a command begins a list, and a move takes one read
	Stream           // a command begins a list, which goes to memory by itself
)

// Schemes are all schemes.
var Schemes = []Scheme{Published, FIFO, Stream}

// String returns the scheme's name, such as "FIFO".
func (s Scheme) String() string { return [...]string{"published", "FIFO", "stream"}[s%3] }

// Counts are what a search took from the core.
type Counts struct {
	Lists int // lists that were read
	Moves int // moves in them
	Makes int // moves and null moves that were made
}

// Source is a game on a core, from which a search takes its moves. The core's stack may be smaller
// than the search is deep: the position is loaded anew where it ends.
type Source struct {
	Core   *driver.Core
	Scheme Scheme
	// Receive returns the words of the next list on the stream. Scheme Stream needs it.
	Receive func() ([]uint32, error)
	Counts  Counts

	line []engine.Position // from the position loaded to the present one
	auto bool              // each command begins a list
	// Of scheme Published: the filter of those lists, and whether there is one of the present
	// position that was not read.
	filter driver.Filter
	begun  bool
}

var _ search.Moves = (*Source)(nil)

// Load begins a game at a position.
func (s *Source) Load(p *engine.Position) error {
	s.line = append(s.line[:0], *p)
	return s.load()
}

// load begins a game of the core at the present position.
func (s *Source) load() error {
	err := s.Core.Load(s.Position())
	s.begun = s.auto
	return err
}

// Position returns the present position.
func (s *Source) Position() *engine.Position { return &s.line[len(s.line)-1] }

// List appends the legal moves that pass the filter to dst, in the order.
func (s *Source) List(dst []engine.Move, o search.Order, f search.Filter) ([]engine.Move, error) {
	if s.Scheme == Published && o != search.Plain {
		return dst, fmt.Errorf("moves: the published scheme lists in plain order only, not %v", o)
	}
	filter := driver.All
	if f == search.Captures {
		filter = driver.Captures
	}
	moves, err := s.list(driver.Order(o), filter)
	s.Counts.Lists++
	s.Counts.Moves += len(moves)
	return append(dst, moves...), err
}

func (s *Source) list(o driver.Order, f driver.Filter) ([]engine.Move, error) {
	switch s.Scheme {
	case Published:
		if !s.begun || s.filter != f {
			if err := s.Core.Published(f); err != nil {
				return nil, err
			}
			s.auto, s.filter = true, f
		}
		s.begun = false
		return s.Core.PublishedMoves()
	case FIFO:
		return s.Core.Moves(o, f)
	}
	if err := s.Core.Stream(o, f); err != nil {
		return nil, err
	}
	words, err := s.Receive()
	var moves []engine.Move
	for _, word := range words {
		if m, ok := driver.Unpack(word); ok {
			moves = append(moves, m)
		}
	}
	return moves, err
}

// Make makes a legal move.
func (s *Source) Make(m engine.Move) error {
	if s.Scheme == Published {
		return s.step(s.Position().Make(m), func() error { return s.Core.PublishedMake(m) })
	}
	return s.step(s.Position().Make(m), func() error { return s.Core.Make(m) })
}

// Null passes the turn.
func (s *Source) Null() error { return s.step(s.Position().MakeNull(), s.Core.Null) }

// step goes on to a position by a command, or loads it if the core's stack is full.
func (s *Source) step(next engine.Position, command func() error) error {
	s.Counts.Makes++
	s.line = append(s.line, next)
	if s.Core.Made() == s.Core.Plies() {
		return s.load()
	}
	s.begun = s.auto
	return command()
}

// Unmake takes back the last move or null move.
func (s *Source) Unmake() error {
	if len(s.line) < 2 {
		return fmt.Errorf("moves: %w to take back a move: none was made since the position was loaded", driver.ErrRefused)
	}
	s.line = s.line[:len(s.line)-1]
	if s.Core.Made() == 0 {
		return s.load()
	}
	s.begun = s.auto
	if s.Scheme == Published {
		// The word's fields are not looked at: the core takes back the last move.
		return s.Core.PublishedUnmake(engine.Move{})
	}
	return s.Core.Unmake()
}
