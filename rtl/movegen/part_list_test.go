package movegen_test

import (
	"cmp"
	"iter"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/part"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/sim"
)

// The lister by itself, on words that no chess position gives: any pieces arrive from anywhere, and
// any of them pass the filter. What the neighbours guarantee holds: see listPosition.

// listIn and listOut are the ports of movegen_list.
type listIn struct {
	Rst       bool          `port:"rst_i"`
	Valid     bool          `port:"valid_i"`
	Order     movegen.Order `port:"order_i" bits:"2"`
	Captures  bool          `port:"captures_i"`
	Code0     uint64        `port:"code0_i"`
	Code1     uint64        `port:"code1_i"`
	Code2     uint64        `port:"code2_i"`
	Ep        uint8         `port:"ep_i"`
	North     uint64        `port:"to_n_i"`
	South     uint64        `port:"to_s_i"`
	East      uint64        `port:"to_e_i"`
	West      uint64        `port:"to_w_i"`
	NorthEast uint64        `port:"to_ne_i"`
	SouthWest uint64        `port:"to_sw_i"`
	NorthWest uint64        `port:"to_nw_i"`
	SouthEast uint64        `port:"to_se_i"`
	Knights   uint64        `port:"knights_i"`
	Targets   uint64        `port:"targets_i"`
	Castling  uint8         `port:"castling_i"`
	KnightOK  uint64        `port:"knight_ok_i"`
	BishopOK  uint64        `port:"bishop_ok_i"`
	RookOK    uint64        `port:"rook_ok_i"`
	Uncover   uint64        `port:"uncover_i"`
	Uncover7N uint8         `port:"uncover7_n_i"`
	ThroughN  uint8         `port:"through_n_i"`
	ThroughNE uint8         `port:"through_ne_i"`
	ThroughNW uint8         `port:"through_nw_i"`

	ListN       uint64 `port:"list_n_i"`
	ListNE      uint64 `port:"list_ne_i"`
	ListNW      uint64 `port:"list_nw_i"`
	ListKnights uint64 `port:"list_knights_i"`
	ListBishops uint64 `port:"list_bishops_i"`
	ListRooks   uint64 `port:"list_rooks_i"`
	ListQueens  uint64 `port:"list_queens_i"`
	ListKing    uint64 `port:"list_king_i"`
	Todo        uint64 `port:"todo_i"`

	Ready bool `port:"move_ready_i"`
}

type listOut struct {
	Take      bool         `port:"take_o"`
	Valid     bool         `port:"move_valid_o"`
	From      uint8        `port:"move_from_o"`
	To        uint8        `port:"move_to_o"`
	Piece     engine.Piece `port:"move_piece_o" bits:"3"`
	Captured  engine.Piece `port:"move_captured_o" bits:"3"`
	Promotion engine.Piece `port:"move_promotion_o" bits:"3"`
	Castling  uint8        `port:"move_castling_o"`
	Ep        bool         `port:"move_ep_o"`
	Last      bool         `port:"move_last_o"`
	None      bool         `port:"move_none_o"`
}

// arrivals are the words of arrivals, in the order of part.Directions.
func (in *listIn) arrivals() [8]*uint64 {
	return [8]*uint64{&in.North, &in.South, &in.East, &in.West, &in.NorthEast, &in.SouthWest, &in.NorthWest, &in.SouthEast}
}

// listed is the word of arrivals that pass, of a piece that travels that way.
func (in *listIn) listed(piece engine.Piece, way part.Direction) *uint64 {
	if piece == engine.Pawn {
		return map[int]*uint64{0: &in.ListN, 1: &in.ListNE, -1: &in.ListNW}[way.X]
	}
	return [...]*uint64{
		engine.Knight: &in.ListKnights, engine.Bishop: &in.ListBishops, engine.Rook: &in.ListRooks,
		engine.Queen: &in.ListQueens, engine.King: &in.ListKing,
	}[piece]
}

// through is the word of files on which a pawn that promotes opens its own ray.
func (in *listIn) through(way part.Direction) *uint8 {
	return map[int]*uint8{0: &in.ThroughN, 1: &in.ThroughNE, -1: &in.ThroughNW}[way.X]
}

