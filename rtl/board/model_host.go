package board

import (
	"fmt"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/clock/codes"
	"github.com/cosimate/cosimate/rtl/link"
	"github.com/cosimate/cosimate/rtl/link/message"
	"github.com/cosimate/cosimate/rtl/validity"
)

// host is board_host: it does what the host's messages ask for, one after the other, and tells the
// host what happens.
type host struct {
	step    step
	asks    any            // the message that is being done, of package message
	players uint8          // sides whose moves come from the host
	state   *message.State // has come, and Squares are to follow
	begins  *validity.In   // the position that is being loaded
	// the message that is being done is the last session's: nobody waits for its answer
	stale bool

	answer *message.Answer // to be told
	tell   told            // and what else
	last   message.Move    // the move made last

	// In the cycle before.
	over    bool
	offer   uint8
	restore message.Restore
	face    face
	known   bool // there was one since the session began

	trusted error // see Model.Err
}

// Types of messages whose answers have their ply.
var moveType, replayType = message.Type(message.Move{}), message.Type(message.Replay{})

// step is how far the host's message has come.
type step uint8

const (
	listening  step = iota // for the next one
	asking                 // chess for a move
	hearing                // chess' answer to it
	commanding             // the clock
	concluding             // what the clock said
	loading                // a position
	claiming               // a draw
)

func (s step) String() string {
	return [...]string{"listens", "asks for a move", "waits for the answer to a move", "commands the clock", "hears the clock", "loads a position", "claims a draw"}[s]
}

// told are kinds of messages that are to be sent, each made of what is so when the link takes it.
type told struct{ move, result, restore, draw, state, squares, clock bool }

// face is what of the clock the host is told as soon as it changes: all but tenths of seconds.
type face struct {
	white, black codes.Digits
	state        clock.State
	turn         clock.Side
	flag         uint8
	control      clock.Control
	increment    uint8
}

func faceOf(c *clock.Out) face {
	return face{c.WhiteTime >> 4, c.BlackTime >> 4, c.State, c.Turn, c.Flag, c.Control, c.Increment}
}

// Answers of this block's own; the others are validity's and clock's.
const (
	notYourTurn = uint8(rules.NotYourTurn)
	notAMove    = uint8(rules.NotAMove)
	gameOver    = uint8(rules.GameOver)
	unknown     = 31
)

// reset is what a reset does.
func (h *host) reset() { *h = host{trusted: h.trusted} }

// move puts the move that is asked for at the ports of chess.
func (h *host) move(in *validity.In) {
	switch m := h.asks.(type) {
	case message.Move:
		in.RemoteFrom, in.RemoteTo, in.RemotePromotion = m.From&63, m.To&63, m.Promotion&7
	case message.Replay:
		in.RemoteFrom, in.RemoteTo, in.RemotePromotion = m.From&63, m.To&63, m.Promotion&7
		in.RemoteReplay = true
	}
	in.RemoteValid = true
}

// command is what the clock is asked for, or nil.
func (h *host) command() *clock.In {
	if h.step != commanding {
		return nil
	}
	t := h.asks.(message.Time)
	return &clock.In{
		CmdValid: true, Cmd: codes.Command(t.Command & 7), Side: clock.Side(t.Side & 1), Control: clock.Control(t.Control & 3),
		Increment: t.Increment, Time: codes.Digits(t.Left & 0xfffff),
	}
}

// load is the inputs of chess that load a position.
func (h *host) load(in *validity.In) {
	begins := *h.begins
	begins.ScanValid, begins.Occupied, begins.Remote, begins.Promotion = in.ScanValid, in.Occupied, in.Remote, in.Promotion
	*in = begins
}

// next is a cycle. It adds what the host asks for at once to the inputs of chess, and what it is
// told to those of the link. Commanded tells that its command goes to the clock.
func (h *host) next(chess *validity.Out, c *clock.Out, frames *link.Out, commanded bool, ask *validity.In, to *link.In) {
	untold, moved := h.answer != nil, h.tell.move
	loaded := h.step == loading && chess.LoadReady
	h.say(chess, c, frames, to)
	requested := h.listen(chess, c, frames, commanded, untold, ask, to)

	// What is to be told of this cycle.
	if chess.MoveValid {
		h.tell.move = true
		h.last = message.Move{Ply: ply(chess) - 1, From: chess.MoveFrom, To: chess.MoveTo, Promotion: chess.MovePromotion}
	}
	if requested || chess.MoveValid && moved {
		h.tell.state, h.tell.squares = true, true
	}
	over := chess.Result != rules.InPlay
	h.tell.result = h.tell.result || over && !h.over
	h.tell.draw = h.tell.draw || chess.Offer&^h.offer != 0
	wrong := message.Restore{Reason: uint8(chess.Reason), Squares: chess.Restore}
	h.tell.restore = h.tell.restore || wrong != h.restore
	shown := faceOf(c)
	h.tell.clock = h.tell.clock || !h.known || shown != h.face
	h.over, h.offer, h.restore, h.face, h.known = over, chess.Offer, wrong, shown, true
	if loaded { // the last move was another game's
		h.tell.move = false
		h.last.From, h.last.To = 0, 0
	}
	if frames.Opened { // nobody wants to know what the last session did
		h.answer, h.tell, h.state = nil, told{}, nil
		h.restore, h.known = message.Restore{}, false
	}
	switch {
	case to.RecvReady:
		h.stale = false
	case frames.Opened:
		h.stale = frames.RecvValid
	}
}

// ply is how many moves were made before the one that is due.
func ply(chess *validity.Out) uint16 {
	n := 2*chess.Fullmove - 2
	if chess.Black {
		n++
	}
	return n
}

