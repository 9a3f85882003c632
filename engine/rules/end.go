package rules

import (
	"math/bits"

	"github.com/cosimate/cosimate/engine"
)

// End returns how a game ends by itself with position p, which has occurred so often, this time
// included: by mate, stalemate, insufficient material, fivefold repetition or 75 moves. It returns
// InPlay and NoCause if the game goes on.
func End(p *engine.Position, occurred int) (Result, Cause) {
	switch stuck := p.Count() == 0; {
	case stuck && p.InCheck():
		return Win(p.SideToMove().Other()), Mate
	case stuck:
		return Draw, Stalemate
	case !CanMate(p, engine.White) && !CanMate(p, engine.Black):
		return Draw, Insufficient
	case occurred >= 5:
		return Draw, Fivefold
	case p.Halfmove() >= 150:
		return Draw, SeventyFive
	}
	return InPlay, NoCause
}

// Claims reports for what the side to move can claim a draw in position p, which has occurred so
// often, this time included: threefold repetition, fifty moves (FIDE 9.2, 9.3).
func Claims(p *engine.Position, occurred int) (threefold, fifty bool) {
	return occurred >= 3, p.Halfmove() >= 100
}

// FlagFall returns how a game ends in position p when a side has used up its time: it loses, or the
// game is drawn because the opponent cannot mate (FIDE 6.9).
func FlagFall(p *engine.Position, side engine.Color) (Result, Cause) {
	if CanMate(p, side.Other()) {
		return Win(side.Other()), Time
	}
	return Draw, TimeNoMate
}

// Win returns the result of a game that a side has won.
func Win(side engine.Color) Result {
	if side == engine.White {
		return WhiteWins
	}
	return BlackWins
}

// Key is what two positions have in common that count as the same when repetitions are counted
// (FIDE 9.2.3): pieces, side to move, rights to castle, and a pawn that can be taken en passant by
// a legal move. Keys are compared with ==.
type Key struct{ setup engine.Setup }

// KeyOf returns the key of a position.
func KeyOf(p *engine.Position) Key {
	s := p.Setup()
	s.Halfmove, s.Fullmove = 0, 0
	if s.EnPassant != 0 && !takesEnPassant(p) {
		s.EnPassant = 0
	}
	return Key{s}
}

// takesEnPassant reports whether a legal move takes en passant.
func takesEnPassant(p *engine.Position) bool {
	for _, m := range p.AppendMoves(nil) {
		if m.EnPassant {
			return true
		}
	}
	return false
}

// CanMate reports whether a side has the material to mate, with the opponent's help if need be
// (FIDE 5.2.2, 6.9). It looks at the material only: of blocked positions it may report too much.
func CanMate(p *engine.Position, side engine.Color) bool {
	count := func(c engine.Color, kinds ...engine.Piece) (n int) {
		for _, k := range kinds {
			n += bits.OnesCount64(p.Bitboard(c, k))
		}
		return n
	}
	other := side.Other()
	knights, bishops := count(side, engine.Knight), count(side, engine.Bishop)
	switch {
	case count(side, engine.Pawn, engine.Rook, engine.Queen) > 0, knights > 1, knights > 0 && bishops > 0:
		return true
	case knights == 1:
		return count(other, engine.Pawn, engine.Knight, engine.Bishop, engine.Rook) > 0
	case bishops == 0:
		return false
	}
	if count(other, engine.Pawn, engine.Knight) > 0 {
		return true
	}
	light := 0 // bishops of both sides on light squares
	all := p.Bitboard(side, engine.Bishop) | p.Bitboard(other, engine.Bishop)
	for s := range engine.Square(64) {
		if all>>s&1 != 0 && (s>>3+s)&1 == 1 {
			light++
		}
	}
	return light != 0 && light != bits.OnesCount64(all)
}