// place puts a piece on an empty square.
func (in *listIn) place(piece engine.Piece, square int) {
	in.Code0 |= uint64(piece&1) << square
	in.Code1 |= uint64(piece>>1&1) << square
	in.Code2 |= uint64(piece>>2) << square
}

func (in *listIn) pieceAt(square int) engine.Piece {
	return engine.Piece(in.Code0>>square&1 | in.Code1>>square&1<<1 | in.Code2>>square&1<<2)
}

// onEp reports whether a square is that which a pawn enters en passant.
func (in *listIn) onEp(square int) bool { return square/8 == 5 && in.Ep>>(square%8)&1 != 0 }

// origin returns the first piece on the way back from a square.
func (in *listIn) origin(way part.Direction, to int) (from int, ok bool) {
	for n := -1; ; n-- {
		if from, ok = way.Step(to, n); !ok || in.pieceAt(from) != engine.NoPiece {
			return from, ok
		}
	}
}

// farFiles reports whether two squares are on files that are not beside each other.
func farFiles(a, b int) bool { return max(a%8-b%8, b%8-a%8) > 1 }

// leaps reports whether a knight may go from one square to the other.
func (in *listIn) leaps(from, to int) bool {
	x, y := from%8-to%8, from/8-to/8
	return x*x+y*y == 5 && part.Has(in.Knights, from) && part.Has(in.Targets, to)
}

// squares of castling, and which bit stands for each
const listC1, listE1, listG1 = 2, 4, 6

func (in *listIn) castles(to int) uint8 {
	return in.Castling & map[int]uint8{listG1: 1, listC1: 2}[to]
}

// passes reports whether a piece other than a pawn passes the filter, or a pawn that becomes one.
func (in *listIn) passes(piece engine.Piece, from, to int) bool {
	switch piece {
	case engine.Knight:
		return part.Has(in.KnightOK|in.pastUncover(from), to)
	case engine.Bishop:
		return part.Has(in.BishopOK|in.pastUncover(from), to)
	case engine.Rook:
		return part.Has(in.RookOK|in.pastUncover(from), to)
	}
	return true // of queens and kings the list's words tell
}

// pastUncover is all squares if leaving a square uncovers a check.
func (in *listIn) pastUncover(from int) uint64 {
	if part.Has(in.Uncover, from) {
		return ^uint64(0)
	}
	return 0
}

// promotes reports whether a pawn that becomes this piece passes the filter.
func (in *listIn) promotes(piece engine.Piece, from, to int, way part.Direction) bool {
	knight, bishop, rook := part.Has(in.KnightOK, to), part.Has(in.BishopOK, to), part.Has(in.RookOK, to)
	uncovers := part.Has(in.Uncover, from)
	if way.X == 0 {
		uncovers = in.Uncover7N>>(to%8)&1 != 0
	}
	if through := *in.through(way)>>(to%8)&1 != 0; through && way.X == 0 {
		rook = true
	} else if through {
		bishop = true
	}
	switch piece {
	case engine.Knight:
		return knight || uncovers
	case engine.Bishop:
		return bishop || uncovers
	case engine.Rook:
		return rook || uncovers
	}
	return bishop || rook || uncovers
}

// eachMove calls f with every move that passes the filter for checks, and its direction: none if
// it is a knight's leap or castling.
func (in *listIn) eachMove(f func(m listOut, way part.Direction)) {
	add := func(from, to int, way part.Direction) {
		m := listOut{Valid: true, From: uint8(from), To: uint8(to), Piece: in.pieceAt(from), Captured: in.pieceAt(to)}
		if !part.Has(*in.listed(m.Piece, way), to) || m.Piece == engine.Pawn && farFiles(from, to) {
			return
		}
		if m.Piece != engine.Pawn {
			if m.Piece == engine.King {
				m.Castling = in.castles(to)
			}
			if in.passes(m.Piece, from, to) {
				f(m, way)
			}
			return
		}
		if in.onEp(to) {
			m.Captured, m.Ep = engine.Pawn, true
		}
		if to < 56 {
			f(m, way)
			return
		}
		for _, m.Promotion = range []engine.Piece{engine.Queen, engine.Rook, engine.Bishop, engine.Knight} {
			if in.promotes(m.Promotion, from, to, way) {
				f(m, way)
			}
		}
	}
	for to := range 64 {
		for i, word := range in.arrivals() {
			if from, ok := in.origin(part.Directions[i], to); ok && part.Has(*word, to) {
				add(from, to, part.Directions[i])
			}
		}
		for from := range 64 {
			if in.leaps(from, to) {
				add(from, to, part.Direction{})
			}
		}
		if in.castles(to) != 0 {
			add(listE1, to, part.Direction{})
		}
	}
}

