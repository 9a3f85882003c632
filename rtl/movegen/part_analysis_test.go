package movegen_test

import (
	"iter"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/part"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/sim"
)

// Modules of the analysis and of the list by themselves, with words of squares that no position
// gives. The references go from square to square.

// positionFields, raysFields and safetyFields are the packed structs of movegen_types.sv, field by
// field in the same order. See there for what they mean.
type positionFields struct {
	Castling uint8 `bits:"4"`
	Ep       uint8
	Own      uint64
	Pawns    uint64
	Knights  uint64
	Bishops  uint64
	Rooks    uint64
	Queens   uint64
	Kings    uint64
}

type raysFields struct {
	Castling  uint8 `bits:"2"`
	Ep        uint8
	Bared     uint8 `bits:"7"`
	King7N    uint8
	King7NE   uint8 `bits:"7"`
	King7NW   uint8 `bits:"7"`
	King1     uint8 `bits:"2"`
	Own       uint64
	Pawns     uint64
	Knights   uint64
	Ortho     uint64
	Diag      uint64
	Kings     uint64
	Empty     uint64
	Attacked  uint64
	King      uint64
	SeeOrtho  uint64
	SeeDiag   uint64
	SeeKnight uint64
	LineNS    uint64
	LineEW    uint64
	LineNESW  uint64
	LineNWSE  uint64
}

type safetyFields struct {
	Castling   uint8 `bits:"2"`
	Ep         uint8
	EpNE       uint8
	EpNW       uint8
	Check      uint8 `bits:"1"`
	Code0      uint64
	Code1      uint64
	Code2      uint64
	Empty      uint64
	King       uint64
	KingTo     uint64
	Targets    uint64
	MoversNS   uint64
	MoversEW   uint64
	MoversNESW uint64
	MoversNWSE uint64
	Pushers    uint64
	TakersNE   uint64
	TakersNW   uint64
	Knights    uint64
}

// Ports of the three types.
type (
	positionPort [8]uint64  // 460 bits
	raysPort     [17]uint64 // 1065 bits
	safetyPort   [16]uint64 // 987 bits
)

// eachField calls do with the fields of a packed struct, and the lowest bit and the width of each.
// The last field is the lowest.
func eachField(fields reflect.Value, do func(field reflect.Value, at, width int)) {
	at := 0
	for i := fields.NumField() - 1; i >= 0; i-- {
		f := fields.Type().Field(i)
		width := f.Type.Bits()
		if s := f.Tag.Get("bits"); s != "" {
			width, _ = strconv.Atoi(s)
		}
		do(fields.Field(i), at, width)
		at += width
	}
}

// pack writes the fields of a packed struct to a port.
func pack(port []uint64, fields any) {
	eachField(reflect.ValueOf(fields), func(field reflect.Value, at, width int) {
		for i := range width {
			port[(at+i)/64] |= field.Uint() >> i & 1 << ((at + i) % 64)
		}
	})
}

// unpack is the inverse of pack. Fields is a pointer.
func unpack(port []uint64, fields any) {
	eachField(reflect.ValueOf(fields).Elem(), func(field reflect.Value, at, width int) {
		var v uint64
		for i := range width {
			v |= port[(at+i)/64] >> ((at + i) % 64) & 1 << i
		}
		field.SetUint(v)
	})
}

// pieces are those on a board: by kind, of both colours, and which are ours.
type pieces struct {
	own   uint64
	kinds [7]uint64 // by engine.Piece
}

// put replaces what stands on a square.
func (p *pieces) put(square int, kind engine.Piece, own bool) {
	p.own &^= 1 << square
	for k := range p.kinds {
		p.kinds[k] &^= 1 << square
	}
	if kind != engine.NoPiece {
		p.kinds[kind] |= 1 << square
	}
	if own {
		p.own |= 1 << square
	}
}

// occupied are the squares with a piece.
func (p *pieces) occupied() (all uint64) {
	for _, kind := range p.kinds[engine.Pawn:] {
		all |= kind
	}
	return all
}

// codes are the piece codes of all squares, bit by bit.
func (p *pieces) codes() (code [3]uint64) {
	for kind, word := range p.kinds {
		for i := range code {
			if kind>>i&1 != 0 {
				code[i] |= word
			}
		}
	}
	return code
}

// randomPieces are few or many, of all kinds or mostly of one, and of both sides or mostly of one.
// Half of the boards have one king a side, the others have any number.
func randomPieces(r *rand.Rand) (p pieces) {
	share := []float64{0.02, 0.05, 0.1, 0.2, 0.5, 0.9}[r.IntN(6)]
	own := []float64{0.1, 0.5, 0.9}[r.IntN(3)]
	most := engine.Piece(r.IntN(7))
	oneKing := r.IntN(2) > 0
	for square := range 64 {
		if r.Float64() >= share {
			continue
		}
		kind := engine.Piece(1 + r.IntN(6))
		if most != engine.NoPiece && r.IntN(2) > 0 {
			kind = most
		}
		if kind != engine.King || !oneKing {
			p.put(square, kind, r.Float64() < own)
		}
	}
	if oneKing {
		p.put(r.IntN(64), engine.King, false)
		p.put(r.IntN(64), engine.King, true)
	}
	return p
}

