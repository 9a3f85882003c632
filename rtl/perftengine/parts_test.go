package perftengine

import (
	"cmp"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/part"
	"github.com/cosimate/cosimate/sim"
)

// Parts of the engine by themselves, with inputs that the engine never has for them: lists that no
// position gives, and words on their way while they are cleared.

// seeded returns random numbers that follow from the seed of the tests and n.
func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(sim.Seed(), n)) }

// listerIn and listerOut are the ports of perftengine_lister.
type listerIn struct {
	Clear     bool   `port:"clear_i"`
	Node      bool   `port:"node_i"`
	Code0     uint64 `port:"code0_i"`
	Code1     uint64 `port:"code1_i"`
	Code2     uint64 `port:"code2_i"`
	North     uint64 `port:"to_n_i"`
	South     uint64 `port:"to_s_i"`
	East      uint64 `port:"to_e_i"`
	West      uint64 `port:"to_w_i"`
	NorthEast uint64 `port:"to_ne_i"`
	SouthWest uint64 `port:"to_sw_i"`
	NorthWest uint64 `port:"to_nw_i"`
	SouthEast uint64 `port:"to_se_i"`
	Knights   uint64 `port:"knights_i"`
	Targets   uint64 `port:"targets_i"`
	Castling  uint8  `port:"castling_i"`
	Ready     bool   `port:"beat_ready_i"`
}

type listerOut struct {
	Take      bool  `port:"take_o"`
	Valid     bool  `port:"beat_valid_o"`
	From      uint8 `port:"beat_from_o"`
	To        uint8 `port:"beat_to_o"`
	Promotion uint8 `port:"beat_promotion_o"`
	Last      bool  `port:"beat_last_o"`
	None      bool  `port:"beat_none_o"`
}

// arrivals are the words of arrivals, in the order of part.Directions.
func (in *listerIn) arrivals() [8]*uint64 {
	return [8]*uint64{&in.North, &in.South, &in.East, &in.West, &in.NorthEast, &in.SouthWest, &in.NorthWest, &in.SouthEast}
}

// squares of castling, by their numbers
const c1, e1, g1 = 2, 4, 6

// origin returns the first piece on the way back from a square.
func (in *listerIn) origin(way part.Direction, to int) (from int, ok bool) {
	occupied := in.Code0 | in.Code1 | in.Code2
	for n := -1; ; n-- {
		if from, ok = way.Step(to, n); !ok || part.Has(occupied, from) {
			return from, ok
		}
	}
}

// leaps reports whether a knight can go from one square to the other.
func (in *listerIn) leaps(from, to int) bool {
	x, y := from%8-to%8, from/8-to/8
	return x*x+y*y == 5 && part.Has(in.Knights, from) && part.Has(in.Targets, to)
}

// moves are those that the words stand for, in the order of the lister: by destination, then
// origin; then queen, rook, bishop, knight.
func (in *listerIn) moves() (all []engine.Move) {
	for to := range 64 {
		var from []int
		for i, word := range in.arrivals() {
			if o, ok := in.origin(part.Directions[i], to); ok && part.Has(*word, to) {
				from = append(from, o)
			}
		}
		for o := range 64 {
			if in.leaps(o, to) {
				from = append(from, o)
			}
		}
		if to == g1 && in.Castling&1 != 0 || to == c1 && in.Castling&2 != 0 {
			from = append(from, e1)
		}
		slices.Sort(from)
		for _, o := range slices.Compact(from) {
			m := engine.Move{From: engine.Square(o), To: engine.Square(to)}
			if to < 56 || o/8 != 6 || !part.Has(in.Code0&^in.Code1&^in.Code2, o) {
				all = append(all, m)
				continue
			}
			for _, m.Promotion = range []engine.Piece{engine.Queen, engine.Rook, engine.Bishop, engine.Knight} {
				all = append(all, m)
			}
		}
	}
	return all
}