// class is the place of a move's class in the order.
func (in *listIn) class(m listOut) int {
	switch {
	case in.Order == movegen.Plain, m.Captured != engine.NoPiece && in.Order == movegen.CapturesFirst:
		return 0
	case m.Captured != engine.NoPiece:
		return int(engine.Queen - m.Captured)
	case m.Promotion != engine.NoPiece:
		return int(engine.Queen)
	}
	return int(engine.King)
}

// beats are the list, by destination and there by kind of piece.
func (in *listIn) beats() (list [][][]listOut) {
	var all []listOut
	in.eachMove(func(m listOut, _ part.Direction) {
		if !in.Captures || m.Captured != engine.NoPiece || m.Promotion != engine.NoPiece {
			all = append(all, m)
		}
	})
	if len(all) == 0 {
		return [][][]listOut{{{{Valid: true, Last: true, None: true}}}}
	}
	slices.SortFunc(all, func(a, b listOut) int {
		kind := cmp.Compare(a.Piece, b.Piece)
		if in.Order == movegen.MostAggressor {
			kind = -kind
		}
		return cmp.Or(cmp.Compare(in.class(a), in.class(b)), cmp.Compare(a.To, b.To), kind,
			cmp.Compare(a.From, b.From), cmp.Compare(b.Promotion, a.Promotion))
	})
	all[len(all)-1].Last = true
	for i, m := range all {
		if i == 0 || m.To != all[i-1].To || in.class(m) != in.class(all[i-1]) {
			list = append(list, [][]listOut{{m}})
			continue
		}
		destination := &list[len(list)-1]
		if m.Piece != all[i-1].Piece {
			*destination = append(*destination, nil)
		}
		kind := &(*destination)[len(*destination)-1]
		*kind = append(*kind, m)
	}
	return list
}

// listModel is the stages of the lister, and what is in each.
type listModel struct {
	todo    [][][]listOut // stage 5: destinations, none of them sent if fresh
	fresh   bool
	picked  [][]listOut // stage 6: one destination, by kind of piece
	origins [][]listOut // stage 7: what is left of one
	kinds   [][]listOut // stage 8: what is left of one kind, and one in reserve
	moves   []listOut   // stage 9: one move, and one in reserve
}

func (m *listModel) Reset() { *m = listModel{} }

// Step is one cycle. Which stages move is known from where things were before.
func (m *listModel) Step(in listIn) (out listOut) {
	ready8, ready9 := len(m.kinds) < 2, len(m.moves) < 2
	load7 := len(m.origins) == 0 || ready8 && len(m.origins) == 1
	load6 := len(m.picked) == 0 || load7
	idle := len(m.todo) == 0
	load5 := idle || load6 && len(m.todo) == 1 && !m.fresh

	if len(m.moves) > 0 {
		if out = m.moves[0]; in.Ready {
			m.moves = m.moves[1:]
		}
	}
	out.Take = !idle && m.fresh && load6

	if ready9 && len(m.kinds) > 0 {
		m.moves = append(m.moves, m.kinds[0][0])
		if m.kinds[0] = m.kinds[0][1:]; len(m.kinds[0]) == 0 {
			m.kinds = m.kinds[1:]
		}
	}
	if ready8 && len(m.origins) > 0 {
		m.kinds = append(m.kinds, m.origins[0])
		m.origins = m.origins[1:]
	}
	if load7 {
		m.origins, m.picked = m.picked, nil
	}
	if load6 && !idle {
		m.picked, m.todo, m.fresh = m.todo[0], m.todo[1:], false
	}
	if load5 && in.Valid {
		m.todo, m.fresh = in.beats(), true
	}
	if in.Rst {
		m.Reset()
	}
	return out
}

