package notation

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/cosimate/cosimate/engine"
)

// Game is a game as PGN records it.
type Game struct {
	Tags   []Tag // in order, without Result, SetUp and FEN, which follow from the fields below
	Start  engine.Position
	Moves  []engine.Move
	Result string // 1-0, 0-1 or 1/2-1/2; * if there is none
}

// Tag is a tag pair. The name has letters, digits and _; the value is any text on one line.
type Tag struct{ Name, Value string }

// Tag returns the value of the tag of that name, or "".
func (g *Game) Tag(name string) string {
	for _, t := range g.Tags {
		if t.Name == name {
			return t.Value
		}
	}
	return ""
}

// SetTag sets a tag's value, or removes the tag if the value is "".
func (g *Game) SetTag(name, value string) {
	at := slices.IndexFunc(g.Tags, func(t Tag) bool { return t.Name == name })
	switch {
	case value == "" && at >= 0:
		g.Tags = slices.Delete(g.Tags, at, at+1)
	case value == "":
	case at >= 0:
		g.Tags[at].Value = value
	default:
		g.Tags = append(g.Tags, Tag{name, value})
	}
}

// End returns the position after all moves.
func (g *Game) End() engine.Position {
	p := g.Start
	for _, m := range g.Moves {
		p = p.Make(m)
	}
	return p
}

var results = []string{"1-0", "0-1", "1/2-1/2", "*"}

// roster are the seven tags that every game has, with their unknown values (PGN 8.1.1).
var roster = []Tag{{"Event", "?"}, {"Site", "?"}, {"Date", "????.??.??"}, {"Round", "?"}, {"White", "?"}, {"Black", "?"}, {"Result", "*"}}

// AppendPGN appends the game in export format (PGN 3.2): the seven tags of the roster first, lines
// of movetext of less than 80 characters, a blank line after the game.
func (g *Game) AppendPGN(dst []byte) []byte {
	tag := func(name, value string) {
		value = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ").Replace(value)
		dst = fmt.Appendf(dst, "[%s \"%s\"]\n", name, value)
	}
	result := g.Result
	if result == "" {
		result = "*"
	}
	for _, t := range roster {
		value := g.Tag(t.Name)
		switch {
		case t.Name == "Result":
			value = result
		case value == "":
			value = t.Value
		}
		tag(t.Name, value)
	}
	for _, t := range g.Tags {
		if !slices.ContainsFunc(roster, func(r Tag) bool { return r.Name == t.Name }) {
			tag(t.Name, t.Value)
		}
	}
	if g.Start != engine.StartPosition() {
		tag("SetUp", "1")
		tag("FEN", g.Start.FEN())
	}
	dst = append(dst, '\n')

	column := 0
	word := func(w string) {
		switch {
		case column == 0:
		case column+1+len(w) > 79:
			dst, column = append(dst, '\n'), 0
		default:
			dst, column = append(dst, ' '), column+1
		}
		dst, column = append(dst, w...), column+len(w)
	}
	p := g.Start
	for i, m := range g.Moves {
		switch number := strconv.Itoa(p.Fullmove()); {
		case p.SideToMove() == engine.White:
			word(number + ".")
		case i == 0:
			word(number + "...")
		}
		word(SAN(&p, m))
		p = p.Make(m)
	}
	word(result)
	return append(dst, "\n\n"...)
}

// PGNError is a fault in a PGN file. Line and column (of bytes) count from 1.
type PGNError struct {
	Name         string
	Line, Column int
	Err          error // an *Error where a move is at fault
}

// Error returns name:line:column and the fault.
func (e *PGNError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %v", e.Name, e.Line, e.Column, e.Err)
}

// Unwrap returns the fault without its place.
func (e *PGNError) Unwrap() error { return e.Err }

// ReadPGN reads all games of a file in import format (PGN 3.1). The name is for errors. Moves are
// in any notation that [Parse] reads; comments, variations and glyphs are skipped. A game that ends
// without a result is in progress. The first fault ends the reading with a [*PGNError]; so does a
// file without a game.
func ReadPGN(r io.Reader, name string) ([]Game, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s := scanner{name: name, text: strings.TrimPrefix(string(text), "\ufeff")}
	var games []Game
	for {
		if s.space(); s.at == len(s.text) {
			break
		}
		g, err := s.game()
		if err != nil {
			return games, err
		}
		games = append(games, g)
	}
	if games == nil {
		return nil, s.fail(s.at, errors.New("there is no game"))
	}
	return games, nil
}

