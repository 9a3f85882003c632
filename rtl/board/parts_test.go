package board

import (
	"iter"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/clock/codes"
	"github.com/cosimate/cosimate/rtl/internal/part"
	"github.com/cosimate/cosimate/rtl/leds"
	"github.com/cosimate/cosimate/rtl/link"
	"github.com/cosimate/cosimate/rtl/link/frame"
	"github.com/cosimate/cosimate/rtl/link/message"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/sim"
)

// hostIn and hostOut are the ports of board_host.
type hostIn struct {
	Rst         bool         `port:"rst_i"`
	Open        bool         `port:"open_i"`
	Opened      bool         `port:"opened_i"`
	RecvValid   bool         `port:"recv_valid_i"`
	RecvType    uint8        `port:"recv_type_i"`
	RecvLength  uint8        `port:"recv_length_i" bits:"6"`
	RecvPayload link.Payload `port:"recv_payload_i"`
	SendReady   bool         `port:"send_ready_i"`

	RemoteReady  bool         `port:"remote_ready_i"`
	RemoteDone   bool         `port:"remote_done_i"`
	RemoteReason rules.Reason `port:"remote_reason_i" bits:"5"`
	LoadReady    bool         `port:"load_ready_i"`
	ClaimRefused bool         `port:"claim_refused_i"`

	Offer         uint8          `port:"offer_i" bits:"2"`
	State         validity.State `port:"state_i" bits:"3"`
	Reason        rules.Reason   `port:"reason_i" bits:"5"`
	Restore       uint64         `port:"restore_i"`
	MoveValid     bool           `port:"move_valid_i"`
	MoveFrom      uint8          `port:"move_from_i" bits:"6"`
	MoveTo        uint8          `port:"move_to_i" bits:"6"`
	MovePromotion uint8          `port:"move_promotion_i" bits:"3"`
	White         uint64         `port:"white_i"`
	Pawns         uint64         `port:"pawns_i"`
	Knights       uint64         `port:"knights_i"`
	Bishops       uint64         `port:"bishops_i"`
	Rooks         uint64         `port:"rooks_i"`
	Queens        uint64         `port:"queens_i"`
	Kings         uint64         `port:"kings_i"`
	Castling      uint8          `port:"castling_i" bits:"4"`
	Ep            uint8          `port:"ep_i"`
	Black         bool           `port:"black_i"`
	Halfmove      uint16         `port:"halfmove_i"`
	Fullmove      uint16         `port:"fullmove_i"`
	Result        rules.Result   `port:"result_i" bits:"2"`
	Cause         rules.Cause    `port:"cause_i" bits:"4"`

	CmdReady  bool          `port:"cmd_ready_i"`
	Error     codes.Error   `port:"error_i" bits:"3"`
	Clock     clock.State   `port:"clock_state_i" bits:"2"`
	Turn      clock.Side    `port:"clock_turn_i" bits:"1"`
	Flag      uint8         `port:"clock_flag_i" bits:"2"`
	Control   clock.Control `port:"clock_control_i" bits:"2"`
	Increment uint8         `port:"clock_increment_i"`
	WhiteTime codes.Digits  `port:"white_time_i" bits:"20"`
	BlackTime codes.Digits  `port:"black_time_i" bits:"20"`
}

type hostOut struct {
	RecvReady   bool         `port:"recv_ready_o"`
	SendValid   bool         `port:"send_valid_o"`
	SendType    uint8        `port:"send_type_o"`
	SendLength  uint8        `port:"send_length_o" bits:"6"`
	SendPayload link.Payload `port:"send_payload_o"`

	Players         uint8  `port:"players_o" bits:"2"`
	RemoteValid     bool   `port:"remote_valid_o"`
	RemoteFrom      uint8  `port:"remote_from_o" bits:"6"`
	RemoteTo        uint8  `port:"remote_to_o" bits:"6"`
	RemotePromotion uint8  `port:"remote_promotion_o" bits:"3"`
	RemoteReplay    bool   `port:"remote_replay_o"`
	LoadValid       bool   `port:"load_valid_o"`
	LoadWhite       uint64 `port:"load_white_o"`
	LoadPawns       uint64 `port:"load_pawns_o"`
	LoadKnights     uint64 `port:"load_knights_o"`
	LoadBishops     uint64 `port:"load_bishops_o"`
	LoadRooks       uint64 `port:"load_rooks_o"`
	LoadQueens      uint64 `port:"load_queens_o"`
	LoadKings       uint64 `port:"load_kings_o"`
	LoadCastling    uint8  `port:"load_castling_o" bits:"4"`
	LoadEp          uint8  `port:"load_ep_o"`
	LoadBlack       bool   `port:"load_black_o"`
	LoadHalfmove    uint16 `port:"load_halfmove_o"`
	LoadFullmove    uint16 `port:"load_fullmove_o"`
	Resign          uint8  `port:"resign_o" bits:"2"`
	Draw            uint8  `port:"draw_o" bits:"2"`
	Claim           uint8  `port:"claim_o" bits:"2"`

	CmdValid  bool          `port:"cmd_valid_o"`
	Cmd       codes.Command `port:"cmd_o" bits:"3"`
	Side      clock.Side    `port:"cmd_side_o" bits:"1"`
	Control   clock.Control `port:"cmd_control_o" bits:"2"`
	Increment uint8         `port:"cmd_increment_o"`
	Time      codes.Digits  `port:"cmd_time_o" bits:"20"`
}

