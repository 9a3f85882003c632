package movegen_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/cosimate/cosimate/rtl/internal/part"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/sim"
)

// The arrivals and the classes by themselves, with words of squares that no position gives. In
// positions many bits follow from others, which hides faults of those. Here none does, unless the
// module may rely on it.

// eachPort returns a struct of ports with a new word in each, cut to the size of its field.
func eachPort[T any](word func() uint64) (ports T) {
	v := reflect.ValueOf(&ports).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case v.Type().Field(i).Tag.Get("port") == "-":
		case f.Kind() == reflect.Bool:
			f.SetBool(word()&1 != 0)
		default:
			f.SetUint(word())
		}
	}
	return ports
}

// everyBit returns a mask of all bits of all ports.
func everyBit[T any]() T { return eachPort[T](func() uint64 { return 1<<64 - 1 }) }

// pace is how often something happens. It changes after 50 to 300 cycles: to each cycle, most of
// them, half, or hardly any.
type pace struct {
	left  int
	share float64
}

// now reports whether it happens in this cycle.
func (p *pace) now(r *rand.Rand) bool {
	if p.left--; p.left < 0 {
		p.left, p.share = 50+r.IntN(251), []float64{1, 0.9, 0.5, 0.05}[r.IntN(4)]
	}
	return r.Float64() < p.share
}

// arrivalsIn and arrivalsOut are the ports of movegen_arrivals.
type arrivalsIn struct {
	Advance    bool   `port:"advance_i"`
	FirstNS    uint64 `port:"first_ns_i"`
	FirstEW    uint64 `port:"first_ew_i"`
	FirstNESW  uint64 `port:"first_nesw_i"`
	FirstNWSE  uint64 `port:"first_nwse_i"`
	SecondNS   uint64 `port:"second_ns_i"`
	SecondEW   uint64 `port:"second_ew_i"`
	SecondNESW uint64 `port:"second_nesw_i"`
	SecondNWSE uint64 `port:"second_nwse_i"`
	Code0      uint64 `port:"code0_i"`
	Code1      uint64 `port:"code1_i"`
	Code2      uint64 `port:"code2_i"`
	Empty      uint64 `port:"empty_i"`
	King       uint64 `port:"king_i"`
	KingTo     uint64 `port:"king_to_i"`
	Targets    uint64 `port:"targets_i"`
	Pushers    uint64 `port:"pushers_i"`
	TakersNE   uint64 `port:"takers_ne_i"`
	TakersNW   uint64 `port:"takers_nw_i"`
	Knights    uint64 `port:"knights_i"`
	Castling   uint8  `port:"castling_i"`
	Ep         uint8  `port:"ep_i"`
	EpNE       uint8  `port:"ep_ne_i"`
	EpNW       uint8  `port:"ep_nw_i"`
	Check      bool   `port:"check_i"`
}

