// Package burst is the burst list in SystemVerilog: all legal moves of a chess position as fast as
// they come, over 26 lanes side by side. The package has what Go needs to drive it: the [Design],
// its ports [In] and [Out], the encoding of positions and moves, [Lane], which says where a move
// comes out, and [Model], a cycle-accurate reference for every output.
//
// The RTL knows only the side to move: board words are in its view, own pawns move up. With
// black to move [Encode] mirrors the board (square n becomes n ^ 56), and [Decode] mirrors the
// moves back. See README.md for ports and timing.
package burst

import (
	"embed"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/game"
	"github.com/cosimate/cosimate/rtl/internal/sources"
	"github.com/cosimate/cosimate/rtl/movegen"
)

//go:embed *.sv files.list
var files embed.FS

// Design is the RTL. Its clock and reset are clk_i and rst_i.
var Design = sources.Design("burst", "burst/files.list", files, movegen.Design, game.Design)

// Latency is the number of cycles from the one in which a position is taken to the first beat of
// its list, when nothing is in its way: the last of n beats comes after Latency + n - 1.
const Latency = 6

// Lanes is how many moves a beat can have.
const Lanes = 26

// In holds the inputs of a cycle.
type In struct {
	Rst         bool   `port:"rst_i"`
	PosValid    bool   `port:"pos_valid_i"`
	PosOwn      uint64 `port:"pos_own_i"` // the side to move's pieces
	PosPawns    uint64 `port:"pos_pawns_i"`
	PosKnights  uint64 `port:"pos_knights_i"`
	PosBishops  uint64 `port:"pos_bishops_i"`
	PosRooks    uint64 `port:"pos_rooks_i"`
	PosQueens   uint64 `port:"pos_queens_i"`
	PosKings    uint64 `port:"pos_kings_i"`
	PosCastling uint8  `port:"pos_castling_i" bits:"2"` // the side to move's rights: bit 0 king side, bit 1 queen side
	PosEp       uint8  `port:"pos_ep_i"`                // file of the pawn that just made a double step, one-hot
	BeatReady   bool   `port:"beat_ready_i"`

	// position is what Encode encoded: the model takes the moves from it rather than from the
	// ports, so that a mistake in the encoding shows as a difference.
	position engine.Position `port:"-"`
}

// Out holds the outputs of a cycle.
type Out struct {
	PosReady  bool          `port:"pos_ready_o"`
	BeatValid bool          `port:"beat_valid_o"`
	BeatLast  bool          `port:"beat_last_o"` // the last of this position's list
	Move      [Lanes]uint32 `port:"move_o"`      // a word a lane: see Decode
}

// Fields of a word: the lowest bit of each. Squares have six bits, pieces three.
const (
	wordFrom      = 0
	wordTo        = 8
	wordPromotion = 16
	wordPiece     = 20
	wordEp        = 23
	wordCaptured  = 24
	wordCastling  = 27
	wordValid     = 31

	// wordFields has all fields but valid.
	wordFields = 63<<wordFrom | 63<<wordTo | 7<<wordPromotion | 7<<wordPiece | 1<<wordEp | 7<<wordCaptured | 1<<wordCastling
)

// view turns a square of the board into one of the view of the side to move, and back.
func view(s engine.Square, side engine.Color) engine.Square {
	if side == engine.Black {
		return s ^ 56
	}
	return s
}

// Encode returns inputs that hold position p. PosValid and BeatReady are left to the caller.
func Encode(p *engine.Position) In {
	m := movegen.Encode(p)
	return In{
		PosOwn: m.PosOwn, PosPawns: m.PosPawns, PosKnights: m.PosKnights, PosBishops: m.PosBishops,
		PosRooks: m.PosRooks, PosQueens: m.PosQueens, PosKings: m.PosKings,
		PosCastling: m.PosCastling, PosEp: m.PosEp,
		position: *p,
	}
}