// hostModel is the model of the board's host by itself. What is loaded need be no position.
type hostModel struct {
	host host
	load message.State // of the position that is being loaded
}

func (m *hostModel) Reset() { *m = hostModel{} }

func (in *hostIn) chess() *validity.Out {
	return &validity.Out{
		RemoteReady: in.RemoteReady, RemoteDone: in.RemoteDone, RemoteReason: in.RemoteReason, LoadReady: in.LoadReady, ClaimRefused: in.ClaimRefused,
		Offer: in.Offer, State: in.State, Reason: in.Reason, Restore: in.Restore,
		MoveValid: in.MoveValid, MoveFrom: in.MoveFrom, MoveTo: in.MoveTo, MovePromotion: in.MovePromotion,
		White: in.White, Pawns: in.Pawns, Knights: in.Knights, Bishops: in.Bishops, Rooks: in.Rooks, Queens: in.Queens, Kings: in.Kings,
		Castling: in.Castling, Ep: in.Ep, Black: in.Black, Halfmove: in.Halfmove, Fullmove: in.Fullmove, Result: in.Result, Cause: in.Cause,
	}
}

func (m *hostModel) Step(in hostIn) (out hostOut) {
	h, chess := &m.host, in.chess()
	c := &clock.Out{
		Error: in.Error, State: in.Clock, Turn: in.Turn, Flag: in.Flag, Control: in.Control, Increment: in.Increment,
		WhiteTime: in.WhiteTime, BlackTime: in.BlackTime,
	}
	frames := &link.Out{
		Open: in.Open, Opened: in.Opened, RecvValid: in.RecvValid, RecvType: in.RecvType, RecvLength: in.RecvLength, RecvPayload: in.RecvPayload,
		SendReady: in.Open && in.SendReady,
	}
	out.Players = h.players
	if in.Open { // what is told as soon as the link takes it
		would, send := *h, link.In{}
		would.say(chess, c, &link.Out{SendReady: true}, &send)
		out.SendValid, out.SendType, out.SendLength, out.SendPayload = send.SendValid, send.SendType, send.SendLength, send.SendPayload
	}
	if h.step == asking {
		var ask validity.In
		h.move(&ask)
		out.RemoteValid, out.RemoteFrom, out.RemoteTo, out.RemotePromotion, out.RemoteReplay = true, ask.RemoteFrom, ask.RemoteTo, ask.RemotePromotion, ask.RemoteReplay
	}
	if h.step == loading {
		out.squares(in.RecvPayload)
		out.LoadCastling, out.LoadEp, out.LoadBlack = m.load.Castling&15, m.load.EnPassant, m.load.Black&1 != 0
		out.LoadHalfmove, out.LoadFullmove = m.load.Halfmove, m.load.Fullmove
	}
	command := h.command()
	if command != nil {
		out.CmdValid, out.Cmd, out.Side, out.Control, out.Increment, out.Time = true, command.Cmd, command.Side, command.Control, command.Increment, command.Time
	}
	if h.state != nil {
		m.load = *h.state
	}
	var ask validity.In
	var to link.In
	h.next(chess, c, frames, command != nil && in.CmdReady, &ask, &to)
	h.trusted = nil
	out.RecvReady, out.Resign, out.Draw, out.Claim = to.RecvReady, ask.Resign, ask.Draw, ask.Claim
	if in.Rst {
		m.Reset()
	}
	return out
}

