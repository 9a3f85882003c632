package designs

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"

	"github.com/cosimate/cosimate/engine"
	sensing "github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/rtl/board/hand"
	"github.com/cosimate/cosimate/rtl/board/table"
	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/link/frame"
	"github.com/cosimate/cosimate/rtl/link/message"
	"github.com/cosimate/cosimate/rtl/movelink/pair"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/vectors"
)

// sensingBoard is the whole board. Its vectors have the times of board.Quick if they do not say others: at those of the RTL a move
// takes a hundred million cycles.
func sensingBoard(r *vectors.Registry) {
	upper := make([]string, 16)
	copy(upper, square.List[48:])
	vectors.Add(r, vectors.Block[sensing.In, sensing.Out]{
		Design: sensing.Quick.Design(), About: "the sensing chess board, complete; times are scaled", Ports: ports("board"),
		Params: quickParams(),
		Model:  func(p vectors.Params) sim.Model[sensing.In, sensing.Out] { return sensing.NewModel(boardParams(p)) },
		Names: named(named(named(named(named(nil, square, "select_o"), sides, "lines_play_i"), vectors.Names{List: upper, Set: true}, "upper_ranks_o"),
			vectors.Names{List: []string{"a1", "h1"}, Set: true}, "corners_o"), vectors.Names{List: promotions, Set: true}, "promotion_i"),
		Kinds: kinds, Verbs: sensingVerbs,
		Reset:  4, // until all blocks know of it
		Idle:   sensing.In{RstN: true, SenseN: true, Rx: true},
		Random: randomBoard,
	})
}

// promotions are the buttons that say what a pawn becomes.
var promotions = []string{"queen", "rook", "bishop", "knight"}

// quickParams are the fields of board.Params.
func quickParams() (list []vectors.Param) {
	about := map[string]vectors.Param{
		"ClockHz":        {About: "cycles a second, a multiple of 10", Min: 10, Max: 1_000_000_000},
		"SettleCycles":   {About: "cycles until a sensor tells the truth", Min: 1, Max: 1 << 24},
		"HoldCycles":     {About: "cycles for which the sensors' line is to hold then", Min: 1, Max: 1 << 24},
		"IdleCycles":     {About: "cycles between scans, for the LEDs", Min: 64, Max: 1 << 26},
		"BlinkPhases":    {About: "scans in half a blink", Min: 1, Max: 1000},
		"IllegalScans":   {About: "scans for which the X is shown", Min: 1, Max: 1000},
		"StableScans":    {About: "scans for which a reading must stay to be decided on", Min: 1, Max: 255},
		"CastlingScans":  {About: "scans, if it may be half of castling; no fewer", Min: 1, Max: 255},
		"QuestionCycles": {About: "cycles for a question to the move generator: more than any list takes", Min: 100, Max: 4096},
		"Divisor":        {About: "cycles a bit of the serial lines", Min: 3, Max: 1 << 20},
		"RetryCycles":    {About: "cycles until what is not acknowledged is sent again", Min: 1, Max: 1 << 30},
		"SilenceCycles":  {About: "cycles of hearing nothing until the host counts as absent", Min: 1, Max: 1 << 30},
		"LinesCycles":    {About: "cycles for which the parallel lines are to hold", Min: 1, Max: 1 << 20},
		"ButtonCycles":   {About: "cycles for which a button is to hold", Min: 1, Max: 1 << 24},
	}
	v := reflect.ValueOf(sensing.Quick)
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		p := about[name]
		p.Name, p.Default = name, int(v.Field(i).Int())
		list = append(list, p)
	}
	return list
}

func boardParams(p vectors.Params) (b sensing.Params) {
	v := reflect.ValueOf(&b).Elem()
	for i := range v.NumField() {
		v.Field(i).SetInt(int64(p[v.Type().Field(i).Name]))
	}
	return b
}

