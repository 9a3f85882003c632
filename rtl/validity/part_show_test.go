package validity_test

import (
	"math/rand/v2"
	"testing"

	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/validity"
)

// What is shown by itself, with whatever else the board knows at the same time.

// showIn and showOut are the ports of validity_show.
type showIn struct {
	State     validity.State `port:"state_i" bits:"3"`
	Result    rules.Result   `port:"result_i" bits:"2"`
	Reason    rules.Reason   `port:"reason_i" bits:"5"`
	Differing uint64         `port:"differing_i"`
	Shown     bool           `port:"shown_i"`
	ShownFrom uint8          `port:"shown_from_i" bits:"6"`
	ShownTo   uint8          `port:"shown_to_i" bits:"6"`
	Check     bool           `port:"check_i"`
	King      uint8          `port:"king_i" bits:"6"`
	Promoting uint8          `port:"promoting_i" bits:"6"`
}

type showOut struct {
	Reason  rules.Reason  `port:"reason_o" bits:"5"`
	Restore uint64        `port:"restore_o"`
	Show    validity.Show `port:"show_o" bits:"4"`
	From    uint8         `port:"show_from_o" bits:"6"`
	To      uint8         `port:"show_to_o" bits:"6"`
}

type showModel struct{}

func (showModel) Reset() {}

func (showModel) Step(in showIn) showOut {
	switch in.State {
	case validity.Over:
		switch in.Result {
		case rules.WhiteWins:
			return showOut{Show: validity.ShowWhiteWins}
		case rules.BlackWins:
			return showOut{Show: validity.ShowBlackWins}
		}
		return showOut{Show: validity.ShowDraw}
	case validity.Illegal:
		return showOut{Show: validity.ShowIllegal, Reason: in.Reason, Restore: in.Differing}
	case validity.SetUp:
		return showOut{Show: validity.ShowRestore, Restore: in.Differing}
	case validity.Promotion:
		return showOut{Show: validity.ShowPromotion, From: in.Promoting, To: in.Promoting}
	}
	switch {
	case in.Shown:
		return showOut{Show: validity.ShowMove, From: in.ShownFrom, To: in.ShownTo}
	case in.Check:
		return showOut{Show: validity.ShowCheck, From: in.King, To: in.King}
	}
	return showOut{}
}

func TestShowAlone(t *testing.T) {
	checkRandom(t, combinational("validity_show"), showModel{}, 710, func(r *rand.Rand) showIn {
		return showIn{
			State: validity.State(r.IntN(8)), Result: rules.Result(r.IntN(4)), Reason: rules.Reason(r.IntN(32)), Differing: r.Uint64(),
			Shown: r.IntN(2) == 0, ShownFrom: uint8(r.IntN(64)), ShownTo: uint8(r.IntN(64)),
			Check: r.IntN(2) == 0, King: uint8(r.IntN(64)), Promoting: uint8(r.IntN(64)),
		}
	})
}
