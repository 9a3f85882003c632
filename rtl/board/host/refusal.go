package host

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/notation"
	"github.com/cosimate/cosimate/rtl/validity"
)

// rules say which rule forbids what, with the article of the FIDE Laws of Chess. %[1]s is the
// piece, %[2]v where it comes from, %[3]v where it was to go.
var rules = map[validity.Reason]string{
	validity.Blocked:         "a piece stands in the way of the %[1]s from %[2]v to %[3]v (FIDE 3.5, 3.7)",
	validity.OwnPiece:        "an own piece stands on %[3]v (FIDE 3.1)",
	validity.KingIntoCheck:   "the king would be in check on %[3]v (FIDE 3.9.2)",
	validity.Pinned:          "the %[1]s on %[2]v shields its king from check (FIDE 3.9.2)",
	validity.StillInCheck:    "the king is in check, and still would be (FIDE 3.9.2)",
	validity.CastlingRights:  "the king or that rook has moved before (FIDE 3.8.2.1)",
	validity.CastlingBlocked: "a piece stands between king and rook (FIDE 3.8.2.2)",
	validity.CastlingOut:     "the king may not castle out of check (FIDE 3.8.2.2)",
	validity.CastlingThrough: "the king would pass over a square that is attacked (FIDE 3.8.2.2)",
	validity.EnPassant:       "the pawn can be taken en passant only at once after its double step (FIDE 3.7.4)",
	validity.PawnCapture:     "a pawn goes aslant only to capture, and there is nothing on %[3]v (FIDE 3.7.3)",
	validity.PawnForward:     "a pawn does not capture straight ahead, and %[3]v is occupied (FIDE 3.7.1)",
	validity.NotYourTurn:     "the piece on %[2]v is the opponent's (FIDE 1.1)",
	validity.NotAMove:        "a %[1]s does not go from %[2]v to %[3]v (FIDE 3.2 to 3.8)",
	validity.NoPiece:         "no piece stands on %[2]v",
	validity.NotShown:        "it is not the move that is shown",
	validity.NoPromotion:     "a pawn on the last rank must become a queen, rook, bishop or knight, and nothing else may (FIDE 3.7.5)",
	validity.TwoPieces:       "two pieces were moved",
	validity.Unclear:         "several squares differ: it cannot be told what was meant",
	validity.GameOver:        "the game is over",
}

// explain says which rule forbids to go from one square to another.
func explain(p *engine.Position, r validity.Reason, from, to engine.Square) string {
	text, ok := rules[r]
	if !ok {
		return r.String()
	}
	piece, _ := p.PieceAt(from)
	if !strings.Contains(text, "%") {
		return text
	}
	return fmt.Sprintf(text, piece, from, to)
}

// refusal makes an error of [notation.Parse] a [*Refusal] with the rule.
func refusal(p *engine.Position, err error) error {
	e, ok := errors.AsType[*notation.Error](err)
	if !ok {
		return err
	}
	if len(e.Illegal) == 0 {
		return &Refusal{What: e.Text, Why: e.Problem}
	}
	r := &Refusal{What: e.Text}
	var why []string
	for _, s := range e.Illegal {
		r.Reason = validity.Why(p, s.From, s.To)
		why = append(why, explain(p, r.Reason, s.From, s.To))
	}
	// Of several pieces that were meant those say most that could go there but for something.
	if len(why) > 1 {
		var better []string
		for i, s := range e.Illegal {
			if c := validity.Why(p, s.From, s.To); c != validity.NotAMove {
				r.Reason = c
				better = append(better, why[i])
			}
		}
		if better == nil {
			piece, _ := p.PieceAt(e.Illegal[0].From)
			better = []string{fmt.Sprintf("no %s goes to %v (FIDE 3.2 to 3.8)", piece, e.Illegal[0].To)}
		}
		why = better
	}
	r.Why = strings.Join(why, "; ")
	return r
}
