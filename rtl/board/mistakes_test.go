package board_test

import (
	"flag"
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/rtl/board/bench"
	"github.com/cosimate/cosimate/rtl/board/touch"
	"github.com/cosimate/cosimate/rtl/leds"
	"github.com/cosimate/cosimate/rtl/link/message"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors/perft"
)

var sequences = flag.Int("board.sequences", 3, "random sequences of handling, with mistakes, that are played")

// clumsy is a player who makes mistakes, and remembers the game as a PC does.
type clumsy struct {
	*player
	loaded engine.Position // what the game began from, and what was played since
	played []engine.Move
	plies  []uint16
}

// leads reports whether squares emptied and filled are a legal move or may become one.
func (c *clumsy) leads(lifted, filled uint64) bool {
	here := touch.Occupied(&c.p)
	for _, m := range c.p.AppendMoves(nil) {
		next := c.p.Make(m)
		there := touch.Occupied(&next)
		if lifted&^(here&^there|1<<m.To) == 0 && filled&^(there&^here) == 0 {
			return true
		}
	}
	return false
}

// pick is one of the squares in a word.
func (c *clumsy) pick(b uint64) engine.Square {
	n := c.r.IntN(bits.OnesCount64(b))
	for ; n > 0; n-- {
		b &= b - 1
	}
	return engine.Square(bits.TrailingZeros64(b))
}

// do touches squares one after the other.
func (c *clumsy) do(touches ...touch.Action) error {
	for _, t := range touches {
		c.Touch(t)
		if err := c.Scans(c.dwell()); err != nil {
			return err
		}
	}
	return nil
}

// recover puts the board right with no other help than the LEDs. If something illegal has been
// done, they must say so.
func (c *clumsy) recover(illegal bool) error {
	for tries := range 12 {
		if err := c.settle(); err != nil {
			return err
		}
		s, err := c.Look()
		if err != nil {
			return err
		}
		wrong := touch.Occupied(&c.p) ^ c.Sensors.Pieces()
		switch s.Pattern {
		case leds.Illegal:
			illegal = false
			if err := c.Scans(c.Params.IllegalScans); err != nil {
				return err
			}
			if s, err = c.Look(); err != nil {
				return err
			}
			if s.Pattern != leds.Restore {
				return fmt.Errorf("an X was shown, and then %v", s)
			}
			fallthrough
		case leds.Restore:
			if illegal && tries == 0 {
				return fmt.Errorf("something illegal was done, and no X shown")
			}
			if s.Restore != wrong {
				return fmt.Errorf("to be restored are %#x, shown is %v", wrong, s)
			}
			squares := s.Restore
			for squares != 0 {
				q := c.pick(squares)
				squares &^= 1 << q
				t := touch.Lift(q)
				t.Place = c.Sensors.Pieces()>>q&1 == 0
				if err := c.do(t); err != nil {
					return err
				}
			}
		default:
			if illegal {
				return fmt.Errorf("something illegal was done, the LEDs show %v", s)
			}
			if wrong != 0 {
				return fmt.Errorf("%#x are not as they should be, the LEDs show %v", wrong, s)
			}
			return c.check()
		}
	}
	return fmt.Errorf("stuck: the board is never content")
}

