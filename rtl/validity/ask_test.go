package validity_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/part"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/sim"
)

// The questions by themselves: all kinds of them, about boards that no game gives, from any square
// to any other. The reference makes up the board by the text of validity_question.sv, and goes from
// square to square for its legal moves.

// askIn and askOut are the ports of validity_ask. The position is a movegen_position_t.
type askIn struct {
	Rst      bool      `port:"rst_i"`
	Ask      bool      `port:"ask_i"`
	Kind     uint8     `port:"kind_i" bits:"3"`
	From     uint8     `port:"from_i" bits:"6"`
	To       uint8     `port:"to_i" bits:"6"`
	Position [8]uint64 `port:"position_i" bits:"460"`

	board askBoard `port:"-"` // what the position is
}

type askOut struct {
	MoveValid bool  `port:"move_valid_o"`
	From      uint8 `port:"move_from_o" bits:"6"`
	To        uint8 `port:"move_to_o" bits:"6"`
	Piece     uint8 `port:"move_piece_o" bits:"3"`
	Captured  uint8 `port:"move_captured_o" bits:"3"`
	Promotion uint8 `port:"move_promotion_o" bits:"3"`
	Castling  uint8 `port:"move_castling_o" bits:"2"`
	Ep        bool  `port:"move_ep_o"`
	Check     bool  `port:"check_o"`
	Done      bool  `port:"done_o"`

	known bool `port:"-"` // an answer has come, and nothing was asked since
}

// Kinds of questions, validity_pkg::Ask*.
const (
	askReal = iota
	askFrozen
	askCleared
	askEnPassant
	askVictim
	askKinds
)

// askBoard is a position in the view of the side to move: its pawns move up. Squares are numbered
// from a1 on.
type askBoard struct {
	pieces   [64]engine.Piece
	own      [64]bool
	castling [2]bool // of the side to move: king side, queen side
	epFile   int     // of the pawn that has just made a double step; -1: none
}

// words are the fields of movegen_position_t, the last one in the lowest bits.
func (b *askBoard) words() (all [8]uint64) {
	for square, piece := range b.pieces {
		if piece != engine.NoPiece {
			all[engine.King-piece] |= 1 << square
		}
		if b.own[square] {
			all[6] |= 1 << square
		}
	}
	if b.epFile >= 0 {
		all[7] |= 1 << b.epFile
	}
	for i, right := range b.castling {
		if right {
			all[7] |= 1 << (8 + i)
		}
	}
	return all
}

// attacked reports whether the opponent attacks a square.
func (b *askBoard) attacked(to int) bool {
	for _, way := range part.Directions {
		for n := 1; ; n++ {
			from, ok := way.Step(to, n)
			if !ok {
				break
			}
			piece := b.pieces[from]
			if piece == engine.NoPiece {
				continue
			}
			slides := piece == engine.Queen || piece == engine.Bishop && way.Diagonal() || piece == engine.Rook && !way.Diagonal()
			if !b.own[from] && (slides || n == 1 && (piece == engine.King || piece == engine.Pawn && way.Diagonal() && way.Y > 0)) {
				return true
			}
			break
		}
	}
	for from := range 64 {
		if b.pieces[from] == engine.Knight && !b.own[from] && leap(from, to) {
			return true
		}
	}
	return false
}

// leap reports whether two squares are a knight's move apart.
func leap(from, to int) bool {
	x, y := from%8-to%8, from/8-to/8
	return x*x+y*y == 5
}

// check reports whether the own king is attacked.
func (b *askBoard) check() bool {
	for square, piece := range b.pieces {
		if piece == engine.King && b.own[square] && b.attacked(square) {
			return true
		}
	}
	return false
}

// safe reports whether the own king is not attacked once a piece has gone from one square to
// another, and what stood on a third has vanished.
func (b askBoard) safe(from, to, taken int) bool {
	b.pieces[taken], b.own[taken] = engine.NoPiece, false
	piece := b.pieces[from]
	b.pieces[from], b.own[from] = engine.NoPiece, false
	b.pieces[to], b.own[to] = piece, true
	return !b.check()
}