// randomBit is a byte with one bit set, or as often with none.
func randomBit(r *rand.Rand) uint8 { return uint8(1 << r.IntN(16)) }

// goesOn says of each cycle whether it goes on: for a while always, mostly, or hardly ever.
func goesOn(r *rand.Rand) func() bool {
	t, stop := 0, 0.0
	return func() bool {
		if t%200 == 0 {
			stop = []float64{0, 0.2, 0.9}[r.IntN(3)]
		}
		t++
		return r.Float64() >= stop
	}
}

// leaps are the squares that are one of these steps from any square of a word.
func leaps(from uint64, steps ...part.Direction) (to uint64) {
	for square := range 64 {
		for _, d := range steps {
			if n, ok := d.Step(square, 1); ok && part.Has(from, square) {
				to |= 1 << n
			}
		}
	}
	return to
}

// knightSteps are the steps of a knight.
var knightSteps = []part.Direction{{X: 1, Y: 2}, {X: 2, Y: 1}, {X: 2, Y: -1}, {X: 1, Y: -2}, {X: -1, Y: -2}, {X: -2, Y: -1}, {X: -2, Y: 1}, {X: -1, Y: 2}}

// The ways by which a pawn captures, and their opposites.
var northEast, southWest, northWest, southEast = part.Directions[4], part.Directions[5], part.Directions[6], part.Directions[7]

type raysIn struct {
	Advance  bool         `port:"advance_i"`
	Again    bool         `port:"again_i"`
	Position positionPort `port:"position_i"`
}

type raysOut struct {
	Rays raysPort `port:"rays_o"`

	Empty bool `port:"-"` // no position was taken yet
	Again bool `port:"-"` // it was analysed again
}

// raysModel keeps what it took last.
type raysModel struct {
	out  raysOut
	held positionFields
}

func (m *raysModel) Reset() {}

func (m *raysModel) Step(in raysIn) raysOut {
	out := m.out
	if in.Advance {
		var p positionFields
		unpack(in.Position[:], &p)
		v := p.words()
		if in.Again {
			m.held.look(&v, m.held.Kings&^m.held.Own, m.held.Own)
		} else {
			p.look(&v, p.Kings&p.Own, ^p.Own)
		}
		m.held, m.out = p, raysOut{Again: in.Again}
		pack(m.out.Rays[:], v)
	}
	return out
}

// words are the fields of the position, and what its opponent attacks.
func (p *positionFields) words() raysFields {
	ortho, diag := p.Rooks|p.Queens, p.Bishops|p.Queens
	v := raysFields{Castling: p.Castling & 3, Ep: p.Ep, Own: p.Own, Pawns: p.Pawns, Knights: p.Knights, Ortho: ortho, Diag: diag, Kings: p.Kings}
	v.Empty = ^(p.Pawns | p.Knights | ortho | diag | p.Kings)
	v.Attacked = leaps(p.Knights&^p.Own, knightSteps...) | leaps(p.Kings&^p.Own, part.Directions[:]...) | leaps(p.Pawns&^p.Own, southWest, southEast)
	for _, d := range part.Directions {
		v.Attacked |= p.sight(p.sliders(d)&^p.Own, d, v.Empty|p.Kings&p.Own)
	}
	return v
}

// sliders are the pieces that travel this way.
func (p *positionFields) sliders(d part.Direction) uint64 {
	if d.Diagonal() {
		return p.Bishops | p.Queens
	}
	return p.Rooks | p.Queens
}

// sight are the squares seen from those of a word, through open squares.
func (p *positionFields) sight(from uint64, d part.Direction, open uint64) (seen uint64) {
	for square := range 64 {
		for n := 1; part.Has(from, square); n++ {
			to, ok := d.Step(square, n)
			if !ok {
				break
			}
			if seen |= 1 << to; !part.Has(open, to) {
				break
			}
		}
	}
	return seen
}

// look adds what there is between kings and the sliders of a side.
func (p *positionFields) look(v *raysFields, king, side uint64) {
	open := ^(p.Pawns | p.Knights | p.Bishops | p.Rooks | p.Queens | p.Kings) | king
	var ofKing, ofSlider [8]uint64 // by part.Directions
	for i, d := range part.Directions {
		ofKing[i], ofSlider[i] = p.sight(king, d, open), p.sight(p.sliders(d)&side, d, open)
	}
	const north, east, west, ne, nw = 0, 2, 3, 4, 6
	v.King, v.SeeKnight = king, leaps(king, knightSteps...)
	for i, line := range []*uint64{&v.LineNS, &v.LineEW, &v.LineNESW, &v.LineNWSE} {
		there, back := 2*i, 2*i+1
		*line = ofKing[there]&ofSlider[back] | ofKing[back]&ofSlider[there]
		if seen := ofKing[there] | ofKing[back]; i < 2 {
			v.SeeOrtho |= seen
		} else {
			v.SeeDiag |= seen
		}
	}
	for file := range 8 {
		rank5, rank7, bit := 32+file, 48+file, uint8(1)<<file
		if file < 7 && (part.Has(ofKing[east], rank5) && part.Has(ofSlider[west], rank5+1) ||
			part.Has(ofKing[west], rank5+1) && part.Has(ofSlider[east], rank5)) {
			v.Bared |= bit
		}
		if part.Has(ofKing[north], rank7) {
			v.King7N |= bit
		}
		if part.Has(ofKing[ne], rank7) {
			v.King7NE |= bit & 127 // from file a on
		}
		if part.Has(ofKing[nw], rank7) {
			v.King7NW |= bit >> 1 // from file b on
		}
	}
	const e1 = 4
	v.King1 = uint8(ofKing[east]>>e1&1 | ofKing[west]>>e1&1<<1)
}

