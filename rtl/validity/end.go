package validity

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/cosimate/cosimate/engine"
)

// end is how the game ends, and what might end it. Pairs of bits are White (bit 0) and Black.
type end struct {
	flag, resign, draw, claim uint8 // asked for and not acted upon yet
	offer                     uint8
	threefold, fifty          bool
	refused                   bool
	result                    Result
	cause                     Cause
}

func (e *end) out(o *Out) {
	o.Result, o.Cause, o.ClaimRefused = e.result, e.cause, e.refused
	if e.result == InPlay {
		o.Offer, o.Threefold, o.Fifty = e.offer, e.threefold, e.fifty
	}
}

func (e *end) pending() bool { return e.flag|e.resign|e.draw|e.claim != 0 }

// take notes what comes from outside. A flag may stay up: after the end it means nothing.
func (e *end) take(in *In, over bool) {
	e.flag |= in.Flag
	if over {
		e.flag = 0
	}
	e.resign |= in.Resign
	e.draw |= in.Draw
	e.claim |= in.Claim
}

// act does what was asked for.
func (e *end) act(p *engine.Position) {
	flag, resign, draw, claim := e.flag, e.resign, e.draw, e.claim
	e.flag, e.resign, e.draw, e.claim = 0, 0, 0, 0
	side := p.SideToMove()
	wins := func(loser uint8) Result { // of both at once White loses
		if loser&1 != 0 {
			return BlackWins
		}
		return WhiteWins
	}
	switch {
	case e.result != InPlay:
		e.refused = claim != 0
	case flag != 0:
		e.result, e.cause = wins(flag), Time
		if winner := engine.Color(e.result - WhiteWins); !canMate(p, winner) {
			e.result, e.cause = Draw, TimeNoMate
		}
	case resign != 0:
		e.result, e.cause = wins(resign), Resignation
	case e.offer|draw == 3:
		e.result, e.cause = Draw, Agreement
	case claim>>side&1 != 0 && e.threefold:
		e.result, e.cause = Draw, Threefold
	case claim>>side&1 != 0 && e.fifty:
		e.result, e.cause = Draw, Fifty
	default:
		e.offer |= draw
		e.refused = claim != 0
	}
}

// judge looks whether a position ends the game.
func (e *end) judge(p *engine.Position, moves, repeats int, halfmove uint16, made bool) {
	if e.result != InPlay {
		return
	}
	side := p.SideToMove()
	if made {
		e.offer &^= 1 << side // the other side has moved, which rejects it
	}
	e.threefold, e.fifty = repeats >= 3, halfmove >= 100
	switch {
	case moves == 0 && p.InCheck():
		e.result, e.cause = WhiteWins, Mate
		if side == engine.White {
			e.result = BlackWins
		}
	case moves == 0:
		e.result, e.cause = Draw, Stalemate
	case !canMate(p, engine.White) && !canMate(p, engine.Black):
		e.result, e.cause = Draw, Insufficient
	case repeats >= 5:
		e.result, e.cause = Draw, Fivefold
	case halfmove >= 150:
		e.result, e.cause = Draw, SeventyFive
	}
}

// canMate tells whether a side has the material to mate, with the opponent's help if need be.
func canMate(p *engine.Position, side engine.Color) bool {
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
	light := 0 // of all bishops those on light squares
	all := p.Bitboard(side, engine.Bishop) | p.Bitboard(other, engine.Bishop)
	for s := range engine.Square(64) {
		if all>>s&1 != 0 && (s>>3+s)&1 == 1 {
			light++
		}
	}
	return light != 0 && light != bits.OnesCount64(all)
}

// place is what makes a position the same as another (FIDE article 9.2.3): pieces, side to move,
// rights to castle, and a pawn that can be taken en passant, by a legal move.
func place(p *engine.Position, legal []engine.Move) string {
	f := strings.Fields(p.FEN())
	taken := "-"
	for _, m := range legal {
		if m.EnPassant {
			taken = f[3]
		}
	}
	return fmt.Sprint(f[0], f[1], f[2], taken)
}
