package board

import (
	"fmt"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/leds"
	"github.com/cosimate/cosimate/rtl/link"
	"github.com/cosimate/cosimate/rtl/movelink"
	"github.com/cosimate/cosimate/rtl/scanner"
	"github.com/cosimate/cosimate/rtl/uart"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/sim"
)

// Model is the reference for the RTL: every pin in every cycle. Its blocks are their own models;
// those of what only the board has are in model_parts.go and model_host.go. Make one with
// [NewModel].
//
// What most blocks give in a cycle comes from their registers alone, so Step looks at these first.
// Of the others, in this order, each needs only those before it: what the host asks for, the
// clock's keeper, what the host is told, the LED driver. Then all go on.
type Model struct {
	p Params

	reset   reset
	buttons buttons
	sense   [2]bool // the sensors' line on its way to the light

	scanner *scanner.Model
	cross   cross
	leds    *leds.Model
	chess   *validity.Model
	keeper  keeper
	clock   *clock.Model
	uart    *uart.Model
	link    *link.Model
	host    host

	publish   bool // a move is to be told over the published link
	published struct{ from, to uint8 }
	movelink  *movelink.Model
	sender    sender
}

// NewModel returns a model in the state after reset.
func NewModel(p Params) *Model {
	m := &Model{
		p: p, buttons: newButtons(p.ButtonCycles), scanner: scanner.NewModel(p.Scanner()), cross: cross{scans: p.IllegalScans},
		leds:   leds.NewModel(leds.Params{IdleCycles: p.IdleCycles, BlinkPhases: p.BlinkPhases}),
		chess:  validity.NewModel(validity.Times{StableScans: p.StableScans, CastlingScans: p.CastlingScans, QuestionCycles: p.QuestionCycles}),
		clock:  clock.NewModel(p.ClockHz),
		uart:   uart.NewModel(uart.Params{Divisor: p.Divisor, RxDepth: uart.Default.RxDepth, TxDepth: uart.Default.TxDepth, SyncStages: uart.Default.SyncStages}),
		link:   link.NewModel(link.Params{RetryCycles: p.RetryCycles, SilenceCycles: p.SilenceCycles}),
		sender: sender{divisor: p.Divisor},
		movelink: movelink.NewModel(movelink.Params{
			HoldCycles: p.LinesCycles, SyncStages: movelink.Default.SyncStages,
		}),
	}
	m.Reset()
	return m
}

// Reset puts the model in the state in which the RTL is when its reset has been pressed for at
// least four cycles, or three from power-up on, with all other pins at 0. The RTL stays in reset
// for some cycles more.
func (m *Model) Reset() {
	m.reset = reset{chain: [2]bool{true, true}, left: resetCycles}
	m.buttons.reset()
	m.sense = [2]bool{true, true}
	m.scanner.Reset()
	m.movelink.Reset()
	m.restart()
}

// restart is what the reset of all blocks does to those that keep nothing over it.
func (m *Model) restart() {
	m.cross.seen = 0
	m.leds.Reset()
	m.chess.Reset()
	m.keeper = keeper{}
	m.clock.Reset()
	m.uart.Reset()
	m.link.Reset()
	m.host.reset()
	m.publish = false
	m.sender = sender{divisor: m.p.Divisor}
}

// Position is that of the game.
func (m *Model) Position() engine.Position { return m.chess.Position() }

// State and reason are those of the board.
func (m *Model) State() (validity.State, rules.Reason) {
	o := m.chess.Out()
	return o.State, o.Reason
}

// Shown is the move that the LEDs show, to be carried out, if there is one.
func (m *Model) Shown() (move engine.Move, ok bool) {
	o := m.chess.Out()
	return engine.Move{From: engine.Square(o.ShowFrom), To: engine.Square(o.ShowTo)}, o.Show == validity.ShowMove
}

// Err tells of the first thing that the RTL trusts not to be done and that was: a position loaded
// that is none.
func (m *Model) Err() error {
	if m.host.trusted != nil {
		return m.host.trusted
	}
	return m.chess.Err()
}

