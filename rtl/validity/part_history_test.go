package validity_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/cosimate/cosimate/rtl/internal/part"
	"github.com/cosimate/cosimate/sim"
)

// The positions before by themselves: words of any bits that are equal or differ in one of them, in
// games that are short, as long as the laws have them, or fill the memory.

// historyEntry is a position, of 4 * 64 + 4 + 8 bits.
type historyEntry [5]uint64

const historyBits = 4*64 + 4 + 8

// historyIn and historyOut are the ports of validity_history.
type historyIn struct {
	Rst   bool         `port:"rst_i"`
	Begin bool         `port:"begin_i"`
	Fresh bool         `port:"fresh_i"`
	Store bool         `port:"store_i"`
	Entry historyEntry `port:"entry_i" bits:"268"`
}

type historyOut struct {
	Repeats uint8 `port:"repeats_o"`

	counting bool `port:"-"` // it is not right yet
}

// historyModel is the positions since the last irreversible move.
type historyModel struct {
	before  []historyEntry
	left    int // cycles until the count is right
	repeats int
}

func (m *historyModel) Reset() { *m = historyModel{before: m.before[:0]} }

// cycles are how many a count takes.
func (m *historyModel) cycles() int { return 4 + len(m.before)/2 }

func (m *historyModel) Step(in historyIn) historyOut {
	m.left = max(m.left-1, 0)
	out := historyOut{Repeats: uint8(m.repeats), counting: m.left > 0}
	if in.Begin {
		if in.Fresh {
			m.before = m.before[:0]
		}
		m.left, m.repeats = m.cycles(), 1
		for i, before := range m.before {
			if sameSide := (len(m.before)-i)%2 == 0; sameSide && before == in.Entry {
				m.repeats++
			}
		}
	}
	if in.Store {
		m.before = append(m.before, in.Entry)
	}
	if in.Rst {
		m.Reset()
	}
	return out
}

func (m *historyModel) DontCare(want historyOut) (mask historyOut) {
	if want.counting {
		mask.Repeats = 255
	}
	return mask
}

// randomEntry is any word.
func randomEntry(r *rand.Rand) (e historyEntry) {
	for i := range e {
		e[i] = r.Uint64()
	}
	e[4] &= 1<<(historyBits-256) - 1
	return e
}

// historyPool are words of which some differ in one bit only, others in half of them: a bit that is
// written later than the rest is another one then.
func historyPool(r *rand.Rand) []historyEntry {
	pool := []historyEntry{randomEntry(r)}
	for range r.IntN(4) {
		if r.IntN(3) == 0 {
			pool = append(pool, randomEntry(r))
			continue
		}
		e := pool[0]
		bit := r.IntN(historyBits)
		e[bit/64] ^= 1 << (bit % 64)
		pool = append(pool, e)
	}
	return pool
}

// historyStimulus plays games. Once a position is kept, the input is any other, for a moment or for
// longer than any count takes.
func historyStimulus(r *rand.Rand, cycles int, yield func(historyIn) bool) {
	var pool []historyEntry
	other := func() historyEntry {
		if r.IntN(2) == 0 {
			return randomEntry(r)
		}
		return pool[r.IntN(len(pool))]
	}
	m, resets := historyModel{}, 0.0
	// give is a cycle, which may be a reset instead; ok reports whether the game goes on.
	give := func(in historyIn) (ok bool) {
		if in.Rst = r.Float64() < resets; in.Rst {
			in.Begin, in.Store = false, false
		}
		if cycles--; cycles < 0 || !yield(in) {
			cycles = 0
			return false
		}
		m.Step(in)
		return !in.Rst
	}
	// game is one of so many positions.
	game := func(positions int) {
		for n := range positions {
			in := historyIn{Begin: true, Fresh: n == 0, Entry: pool[r.IntN(len(pool))]}
			kept := in.Entry
			if !give(in) {
				return
			}
			for wait := m.cycles() + r.IntN(3); wait > 1; wait-- {
				in = historyIn{Fresh: r.IntN(2) == 0, Entry: kept}
				if n == 0 { // nothing is compared: the position may still become another
					in.Entry = other()
				}
				if !give(in) {
					return
				}
			}
			if !give(historyIn{Store: true, Fresh: r.IntN(2) == 0, Entry: kept}) {
				return
			}
			wait := r.IntN(4)
			if r.IntN(50) == 0 {
				wait = 300
			}
			for range wait {
				if !give(historyIn{Fresh: r.IntN(2) == 0, Entry: other()}) {
					return
				}
			}
		}
	}
	for cycles > 0 {
		if len(pool) == 0 || r.IntN(2) == 0 {
			pool = historyPool(r)
		}
		switch resets = 0; r.IntN(40) {
		case 0:
			game(256)
		case 1, 2:
			game(151)
		default:
			resets = []float64{0, 0.02}[r.IntN(2)]
			game(1 + r.IntN(16))
		}
	}
}

func TestHistoryAlone(t *testing.T) {
	d := moduleOf("validity_history", "rst_i", map[string]string{"Width": strconv.Itoa(historyBits)})
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[historyIn, historyOut]) {
		sim.Check(t, d, &historyModel{}, func(yield func(historyIn) bool) {
			historyStimulus(seeded(709), part.Fewer(d.Simulator(), aloneCycles), yield)
		})
	})
}