type arrivalsOut struct {
	Code0     uint64 `port:"code0_o"`
	Code1     uint64 `port:"code1_o"`
	Code2     uint64 `port:"code2_o"`
	King      uint64 `port:"king_o"`
	KingTo    uint64 `port:"king_to_o"`
	Ep        uint8  `port:"ep_o"`
	ToN       uint64 `port:"to_n_o"`
	ToS       uint64 `port:"to_s_o"`
	ToE       uint64 `port:"to_e_o"`
	ToW       uint64 `port:"to_w_o"`
	ToNE      uint64 `port:"to_ne_o"`
	ToSW      uint64 `port:"to_sw_o"`
	ToNW      uint64 `port:"to_nw_o"`
	ToSE      uint64 `port:"to_se_o"`
	Knights   uint64 `port:"knights_o"`
	Targets   uint64 `port:"targets_o"`
	PromoteN  uint8  `port:"promote_n_o"`
	PromoteNE uint8  `port:"promote_ne_o"`
	PromoteNW uint8  `port:"promote_nw_o"`
	Push      uint64 `port:"push_o"`
	Double    uint8  `port:"double_o"`
	TakeNE    uint64 `port:"take_ne_o"`
	TakeNW    uint64 `port:"take_nw_o"`
	EpNE      uint8  `port:"ep_ne_o"`
	EpNW      uint8  `port:"ep_nw_o"`
	Castling  uint8  `port:"castling_o"`
	Check     bool   `port:"check_o"`
	FirstN    uint64 `port:"first_n_o"`
	FirstS    uint64 `port:"first_s_o"`
	FirstE    uint64 `port:"first_e_o"`
	FirstW    uint64 `port:"first_w_o"`
	FirstNE   uint64 `port:"first_ne_o"`
	FirstSW   uint64 `port:"first_sw_o"`
	FirstNW   uint64 `port:"first_nw_o"`
	FirstSE   uint64 `port:"first_se_o"`
	SecondN   uint64 `port:"second_n_o"`
	SecondS   uint64 `port:"second_s_o"`
	SecondE   uint64 `port:"second_e_o"`
	SecondW   uint64 `port:"second_w_o"`
	SecondNE  uint64 `port:"second_ne_o"`
	SecondSW  uint64 `port:"second_sw_o"`
	SecondNW  uint64 `port:"second_nw_o"`
	SecondSE  uint64 `port:"second_se_o"`

	Unknown bool `port:"-"` // no position was taken yet
}

// arrivals follows each piece square by square.
func (in *arrivalsIn) arrivals() arrivalsOut {
	out := arrivalsOut{
		Code0: in.Code0, Code1: in.Code1, Code2: in.Code2, King: in.King, KingTo: in.KingTo, Ep: in.Ep,
		Knights: in.Knights, Targets: in.Targets, EpNE: in.EpNE, EpNW: in.EpNW, Castling: in.Castling, Check: in.Check,
	}
	// by axis, and by direction
	firsts := [4]uint64{in.FirstNS, in.FirstEW, in.FirstNESW, in.FirstNWSE}
	seconds := [4]uint64{in.SecondNS, in.SecondEW, in.SecondNESW, in.SecondNWSE}
	to := [8]*uint64{&out.ToN, &out.ToS, &out.ToE, &out.ToW, &out.ToNE, &out.ToSW, &out.ToNW, &out.ToSE}
	first := [8]*uint64{&out.FirstN, &out.FirstS, &out.FirstE, &out.FirstW, &out.FirstNE, &out.FirstSW, &out.FirstNW, &out.FirstSE}
	second := [8]*uint64{&out.SecondN, &out.SecondS, &out.SecondE, &out.SecondW, &out.SecondNE, &out.SecondSW, &out.SecondNW, &out.SecondSE}

	for from := range 64 {
		for i, way := range part.Directions {
			if part.Has(firsts[i/2], from) {
				*first[i] |= in.ray(from, way)
			}
			if part.Has(seconds[i/2], from) {
				*second[i] |= in.ray(from, way)
			}
			if s, ok := way.Step(from, 1); ok && part.Has(in.King, from) && part.Has(in.KingTo, s) {
				*to[i] |= 1 << s
			}
		}
		in.push(from, &out)
	}
	in.take(part.Directions[4], in.TakersNE, in.EpNE, &out.ToNE, &out.TakeNE, &out.PromoteNE)
	in.take(part.Directions[6], in.TakersNW, in.EpNW, &out.ToNW, &out.TakeNW, &out.PromoteNW)
	for i := range to {
		*to[i] |= (*first[i] | *second[i]) & in.Targets
	}
	return out
}

// ray are the squares that a slider reaches one way: up to and with the first that is not empty.
func (in *arrivalsIn) ray(from int, way part.Direction) (to uint64) {
	for n := 1; ; n++ {
		s, ok := way.Step(from, n)
		if !ok {
			return to
		}
		if to |= 1 << s; !part.Has(in.Empty, s) {
			return to
		}
	}
}