func (m *raysModel) DontCare(want raysOut) (mask raysOut) {
	switch all := ^uint64(0); {
	case want.Empty:
		for i := range mask.Rays {
			mask.Rays[i] = all
		}
	case want.Again:
		pack(mask.Rays[:], raysFields{Attacked: all})
	}
	return mask
}

// raysStimulus changes the position in each cycle, taken or not.
func raysStimulus(r *rand.Rand, cycles int) iter.Seq[raysIn] {
	return func(yield func(raysIn) bool) {
		advance := goesOn(r)
		for t := range cycles {
			in := raysIn{Advance: advance(), Again: r.IntN(4) == 0}
			if t == 0 { // there is nothing yet to be analysed again
				in.Advance, in.Again = true, false
			}
			p := randomPieces(r)
			pack(in.Position[:], positionFields{
				Castling: uint8(r.IntN(16)), Ep: randomBit(r), Own: p.own, Pawns: p.kinds[engine.Pawn], Knights: p.kinds[engine.Knight],
				Bishops: p.kinds[engine.Bishop], Rooks: p.kinds[engine.Rook], Queens: p.kinds[engine.Queen], Kings: p.kinds[engine.King],
			})
			if !yield(in) {
				return
			}
		}
	}
}

func TestRaysAlone(t *testing.T) {
	d := part.Of(movegen.Design, "movegen_rays", "", nil, "movegen/movegen_pkg.sv", "movegen/movegen_types.sv", "movegen/movegen_rays.sv")
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[raysIn, raysOut]) {
		m := &raysModel{out: raysOut{Empty: true}}
		sim.Check(t, d, m, raysStimulus(seeded(630), part.Fewer(d.Simulator(), 30_000)))
	})
}

type safetyIn struct {
	Advance bool     `port:"advance_i"`
	Rays    raysPort `port:"rays_i"`
}

type safetyOut struct {
	Safety safetyPort `port:"safety_o"`

	Empty bool `port:"-"` // nothing was taken yet
}

// safetyModel takes rays in each cycle in which it advances.
type safetyModel struct{ out safetyOut }

func (m *safetyModel) Reset() {}

func (m *safetyModel) Step(in safetyIn) safetyOut {
	out := m.out
	if in.Advance {
		var rays raysFields
		unpack(in.Rays[:], &rays)
		m.out = safetyOut{}
		pack(m.out.Safety[:], rays.safety())
	}
	return out
}

// kind is what stands on a square.
func (v *raysFields) kind(square int) engine.Piece {
	ortho, diag := part.Has(v.Ortho, square), part.Has(v.Diag, square)
	switch {
	case part.Has(v.Pawns, square):
		return engine.Pawn
	case part.Has(v.Knights, square):
		return engine.Knight
	case part.Has(v.Kings, square):
		return engine.King
	case ortho && diag:
		return engine.Queen
	case ortho:
		return engine.Rook
	case diag:
		return engine.Bishop
	}
	return engine.NoPiece
}

// checks reports whether a piece of the opponent gives check.
func (v *raysFields) checks(square int) bool {
	if part.Has(v.Own, square) {
		return false
	}
	switch v.kind(square) {
	case engine.Pawn:
		return leaps(1<<square, southWest, southEast)&v.King != 0
	case engine.Knight:
		return part.Has(v.SeeKnight, square)
	case engine.Bishop:
		return part.Has(v.SeeDiag, square)
	case engine.Rook:
		return part.Has(v.SeeOrtho, square)
	case engine.Queen:
		return part.Has(v.SeeOrtho|v.SeeDiag, square)
	}
	return false
}

// free reports whether no line pins the piece on a square, other than one along which it moves.
func (v *raysFields) free(square int, along *uint64) bool {
	for _, line := range []*uint64{&v.LineNS, &v.LineEW, &v.LineNESW, &v.LineNWSE} {
		if part.Has(*line, square) && line != along {
			return false
		}
	}
	return true
}

