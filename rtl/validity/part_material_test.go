package validity_test

import (
	"math/rand/v2"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/part"
)

// The material to mate by itself, with pawns on any rank, any number of kings, and now and then a
// square with a piece of two kinds, which counts as one piece.

// materialIn and materialOut are the ports of validity_material.
type materialIn struct {
	Own     uint64 `port:"own_i"`
	Pawns   uint64 `port:"pawns_i"`
	Knights uint64 `port:"knights_i"`
	Bishops uint64 `port:"bishops_i"`
	Rooks   uint64 `port:"rooks_i"`
	Queens  uint64 `port:"queens_i"`
}

type materialOut struct {
	CanMate bool `port:"can_mate_o"`
}

// words are those of the kinds of pieces. Kings have none.
func (in *materialIn) words() [engine.King]*uint64 {
	return [...]*uint64{
		engine.Pawn: &in.Pawns, engine.Knight: &in.Knights, engine.Bishop: &in.Bishops, engine.Rook: &in.Rooks, engine.Queen: &in.Queens,
	}
}

// dark and light are the colours of squares.
const dark, light = 0, 1

func colour(square int) int { return (square%8 + square/8) % 2 }

type materialModel struct{}

func (materialModel) Reset() {}

func (materialModel) Step(in materialIn) materialOut {
	// has reports whether there is one of these kinds among the squares of a word.
	has := func(squares uint64, kinds ...engine.Piece) bool {
		for _, piece := range kinds {
			if *in.words()[piece]&squares != 0 {
				return true
			}
		}
		return false
	}
	var bishops [2]bool // of either side, by the colours of their squares
	pieces := 0         // own ones beside kings
	for square := range 64 {
		if has(in.Own&(1<<square), engine.Pawn, engine.Knight, engine.Bishop, engine.Rook, engine.Queen) {
			pieces++
		}
		if part.Has(in.Bishops, square) {
			bishops[colour(square)] = true
		}
	}
	switch {
	case has(in.Own, engine.Pawn, engine.Rook, engine.Queen):
		return materialOut{true}
	case has(in.Own, engine.Knight):
		return materialOut{pieces > 1 || has(^in.Own, engine.Pawn, engine.Knight, engine.Bishop, engine.Rook)}
	case has(in.Own, engine.Bishop):
		return materialOut{has(^in.Own, engine.Pawn, engine.Knight) || bishops[dark] && bishops[light]}
	}
	return materialOut{}
}

// put puts a piece onto a square, if it is empty.
func (in *materialIn) put(piece engine.Piece, square int, own bool) {
	if part.Has(in.Own|in.Pawns|in.Knights|in.Bishops|in.Rooks|in.Queens, square) {
		return
	}
	if own {
		in.Own |= 1 << square
	}
	if piece < engine.King {
		*in.words()[piece] |= 1 << square
	}
}

// randomMaterial has what can mate with a little more, or could not with a little less, so that
// each piece matters. Whether a piece is alone is found by the numbers of squares, so two pieces
// often have numbers that differ in one bit.
func randomMaterial(r *rand.Rand) (in materialIn) {
	anyKind := func() engine.Piece { return engine.Pawn + engine.Piece(r.IntN(5)) }
	// coloured is a square of one colour.
	coloured := func(of int) int {
		square := r.IntN(64)
		if colour(square) != of {
			square ^= 1
		}
		return square
	}
	of, square := r.IntN(2), r.IntN(64)
	switch r.IntN(8) {
	case 0: // a piece of any kind
		in.put(anyKind(), square, true)
	case 1, 2: // a knight, which may be a bishop, too
		if in.put(engine.Knight, square, true); r.IntN(4) == 0 {
			in.Bishops |= in.Knights
		}
	case 3, 4: // a knight, and another one or a bishop
		in.put(engine.Knight, square, true)
		in.put(engine.Knight+engine.Piece(r.IntN(2)), square^1<<r.IntN(6), true)
	case 5, 6: // bishops on squares of one colour
		for range 1 + r.IntN(2) {
			in.put(engine.Bishop, coloured(of), true)
		}
	}
	for range 1 + r.IntN(8) {
		in.put(engine.King, r.IntN(64), true)
	}
	switch r.IntN(5) {
	case 0: // one piece
		in.put(anyKind(), r.IntN(64), false)
	case 1: // many of one kind
		piece := anyKind()
		for range r.IntN(32) {
			in.put(piece, r.IntN(64), false)
		}
	case 2: // bishops on squares of the same colour, beside rooks and queens
		for range r.IntN(16) {
			in.put(engine.Bishop+engine.Piece(r.IntN(3)), coloured(of), false)
		}
	case 3: // many of any kind
		for range r.IntN(32) {
			in.put(anyKind(), r.IntN(64), false)
		}
	}
	return in
}

func TestMaterialAlone(t *testing.T) {
	checkRandom(t, combinational("validity_material"), materialModel{}, 703, randomMaterial)
}