func (m *listModel) DontCare(want listOut) (mask listOut) {
	if !want.Valid || want.None {
		mask = listOut{From: 63, To: 63, Piece: 7, Captured: 7, Promotion: 7, Castling: 3, Ep: true}
	}
	if !want.Valid {
		mask.Last, mask.None = true, true
	}
	return mask
}

// words are the words of squares, files those of files.
func (in *listIn) words() []*uint64 {
	arrivals := in.arrivals()
	return append(arrivals[:], &in.Code0, &in.Code1, &in.Code2, &in.Knights, &in.Targets, &in.KnightOK, &in.BishopOK,
		&in.RookOK, &in.Uncover, &in.ListN, &in.ListNE, &in.ListNW, &in.ListKnights, &in.ListBishops, &in.ListRooks,
		&in.ListQueens, &in.ListKing, &in.Todo)
}

func (in *listIn) files() []*uint8 {
	return []*uint8{&in.Ep, &in.Uncover7N, &in.ThroughN, &in.ThroughNE, &in.ThroughNW}
}

// listGarbage is inputs without meaning.
func listGarbage(r *rand.Rand) (in listIn) {
	in.Order, in.Captures, in.Castling = movegen.Order(r.IntN(4)), r.IntN(2) > 0, uint8(r.IntN(4))
	for _, w := range in.words() {
		*w = r.Uint64()
	}
	for _, w := range in.files() {
		*w = uint8(r.Uint32())
	}
	return in
}

// listPosition is words that fit together. Kings are not captured. Pawns capture one step away, on
// squares with a piece or en passant, there alone. From files further away they arrive, too, but
// never pass, as pawns pass by files. They are pushed onto pieces, too, as each direction has a word
// of its own; from rank 7, if the order does not ask what is captured. Castling is by a king on
// e1, and no other king's move goes to the same square. The list's words are the destinations of
// moves that pass the filter.
func listPosition(r *rand.Rand) (in listIn) {
	in.Valid, in.Order, in.Captures = true, movegen.Order(r.IntN(4)), r.IntN(4) == 0
	in.board(r)
	share := []float64{0.1, 0.5, 1}[r.IntN(3)] * r.Float64()
	for i, word := range in.arrivals() {
		for to := range 64 {
			if in.mayArrive(part.Directions[i], to) && r.Float64() < share {
				*word |= 1 << to
			}
		}
	}
	for s := range 64 {
		if in.pieceAt(s) == engine.Knight && r.IntN(2) > 0 {
			in.Knights |= 1 << s
		}
	}
	in.Targets = part.Word(r) &^ (in.Code2 & in.Code1)
	for _, w := range []*uint64{&in.KnightOK, &in.BishopOK, &in.RookOK} {
		*w = [...]uint64{0, part.Word(r), ^uint64(0)}[r.IntN(3)]
	}
	if r.IntN(4) > 0 {
		in.Uncover = part.Word(r)
		for _, w := range []*uint8{&in.Uncover7N, &in.ThroughN, &in.ThroughNE, &in.ThroughNW} {
			*w = uint8(part.Word(r))
		}
	}
	in.lists(r)
	return in
}

// board places pieces, and chooses castling and en passant.
func (in *listIn) board(r *rand.Rand) {
	density := []float64{0.02, 0.1, 0.4, 0.8}[r.IntN(4)]
	// Of several pieces of one kind that come to a square, some may pass and others not.
	often, more := engine.Piece(1+r.IntN(6)), r.IntN(2) > 0
	for s := range 64 {
		switch {
		case s/8 == 6 && r.IntN(4) == 0:
			in.place(engine.Pawn, s)
		case s == listE1 && r.IntN(4) == 0:
			in.place(engine.King, s)
		case r.Float64() < density:
			kind := engine.Piece(1 + r.IntN(6))
			if more && r.IntN(4) > 0 {
				kind = often
			}
			in.place(kind, s)
		}
	}
	if in.pieceAt(listE1) == engine.King {
		for i, to := range []int{listG1, listC1} {
			if r.IntN(2) > 0 && in.pieceAt(to) == engine.NoPiece {
				in.Castling |= 1 << i
			}
		}
	}
	if file := r.IntN(8); in.pieceAt(40+file) == engine.NoPiece && r.IntN(2) > 0 {
		in.Ep = 1 << file
		for _, x := range []int{file - 1, file + 1} { // pawns that may capture
			if from := 32 + x; x >= 0 && x < 8 && in.pieceAt(from) == engine.NoPiece && r.IntN(2) > 0 {
				in.place(engine.Pawn, from)
			}
		}
	}
}