// safety is what the king allows.
func (v *raysFields) safety() (s safetyFields) {
	var checkers []int
	for square := range 64 {
		if v.checks(square) {
			checkers = append(checkers, square)
		}
	}
	// answers reports whether a piece that enters a square, or captures on one, answers the check.
	answers := func(enters, captures int) bool {
		return len(checkers) == 0 ||
			len(checkers) == 1 && (checkers[0] == captures || part.Has(v.Empty, enters) && !v.free(enters, nil))
	}

	s = safetyFields{Ep: v.Ep, Empty: v.Empty, King: v.King}
	if len(checkers) > 0 {
		s.Check = 1
	}
	for square := range 64 {
		set := func(word *uint64, to bool) {
			if to {
				*word |= 1 << square
			}
		}
		kind, own := v.kind(square), part.Has(v.Own, square)
		set(&s.Code0, kind&1 != 0)
		set(&s.Code1, kind&2 != 0)
		set(&s.Code2, kind&4 != 0)
		set(&s.KingTo, !own && !part.Has(v.Attacked, square))
		set(&s.Targets, !own && answers(square, square))
		ortho, diag := own && (kind == engine.Rook || kind == engine.Queen), own && (kind == engine.Bishop || kind == engine.Queen)
		pawn := own && kind == engine.Pawn
		set(&s.MoversNS, ortho && v.free(square, &v.LineNS))
		set(&s.MoversEW, ortho && v.free(square, &v.LineEW))
		set(&s.MoversNESW, diag && v.free(square, &v.LineNESW))
		set(&s.MoversNWSE, diag && v.free(square, &v.LineNWSE))
		set(&s.Pushers, pawn && v.free(square, &v.LineNS))
		set(&s.TakersNE, pawn && v.free(square, &v.LineNESW))
		set(&s.TakersNW, pawn && v.free(square, &v.LineNWSE))
		set(&s.Knights, own && kind == engine.Knight && v.free(square, nil))
	}

	for side, squares := range [2]struct{ crossed, empty []int }{{[]int{4, 5, 6}, []int{5, 6}}, {[]int{4, 3, 2}, []int{3, 2, 1}}} {
		may := v.Castling>>side&1 != 0
		for _, square := range squares.crossed {
			may = may && !part.Has(v.Attacked, square)
		}
		for _, square := range squares.empty {
			may = may && part.Has(v.Empty, square)
		}
		if may {
			s.Castling |= 1 << side
		}
	}

	for file := range 8 { // of arrival
		victim, to := 32+file, 40+file
		if v.Ep>>file&1 == 0 || part.Has(v.LineNESW|v.LineNWSE, victim) || !answers(to, victim) {
			continue
		}
		if file > 0 && part.Has(s.TakersNE, victim-1) && v.Bared>>(file-1)&1 == 0 {
			s.EpNE |= 1 << file
		}
		if file < 7 && part.Has(s.TakersNW, victim+1) && v.Bared>>file&1 == 0 {
			s.EpNW |= 1 << file
		}
	}
	return s
}

func (m *safetyModel) DontCare(want safetyOut) (mask safetyOut) {
	if want.Empty {
		for i := range mask.Safety {
			mask.Safety[i] = 1<<64 - 1
		}
	}
	return mask
}

// randomRays are of any pieces, with up to three of the opponent's that may give check, or with
// any number. If a pawn made a double step, it stands there.
func randomRays(r *rand.Rand) raysFields {
	p := randomPieces(r)
	v := raysFields{
		Castling: uint8(r.IntN(4)), Ep: randomBit(r), Bared: uint8(r.IntN(128)), King7N: uint8(r.Uint32()), King7NE: uint8(r.IntN(128)),
		King7NW: uint8(r.IntN(128)), King1: uint8(r.IntN(4)), Attacked: part.Word(r),
	}
	for _, word := range []*uint64{&v.LineNS, &v.LineEW, &v.LineNESW, &v.LineNWSE} {
		if r.IntN(2) > 0 {
			*word = part.Word(r)
		}
	}
	sees := []*uint64{&v.SeeOrtho, &v.SeeDiag, &v.SeeKnight}
	if r.IntN(4) == 0 {
		for _, word := range sees {
			*word = part.Word(r)
		}
	} else {
		for _, word := range sees {
			*word = part.Word(r) & (p.own | ^p.occupied())
		}
		for range r.IntN(4) {
			square := r.IntN(64)
			kind := engine.Piece(2 + r.IntN(4))
			p.put(square, kind, r.IntN(16) == 0)
			for _, word := range sees {
				if r.IntN(4) > 0 {
					*word |= 1 << square
				}
			}
		}
	}
	for file := range 8 {
		if v.Ep>>file&1 != 0 {
			p.put(32+file, engine.Pawn, false)
			p.put(40+file, engine.NoPiece, false)
			if r.IntN(2) > 0 { // which may give it check
				p.put(24+r.IntN(8), engine.King, true)
			}
			for at := range 8 {
				if (at == file-1 || at == file+1) && r.IntN(2) > 0 {
					p.put(32+at, engine.Pawn, true)
				}
			}
		}
	}
	k := p.kinds
	v.Own, v.Pawns, v.Knights, v.Kings, v.Empty = p.own, k[engine.Pawn], k[engine.Knight], k[engine.King], ^p.occupied()
	v.Ortho, v.Diag, v.King = k[engine.Rook]|k[engine.Queen], k[engine.Bishop]|k[engine.Queen], k[engine.King]&p.own
	return v
}

