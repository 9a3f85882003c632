package validity_test

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/internal/part"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/sim"
)

// Modules by themselves, with boards and readings that no game gives. In games many bits follow
// from others, which hides faults of those.

// reasonUnknown stands for no reason, as there was no reading yet.
const reasonUnknown rules.Reason = 31

// attemptIn and attemptOut are the ports of validity_attempt.
type attemptIn struct {
	Lifted   uint64 `port:"lifted_i"`
	Filled   uint64 `port:"filled_i"`
	Refilled uint64 `port:"refilled_i"`
	Own      uint64 `port:"own_i"`
	Pawns    uint64 `port:"pawns_i"`
	Rooks    uint64 `port:"rooks_i"`
	Kings    uint64 `port:"kings_i"`
	Shown    bool   `port:"shown_i"`
	Waiting  bool   `port:"waiting_i"`
}

type attemptOut struct {
	Onto   bool         `port:"onto_o"`
	OwnUp  bool         `port:"own_up_o"`
	Two    bool         `port:"two_o"`
	Reason rules.Reason `port:"reason_o" bits:"5"`
	From   uint8        `port:"from_o" bits:"6"`
	To     uint8        `port:"to_o" bits:"6"`
}

// attemptModel keeps the reading of the clock before: what is waited for counts at once.
type attemptModel struct {
	reading *attemptIn
}

func (m *attemptModel) Reset() { *m = attemptModel{} }

func (m *attemptModel) Step(in attemptIn) attemptOut {
	if m.reading == nil {
		m.reading = &in
		return attemptOut{Reason: reasonUnknown}
	}
	out := m.reading.attempt()
	if in.Shown {
		out.Reason = rules.NotShown
	}
	if in.Waiting {
		out.Reason = rules.NotYourTurn
	}
	m.reading = &in
	return out
}

// DontCare: a move is there only where nothing else is the matter.
func (m *attemptModel) DontCare(want attemptOut) (mask attemptOut) {
	switch {
	case want.Reason == reasonUnknown:
		mask = attemptOut{Onto: true, OwnUp: true, Two: true, Reason: 31, From: 63, To: 63}
	case want.Reason != rules.NoReason:
		mask = attemptOut{From: 63, To: 63}
	}
	return mask
}

// Squares of castling.
const (
	squareA1, squareB1, squareC1, squareD1 = 0, 1, 2, 3
	squareE1, squareF1, squareG1, squareH1 = 4, 5, 6, 7
)

// attempt is what was tried, if nothing is waited for.
func (in *attemptIn) attempt() (out attemptOut) {
	own, opp := in.Lifted&in.Own, in.Lifted&^in.Own
	to := in.Filled
	if to == 0 {
		to = in.Refilled
	}
	out.Onto = in.Filled == 0 && in.Refilled != 0 && bits.OnesCount64(in.Lifted) == 1
	out.OwnUp = own != 0
	out.Two = bits.OnesCount64(own) > 1
	switch {
	case in.castled(squareH1, squareG1, squareF1):
		out.From, out.To = squareE1, squareG1
	case in.castled(squareA1, squareC1, squareD1):
		out.From, out.To = squareE1, squareC1
	case out.Two:
		out.Reason = rules.TwoPieces
	case bits.OnesCount64(to) != 1:
		out.Reason = rules.Unclear
	case own != 0 && (opp == 0 || in.takesEnPassant(own, opp)):
		out.From, out.To = uint8(bits.TrailingZeros64(own)), uint8(bits.TrailingZeros64(to))
	case own == 0 && bits.OnesCount64(opp) == 1:
		out.Reason = rules.NotYourTurn
	default:
		out.Reason = rules.Unclear
	}
	return out
}

// castled reports whether king and rook have gone from their squares, or will have: nothing else
// has; and the king stands where castling puts it, or both are up and one of them stands.
func (in *attemptIn) castled(rook, kingTo, rookTo int) bool {
	if !part.Has(in.Lifted&in.Own&in.Kings, squareE1) || !part.Has(in.Own&in.Rooks, rook) {
		return false
	}
	if in.Lifted&^(1<<squareE1|1<<rook) != 0 || in.Filled&^(1<<kingTo|1<<rookTo) != 0 {
		return false
	}
	return part.Has(in.Filled, kingTo) || in.Filled != 0 && part.Has(in.Lifted, rook)
}