// moves are the legal ones in the order in which the move generator lists them.
func (b *askBoard) moves() (all []askOut) {
	add := func(from, to int, m askOut) {
		taken := to
		if m.Ep {
			taken = to - 8
		}
		if !b.safe(from, to, taken) {
			return
		}
		m.MoveValid, m.From, m.To = true, uint8(from), uint8(to)
		m.Piece, m.Captured = uint8(b.pieces[from]), uint8(b.pieces[taken])
		if b.pieces[from] != engine.Pawn || to < 56 {
			all = append(all, m)
			return
		}
		for _, piece := range []engine.Piece{engine.Queen, engine.Rook, engine.Bishop, engine.Knight} {
			m.Promotion = uint8(piece)
			all = append(all, m)
		}
	}
	for from, piece := range b.pieces {
		switch {
		case !b.own[from]:
		case piece == engine.Pawn:
			b.pawn(from, add)
		case piece == engine.Knight:
			for to := range 64 {
				if leap(from, to) && !b.own[to] {
					add(from, to, askOut{})
				}
			}
		default:
			for _, way := range part.Directions {
				if piece == engine.Bishop && !way.Diagonal() || piece == engine.Rook && way.Diagonal() {
					continue
				}
				for n := 1; n == 1 || piece != engine.King; n++ {
					to, ok := way.Step(from, n)
					if !ok || b.own[to] {
						break
					}
					if add(from, to, askOut{}); b.pieces[to] != engine.NoPiece {
						break
					}
				}
			}
		}
	}
	b.castle(add)
	slices.SortFunc(all, func(x, y askOut) int {
		return cmp.Or(cmp.Compare(x.To, y.To), cmp.Compare(x.Piece, y.Piece), cmp.Compare(x.From, y.From), cmp.Compare(y.Promotion, x.Promotion))
	})
	return all
}

// pawn adds the moves of a pawn, before it is known whether the king is safe.
func (b *askBoard) pawn(from int, add func(from, to int, m askOut)) {
	if b.pieces[from+8] == engine.NoPiece {
		add(from, from+8, askOut{})
		if from/8 == 1 && b.pieces[from+16] == engine.NoPiece {
			add(from, from+16, askOut{})
		}
	}
	for _, x := range []int{-1, 1} {
		to, ok := part.Direction{X: x, Y: 1}.Step(from, 1)
		switch {
		case !ok:
		case to == 40+b.epFile && b.epFile >= 0:
			add(from, to, askOut{Ep: true})
		case b.pieces[to] != engine.NoPiece && !b.own[to]:
			add(from, to, askOut{})
		}
	}
}

// castle adds castling: the squares between king and rook are empty, and the king neither stands
// on, crosses nor enters an attacked one.
func (b *askBoard) castle(add func(from, to int, m askOut)) {
	for i, squares := range [2]struct{ empty, unattacked []int }{
		{[]int{squareF1, squareG1}, []int{squareE1, squareF1, squareG1}},
		{[]int{squareB1, squareC1, squareD1}, []int{squareC1, squareD1, squareE1}},
	} {
		free := b.castling[i]
		for _, square := range squares.empty {
			free = free && b.pieces[square] == engine.NoPiece
		}
		for _, square := range squares.unattacked {
			free = free && !b.attacked(square)
		}
		if free {
			add(squareE1, []int{squareG1, squareC1}[i], askOut{Castling: uint8(1 + i)})
		}
	}
}

// put replaces what is on a square.
func (b *askBoard) put(square int, piece engine.Piece, own bool) {
	b.pieces[square], b.own[square] = piece, own && piece != engine.NoPiece
}

// asked is the board that a question is about.
func (b askBoard) asked(kind uint8, from, to int) askBoard {
	onEp := b.epFile >= 0 && to == 40+b.epFile && b.pieces[from] == engine.Pawn
	switch kind {
	case askReal:
		return b
	case askFrozen:
		for square, piece := range b.pieces {
			if piece != engine.NoPiece && !b.own[square] && square != to && !(onEp && square == to-8) {
				b.put(square, engine.Knight, true)
			}
		}
		if !onEp {
			b.epFile = -1
		}
		return b
	}
	made := askBoard{epFile: -1}
	made.put(from, b.pieces[from], true)
	if b.pieces[from] != engine.King {
		for _, corner := range []int{0, 7, 56} {
			if corner != from && corner != to {
				made.put(corner, engine.King, true)
				break
			}
		}
	}
	if beside := to - 8; kind == askEnPassant && to/8 == 5 && b.pieces[beside] == engine.Pawn && !b.own[beside] {
		made.put(beside, engine.Pawn, false)
		made.epFile = to % 8
	}
	if kind == askVictim {
		made.put(to, engine.Knight, false)
	}
	return made
}

// askModel is an answer that comes move by move.
type askModel struct {
	cycles int      // that a question takes at least: QuestionCycles
	at     int      // cycles since the question; 0: none is open
	moves  []askOut // the answer
	check  bool
	known  bool
}

func (m *askModel) Reset() { m.at, m.known = 0, false }

// firstMove is after how many cycles the first move is passed on.
const firstMove = 11

func (m *askModel) Step(in askIn) (out askOut) {
	if m.at > 0 {
		if i := m.at - firstMove; i >= 0 && i < len(m.moves) {
			out = m.moves[i]
		}
		if m.at == max(m.cycles, firstMove-1+max(len(m.moves), 1)) {
			out.Done, m.known = true, true
		}
	}
	out.Check, out.known = m.check && m.known, m.known
	switch {
	case in.Rst:
		m.Reset()
	case in.Ask:
		b := in.board.asked(in.Kind, int(in.From), int(in.To))
		*m = askModel{cycles: m.cycles, at: 1, moves: b.moves(), check: b.check()}
	case out.Done:
		m.at = 0
	case m.at > 0:
		m.at++
	}
	return out
}

