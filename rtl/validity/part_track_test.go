package validity_test

import (
	"math/rand/v2"
	"testing"

	"github.com/cosimate/cosimate/rtl/internal/part"
	"github.com/cosimate/cosimate/sim"
)

// The scans by themselves: squares that change alone and together, for one scan or for good, and
// decisions at any time.

// trackIn and trackOut are the ports of validity_track.
type trackIn struct {
	Rst      bool   `port:"rst_i"`
	Scan     bool   `port:"scan_i"`
	Occupied uint64 `port:"occupied_i"`
	Decided  bool   `port:"decided_i"`
	Again    bool   `port:"again_i"`
	Reopen   bool   `port:"reopen_i"`
}

type trackOut struct {
	Seen     uint64 `port:"seen_o"`
	Refilled uint64 `port:"refilled_o"`
	Decided  bool   `port:"decided_o"`
	Due      bool   `port:"due_o"`
	Settled  bool   `port:"settled_o"`
}

type trackModel struct {
	scans    [2]uint64 // the last two
	seen     uint64
	refilled uint64
	stayed   int // scans since the one that changed what is seen
	decided  bool
}

func (m *trackModel) Reset() { *m = trackModel{} }

func (m *trackModel) Step(in trackIn) trackOut {
	settled := m.stayed >= handTimes.CastlingScans
	out := trackOut{
		Seen: m.seen, Refilled: m.refilled, Decided: m.decided, Settled: settled,
		Due: m.stayed >= handTimes.StableScans && !m.decided || settled && in.Again,
	}
	switch {
	case in.Decided:
		m.decided = true
	case in.Reopen:
		m.decided = false
	}
	if in.Scan {
		m.scan(in.Occupied)
	}
	if in.Rst {
		m.Reset()
	}
	return out
}

// scan takes in a scan. Each square is believed on which it agrees with the one before.
func (m *trackModel) scan(occupied uint64) {
	m.scans = [2]uint64{m.scans[1], occupied}
	var filled, emptied uint64
	for square := range 64 {
		before, now := part.Has(m.scans[0], square), part.Has(m.scans[1], square)
		switch seen := part.Has(m.seen, square); {
		case before && now && !seen:
			filled |= 1 << square
		case !before && !now && seen:
			emptied |= 1 << square
		}
	}
	if m.stayed++; filled|emptied != 0 {
		m.seen, m.refilled, m.stayed, m.decided = m.seen&^emptied|filled, filled, 0, false
	}
}

// trackStimulus is boards on which a square or many change now and then. Scans come seldom or one
// after the other; without one the board is anything.
func trackStimulus(r *rand.Rand, cycles int, yield func(trackIn) bool) {
	var occupied uint64
	change, scan, decide := 0.0, 0.0, 0.0
	for t := range cycles {
		if t%200 == 0 {
			change, scan, decide = []float64{0.05, 0.2, 0.5}[r.IntN(3)], []float64{0.1, 0.5, 1}[r.IntN(3)], []float64{0.01, 0.1, 0.5}[r.IntN(3)]
		}
		in := trackIn{
			Rst: r.IntN(100) == 0, Scan: r.Float64() < scan,
			Decided: r.Float64() < decide, Again: r.IntN(2) == 0, Reopen: r.Float64() < decide,
		}
		if r.Float64() < change {
			switch r.IntN(3) {
			case 0:
				occupied ^= 1 << r.IntN(64)
			case 1:
				occupied ^= part.Word(r)
			case 2:
				occupied = part.Word(r)
			}
		}
		in.Occupied = occupied
		switch {
		case !in.Scan:
			in.Occupied = part.Word(r)
		case r.IntN(8) == 0: // this scan alone has it
			in.Occupied ^= 1 << r.IntN(64)
		}
		if !yield(in) {
			return
		}
	}
}

func TestTrackAlone(t *testing.T) {
	// handTimes are those of most cycles of the whole.
	d := moduleOf("validity_track", "rst_i", handTimes.Params())
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[trackIn, trackOut]) {
		sim.Check(t, d, &trackModel{}, func(yield func(trackIn) bool) {
			trackStimulus(seeded(707), part.Fewer(d.Simulator(), aloneCycles), yield)
		})
	})
}
