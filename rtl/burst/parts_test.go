package burst

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/part"
	"github.com/cosimate/cosimate/sim"
)

// Parts of burst by themselves, with boards and arrivals that no position gives: all at once.

// direction is one of burst_pkg, as part has them.
type direction struct{ part.Direction }

// line is the line of a square on which pieces travel this way, and its place there: see
// burst_lines. A diagonal goes on at the other side of the board.
func (d direction) line(square int) (line, place int) {
	file, rank := square%8, square/8
	switch {
	case d.Y == 0:
		return rank, file
	case d.X == 0:
		return file, rank
	}
	return (file - d.X*d.Y*rank + 64) % 8, rank
}

// square is the inverse of line.
func (d direction) square(line, place int) int {
	switch {
	case d.Y == 0:
		return line*8 + place
	case d.X == 0:
		return place*8 + line
	}
	return place*8 + (line+d.X*d.Y*place+64)%8
}

// word3 is a word of stage 3: of 8 ranks, or of 11.
type word3 interface{ uint64 | [2]uint64 }

// ranks is how many ranks a word has.
func ranks[W word3]() int {
	if _, wide := any(*new(W)).([2]uint64); wide {
		return 11
	}
	return 8
}

// ofSquares is a word with the squares in a set, of which 64 and more are beyond the board.
func ofSquares[W word3](set [2]uint64) (w W) {
	switch w := any(&w).(type) {
	case *uint64:
		*w = set[0]
	case *[2]uint64:
		*w = set
	}
	return w
}

// squares is the inverse of ofSquares.
func squares[W word3](w W) (set [2]uint64) {
	switch w := any(w).(type) {
	case uint64:
		set[0] = w
	case [2]uint64:
		set = w
	}
	return set
}

// laneIn and laneOut are the ports of burst_lane.
type laneIn[W word3] struct {
	Rst     bool   `port:"rst_i"`
	Advance bool   `port:"advance_i"`
	Load    bool   `port:"load_i"`
	Word    W      `port:"word_i"`
	Valid   bool   `port:"valid_i"`
	Code0   uint64 `port:"code0_i"`
	Code1   uint64 `port:"code1_i"`
	Code2   uint64 `port:"code2_i"`
}

type laneOut struct {
	More bool   `port:"more_o"`
	Move uint32 `port:"move_o"`

	Empty bool `port:"-"` // no word was taken yet
}

// pieceAt is what stands at a place of a line of the codes.
func (in *laneIn[W]) pieceAt(line, place int) engine.Piece {
	i := line*8 + place
	return engine.Piece(in.Code0>>i&1 | in.Code1>>i&1<<1 | in.Code2>>i&1<<2)
}

// laneModel is a lane of a direction and half.
type laneModel[W word3] struct {
	way  direction
	half int
	full bool  // a word was taken
	rest []int // stage 3: squares of the word, which may be beyond the board
	at   int   // stage 4
	// valid are those of stages 4 to 6; moves those of stages 5 and 6.
	valid [3]bool
	moves [2]uint32
}

// Reset leaves what the lane has taken.
func (m *laneModel[W]) Reset() { m.valid = [3]bool{} }

func (m *laneModel[W]) Step(in laneIn[W]) laneOut {
	out := laneOut{More: len(m.rest) > 1, Empty: !m.full}
	if m.valid[2] {
		out.Move = m.moves[1]
	}
	if in.Advance {
		m.valid = [3]bool{in.Valid && len(m.rest) > 0, m.valid[0], m.valid[1]}
		m.moves = [2]uint32{m.move(&in), m.moves[0]}
		if len(m.rest) > 0 {
			m.at, m.rest = m.rest[0], m.rest[1:]
		}
		if in.Load {
			m.full, m.rest = true, m.arrivals(in.Word)
		}
	}
	if in.Rst {
		m.Reset()
	}
	return out
}

// arrivals are those of this half at which a piece can have arrived from this direction.
func (m *laneModel[W]) arrivals(word W) (all []int) {
	set := squares(word)
	for rank := range ranks[W]() {
		for file := range 8 {
			half := (file + rank) % 2
			if m.way.Diagonal() {
				half = rank % 2
			}
			if _, ok := m.way.Step(min(rank, 7)*8+file, -1); ok && half == m.half && set[rank/8]>>(rank%8*8+file)&1 != 0 {
				all = append(all, rank*8+file)
			}
		}
	}
	return all
}