func TestSafetyAlone(t *testing.T) {
	d := part.Of(movegen.Design, "movegen_safety", "", nil, "movegen/movegen_pkg.sv", "movegen/movegen_types.sv", "movegen/movegen_safety.sv")
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[safetyIn, safetyOut]) {
		r := seeded(631)
		advance := goesOn(r)
		sim.Check(t, d, &safetyModel{safetyOut{Empty: true}}, func(yield func(safetyIn) bool) {
			for range part.Fewer(d.Simulator(), 40_000) {
				in := safetyIn{Advance: advance()}
				if pack(in.Rays[:], randomRays(r)); !yield(in) {
					return
				}
			}
		})
	})
}

// checksIn and checksOut are the ports of movegen_checks.
type checksIn struct {
	Advance    bool   `port:"advance_i"`
	Checks     bool   `port:"checks_i"`
	OppKing    uint64 `port:"opp_king_i" bits:"57"` // from square 7 on
	SeeOrtho   uint64 `port:"see_ortho_i"`
	SeeDiag    uint64 `port:"see_diag_i"`
	SeeKnight  uint64 `port:"see_knight_i"`
	LineNS     uint64 `port:"line_ns_i"`
	LineEW     uint64 `port:"line_ew_i"`
	LineNESW   uint64 `port:"line_nesw_i"`
	LineNWSE   uint64 `port:"line_nwse_i"`
	Bared      uint8  `port:"bared_i" bits:"7"`
	King7N     uint8  `port:"king7_n_i"`
	King7NE    uint8  `port:"king7_ne_i" bits:"7"`
	King7NW    uint8  `port:"king7_nw_i" bits:"7"`
	King1      uint8  `port:"king1_i" bits:"2"`
	Code0      uint64 `port:"code0_i"`
	Code2      uint64 `port:"code2_i"`
	King       uint64 `port:"king_i"`
	MoversNS   uint64 `port:"movers_ns_i"`
	MoversEW   uint64 `port:"movers_ew_i"`
	MoversNESW uint64 `port:"movers_nesw_i"`
	MoversNWSE uint64 `port:"movers_nwse_i"`
}

type checksOut struct {
	FirstNS    uint64 `port:"first_ns_o"`
	FirstEW    uint64 `port:"first_ew_o"`
	FirstNESW  uint64 `port:"first_nesw_o"`
	FirstNWSE  uint64 `port:"first_nwse_o"`
	SecondNS   uint64 `port:"second_ns_o"`
	SecondEW   uint64 `port:"second_ew_o"`
	SecondNESW uint64 `port:"second_nesw_o"`
	SecondNWSE uint64 `port:"second_nwse_o"`

	// of what was taken last
	KnightOK   uint64 `port:"knight_ok_o"`
	BishopOK   uint64 `port:"bishop_ok_o"`
	RookOK     uint64 `port:"rook_ok_o"`
	PawnOK     uint64 `port:"pawn_ok_o" bits:"56"`
	Uncover    uint64 `port:"uncover_o"`
	UncoverN   uint64 `port:"uncover_n_o" bits:"56"`
	ThroughN   uint8  `port:"through_n_o"`
	ThroughNE  uint8  `port:"through_ne_o"`
	ThroughNW  uint8  `port:"through_nw_o"`
	EpNEOK     uint8  `port:"ep_ne_ok_o"`
	EpNWOK     uint8  `port:"ep_nw_ok_o"`
	KingNS     bool   `port:"king_ns_o"`
	KingEW     bool   `port:"king_ew_o"`
	KingNESW   bool   `port:"king_nesw_o"`
	KingNWSE   bool   `port:"king_nwse_o"`
	CastlingOK uint8  `port:"castling_ok_o" bits:"2"`

	Empty bool `port:"-"` // nothing was taken yet
	All   bool `port:"-"` // all moves pass
}

// checksModel has the registered outputs.
type checksModel struct{ out checksOut }

func (m *checksModel) Reset() {}

func (m *checksModel) Step(in checksIn) checksOut {
	out := m.out
	in.sources(&out)
	if in.Advance {
		m.out = in.passes()
	}
	return out
}

// sources sorts sliders by the rays of which they are sources. Two bits of a code tell sliders
// apart.
func (in *checksIn) sources(out *checksOut) {
	for square := range 64 {
		bit := uint64(1) << square
		kind := engine.Piece(in.Code0>>square&1 | in.Code2>>square&1<<2)
		for axis, words := range [4]struct {
			movers        uint64
			first, second *uint64
		}{
			{in.MoversNS, &out.FirstNS, &out.SecondNS},
			{in.MoversEW, &out.FirstEW, &out.SecondEW},
			{in.MoversNESW, &out.FirstNESW, &out.SecondNESW},
			{in.MoversNWSE, &out.FirstNWSE, &out.SecondNWSE},
		} {
			if words.movers&bit == 0 {
				continue
			}
			uncovers := (in.LineNESW|in.LineNWSE)&bit != 0
			if axis > 1 {
				uncovers = (in.LineNS|in.LineEW)&bit != 0
			}
			if kind != engine.Queen {
				*words.first |= bit
			}
			if kind == engine.Queen || in.Checks && uncovers {
				*words.second |= bit
			}
		}
	}
}

