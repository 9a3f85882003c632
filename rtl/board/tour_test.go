package board_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/rtl/board/bench"
	"github.com/cosimate/cosimate/rtl/board/touch"
	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/clock/codes"
	"github.com/cosimate/cosimate/rtl/leds"
	"github.com/cosimate/cosimate/rtl/link/message"
	"github.com/cosimate/cosimate/sim"
)

var quick = board.Quick

// tour is a game in which everything that the board is made of has its turn. Its errors begin with
// what it was about. Icarus does the set-up only, unless all is asked for: it needs minutes for the
// whole.
func tour(d *dut) error {
	// Always the same: that it shows what is wrong is not left to chance.
	b, err := bench.New(d, quick, bench.Noisy(quick), 1)
	if err != nil {
		return err
	}
	h := newPlayer(b, rand.New(rand.NewPCG(1, 1)))
	p, err := engine.ParseFEN("r3k1nr/3p2pP/8/8/8/8/3P2Pp/R3K1NR w KQkq - 3 10")
	if err != nil {
		return err
	}
	moves := func(names ...string) error {
		for _, name := range names {
			m, ok := uci(&h.p, name)
			if !ok {
				return fmt.Errorf("%s is not legal in %s", name, h.p.FEN())
			}
			if err := h.move(m); err != nil {
				return err
			}
			if err := h.rest(); err != nil {
				return err
			}
		}
		return nil
	}
	type part struct {
		about string
		do    func() error
	}
	parts := []part{
		{"set-up", func() error { return h.setUpBySight(p) }},
		{"castling by hand, and by the PC", func() error {
			return errors.Join(moves("e1c1"), h.Demand(message.Players{Remote: 2}), h.remoteIs(2, 0), moves("e8c8"))
		}},
		{"lights", h.lights},
		{"a warning", h.warns},
		{"something illegal", h.illegal},
		{"promotion by a button", func() error { return moves("h7g8n") }},
		{"promotion by the PC", func() error { return moves("h2g1r") }},
		{"the published lines", func() error {
			return errors.Join(h.Demand(message.Players{}), h.remoteIs(0, 2), moves("g2g4", "g7g5"), h.remoteIs(0, 0))
		}},
		{"the PC's mistakes", h.refusals},
		{"the chess clock", h.clocks},
		{"the end", func() error {
			return errors.Join(h.Demand(message.Resign{Side: 0}), h.ended(rules.BlackWins, rules.Resignation), h.stopped())
		}},
		{"the reset button", h.resets},
		{"another game", func() error { return errors.Join(h.begin(start, 0, 0), moves("g1f3")) }},
		{"time is over", func() error {
			return errors.Join(h.end(&record{cause: rules.Time}), h.ended(rules.WhiteWins, rules.Time))
		}},
		{"another game", func() error { return errors.Join(h.begin(start, 0, 0), moves("e2e4")) }},
	}
	if d.Simulator() == sim.Icarus && !*deep {
		parts = parts[:1]
	}
	for _, part := range parts {
		h.note("now: " + part.about)
		if err := part.do(); err != nil {
			return h.wrong(fmt.Errorf("%s: %w", part.about, err))
		}
	}
	return nil
}

// setUpBySight puts the pieces as the LEDs want it.
func (h *player) setUpBySight(p engine.Position) error {
	if err := h.Load(&p); err != nil {
		return err
	}
	h.p = p
	h.Sensors.Set(touch.Occupied(&p) &^ 0xff)
	if err := h.settle(); err != nil {
		return err
	}
	s, err := h.Look()
	if err != nil {
		return err
	}
	if want := (leds.Show{Pattern: leds.Restore, Restore: touch.Occupied(&p) & 0xff}); s != want {
		return fmt.Errorf("the LEDs should show %v, and show %v", want, s)
	}
	h.Sensors.Set(touch.Occupied(&p))
	return errors.Join(h.settle(), h.check(), h.rest())
}

