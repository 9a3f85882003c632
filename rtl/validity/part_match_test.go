package validity_test

import (
	"math/rand/v2"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/part"
)

// The comparison with a move by itself: moves between any two squares, castling and en passant from
// anywhere, and readings that are like them but for a square or so.

// matchIn and matchOut are the ports of validity_match.
type matchIn struct {
	From     uint8  `port:"from_i" bits:"6"`
	To       uint8  `port:"to_i" bits:"6"`
	Captured uint8  `port:"captured_i" bits:"3"`
	Castling uint8  `port:"castling_i" bits:"2"`
	Ep       bool   `port:"ep_i"`
	Lifted   uint64 `port:"lifted_i"`
	Filled   uint64 `port:"filled_i"`
	Refilled uint64 `port:"refilled_i"`
}

type matchOut struct {
	Made  bool `port:"made_o"`
	Begun bool `port:"begun_o"`
	Half  bool `port:"half_o"`
}

// takes reports whether the move takes a piece on its destination.
func (in *matchIn) takes() bool { return in.Captured != 0 && !in.Ep }

// rook are the squares that a castling rook leaves and goes to: of both sides, if the move is
// castling to both.
func (in *matchIn) rook() (from, to uint64) {
	for i, rook := range [2]struct{ from, to int }{{squareH1, squareF1}, {squareA1, squareD1}} {
		if in.Castling>>i&1 != 0 {
			from, to = from|1<<rook.from, to|1<<rook.to
		}
	}
	return from, to
}

// changes are the squares that the move leaves empty, and those that it fills.
func (in *matchIn) changes() (empties, fills uint64) {
	empties, fills = in.rook()
	empties |= 1 << in.From
	if in.Ep && in.To >= 8 {
		empties |= 1 << (in.To - 8)
	}
	if !in.takes() {
		fills |= 1 << in.To
	}
	return empties, fills
}

type matchModel struct{}

func (matchModel) Reset() {}

func (matchModel) Step(in matchIn) (out matchOut) {
	empties, fills := in.changes()
	rookFrom, rookTo := in.rook()
	passing := uint64(0) // emptied on the way
	if in.takes() {
		passing = 1 << in.To
	}
	out.Made = in.Lifted == empties && in.Filled == fills && (!in.takes() || part.Has(in.Refilled, int(in.To)))
	out.Begun = in.Lifted&^(empties|passing) == 0 && in.Filled&^fills == 0
	out.Half = in.Castling != 0 && in.Lifted == rookFrom && in.Filled == rookTo
	return out
}

// randomMatch is a move, and a reading that shows it as made, on its way, or half of it; or that
// differs from this in a square.
func randomMatch(r *rand.Rand) matchIn {
	in := matchIn{From: uint8(r.IntN(64)), To: uint8(r.IntN(64)), Refilled: part.Word(r)}
	if r.IntN(2) == 0 {
		in.Captured = uint8(engine.Pawn) + uint8(r.IntN(7))
	}
	if r.IntN(4) == 0 {
		in.Castling = uint8(r.IntN(4))
	}
	in.Ep = r.IntN(4) == 0
	if r.IntN(2) == 0 {
		in.Refilled ^= 1 << in.To
	}
	in.Lifted, in.Filled = in.changes()
	switch r.IntN(4) {
	case 0: // on its way
		in.Lifted |= 1 << in.To
		in.Lifted, in.Filled = in.Lifted&r.Uint64(), in.Filled&r.Uint64()
	case 1: // the rook's half
		in.Lifted, in.Filled = in.rook()
	}
	switch r.IntN(8) {
	case 0, 1, 2:
		in.Lifted ^= 1 << r.IntN(64)
	case 3, 4, 5:
		in.Filled ^= 1 << r.IntN(64)
	}
	return in
}

func TestMatchAlone(t *testing.T) {
	checkRandom(t, combinational("validity_match"), matchModel{}, 704, randomMatch)
}
