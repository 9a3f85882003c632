// Package block has what several blocks use to describe themselves to package vectors: names of
// ports' values, kinds of arguments of statements, and checks.
package block

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/vectors"
)

// The names of ports' values.
var (
	Square    = vectors.Names{List: squares()}            // of 6 bits
	Squares   = vectors.Names{List: squares(), Set: true} // of 64 bits: one a square
	Piece     = vectors.Names{List: []string{"none", "pawn", "knight", "bishop", "rook", "queen", "king"}}
	Files     = vectors.Names{List: strings.Split("a b c d e f g h", " "), Set: true}
	Side      = vectors.Names{List: []string{"white", "black"}}
	Sides     = vectors.Names{List: Side.List, Set: true}
	Castling  = vectors.Names{List: []string{"king-side", "queen-side"}, Set: true} // of one side
	Rights    = vectors.Names{List: []string{"K", "Q", "k", "q"}, Set: true}        // White's and Black's
	OwnRights = vectors.Names{List: []string{"own-king-side", "own-queen-side", "their-king-side", "their-queen-side"}, Set: true}

	Response = vectors.Names{List: []string{"okay", "exokay", "slverr", "decerr"}} // of AXI
	Burst    = vectors.Names{List: []string{"fixed", "incr", "wrap"}}              // of AXI3
)

// squares returns the squares, a1 = 0 to h8 = 63.
func squares() (list []string) {
	for q := range engine.Square(64) {
		list = append(list, q.String())
	}
	return list
}

// Bitboards returns the ports of a position's bitboards. The first, called own, has the pieces of
// one side.
func Bitboards(prefix, own, suffix string) (ports []string) {
	for _, n := range []string{own, "pawns", "knights", "bishops", "rooks", "queens", "kings"} {
		ports = append(ports, prefix+n+suffix)
	}
	return ports
}

// The kinds of arguments. What a statement gets is an int, or of the type that is named.
var (
	// engine.Square
	ArgSquare = vectors.Kind{Name: "SQUARE", About: "a square, a1 to h8", Names: Square.List,
		Parse: func(s string) (any, error) { return engine.ParseSquare(s) }}
	// uint64: a bit for each square
	ArgSquares = vectors.Kind{Name: "SQUARES", About: "squares, e2,e4, or none", Parse: parseSquares}
	// engine.Piece
	ArgPiece = vectors.Kind{Name: "PIECE", About: "what a pawn becomes", Names: promotions, Parse: parsePromotion}
	// engine.Move, with origin, destination and promotion
	ArgMove = vectors.Kind{Name: "MOVE", About: "a move from square to square, e2e4 or e7e8q; castling is the king's", Parse: parseMove}
	// engine.Position
	ArgFEN = vectors.Kind{Name: "FEN", Rest: true, About: "a position as FEN, six fields, or startpos", Parse: parseFEN}

	ArgSide   = vectors.OneOf("SIDE", "white or black", Side.List...)
	ArgReason = vectors.OneOf("REASON", "why an action is refused", vectors.NamesOf[rules.Reason]().List...)
	ArgByte   = vectors.Number("BYTE", "a byte, 0 to 255", 0, 255)
	ArgN      = vectors.Number("N", "a number", 0, 1<<62)
	ArgCycles = vectors.Number("CYCLES", "cycles", 1, vectors.MaxCycles)
	ArgDepth  = vectors.Number("DEPTH", "a depth, 1 to 15 plies", 1, 15)
)

// promotions are the names of what a pawn becomes.
var promotions = Piece.List[engine.Knight : engine.Queen+1]

func parseSquares(s string) (any, error) {
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
}

func parsePromotion(s string) (any, error) {
	if i := slices.Index(promotions, s); i >= 0 {
		return engine.Knight + engine.Piece(i), nil
	}
	return nil, errors.New("no pawn becomes that")
}

func parseFEN(s string) (any, error) {
	if s == "startpos" {
		return engine.StartPosition(), nil
	}
	return engine.ParseFEN(s)
}

// parseMove reads a move in UCI notation.
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

// WrongArg returns an error about one of a statement's arguments, counted from 0.
func WrongArg(arg int, format string, args ...any) error {
	return &vectors.WordError{Arg: arg, Err: fmt.Errorf(format, args...)}
}

// ErrNoPosition is the error of a statement that needs a position.
var ErrNoPosition = errors.New(`no position was given: write "position FEN" before it`)

// FormatSquares returns a set of squares as vectors write it.
func FormatSquares(set uint64) string {
	var list []string
	for q := range engine.Square(64) {
		if set>>q&1 != 0 {
			list = append(list, q.String())
		}
	}
	if list == nil {
		return "none"
	}
	return strings.Join(list, ",")
}