// lights compares the lights on the FPGA board with what stands on the chess board.
func (h *player) lights() error {
	for _, squares := range []uint64{touch.Occupied(&h.p), 0x8040_0000_0000_0001, 0x0102_0000_0000_0080, touch.Occupied(&h.p)} {
		h.Sensors.Set(squares)
		if err := h.Scans(3); err != nil {
			return err
		}
		if corners := uint8(squares&1 | squares>>6&2); h.Out.UpperRanks != uint16(squares>>48) || h.Out.Corners != corners {
			return fmt.Errorf("of the pieces on %#x the lights show %#x, %#x", squares, h.Out.UpperRanks, h.Out.Corners)
		}
		on, off := 0, 0
		for range 64 * h.Params.Scanner().Slot() {
			if err := h.Run(1); err != nil {
				return err
			}
			if h.Out.Sensor {
				on++
			} else {
				off++
			}
		}
		if on == 0 || off == 0 {
			return fmt.Errorf("the sensor's light is on for %d cycles and off for %d", on, off)
		}
	}
	return h.settleClean()
}

// settleClean waits until the board agrees with the pieces on it.
func (h *player) settleClean() error {
	if err := h.Scans(h.Params.StableScans + h.Params.IllegalScans); err != nil {
		return err
	}
	h.Take()
	return h.rest()
}

// warns takes up two pieces of the side to move, and puts them back: the first of them may have
// been put where it could have captured, which is illegal.
func (h *player) warns() error {
	for _, step := range []struct {
		touch            touch.Action
		warning, illegal bool
	}{
		{touch.Action{Square: 6}, false, false}, {touch.Action{Square: 7}, true, false},
		{touch.Action{Square: 7, Place: true}, false, true}, {touch.Action{Square: 6, Place: true}, false, false},
	} {
		h.Touch(step.touch)
		if err := h.Scans(2*h.Params.StableScans + 4); err != nil {
			return err
		}
		if h.Out.Warning != step.warning || h.Out.Illegal != step.illegal {
			return fmt.Errorf("after %v the light of the warning is %v, that for something illegal %v", step.touch, h.Out.Warning, h.Out.Illegal)
		}
	}
	return h.settleClean()
}

// illegal moves a rook through a pawn, and has it shown.
func (h *player) illegal() error {
	h.Take()
	h.Touch(touch.Action{Square: 7})
	if err := h.Scans(5); err != nil {
		return err
	}
	h.Touch(touch.Action{Square: 22, Place: true}) // h1 to g3
	r, err := bench.Await[message.Restore](h.Bench, 16)
	if err != nil {
		return err
	}
	if want := (message.Restore{Reason: uint8(rules.NotAMove), Squares: 1<<7 | 1<<22}); r != want {
		return fmt.Errorf("the board says %+v, not %+v", r, want)
	}
	if !h.Out.Illegal {
		return fmt.Errorf("the light for it is off")
	}
	for _, want := range []leds.Show{{Pattern: leds.Illegal}, {Pattern: leds.Restore, Restore: r.Squares}} {
		s, err := h.Look()
		if err == nil && s != want {
			err = fmt.Errorf("the LEDs should show %v, and show %v", want, s)
		}
		if err := errors.Join(err, h.Scans(h.Params.IllegalScans)); err != nil {
			return err
		}
	}
	h.Touch(touch.Action{Square: 22})
	h.Touch(touch.Action{Square: 7, Place: true})
	for r != (message.Restore{}) { // the squares, one after the other, then the reason
		if r, err = bench.Await[message.Restore](h.Bench, 16); err != nil {
			return fmt.Errorf("all is as it was: %w", err)
		}
	}
	if h.Out.Illegal {
		return fmt.Errorf("all is as it was, the light is still on")
	}
	return h.rest()
}

// remoteIs changes who is remote.
func (h *player) remoteIs(remote, lines uint8) error {
	h.remote, h.lines = remote, lines
	h.In.LinesPlay = lines
	return h.Run(3 * h.Params.ButtonCycles)
}

// refusals asks for what cannot be done.
func (h *player) refusals() error {
	ply := message.Ply(&h.p)
	for _, q := range []struct {
		ask    any
		reason uint8
	}{
		// White is played by hand
		{message.Move{Ply: ply, From: 7, To: 6}, uint8(rules.NotYourTurn)},
		{message.Replay{Ply: ply + 1, From: 7, To: 6}, uint8(rules.NotYourTurn)},
		{message.Replay{Ply: ply, From: 7, To: 6, Promotion: 5}, uint8(rules.NoPromotion)},
		{message.Draw{Side: 0, Claim: 1}, uint8(rules.NotAMove)},
		{message.Squares{}, 31}, // without a State
		{message.Result{}, 31},  // which only the board sends
		{timeOf(clock.In{Cmd: codes.CmdPause}), uint8(codes.ErrNotRunning)},
		{timeOf(clock.In{Cmd: codes.CmdSet, Increment: 0xaa}), uint8(codes.ErrBadIncrement)},
	} {
		reason, err := h.Ask(q.ask)
		if err == nil && reason != q.reason {
			err = fmt.Errorf("%T%+v is answered with %d, not %d", q.ask, q.ask, reason, q.reason)
		}
		if err != nil {
			return err
		}
	}
	return h.check()
}