// Position returns the position that the ports hold. If Encode made them, it is the one it was
// given; otherwise it is read off the ports with white to move, and an error says why they hold
// none.
func (in *In) Position() (engine.Position, error) {
	if in.position != (engine.Position{}) {
		return in.position, nil
	}
	m := movegen.In{
		PosOwn: in.PosOwn, PosPawns: in.PosPawns, PosKnights: in.PosKnights, PosBishops: in.PosBishops,
		PosRooks: in.PosRooks, PosQueens: in.PosQueens, PosKings: in.PosKings,
		PosCastling: in.PosCastling, PosEp: in.PosEp,
	}
	return m.Position()
}

// Ports returns the inputs alone, as if they had not come from Encode.
func (in In) Ports() In {
	in.position = engine.Position{}
	return in
}

// Decode returns the move that a word of [Out.Move] holds, in board coordinates, as a move of side,
// and whether it holds one.
func Decode(word uint32, side engine.Color) (engine.Move, bool) {
	return engine.Move{
		From:      view(engine.Square(word>>wordFrom&63), side),
		To:        view(engine.Square(word>>wordTo&63), side),
		Piece:     engine.Piece(word >> wordPiece & 7),
		Captured:  engine.Piece(word >> wordCaptured & 7),
		Promotion: engine.Piece(word >> wordPromotion & 7),
		Castling:  word>>wordCastling&1 != 0,
		EnPassant: word>>wordEp&1 != 0,
	}, word>>wordValid&1 != 0
}

// word is the move as Decode takes it.
func word(m engine.Move, side engine.Color) uint32 {
	bit := func(b bool) uint32 {
		if b {
			return 1
		}
		return 0
	}
	return uint32(view(m.From, side))<<wordFrom |
		uint32(view(m.To, side))<<wordTo |
		uint32(m.Promotion)<<wordPromotion |
		uint32(m.Piece)<<wordPiece |
		bit(m.EnPassant)<<wordEp |
		uint32(m.Captured)<<wordCaptured |
		bit(m.Castling)<<wordCastling |
		1<<wordValid
}

// Lane returns in which lane a legal move of side comes out, 0 to Lanes - 1, and its key there:
// lanes ascend by it. Squares are those of the view of the side to move. What is not a knight's
// move goes by its direction and destination; promotions to rook, bishop and knight count as moves
// to ranks 9, 10 and 11. A knight's move goes by its way of leaping; in all of these lanes, a beat
// has moves of one knight.
func Lane(m engine.Move, side engine.Color) (lane, key int) {
	from, to := view(m.From, side), view(m.To, side)
	files, ranks := int(to&7)-int(from&7), int(to>>3)-int(from>>3)
	if m.Piece == engine.Knight {
		for i, leap := range [8][2]int{{-1, -2}, {1, -2}, {-2, -1}, {2, -1}, {-2, 1}, {2, 1}, {-1, 2}, {1, 2}} {
			if leap == [2]int{files, ranks} {
				return 18 + i, int(from)
			}
		}
	}
	key = int(to)
	switch m.Promotion {
	case engine.Rook:
		key += 8
	case engine.Bishop:
		key += 16
	case engine.Knight:
		key += 24
	}
	file, rank := key%8, key/8
	dark, odd := (file+rank)%2, rank%2 // 0: a dark square; rank 1, 3, ...
	switch {
	case m.Piece == engine.Pawn && files == 0:
		return 16 + dark, key
	case files == 0 && ranks > 0:
		return 0 + dark, key // north
	case files == 0:
		return 2 + dark, key // south
	case ranks == 0 && files > 0:
		return 4 + dark, key // east
	case ranks == 0:
		return 6 + dark, key // west
	case files > 0 && ranks > 0:
		return 8 + odd, key
	case files < 0 && ranks < 0:
		return 10 + odd, key
	case files < 0:
		return 12 + odd, key
	}
	return 14 + odd, key
}
