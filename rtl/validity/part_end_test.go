package validity_test

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/internal/part"
	"github.com/cosimate/cosimate/sim"
)

// The end of a game by itself: judgements that no position gives, with counters around their
// limits, and all that both sides ask for at any time.

// endIn and endOut are the ports of validity_end. Pairs of bits are White (bit 0) and Black.
type endIn struct {
	Rst   bool `port:"rst_i"`
	Clear bool `port:"clear_i"`

	Judge    bool   `port:"judge_i"`
	None     bool   `port:"none_i"`
	Check    bool   `port:"check_i"`
	Repeats  uint8  `port:"repeats_i"`
	Halfmove uint16 `port:"halfmove_i"`
	Black    bool   `port:"black_i"`
	CanMate  uint8  `port:"can_mate_i" bits:"2"`
	Moved    bool   `port:"moved_i"`

	Flag   uint8 `port:"flag_i" bits:"2"`
	Resign uint8 `port:"resign_i" bits:"2"`
	Draw   uint8 `port:"draw_i" bits:"2"`
	Claim  uint8 `port:"claim_i" bits:"2"`
	Act    bool  `port:"act_i"`
}

type endOut struct {
	Pending   bool         `port:"pending_o"`
	Result    rules.Result `port:"result_o" bits:"2"`
	Cause     rules.Cause  `port:"cause_o" bits:"4"`
	Offer     uint8        `port:"offer_o" bits:"2"`
	Threefold bool         `port:"threefold_o"`
	Fifty     bool         `port:"fifty_o"`
	Refused   bool         `port:"refused_o"`
}

// side is whose move it is.
func (in *endIn) side() engine.Color {
	if in.Black {
		return engine.Black
	}
	return engine.White
}

// endModel is what was asked for and not acted upon, and how the game stands.
type endModel struct {
	flag, resign, draw, claim uint8
	now                       endOut
}

func (m *endModel) Reset() { *m = endModel{} }

func (m *endModel) Step(in endIn) endOut {
	over := m.now.Result != rules.InPlay
	out := m.now
	out.Pending = m.flag|m.resign|m.draw|m.claim != 0
	if over {
		out.Offer, out.Threefold, out.Fifty = 0, false, false
	}
	asked := *m
	if m.now.Refused = false; in.Act {
		m.flag, m.resign, m.draw, m.claim = 0, 0, 0, 0
	}
	m.flag, m.resign, m.draw, m.claim = m.flag|in.Flag, m.resign|in.Resign, m.draw|in.Draw, m.claim|in.Claim
	if over { // a flag may stay up
		m.flag = 0
	}
	switch {
	case in.Judge && !over: // what is to be acted upon at the same time is lost
		m.judge(&in)
	case in.Act && over:
		m.now.Refused = asked.claim != 0
	case in.Act:
		m.act(&in, &asked)
	}
	if in.Rst || in.Clear {
		m.Reset()
	}
	return out
}

// end ends the game.
func (m *endModel) end(result rules.Result, cause rules.Cause) {
	m.now.Result, m.now.Cause = result, cause
}

// judge looks whether the position ends the game.
func (m *endModel) judge(in *endIn) {
	if in.Moved { // which rejects the offer of the side that is to move now
		m.now.Offer &^= 1 << in.side()
	}
	m.now.Threefold, m.now.Fifty = in.Repeats >= 3, in.Halfmove >= 100
	switch {
	case in.None && in.Check:
		m.end(rules.Win(in.side().Other()), rules.Mate)
	case in.None:
		m.end(rules.Draw, rules.Stalemate)
	case in.CanMate == 0:
		m.end(rules.Draw, rules.Insufficient)
	case in.Repeats >= 5:
		m.end(rules.Draw, rules.Fivefold)
	case in.Halfmove >= 150:
		m.end(rules.Draw, rules.SeventyFive)
	}
}

// act does what was asked for.
func (m *endModel) act(in *endIn, asked *endModel) {
	// first is the side that loses: of both White.
	first := func(sides uint8) engine.Color { return engine.Color(bits.TrailingZeros8(sides)) }
	claims := asked.claim>>in.side()&1 != 0
	switch {
	case asked.flag != 0 && in.CanMate>>first(asked.flag).Other()&1 == 0:
		m.end(rules.Draw, rules.TimeNoMate)
	case asked.flag != 0:
		m.end(rules.Win(first(asked.flag).Other()), rules.Time)
	case asked.resign != 0:
		m.end(rules.Win(first(asked.resign).Other()), rules.Resignation)
	case m.now.Offer|asked.draw == 3:
		m.end(rules.Draw, rules.Agreement)
	case claims && m.now.Threefold:
		m.end(rules.Draw, rules.Threefold)
	case claims && m.now.Fifty:
		m.end(rules.Draw, rules.Fifty)
	default:
		m.now.Offer |= asked.draw
		m.now.Refused = asked.claim != 0
	}
}

// endStimulus is games in which much happens, or little. Most positions do not end them.
func endStimulus(r *rand.Rand, cycles int, yield func(endIn) bool) {
	often := func(share float64) bool { return r.Float64() < share }
	// sides are those that ask for something.
	sides := func(share float64) uint8 {
		if !often(share) {
			return 0
		}
		return uint8(1 + r.IntN(3))
	}
	var judge, act, ask, final float64
	for t := range cycles {
		if t%100 == 0 {
			share := []float64{0.01, 0.1, 0.4}
			judge, act, ask, final = share[r.IntN(3)], share[r.IntN(3)], share[r.IntN(3)], share[r.IntN(3)]
		}
		in := endIn{
			Rst: r.IntN(100) == 0, Clear: r.IntN(50) == 0,
			Judge: often(judge), Check: r.IntN(2) == 0, Black: r.IntN(2) == 0, Moved: r.IntN(2) == 0,
			None: often(final), CanMate: uint8(1 + r.IntN(3)), Repeats: uint8(r.IntN(5)), Halfmove: uint16(r.IntN(150)),
			Flag: sides(ask / 8), Resign: sides(ask / 8), Draw: sides(ask), Claim: sides(ask), Act: often(act),
		}
		if often(final) {
			in.CanMate = uint8(r.IntN(4))
		}
		if often(final) {
			in.Repeats = [...]uint8{uint8(r.IntN(8)), 1 << r.IntN(8), uint8(r.Uint32())}[r.IntN(3)]
		}
		if often(final) {
			limit := []uint16{100, 150}[r.IntN(2)]
			in.Halfmove = [...]uint16{limit - 2 + uint16(r.IntN(4)), limit ^ 1<<r.IntN(16), 1 << r.IntN(16), uint16(r.IntN(256)), uint16(r.Uint32())}[r.IntN(5)]
		}
		if !yield(in) {
			return
		}
	}
}

func TestEndAlone(t *testing.T) {
	d := moduleOf("validity_end", "rst_i", nil)
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[endIn, endOut]) {
		sim.Check(t, d, &endModel{}, func(yield func(endIn) bool) {
			endStimulus(seeded(708), part.Fewer(d.Simulator(), aloneCycles), yield)
		})
	})
}