// takesEnPassant reports whether a pawn has come to rank 6, and the pawns behind that square are
// all that the opponent has up.
func (in *attemptIn) takesEnPassant(own, opp uint64) bool {
	if own&in.Pawns == 0 {
		return false
	}
	var behind uint64
	onRank6 := false
	for square := range 64 {
		if !part.Has(in.Filled, square) {
			continue
		}
		onRank6 = onRank6 || square/8 == 5
		if square >= 8 && part.Has(in.Pawns, square-8) {
			behind |= 1 << (square - 8)
		}
	}
	return onRank6 && opp == behind
}

// squares returns up to n squares, of any or of those in a word.
func squares(r *rand.Rand, n int, of uint64) (some uint64) {
	for range r.IntN(n + 1) {
		if square := r.IntN(64); part.Has(of, square) {
			some |= 1 << square
		}
	}
	return some
}

// randomAttempt is a reading of any board: a few squares changed, some as in castling or en
// passant, but for a square now and then.
func randomAttempt(r *rand.Rand) attemptIn {
	in := attemptIn{
		Own: part.Word(r), Pawns: part.Word(r), Rooks: part.Word(r), Kings: part.Word(r),
		Refilled: squares(r, 2, 1<<64-1), Shown: r.IntN(20) == 0, Waiting: r.IntN(20) == 0,
	}
	switch r.IntN(4) {
	case 0: // en passant
		from, to := r.IntN(64), 8+r.IntN(56)
		if r.IntN(4) > 0 {
			to = 40 + r.IntN(8)
		}
		taken := to - 8
		if r.IntN(4) == 0 {
			taken = r.IntN(64)
		}
		in.Own = in.Own | 1<<from
		if r.IntN(8) > 0 {
			in.Own &^= 1 << taken
		}
		if r.IntN(8) > 0 {
			in.Pawns |= 1 << from
		}
		if r.IntN(8) > 0 {
			in.Pawns |= 1 << taken
		}
		in.Lifted, in.Filled = 1<<from|1<<taken, 1<<to
		if r.IntN(8) == 0 {
			in.Filled |= squares(r, 1, ^in.Lifted)
		}
		if r.IntN(8) == 0 {
			in.Lifted |= squares(r, 1, ^in.Filled)
		}
	case 1: // castling
		corner := uint64(1) << [...]int{squareA1, squareH1}[r.IntN(2)]
		home := uint64(1)<<squareE1 | corner
		if in.Own |= home; r.IntN(8) == 0 {
			in.Own ^= 1 << squareE1
		}
		if r.IntN(8) == 0 {
			in.Own ^= corner
		}
		if r.IntN(8) > 0 {
			in.Kings |= 1 << squareE1
		}
		if r.IntN(8) > 0 {
			in.Rooks |= corner
		}
		in.Lifted = home
		if r.IntN(2) == 0 {
			in.Lifted ^= [...]uint64{1 << squareE1, corner, corner}[r.IntN(3)]
		}
		for _, square := range []int{squareC1, squareD1, squareF1, squareG1} {
			if r.IntN(3) == 0 {
				in.Filled |= 1 << square
			}
		}
		if r.IntN(8) == 0 {
			in.Lifted |= squares(r, 1, ^in.Filled)
		}
		if r.IntN(8) == 0 {
			in.Filled |= squares(r, 1, ^in.Lifted)
		}
	default:
		in.Lifted = squares(r, 3, 1<<64-1)
		in.Filled = squares(r, 2, ^in.Lifted)
	}
	return in
}

// moduleOf is a module by itself. reset is the port that resets it, "" if there is none.
func moduleOf(name, reset string, params map[string]string) sim.Design {
	return part.Of(validity.Design, name, reset, params, "movegen/piece_pkg.sv", "movegen/movegen_types.sv", "game/game_pkg.sv",
		"validity/validity_pkg.sv", "validity/"+name+".sv")
}

// combinational is such a module without a clock.
func combinational(name string) sim.Design {
	d := moduleOf(name, "", nil)
	d.Clock = ""
	return d
}

// checkRandom compares a module with its model, with inputs that do not depend on those before.
func checkRandom[In, Out any](t *testing.T, d sim.Design, m sim.Model[In, Out], seed uint64, random func(*rand.Rand) In) {
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[In, Out]) {
		m.Reset() // it has been at the simulator before
		sim.Check(t, d, m, func(yield func(In) bool) {
			r := seeded(seed)
			for range part.Fewer(d.Simulator(), aloneCycles) {
				if !yield(random(r)) {
					return
				}
			}
		})
	})
}

// aloneCycles are those of a module by itself in Verilator.
const aloneCycles = 300_000

func TestAttemptAlone(t *testing.T) {
	checkRandom(t, moduleOf("validity_attempt", "", nil), &attemptModel{}, 701, randomAttempt)
}