// squares are what is loaded, square by square.
func (out *hostOut) squares(codes link.Payload) {
	out.LoadValid = true
	words := map[engine.Piece]*uint64{
		engine.Pawn: &out.LoadPawns, engine.Knight: &out.LoadKnights, engine.Bishop: &out.LoadBishops, engine.Rook: &out.LoadRooks,
		engine.Queen: &out.LoadQueens, engine.King: &out.LoadKings,
	}
	for s := range 64 {
		kind := engine.Piece(codes[0]>>s&1 | codes[1]>>s&1<<1 | codes[2]>>s&1<<2)
		if kind == engine.NoPiece {
			continue
		}
		*words[kind] |= 1 << s
		if !part.Has(codes[3], s) {
			out.LoadWhite |= 1 << s
		}
	}
}

// DontCare masks what is only looked at beside its valid bit.
func (m *hostModel) DontCare(want hostOut) (mask hostOut) {
	if !want.SendValid {
		mask.SendType, mask.SendLength, mask.SendPayload = 0xff, 0x3f, link.Payload{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	}
	if !want.RemoteValid {
		mask.RemoteFrom, mask.RemoteTo, mask.RemotePromotion, mask.RemoteReplay = 0x3f, 0x3f, 7, true
	}
	if !want.CmdValid {
		mask.Cmd, mask.Side, mask.Control, mask.Increment, mask.Time = 7, 1, 3, 0xff, 0xfffff
	}
	if !want.LoadValid {
		const all = 1<<64 - 1
		mask.LoadWhite, mask.LoadPawns, mask.LoadKnights, mask.LoadBishops, mask.LoadRooks, mask.LoadQueens, mask.LoadKings = all, all, all, all, all, all, all
		mask.LoadCastling, mask.LoadEp, mask.LoadBlack, mask.LoadHalfmove, mask.LoadFullmove = 15, 0xff, true, 0xffff, 0xffff
	}
	return mask
}

// some returns a number of so many bits: any, or one with few ones.
func some(r *rand.Rand, bits int) uint64 {
	v := r.Uint64()
	if r.IntN(2) > 0 {
		v &= r.Uint64() & r.Uint64()
	}
	return v & (1<<bits - 1)
}

// words are what the chess rules, the clock and the line say. Now and then all of it is another
// thing, mostly little.
func (in *hostIn) words(r *rand.Rand) {
	if r.IntN(12) == 0 {
		in.White, in.Castling, in.Ep, in.Halfmove = part.Word(r), uint8(some(r, 4)), uint8(some(r, 8)), uint16(some(r, 16))
		in.Cause, in.State = rules.Cause(some(r, 4)), validity.State(some(r, 3))
		kinds := []*uint64{&in.Pawns, &in.Knights, &in.Bishops, &in.Rooks, &in.Queens, &in.Kings}
		for _, w := range kinds {
			*w = 0
		}
		density := r.Float64()
		for s := range 64 {
			if r.Float64() < density {
				*kinds[r.IntN(len(kinds))] |= 1 << s
			}
		}
		if r.IntN(3) == 0 {
			in.Fullmove, in.Black = uint16(some(r, 16)), r.IntN(2) > 0
		}
	}
	in.MoveFrom, in.MoveTo, in.MovePromotion = uint8(some(r, 6)), uint8(some(r, 6)), uint8(some(r, 3))
	in.RemoteReason, in.Error = rules.Reason(some(r, 5)), codes.Error(some(r, 3))
	if r.IntN(30) == 0 {
		in.Offer, in.Result = uint8(some(r, 2)), rules.Result(r.IntN(4)*r.IntN(2))
	}
	switch r.IntN(60) {
	case 0:
		in.Reason = rules.Reason(some(r, 5))
	case 1:
		in.Restore = part.Word(r)
	case 2: // one square more or less
		in.Restore ^= 1 << r.IntN(64)
	}
	switch r.IntN(30) {
	case 0:
		in.Clock, in.Turn, in.Flag = clock.State(some(r, 2)), clock.Side(r.IntN(2)), uint8(some(r, 2))
	case 1:
		in.Control, in.Increment = clock.Control(some(r, 2)), uint8(some(r, 8))
	case 2:
		in.WhiteTime, in.BlackTime = codes.Digits(some(r, 20)), codes.Digits(some(r, 20))
	case 3:
		in.WhiteTime ^= 1 << r.IntN(20)
	case 4:
		in.BlackTime ^= 1 << r.IntN(20)
	}
}

// message puts a message there. Its bits are random. But most moves are for the position that there
// is, or they would never be asked for, and no square has the code 7, which is no piece's.
func (in *hostIn) message(r *rand.Rand) {
	for i := range in.RecvPayload {
		in.RecvPayload[i] = some(r, 63) | r.Uint64()&(1<<63)
	}
	kinds := []any{message.Move{}, message.Replay{}, message.Time{}, message.Request{}, message.State{}, message.Squares{}, message.Squares{}, message.Draw{}, message.Resign{}, message.Players{}}
	m := message.Encode(kinds[r.IntN(len(kinds))])
	in.RecvType, in.RecvLength = m.Type, uint8(len(m.Payload))
	switch m.Type {
	case moveType, replayType:
		if r.IntN(4) > 0 {
			due := ply(in.chess())
			if r.IntN(3) == 0 { // or not quite
				due ^= 1 << r.IntN(16)
			}
			in.RecvPayload[0] = in.RecvPayload[0]&^0xffff | uint64(due)
		}
	case message.Type(message.Squares{}):
		none := in.RecvPayload[0] & in.RecvPayload[1] & in.RecvPayload[2] // 7 is no piece's code
		in.RecvPayload[r.IntN(3)] &^= none
	}
	switch r.IntN(24) {
	case 0:
		in.RecvType ^= 1 << r.IntN(8)
	case 1:
		in.RecvLength = min(in.RecvLength^1<<r.IntN(6), frame.MaxPayload)
	case 2:
		in.RecvType = uint8(r.IntN(16))
	}
}

// hostStimulus has messages one after the other, each there for some cycles before it is valid and
// until it is taken, and all else at any time.
func hostStimulus(r *rand.Rand, cycles int) iter.Seq[hostIn] {
	return func(yield func(hostIn) bool) {
		var m hostModel
		in := hostIn{Open: true}
		wait, often := 0, 2
		for t := range cycles {
			if t%500 == 0 {
				often = 1 + r.IntN(20)
			}
			in.words(r)
			seldom := func() bool { return r.IntN(often) == 0 }
			in.SendReady, in.RemoteReady, in.RemoteDone, in.LoadReady, in.CmdReady = seldom(), seldom(), seldom(), seldom(), seldom()
			in.ClaimRefused, in.MoveValid = r.IntN(often*often) == 0, r.IntN(40) == 0
			in.Rst, in.Opened = r.IntN(400) == 0, r.IntN(150) == 0
			if r.IntN(100) == 0 {
				in.Open = !in.Open
			}
			in.Open = in.Open || in.Opened || r.IntN(20) == 0
			if !in.RecvValid {
				if wait--; wait < 0 {
					in.message(r)
					wait = 1 + r.IntN(often)
				}
				in.RecvValid = wait == 0
			}
			if !yield(in) {
				return
			}
			if m.Step(in).RecvReady && in.RecvValid || in.Rst {
				in.RecvValid = false
			}
		}
	}
}

// The board's host by itself: what no game on a board brings about in a test's time, such as any
// piece on any square of a position that is loaded or told.
func TestHostAlone(t *testing.T) {
	d := moduleOf("board_host", nil)
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[hostIn, hostOut]) {
		sim.Check(t, d, &hostModel{}, hostStimulus(rand.New(rand.NewPCG(sim.Seed(), 635)), part.Fewer(d.Simulator(), 300_000)))
	})
}