// randomBoard lets lines change now and then.
func randomBoard(r *rand.Rand, before sensing.In) sensing.In {
	in := before
	one := func(chance int) bool { return r.IntN(chance) == 0 }
	in.SenseN = in.SenseN != one(20)
	in.Rx = in.Rx != one(10)
	in.Clock = in.Clock != one(200)
	if one(100) {
		in.Lines ^= 1 << r.IntN(7)
	}
	if one(200) {
		in.Promotion, in.LinesPlay = uint8(r.IntN(16)), uint8(r.IntN(4))
	}
	return in
}

// visitor is what is around a board in a vector: pieces on its sensors, somebody who looks at its LEDs, and a PC at both
// links.
type visitor struct {
	s *vectors.Session[sensing.In, sensing.Out]
	p sensing.Params

	seated bool   // there are sensors
	pieces uint64 // on them
	due    uint64 // the squares of the position that was loaded last
	lit    uint64 // LEDs that were on since somebody looks

	host    *frame.Host // nil: nobody is there
	opened  bool        // there is a session
	session uint16
	line    []bool // levels of rx_i to come, a cycle each
	tx      ear
	movesTx ear
	decoder pair.Decoder

	// What the board has told.
	ply     uint16 // of the move that is due
	moves   []message.Move
	sent    []pair.Move // over the published link
	answer  *message.Answer
	restore *message.Restore
	clock   *message.Clock
	result  *message.Result
	offer   *message.Draw
	state   *message.State
	squares *message.Squares
}

// ear hears bytes on a serial line.
type ear struct {
	bits uint16
	at   int // cycles of a frame
}

func (e *ear) hear(level bool, divisor int) (b byte, ok bool) {
	if e.at == 0 {
		if level {
			return 0, false
		}
		e.bits = 0
	}
	if e.at%divisor == divisor/2 && level {
		e.bits |= 1 << (e.at / divisor)
	}
	if e.at++; e.at <= 9*divisor+divisor/2 {
		return 0, false
	}
	e.at = 0
	return byte(e.bits >> 1), true
}

// watch is told of each cycle, and sets inputs of the next.
func (v *visitor) watch(in sensing.In, out sensing.Out) {
	if v.seated {
		v.s.In.SenseN = v.pieces>>out.Select&1 == 0
	}
	if out.Led {
		v.lit |= 1 << out.Select
	}
	if !in.RstN {
		v.ply = 0
	}
	if b, ok := v.movesTx.hear(out.MovesTx, v.p.Divisor); ok {
		if m, ok := v.decoder.Byte(b); ok {
			v.sent = append(v.sent, m)
		}
	}
	b, ok := v.tx.hear(out.Tx, v.p.Divisor)
	if v.host == nil {
		return
	}
	now := time.Duration(v.s.Cycle())
	if ok {
		v.host.Receive(now, []byte{b})
		for e, ok := v.host.Next(); ok; e, ok = v.host.Next() {
			switch e.Kind {
			case frame.Opened:
				v.opened = true
			case frame.Received:
				v.told(e.Message)
			}
		}
	}
	if len(v.line) == 0 {
		v.say(v.host.Transmit(now)...)
	}
	if len(v.line) > 0 {
		v.s.In.Rx, v.line = v.line[0], v.line[1:]
	}
}

// say puts bytes on the line to the board.
func (v *visitor) say(bytes ...byte) {
	for _, b := range bytes {
		for bit := range 10 {
			level := uint16(b)<<1 | 1<<9
			for range v.p.Divisor {
				v.line = append(v.line, level>>bit&1 != 0)
			}
		}
	}
}

// told takes a message of the board.
func (v *visitor) told(m frame.Message) {
	any, err := message.Decode(m)
	if err != nil {
		return // the board's messages are compared as bits
	}
	switch m := any.(type) {
	case message.Move:
		v.moves, v.ply = append(v.moves, m), max(v.ply, m.Ply+1)
	case message.Answer:
		v.answer = &m
	case message.Restore:
		v.restore = &m
	case message.Clock:
		v.clock = &m
	case message.Result:
		v.result = &m
	case message.Draw:
		v.offer = &m
	case message.State:
		v.state = &m
	case message.Squares:
		v.squares = &m
	}
}

