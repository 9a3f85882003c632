// Package game is the game state block in SystemVerilog: it holds a chess position,
// makes moves and takes them back, one a clock, and shows the position as the
// move generator wants it. The package has what Go needs to drive it: the
// [Design], its ports [In] and [Out], the commands, and [Model], a cycle-accurate
// reference for every output. See README.md for ports and timing.
package game

import (
	"embed"
	"fmt"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/internal/sources"
	"github.com/cosimate/cosimate/rtl/movegen"
)

//go:embed *.sv files.list
var files embed.FS

// Plies is how many moves can be taken back: the parameter's default.
const Plies = 64

// Design is the RTL. Its clock and reset are clk_i and rst_i.
var Design = sources.Design("game", "game/files.list", files, movegen.Design)

// Command is what cmd_i tells the block to do.
type Command uint8

// The commands.
const (
	CmdLoad   Command = iota // take the position at the load ports; empty the stack
	CmdMake                  // make the move at the move ports
	CmdNull                  // pass the turn
	CmdUnmake                // take back the last move or null move
)

// Error is why a command was refused, as error_o says it.
type Error uint8

// The reasons. A refused command changes nothing.
const (
	NoError        Error = iota
	ErrFull              // make, null move: Plies moves are on the stack
	ErrEmpty             // unmake: no move is on the stack
	ErrOrigin            // make: no piece of the side to move stands on the origin
	ErrDestination       // make: a piece of the side to move stands on the destination
	// make: a pawn on the last rank must become a knight, bishop, rook or queen, and nothing else
	// may
	ErrPromotion
)

// String returns the reason in words.
func (e Error) String() string {
	words := [...]string{
		"no error", "the stack is full", "the stack is empty", "no own piece on the origin",
		"an own piece on the destination", "wrong promotion",
	}
	if int(e) < len(words) {
		return words[e]
	}
	return fmt.Sprintf("error %d", e)
}

// In holds the inputs of a cycle.
type In struct {
	Rst       bool    `port:"rst_i"`
	CmdValid  bool    `port:"cmd_valid_i"`
	Cmd       Command `port:"cmd_i" bits:"2"`
	From      uint8   `port:"move_from_i" bits:"6"` // in the view of the side to move
	To        uint8   `port:"move_to_i" bits:"6"`
	Promotion uint8   `port:"move_promotion_i" bits:"3"` // an engine.Piece

	LoadOwn      uint64 `port:"load_own_i"`
	LoadPawns    uint64 `port:"load_pawns_i"`
	LoadKnights  uint64 `port:"load_knights_i"`
	LoadBishops  uint64 `port:"load_bishops_i"`
	LoadRooks    uint64 `port:"load_rooks_i"`
	LoadQueens   uint64 `port:"load_queens_i"`
	LoadKings    uint64 `port:"load_kings_i"`
	LoadCastling uint8  `port:"load_castling_i" bits:"4"`
	LoadEp       uint8  `port:"load_ep_i"`
	LoadBlack    bool   `port:"load_black_i"`
	LoadHalfmove uint16 `port:"load_halfmove_i"`
	LoadFullmove uint16 `port:"load_fullmove_i"`

	// position is what Load was given: the model takes it from here, not from the ports, so that a
	// mistake in the encoding shows as a difference.
	position engine.Position `port:"-"`
}

// Out holds the outputs of a cycle: the state after the commands of all cycles before.
type Out struct {
	Error    Error  `port:"error_o" bits:"3"` // of the command of the cycle before
	Depth    uint8  `port:"depth_o" bits:"7"` // moves on the stack
	Own      uint64 `port:"pos_own_o"`
	Pawns    uint64 `port:"pos_pawns_o"`
	Knights  uint64 `port:"pos_knights_o"`
	Bishops  uint64 `port:"pos_bishops_o"`
	Rooks    uint64 `port:"pos_rooks_o"`
	Queens   uint64 `port:"pos_queens_o"`
	Kings    uint64 `port:"pos_kings_o"`
	Castling uint8  `port:"pos_castling_o" bits:"4"` // bits 0, 1: king and queen side; 2, 3: the opponent's
	Ep       uint8  `port:"pos_ep_o"`                // file, one-hot
	Black    bool   `port:"pos_black_o"`
	Halfmove uint16 `port:"pos_halfmove_o"`
	Fullmove uint16 `port:"pos_fullmove_o"`
}

// Load is the command that loads a position.
func Load(p *engine.Position) In {
	o := show(p)
	return In{
		CmdValid: true, Cmd: CmdLoad,
		LoadOwn: o.Own, LoadPawns: o.Pawns, LoadKnights: o.Knights, LoadBishops: o.Bishops,
		LoadRooks: o.Rooks, LoadQueens: o.Queens, LoadKings: o.Kings, LoadCastling: o.Castling,
		LoadEp: o.Ep, LoadBlack: o.Black, LoadHalfmove: o.Halfmove, LoadFullmove: o.Fullmove,
		position: *p,
	}
}

// Make is the command that makes a move of side.
func Make(m engine.Move, side engine.Color) In {
	return In{
		CmdValid: true, Cmd: CmdMake,
		From: view(m.From, side), To: view(m.To, side), Promotion: uint8(m.Promotion),
	}
}

// Null is the command that makes a null move: the other side is to move, and that is all. As in
// a game's record the clocks go on, and the right to take en passant is gone.
func Null() In { return In{CmdValid: true, Cmd: CmdNull} }

// Unmake is the command that takes back the last move or null move.
func Unmake() In { return In{CmdValid: true, Cmd: CmdUnmake} }

// view turns a square of the board into one of the view of the side to move.
func view(s engine.Square, side engine.Color) uint8 {
	if side == engine.Black {
		return uint8(s) ^ 56
	}
	return uint8(s)
}

// show is how a position appears at the outputs.
func show(p *engine.Position) Out {
	m := movegen.Encode(p)
	o := Out{
		Own: m.PosOwn, Pawns: m.PosPawns, Knights: m.PosKnights, Bishops: m.PosBishops,
		Rooks: m.PosRooks, Queens: m.PosQueens, Kings: m.PosKings, Castling: m.PosCastling,
		Ep: m.PosEp, Black: p.SideToMove() == engine.Black,
	}
	kingSide, queenSide := p.Castling(p.SideToMove().Other())
	if kingSide {
		o.Castling |= 4
	}
	if queenSide {
		o.Castling |= 8
	}
	o.Halfmove, o.Fullmove = uint16(p.Halfmove()), uint16(p.Fullmove())
	return o
}

// Setup returns the state that the outputs show, whether or not it is a chess position. It reads
// nothing but the ports.
func (o *Out) Setup() engine.Setup {
	s := engine.Setup{
		Kinds: [8]uint64{
			engine.Pawn: o.Pawns, engine.Knight: o.Knights, engine.Bishop: o.Bishops,
			engine.Rook: o.Rooks, engine.Queen: o.Queens, engine.King: o.Kings,
		},
		White: o.Own, Castling: o.Castling, EnPassant: uint64(o.Ep) << 40,
		Halfmove: int(o.Halfmove), Fullmove: int(o.Fullmove),
	}
	if o.Black {
		return s.Mirror()
	}
	return s
}

// FEN returns the state that the outputs show as a FEN record.
func (o *Out) FEN() string { return o.Setup().FEN() }
