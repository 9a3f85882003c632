package rules

import "fmt"

// Reason is why a move, or something else that a player does, is refused.
type Reason uint8

// The reasons. The first ones are those of the laws, for any illegal move; a board that senses its
// pieces or takes moves from elsewhere has more.
const (
	NoReason        Reason = iota
	Blocked                // a piece stands in the way
	OwnPiece               // an own piece stands on the destination
	KingIntoCheck          // the king would be in check where it goes
	Pinned                 // the own king would be in check: the piece shields it
	StillInCheck           // the own king would still be in check
	CastlingRights         // castling: king or rook has moved before
	CastlingBlocked        // castling: a piece stands between king and rook
	CastlingOut            // castling: the king is in check
	CastlingThrough        // castling: the king would pass over an attacked square
	EnPassant              // the pawn cannot be taken en passant now
	PawnCapture            // a pawn goes diagonally only to capture
	PawnForward            // a pawn does not capture straight ahead
	NotYourTurn            // the other side is to move
	TwoPieces              // a board's: two pieces of one side were moved
	NotAMove               // the piece does not move so
	NotShown               // a board's: it is not the move that the board shows
	Unclear                // a board's: several squares differ, and the move cannot be told
	NoPiece                // no piece stands on the origin
	NoPromotion            // a promotion without a piece, or a piece without promotion
	GameOver               // the game has ended
)

// String returns the reason's short name, such as "king into check".
func (r Reason) String() string {
	return name(r, "no reason", "blocked", "own piece", "king into check", "pinned", "still in check",
		"castling rights", "castling blocked", "castling out of check", "castling through check",
		"en passant", "pawn capture", "pawn forward", "not your turn", "two pieces", "not a move",
		"not shown", "unclear", "no piece", "no promotion", "game over")
}

// Result is the result of a game.
type Result uint8

// The results.
const (
	InPlay Result = iota
	WhiteWins
	BlackWins
	Draw
)

// String returns the result in words, such as "white wins".
func (r Result) String() string { return name(r, "in play", "white wins", "black wins", "draw") }

// PGN returns the result as PGN writes it (PGN standard, 8.1.1.7), such as "1-0"; "*" for InPlay.
func (r Result) PGN() string { return name(r, "*", "1-0", "0-1", "1/2-1/2") }

// Cause is what ended a game.
type Cause uint8

// The causes, with the articles of the FIDE Laws of Chess.
const (
	NoCause      Cause = iota
	Mate               // 5.1.1
	Stalemate          // 5.2.1
	Insufficient       // 5.2.2, as far as the material alone decides
	Threefold          // 9.2, claimed
	Fivefold           // 9.6.1
	Fifty              // 9.3, claimed
	SeventyFive        // 9.6.2
	Resignation        // 5.1.2
	Agreement          // 5.2.3
	Time               // 6.9
	TimeNoMate         // 6.9: a draw, as the opponent cannot mate
)

// String returns the cause's short name, such as "mate".
func (c Cause) String() string {
	return name(c, "none", "mate", "stalemate", "insufficient material", "threefold repetition",
		"fivefold repetition", "fifty moves", "seventy-five moves", "resignation", "agreement", "time",
		"time without mate")
}

// Words returns the cause as it is said to players, such as "checkmate"; "" for NoCause. Saved
// games have it too.
func (c Cause) Words() string {
	switch c {
	case NoCause:
		return ""
	case Mate:
		return "checkmate"
	case TimeNoMate:
		return "time, but the opponent cannot mate"
	}
	return c.String()
}

// CauseOf returns the cause of which [Cause.Words] are the words, if there is one.
func CauseOf(words string) (c Cause, ok bool) {
	for c := Mate; c <= TimeNoMate; c++ {
		if c.Words() == words {
			return c, true
		}
	}
	return NoCause, false
}

// name returns the name of a code.
func name[T ~uint8](code T, names ...string) string {
	if int(code) < len(names) {
		return names[code]
	}
	return fmt.Sprintf("code %d", uint8(code))
}