// clockIs waits until the board says that its clocks are so.
func (h *player) clockIs(state clock.State, turn clock.Side) (c message.Clock, err error) {
	for range 20 {
		if c, err = bench.Await[message.Clock](h.Bench, 20); err != nil {
			break
		}
		if clock.State(c.State) == state && clock.Side(c.Turn) == turn {
			return c, nil
		}
	}
	return c, fmt.Errorf("the clock should be %v, turn %d; the last that came is %+v (%v)", state, turn, c, err)
}

// clocks works the chess clock by the PC, by the button, by moves.
func (h *player) clocks() error {
	button := func() error { return h.Press(func(in *board.In, on bool) { in.Clock = on }) }
	move := func(name string) error {
		m, ok := uci(&h.p, name)
		if !ok {
			return fmt.Errorf("%s is not legal", name)
		}
		return h.moveKeepingMail(m)
	}
	h.Take()
	if err := h.Demand(timeOf(clock.Set(clock.Blitz, 7))); err != nil {
		return err
	}
	c, err := h.clockIs(clock.Ready, clock.White)
	if err == nil && (c.White != uint32(codes.DigitsOf(3000)) || c.Increment != 7 || c.Control != uint8(clock.Blitz)) {
		err = fmt.Errorf("blitz with 7 seconds is %+v", c)
	}
	if err != nil {
		return err
	}
	if err := errors.Join(button(), second(h.clockIs(clock.Running, clock.White))); err != nil {
		return fmt.Errorf("started by the button: %w", err)
	}
	if err := move("h1g1"); err != nil {
		return err
	}
	if c, err = h.clockIs(clock.Running, clock.Black); err == nil && c.White <= uint32(codes.DigitsOf(3060)) {
		err = fmt.Errorf("7 seconds more than 5 minutes are due, it is %v", codes.Digits(c.White))
	}
	if err != nil {
		return fmt.Errorf("after a move: %w", err)
	}
	if err := errors.Join(button(), second(h.clockIs(clock.Paused, clock.Black))); err != nil {
		return fmt.Errorf("paused by the button: %w", err)
	}
	if err := errors.Join(move("h8g8"), second(h.clockIs(clock.Running, clock.White))); err != nil {
		return fmt.Errorf("a move while it pauses: %w", err)
	}
	return nil
}

func second[T any](_ T, err error) error { return err }

// stopped is an error unless the clock is over.
func (h *player) stopped() error {
	if err := h.Demand(timeOf(clock.In{Cmd: codes.CmdAdd})); err == nil {
		return fmt.Errorf("the clock takes five minutes more after the end")
	}
	return nil
}

// resets presses the reset button: whatever was, a new game is due, and the PC has to call again.
func (h *player) resets() error {
	if err := h.Reset(); err != nil {
		return err
	}
	h.Connect()
	h.p = start
	s, q, err := h.Position()
	if err == nil {
		err = message.CheckPosition(&h.p, s, q)
	}
	if err == nil && s.Result != uint8(rules.InPlay) {
		err = fmt.Errorf("the board says %+v", s)
	}
	return err
}

// moveKeepingMail carries a move out and leaves the messages about it.
func (h *player) moveKeepingMail(m engine.Move) error {
	h.Take()
	if err := h.carry(m, false); err != nil {
		return err
	}
	if err := h.Scans(h.Params.CastlingScans + 8); err != nil {
		return err
	}
	h.p = h.p.Make(m)
	return nil
}

// Everything has its turn, in both simulators.
func TestTour(t *testing.T) {
	t.Parallel()
	sim.ForEach(t, quick.Design(), func(t *testing.T, d *dut) {
		if err := tour(d); err != nil {
			d.Fail(t, err)
		}
		t.Logf("%d cycles", d.Cycle())
	})
}