type scanner struct {
	name, text string
	at         int
}

// fail returns an error at a place in the text.
func (s *scanner) fail(at int, err error) error {
	before := s.text[:at]
	return &PGNError{s.name, 1 + strings.Count(before, "\n"), at - strings.LastIndex(before, "\n"), err}
}

// space skips white space, and lines that begin with % (PGN 6).
func (s *scanner) space() {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case strings.IndexByte(" \t\r\n\v\f", c) >= 0:
			s.at++
		case c == '%' && (s.at == 0 || s.text[s.at-1] == '\n'):
			s.line()
		default:
			return
		}
	}
}

// line skips the rest of the line.
func (s *scanner) line() {
	for s.at < len(s.text) && s.text[s.at] != '\n' {
		s.at++
	}
}

func isSymbol(c byte) bool { // PGN 7, and what else moves may have
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("_+#=:-/!?", c) >= 0
}

// symbol takes a word of letters, digits and a few signs.
func (s *scanner) symbol() string {
	begin := s.at
	for s.at < len(s.text) && isSymbol(s.text[s.at]) {
		s.at++
	}
	return s.text[begin:s.at]
}

// game reads tags and moves up to a result, the next game's tags or the end.
func (s *scanner) game() (Game, error) {
	g := Game{Start: engine.StartPosition(), Result: "*"}
	if err := s.tags(&g); err != nil {
		return g, err
	}
	p := g.Start
	for depth, open := 0, 0; ; {
		s.space()
		if s.at == len(s.text) {
			if depth > 0 {
				return g, s.fail(open, errors.New("a variation has no end"))
			}
			return g, nil
		}
		begin := s.at
		switch c := s.text[s.at]; {
		case c == '{':
			end := strings.IndexByte(s.text[s.at:], '}')
			if end < 0 {
				return g, s.fail(begin, errors.New("a comment has no end"))
			}
			s.at += end + 1
		case c == ';':
			s.line()
		case c == '(':
			s.at++
			depth, open = depth+1, begin
		case c == ')':
			if s.at++; depth == 0 {
				return g, s.fail(begin, errors.New("a variation ends that has not begun"))
			}
			depth--
		case c == '[' && depth == 0 && (g.Tags != nil || g.Moves != nil):
			return g, nil
		case c == '[' && depth == 0: // after a comment
			if err := s.tags(&g); err != nil {
				return g, err
			}
			p = g.Start
		case c == '$':
			s.at++
			s.symbol()
		case c == '.' || c == '*' && depth > 0 || c == '<' || c == '>':
			s.at++
		case c == '*':
			s.at++
			return g, nil
		case !isSymbol(c):
			return g, s.fail(begin, fmt.Errorf("%q has no meaning here", c))
		default:
			word := s.symbol()
			// a number, a judgement
			if depth > 0 || strings.Trim(word, "0123456789") == "" || strings.Trim(word, "!?") == "" {
				continue
			}
			if slices.Contains(results, word) {
				g.Result = word
				return g, nil
			}
			m, err := Parse(&p, word)
			if err != nil {
				return g, s.fail(begin, err)
			}
			g.Moves = append(g.Moves, m)
			p = p.Make(m)
		}
	}
}

// tags reads the tag pairs of a game.
func (s *scanner) tags(g *Game) error {
	for {
		if s.space(); s.at == len(s.text) || s.text[s.at] != '[' {
			return nil
		}
		begin := s.at
		s.at++
		s.space()
		name := s.symbol()
		s.space()
		valueAt := s.at
		value, ok := s.quoted()
		s.space()
		if name == "" || !ok || s.at == len(s.text) || s.text[s.at] != ']' {
			return s.fail(begin, errors.New(`a tag pair looks like [White "Name"]`))
		}
		s.at++
		switch name {
		case "FEN":
			p, err := engine.ParseFEN(value)
			if err != nil {
				return s.fail(valueAt, err)
			}
			g.Start = p
		case "SetUp", "Result": // the position tells the first; the end of the moves the second
		default:
			g.SetTag(name, value)
		}
	}
}

// quoted takes a string in quotation marks, on one line.
func (s *scanner) quoted() (value string, ok bool) {
	if s.at == len(s.text) || s.text[s.at] != '"' {
		return "", false
	}
	var b strings.Builder
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return b.String(), true
		case c == '\n':
			return "", false
		case c == '\\' && s.at+1 < len(s.text) && strings.IndexByte(`"\`, s.text[s.at+1]) >= 0:
			s.at++
			b.WriteByte(s.text[s.at])
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}
