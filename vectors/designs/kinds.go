package designs

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/vectors"
)

// kinds are the arguments of all statements.
var kinds = map[string]vectors.Kind{
	"SQUARE": {About: "a square, a1 to h8", Names: square.List, Parse: func(s string) (any, error) { return engine.ParseSquare(s) }},
	"SQUARES": {About: "squares, e2,e4, or none", Parse: func(s string) (any, error) {
		var set uint64
		if s == "none" {
			return set, nil
		}
		for name := range strings.SplitSeq(s, ",") {
			q, err := engine.ParseSquare(name)
			if err != nil {
				return nil, err
			}
			set |= 1 << q
		}
		return set, nil
	}},
	"PIECE": {About: "what a pawn becomes", Names: piece.List[2:6], Parse: func(s string) (any, error) {
		if i := slices.Index(piece.List[2:6], s); i >= 0 {
			return engine.Piece(i + 2), nil
		}
		return nil, errors.New("no pawn becomes that")
	}},
	"MOVE": {About: "a move from square to square, e2e4 or e7e8q; castling is the king's", Parse: parseMove},
	"FEN": {Rest: true, About: "a position as FEN, six fields, or startpos", Parse: func(s string) (any, error) {
		if s == "startpos" {
			return engine.StartPosition(), nil
		}
		return engine.ParseFEN(s)
	}},
	"SIDE":    {About: "white or black", Names: side.List, Parse: func(s string) (any, error) { return among(s, side.List) }},
	"CONTROL": {About: "a time control", Names: controls, Parse: func(s string) (any, error) { return among(s, controls) }},
	"CLOCK": {About: "a time MM:SS.t, 00:00.0 to 99:59.9", Parse: func(s string) (any, error) {
		var m, sec, t int
		n, err := fmt.Sscanf(s, "%2d:%2d.%1d", &m, &sec, &t)
		if d := clock.DigitsOf(m*600 + sec*10 + t); err == nil && n == 3 && sec < 60 && d.String() == s {
			return d.Tenths(), nil
		}
		return nil, errors.New("expected two digits, a colon, two digits below 60, a point and one digit")
	}},
	"BYTE":    integer("a byte, 0 to 255", 0, 255),
	"N":       integer("a number", 0, 1<<62),
	"SEQ":     integer("a number of a message, 0 to 7", 0, 7),
	"CYCLES":  integer("cycles", 1, vectors.MaxCycles),
	"DEPTH":   integer("a depth, 1 to 15 plies", 1, 15),
	"PLIES":   integer("a number of plies", 0, 255),
	"SECONDS": integer("seconds, 0 to 99", 0, 99),
	"ORDER":   {About: "an order of a list", Names: orders, Parse: func(s string) (any, error) { return among(s, orders) }},
	"FILTER":  {About: "which moves a list has", Names: filters, Parse: func(s string) (any, error) { return among(s, filters) }},
	"ERROR":   {About: "why a command is refused", Names: errorNames, Parse: func(s string) (any, error) { return among(s, errorNames) }},
	"RESULT":  {About: "how a game ends", Names: results[1:], Parse: func(s string) (any, error) { return among(s, results) }},
	"CAUSE":   {About: "what ends a game", Names: causes[1:], Parse: func(s string) (any, error) { return among(s, causes) }},
	"SIDES":   {About: "white, black, both or none", Names: sidesWords, Parse: func(s string) (any, error) { return among(s, sidesWords) }},
	"REASON":  {About: "why an action is refused", Names: reasons, Parse: func(s string) (any, error) { return among(s, reasons) }},
}

var (
	sidesWords = []string{"none", "white", "black", "both"} // as bits: White is bit 0
	results    = stringers[validity.Result](4)
	causes     = stringers[validity.Cause](12)
)

var controls = []string{"bullet", "blitz", "rapid", "classical"}

// among is the place of a name in a list.
func among(name string, list []string) (any, error) {
	if i := slices.Index(list, name); i >= 0 {
		return i, nil
	}
	return nil, errors.New("there is none of this name")
}

func integer(about string, least, most int) vectors.Kind {
	return vectors.Kind{About: about, Parse: func(s string) (any, error) {
		n, err := strconv.ParseInt(strings.ReplaceAll(s, "_", ""), 0, 64)
		if err != nil || int(n) < least || int(n) > most {
			return nil, fmt.Errorf("expected %d to %d, decimal or 0x", least, most)
		}
		return int(n), nil
	}}
}

// parseMove reads UCI notation.
func parseMove(s string) (any, error) {
	var m engine.Move
	if len(s) < 4 || len(s) > 5 {
		return nil, errors.New("expected two squares, and n, b, r or q if a pawn promotes")
	}
	var err error
	if m.From, err = engine.ParseSquare(s[:2]); err != nil {
		return nil, err
	}
	if m.To, err = engine.ParseSquare(s[2:4]); err != nil {
		return nil, err
	}
	if len(s) == 5 {
		i := strings.IndexByte("nbrq", s[4])
		if i < 0 {
			return nil, errors.New("a pawn becomes n, b, r or q")
		}
		m.Promotion = engine.Knight + engine.Piece(i)
	}
	return m, nil
}