// position makes the words those of a position whose moves come from pieces. No game need lead to
// it.
func (in *listerIn) position(r *rand.Rand) {
	density := []float64{0.02, 0.1, 0.4, 1}
	pieces, share := density[r.IntN(4)], density[r.IntN(4)]/2
	in.Code0, in.Code1, in.Code2 = 0, 0, 0
	for s := range 64 {
		code := 0
		if r.Float64() < pieces {
			code = 1 + r.IntN(6)
		}
		if s/8 == 6 && r.IntN(4) == 0 {
			code = int(engine.Pawn)
		}
		in.Code0 |= uint64(code&1) << s
		in.Code1 |= uint64(code>>1&1) << s
		in.Code2 |= uint64(code>>2) << s
	}
	listed := in.knights(r)
	for i, word := range in.arrivals() {
		*word = 0
		for to := range 64 {
			if _, ok := in.origin(part.Directions[i], to); ok && r.Float64() < share {
				*word |= 1 << to
				listed |= 1 << to
			}
		}
	}
	in.Castling = uint8(listed>>g1&1|listed>>c1&1<<1) & uint8(r.Uint32())
}

// knights places some, and returns where they go.
func (in *listerIn) knights(r *rand.Rand) (to uint64) {
	in.Knights, in.Targets = 0, r.Uint64()
	for range r.IntN(4) {
		in.Knights |= 1 << r.IntN(64)
	}
	for from := range 64 {
		for s := range 64 {
			if in.leaps(from, s) {
				to |= 1 << s
			}
		}
	}
	return to
}

// listerModel is the lister of a [Model], with moves from the words.
type listerModel struct{ *Model }

func (m listerModel) Step(in listerIn) (out listerOut) {
	if b := m.beat; b.valid() {
		out.Valid, out.Last, out.None = true, b.last(), len(b.node.beats) == 0
		if !out.None {
			move := b.node.beats[b.at]
			out.From, out.To, out.Promotion = uint8(move.From), uint8(move.To), uint8(move.Promotion)
		}
	}
	s := m.stage(makeCycles + analysisCycles)
	if *s = (slot{}); in.Node {
		s.node = &node{beats: in.moves()}
	}
	out.Take = m.stepLister(out.Valid && in.Ready)
	if in.Clear {
		m.clear()
	}
	return out
}

func (m listerModel) DontCare(want listerOut) (mask listerOut) {
	if !want.Valid {
		mask.Last, mask.None = true, true
	}
	if !want.Valid || want.None {
		mask.From, mask.To, mask.Promotion = 63, 63, 7
	}
	return mask
}

// listerStimulus offers positions as soon as the one before was taken or later, and other words
// while it offers none. The receiver stops now and then, for a cycle or for many.
func listerStimulus(r *rand.Rand, cycles int) iter.Seq[listerIn] {
	return func(yield func(listerIn) bool) {
		m := listerModel{NewModel()}
		busy, gap, stop := false, 0.0, 0.0
		for t := range cycles {
			if t%500 == 0 {
				gap, stop = []float64{0, 0.1, 0.9}[r.IntN(3)], []float64{0, 0.3, 0.8}[r.IntN(3)]
			}
			in := listerIn{Clear: r.IntN(300) == 0, Ready: r.Float64() >= stop}
			in.Node = !busy && r.Float64() >= gap
			if in.position(r); !in.Node {
				for _, w := range []*uint64{&in.Code0, &in.Code1, &in.Code2, &in.North, &in.South, &in.East, &in.West,
					&in.NorthEast, &in.SouthWest, &in.NorthWest, &in.SouthEast, &in.Knights, &in.Targets} {
					*w = r.Uint64()
				}
				in.Castling = uint8(r.IntN(4))
			}
			busy = !m.Step(in).Take && (busy || in.Node) && !in.Clear
			if !yield(in) {
				return
			}
		}
	}
}

func TestLister(t *testing.T) {
	d := part.Of(Design, "perftengine_lister", "clear_i", nil, "movegen/movegen_pkg.sv", "movegen/piece_pkg.sv", "movegen/movegen_origins.sv", "movegen/movegen_skid.sv",
		"perftengine/perftengine_lister.sv")
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[listerIn, listerOut]) {
		sim.Check(t, d, listerModel{NewModel()}, listerStimulus(seeded(600), part.Fewer(d.Simulator(), 60_000)))
	})
}

