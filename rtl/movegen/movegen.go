// Package movegen is the legal move generator in SystemVerilog, with what Go needs to drive it: the
// [Design], its ports [In] and [Out], the encoding of positions and moves, the [Order] and the
// [Filter] of a list, and [Model], a cycle-accurate reference for every output.
//
// The RTL knows only the side to move: board words are in its view, own pawns move up. With
// black to move [Encode] mirrors the board (square n becomes n ^ 56), and [Decode] mirrors the
// moves back. See README.md for ports and timing.
package movegen

import (
	"embed"
	"fmt"
	"math/bits"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/sources"
	"github.com/cosimate/cosimate/sim"
)

//go:embed *.sv files.list assumed/*.sv asserted/*.sv
var files embed.FS

// Design is the RTL, with assumed/movegen_assumed.sv bound to it: a position that is given to it
// must be one, or simulators report a failed assertion. Its clock and reset are clk_i and rst_i.
var Design = bound(sources.Design("movegen", "movegen/files.list", files))

// bound binds assumptions and assertions to the design, and the latter for provers alone. Blocks
// that movegen is a part of have none of them.
func bound(d sim.Design) sim.Design {
	d.Files = append(d.Files,
		"movegen/assumed/movegen_assumed.sv",
		"movegen/asserted/movegen_asserted.sv",
		"movegen/asserted/movegen_list_asserted.sv",
		"movegen/asserted/movegen_targets_asserted.sv")
	return d
}

// Latencies in cycles from the one in which a position is taken, when nothing is in its way.
const (
	CountLatency = 6 // to count_valid_o
	MoveLatency  = 9 // to move_valid_o with the first move, or with move_none_o
)

// In holds the inputs of a cycle.
type In struct {
	Rst         bool   `port:"rst_i"`
	PosValid    bool   `port:"pos_valid_i"`
	PosList     bool   `port:"pos_list_i"` // list the moves too, not only count them
	PosOrder    Order  `port:"pos_order_i" bits:"2"`
	PosFilter   Filter `port:"pos_filter_i" bits:"2"`
	PosOwn      uint64 `port:"pos_own_i"` // the side to move's pieces
	PosPawns    uint64 `port:"pos_pawns_i"`
	PosKnights  uint64 `port:"pos_knights_i"`
	PosBishops  uint64 `port:"pos_bishops_i"`
	PosRooks    uint64 `port:"pos_rooks_i"`
	PosQueens   uint64 `port:"pos_queens_i"`
	PosKings    uint64 `port:"pos_kings_i"`
	PosCastling uint8  `port:"pos_castling_i" bits:"2"` // the side to move's rights: bit 0 king side, bit 1 queen side
	PosEp       uint8  `port:"pos_ep_i"`                // file of the pawn that just made a double step, one-hot
	MoveReady   bool   `port:"move_ready_i"`

	// position is what Encode encoded: the model takes the moves from it rather than from the
	// ports, so that a mistake in the encoding shows as a difference.
	position engine.Position `port:"-"`
}

// Out holds the outputs of a cycle. Squares are in the view of the side to move: see [Decode].
type Out struct {
	PosReady      bool  `port:"pos_ready_o"`
	CountValid    bool  `port:"count_valid_o"`
	Count         uint8 `port:"count_o"`
	CountCheck    bool  `port:"count_check_o"`
	MoveValid     bool  `port:"move_valid_o"`
	MoveFrom      uint8 `port:"move_from_o" bits:"6"`
	MoveTo        uint8 `port:"move_to_o" bits:"6"`
	MovePiece     uint8 `port:"move_piece_o" bits:"3"`     // an engine.Piece
	MoveCaptured  uint8 `port:"move_captured_o" bits:"3"`  // an engine.Piece
	MovePromotion uint8 `port:"move_promotion_o" bits:"3"` // an engine.Piece
	MoveCastling  uint8 `port:"move_castling_o" bits:"2"`  // bit 0 king side, bit 1 queen side
	MoveEp        bool  `port:"move_ep_o"`
	MoveLast      bool  `port:"move_last_o"`
	MoveNone      bool  `port:"move_none_o"`
}

// mirror turns a square of the board into one of the view of the side to move, and back.
func mirror(square uint8, side engine.Color) uint8 {
	if side == engine.Black {
		return square ^ 56
	}
	return square
}

// Encode returns inputs that hold position p. PosValid, PosList and MoveReady are left to the
// caller, and PosOrder and PosFilter, whose zero values are Plain and All.
func Encode(p *engine.Position) In {
	side := p.SideToMove()
	word := func(k engine.Piece) uint64 {
		b := p.Bitboard(engine.White, k) | p.Bitboard(engine.Black, k)
		if side == engine.Black {
			return bits.ReverseBytes64(b)
		}
		return b
	}
	in := In{
		PosOwn:     p.Pieces(side),
		PosPawns:   word(engine.Pawn),
		PosKnights: word(engine.Knight),
		PosBishops: word(engine.Bishop),
		PosRooks:   word(engine.Rook),
		PosQueens:  word(engine.Queen),
		PosKings:   word(engine.King),
		position:   *p,
	}
	if side == engine.Black {
		in.PosOwn = bits.ReverseBytes64(in.PosOwn)
	}
	kingSide, queenSide := p.Castling(side)
	if kingSide {
		in.PosCastling |= 1
	}
	if queenSide {
		in.PosCastling |= 2
	}
	if s, ok := p.EnPassant(); ok {
		in.PosEp = 1 << (s & 7)
	}
	return in
}

// Decode returns the move that out holds, in board coordinates, as a move of side.
func Decode(out Out, side engine.Color) engine.Move {
	return engine.Move{
		From:      engine.Square(mirror(out.MoveFrom, side)),
		To:        engine.Square(mirror(out.MoveTo, side)),
		Piece:     engine.Piece(out.MovePiece),
		Captured:  engine.Piece(out.MoveCaptured),
		Promotion: engine.Piece(out.MovePromotion),
		Castling:  out.MoveCastling != 0,
		EnPassant: out.MoveEp,
	}
}

// Ports returns the inputs alone, as if they had not come from Encode.
func (in In) Ports() In {
	in.position = engine.Position{}
	return in
}

// Position returns the position that the ports hold. If Encode made them, it is the one it was
// given; otherwise it is read off the ports with white to move, and an error says why they hold
// none.
func (in *In) Position() (engine.Position, error) {
	if in.position != (engine.Position{}) {
		return in.position, nil
	}
	p, err := in.setup().Position()
	if err != nil {
		return p, fmt.Errorf("the pos_ ports hold no position: %w", err)
	}
	return p, nil
}

// setup returns what the ports hold, with white to move. They lack the opponent's castling rights,
// which do not matter to the moves.
func (in *In) setup() engine.Setup {
	return engine.Setup{
		Kinds: [8]uint64{
			engine.Pawn: in.PosPawns, engine.Knight: in.PosKnights, engine.Bishop: in.PosBishops,
			engine.Rook: in.PosRooks, engine.Queen: in.PosQueens, engine.King: in.PosKings,
		},
		White: in.PosOwn, Castling: in.PosCastling, EnPassant: uint64(in.PosEp) << 40, Fullmove: 1,
	}
}