// move is that to the square in stage 4.
func (m *laneModel[W]) move(in *laneIn[W]) uint32 {
	to := m.at%8 + min(m.at/8, 7)*8
	line, place := m.way.line(to)
	behind := -1 // against the direction
	if m.way.Y < 0 || m.way.Y == 0 && m.way.X < 0 {
		behind = 1
	}
	from := place + behind
	for from >= 0 && from < 8 && in.pieceAt(line, from) == engine.NoPiece {
		from += behind
	}
	if from < 0 || from > 7 {
		return 1 << wordValid
	}
	v := engine.Move{From: engine.Square(m.way.square(line, from)), To: engine.Square(to), Piece: in.pieceAt(line, from), Captured: in.pieceAt(line, place)}
	if v.Piece == engine.Pawn && m.way.Diagonal() && v.Captured == engine.NoPiece {
		v.Captured, v.EnPassant = engine.Pawn, true
	}
	switch beyond := m.at/8 - 7; {
	case beyond > 0:
		v.Promotion = []engine.Piece{engine.Rook, engine.Bishop, engine.Knight}[beyond-1]
	case ranks[W]() > 8 && v.Piece == engine.Pawn && to/8 == 7:
		v.Promotion = engine.Queen
	}
	v.Castling = m.way.Y == 0 && v.Piece == engine.King && (from-place)%2 == 0
	return word(v, engine.White)
}

// DontCare leaves open what comes of an arrival that no piece is behind.
func (m *laneModel[W]) DontCare(want laneOut) (mask laneOut) {
	mask.More = want.Empty
	if want.Move>>wordValid == 0 || want.Move>>wordPiece&7 == 0 {
		mask.Move = wordFields
	}
	return mask
}

// checkLane runs a lane with random words and lines of pieces, dense and sparse.
func checkLane[W word3](t *testing.T, n, half int) {
	d := part.Of(Design, "burst_lane", "rst_i", map[string]string{"Direction": fmt.Sprint(n), "Half": fmt.Sprint(half), "Ranks": fmt.Sprint(ranks[W]())},
		"movegen/movegen_pkg.sv", "movegen/piece_pkg.sv", "burst/burst_pkg.sv", "burst/burst_lane.sv")
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[laneIn[W], laneOut]) {
		r := rand.New(rand.NewPCG(sim.Seed(), uint64(n)))
		sim.Check(t, d, &laneModel[W]{way: direction{part.Directions[n]}, half: half}, func(yield func(laneIn[W]) bool) {
			for t := range part.Fewer(d.Simulator(), 60_000) {
				in := laneIn[W]{Rst: r.IntN(200) == 0, Advance: r.IntN(8) > 0, Load: r.IntN(6) == 0, Valid: r.IntN(10) > 0}
				if t == 0 { // a word is taken before one is valid
					in.Advance, in.Load, in.Valid = true, true, false
				}
				density := []float64{0.02, 0.2, 0.5, 0.9}
				arrivals, pieces := density[r.IntN(4)], density[r.IntN(4)]
				var set [2]uint64
				for i := range 8 * ranks[W]() {
					if r.Float64() < arrivals {
						set[i/64] |= 1 << (i % 64)
					}
				}
				in.Word = ofSquares[W](set)
				for i := range 64 {
					if r.Float64() < pieces {
						code := uint64(1 + r.IntN(6))
						in.Code0 |= code & 1 << i
						in.Code1 |= code >> 1 & 1 << i
						in.Code2 |= code >> 2 << i
					}
				}
				if !yield(in) {
					return
				}
			}
		})
	})
}

// One lane of each kind: up and down files, along ranks, on both diagonals, with and without
// promotions, of both halves.
func TestLane(t *testing.T) {
	t.Run("north", func(t *testing.T) { checkLane[[2]uint64](t, 0, 1) })
	t.Run("south", func(t *testing.T) { checkLane[uint64](t, 1, 0) })
	t.Run("west", func(t *testing.T) { checkLane[uint64](t, 3, 0) })
	t.Run("southwest", func(t *testing.T) { checkLane[uint64](t, 5, 1) })
	t.Run("northwest", func(t *testing.T) { checkLane[[2]uint64](t, 6, 0) })
}

// arrivalsIn and arrivalsOut are the ports of burst_arrivals.
type arrivalsIn struct {
	Advance  bool   `port:"advance_i"`
	Own      uint64 `port:"own_i"`
	Empty    uint64 `port:"empty_i"`
	Pawns    uint64 `port:"pawns_i"`
	Ortho    uint64 `port:"ortho_i"`
	Diag     uint64 `port:"diag_i"`
	LineNS   uint64 `port:"line_ns_i"`
	LineEW   uint64 `port:"line_ew_i"`
	LineNESW uint64 `port:"line_nesw_i"`
	LineNWSE uint64 `port:"line_nwse_i"`
}

type arrivalsOut struct {
	North     uint64 `port:"to_n_o"`
	South     uint64 `port:"to_s_o"`
	East      uint64 `port:"to_e_o"`
	West      uint64 `port:"to_w_o"`
	NorthEast uint64 `port:"to_ne_o"`
	SouthWest uint64 `port:"to_sw_o"`
	NorthWest uint64 `port:"to_nw_o"`
	SouthEast uint64 `port:"to_se_o"`
	Push      uint64 `port:"push_o"`
	PromoteNE uint8  `port:"promote_ne_o"`
	PromoteNW uint8  `port:"promote_nw_o"`

	Empty bool `port:"-"` // no position was taken yet
}

