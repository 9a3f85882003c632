package board_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/rtl/board/bench"
	"github.com/cosimate/cosimate/rtl/board/touch"
	"github.com/cosimate/cosimate/rtl/leds"
	"github.com/cosimate/cosimate/rtl/link/message"
	"github.com/cosimate/cosimate/rtl/movelink/pair"
)

// player plays a game on a bench: moves the pieces for both sides, and is the PC for those that are
// remote. What is due on the board is engine's.
type player struct {
	*bench.Bench
	r       *rand.Rand
	p       engine.Position
	remote  uint8 // sides whose moves come from the PC: bit 0 White, bit 1 Black
	lines   uint8 // and over the published lines
	log     []string
	seen    map[string]int
	patient bool // looks at the LEDs after each move, not only now and then
}

func newPlayer(b *bench.Bench, r *rand.Rand) *player {
	h := &player{Bench: b, r: r, p: start, seen: map[string]int{}}
	b.Trace = h.note
	return h
}

// note remembers what was done last.
func (h *player) note(what string) {
	if len(h.log) == 40 {
		h.log = h.log[1:]
	}
	h.log = append(h.log, what)
}

// wrong is an error with what led to it.
func (h *player) wrong(err error) error {
	if err == nil {
		return nil
	}
	s := fmt.Sprintf("%v\nin %s\n%s", err, h.p.FEN(), h.p.Board())
	for _, l := range h.log {
		s += "\n  " + l
	}
	return fmt.Errorf("%s", s)
}

// begin begins a game from a position, with some sides remote.
func (h *player) begin(p engine.Position, remote, lines uint8) error {
	h.p, h.remote, h.lines = p, remote, lines
	h.In.LinesPlay = lines
	if err := h.Demand(message.Players{Remote: remote}); err != nil {
		return err
	}
	if err := h.SetUp(&p); err != nil {
		return err
	}
	h.Take()
	return h.check()
}

// check compares the board's position with the game's.
func (h *player) check() error {
	s, q, err := h.Position()
	if err == nil {
		err = message.CheckPosition(&h.p, s, q)
	}
	if err == nil && len(h.Unexpected) > 0 {
		err = fmt.Errorf("%q", h.Unexpected)
	}
	return err
}

// dwell is for how many scans a hand leaves things as they are: from hardly seen to decided on. To
// be seen takes one for the sensor to come to rest, one that is under way, and two that agree.
func (h *player) dwell() int { return 4 + h.r.IntN(h.Params.StableScans+1) }

// settle waits until the board has decided on what stands there, and shows it: for as many scans as
// are seen in dwell, those that it must be stable for, one for the question to the move generator,
// and one for the LEDs, which are lit after a scan.
func (h *player) settle() error { return h.Scans(4 + h.Params.StableScans + 2) }

// move plays a legal move, as a person or for the PC, and checks what comes of it.
func (h *player) move(m engine.Move) error {
	side := uint8(1) << h.p.SideToMove()
	ply := message.Ply(&h.p)
	sent := message.Move{Ply: ply, From: uint8(m.From), To: uint8(m.To), Promotion: uint8(m.Promotion)}
	shown := pair.Move{From: sent.From, To: sent.To}
	h.Published = nil
	carry := m
	switch {
	case h.lines&side != 0:
		if err := h.Lines(shown); err != nil {
			return err
		}
		if m.Promotion != engine.NoPiece && m.Promotion != engine.Queen {
			return fmt.Errorf("the lines cannot say %v", m)
		}
		fallthrough
	case h.remote&side != 0:
		if h.lines&side == 0 {
			if err := h.Demand(sent); err != nil {
				return err
			}
		}
		var err error
		if carry, err = h.read(m); err != nil {
			return err
		}
	}
	if err := h.carry(carry, h.remote&side|h.lines&side != 0); err != nil {
		return err
	}
	got, err := bench.Await[message.Move](h.Bench, h.Params.CastlingScans+8)
	if err != nil {
		return fmt.Errorf("%v was carried out: %w", m, err)
	}
	if got != sent {
		return fmt.Errorf("%v was carried out, the board says %+v", m, got)
	}
	h.p = h.p.Make(m)
	h.seen["moves"]++
	if err := h.check(); err != nil {
		return fmt.Errorf("after %v: %w", m, err)
	}
	want := []pair.Move{shown}
	if h.remote&side|h.lines&side != 0 {
		want = nil
	}
	if !slices.Equal(h.Published, want) {
		return fmt.Errorf("after %v the published link said %v, not %v", m, h.Published, want)
	}
	if h.patient || h.r.IntN(8) == 0 {
		return h.rest()
	}
	return nil
}