// passes is what the filter lets pass.
func (in *checksIn) passes() (out checksOut) {
	out = checksOut{
		KnightOK: in.SeeKnight, BishopOK: in.SeeDiag, RookOK: in.SeeOrtho, PawnOK: leaps(in.OppKing<<7, southWest, southEast) & (1<<56 - 1),
		Uncover: in.LineNS | in.LineEW | in.LineNESW | in.LineNWSE, UncoverN: (in.LineEW | in.LineNESW | in.LineNWSE) & (1<<56 - 1),
		ThroughN: in.King7N, ThroughNE: in.King7NE << 1, ThroughNW: in.King7NW,
	}
	if !in.Checks {
		const all = 1<<64 - 1
		return checksOut{KnightOK: all, BishopOK: all, RookOK: all, PawnOK: 1<<56 - 1, EpNEOK: 255, EpNWOK: 255,
			KingNS: true, KingEW: true, KingNESW: true, KingNWSE: true, CastlingOK: 3, All: true}
	}
	// uncovers reports whether a piece of ours uncovers a check by leaving a square along an axis.
	uncovers := func(square int, along *uint64) bool {
		all := []*uint64{&in.LineNS, &in.LineEW, &in.LineNESW, &in.LineNWSE}
		return slices.ContainsFunc(all, func(line *uint64) bool { return line != along && part.Has(*line, square) })
	}
	for file := range 8 { // of arrival
		victim, to := 32+file, 40+file
		either := leaps(1<<to, northEast, northWest)&(in.OppKing<<7) != 0 || part.Has(in.LineNESW|in.LineNWSE, victim)
		ne := file > 0 && (in.Bared>>(file-1)&1 != 0 || uncovers(victim-1, &in.LineNESW))
		nw := file < 7 && (in.Bared>>file&1 != 0 || uncovers(victim+1, &in.LineNWSE))
		if either || ne {
			out.EpNEOK |= 1 << file
		}
		if either || nw {
			out.EpNWOK |= 1 << file
		}
	}
	for square := range 64 {
		if part.Has(in.King, square) {
			out.KingNS = out.KingNS || uncovers(square, &in.LineNS)
			out.KingEW = out.KingEW || uncovers(square, &in.LineEW)
			out.KingNESW = out.KingNESW || uncovers(square, &in.LineNESW)
			out.KingNWSE = out.KingNWSE || uncovers(square, &in.LineNWSE)
		}
	}
	const d1, f1 = 3, 5
	for side, rook := range [2]int{f1, d1} {
		if part.Has(in.SeeOrtho, rook) || in.King1>>side&1 != 0 {
			out.CastlingOK |= 1 << side
		}
	}
	return out
}

func (m *checksModel) DontCare(want checksOut) (mask checksOut) {
	if want.Empty {
		const all = 1<<64 - 1
		mask = checksOut{KnightOK: all, BishopOK: all, RookOK: all, PawnOK: 1<<56 - 1, Uncover: all, UncoverN: 1<<56 - 1,
			EpNEOK: 255, EpNWOK: 255, KingNS: true, KingEW: true, KingNESW: true, KingNWSE: true, CastlingOK: 3}
	}
	if want.Empty || want.All {
		mask.ThroughN, mask.ThroughNE, mask.ThroughNW = 255, 255, 255
	}
	return mask
}

// randomChecks is any words, but for sliders on lines that they could only be on if they gave check
// already. Kings are one a side, or any number.
func randomChecks(r *rand.Rand) checksIn {
	p := randomPieces(r)
	code := p.codes()
	in := checksIn{
		Checks: r.IntN(4) > 0, Code0: code[0], Code2: code[2], Bared: uint8(r.IntN(128)), King7N: uint8(r.Uint32()),
		King7NE: uint8(r.IntN(128)), King7NW: uint8(r.IntN(128)), King1: uint8(r.IntN(4)), SeeOrtho: part.Word(r), SeeDiag: part.Word(r),
		SeeKnight: part.Word(r), King: 1 << r.IntN(64), OppKing: 1 << r.IntN(57),
	}
	if r.IntN(4) == 0 {
		in.King, in.OppKing = part.Word(r), part.Word(r)>>7
	}
	if r.IntN(2) > 0 {
		in.Bared = 0
	}
	for _, line := range []*uint64{&in.LineNS, &in.LineEW, &in.LineNESW, &in.LineNWSE} {
		if r.IntN(2) > 0 {
			*line = part.Word(r)
		}
	}
	ortho := p.kinds[engine.Queen] | p.kinds[engine.Rook]&^(in.LineNS|in.LineEW)
	diag := p.kinds[engine.Queen] | p.kinds[engine.Bishop]&^(in.LineNESW|in.LineNWSE)
	in.MoversNS, in.MoversEW = ortho&part.Word(r), ortho&part.Word(r)
	in.MoversNESW, in.MoversNWSE = diag&part.Word(r), diag&part.Word(r)
	return in
}