func (m *askModel) DontCare(want askOut) (mask askOut) {
	if !want.MoveValid {
		mask = askOut{From: 63, To: 63, Piece: 7, Captured: 7, Promotion: 7, Castling: 3, Ep: true}
	}
	mask.Check = !want.known
	return mask
}

// randomBoard has one king a side, few or many pieces of all kinds, and rights and a double step
// where the pieces stand so. The side that has moved is not in check.
func randomBoard(r *rand.Rand) (b askBoard) {
	for {
		b = askBoard{epFile: -1}
		density, own := []float64{0.05, 0.2, 0.5}[r.IntN(3)], []float64{0.2, 0.5, 0.8}[r.IntN(3)]
		for square := range 64 {
			if r.Float64() >= density {
				continue
			}
			piece := engine.Piece(1 + r.IntN(5))
			if piece == engine.Pawn && (square < 8 || square >= 56) {
				piece = engine.Knight
			}
			b.put(square, piece, r.Float64() < own)
		}
		king, theirs := r.IntN(64), r.IntN(64)
		if r.IntN(2) == 0 {
			king = squareE1
		}
		if king == theirs {
			continue
		}
		b.put(king, engine.King, true)
		b.put(theirs, engine.King, false)
		if king == squareE1 {
			for i, corner := range []int{squareH1, squareA1} {
				if corner == theirs || r.IntN(2) == 0 {
					continue
				}
				b.put(corner, engine.Rook, true)
				b.castling[i] = true
			}
		}
		if file := r.IntN(8); r.IntN(2) == 0 && b.pieces[40+file] == engine.NoPiece && b.pieces[48+file] == engine.NoPiece &&
			b.pieces[32+file] != engine.King {
			b.put(32+file, engine.Pawn, false)
			b.epFile = file
		}
		if turned := b.turned(); !turned.check() {
			return b
		}
	}
}

// turned is the board in the view of the other side.
func (b *askBoard) turned() (t askBoard) {
	for square, piece := range b.pieces {
		t.put(square^56, piece, !b.own[square])
	}
	return t
}

// askStimulus asks one question after the other. The move in question stands for two clocks before.
// In between the ports hold anything.
func askStimulus(r *rand.Rand, questions int, yield func(askIn) bool) {
	m := askModel{cycles: askCycles}
	give := func(in askIn) (askOut, bool) {
		in.Rst = in.Rst || r.IntN(1000) == 0
		if in.Rst {
			in.Ask = false
		}
		return m.Step(in), yield(in)
	}
	anything := func() (in askIn) {
		for i := range in.Position {
			in.Position[i] = r.Uint64()
		}
		in.Position[7] &= 1<<12 - 1
		in.Kind, in.From, in.To = uint8(r.IntN(askKinds)), uint8(r.IntN(64)), uint8(r.IntN(64))
		return in
	}
	for range questions {
		b := randomBoard(r)
		var pieces, others []int
		for square := range 64 {
			if b.own[square] {
				pieces = append(pieces, square)
			} else {
				others = append(others, square)
			}
		}
		in := askIn{Position: b.words(), board: b, Kind: uint8(r.IntN(askKinds)),
			From: uint8(pieces[r.IntN(len(pieces))]), To: uint8(others[r.IntN(len(others))])}
		for range 1 + r.IntN(2) {
			if _, ok := give(in); !ok {
				return
			}
		}
		if in.Ask = true; r.IntN(4) == 0 {
			in.Position[7] |= uint64(r.IntN(4)) << 10 // the opponent's rights do not matter
		}
		if _, ok := give(in); !ok {
			return
		}
		for n := r.IntN(3); m.at > 0 || n > 0; {
			if m.at == 0 {
				n--
			}
			if _, ok := give(anything()); !ok {
				return
			}
		}
	}
}

// askCycles is less than many a list takes.
const askCycles = 24

func TestAskAlone(t *testing.T) {
	var files []string
	for _, name := range validity.Design.Files {
		files = append(files, name)
		if name == "validity/validity_ask.sv" {
			break
		}
	}
	d := part.Of(validity.Design, "validity_ask", "rst_i", map[string]string{"QuestionCycles": "24"}, files...)
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[askIn, askOut]) {
		sim.Check(t, d, &askModel{cycles: askCycles}, func(yield func(askIn) bool) {
			askStimulus(rand.New(rand.NewPCG(sim.Seed(), 702)), part.Fewer(d.Simulator(), 4000), yield)
		})
	})
}