// moduleOf is a module of the board by itself.
func moduleOf(name string, params map[string]string) sim.Design {
	d := part.Of(Quick.Design(), name, "rst_i", params, "board/"+name+".sv")
	d.ResetActiveLow = false // as that of the board is
	return d
}

// timeIn and timeOut are the ports of board_time.
type timeIn struct {
	Rst       bool          `port:"rst_i"`
	Move      bool          `port:"move_i"`
	Black     bool          `port:"black_i"`
	Over      bool          `port:"over_i"`
	Load      bool          `port:"load_i"`
	Button    bool          `port:"button_i"`
	HostValid bool          `port:"host_valid_i"`
	HostCmd   codes.Command `port:"host_cmd_i" bits:"3"`
	HostSide  clock.Side    `port:"host_side_i" bits:"1"`
	State     clock.State   `port:"state_i" bits:"2"`
	Flag      uint8         `port:"flag_i" bits:"2"`
}

type timeOut struct {
	HostReady bool          `port:"host_ready_o"`
	Fallen    uint8         `port:"fallen_o" bits:"2"`
	Press     bool          `port:"press_o"`
	CmdValid  bool          `port:"cmd_valid_o"`
	Cmd       codes.Command `port:"cmd_o" bits:"3"`
	Side      clock.Side    `port:"cmd_side_o" bits:"1"`
}