// resetLasts is for how long, at most, the board hears nothing after its reset was let go.
const resetLasts = 20

// dial starts the PC's program: a session begins.
func (v *visitor) dial() error {
	if err := v.s.Wait(resetLasts); err != nil {
		return err
	}
	retry := time.Duration(v.p.RetryCycles)
	v.host = frame.NewHost(frame.Options{
		Retry: retry, Ping: 20 * retry, Silence: time.Duration(v.p.SilenceCycles),
		Session: func() uint16 { v.session++; return v.session },
	}, time.Duration(v.s.Cycle()))
	v.opened, v.line, v.moves, v.clock, v.restore, v.result, v.offer = false, nil, nil, &message.Clock{}, &message.Restore{}, nil, nil
	return v.await("no session begins", func() bool { return v.opened })
}

// dialed makes sure that the PC is there.
func (v *visitor) dialed() error {
	if v.host != nil {
		return nil
	}
	return v.dial()
}

// there complains if nobody hears what the board tells.
func (v *visitor) there() error {
	if v.host == nil {
		return fmt.Errorf("nobody hears the board: write \"dial\" before what it is to tell")
	}
	return nil
}

// patience is for how many scans something is waited for.
const patience = 40

// await waits until something is so.
func (v *visitor) await(what string, so func() bool) error {
	if so() {
		return nil
	}
	end := v.s.Cycle() + uint64(patience*v.p.Scanner().Period())
	err := v.s.Until(what, func(sensing.Out) bool { return so() || v.s.Cycle() > end })
	if err == nil && !so() {
		err = fmt.Errorf("%s in %d scans", what, patience)
	}
	return err
}

func (v *visitor) scans(n int) error { return v.s.Wait(n * v.p.Scanner().Period()) }

// rest leaves the board as it is until it is decided on: what is left of a scan, two that agree, those for which they stay.
func (v *visitor) rest() error { return v.scans(v.p.StableScans + 3) }

// ask sends a message and waits for its answer.
func (v *visitor) ask(messages ...any) error {
	if err := v.dialed(); err != nil {
		return err
	}
	v.answer = nil
	for _, m := range messages {
		if err := v.host.Send(message.Encode(m)); err != nil {
			return err
		}
	}
	return v.await("no answer comes", func() bool { return v.answer != nil })
}

// demand is ask for what must not be refused.
func (v *visitor) demand(messages ...any) error {
	err := v.ask(messages...)
	if err == nil && v.answer.Reason != 0 {
		err = fmt.Errorf("the board refuses it: %s", v.reason())
	}
	return err
}

// reason is that of the last answer, in words.
func (v *visitor) reason() string {
	switch a := v.answer; {
	case a.Reason == 31:
		return "it knows no such message"
	case a.To == message.Type(message.Time{}):
		return clock.Error(a.Reason).String()
	default:
		return validity.Reason(a.Reason).String()
	}
}

// saw is what the board has told last about what stands on it.
func (v *visitor) saw() string {
	switch {
	case v.restore == nil:
		return "the board has told nothing"
	case *v.restore == message.Restore{}:
		return "the board has told that all is well"
	}
	return fmt.Sprintf("the board has told: %v, to be put right: %s", validity.Reason(v.restore.Reason), setText(v.restore.Squares))
}

// touch lifts or places pieces.
func (v *visitor) touch(fill bool, squares []any) error {
	v.seated = true
	for i, x := range squares {
		bit := uint64(1) << x.(engine.Square)
		if v.pieces&bit != 0 == fill {
			return &vectors.WordError{Arg: i, Err: fmt.Errorf("%v is %s already", x, map[bool]string{true: "occupied", false: "empty"}[fill])}
		}
		v.pieces ^= bit
	}
	if fill {
		return v.rest()
	}
	return v.scans(3) // enough to be seen
}

