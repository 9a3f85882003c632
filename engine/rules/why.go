package rules

import (
	"fmt"
	"strings"

	"github.com/cosimate/cosimate/engine"
)

// articles say which rule forbids what, with the article of the FIDE Laws of Chess. %[1]s is the
// piece, %[2]v where it comes from, %[3]v where it was to go.
var articles = map[Reason]string{
	Blocked:         "a piece stands in the way of the %[1]s from %[2]v to %[3]v (FIDE 3.5, 3.7)",
	OwnPiece:        "an own piece stands on %[3]v (FIDE 3.1)",
	KingIntoCheck:   "the king would be in check on %[3]v (FIDE 3.9.2)",
	Pinned:          "the %[1]s on %[2]v shields its king from check (FIDE 3.9.2)",
	StillInCheck:    "the king is in check, and still would be (FIDE 3.9.2)",
	CastlingRights:  "the king or that rook has moved before (FIDE 3.8.2.1)",
	CastlingBlocked: "a piece stands between king and rook (FIDE 3.8.2.2)",
	CastlingOut:     "the king may not castle out of check (FIDE 3.8.2.2)",
	CastlingThrough: "the king would pass over a square that is attacked (FIDE 3.8.2.2)",
	EnPassant:       "the pawn can be taken en passant only at once after its double step (FIDE 3.7.4)",
	PawnCapture:     "a pawn goes diagonally only to capture, and there is nothing on %[3]v (FIDE 3.7.3)",
	PawnForward:     "a pawn does not capture straight ahead, and %[3]v is occupied (FIDE 3.7.1)",
	NotYourTurn:     "the piece on %[2]v is the opponent's (FIDE 1.1)",
	NotAMove:        "a %[1]s does not go from %[2]v to %[3]v (FIDE 3.2 to 3.8)",
	NoPiece:         "no piece stands on %[2]v",
	NotShown:        "it is not the move that is shown",
	NoPromotion:     "a pawn on the last rank must become a queen, rook, bishop or knight, and nothing else may (FIDE 3.7.5)",
	TwoPieces:       "two pieces were moved",
	Unclear:         "several squares differ: it cannot be told what was meant",
	GameOver:        "the game is over",
}

// Explain says in words why a move from one square to another is refused for the reason, with the
// article of the FIDE Laws of Chess. The position is the one in which it is refused.
func (r Reason) Explain(p *engine.Position, from, to engine.Square) string {
	text, ok := articles[r]
	if !ok {
		return r.String()
	}
	if !strings.Contains(text, "%") {
		return text
	}
	piece, _ := p.PieceAt(from)
	return fmt.Sprintf(text, piece, from, to)
}

// Why returns the reason why the side to move may not go from one square to another. The move must
// not be legal; the result is meaningless then. A move without the piece that a pawn becomes is
// taken for one with it.
func Why(p *engine.Position, from, to engine.Square) Reason {
	side := p.SideToMove()
	piece, color := p.PieceAt(from)
	taken, takenColor := p.PieceAt(to)
	switch {
	case piece == engine.NoPiece:
		return NoPiece
	case color != side:
		return NotYourTurn
	}
	for _, c := range Castlings(side) {
		if piece == engine.King && from == c.King && to == c.KingTo && c.Stands(p) {
			return c.why(p)
		}
	}
	if taken != engine.NoPiece && takenColor == side {
		return OwnPiece
	}
	if goes(p, from, to) {
		switch {
		case piece == engine.King:
			return KingIntoCheck
		case p.InCheck():
			return StillInCheck
		}
		return Pinned
	}
	if piece != engine.Pawn {
		if shape(piece, from, to) {
			return Blocked
		}
		return NotAMove
	}
	up, files := forward(side)*(int(to>>3)-int(from>>3)), abs(int(to&7)-int(from&7))
	switch {
	case files == 0 && (up == 1 || up == 2 && rank(from, side) == 2):
		if taken != engine.NoPiece {
			return PawnForward
		}
		return Blocked
	case files == 1 && up == 1:
		beside := engine.Square(int(to) - 8*forward(side))
		if k, c := p.PieceAt(beside); rank(to, side) == 6 && k == engine.Pawn && c != side {
			return EnPassant
		}
		return PawnCapture
	}
	return NotAMove
}

// Castling is castling on one wing: where king and rook come from and where they go.
type Castling struct{ King, KingTo, Rook, RookTo engine.Square }

