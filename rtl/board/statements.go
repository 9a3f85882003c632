package board

import (
	"fmt"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/board/touch"
	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/clock/codes"
	"github.com/cosimate/cosimate/rtl/internal/block"
	"github.com/cosimate/cosimate/rtl/link/message"
	"github.com/cosimate/cosimate/rtl/movelink/pair"
	"github.com/cosimate/cosimate/rtl/uart/serial"
	"github.com/cosimate/cosimate/vectors"
)

// statements returns the statements about what a player and the PC do, and what the PC receives.
func statements(s *vectors.Session[In, Out]) []vectors.Statement {
	e := newEnvironment(s)
	s.Watch(e.watch)
	clockCommand := func(use, about string, do func(a []any) clock.In) vectors.Statement {
		return vectors.Statement{Use: use, About: about + ", by the PC", Do: func(a []any) error {
			c := do(a)
			return e.command(message.Time{Command: uint8(c.Cmd), Side: uint8(c.Side), Control: uint8(c.Control), Increment: c.Increment, Left: uint32(c.Time)})
		}}
	}
	of := func(c codes.Command) func(a []any) clock.In {
		return func(a []any) clock.In {
			side := clock.White
			if len(a) > 0 {
				side = clock.Side(a[0].(int))
			}
			return clock.Do(c, side)
		}
	}
	// connected is a statement about what the PC receives.
	connected := func(do func(a []any) error) func(a []any) error {
		return func(a []any) error {
			if err := e.connected(); err != nil {
				return err
			}
			return do(a)
		}
	}
	move := func(a any) message.Move {
		m := a.(engine.Move)
		return message.Move{Ply: e.ply, From: uint8(m.From), To: uint8(m.To), Promotion: uint8(m.Promotion)}
	}
	load := func(a []any) error {
		p := a[0].(engine.Position)
		state, squares := message.Position(&p)
		if err := e.command(state, squares); err != nil {
			return err
		}
		e.ply, e.setUp = message.Ply(&p), touch.Occupied(&p)
		e.moves, e.result, e.offer = nil, nil, nil
		return nil
	}
	return []vectors.Statement{
		// What a player does.
		{Use: "set-up", About: "the pieces stand as the game began, and that is seen", Do: func([]any) error {
			e.sensing, e.pieces = true, e.setUp
			return e.settle()
		}},
		{Use: "pieces SQUARES", About: "pieces stand on just these squares from now on", Do: func(a []any) error {
			e.sensing, e.pieces = true, a[0].(uint64)
			return nil
		}},
		{Use: "lift SQUARE...", About: "take pieces off the board, and leave it so until that is seen", Do: func(a []any) error { return e.touch(false, a) }},
		{Use: "place SQUARE...", About: "put pieces onto the board, and leave it so until it is decided on", Do: func(a []any) error { return e.touch(true, a) }},
		{Use: "scans N", About: "leave the board as it is for so many scans", Do: func(a []any) error { return e.scans(a[0].(int)) }},
		{Use: "promote PIECE", About: "press the button for what the pawn becomes", Do: func(a []any) error {
			bits := map[engine.Piece]uint8{engine.Queen: 1, engine.Rook: 2, engine.Bishop: 4, engine.Knight: 8}
			return e.hold(func(in *In) { in.Promotion = bits[a[0].(engine.Piece)] }, func(in *In) { in.Promotion = 0 })
		}},
		{Use: "clock", About: "press the button of the clock: it starts, pauses, goes on", Do: func([]any) error {
			return e.hold(func(in *In) { in.Clock = true }, func(in *In) { in.Clock = false })
		}},
		{Use: "leds [SQUARE...]", About: "within a blink just these squares' LEDs light up; without any: none", Do: func(a []any) error {
			var want uint64
			for _, q := range a {
				want |= 1 << q.(engine.Square)
			}
			if err := e.scans(1); err != nil { // what was shown before is over
				return err
			}
			e.lit = 0
			for range 2*e.p.BlinkPhases + 1 {
				if err := e.scans(1); err != nil {
					return err
				}
				if e.lit&^want != 0 || e.lit == want && want != 0 {
					break
				}
			}
			if e.lit != want {
				return fmt.Errorf("lit are %s", block.FormatSquares(e.lit))
			}
			return nil
		}},

		// What the PC does.
		{Use: "dial", About: "the PC's program starts: a session of the framed link begins", Do: func([]any) error { return e.dial() }},
		{Use: "load FEN", About: "the PC loads a position; the pieces stay where they are", Do: load},
		{Use: "position FEN", About: "the PC loads a position, and the pieces are put so", Do: func(a []any) error {
			if err := load(a); err != nil {
				return err
			}
			e.sensing, e.pieces = true, e.setUp
			return e.settle()
		}},
		{Use: "remote SIDES", About: "whose moves come from the PC", Do: func(a []any) error { return e.command(message.Players{Remote: uint8(a[0].(int))}) }},
		{Use: "send MOVE", About: "the PC sends a move, to be carried out, and is answered: see accepted, refused", Do: func(a []any) error { return e.request(move(a[0])) }},
		{Use: "replay MOVE", About: "the PC sends a move that is made at once", Do: func(a []any) error {
			if err := e.request(message.Replay(move(a[0]))); err != nil || e.answer.Reason != 0 {
				return err
			}
			e.ply++
			return nil
		}},
		{Use: "resign SIDE", About: "the PC says that a side resigns", Do: func(a []any) error { return e.command(message.Resign{Side: uint8(a[0].(int))}) }},
		{Use: "draw SIDE", About: "the PC says that a side offers a draw, or agrees", Do: func(a []any) error { return e.command(message.Draw{Side: uint8(a[0].(int))}) }},
		{Use: "claim SIDE", About: "the PC says that a side claims a draw: see accepted, refused", Do: func(a []any) error { return e.request(message.Draw{Side: uint8(a[0].(int)), Claim: 1}) }},
		clockCommand("game CONTROL SECONDS", "a new game of the clock: time control, increment", func(a []any) clock.In { return clock.Set(clock.Control(a[0].(int)), a[1].(int)) }),
		clockCommand("left SIDE CLOCK", "a side has so much time left", func(a []any) clock.In { return clock.Load(clock.Side(a[0].(int)), a[1].(int)) }),
		clockCommand("start SIDE", "the clock starts; whose, the position says", of(codes.CmdStart)),
		clockCommand("pause", "the clock pauses", of(codes.CmdPause)),
		clockCommand("resume", "the clock goes on", of(codes.CmdResume)),
		clockCommand("add SIDE", "five minutes more for a side", of(codes.CmdAdd)),
		{Use: "frame BYTE...", About: "any bytes come over rx_i, 8N1", Do: func(a []any) error {
			for _, b := range a {
				for _, level := range serial.Frame(byte(b.(int))) {
					s.In.Rx = level
					if err := s.Wait(e.p.Divisor); err != nil {
						return err
					}
				}
			}
			return nil
		}},
		{Use: "lines MOVE", About: "the PC gives a move over the parallel lines: from, then to, each for as long as it must hold", Do: func(a []any) error {
			m := a[0].(engine.Move)
			for _, l := range (pair.Move{From: uint8(m.From), To: uint8(m.To)}).Lines() {
				s.In.Lines = l
				if err := s.Wait(e.p.LinesCycles + 3); err != nil {
					return err
				}
			}
			return nil
		}},

		// What the PC receives.
		{Use: "moved MOVE", About: "the PC is told of this move, which comes next", Do: connected(func(a []any) error {
			if err := e.await("no move is told", func() bool { return len(e.moves) > 0 }); err != nil {
				return block.WrongArg(0, "%v; %s", err, e.lastRestore())
			}
			got := e.moves[0]
			e.moves = e.moves[1:]
			want := move(a[0])
			if got.From != want.From || got.To != want.To || got.Promotion != want.Promotion {
				return block.WrongArg(0, "%v is told", engine.Move{From: engine.Square(got.From), To: engine.Square(got.To), Promotion: engine.Piece(got.Promotion)})
			}
			return nil
		})},
		{Use: "unmoved", About: "the PC was told of no move that no statement asked for", Do: connected(func([]any) error {
			if err := e.scans(2); err != nil || len(e.moves) == 0 {
				return err
			}
			return fmt.Errorf("%d moves, the first on ply %d", len(e.moves), e.moves[0].Ply)
		})},
		{Use: "sent MOVE", About: "the two bytes of a move come over moves_tx_o", Do: func(a []any) error {
			if err := e.await("no move is sent", func() bool { return len(e.sent) > 0 }); err != nil {
				return err
			}
			got, want := e.sent[0], move(a[0])
			if e.sent = e.sent[1:]; got.From != want.From || got.To != want.To {
				return block.WrongArg(0, "%v was sent", engine.Move{From: engine.Square(got.From), To: engine.Square(got.To)})
			}
			return nil
		}},
		{Use: "illegal REASON", About: "the PC is told that what was done is illegal, for this reason", Do: connected(func(a []any) error {
			if e.await("nothing illegal is told", func() bool { return e.restore.Reason != 0 }) != nil || e.restore.Reason != uint8(a[0].(int)) {
				return block.WrongArg(0, "%s", e.lastRestore())
			}
			return nil
		})},
		{Use: "restore SQUARES", About: "the PC is told that just these squares are to be put right; none: all is well", Do: connected(func(a []any) error {
			if e.await("nothing is told", func() bool { return e.restore.Squares == a[0].(uint64) }) != nil {
				return block.WrongArg(0, "%s", e.lastRestore())
			}
			return nil
		})},
		{Use: "accepted", About: "the board's last answer was that it is done", Do: func([]any) error {
			if e.answer == nil || e.answer.Reason != 0 {
				return fmt.Errorf("it was not")
			}
			return nil
		}},
		{Use: "refused REASON", About: "the board's last answer was a refusal for this reason", Do: func(a []any) error {
			switch {
			case e.answer == nil:
				return fmt.Errorf("nothing was asked")
			case e.answer.Reason != uint8(a[0].(int)):
				return block.WrongArg(0, "the answer was: %s", e.reason())
			}
			return nil
		}},
		{Use: "offered SIDE", About: "the PC is told that a side offers a draw", Do: connected(func(a []any) error {
			if err := e.await("no offer is told", func() bool { return e.offer != nil }); err != nil {
				return err
			}
			if e.offer.Side != uint8(a[0].(int)) {
				return block.WrongArg(0, "the other side offers it")
			}
			return nil
		})},
		{Use: "result RESULT CAUSE", About: "the PC is told that the game has ended so", Do: connected(func(a []any) error {
			if err := e.await("no result is told", func() bool { return e.result != nil }); err != nil {
				return err
			}
			if r := *e.result; int(r.Result) != a[0].(int) || int(r.Cause) != a[1].(int) {
				return block.WrongArg(0, "the game has ended: %v, %v", rules.Result(r.Result), rules.Cause(r.Cause))
			}
			return nil
		})},
		{Use: "time SIDE CLOCK", About: "the PC is told that a side has so much time left", Do: connected(func(a []any) error {
			shown := func() codes.Digits {
				if a[0].(int) == 0 {
					return codes.Digits(e.clock.White)
				}
				return codes.Digits(e.clock.Black)
			}
			if e.await("", func() bool { return shown().Tenths() == a[1].(int) }) != nil {
				return block.WrongArg(1, "the clock that was told last shows %v", shown())
			}
			return nil
		})},
		{Use: "board FEN", About: "the PC asks for the position, and it is this one", Do: connected(func(a []any) error {
			e.state, e.squares = nil, nil
			if err := e.host.Send(message.Encode(message.Request{})); err != nil {
				return err
			}
			if err := e.await("no position comes", func() bool { return e.state != nil && e.squares != nil }); err != nil {
				return err
			}
			p := a[0].(engine.Position)
			if err := message.CheckPosition(&p, *e.state, *e.squares); err != nil {
				return block.WrongArg(0, "%s", strings.TrimRight(err.Error(), "\n"))
			}
			return nil
		})},
	}
}
