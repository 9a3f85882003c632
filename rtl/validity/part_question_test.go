package validity_test

import (
	"math/rand/v2"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/part"
)

// The positions that are made up by themselves: of any words, and about moves from several squares
// to several others at once, which is no question, but shows that a square does not depend on
// another one.

// questionIn and questionOut are the ports of validity_question. Positions are movegen_position_t.
type questionIn struct {
	Kind     uint8        `port:"kind_i" bits:"3"`
	From     uint64       `port:"from_i"`
	To       uint64       `port:"to_i"`
	Position questionPort `port:"position_i" bits:"460"`
}

type questionOut struct {
	Position questionPort `port:"position_o" bits:"460"`
}

// questionPort are the fields of a position, the last one in the lowest bits: words by kinds of
// pieces from the kings' on, the own pieces, and the rest.
type questionPort [8]uint64

const questionOwn, questionRest = 6, 7

// The rest of a position: files of a pawn that has just made a double step, and rights to castle.
const (
	restEp     = 0xff
	restRights = 3 << 8
	restTheirs = 3 << 10
)

func (p *questionPort) word(piece engine.Piece) *uint64 { return &p[engine.King-piece] }

// has reports whether a piece of a kind stands on a square.
func (p *questionPort) has(piece engine.Piece, square int) bool {
	return part.Has(*p.word(piece), square)
}

// opponent reports whether a piece of the opponent's stands on a square.
func (p *questionPort) opponent(square int) bool {
	for piece := engine.Pawn; piece <= engine.King; piece++ {
		if p.has(piece, square) {
			return !part.Has(p[questionOwn], square)
		}
	}
	return false
}

// moves reports whether a piece of a kind is among those that move.
func (in *questionIn) moves(piece engine.Piece) bool {
	return in.From&*in.Position.word(piece) != 0
}

// takesEp reports whether a pawn would take the one on a square en passant.
func (in *questionIn) takesEp(square int) bool {
	return square/8 == 4 && part.Has(in.To, square+8) && part.Has(in.Position[questionRest]&restEp, square%8) && in.moves(engine.Pawn)
}

// frozen is the position with the opponent's pieces as own knights, but for those that the move
// would capture.
func (in *questionIn) frozen() questionPort {
	p := in.Position
	p[questionRest] &^= restEp
	for square := range 64 {
		switch bit := uint64(1) << square; {
		case in.takesEp(square):
			p[questionRest] |= 1 << (square % 8)
		case in.Position.opponent(square) && !part.Has(in.To, square):
			for piece := engine.Pawn; piece <= engine.King; piece++ {
				*p.word(piece) &^= bit
			}
			*p.word(engine.Knight) |= bit
			p[questionOwn] |= bit
		}
	}
	return p
}

// cleared is what moves, and the own king in a corner. For some questions there is more.
func (in *questionIn) cleared() (p questionPort) {
	for piece := engine.Pawn; piece <= engine.King; piece++ {
		*p.word(piece) = *in.Position.word(piece) & in.From
	}
	p[questionOwn] = in.From
	p[questionRest] = in.Position[questionRest] & restTheirs
	if !in.moves(engine.King) {
		corner := 56
		for _, other := range []int{7, 0} {
			if !part.Has(in.From|in.To, other) {
				corner = other
			}
		}
		*p.word(engine.King) |= 1 << corner
		p[questionOwn] |= 1 << corner
	}
	switch in.Kind {
	case askEnPassant: // the opponent's pawns beside have just made a double step
		for square := 32; square < 40; square++ {
			if part.Has(in.To, square+8) && in.Position.opponent(square) && in.Position.has(engine.Pawn, square) {
				*p.word(engine.Pawn) |= 1 << square
				p[questionRest] |= 1 << (square % 8)
			}
		}
	case askVictim:
		*p.word(engine.Knight) |= in.To
	}
	return p
}

type questionModel struct{}

func (questionModel) Reset() {}

func (questionModel) Step(in questionIn) questionOut {
	switch in.Kind {
	case askReal:
		return questionOut{in.Position}
	case askFrozen:
		return questionOut{in.frozen()}
	}
	return questionOut{in.cleared()}
}

// randomQuestion is a question of any kind. Kinds that are none only clear the board.
func randomQuestion(r *rand.Rand) questionIn {
	in := questionIn{Kind: uint8(r.IntN(8)), From: 1 << r.IntN(64), To: 1 << r.IntN(64)}
	for i := range in.Position {
		in.Position[i] = part.Word(r)
	}
	in.Position[questionRest] &= restEp | restRights | restTheirs
	switch r.IntN(4) {
	case 0:
		in.To = 1 << (40 + r.IntN(8))
	case 1:
		in.From = squares(r, 4, ^uint64(0))
	case 2:
		in.From, in.To = part.Word(r), part.Word(r)
	}
	if r.IntN(4) == 0 { // beside corners
		for _, corner := range []int{0, 7, 56} {
			in.From |= uint64(r.IntN(2)) << corner
		}
	}
	return in
}

func TestQuestionAlone(t *testing.T) {
	checkRandom(t, combinational("validity_question"), questionModel{}, 706, randomQuestion)
}
