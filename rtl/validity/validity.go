// Package validity is the validity FSM of the sensing chess board in SystemVerilog: it knows of the
// board only which squares are occupied, and finds what is played on it by hand, refuses what is
// illegal and says why, has moves of a remote side carried out, and finds the game's end. The
// package has what Go needs to drive it: the [Design], its ports [In] and [Out], what the codes at
// them mean, and [Model], a cycle-accurate reference for every output. See README.md for the rules
// of handling, ports and timing.
package validity

import (
	"embed"
	"fmt"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/game"
	"github.com/cosimate/cosimate/rtl/internal/sources"
	"github.com/cosimate/cosimate/rtl/movegen"
	"github.com/cosimate/cosimate/sim"
)

//go:embed *.sv files.list asserted/*.sv
var files embed.FS

// Design is the RTL. Its clock and reset are clk_i and rst_i. For other times than the defaults set
// Params to those of a [Times].
var Design = bound(sources.Design("validity", "validity/files.list", files, movegen.Design, game.Design))

// bound binds assertions to the design, for provers alone. Blocks that validity is a part of have
// none of them.
func bound(d sim.Design) sim.Design {
	d.Files = append(d.Files,
		"validity/asserted/validity_asserted.sv",
		"validity/asserted/validity_ask_asserted.sv",
		"validity/asserted/validity_movegen_asserted.sv",
		"validity/asserted/validity_list_asserted.sv",
		"validity/asserted/validity_targets_asserted.sv")
	return d
}

// Times are the parameters.
type Times struct {
	StableScans    int // for how many scans a reading must stay to be decided on
	CastlingScans  int // and if it is a rook's move that may be half of castling; no fewer
	QuestionCycles int // how long the move generator is given for a question; longer than any list
}

// DefaultTimes are those of the RTL.
var DefaultTimes = Times{StableScans: 5, CastlingScans: 40, QuestionCycles: 384}

// Params are the times as parameters of the RTL, but for a QuestionCycles that the RTL has anyway.
// Test vectors do not name it either, and so the same model serves both.
func (t Times) Params() map[string]string {
	p := map[string]string{"StableScans": fmt.Sprint(t.StableScans), "CastlingScans": fmt.Sprint(t.CastlingScans)}
	if t.QuestionCycles != DefaultTimes.QuestionCycles {
		p["QuestionCycles"] = fmt.Sprint(t.QuestionCycles)
	}
	return p
}

// State is that of the board: the value of state_o.
type State uint8

// The states.
const (
	SetUp     State = iota // the pieces are to be put as the position has them: restore_o
	Turn                   // they stand so; a move is due
	Moving                 // something is in hand
	Promotion              // a pawn stands on its last rank; what it becomes is to be chosen
	Illegal                // what was done must be put back: reason_o, restore_o
	Over                   // the game has ended: result_o, cause_o
)

func (s State) String() string {
	return name(s, "set-up", "turn", "moving", "promotion", "illegal", "over")
}

// Show is what the LEDs are to show: the value of show_o, and of pattern_i of leds.
type Show uint8

// What there is to be shown.
const (
	ShowNothing Show = iota
	ShowMove         // a remote side's move, to be carried out: from, to
	ShowIllegal      // what was done is illegal: restore_o
	ShowRestore      // set-up: restore_o
	ShowWhiteWins
	ShowBlackWins
	ShowCheck // of the king at from = to
	ShowDraw
	ShowPromotion // at from = to
)

func (s Show) String() string {
	return name(s, "nothing", "move", "illegal", "restore", "white wins", "black wins", "check", "draw", "promotion")
}

// name is the name of a code.
func name[T ~uint8](code T, names ...string) string {
	if int(code) < len(names) {
		return names[code]
	}
	return fmt.Sprintf("code %d", uint8(code))
}

