package notation

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/cosimate/cosimate/engine"
)

// Error says why a text is no legal move of a position.
type Error struct {
	Text    string
	Problem string
	// Illegal are the moves that the text can mean and that are not legal. Package engine/rules
	// says why not.
	Illegal []Squares
	NoForm  bool // the text has the form of no move
}

// Squares are the origin and the destination of a move.
type Squares struct{ From, To engine.Square }

func (e *Error) Error() string { return fmt.Sprintf("%q: %s", e.Text, e.Problem) }

// form matches all notations of moves but castling: piece, file, rank, capture, destination,
// promotion.
var form = regexp.MustCompile(`^([KQRBNP]?)([a-h]?)([1-8]?)([-x:]?)([a-h][1-8])=?\(?([QRBNqrbn]?)\)?$`)

var castlings = map[string]bool{ // is it on the king's side?
	"O-O": true, "0-0": true, "o-o": true, "O-O-O": false, "0-0-0": false, "o-o-o": false,
}

// Parse reads a move of p in standard or long algebraic notation, pawns with or without their
// letter P, or that of the Universal Chess Interface. Marks of check, mate and judgement may
// follow. A pawn that reaches the last rank becomes a queen if the text names no piece. The error
// is an [*Error].
func Parse(p *engine.Position, text string) (engine.Move, error) {
	bare := strings.TrimRight(strings.TrimSuffix(strings.TrimSpace(text), "e.p."), " +#!?")
	legal := p.AppendMoves(nil)
	if kingSide, ok := castlings[bare]; ok {
		return parseCastling(p, legal, text, kingSide)
	}
	parts := form.FindStringSubmatch(bare)
	if parts == nil {
		return engine.Move{}, &Error{Text: text, NoForm: true, Problem: "is no move: moves look like e2e4, Nf3, Ng1f3, exd5, e7e8q or O-O"}
	}
	w := wanted{piece: kind(parts[1]), file: parts[2], rank: parts[3], captures: parts[4] == "x" || parts[4] == ":", promotion: kind(parts[6])}
	w.to, _ = engine.ParseSquare(parts[5])
	if w.piece == engine.NoPiece && !w.whole() {
		w.piece = engine.Pawn
	}
	return w.find(p, legal, text)
}

// kind returns the piece of a letter, and NoPiece for "".
func kind(letter string) engine.Piece {
	if letter == "P" { // not written, but by some programs
		return engine.Pawn
	}
	for k, l := range letters {
		if l != "" && strings.EqualFold(l, letter) {
			return engine.Piece(k)
		}
	}
	return engine.NoPiece
}

// wanted is what a text says of a move.
type wanted struct {
	piece      engine.Piece // NoPiece if only the origin is given
	file, rank string       // of the origin, or ""
	to         engine.Square
	captures   bool // the text says so; a capture may also be left unsaid
	promotion  engine.Piece
}

// whole reports whether the origin is given in full.
func (w *wanted) whole() bool { return w.file != "" && w.rank != "" }

// from reports whether the text can mean a piece on a square.
func (w *wanted) from(s engine.Square, piece engine.Piece) bool {
	name := s.String()
	return (w.piece == engine.NoPiece || w.piece == piece) && strings.HasPrefix(name, w.file) && strings.HasSuffix(name, w.rank)
}

// find returns the one legal move that the text means.
func (w *wanted) find(p *engine.Position, legal []engine.Move, text string) (engine.Move, error) {
	fail := func(format string, args ...any) (engine.Move, error) {
		return engine.Move{}, &Error{Text: text, Problem: fmt.Sprintf(format, args...)}
	}
	var found []engine.Move
	promotes := false
	for _, m := range legal {
		if m.To != w.to || !w.from(m.From, m.Piece) {
			continue
		}
		if m.Promotion != engine.NoPiece {
			promotes = true
			if m.Promotion != w.promotion && (w.promotion != engine.NoPiece || m.Promotion != engine.Queen) {
				continue
			}
		}
		found = append(found, m)
	}
	switch {
	case len(found) == 0:
		return engine.Move{}, w.illegal(p, text)
	case len(found) > 1:
		var names []string
		for _, m := range found {
			names = append(names, SAN(p, m))
		}
		return fail("can be %s: say which", strings.Join(names, " or "))
	case w.promotion != engine.NoPiece && !promotes:
		return fail("only a pawn that reaches the last rank becomes another piece")
	case w.captures && found[0].Captured == engine.NoPiece:
		return fail("there is nothing to capture on %v", w.to)
	}
	return found[0], nil
}

// illegal returns the error for a text that means no legal move.
func (w *wanted) illegal(p *engine.Position, text string) error {
	e := &Error{Text: text, Problem: "is not legal"}
	side := p.SideToMove()
	for s := range engine.Square(64) {
		piece, color := p.PieceAt(s)
		if piece == engine.NoPiece || !w.from(s, piece) || color != side && !w.whole() {
			continue
		}
		e.Illegal = append(e.Illegal, Squares{s, w.to})
	}
	if e.Illegal == nil {
		what, where := "piece", ""
		if w.piece != engine.NoPiece {
			what = w.piece.String()
		}
		switch {
		case w.whole():
			where = " on " + w.file + w.rank
		case w.file != "":
			where = " on the " + w.file + " file"
		case w.rank != "":
			where = " on rank " + w.rank
		}
		e.Problem = fmt.Sprintf("%v has no %s%s", side, what, where)
	}
	return e
}

func parseCastling(p *engine.Position, legal []engine.Move, text string, kingSide bool) (engine.Move, error) {
	for _, m := range legal {
		if m.Castling && m.To > m.From == kingSide {
			return m, nil
		}
	}
	king, to := engine.Square(4), engine.Square(2)
	if kingSide {
		to = 6
	}
	home := engine.Square(56 * p.SideToMove())
	return engine.Move{}, &Error{Text: text, Problem: "is not legal", Illegal: []Squares{{home + king, home + to}}}
}