// push adds the pushes of a pawn, if one stands there that may be pushed.
func (in *arrivalsIn) push(from int, out *arrivalsOut) {
	north := part.Directions[0]
	one, ok := north.Step(from, 1)
	if !ok || !part.Has(in.Pushers, from) || !part.Has(in.Empty, one) {
		return
	}
	switch {
	case !part.Has(in.Targets, one): // two steps may answer a check that one does not
	case one >= 56:
		out.PromoteN |= 1 << (one - 56)
		out.ToN |= 1 << one
	default:
		out.Push |= 1 << one
		out.ToN |= 1 << one
	}
	if two, _ := north.Step(from, 2); from/8 == 1 && part.Has(in.Empty&in.Targets, two) {
		out.Double |= 1 << (two % 8)
		out.ToN |= 1 << two
	}
}

// take adds the captures of pawns one way.
func (in *arrivalsIn) take(way part.Direction, takers uint64, ep uint8, to, below8 *uint64, on8 *uint8) {
	for from := range 64 {
		s, ok := way.Step(from, 1)
		if !ok || !part.Has(takers, from) || !part.Has(in.Targets, s) || part.Has(in.Empty, s) {
			continue
		}
		if *to |= 1 << s; s < 56 {
			*below8 |= 1 << s
		} else {
			*on8 |= 1 << (s - 56)
		}
	}
	*to |= uint64(ep) << 40 // rank 6
}

// arrivalsModel takes a position in each cycle in which it advances, and holds it in the others.
type arrivalsModel struct{ out arrivalsOut }

// Reset does nothing: the module has no reset.
func (m *arrivalsModel) Reset() {}

func (m *arrivalsModel) Step(in arrivalsIn) arrivalsOut {
	out := m.out
	if in.Advance {
		m.out = in.arrivals()
	}
	return out
}

// DontCare leaves open what there is before the first position.
func (m *arrivalsModel) DontCare(want arrivalsOut) (mask arrivalsOut) {
	if want.Unknown {
		mask = everyBit[arrivalsOut]()
	}
	return mask
}

func TestArrivalsAlone(t *testing.T) {
	d := part.Of(movegen.Design, "movegen_arrivals", "", nil, "movegen/movegen_pkg.sv", "movegen/movegen_arrivals.sv")
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[arrivalsIn, arrivalsOut]) {
		r, advance := seeded(620), pace{}
		sim.Check(t, d, &arrivalsModel{arrivalsOut{Unknown: true}}, func(yield func(arrivalsIn) bool) {
			for range part.Fewer(d.Simulator(), 20_000) {
				in := eachPort[arrivalsIn](func() uint64 { return part.Word(r) })
				in.Advance = advance.now(r)
				in.Castling &= 3
				if !yield(in) {
					return
				}
			}
		})
	})
}