// Castlings returns a side's castling on the king side and on the queen side.
func Castlings(side engine.Color) [2]Castling {
	rank := engine.Square(56 * side)
	return [2]Castling{
		{King: rank + 4, KingTo: rank + 6, Rook: rank + 7, RookTo: rank + 5},
		{King: rank + 4, KingTo: rank + 2, Rook: rank + 0, RookTo: rank + 3},
	}
}

// Stands reports whether a king and a rook of the side whose castling it is stand where they castle
// from.
func (c Castling) Stands(p *engine.Position) bool {
	side := c.side()
	return p.Bitboard(side, engine.King)>>c.King&1 != 0 && p.Bitboard(side, engine.Rook)>>c.Rook&1 != 0
}

func (c Castling) side() engine.Color { return engine.Color(c.King / 56) }

// why returns why castling is not legal.
func (c Castling) why(p *engine.Position) Reason {
	kingSide, queenSide := p.Castling(c.side())
	if c.KingTo > c.King && !kingSide || c.KingTo < c.King && !queenSide {
		return CastlingRights
	}
	for s := min(c.King, c.Rook) + 1; s < max(c.King, c.Rook); s++ {
		if k, _ := p.PieceAt(s); k != engine.NoPiece {
			return CastlingBlocked
		}
	}
	switch {
	case p.InCheck():
		return CastlingOut
	case attacked(p, c.RookTo):
		return CastlingThrough
	}
	return KingIntoCheck
}

// goes reports whether a piece of the side to move goes from one square to another by its rule,
// whatever that means for its king. Castling is left out.
func goes(p *engine.Position, from, to engine.Square) bool {
	side := p.SideToMove()
	piece, _ := p.PieceAt(from)
	taken, takenColor := p.PieceAt(to)
	if taken != engine.NoPiece && takenColor == side {
		return false
	}
	if piece != engine.Pawn {
		return shape(piece, from, to) && free(p, from, to)
	}
	up, files := forward(side)*(int(to>>3)-int(from>>3)), abs(int(to&7)-int(from&7))
	switch {
	case files == 0 && up == 1:
		return taken == engine.NoPiece
	case files == 0 && up == 2:
		return rank(from, side) == 2 && taken == engine.NoPiece && free(p, from, to)
	case files == 1 && up == 1:
		passed, ok := p.EnPassant()
		return taken != engine.NoPiece || ok && passed == to
	}
	return false
}

// shape reports whether a piece other than a pawn goes from one square to another on an empty
// board.
func shape(piece engine.Piece, from, to engine.Square) bool {
	ranks, files := abs(int(to>>3)-int(from>>3)), abs(int(to&7)-int(from&7))
	straight, diagonal := ranks == 0 || files == 0, ranks == files
	switch piece {
	case engine.Knight:
		return ranks*files == 2
	case engine.Bishop:
		return from != to && diagonal
	case engine.Rook:
		return from != to && straight
	case engine.Queen:
		return from != to && (straight || diagonal)
	case engine.King:
		return max(ranks, files) == 1
	}
	return false
}

// free reports whether no piece stands between two squares. There is nothing between squares that
// are on no common line.
func free(p *engine.Position, from, to engine.Square) bool {
	ranks, files := int(to>>3)-int(from>>3), int(to&7)-int(from&7)
	if ranks != 0 && files != 0 && abs(ranks) != abs(files) {
		return true
	}
	step := 8*sign(ranks) + sign(files)
	for s := int(from) + step; s != int(to); s += step {
		if k, _ := p.PieceAt(engine.Square(s)); k != engine.NoPiece {
			return false
		}
	}
	return true
}

// attacked reports whether the opponent attacks a square.
func attacked(p *engine.Position, s engine.Square) bool {
	side := p.SideToMove()
	for from := range engine.Square(64) {
		piece, color := p.PieceAt(from)
		if piece == engine.NoPiece || color == side {
			continue
		}
		if piece == engine.Pawn {
			if abs(int(s&7)-int(from&7)) == 1 && int(s>>3)-int(from>>3) == -forward(side) {
				return true
			}
		} else if shape(piece, from, s) && free(p, from, s) {
			return true
		}
	}
	return false
}

// forward is the sign of the step of a side's pawns.
func forward(side engine.Color) int { return 1 - 2*int(side) }

// rank is a square's rank from 1 to 8 as a side counts.
func rank(s engine.Square, side engine.Color) int {
	if side == engine.Black {
		return 8 - int(s>>3)
	}
	return 1 + int(s>>3)
}

func abs(n int) int { return max(n, -n) }

func sign(n int) int { return min(max(n, -1), 1) }