// read has a person find out from the LEDs alone which move is to be carried out. What a pawn
// becomes is on the PC's screen: m.
func (h *player) read(m engine.Move) (engine.Move, error) {
	s, err := h.Look()
	if err != nil {
		return m, err
	}
	if s.Pattern != leds.Move {
		return m, fmt.Errorf("the move %v is due, the LEDs show %v", m, s)
	}
	h.seen["moves read from the LEDs"]++
	var found []engine.Move
	for _, l := range h.p.AppendMoves(nil) {
		if from, to := uint8(l.From), uint8(l.To); (from == s.From && to == s.To || from == s.To && to == s.From) && l.Promotion == m.Promotion {
			found = append(found, l)
		}
	}
	if len(found) != 1 {
		return m, fmt.Errorf("the LEDs show %v, which is not one legal move: %v", s, found)
	}
	return found[0], nil
}

// carry carries a move out, in any order.
func (h *player) carry(m engine.Move, remote bool) error {
	orders := touch.Orders(m)
	for i, touch := range orders[h.r.IntN(len(orders))] {
		if i > 0 {
			if err := h.Scans(h.dwell()); err != nil {
				return err
			}
		}
		h.Touch(touch)
	}
	h.seen[kind(m)]++
	if m.Promotion == engine.NoPiece || remote {
		return nil
	}
	if err := h.settle(); err != nil {
		return err
	}
	if h.r.IntN(2) == 0 {
		if s, err := h.Look(); err != nil || s != (leds.Show{Pattern: leds.Promotion, From: uint8(m.To)}) {
			return fmt.Errorf("a pawn waits on %v to be promoted, the LEDs show %v (%v)", m.To, s, err)
		}
	}
	button := map[engine.Piece]uint8{engine.Queen: 1, engine.Rook: 2, engine.Bishop: 4, engine.Knight: 8}[m.Promotion]
	return h.Press(func(in *board.In, on bool) {
		if in.Promotion = 0; on {
			in.Promotion = button
		}
	})
}

// kind names what is special of a move.
func kind(m engine.Move) string {
	switch {
	case m.Castling && m.To > m.From:
		return "castling king side"
	case m.Castling:
		return "castling queen side"
	case m.EnPassant:
		return "en passant"
	case m.Promotion == engine.Queen:
		return "promotion"
	case m.Promotion != engine.NoPiece:
		return "underpromotion"
	case m.Captured != engine.NoPiece:
		return "capture"
	}
	return "plain"
}

// rest looks at the LEDs when a move is due.
func (h *player) rest() error {
	moves := h.p.AppendMoves(nil)
	want := leds.Show{}
	if h.p.InCheck() {
		king := h.p.Bitboard(h.p.SideToMove(), engine.King)
		want = leds.Show{Pattern: leds.Check, From: uint8(bits.TrailingZeros64(king))}
	}
	if len(moves) == 0 || h.over() {
		return nil // the result is looked at then
	}
	if err := h.settle(); err != nil {
		return err
	}
	s, err := h.Look()
	if err == nil && s != want {
		err = fmt.Errorf("a move is due, the LEDs should show %v, and show %v", want, s)
	}
	h.seen["looks"]++
	return err
}

// over reports whether the board has said that the game has ended, leaving its messages as they
// are.
func (h *player) over() bool {
	s, _, err := h.Position()
	return err == nil && s.Result != 0
}

// ended is an error unless the board says and shows that the game has ended so.
func (h *player) ended(result rules.Result, cause rules.Cause) error {
	s, _, err := h.Position()
	if err != nil {
		return err
	}
	if rules.Result(s.Result) != result || rules.Cause(s.Cause) != cause {
		return fmt.Errorf("the game ends: %v by %v; the board says %v by %v",
			result, cause, rules.Result(s.Result), rules.Cause(s.Cause))
	}
	show, err := h.Look()
	if err != nil {
		return err
	}
	want := leds.Show{Pattern: [...]leds.Pattern{rules.WhiteWins: leds.WinnerA, rules.BlackWins: leds.WinnerB, rules.Draw: leds.Draw}[result]}
	if show != want {
		return fmt.Errorf("the LEDs show %v, not %v", show, want)
	}
	h.seen[cause.String()]++
	return nil
}