// classesIn and classesOut are the ports of movegen_classes.
type classesIn struct {
	Rst        bool   `port:"rst_i"`
	Valid      bool   `port:"valid_i"`
	Order      uint8  `port:"order_i"`
	Captures   bool   `port:"captures_i"`
	Code0      uint64 `port:"code0_i"`
	Code1      uint64 `port:"code1_i"`
	Code2      uint64 `port:"code2_i"`
	King       uint64 `port:"king_i"`
	KingTo     uint64 `port:"king_to_i"`
	Ep         uint8  `port:"ep_i"`
	ToN        uint64 `port:"to_n_i"`
	ToS        uint64 `port:"to_s_i"`
	ToE        uint64 `port:"to_e_i"`
	ToW        uint64 `port:"to_w_i"`
	ToNE       uint64 `port:"to_ne_i"`
	ToSW       uint64 `port:"to_sw_i"`
	ToNW       uint64 `port:"to_nw_i"`
	ToSE       uint64 `port:"to_se_i"`
	Knights    uint64 `port:"knights_i"`
	Targets    uint64 `port:"targets_i"`
	PromoteN   uint8  `port:"promote_n_i"`
	PromoteNE  uint8  `port:"promote_ne_i"`
	PromoteNW  uint8  `port:"promote_nw_i"`
	Push       uint64 `port:"push_i"`
	Double     uint8  `port:"double_i"`
	TakeNE     uint64 `port:"take_ne_i"`
	TakeNW     uint64 `port:"take_nw_i"`
	EpNE       uint8  `port:"ep_ne_i"`
	EpNW       uint8  `port:"ep_nw_i"`
	Castling   uint8  `port:"castling_i"`
	FirstN     uint64 `port:"first_n_i"`
	FirstS     uint64 `port:"first_s_i"`
	FirstE     uint64 `port:"first_e_i"`
	FirstW     uint64 `port:"first_w_i"`
	FirstNE    uint64 `port:"first_ne_i"`
	FirstSW    uint64 `port:"first_sw_i"`
	FirstNW    uint64 `port:"first_nw_i"`
	FirstSE    uint64 `port:"first_se_i"`
	SecondN    uint64 `port:"second_n_i"`
	SecondS    uint64 `port:"second_s_i"`
	SecondE    uint64 `port:"second_e_i"`
	SecondW    uint64 `port:"second_w_i"`
	SecondNE   uint64 `port:"second_ne_i"`
	SecondSW   uint64 `port:"second_sw_i"`
	SecondNW   uint64 `port:"second_nw_i"`
	SecondSE   uint64 `port:"second_se_i"`
	KnightOK   uint64 `port:"knight_ok_i"`
	BishopOK   uint64 `port:"bishop_ok_i"`
	RookOK     uint64 `port:"rook_ok_i"`
	PawnOK     uint64 `port:"pawn_ok_i"`
	Uncover    uint64 `port:"uncover_i"`
	UncoverN   uint64 `port:"uncover_n_i"`
	ThroughN   uint8  `port:"through_n_i"`
	ThroughNE  uint8  `port:"through_ne_i"`
	ThroughNW  uint8  `port:"through_nw_i"`
	EpNEOK     uint8  `port:"ep_ne_ok_i"`
	EpNWOK     uint8  `port:"ep_nw_ok_i"`
	KingNS     bool   `port:"king_ns_i"`
	KingEW     bool   `port:"king_ew_i"`
	KingNESW   bool   `port:"king_nesw_i"`
	KingNWSE   bool   `port:"king_nwse_i"`
	CastlingOK uint8  `port:"castling_ok_i"`
	Take       bool   `port:"take_i"`
}

type classesOut struct {
	Ready       bool   `port:"ready_o"`
	Valid       bool   `port:"valid_o"`
	Order       uint8  `port:"order_o"`
	Captures    bool   `port:"captures_o"`
	Code0       uint64 `port:"code0_o"`
	Code1       uint64 `port:"code1_o"`
	Code2       uint64 `port:"code2_o"`
	Ep          uint8  `port:"ep_o"`
	ToN         uint64 `port:"to_n_o"`
	ToS         uint64 `port:"to_s_o"`
	ToE         uint64 `port:"to_e_o"`
	ToW         uint64 `port:"to_w_o"`
	ToNE        uint64 `port:"to_ne_o"`
	ToSW        uint64 `port:"to_sw_o"`
	ToNW        uint64 `port:"to_nw_o"`
	ToSE        uint64 `port:"to_se_o"`
	Knights     uint64 `port:"knights_o"`
	Targets     uint64 `port:"targets_o"`
	Castling    uint8  `port:"castling_o"`
	KnightOK    uint64 `port:"knight_ok_o"`
	BishopOK    uint64 `port:"bishop_ok_o"`
	RookOK      uint64 `port:"rook_ok_o"`
	Uncover     uint64 `port:"uncover_o"`
	Uncover7N   uint8  `port:"uncover7_n_o"`
	ThroughN    uint8  `port:"through_n_o"`
	ThroughNE   uint8  `port:"through_ne_o"`
	ThroughNW   uint8  `port:"through_nw_o"`
	ListN       uint64 `port:"list_n_o"`
	ListNE      uint64 `port:"list_ne_o"`
	ListNW      uint64 `port:"list_nw_o"`
	ListKnights uint64 `port:"list_knights_o"`
	ListBishops uint64 `port:"list_bishops_o"`
	ListRooks   uint64 `port:"list_rooks_o"`
	ListQueens  uint64 `port:"list_queens_o"`
	ListKing    uint64 `port:"list_king_o"`
	Todo        uint64 `port:"todo_o"`
}