// Step is one cycle.
func (m *Model) Step(in In) Out {
	rst := m.reset.active()
	scan, chess, clk := m.scanner.Out(), m.chess.Out(), m.clock.Out()
	serial, frames, lines := m.uart.Out(), m.link.Out(), m.movelink.Out()
	out := Out{
		Select: scan.Select, Led: scan.Led, Tx: serial.Tx, MovesTx: m.sender.line(),
		UpperRanks: uint16(scan.Occupied >> 48), Sensor: m.sense[1], Illegal: chess.State == validity.Illegal, Warning: chess.Warning,
		Corners: uint8(scan.Occupied>>7&1<<1 | scan.Occupied&1),
	}

	// Who plays where, and what is asked of the chess rules: the framed link goes first.
	remote := m.host.players | m.buttons.linesPlay()
	ask := validity.In{
		ScanValid: scan.Strobe, Occupied: scan.Occupied, Remote: remote, Promotion: uint8(m.buttons.piece()),
	}
	linesReady := false
	if m.host.step == asking {
		m.host.move(&ask)
	} else {
		linesReady = chess.RemoteReady
		ask.RemoteValid, ask.RemoteFrom, ask.RemoteTo = lines.MoveValid, lines.MoveFrom, lines.MoveTo
		if rank := lines.MoveTo / 8; chess.Pawns>>lines.MoveFrom&1 != 0 && (rank == 0 || rank == 7) {
			ask.RemotePromotion = uint8(engine.Queen) // the lines cannot say what else
		}
	}
	loaded := false
	if m.host.step == loading {
		m.host.load(&ask)
		loaded = chess.LoadReady
	}
	ask.Flag = m.keeper.fallen(&clk)

	// What the clock is told, and what the host is told and asks for.
	command, commanded := m.keeper.command(&chess, &clk, m.host.command())
	m.keeper.next(&chess, &clk, loaded, m.buttons.clock())
	frame := link.In{RxValid: serial.RxValid, RxData: serial.RxData, TxReady: serial.TxReady}
	m.host.next(&chess, &clk, &frames, commanded, &ask, &frame)

	// All blocks go on.
	lit := m.leds.Step(leds.In{
		Idle: scan.Idle, Pattern: m.cross.pattern(chess.Show), From: chess.ShowFrom, To: chess.ShowTo, Restore: chess.Restore,
	})
	m.cross.next(chess.Show, scan.Strobe)
	m.scanner.Step(scanner.In{Rst: rst, SenseN: in.SenseN, LedSelect: lit.Select, Led: lit.Led})
	m.chess.Step(ask)
	m.clock.Step(command)
	m.uart.Step(uart.In{Rx: in.Rx, TxValid: frames.TxValid, TxData: frames.TxData, RxReady: true})
	m.link.Step(frame)
	m.movelink.Step(movelink.In{
		Rst: rst, SendValid: m.publish, SendFrom: m.published.from, SendTo: m.published.to, TxReady: m.sender.ready(),
		Lines: in.Lines, MoveReady: linesReady,
	})
	m.sender.next(lines.TxValid, lines.TxData)
	switch {
	case chess.MoveValid:
		side := 0
		if chess.MoveBlack {
			side = 1
		}
		m.publish = remote>>side&1 == 0 // it was played at the board
		m.published.from, m.published.to = chess.MoveFrom, chess.MoveTo
	case lines.SendReady:
		m.publish = false
	}
	m.buttons.next(in, rst)
	m.sense = [2]bool{!in.SenseN, m.sense[0]}
	if rst {
		m.restart()
	}
	m.reset.next(!in.RstN)
	return out
}

// Explain says what each of the blocks is about.
func (m *Model) Explain(x sim.Mismatch[In, Out]) string {
	p := m.chess.Position()
	o := m.chess.Out()
	at := m.scanner.Out()
	s := fmt.Sprintf("scanner: %s", about(m.scanner, scanner.In{SenseN: x.In.SenseN}))
	if m.reset.active() {
		s = fmt.Sprintf("in reset for %d cycles more\n", m.reset.left) + s
	}
	s += fmt.Sprintf("\nchess: %v", o.State)
	if o.State == validity.Illegal {
		s += fmt.Sprintf(", %v", o.Reason)
	}
	if o.State == validity.Over {
		s += fmt.Sprintf(", %v by %v", o.Result, o.Cause)
	}
	if o.White != 0 {
		s += ", " + p.FEN()
	}
	s += fmt.Sprintf("\nLEDs: %s", about(m.leds, leds.In{Idle: at.Idle, Pattern: m.cross.pattern(o.Show), From: o.ShowFrom, To: o.ShowTo, Restore: o.Restore}))
	s += fmt.Sprintf("\nhost: %s", m.host.explain())
	s += fmt.Sprintf("\nlink: %s", about(m.link, link.In{}))
	s += fmt.Sprintf("\nuart: %s", about(m.uart, uart.In{}))
	s += fmt.Sprintf("\nclock: %s", about(m.clock, clock.In{}))
	return s + fmt.Sprintf("\npublished link: %s", about(m.movelink, movelink.In{}))
}

// about is what a block's model says of inputs in its present state.
func about[I, O any](m sim.Explainer[I, O], in I) string {
	return m.Explain(sim.Mismatch[I, O]{In: in})
}
