// Package clock has a chess clock in SystemVerilog: two times that are exact to the cycle, with
// increments, pauses and flags. For Go the package has the [Design], its ports [In] and [Out], the
// commands, and [Model], a cycle-accurate reference for every output:
//
//	m := clock.NewModel(clock.Hz)
//	m.Step(clock.Set(clock.Blitz, 3)) // 5 minutes and 3 seconds a move
//	m.Step(clock.Start(clock.White))
//	m.Step(clock.Press()) // White has moved
//
// See README.md for ports and timing.
package clock

import (
	"embed"

	"github.com/cosimate/cosimate/rtl/clock/codes"
	"github.com/cosimate/cosimate/rtl/internal/sources"
)

//go:embed *.sv files.list
var files embed.FS

// Hz is the frequency of the RTL's clock, which is the default of parameter ClockHz.
const Hz = 100_000_000

// Design is the RTL. Its clock and reset are clk_i and rst_i.
var Design = sources.Design("clock", "clock/files.list", files)

// Side is a player.
type Side uint8

// The players.
const (
	White Side = iota
	Black
)

func (s Side) String() string { return [...]string{"White", "Black"}[s&1] }

// Control is a time control: how much time each side has for the game.
type Control uint8

// The time controls: 1, 5, 10 and 30 minutes.
const (
	Bullet Control = iota
	Blitz
	Rapid
	Classical
)

func (c Control) String() string { return [...]string{"bullet", "blitz", "rapid", "classical"}[c&3] }

// State is the state of the game.
type State uint8

// The states.
const (
	Ready   State = iota // not begun
	Running              // the clock of the side to move runs
	Paused
	Over // a flag has fallen, or the game was stopped
)

func (s State) String() string { return [...]string{"ready", "running", "paused", "over"}[s&3] }

// In holds the inputs of a cycle.
type In struct {
	Rst       bool          `port:"rst_i"`
	Press     bool          `port:"press_i"` // the side to move has made its move
	CmdValid  bool          `port:"cmd_valid_i"`
	Cmd       codes.Command `port:"cmd_i" bits:"3"`
	Side      Side          `port:"cmd_side_i" bits:"1"`    // of load, start, add
	Control   Control       `port:"cmd_control_i" bits:"2"` // of set
	Increment uint8         `port:"cmd_increment_i"`        // of set: seconds, two decimal digits
	Time      codes.Digits  `port:"cmd_time_i" bits:"20"`   // of load
}

// Out holds the outputs of a cycle: the state after the inputs of all cycles before.
type Out struct {
	Error     codes.Error  `port:"error_o" bits:"3"` // of the command of the cycle before
	State     State        `port:"state_o" bits:"2"`
	Turn      Side         `port:"turn_o" bits:"1"` // the side to move
	Flag      uint8        `port:"flag_o" bits:"2"` // whose flag has fallen: bit 0 White's, 1 Black's
	Control   Control      `port:"control_o" bits:"2"`
	Increment uint8        `port:"increment_o"`
	WhiteTime codes.Digits `port:"white_time_o" bits:"20"` // rounded up to tenths
	WhiteUsed uint32       `port:"white_used_o" bits:"24"` // cycles that are over of the last tenth
	BlackTime codes.Digits `port:"black_time_o" bits:"20"`
	BlackUsed uint32       `port:"black_used_o" bits:"24"`
}

// Cycles returns how many cycles a side has left, at hz cycles a second.
func (o *Out) Cycles(s Side, hz int) int {
	if s == White {
		return o.WhiteTime.Tenths()*(hz/10) - int(o.WhiteUsed)
	}
	return o.BlackTime.Tenths()*(hz/10) - int(o.BlackUsed)
}

// Set returns the command that begins a new game. The increment is in seconds, 0 to 99.
func Set(c Control, increment int) In {
	return In{CmdValid: true, Cmd: codes.CmdSet, Control: c, Increment: uint8(increment/10<<4 | increment%10)}
}

// Load returns the command that sets a side's time, in tenths of seconds: for a saved game, or for
// an arbiter.
func Load(s Side, tenths int) In {
	return In{CmdValid: true, Cmd: codes.CmdLoad, Side: s, Time: codes.DigitsOf(tenths)}
}

// Start returns the command that starts a side's clock.
func Start(s Side) In { return In{CmdValid: true, Cmd: codes.CmdStart, Side: s} }

// Do returns a command that needs no argument but a side, or none.
func Do(c codes.Command, s Side) In { return In{CmdValid: true, Cmd: c, Side: s} }

// Press returns the inputs of a cycle in which the side to move has made its move.
func Press() In { return In{Press: true} }