// classes sorts the arrivals square by square.
func (in *classesIn) classes() classesOut {
	out := classesOut{
		Order: in.Order, Captures: in.Captures, Code0: in.Code0, Code1: in.Code1, Code2: in.Code2, Ep: in.Ep,
		ToN: in.ToN, ToS: in.ToS, ToE: in.ToE, ToW: in.ToW, ToNE: in.ToNE, ToSW: in.ToSW, ToNW: in.ToNW, ToSE: in.ToSE,
		Knights: in.Knights, Targets: in.Targets, Castling: in.Castling, KnightOK: in.KnightOK, BishopOK: in.BishopOK, RookOK: in.RookOK,
		Uncover: in.Uncover, Uncover7N: uint8(in.UncoverN >> 48), ThroughN: in.ThroughN, ThroughNE: in.ThroughNE, ThroughNW: in.ThroughNW,
	}
	for to := range 64 {
		if part.Has(in.Targets, to) {
			in.sliders(to, &out)
			in.knights(to, &out)
		}
		in.king(to, &out)
	}
	for side, to := range []int{6, 2} { // g1 and c1
		if in.Castling&in.CastlingOK>>side&1 != 0 {
			out.ListKing |= 1 << to
		}
	}
	out.Todo |= out.ListKnights | out.ListBishops | out.ListRooks | out.ListQueens | out.ListKing
	in.pawns(&out)
	return out
}

// sliders adds those that arrive on a square, direction by direction. Rooks and bishops are in the
// first ray. Those that are in the second ray too uncover a check, so that they pass on any square.
// Queens are in the second alone.
func (in *classesIn) sliders(to int, out *classesOut) {
	firsts := [8]uint64{in.FirstN, in.FirstS, in.FirstE, in.FirstW, in.FirstNE, in.FirstSW, in.FirstNW, in.FirstSE}
	seconds := [8]uint64{in.SecondN, in.SecondS, in.SecondE, in.SecondW, in.SecondNE, in.SecondSW, in.SecondNW, in.SecondSE}
	for i, way := range part.Directions {
		list, ok := &out.ListRooks, in.RookOK
		if way.Diagonal() {
			list, ok = &out.ListBishops, in.BishopOK
		}
		first, second := part.Has(firsts[i], to), part.Has(seconds[i], to)
		switch {
		case first && (second || part.Has(ok, to)):
			*list |= 1 << to
		case second && !first && part.Has(in.RookOK|in.BishopOK, to):
			out.ListQueens |= 1 << to
		}
	}
}

// knights adds those that arrive on a square.
func (in *classesIn) knights(to int, out *classesOut) {
	for from := range 64 {
		x, y := from%8-to%8, from/8-to/8
		if x*x+y*y == 5 && part.Has(in.Knights, from) && (part.Has(in.KnightOK, to) || part.Has(in.Uncover, from)) {
			out.ListKnights |= 1 << to
		}
	}
}

// king adds its steps onto a square.
func (in *classesIn) king(to int, out *classesOut) {
	passes := [4]bool{in.KingNS, in.KingEW, in.KingNESW, in.KingNWSE}
	for i, way := range part.Directions {
		from, ok := way.Step(to, -1)
		if ok && passes[i/2] && part.Has(in.King, from) && part.Has(in.KingTo, to) {
			out.ListKing |= 1 << to
		}
	}
}

