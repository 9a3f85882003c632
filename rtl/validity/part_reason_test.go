package validity_test

import (
	"math/rand/v2"
	"testing"

	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/internal/part"
)

// The reasons by themselves: any move on any board, and any answers to any of the questions.

// reasonIn and reasonOut are the ports of validity_reason.
type reasonIn struct {
	From     uint8  `port:"from_i" bits:"6"`
	To       uint8  `port:"to_i" bits:"6"`
	Own      uint64 `port:"own_i"`
	Occupied uint64 `port:"occupied_i"`
	Pawns    uint64 `port:"pawns_i"`
	Kings    uint64 `port:"kings_i"`
	Rooks    uint8  `port:"rooks_i" bits:"2"`
	Castling uint8  `port:"castling_i" bits:"2"`
	Check    bool   `port:"check_i"`
	Step     uint8  `port:"step_i" bits:"2"`
	Kind     uint8  `port:"kind_i" bits:"3"`
	Hit      bool   `port:"hit_i"`
}

type reasonOut struct {
	More   bool         `port:"more_o"`
	Reason rules.Reason `port:"reason_o" bits:"5"`
}

// reasonModel keeps the position and the move of the clock before: the question and what it is
// about count at once.
type reasonModel struct{ position *reasonIn }

func (m *reasonModel) Reset() { *m = reasonModel{} }

func (m *reasonModel) Step(in reasonIn) (out reasonOut) {
	if out.Reason = reasonUnknown; m.position != nil {
		out.Reason, out.More = m.position.reason(&in)
	}
	m.position = &in
	return out
}

// DontCare: there is no reason yet if more is to be asked.
func (m *reasonModel) DontCare(want reasonOut) (mask reasonOut) {
	if want.More {
		mask.Reason = 31
	}
	if want.Reason == reasonUnknown {
		mask = reasonOut{More: true, Reason: 31}
	}
	return mask
}

// castles reports whether the move is castling, whatever stands between, and to which side: 0 is
// the king's, 1 the queen's.
func (in *reasonIn) castles() (side int, ok bool) {
	if in.From != squareE1 || !part.Has(in.Kings, squareE1) {
		return 0, false
	}
	switch {
	case in.To == squareG1 && in.Rooks&1 != 0:
		return 0, true
	case in.To == squareC1 && in.Rooks&2 != 0:
		return 1, true
	}
	return 0, false
}

// reason is why the move in this position is not legal, if asked tells it.
func (in *reasonIn) reason(asked *reasonIn) (reason rules.Reason, more bool) {
	from, to := int(in.From), int(in.To)
	side, castles := in.castles()
	pawn := part.Has(in.Pawns, from)
	switch asked.Kind {
	case askReal:
		switch {
		case !part.Has(in.Occupied, from):
			return rules.NoPiece, false
		case !part.Has(in.Own, from):
			return rules.NotYourTurn, false
		case castles && in.Castling>>side&1 == 0:
			return rules.CastlingRights, false
		case !castles && part.Has(in.Own, to):
			return rules.OwnPiece, false
		}
		return 0, true
	case askFrozen:
		switch {
		case castles && !asked.Hit:
			return rules.CastlingBlocked, false
		case castles && asked.Check:
			return rules.CastlingOut, false
		case castles && asked.Step>>side&1 == 0:
			return rules.CastlingThrough, false
		case !asked.Hit:
			return 0, true
		case part.Has(in.Kings, from):
			return rules.KingIntoCheck, false
		case asked.Check:
			return rules.StillInCheck, false
		}
		return rules.Pinned, false
	case askCleared:
		switch {
		case !asked.Hit && pawn:
			return 0, true
		case !asked.Hit:
			return rules.NotAMove, false
		case pawn && part.Has(in.Occupied, to):
			return rules.PawnForward, false
		}
		return rules.Blocked, false
	case askEnPassant:
		return rules.EnPassant, !asked.Hit
	}
	if asked.Hit {
		return rules.PawnCapture, false
	}
	return rules.NotAMove, false
}

// randomReason is any move, often castling or what differs from it in a bit. Kinds that are none
// are taken for the last one.
func randomReason(r *rand.Rand) reasonIn {
	in := reasonIn{
		From: uint8(r.IntN(64)), To: uint8(r.IntN(64)), Own: part.Word(r), Occupied: part.Word(r), Pawns: part.Word(r), Kings: part.Word(r),
		Rooks: uint8(r.IntN(4)), Castling: uint8(r.IntN(4)), Step: uint8(r.IntN(4)),
		Kind: uint8(r.IntN(8)), Check: r.IntN(2) == 0, Hit: r.IntN(2) == 0,
	}
	if r.IntN(3) == 0 {
		in.From, in.To = squareE1, [...]uint8{squareG1, squareC1}[r.IntN(2)]
		switch r.IntN(4) {
		case 0:
			in.From ^= 1 << r.IntN(6)
		case 1:
			in.To ^= 1 << r.IntN(6)
		}
	}
	return in
}

func TestReasonAlone(t *testing.T) {
	checkRandom(t, moduleOf("validity_reason", "", nil), &reasonModel{}, 705, randomReason)
}