// arrivalsModel takes a position in each cycle in which it advances.
type arrivalsModel struct{ out arrivalsOut }

func (m *arrivalsModel) Reset() {}

func (m *arrivalsModel) Step(in arrivalsIn) arrivalsOut {
	out := m.out
	if in.Advance {
		m.out = in.arrivals()
	}
	return out
}

// free reports whether the piece on a square may move this way: no other line pins it.
func (in *arrivalsIn) free(square int, d part.Direction) bool {
	for pinned, line := range map[part.Direction]uint64{
		part.Directions[0]: in.LineNS, part.Directions[2]: in.LineEW, part.Directions[4]: in.LineNESW, part.Directions[6]: in.LineNWSE,
	} {
		if part.Has(line, square) && pinned != d && pinned != (part.Direction{X: -d.X, Y: -d.Y}) {
			return false
		}
	}
	return true
}

// arrivals follows each piece square by square.
func (in *arrivalsIn) arrivals() (out arrivalsOut) {
	words := [8]*uint64{&out.North, &out.South, &out.East, &out.West, &out.NorthEast, &out.SouthWest, &out.NorthWest, &out.SouthEast}
	for square := range 64 {
		if !part.Has(in.Own, square) {
			continue
		}
		for i, d := range part.Directions {
			travels := in.Ortho
			if d.Diagonal() {
				travels = in.Diag
			}
			if !part.Has(travels, square) || !in.free(square, d) {
				continue
			}
			for n := 1; ; n++ {
				to, ok := d.Step(square, n)
				if !ok {
					break
				}
				if *words[i] |= 1 << to; !part.Has(in.Empty, to) {
					break
				}
			}
		}
		if part.Has(in.Pawns, square) {
			in.pawn(square, &out)
		}
	}
	return out
}

// pawn adds where a pawn arrives.
func (in *arrivalsIn) pawn(square int, out *arrivalsOut) {
	north := part.Directions[0]
	if to, ok := north.Step(square, 1); ok && in.free(square, north) && part.Has(in.Empty, to) {
		out.Push |= 1 << to
		if two, _ := north.Step(square, 2); square/8 == 1 && part.Has(in.Empty, two) {
			out.Push |= 1 << two
		}
	}
	for _, take := range []struct {
		part.Direction
		word    *uint64
		promote *uint8
	}{{part.Directions[4], &out.NorthEast, &out.PromoteNE}, {part.Directions[6], &out.NorthWest, &out.PromoteNW}} {
		if to, ok := take.Step(square, 1); ok && in.free(square, take.Direction) && !part.Has(in.Empty|in.Own, to) {
			*take.word |= 1 << to
			if to >= 56 {
				*take.promote |= 1 << (to - 56)
			}
		}
	}
}

// DontCare leaves open what there is before the first position.
func (m *arrivalsModel) DontCare(want arrivalsOut) (mask arrivalsOut) {
	if want.Empty {
		const all = 1<<64 - 1
		mask = arrivalsOut{all, all, all, all, all, all, all, all, all, 255, 255, false}
	}
	return mask
}

func TestArrivals(t *testing.T) {
	d := part.Of(Design, "burst_arrivals", "", nil, "movegen/movegen_pkg.sv", "burst/burst_pkg.sv", "burst/burst_arrivals.sv")
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[arrivalsIn, arrivalsOut]) {
		r := rand.New(rand.NewPCG(sim.Seed(), 700))
		sim.Check(t, d, &arrivalsModel{arrivalsOut{Empty: true}}, func(yield func(arrivalsIn) bool) {
			for range part.Fewer(d.Simulator(), 20_000) {
				in := arrivalsIn{r.IntN(8) > 0, part.Word(r), part.Word(r), part.Word(r), part.Word(r), part.Word(r), 0, 0, 0, 0}
				for _, line := range []*uint64{&in.LineNS, &in.LineEW, &in.LineNESW, &in.LineNWSE} {
					if r.IntN(3) > 0 {
						*line = part.Word(r)
					}
				}
				if !yield(in) {
					return
				}
			}
		})
	})
}

// A square and its line and place are the same thing.
func TestLines(t *testing.T) {
	for _, way := range part.Directions {
		d := direction{way}
		var seen []int
		for square := range 64 {
			line, place := d.line(square)
			if seen = append(seen, line*8+place); d.square(line, place) != square {
				t.Errorf("%v: square %d is place %d of line %d", d, square, place, line)
			}
		}
		if slices.Sort(seen); len(slices.Compact(seen)) != 64 {
			t.Errorf("%v: two squares have one place", d)
		}
	}
}