// mistake does something that is no move, and comes back.
func (c *clumsy) mistake() error {
	here := touch.Occupied(&c.p)
	side := c.p.SideToMove()
	own, theirs := c.p.Pieces(side), c.p.Pieces(side.Other())
	remote := c.remote>>side&1 != 0
	a, b := c.pick(own), c.pick(^here)
	name, illegal := "", true
	var err error
	switch c.r.IntN(11) {
	case 0, 1:
		if c.leads(1<<a, 1<<b) && !remote {
			return nil
		}
		name, err = "a piece goes where it must not", c.do(touch.Lift(a), touch.Place(b))
	case 2:
		x := c.pick(here &^ (1 << a))
		if !remote && slices.ContainsFunc(c.p.AppendMoves(nil), func(m engine.Move) bool { return m.From == a && m.To == x }) {
			return nil
		}
		name, err = "a capture that is illegal", c.do(touch.Lift(a), touch.Lift(x), touch.Place(x))
	case 3:
		x := c.pick(theirs)
		if c.leads(1<<x, 1<<b) {
			return nil
		}
		name, err = "the other side's piece", c.do(touch.Lift(x), touch.Place(b))
	case 4:
		name, illegal = "a piece is put back", false
		x := c.pick(here)
		err = c.do(touch.Lift(x), touch.Place(x))
	case 5:
		illegal = remote || !c.leads(0, 1<<b)
		name = "a foreign piece"
		// it may come to be a move: it is taken away
		if err = c.do(touch.Place(b)); err == nil && !illegal {
			name = "a foreign piece where a move may lead"
			err = c.do(touch.Lift(b))
		}
	case 6:
		pieces := here
		for range 2 + c.r.IntN(6) {
			pieces &^= 1 << c.r.IntN(64)
		}
		fallen := uint64(0)
		for range 1 + c.r.IntN(3) {
			fallen |= 1 << b
			b = c.pick(^here)
		}
		if !remote && c.leads(here&^pieces, fallen) {
			return nil
		}
		name = "pieces are knocked over"
		for changed := pieces&^fallen | fallen ^ here; changed != 0; changed &= changed - 1 {
			q := engine.Square(bits.TrailingZeros64(changed))
			c.Touch(touch.Action{Square: q, Place: here>>q&1 == 0})
		}
	case 7:
		name, illegal = "several pieces are up", false
		x := c.pick(here &^ (1 << a))
		// the other way round it might be a capture
		err = c.do(touch.Lift(a), touch.Lift(x), touch.Place(a), touch.Place(x))
	case 8:
		name, illegal = "power fails", false
		err = c.powerFails()
	case 9:
		name, illegal = "the PC asks for what is illegal", false
		m := message.Move{Ply: message.Ply(&c.p), From: uint8(c.r.IntN(64)), To: uint8(c.r.IntN(64)), Promotion: uint8(c.r.IntN(8))}
		if c.r.IntN(4) == 0 {
			m.Ply += uint16(1 + c.r.IntN(3)) // of another position, and perhaps legal there
			l := c.p.AppendMoves(nil)[0]
			m.From, m.To, m.Promotion = uint8(l.From), uint8(l.To), uint8(l.Promotion)
		} else if slices.ContainsFunc(c.p.AppendMoves(nil), func(l engine.Move) bool {
			return uint8(l.From) == m.From && uint8(l.To) == m.To && uint8(l.Promotion) == m.Promotion
		}) {
			return nil
		}
		var reason uint8
		if reason, err = c.Ask(m); err == nil && reason == 0 {
			err = fmt.Errorf("the board accepts %+v", m)
		}
	case 10:
		name, illegal = "given up halfway", false
		moves := c.p.AppendMoves(nil)
		orders := touch.Orders(moves[c.r.IntN(len(moves))])
		touches := orders[c.r.IntN(len(orders))]
		touches = touches[:1+c.r.IntN(len(touches)-1)]
		err = c.do(touches...)
		// Back goes first what stands where it should not, and the captor before what it might have
		// captured.
		for _, squares := range []uint64{^here, own, theirs} {
			for changed := (c.Sensors.Pieces() ^ here) & squares; changed != 0 && err == nil; changed &= changed - 1 {
				q := engine.Square(bits.TrailingZeros64(changed))
				err = c.do(touch.Action{Square: q, Place: here>>q&1 != 0})
			}
		}
	}
	c.note("that was: " + name)
	c.seen[name]++
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := c.recover(illegal && c.Sensors.Pieces() != here); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	c.Take()
	return nil
}

// powerFails resets the board, with pieces moved meanwhile; the PC gives the game again.
func (c *clumsy) powerFails() error {
	for range c.r.IntN(3) {
		q := c.r.IntN(64)
		c.Touch(touch.Action{Square: engine.Square(q), Place: c.Sensors.Pieces()>>q&1 == 0})
	}
	if err := c.Run(c.r.IntN(20_000)); err != nil {
		return err
	}
	if err := c.Reset(); err != nil {
		return err
	}
	c.Connect()
	if err := c.Demand(message.Players{Remote: c.remote}); err != nil {
		return err
	}
	if err := c.Load(&c.loaded); err != nil {
		return err
	}
	for i, m := range c.played {
		if err := c.Demand(message.Replay{Ply: c.plies[i], From: uint8(m.From), To: uint8(m.To), Promotion: uint8(m.Promotion)}); err != nil {
			return err
		}
	}
	return nil
}