func TestChecksAlone(t *testing.T) {
	d := part.Of(movegen.Design, "movegen_checks", "", nil, "movegen/movegen_pkg.sv", "movegen/movegen_checks.sv")
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[checksIn, checksOut]) {
		r := seeded(632)
		advance := goesOn(r)
		sim.Check(t, d, &checksModel{checksOut{Empty: true}}, func(yield func(checksIn) bool) {
			for range part.Fewer(d.Simulator(), 40_000) {
				in := randomChecks(r)
				if in.Advance = advance(); !yield(in) {
					return
				}
			}
		})
	})
}

// targetsIn and targetsOut are the ports of movegen_targets.
type targetsIn struct {
	Rst      bool          `port:"rst_i"`
	Valid    bool          `port:"valid_i"`
	Order    movegen.Order `port:"order_i" bits:"2"`
	Captures bool          `port:"captures_i"`
	Code0    uint64        `port:"code0_i"`
	Code1    uint64        `port:"code1_i"`
	Code2    uint64        `port:"code2_i"`
	Ep       uint8         `port:"ep_i"`
	Todo     uint64        `port:"todo_i"`
	PromoteN uint8         `port:"promote_n_i"`
	EpNE     uint8         `port:"ep_ne_i"`
	EpNW     uint8         `port:"ep_nw_i"`
	Ready    bool          `port:"ready_i"`
}

type targetsOut struct {
	Take     bool   `port:"take_o"`
	Valid    bool   `port:"valid_o"`
	To       uint64 `port:"to_o"`
	Last     bool   `port:"last_o"`
	Captures bool   `port:"captures_o"`
	Quiet    bool   `port:"quiet_o"`
}

// targetsModel holds the destinations left of a position.
type targetsModel struct {
	left  []targetsOut
	fresh bool // none was taken yet
}

func (m *targetsModel) Reset() { *m = targetsModel{} }

func (m *targetsModel) Step(in targetsIn) (out targetsOut) {
	if len(m.left) > 0 {
		out = m.left[0]
		out.Take = m.fresh && in.Ready
	}
	switch {
	case !out.Valid, in.Ready && len(m.left) == 1 && !m.fresh:
		m.Reset()
		if in.Valid {
			m.left, m.fresh = in.destinations(), true
		}
	case in.Ready:
		m.left, m.fresh = m.left[1:], false
	}
	if in.Rst {
		m.Reset()
	}
	return out
}

// class is when a destination has its turn: one of those below, or by victim.
type class int

// Classes without a victim, and of one if victims do not matter.
const (
	capture class = 10 + iota
	promotion
	quiet
)

// classes are those of a square.
func (in *targetsIn) classes(square int) (all []class) {
	victim := engine.Piece(in.Code0>>square&1 | in.Code1>>square&1<<1 | in.Code2>>square&1<<2)
	todo := part.Has(in.Todo, square)
	if ep := square/8 == 5 && part.Has(uint64(in.Ep&(in.EpNE|in.EpNW)), square%8); ep {
		victim = engine.Pawn
		all = append(all, in.captureOf(victim))
	} else if todo && victim == engine.King && in.Order >= movegen.LeastAggressor {
		return nil // no victim
	} else if todo && victim != engine.NoPiece {
		return []class{in.captureOf(victim)}
	}
	if square/8 == 7 && part.Has(uint64(in.PromoteN), square%8) {
		all = append(all, promotion)
	}
	if todo && !in.Captures {
		all = append(all, quiet)
	}
	return all
}

// captureOf is the class of captures of a piece: the most valuable have their turn first.
func (in *targetsIn) captureOf(victim engine.Piece) class {
	if in.Order < movegen.LeastAggressor {
		return capture
	}
	return class(engine.King - victim)
}

// destinations are those of a position in their order.
func (in *targetsIn) destinations() (all []targetsOut) {
	for turn := class(0); turn <= quiet; turn++ {
		for square := range 64 {
			d := targetsOut{Valid: true, To: 1 << square, Captures: turn != quiet, Quiet: turn == quiet}
			if slices.Contains(in.classes(square), turn) {
				all = append(all, d)
			}
		}
	}
	if in.Order == movegen.Plain { // each square once
		all = nil
		for square := range 64 {
			if len(in.classes(square)) > 0 {
				all = append(all, targetsOut{Valid: true, To: 1 << square, Captures: in.Captures})
			}
		}
	}
	if len(all) == 0 {
		all = []targetsOut{{Valid: true}}
	}
	all[len(all)-1].Last = true
	return all
}

func (m *targetsModel) DontCare(want targetsOut) (mask targetsOut) {
	if !want.Valid {
		mask.To, mask.Last = 1<<64-1, true
	}
	if want.To == 0 {
		mask.Captures, mask.Quiet = true, true
	}
	return mask
}