type timeModel struct{ keeper keeper }

func (m *timeModel) Reset() { *m = timeModel{} }

func (m *timeModel) Step(in timeIn) timeOut {
	chess, c := &validity.Out{MoveValid: in.Move, Black: in.Black}, &clock.Out{State: in.State, Flag: in.Flag}
	if in.Over {
		chess.Result = rules.WhiteWins
	}
	var host *clock.In
	if in.HostValid {
		host = &clock.In{CmdValid: true, Cmd: in.HostCmd, Side: in.HostSide}
	}
	fallen := m.keeper.fallen(c)
	command, hosts := m.keeper.command(chess, c, host)
	m.keeper.next(chess, c, in.Load, in.Button)
	if in.Rst {
		m.Reset()
	}
	return timeOut{hosts, fallen, command.Press, command.CmdValid, command.Cmd, command.Side}
}

// DontCare masks the command where there is none, and the side of commands that have none.
func (m *timeModel) DontCare(want timeOut) (mask timeOut) {
	if !want.CmdValid {
		mask.Cmd, mask.Side = 7, 1
	}
	if !want.HostReady && want.Cmd != codes.CmdStart {
		mask.Side = 1
	}
	return mask
}

// What works the chess clock, by itself: all that it hears at any time, also at once.
func TestTimeAlone(t *testing.T) {
	sim.ForEach(t, moduleOf("board_time", nil), func(t *testing.T, d *sim.DUT[timeIn, timeOut]) {
		sim.Check(t, d, &timeModel{}, func(yield func(timeIn) bool) {
			r := rand.New(rand.NewPCG(sim.Seed(), 636))
			var in timeIn
			for range part.Fewer(d.Simulator(), 100_000) {
				often := func(n int) bool { return r.IntN(n) == 0 }
				in.Rst, in.Move, in.Load, in.Black = often(300), often(6), often(10), often(2)
				in.HostValid, in.HostCmd, in.HostSide = often(4), codes.Command(r.IntN(8)), clock.Side(r.IntN(2))
				in.Over, in.Button = in.Over != often(9), in.Button != often(5)
				if often(8) {
					in.State, in.Flag = clock.State(r.IntN(4)), uint8(r.IntN(4))
				}
				if !yield(in) {
					return
				}
			}
		})
	})
}

// showIn and showOut are the ports of board_show.
type showIn struct {
	Rst  bool          `port:"rst_i"`
	Scan bool          `port:"scan_i"`
	Show validity.Show `port:"show_i" bits:"4"`
}

type showOut struct {
	Pattern leds.Pattern `port:"pattern_o" bits:"4"`
}

type showModel struct{ cross cross }

func (m *showModel) Reset() { m.cross.seen = 0 }

func (m *showModel) Step(in showIn) showOut {
	out := showOut{m.cross.pattern(in.Show)}
	m.cross.next(in.Show, in.Scan)
	if in.Rst {
		m.Reset()
	}
	return out
}

// What the LEDs show, by itself: each pattern before and after the one that is an X at first.
func TestShowAlone(t *testing.T) {
	d := moduleOf("board_show", map[string]string{"IllegalScans": strconv.Itoa(Quick.IllegalScans)})
	sim.ForEach(t, d, func(t *testing.T, d *sim.DUT[showIn, showOut]) {
		sim.Check(t, d, &showModel{cross{scans: Quick.IllegalScans}}, func(yield func(showIn) bool) {
			r := rand.New(rand.NewPCG(sim.Seed(), 637))
			var in showIn
			for range part.Fewer(d.Simulator(), 100_000) {
				in.Rst, in.Scan = r.IntN(200) == 0, r.IntN(8) > 0
				switch r.IntN(40) {
				case 0:
					in.Show = validity.Show(r.IntN(16))
				case 1, 2:
					in.Show = validity.ShowIllegal
				}
				if !yield(in) {
					return
				}
			}
		})
	})
}