// hold holds what is set of the buttons until it counts, and lets it go.
func (v *visitor) hold(set, clear func(in *sensing.In)) error {
	settle := v.p.ButtonCycles + 6
	set(&v.s.In)
	if err := v.s.Wait(settle); err != nil {
		return err
	}
	clear(&v.s.In)
	return v.s.Wait(settle)
}

func sensingVerbs(s *vectors.Session[sensing.In, sensing.Out]) []vectors.Verb[sensing.In, sensing.Out] {
	start := engine.StartPosition()
	v := &visitor{s: s, p: boardParams(s.Params), due: hand.Occupied(&start)}
	s.Watch(v.watch)
	type verb = vectors.Verb[sensing.In, sensing.Out]
	word := func(arg int, format string, args ...any) error {
		return &vectors.WordError{Arg: arg, Err: fmt.Errorf(format, args...)}
	}
	command := func(use, about string, do func(a []any) clock.In) verb {
		return verb{Use: use, About: about + ", by the PC", Do: func(a []any) error {
			c := do(a)
			return v.demand(message.Time{Command: uint8(c.Cmd), Side: uint8(c.Side), Control: uint8(c.Control), Increment: c.Increment, Left: uint32(c.Time)})
		}}
	}
	of := func(c clock.Command) func(a []any) clock.In {
		return func(a []any) clock.In {
			side := clock.White
			if len(a) > 0 {
				side = clock.Side(a[0].(int))
			}
			return clock.Do(c, side)
		}
	}
	move := func(a any) message.Move {
		m := a.(engine.Move)
		return message.Move{Ply: v.ply, From: uint8(m.From), To: uint8(m.To), Promotion: uint8(m.Promotion)}
	}
	load := func(a []any) error {
		p := a[0].(engine.Position)
		state, squares := message.Position(&p)
		if err := v.demand(state, squares); err != nil {
			return err
		}
		v.ply, v.due = message.Ply(&p), hand.Occupied(&p)
		v.moves, v.result, v.offer = nil, nil, nil
		return nil
	}
	return []verb{
		// A person's.
		{Use: "set-up", About: "the pieces stand as the game began, and that is seen", Do: func([]any) error {
			v.seated, v.pieces = true, v.due
			return v.rest()
		}},
		{Use: "pieces SQUARES", About: "pieces stand on just these squares from now on", Do: func(a []any) error {
			v.seated, v.pieces = true, a[0].(uint64)
			return nil
		}},
		{Use: "lift SQUARE...", About: "take pieces off the board, and leave it so until that is seen", Do: func(a []any) error { return v.touch(false, a) }},
		{Use: "place SQUARE...", About: "put pieces onto the board, and leave it so until it is decided on", Do: func(a []any) error { return v.touch(true, a) }},
		{Use: "scans N", About: "leave the board as it is for so many scans", Do: func(a []any) error { return v.scans(a[0].(int)) }},
		{Use: "promote PIECE", About: "press the button for what the pawn becomes", Do: func(a []any) error {
			bits := map[engine.Piece]uint8{engine.Queen: 1, engine.Rook: 2, engine.Bishop: 4, engine.Knight: 8}
			return v.hold(func(in *sensing.In) { in.Promotion = bits[a[0].(engine.Piece)] }, func(in *sensing.In) { in.Promotion = 0 })
		}},
		{Use: "clock", About: "press the button of the clock: it starts, pauses, goes on", Do: func([]any) error {
			return v.hold(func(in *sensing.In) { in.Clock = true }, func(in *sensing.In) { in.Clock = false })
		}},
		{Use: "leds [SQUARE...]", About: "within a blink just these squares' LEDs light up; without any: none", Do: func(a []any) error {
			var want uint64
			for _, q := range a {
				want |= 1 << q.(engine.Square)
			}
			if err := v.scans(1); err != nil { // what was shown before is over
				return err
			}
			v.lit = 0
			for range 2*v.p.BlinkPhases + 1 {
				if err := v.scans(1); err != nil {
					return err
				}
				if v.lit&^want != 0 || v.lit == want && want != 0 {
					break
				}
			}
			if v.lit != want {
				return fmt.Errorf("lit are %s", setText(v.lit))
			}
			return nil
		}},

		// The PC's.
		{Use: "dial", About: "the PC's program starts: a session of the framed link begins", Do: func([]any) error { return v.dial() }},
		{Use: "load FEN", About: "the PC loads a position; the pieces stay where they are", Do: load},
		{Use: "position FEN", About: "the PC loads a position, and the pieces are put so", Do: func(a []any) error {
			if err := load(a); err != nil {
				return err
			}
			v.seated, v.pieces = true, v.due
			return v.rest()
		}},
		{Use: "remote SIDES", About: "whose moves come from the PC", Do: func(a []any) error { return v.demand(message.Players{Remote: uint8(a[0].(int))}) }},
		{Use: "send MOVE", About: "the PC sends a move, to be carried out, and is answered: see accepted, refused", Do: func(a []any) error { return v.ask(move(a[0])) }},
		{Use: "replay MOVE", About: "the PC sends a move that is made at once", Do: func(a []any) error {
			if err := v.ask(message.Replay(move(a[0]))); err != nil || v.answer.Reason != 0 {
				return err
			}
			v.ply++
			return nil
		}},
		{Use: "resign SIDE", About: "the PC says that a side resigns", Do: func(a []any) error { return v.demand(message.Resign{Side: uint8(a[0].(int))}) }},
		{Use: "draw SIDE", About: "the PC says that a side offers a draw, or agrees", Do: func(a []any) error { return v.demand(message.Draw{Side: uint8(a[0].(int))}) }},
		{Use: "claim SIDE", About: "the PC says that a side claims a draw: see accepted, refused", Do: func(a []any) error { return v.ask(message.Draw{Side: uint8(a[0].(int)), Claim: 1}) }},
		command("game CONTROL SECONDS", "a new game of the clock: time control, increment", func(a []any) clock.In { return clock.Set(clock.Control(a[0].(int)), a[1].(int)) }),
		command("left SIDE CLOCK", "a side has so much time left", func(a []any) clock.In { return clock.Load(clock.Side(a[0].(int)), a[1].(int)) }),
		command("start SIDE", "the clock starts; whose, the position says", of(clock.CmdStart)),
		command("pause", "the clock pauses", of(clock.CmdPause)),
		command("resume", "the clock goes on", of(clock.CmdResume)),
		command("add SIDE", "five minutes more for a side", of(clock.CmdAdd)),
		{Use: "frame BYTE...", About: "any bytes come over rx_i, 8N1", Do: func(a []any) error {
			for _, b := range a {
				for bit, word := 0, uint16(b.(int))<<1|1<<9; bit < 10; bit++ {
					s.In.Rx = word>>bit&1 != 0
					if err := s.Wait(v.p.Divisor); err != nil {
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
				if err := s.Wait(v.p.LinesCycles + 3); err != nil {
					return err
				}
			}
			return nil
		}},

		// What the PC is told.
		{Use: "moved MOVE", About: "the PC is told of this move, which comes next", Do: func(a []any) error {
			if err := v.there(); err != nil {
				return err
			}
			if err := v.await("no move is told", func() bool { return len(v.moves) > 0 }); err != nil {
				return word(0, "%v; %s", err, v.saw())
			}
			got := v.moves[0]
			v.moves = v.moves[1:]
			want := move(a[0])
			if got.From != want.From || got.To != want.To || got.Promotion != want.Promotion {
				return word(0, "%v is told", engine.Move{From: engine.Square(got.From), To: engine.Square(got.To), Promotion: engine.Piece(got.Promotion)})
			}
			return nil
		}},
		{Use: "unmoved", About: "the PC was told of no move that no statement asked for", Do: func([]any) error {
			if err := cmp.Or(v.there(), v.scans(2)); err != nil || len(v.moves) == 0 {
				return err
			}
			return fmt.Errorf("%d moves, the first on ply %d", len(v.moves), v.moves[0].Ply)
		}},
		{Use: "sent MOVE", About: "the two bytes of a move come over moves_tx_o", Do: func(a []any) error {
			if err := v.await("no move is sent", func() bool { return len(v.sent) > 0 }); err != nil {
				return err
			}
			got, want := v.sent[0], move(a[0])
			if v.sent = v.sent[1:]; got.From != want.From || got.To != want.To {
				return word(0, "%v was sent", engine.Move{From: engine.Square(got.From), To: engine.Square(got.To)})
			}
			return nil
		}},
		{Use: "illegal REASON", About: "the PC is told that what was done is illegal, for this reason", Do: func(a []any) error {
			if err := v.there(); err != nil {
				return err
			}
			if v.await("nothing illegal is told", func() bool { return v.restore.Reason != 0 }) != nil || v.restore.Reason != uint8(a[0].(int)) {
				return word(0, "%s", v.saw())
			}
			return nil
		}},
		{Use: "restore SQUARES", About: "the PC is told that just these squares are to be put right; none: all is well", Do: func(a []any) error {
			if err := v.there(); err != nil {
				return err
			}
			if v.await("nothing is told", func() bool { return v.restore.Squares == a[0].(uint64) }) != nil {
				return word(0, "%s", v.saw())
			}
			return nil
		}},
		{Use: "accepted", About: "the board's last answer was that it is done", Do: func([]any) error {
			if v.answer == nil || v.answer.Reason != 0 {
				return fmt.Errorf("it was not")
			}
			return nil
		}},
		{Use: "refused REASON", About: "the board's last answer was a refusal for this reason", Do: func(a []any) error {
			switch {
			case v.answer == nil:
				return fmt.Errorf("nothing was asked")
			case v.answer.Reason != uint8(a[0].(int)):
				return word(0, "the answer was: %s", v.reason())
			}
			return nil
		}},
		{Use: "offered SIDE", About: "the PC is told that a side offers a draw", Do: func(a []any) error {
			if err := v.there(); err != nil {
				return err
			}
			if err := v.await("no offer is told", func() bool { return v.offer != nil }); err != nil {
				return err
			}
			if v.offer.Side != uint8(a[0].(int)) {
				return word(0, "the other side offers it")
			}
			return nil
		}},
		{Use: "result RESULT CAUSE", About: "the PC is told that the game has ended so", Do: func(a []any) error {
			if err := v.there(); err != nil {
				return err
			}
			if err := v.await("no result is told", func() bool { return v.result != nil }); err != nil {
				return err
			}
			if r := *v.result; int(r.Result) != a[0].(int) || int(r.Cause) != a[1].(int) {
				return word(0, "the game has ended: %v, %v", validity.Result(r.Result), validity.Cause(r.Cause))
			}
			return nil
		}},
		{Use: "time SIDE CLOCK", About: "the PC is told that a side has so much time left", Do: func(a []any) error {
			shown := func() clock.Digits {
				if a[0].(int) == 0 {
					return clock.Digits(v.clock.White)
				}
				return clock.Digits(v.clock.Black)
			}
			if err := v.there(); err != nil {
				return err
			}
			if v.await("", func() bool { return shown().Tenths() == a[1].(int) }) != nil {
				return word(1, "the clock that was told last shows %v", shown())
			}
			return nil
		}},
		{Use: "board FEN", About: "the PC asks for the position, and it is this one", Do: func(a []any) error {
			if err := v.there(); err != nil {
				return err
			}
			v.state, v.squares = nil, nil
			if err := v.host.Send(message.Encode(message.Request{})); err != nil {
				return err
			}
			if err := v.await("no position comes", func() bool { return v.state != nil && v.squares != nil }); err != nil {
				return err
			}
			p := a[0].(engine.Position)
			if err := table.Same(&p, *v.state, *v.squares); err != nil {
				return word(0, "%s", strings.TrimRight(err.Error(), "\n"))
			}
			return nil
		}},
	}
}