// tagsCycles and tagsWidth are those of the delay beside the count.
const (
	tagsCycles = makeCycles + analysisCycles + countCycles
	tagsWidth  = 19
)

type delayIn struct {
	Clear bool   `port:"clear_i"`
	Data  uint32 `port:"data_i"`
}

type delayOut struct {
	Data uint32 `port:"data_o"`
}

// delayModel holds words, the oldest first.
type delayModel struct{ words [tagsCycles]uint32 }

func (m *delayModel) Reset() { *m = delayModel{} }

func (m *delayModel) Step(in delayIn) delayOut {
	out := delayOut{m.words[0]}
	copy(m.words[:], m.words[1:])
	m.words[tagsCycles-1] = in.Data
	if in.Clear {
		m.Reset()
	}
	return out
}

func TestDelay(t *testing.T) {
	d := part.Of(Design, "perftengine_delay", "clear_i", map[string]string{"Width": fmt.Sprint(tagsWidth), "Cycles": fmt.Sprint(tagsCycles)}, "perftengine/perftengine_delay.sv")
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[delayIn, delayOut]) {
		r := seeded(601)
		sim.Check(t, d, &delayModel{}, func(yield func(delayIn) bool) {
			for range part.Fewer(d.Simulator(), 10_000) {
				if !yield(delayIn{r.IntN(20) == 0, r.Uint32() % (1 << tagsWidth)}) {
					return
				}
			}
		})
	})
}

type stackIn struct {
	Clear    bool   `port:"clear_i"`
	Start    bool   `port:"start_i"`
	StartRem uint8  `port:"start_rem_i"`
	Push     bool   `port:"push_i"`
	PushRem  uint8  `port:"push_rem_i"`
	PushMove uint16 `port:"push_move_i"`
	PushEnd  bool   `port:"push_end_i"`
	Take     bool   `port:"entry_take_i"`
}

type stackOut struct {
	Valid  bool   `port:"entry_valid_o"`
	Rem    uint8  `port:"entry_rem_o"`
	Move   uint16 `port:"entry_move_o"`
	Listed bool   `port:"entry_listed_o"`
	Empty  bool   `port:"empty_o"`
}

// stackModel is the stack of a [Model]. A move of the model stands for the bits of one here.
type stackModel struct{ *Model }

func (m stackModel) Step(in stackIn) (out stackOut) {
	out = stackOut{Valid: m.entryValid, Empty: !m.entryValid && len(m.stack) == 0}
	if m.entryValid {
		out.Rem, out.Listed = uint8(m.entry.rem), m.entry.rem > 3
		out.Move = uint16(m.entry.move.From)<<8 | uint16(m.entry.move.To)<<2 | uint16(m.entry.move.Promotion)
	}
	n := &node{listed: true, rem: int(in.PushRem)}
	if in.Push {
		n.beats = []engine.Move{{From: engine.Square(in.PushMove >> 8), To: engine.Square(in.PushMove >> 2 & 63), Promotion: engine.Piece(in.PushMove & 3)}}
	}
	if !in.PushEnd {
		n.beats = append(n.beats, engine.Move{}) // it is not the last
	}
	m.stepStack(in.Take, in.Push || in.PushEnd, cursor{node: n})
	if in.Start {
		m.listing, m.base, m.listRem = true, len(m.stack), int(in.StartRem)
	}
	if in.Clear {
		m.clear()
	}
	return out
}

func (m stackModel) DontCare(want stackOut) (mask stackOut) {
	if !want.Valid {
		mask.Rem, mask.Move, mask.Listed = 15, 1<<14-1, true
	}
	return mask
}

// places are those of the stack.
const places = 4096