// In holds the inputs of a cycle. Pairs of bits are White (bit 0) and Black (bit 1).
type In struct {
	Rst             bool   `port:"rst_i"`
	ScanValid       bool   `port:"scan_valid_i"`
	Occupied        uint64 `port:"occupied_i"`
	Remote          uint8  `port:"remote_i" bits:"2"` // sides whose moves come from the remote ports
	RemoteValid     bool   `port:"remote_valid_i"`
	RemoteFrom      uint8  `port:"remote_from_i" bits:"6"`
	RemoteTo        uint8  `port:"remote_to_i" bits:"6"`
	RemotePromotion uint8  `port:"remote_promotion_i" bits:"3"` // an engine.Piece
	RemoteReplay    bool   `port:"remote_replay_i"`             // made at once, not to be carried out
	Promotion       uint8  `port:"promotion_i" bits:"3"`        // the choice, an engine.Piece
	LoadValid       bool   `port:"load_valid_i"`
	LoadWhite       uint64 `port:"load_white_i"`
	LoadPawns       uint64 `port:"load_pawns_i"`
	LoadKnights     uint64 `port:"load_knights_i"`
	LoadBishops     uint64 `port:"load_bishops_i"`
	LoadRooks       uint64 `port:"load_rooks_i"`
	LoadQueens      uint64 `port:"load_queens_i"`
	LoadKings       uint64 `port:"load_kings_i"`
	LoadCastling    uint8  `port:"load_castling_i" bits:"4"`
	LoadEp          uint8  `port:"load_ep_i"`
	LoadBlack       bool   `port:"load_black_i"`
	LoadHalfmove    uint16 `port:"load_halfmove_i"`
	LoadFullmove    uint16 `port:"load_fullmove_i"`
	Flag            uint8  `port:"flag_i" bits:"2"`
	Resign          uint8  `port:"resign_i" bits:"2"`
	Draw            uint8  `port:"draw_i" bits:"2"`
	Claim           uint8  `port:"claim_i" bits:"2"`

	// position is what Load was given: the model takes it from here, not from the ports, so that a
	// mistake in the encoding shows as a difference.
	position engine.Position `port:"-"`
}

// Out holds the outputs of a cycle. Squares are those of the board, a1 = 0, for both sides.
type Out struct {
	Busy         bool         `port:"busy_o"`
	RemoteReady  bool         `port:"remote_ready_o"`
	RemoteDone   bool         `port:"remote_done_o"`
	RemoteReason rules.Reason `port:"remote_reason_o" bits:"5"`
	RemoteShown  bool         `port:"remote_shown_o"`
	LoadReady    bool         `port:"load_ready_o"`
	ClaimRefused bool         `port:"claim_refused_o"`
	Offer        uint8        `port:"offer_o" bits:"2"`
	Threefold    bool         `port:"threefold_o"`
	Fifty        bool         `port:"fifty_o"`

	State    State        `port:"state_o" bits:"3"`
	Reason   rules.Reason `port:"reason_o" bits:"5"`
	Restore  uint64       `port:"restore_o"`
	Warning  bool         `port:"warning_o"`
	Show     Show         `port:"show_o" bits:"4"`
	ShowFrom uint8        `port:"show_from_o" bits:"6"`
	ShowTo   uint8        `port:"show_to_o" bits:"6"`

	MoveValid     bool  `port:"move_valid_o"`
	MoveFrom      uint8 `port:"move_from_o" bits:"6"`
	MoveTo        uint8 `port:"move_to_o" bits:"6"`
	MovePiece     uint8 `port:"move_piece_o" bits:"3"`     // an engine.Piece
	MoveCaptured  uint8 `port:"move_captured_o" bits:"3"`  // an engine.Piece
	MovePromotion uint8 `port:"move_promotion_o" bits:"3"` // an engine.Piece
	MoveCastling  uint8 `port:"move_castling_o" bits:"2"`  // bit 0 king side, bit 1 queen side
	MoveEp        bool  `port:"move_ep_o"`
	MoveBlack     bool  `port:"move_black_o"`

	White    uint64       `port:"pos_white_o"`
	Pawns    uint64       `port:"pos_pawns_o"`
	Knights  uint64       `port:"pos_knights_o"`
	Bishops  uint64       `port:"pos_bishops_o"`
	Rooks    uint64       `port:"pos_rooks_o"`
	Queens   uint64       `port:"pos_queens_o"`
	Kings    uint64       `port:"pos_kings_o"`
	Castling uint8        `port:"pos_castling_o" bits:"4"` // bits 0 to 3: K, Q, k, q
	Ep       uint8        `port:"pos_ep_o"`                // file, one-hot
	Black    bool         `port:"pos_black_o"`
	Halfmove uint16       `port:"pos_halfmove_o"`
	Fullmove uint16       `port:"pos_fullmove_o"`
	Check    bool         `port:"check_o"`
	King     uint8        `port:"king_o" bits:"6"`
	Result   rules.Result `port:"result_o" bits:"2"`
	Cause    rules.Cause  `port:"cause_o" bits:"4"`
}

