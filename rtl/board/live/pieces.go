package live

import (
	"fmt"
	"strings"

	"github.com/cosimate/cosimate/engine"
)

// Place is where a piece is: a square, in the hand, or beside the board.
type Place int8

// Places that are no squares.
const (
	Beside Place = 64 + iota
	Hand
)

// ParsePlace reads "e4", "hand" or "beside".
func ParsePlace(text string) (Place, error) {
	switch text {
	case "beside":
		return Beside, nil
	case "hand":
		return Hand, nil
	}
	s, err := engine.ParseSquare(text)
	if err != nil {
		return 0, fmt.Errorf("%q is no place: a square such as e4, hand or beside is", text)
	}
	return Place(s), nil
}

func (p Place) String() string {
	switch p {
	case Beside:
		return "beside"
	case Hand:
		return "hand"
	}
	return engine.Square(p).String()
}

// Square returns the square, if it is one.
func (p Place) Square() (engine.Square, bool) { return engine.Square(p), p < Beside }

// MarshalText makes JSON of a place.
func (p Place) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads the JSON of a place.
func (p *Place) UnmarshalText(text []byte) (err error) {
	*p, err = ParsePlace(string(text))
	return err
}

// Piece is a wooden piece with a magnet in its foot.
type Piece struct {
	ID    int    `json:"id"`
	Kind  string `json:"kind"` // as FEN has it: K is White's king, k is Black's
	At    Place  `json:"at"`
	Lying bool   `json:"lying,omitempty"` // it was knocked over: no sensor sees its magnet
}

// letters are the kinds of pieces in FEN.
const letters = ".PNBRQK"

// kind returns the piece's kind and color.
func (p *Piece) kind() (engine.Piece, engine.Color) {
	upper := strings.ToUpper(p.Kind)
	color := engine.White
	if upper != p.Kind {
		color = engine.Black
	}
	return engine.Piece(strings.Index(letters, upper)), color
}

// name returns the piece in words: "white knight".
func (p *Piece) name() string {
	k, c := p.kind()
	return fmt.Sprintf("%v %v", c, k)
}

// letterOf returns a piece as FEN has it.
func letterOf(k engine.Piece, c engine.Color) string {
	l := letters[k : k+1]
	if c == engine.Black {
		l = strings.ToLower(l)
	}
	return l
}

// piecesOf returns the pieces of a position, each on its square.
func piecesOf(p *engine.Position) (pieces []Piece) {
	for s := range engine.Square(64) {
		if k, c := p.PieceAt(s); k != engine.NoPiece {
			pieces = append(pieces, Piece{ID: len(pieces), Kind: letterOf(k, c), At: Place(s)})
		}
	}
	return pieces
}

// most is how many pieces there can be.
const most = 128
