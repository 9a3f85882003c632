package board

import (
	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/engine/rules"
	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/clock/codes"
	"github.com/cosimate/cosimate/rtl/debounce"
	"github.com/cosimate/cosimate/rtl/leds"
	"github.com/cosimate/cosimate/rtl/validity"
)

// resetCycles is for how long the blocks' reset lasts when the button has been let go.
const resetCycles = 16

// reset is board_reset.
type reset struct {
	chain [2]bool // whether it is pressed, on its way in: the oldest last
	left  int     // cycles
}

func (r *reset) active() bool { return r.left > 0 }

func (r *reset) next(pressed bool) {
	r.left = max(0, r.left-1)
	if r.chain[1] {
		r.left = resetCycles
	}
	r.chain = [2]bool{pressed, r.chain[0]}
}

// buttons is board_buttons, and what the top makes of it.
type buttons struct {
	lines [7]*debounce.Model // two switches, four pieces, the clock
	held  [7]bool
}

func newButtons(hold int) (b buttons) {
	for i := range b.lines {
		b.lines[i] = debounce.NewModel(debounce.SyncStages, hold)
	}
	return b
}

// reset is after a reset in which nothing was pressed.
func (b *buttons) reset() {
	for _, l := range b.lines {
		l.Reset()
	}
	b.held = [7]bool{}
}

func (b *buttons) next(in In, rst bool) {
	bits := in.LinesPlay&3 | in.Promotion<<2&0x3c
	if in.Clock {
		bits |= 1 << 6
	}
	for i, l := range b.lines {
		if out := l.Step(debounce.In{Rst: rst, Line: bits>>i&1 != 0}); out.Ready {
			b.held[i] = out.Clean
		}
	}
	if rst {
		b.held = [7]bool{}
	}
}

// clock reports whether the clock's button is held.
func (b *buttons) clock() bool { return b.held[6] }

// linesPlay are the sides whose moves come over the parallel lines.
func (b *buttons) linesPlay() (sides uint8) {
	for side := range 2 {
		if b.held[side] {
			sides |= 1 << side
		}
	}
	return sides
}

// piece is what a pawn is to become: nothing, if no button says so or more than one.
func (b *buttons) piece() (chosen engine.Piece) {
	for i, piece := range []engine.Piece{engine.Queen, engine.Rook, engine.Bishop, engine.Knight} {
		if !b.held[2+i] {
			continue
		}
		if chosen != engine.NoPiece {
			return engine.NoPiece
		}
		chosen = piece
	}
	return chosen
}

// cross is board_show: something illegal is shown as an X for so many scans, and then as what is to
// be put right.
type cross struct {
	scans int // of the X
	seen  int // since it is illegal
}

func (c *cross) pattern(show validity.Show) leds.Pattern {
	if show == validity.ShowIllegal && c.seen == c.scans {
		return leds.Restore
	}
	return leds.Pattern(show)
}

func (c *cross) next(show validity.Show, scanned bool) {
	switch {
	case show != validity.ShowIllegal:
		c.seen = 0
	case scanned && c.seen < c.scans:
		c.seen++
	}
}

// keeper is board_time: it works the chess clock.
type keeper struct {
	press         bool  // a move was made in the cycle before
	over, pressed bool  // the game was, the button was
	flags         uint8 // that were down
	stop, work    bool  // the clock is to be stopped; what the button means is to be done
}

// command is the command that the clock is given in a cycle, with the press; and whether it is the
// host's.
func (k *keeper) command(chess *validity.Out, c *clock.Out, host *clock.In) (in clock.In, itsHosts bool) {
	in.Press = k.press
	do := func(command codes.Command) {
		in.CmdValid, in.Cmd = true, command
	}
	switch {
	case chess.MoveValid && c.State == clock.Paused:
		do(codes.CmdResume)
	case k.stop:
		k.stop = false
		do(codes.CmdStop)
	case host != nil:
		in, itsHosts = *host, true
		in.Press = k.press
	case k.work:
		k.work = false
		switch c.State {
		case clock.Ready:
			do(codes.CmdStart)
		case clock.Running:
			do(codes.CmdPause)
		default:
			do(codes.CmdResume)
		}
	}
	if in.Cmd == codes.CmdStart { // whoever asked for it, the position says whose
		in.Side = sideToMove(chess)
	}
	return in, itsHosts
}

func sideToMove(chess *validity.Out) clock.Side {
	if chess.Black {
		return clock.Black
	}
	return clock.White
}

// fallen are the flags that fall in this cycle.
func (k *keeper) fallen(c *clock.Out) uint8 { return c.Flag &^ k.flags }

// next is after command. Loaded tells that another game begins.
func (k *keeper) next(chess *validity.Out, c *clock.Out, loaded, button bool) {
	over := chess.Result != rules.InPlay
	if over && !k.over || loaded && (c.State == clock.Running || c.State == clock.Paused) {
		k.stop = true
	}
	if button && !k.pressed && c.State != clock.Over {
		k.work = true
	}
	k.press, k.over, k.pressed, k.flags = chess.MoveValid, over, button, c.Flag
}

// sender is a transmitter of serial bytes: uart_tx alone.
type sender struct {
	divisor int
	sending bool
	data    uint8
	at      int // cycle of the frame's
}

// ready reports whether a byte can come: when there is none, or in the last cycle of its stop bit.
func (s *sender) ready() bool { return !s.sending || s.at == 10*s.divisor-1 }

func (s *sender) line() bool {
	switch bit := s.at / s.divisor; {
	case !s.sending || bit == 9:
		return true
	case bit == 0:
		return false
	default:
		return s.data>>(bit-1)&1 != 0
	}
}

func (s *sender) next(valid bool, data uint8) {
	if !s.ready() {
		s.at++
		return
	}
	s.sending, s.at = valid, 0
	if valid {
		s.data = data
	}
}