// Load is the inputs that load a position. They are to be held until load_ready_o is 1.
func Load(p *engine.Position) In {
	word := func(k engine.Piece) uint64 { return p.Bitboard(engine.White, k) | p.Bitboard(engine.Black, k) }
	in := In{
		LoadValid: true, LoadWhite: p.Pieces(engine.White), LoadPawns: word(engine.Pawn),
		LoadKnights: word(engine.Knight), LoadBishops: word(engine.Bishop), LoadRooks: word(engine.Rook),
		LoadQueens: word(engine.Queen), LoadKings: word(engine.King),
		LoadCastling: rights(p), LoadBlack: p.SideToMove() == engine.Black,
		position: *p,
	}
	if s, ok := p.EnPassant(); ok {
		in.LoadEp = 1 << (s & 7)
	}
	in.LoadHalfmove, in.LoadFullmove = uint16(p.Halfmove()), uint16(p.Fullmove())
	return in
}

// Remote is the inputs that give a move of a remote side, or one to be replayed. They are to be
// held until remote_ready_o is 1. What is set by other inputs of the same cycle is left to the
// caller.
func Remote(m engine.Move, replay bool) In {
	return In{
		RemoteValid: true, RemoteFrom: uint8(m.From), RemoteTo: uint8(m.To),
		RemotePromotion: uint8(m.Promotion), RemoteReplay: replay,
	}
}

// Move is the move that out holds with MoveValid.
func (o *Out) Move() engine.Move {
	return engine.Move{
		From: engine.Square(o.MoveFrom), To: engine.Square(o.MoveTo), Piece: engine.Piece(o.MovePiece),
		Captured: engine.Piece(o.MoveCaptured), Promotion: engine.Piece(o.MovePromotion),
		Castling: o.MoveCastling != 0, EnPassant: o.MoveEp,
	}
}

// rights are a position's castling rights as the ports have them.
func rights(p *engine.Position) (rights uint8) {
	for c := range engine.Color(2) {
		kingSide, queenSide := p.Castling(c)
		if kingSide {
			rights |= 1 << (2 * c)
		}
		if queenSide {
			rights |= 2 << (2 * c)
		}
	}
	return rights
}

// Setup returns the position that the outputs show, whether or not it is one. It reads nothing but
// the ports.
func (o *Out) Setup() engine.Setup {
	s := engine.Setup{
		Kinds: [8]uint64{
			engine.Pawn: o.Pawns, engine.Knight: o.Knights, engine.Bishop: o.Bishops,
			engine.Rook: o.Rooks, engine.Queen: o.Queens, engine.King: o.Kings,
		},
		White: o.White, Castling: o.Castling, EnPassant: uint64(o.Ep) << 40,
		Halfmove: int(o.Halfmove), Fullmove: int(o.Fullmove),
	}
	if o.Black {
		s.SideToMove, s.EnPassant = engine.Black, uint64(o.Ep)<<16
	}
	return s
}

// FEN returns the position that the outputs show as a FEN record.
func (o *Out) FEN() string { return o.Setup().FEN() }