// mayArrive reports whether a piece may come to a square by travelling that way.
func (in *listIn) mayArrive(way part.Direction, to int) bool {
	from, ok := in.origin(way, to)
	if !ok || in.pieceAt(to) == engine.King {
		return false
	}
	switch in.pieceAt(from) {
	case engine.King:
		return in.castles(to) == 0
	case engine.Pawn:
		if way.X == 0 {
			free := in.pieceAt(to) == engine.NoPiece || to < 56 || in.Order == movegen.Plain && from/8 == 6
			return way.Y > 0 && free && !in.onEp(to)
		}
		if farFiles(from, to) {
			return true
		}
		next, _ := way.Step(from, 1)
		return way.Y > 0 && next == to && (in.pieceAt(to) != engine.NoPiece || in.onEp(to))
	}
	return true
}

// few returns some squares, or all. With few of them lists are short, so that there are more lists.
// Half of them are squares on which pieces arrive from several sides.
func (in *listIn) few(r *rand.Rand) (some uint64) {
	var any, crowded uint64
	for _, w := range in.arrivals() {
		crowded |= any & *w
		any |= *w
	}
	if r.IntN(8) == 0 {
		return ^uint64(0)
	}
	for range 1 + r.IntN(4) {
		from := [...]uint64{^uint64(0), any, crowded, crowded}[r.IntN(4)]
		if from == 0 {
			from = ^uint64(0)
		}
		for range r.IntN(bits.OnesCount64(from)) {
			from &= from - 1
		}
		some |= from & -from
	}
	return some
}

// lists chooses some of the moves that may pass, and makes the list's words those of them.
func (in *listIn) lists(r *rand.Rand) {
	few := in.few(r)
	all := []*uint64{&in.ListN, &in.ListNE, &in.ListNW, &in.ListKnights, &in.ListBishops, &in.ListRooks, &in.ListQueens, &in.ListKing}
	for _, w := range all {
		if *w = few; r.IntN(4) == 0 {
			*w &= part.Word(r)
		}
	}
	full := *in
	for _, w := range all {
		*w = 0
	}
	full.eachMove(func(m listOut, way part.Direction) {
		*in.listed(m.Piece, way) |= 1 << m.To
		if m.Piece != engine.Pawn || !m.Ep && (m.To < 56 || way.X != 0) {
			in.Todo |= 1 << m.To
		}
	})
}

// listStimulus offers positions as soon as the one before was taken or later, and garbage while it
// offers none. The receiver stops now and then, for a cycle or for many.
func listStimulus(r *rand.Rand, cycles int) iter.Seq[listIn] {
	return func(yield func(listIn) bool) {
		m, offered, gap, stop := &listModel{}, listIn{}, 0.0, 0.0
		for t := range cycles {
			if t%300 == 0 {
				gap, stop = []float64{0, 0.1, 0.9}[r.IntN(3)], []float64{0, 0.3, 0.9}[r.IntN(3)]
			}
			if !offered.Valid && r.Float64() >= gap {
				offered = listPosition(r)
			}
			in := offered
			if !in.Valid {
				in = listGarbage(r)
			}
			in.Rst, in.Ready = r.IntN(300) == 0, r.Float64() >= stop
			if m.Step(in).Take || in.Rst {
				offered = listIn{}
			}
			if !yield(in) {
				return
			}
		}
	}
}

func TestListAlone(t *testing.T) {
	d := part.Of(movegen.Design, "movegen_list", "rst_i", nil, "movegen/movegen_pkg.sv", "movegen/piece_pkg.sv",
		"movegen/movegen_list_pkg.sv", "movegen/movegen_list.sv", "movegen/movegen_targets.sv", "movegen/movegen_origins.sv",
		"movegen/movegen_skid.sv")
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[listIn, listOut]) {
		sim.Check(t, d, &listModel{}, listStimulus(seeded(610), part.Fewer(d.Simulator(), 300_000)))
	})
}
