package live

import (
	"time"

	"github.com/cosimate/cosimate/rtl/board"
	"github.com/cosimate/cosimate/sim"
)

// Times are the time constants of a board on the page.
type Times struct {
	Name   string
	Params board.Params
	// Eye is for how many cycles the eye adds up the light of an LED: 40 ms of simulated time, and
	// about a scan where the constants are scaled further than the clock.
	Eye int
	// Speed is the pace at which the page begins, in cycles a second; 0 is as fast as it goes.
	Speed float64
}

// Scaled are the times for playing. A hundred thousand cycles are a second, as on the wall: the
// chess clock and whatever is for a person (blinking, the X, the wait for the rook) are as slow as
// on the real board, and what the person waits for is ten times as fast. A scan takes 385 cycles,
// and a move is known after eight of them.
var Scaled = Times{
	Name: "scaled", Eye: 4000, Speed: 100_000,
	Params: board.Params{
		ClockHz: 100_000, SettleCycles: 1, HoldCycles: 1, IdleCycles: 64, BlinkPhases: 90,
		IllegalScans: 300, StableScans: 3, CastlingScans: 240, QuestionCycles: 256, Divisor: 3,
		RetryCycles: 10_000, SilenceCycles: 300_000, LinesCycles: 20, ButtonCycles: 500,
	},
}

// Quick are the times for Icarus Verilog, which does some thousand cycles a second: as short as the
// blocks allow.
var Quick = Times{Name: "quick", Params: board.Quick, Eye: 385}

// Real are the board's own times at 100 MHz. A scan takes five million cycles.
var Real = Times{Name: "real", Params: board.Real, Eye: 4_000_000}

// scaled returns the scaled times that a simulator is fast enough for.
func scaled(s sim.Simulator) Times {
	if s == sim.Icarus {
		return Quick
	}
	return Scaled
}

// period returns the cycles of a scan.
func (t Times) period() int { return t.Params.Scanner().Period() }

// duration returns what so many cycles are in simulated time.
func (t Times) duration(cycles uint64) time.Duration {
	hz := uint64(t.Params.ClockHz)
	return time.Duration(cycles/hz)*time.Second + time.Duration(cycles%hz)*time.Second/time.Duration(hz)
}