// other carries out another move than the one that the LEDs show.
func (c *clumsy) other(m engine.Move) error {
	next := c.p.Make(m)
	here, there := touch.Occupied(&c.p), touch.Occupied(&next)
	for _, o := range c.p.AppendMoves(nil) {
		after := c.p.Make(o)
		if now := touch.Occupied(&after); (o.From != m.From || o.To != m.To) && o.Captured == engine.NoPiece &&
			(here&^now&^(here&^there) != 0 || now&^here&^(there&^here) != 0) && c.r.IntN(3) == 0 {
			sent := message.Move{Ply: message.Ply(&c.p), From: uint8(m.From), To: uint8(m.To), Promotion: uint8(m.Promotion)}
			if err := c.Demand(sent); err != nil {
				return err
			}
			c.seen["another move than the one shown"]++
			if err := c.do(touch.Orders(o)[0]...); err != nil {
				return err
			}
			if err := c.recover(true); err != nil {
				return err
			}
			return c.carryShown(m)
		}
	}
	return c.player.move(m)
}

// carryShown carries out the move that is shown already.
func (c *clumsy) carryShown(m engine.Move) error {
	seen, err := c.read(m)
	if err != nil {
		return err
	}
	c.Take()
	if err := c.carry(seen, true); err != nil {
		return err
	}
	if _, err := bench.Await[message.Move](c.Bench, c.Params.CastlingScans+8); err != nil {
		return err
	}
	c.p = c.p.Make(m)
	return c.check()
}

// sequence is a piece of a game, with mistakes, over bad lines.
func (c *clumsy) sequence(from engine.Position) error {
	c.Noise = []float64{0, 0.002, 0.01}[c.r.IntN(3)]
	c.loaded = from
	if err := c.begin(from, [...]uint8{0, 0, 1, 2, 3}[c.r.IntN(5)], 0); err != nil {
		return err
	}
	for range 6 {
		moves := c.p.AppendMoves(nil)
		if len(moves) == 0 || c.over() {
			break
		}
		for c.r.IntN(2) == 0 {
			if err := c.mistake(); err != nil {
				return err
			}
		}
		m := moves[c.r.IntN(len(moves))]
		ply, play := message.Ply(&c.p), c.move
		if c.remote>>c.p.SideToMove()&1 != 0 && c.r.IntN(3) == 0 {
			play = c.other
		}
		if err := play(m); err != nil {
			return err
		}
		c.played, c.plies = append(c.played, m), append(c.plies, ply)
	}
	return nil
}

// shard is how many sequences are played one after the other, on one instance.
const shard = 100

// Whatever is done to the board, there is a way back, the LEDs show it, and the game is what it
// was.
func TestMistakes(t *testing.T) {
	t.Parallel()
	positions := perft.Positions()
	for from := *first; from < *first+*sequences; from += shard {
		to := min(from+shard, *first+*sequences)
		t.Run(fmt.Sprintf("%d-%d", from, to-1), func(t *testing.T) {
			t.Parallel()
			d := sim.OpenTest[board.In, board.Out](t, board.Scaled.Design(), sim.Verilator)
			seen := map[string]int{}
			cycles := 0
			for n := from; n < to; n++ {
				r := seeded(uint64(1000 + n))
				c := &clumsy{player: newPlayer(newBench(t, d, board.Scaled, uint64(1000+n)), r)}
				c.seen = seen
				from := start
				if r.IntN(4) > 0 {
					from = positions[r.IntN(len(positions))]
				}
				if err := c.sequence(from); err != nil {
					d.Fail(t, fmt.Errorf("sequence %d (alone: -board.first=%d -board.sequences=1): %w", n, n, c.wrong(err)))
				}
				cycles += c.Cycle()
			}
			t.Logf("%d sequences, %d cycles, in which there were %v", to-from, cycles, seen)
		})
	}
}