// position has any number of squares to be listed, but mostly at most three: then what is on one of
// them decides which classes there are. The square of en passant is empty, and so are those to
// which pawns are pushed. No king is on them, or a rook and a knight are, too: of the classes of
// victims a king cannot be told from these, and would make one that is empty.
func (in *targetsIn) position(r *rand.Rand) {
	p := randomPieces(r)
	in.Order, in.Captures = movegen.Order(r.IntN(4)), r.IntN(3) == 0
	in.Ep, in.EpNE, in.EpNW = randomBit(r), uint8(part.Word(r)), uint8(part.Word(r))
	if in.PromoteN = 0; r.IntN(4) == 0 {
		in.PromoteN = uint8(part.Word(r))
	}
	if in.Todo = part.Word(r); r.IntN(4) > 0 {
		in.Todo = 0
		for range r.IntN(4) {
			square := r.IntN(64)
			in.Todo |= 1 << square
			p.put(square, engine.Piece(r.IntN(6)), false)
		}
	}
	for file := range 8 {
		if in.Ep>>file&1 != 0 {
			p.put(40+file, engine.NoPiece, false)
		}
		if in.PromoteN>>file&1 != 0 {
			p.put(56+file, engine.NoPiece, false)
		}
	}
	code := p.codes()
	in.Code0, in.Code1, in.Code2 = code[0], code[1], code[2]
	if in.Todo&p.kinds[engine.Rook] == 0 || in.Todo&p.kinds[engine.Knight] == 0 {
		in.Todo &^= p.kinds[engine.King]
	}
}

// targetsStimulus offers positions as soon as the one before was taken or later, and other words
// while it offers none. The receiver stops now and then, for a cycle or for many.
func targetsStimulus(r *rand.Rand, cycles int) iter.Seq[targetsIn] {
	return func(yield func(targetsIn) bool) {
		var m targetsModel
		var offered targetsIn
		offer, ready := goesOn(r), goesOn(r)
		for range cycles {
			if !offered.Valid {
				offered.position(r)
				if offered.Valid = offer(); !offered.Valid {
					for _, word := range []*uint64{&offered.Code0, &offered.Code1, &offered.Code2, &offered.Todo} {
						*word = r.Uint64()
					}
				}
			}
			in := offered
			in.Rst, in.Ready = r.IntN(300) == 0, ready()
			if m.Step(in).Take || in.Rst {
				offered.Valid = false
			}
			if !yield(in) {
				return
			}
		}
	}
}

func TestTargetsAlone(t *testing.T) {
	d := part.Of(movegen.Design, "movegen_targets", "rst_i", nil, "movegen/movegen_pkg.sv", "movegen/movegen_list_pkg.sv", "movegen/piece_pkg.sv",
		"movegen/movegen_targets.sv")
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[targetsIn, targetsOut]) {
		sim.Check(t, d, &targetsModel{}, targetsStimulus(seeded(633), part.Fewer(d.Simulator(), 200_000)))
	})
}

// originsIn and originsOut are the ports of movegen_origins.
type originsIn struct {
	To        uint64 `port:"to_i"`
	Occupied  uint64 `port:"occupied_i"`
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
	Castling  uint8  `port:"castling_i" bits:"2"`
}

type originsOut struct {
	From uint64 `port:"from_o"`
}

// originsModel goes back from each destination, square by square.
type originsModel struct{}

func (originsModel) Reset() {}

func (originsModel) Step(in originsIn) (out originsOut) {
	// In the order of part.Directions.
	arrivals := [8]uint64{in.North, in.South, in.East, in.West, in.NorthEast, in.SouthWest, in.NorthWest, in.SouthEast}
	for to := range 64 {
		if !part.Has(in.To, to) {
			continue
		}
		for i, way := range part.Directions {
			for n := -1; part.Has(arrivals[i], to); n-- {
				from, ok := way.Step(to, n)
				if ok && part.Has(in.Occupied, from) {
					out.From |= 1 << from
				}
				if !ok || part.Has(in.Occupied, from) {
					break
				}
			}
		}
		for from := range 64 {
			if x, y := from%8-to%8, from/8-to/8; x*x+y*y == 5 && part.Has(in.Knights, from) && part.Has(in.Targets, to) {
				out.From |= 1 << from
			}
		}
		if bit := map[int]uint8{listG1: 1, listC1: 2}[to]; in.Castling&bit != 0 {
			out.From |= 1 << listE1
		}
	}
	return out
}

// The origins of one destination, or of several at once: any piece may come from anywhere.
func TestOriginsAlone(t *testing.T) {
	d := part.Of(movegen.Design, "movegen_origins", "", nil, "movegen/movegen_pkg.sv", "movegen/movegen_origins.sv")
	d.Clock = ""
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[originsIn, originsOut]) {
		sim.Check(t, d, originsModel{}, func(yield func(originsIn) bool) {
			r := seeded(634)
			for range part.Fewer(d.Simulator(), 100_000) {
				in := eachPort[originsIn](func() uint64 { return part.Word(r) })
				in.Castling &= 3
				if r.IntN(4) > 0 {
					in.To = 1 << r.IntN(64)
				}
				if !yield(in) {
					return
				}
			}
		})
	})
}