// listen is the host's message. Untold tells that the answer before has not gone yet. It returns
// whether the position is asked for.
func (h *host) listen(chess *validity.Out, c *clock.Out, frames *link.Out, commanded, untold bool, ask *validity.In, to *link.In) (requested bool) {
	over := chess.Result != rules.InPlay
	answer := func(reason uint8) {
		a := message.Answer{To: frames.RecvType, Reason: reason}
		if kind := a.To & 15; kind == moveType || kind == replayType { // of an unknown type, too
			a.Ply = uint16(frames.RecvPayload[0])
		}
		if !h.stale {
			h.answer = &a
		}
		h.step, to.RecvReady = listening, true
	}
	switch h.step {
	case listening:
		if !frames.RecvValid || untold {
			return false
		}
		var err error
		h.asks, err = message.Decode(frames.Message())
		if err != nil {
			answer(unknown)
			return false
		}
		switch m := h.asks.(type) {
		case message.Move:
			h.begin(m.Ply == ply(chess), asking, over, answer)
		case message.Replay:
			h.begin(m.Ply == ply(chess), asking, over, answer)
		case message.Time:
			h.step = commanding
		case message.Request:
			requested, to.RecvReady = true, true
		case message.State:
			h.state, to.RecvReady = &m, true
		case message.Squares:
			if h.state == nil {
				answer(unknown)
				break
			}
			h.step = loading
			p, err := position(h.state, &m)
			if err != nil {
				if h.trusted == nil {
					h.trusted = fmt.Errorf("model of board: the position that the host loads is none: %w", err)
				}
				p = engine.StartPosition()
			}
			load := validity.Load(&p)
			h.begins = &load
		case message.Players:
			h.players = m.Remote & 3
			answer(0)
		case message.Resign:
			if over {
				answer(gameOver)
				break
			}
			ask.Resign = 1 << (m.Side & 1)
			answer(0)
		case message.Draw:
			switch {
			case over:
				answer(gameOver)
			case m.Claim&1 != 0:
				ask.Claim = 1 << (m.Side & 1)
				h.step = claiming
			default:
				ask.Draw = 1 << (m.Side & 1)
				answer(0)
			}
		default: // a message that only the board sends
			answer(unknown)
		}
	case asking:
		if chess.RemoteReady {
			h.step = hearing
		}
	case hearing:
		if chess.RemoteDone {
			answer(uint8(chess.RemoteReason))
		}
	case commanding:
		if commanded {
			h.step = concluding
		}
	case concluding:
		answer(uint8(c.Error))
	case loading:
		if chess.LoadReady {
			h.state = nil
			answer(0)
		}
	case claiming:
		switch {
		case chess.ClaimRefused:
			answer(notAMove)
		case over:
			answer(0)
		}
	}
	return requested
}

// begin goes on with a move if it is for the position that there is.
func (h *host) begin(due bool, next step, over bool, answer func(uint8)) {
	switch {
	case due:
		h.step = next
	case over:
		answer(gameOver)
	default:
		answer(notYourTurn)
	}
}

// say tells the host something, if there is anything and the link takes it: answers first.
func (h *host) say(chess *validity.Out, c *clock.Out, frames *link.Out, to *link.In) {
	if !frames.SendReady {
		return
	}
	send := func(v any) { to.Send(message.Encode(v)) }
	switch t := &h.tell; {
	case h.answer != nil:
		send(*h.answer)
		h.answer = nil
	case t.move:
		send(h.last)
		t.move = false
	case t.result:
		send(message.Result{Result: uint8(chess.Result), Cause: uint8(chess.Cause)})
		t.result = false
	case t.restore:
		send(message.Restore{Reason: uint8(chess.Reason), Squares: chess.Restore})
		t.restore = false
	case t.draw:
		send(message.Draw{Side: chess.Offer >> 1})
		t.draw = false
	case t.state:
		send(message.State{
			State: uint8(chess.State), Black: uint8(sideToMove(chess)), Castling: chess.Castling, EnPassant: chess.Ep,
			Halfmove: chess.Halfmove, Fullmove: chess.Fullmove, Result: uint8(chess.Result), Cause: uint8(chess.Cause), Last: h.last,
		})
		t.state = false
	case t.squares:
		send(pieces(chess))
		t.squares = false
	case t.clock:
		send(message.Clock{
			White: uint32(c.WhiteTime), Black: uint32(c.BlackTime), State: uint8(c.State), Turn: uint8(c.Turn), Flags: c.Flag,
			Control: uint8(c.Control), Increment: c.Increment,
		})
		t.clock = false
	}
}

// pieces are those of the game as the host is told of them.
func pieces(chess *validity.Out) (s message.Squares) {
	for i, squares := range []uint64{chess.Pawns, chess.Knights, chess.Bishops, chess.Rooks, chess.Queens, chess.Kings} {
		code := i + int(engine.Pawn)
		for bit, word := range []*uint64{&s.Code0, &s.Code1, &s.Code2} {
			if code>>bit&1 != 0 {
				*word |= squares
			}
		}
		s.Black |= squares &^ chess.White
	}
	return s
}

// position is the one that State and Squares describe. The board looks at no other bits.
func position(s *message.State, q *message.Squares) (engine.Position, error) {
	seen := *s
	seen.Black &= 1
	seen.Castling &= 15
	return message.Setup(seen, *q).Position()
}

// explain says what it is about, and what it has not told the host yet.
func (h *host) explain() string {
	s := h.step.String()
	if h.step != listening {
		s += fmt.Sprintf(" for %T%+v", h.asks, h.asks)
	}
	if h.answer != nil {
		s += fmt.Sprintf("; answer to be told: %+v", *h.answer)
	}
	return s + fmt.Sprintf("; to be told: %+v; last move %+v; remote sides %02b", h.tell, h.last, h.players)
}
