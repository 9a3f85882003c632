package validity

import (
	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
)

// end is how the game ends, and what might end it. Pairs of bits are White (bit 0) and Black.
type end struct {
	flag, resign, draw, claim uint8 // asked for and not acted upon yet
	offer                     uint8
	threefold, fifty          bool
	refused                   bool
	result                    rules.Result
	cause                     rules.Cause
}

func (e *end) out(o *Out) {
	o.Result, o.Cause, o.ClaimRefused = e.result, e.cause, e.refused
	if e.result == rules.InPlay {
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
	loser := func(sides uint8) engine.Color { // of both at once White loses
		if sides&1 != 0 {
			return engine.White
		}
		return engine.Black
	}
	switch {
	case e.result != rules.InPlay:
		e.refused = claim != 0
	case flag != 0:
		e.result, e.cause = rules.FlagFall(p, loser(flag))
	case resign != 0:
		e.result, e.cause = rules.Win(loser(resign).Other()), rules.Resignation
	case e.offer|draw == 3:
		e.result, e.cause = rules.Draw, rules.Agreement
	case claim>>side&1 != 0 && e.threefold:
		e.result, e.cause = rules.Draw, rules.Threefold
	case claim>>side&1 != 0 && e.fifty:
		e.result, e.cause = rules.Draw, rules.Fifty
	default:
		e.offer |= draw
		e.refused = claim != 0
	}
}

// judge looks whether a position ends the game, which has occurred so often, this time included.
func (e *end) judge(p *engine.Position, occurred int, made bool) {
	if e.result != rules.InPlay {
		return
	}
	if made {
		e.offer &^= 1 << p.SideToMove() // the other side has moved, which rejects it
	}
	e.threefold, e.fifty = rules.Claims(p, occurred)
	e.result, e.cause = rules.End(p, occurred)
}
