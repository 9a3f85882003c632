package validity_test

import (
	"math/rand/v2"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/part"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/sim"
)

// The position by itself, loaded with what no game has: any kinds of pieces on any squares, such as
// pawns on rank 1.

// boardIn and boardOut are the ports of validity_board. Nothing is moved here.
type boardIn struct {
	Rst   bool `port:"rst_i"`
	Start bool `port:"start_i"`
	Load  bool `port:"load_i"`
	Make  bool `port:"make_i"`
	Keep  bool `port:"keep_i"`

	White    uint64 `port:"load_white_i"`
	Pawns    uint64 `port:"load_pawns_i"`
	Knights  uint64 `port:"load_knights_i"`
	Bishops  uint64 `port:"load_bishops_i"`
	Rooks    uint64 `port:"load_rooks_i"`
	Queens   uint64 `port:"load_queens_i"`
	Kings    uint64 `port:"load_kings_i"`
	Castling uint8  `port:"load_castling_i" bits:"4"`
	Ep       uint8  `port:"load_ep_i"`
	Black    bool   `port:"load_black_i"`
	Halfmove uint16 `port:"load_halfmove_i"`
	Fullmove uint16 `port:"load_fullmove_i"`

	MoveFrom      uint8 `port:"move_from_i" bits:"6"`
	MoveTo        uint8 `port:"move_to_i" bits:"6"`
	MovePromotion uint8 `port:"move_promotion_i" bits:"3"`
}

// boardOut has the position twice: as it is seen by the side to move, and absolute.
type boardOut struct {
	Position questionPort `port:"position_o" bits:"460"`
	Coded    [5]uint64    `port:"coded_o" bits:"268"` // bits of codes, own pieces, the rest
	Seen     uint64       `port:"occupied_o"`

	Black    bool   `port:"black_o"`
	Halfmove uint16 `port:"halfmove_o"`
	Fullmove uint16 `port:"fullmove_o"`
	White    uint64 `port:"pos_white_o"`
	Pawns    uint64 `port:"pos_pawns_o"`
	Knights  uint64 `port:"pos_knights_o"`
	Bishops  uint64 `port:"pos_bishops_o"`
	Rooks    uint64 `port:"pos_rooks_o"`
	Queens   uint64 `port:"pos_queens_o"`
	Kings    uint64 `port:"pos_kings_o"`
	Occupied uint64 `port:"pos_occupied_o"`
	Castling uint8  `port:"pos_castling_o" bits:"4"`

	ep uint8 `port:"-"`
}

// boardModel is the position that was taken last.
type boardModel struct{ now boardOut }

func (m *boardModel) Reset() { m.now = boardOut{} }

func (m *boardModel) Step(in boardIn) boardOut {
	out := m.now
	out.see()
	switch {
	case in.Rst:
		m.Reset()
	case in.Start:
		m.now = boardOut{
			Fullmove: 1, Castling: 15, White: 0xffff, Pawns: 0x00ff_0000_0000_ff00, Knights: 0x4200_0000_0000_0042, Bishops: 0x2400_0000_0000_0024,
			Rooks: 0x8100_0000_0000_0081, Queens: 0x0800_0000_0000_0008, Kings: 0x1000_0000_0000_0010, Occupied: 0xffff_0000_0000_ffff,
		}
	case in.Load:
		m.now = boardOut{
			Black: in.Black, Halfmove: in.Halfmove, Fullmove: in.Fullmove, Castling: in.Castling, ep: in.Ep, White: in.White, Pawns: in.Pawns,
			Knights: in.Knights, Bishops: in.Bishops, Rooks: in.Rooks, Queens: in.Queens, Kings: in.Kings,
			Occupied: in.Pawns | in.Knights | in.Bishops | in.Rooks | in.Queens | in.Kings,
		}
	}
	return out
}

// see fills in what the side to move sees of the absolute position.
func (out *boardOut) see() {
	words := [...]uint64{engine.Pawn: out.Pawns, engine.Knight: out.Knights, engine.Bishop: out.Bishops, engine.Rook: out.Rooks, engine.Queen: out.Queens, engine.King: out.Kings}
	own, rights := out.White, uint64(out.Castling)
	if out.Black {
		own, rights = out.Occupied&^out.White, rights>>2|rights<<2&12
	}
	for square := range 64 {
		from := square // on the board
		if out.Black {
			from ^= 56
		}
		for piece := engine.Pawn; piece <= engine.King; piece++ {
			if !part.Has(words[piece], from) {
				continue
			}
			out.Seen |= 1 << square
			*out.Position.word(piece) |= 1 << square
			for bit := range 3 {
				out.Coded[bit] |= uint64(piece) >> bit & 1 << square
			}
		}
		if part.Has(own, from) {
			out.Position[questionOwn] |= 1 << square
			out.Coded[3] |= 1 << square
		}
	}
	out.Position[questionRest] = rights<<8 | uint64(out.ep)
	out.Coded[4] = out.Position[questionRest]
}

func TestBoardAlone(t *testing.T) {
	d := part.Of(validity.Design, "validity_board", "rst_i", nil,
		"movegen/piece_pkg.sv", "movegen/movegen_types.sv", "movegen/movegen_encode.sv", "movegen/movegen_decode.sv",
		"game/game_pkg.sv", "game/game_types.sv", "game/game_make.sv", "game/game_state.sv",
		"validity/validity_pkg.sv", "validity/validity_board.sv")
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[boardIn, boardOut]) {
		sim.Check(t, d, &boardModel{}, func(yield func(boardIn) bool) {
			r := seeded(709)
			for range part.Fewer(d.Simulator(), 20_000) {
				in := randomLoad(r)
				in.Rst, in.Start, in.Load, in.Keep = r.IntN(100) == 0, r.IntN(20) == 0, r.IntN(3) > 0, r.IntN(3) == 0
				if !yield(in) {
					return
				}
			}
		})
	})
}

// randomLoad returns a position with a piece on few squares, or on many.
func randomLoad(r *rand.Rand) boardIn {
	in := boardIn{
		Castling: uint8(r.IntN(16)), Ep: uint8(r.Uint32()), Black: r.IntN(2) == 0,
		Halfmove: uint16(r.Uint32()), Fullmove: uint16(r.Uint32()),
	}
	occupied := part.Word(r)
	in.White = occupied & r.Uint64()
	words := []*uint64{&in.Pawns, &in.Knights, &in.Bishops, &in.Rooks, &in.Queens, &in.Kings}
	for square := range 64 {
		*words[r.IntN(len(words))] |= occupied & (1 << square)
	}
	return in
}