// stackStimulus walks trees: a list of any length comes in after the start and after each entry
// that is listed. Lists are long until the stack is nearly full.
func stackStimulus(r *rand.Rand, cycles int) iter.Seq[stackIn] {
	return func(yield func(stackIn) bool) {
		m := stackModel{NewModel()}
		left, rem, running, pace := 0, 0, false, 0.5 // moves left of the list, their depth
		for range cycles {
			in := stackIn{Clear: r.IntN(20_000) == 0, StartRem: uint8(r.IntN(16)), PushRem: uint8(r.IntN(16)), PushMove: uint16(r.Uint32() & (1<<14 - 1))}
			if r.IntN(100) == 0 {
				pace = r.Float64()
			}
			listing := left >= 0 && running
			switch {
			case !running:
				in.Start, in.StartRem = true, uint8(3+r.IntN(13))
				left, rem, running = r.IntN(400), int(in.StartRem), true
			case listing && r.Float64() < pace:
				in.Push, in.PushRem, in.PushEnd = left > 0, uint8(rem), left <= 1
				left--
				if in.PushEnd {
					left = -1
				}
			}
			if m.entryValid && r.Float64() >= pace && (!listing || m.entry.rem <= 3) && !in.Push && !in.PushEnd {
				if in.Take = true; m.entry.rem > 3 {
					left, rem = min(r.IntN(400), places-2-len(m.stack)), m.entry.rem-1
				}
			}
			m.Step(in)
			if in.Clear || !in.Start && left < 0 && !m.entryValid && len(m.stack) == 0 {
				left, running = -1, false
			}
			if !yield(in) {
				return
			}
		}
	}
}

func TestStack(t *testing.T) {
	d := part.Of(Design, "perftengine_stack", "clear_i", nil, "perftengine/perftengine_stack.sv")
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[stackIn, stackOut]) {
		sim.Check(t, d, stackModel{NewModel()}, stackStimulus(seeded(602), part.Fewer(d.Simulator(), 200_000)))
	})
}

// nodesWidth is that of the names of positions on their way to the lister.
const nodesWidth = 21

type fifoIn struct {
	Clear bool   `port:"clear_i"`
	Put   bool   `port:"put_i"`
	Data  uint32 `port:"data_i"`
	Take  bool   `port:"take_i"`
}

type fifoOut struct {
	Data  uint32 `port:"data_o"`
	Empty bool   `port:"empty_o"`
	Full  bool   `port:"full_o"`
}

// fifoModel holds items, the oldest first.
type fifoModel struct{ items []uint32 }

func (m *fifoModel) Reset() { m.items = nil }

func (m *fifoModel) Step(in fifoIn) (out fifoOut) {
	out.Empty, out.Full = len(m.items) == 0, len(m.items) == maxNodes
	if !out.Empty {
		out.Data = m.items[0]
	}
	if in.Take {
		m.items = m.items[1:]
	}
	if in.Put {
		m.items = append(m.items, in.Data)
	}
	if in.Clear {
		m.Reset()
	}
	return out
}

func (m *fifoModel) DontCare(want fifoOut) (mask fifoOut) {
	if want.Empty {
		mask.Data = 1<<nodesWidth - 1
	}
	return mask
}

func TestFifo(t *testing.T) {
	d := part.Of(Design, "perftengine_fifo", "clear_i", map[string]string{"Width": fmt.Sprint(nodesWidth), "Depth": fmt.Sprint(maxNodes)}, "perftengine/perftengine_fifo.sv")
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[fifoIn, fifoOut]) {
		r, m := seeded(603), &fifoModel{}
		sim.Check(t, d, &fifoModel{}, func(yield func(fifoIn) bool) {
			share, n := 0.5, part.Fewer(d.Simulator(), 20_000)
			for range n {
				if r.IntN(30) == 0 {
					share = cmp.Or(float64(r.IntN(3))/2, 0.2)
				}
				in := fifoIn{Clear: r.IntN(100) == 0, Data: r.Uint32() % (1 << nodesWidth)}
				in.Put = len(m.items) < maxNodes && r.Float64() < share
				in.Take = len(m.items) > 0 && r.Float64() >= share
				m.Step(in)
				if !yield(in) {
					return
				}
			}
		})
	})
}