// pawns adds them, one direction after the other.
func (in *classesIn) pawns(out *classesOut) {
	const north, northEast, northWest = 8, 9, 7
	out.ListN = in.pawnsBy(north, in.Push, in.PromoteN, in.ThroughN, in.UncoverN)
	out.ListNE = in.pawnsBy(northEast, in.TakeNE, in.PromoteNE, in.ThroughNE, in.Uncover)
	out.ListNW = in.pawnsBy(northWest, in.TakeNW, in.PromoteNW, in.ThroughNW, in.Uncover)
	for file := range 8 {
		if from, to := 8+file, 24+file; in.Double>>file&1 != 0 && (part.Has(in.PawnOK, to) || part.Has(in.UncoverN, from)) {
			out.ListN |= 1 << to
		}
	}
	out.Todo |= out.ListN<<8>>8 | out.ListNE | out.ListNW // without pushes to rank 8 and en passant
	out.ListNE |= uint64(in.EpNE&in.EpNEOK) << 40
	out.ListNW |= uint64(in.EpNW&in.EpNWOK) << 40
}

// pawnsBy are the arrivals of pawns by a direction that pass: below rank 8, and on it. A step is so
// many squares. That none goes across the edge of the board is known before; here only those from
// rank 7 are looked at for it.
func (in *classesIn) pawnsBy(step int, below8 uint64, on8, through uint8, uncover uint64) (list uint64) {
	for to := range 64 {
		from := to - step
		arrives, passes := part.Has(below8, to), from >= 0 && part.Has(uncover, from)
		if to < 56 {
			passes = passes || part.Has(in.PawnOK, to)
		} else {
			arrives, passes = on8>>(to-56)&1 != 0, passes && from/8 == 6
			passes = passes || through>>(to-56)&1 != 0 || part.Has(in.RookOK|in.BishopOK|in.KnightOK, to)
		}
		if arrives && passes {
			list |= 1 << to
		}
	}
	return list
}

// classesModel holds a position until it is taken.
type classesModel struct{ out classesOut }

func (m *classesModel) Reset() { m.out.Valid = false }

func (m *classesModel) Step(in classesIn) classesOut {
	out := m.out
	out.Ready = !out.Valid
	switch {
	case out.Ready && in.Valid:
		m.out = in.classes()
		m.out.Valid = true
	case in.Take:
		m.out.Valid = false
	}
	if in.Rst {
		m.Reset()
	}
	return out
}

// DontCare leaves open what there is without a position.
func (m *classesModel) DontCare(want classesOut) (mask classesOut) {
	if !want.Valid {
		mask = everyBit[classesOut]()
		mask.Ready, mask.Valid = false, false
	}
	return mask
}

// possible takes away arrivals of pawns that the module may rely on not to get: captures of a piece
// on the square of en passant, which is empty, and en passant elsewhere.
func (in *classesIn) possible() {
	const ranks1to7 = 1<<56 - 1
	ep := uint64(in.Ep) << 40
	in.PawnOK &= ranks1to7
	in.UncoverN &= ranks1to7
	in.Push &= ranks1to7
	in.TakeNE &= ranks1to7 &^ ep
	in.TakeNW &= ranks1to7 &^ ep
	in.EpNE &= in.Ep
	in.EpNW &= in.Ep
}

func TestClassesAlone(t *testing.T) {
	d := part.Of(movegen.Design, "movegen_classes", "rst_i", nil,
		"movegen/movegen_pkg.sv", "movegen/movegen_list_pkg.sv", "movegen/movegen_classes.sv")
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[classesIn, classesOut]) {
		r, valid, take := seeded(621), pace{}, pace{}
		sim.Check(t, d, &classesModel{}, func(yield func(classesIn) bool) {
			for range part.Fewer(d.Simulator(), 40_000) {
				in := eachPort[classesIn](func() uint64 { return part.Word(r) })
				in.Rst, in.Valid, in.Take = r.IntN(200) == 0, valid.now(r), take.now(r)
				in.Order &= 3
				in.Castling &= 3
				in.CastlingOK &= 3
				in.possible()
				if !yield(in) {
					return
				}
			}
		})
	})
}
