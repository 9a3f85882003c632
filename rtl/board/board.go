// Package board is the sensing chess board in SystemVerilog: all its blocks as one machine, with
// the pins of a Nexys A7-100T. The package has what Go needs to drive it: the [Design], its ports
// [In] and [Out], and [Params]. See README.md for what a person, a PC and a hardware engineer see
// of it.
//
// What is beyond the pins is in package matrix (sensors under the pieces, LEDs as seen by eye), in
// the packages of the links (rtl/link/frame, rtl/link/message, rtl/movelink/pair), and all together
// in package bench.
package board

import (
	"embed"
	"fmt"
	"reflect"

	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/internal/sources"
	"github.com/cosimate/cosimate/rtl/leds"
	"github.com/cosimate/cosimate/rtl/link"
	"github.com/cosimate/cosimate/rtl/movelink"
	"github.com/cosimate/cosimate/rtl/scanner"
	"github.com/cosimate/cosimate/rtl/uart"
	"github.com/cosimate/cosimate/rtl/validity"
	"github.com/cosimate/cosimate/sim"
)

//go:embed *.sv files.list
var files embed.FS

// Design is the RTL. Its clock and reset are clk_i and rst_ni.
var Design = design()

func design() sim.Design {
	d := sources.Design("board", "board/files.list", files,
		scanner.Design, leds.Design, validity.Design, clock.Design, uart.Design, link.Design, movelink.Design)
	d.Reset, d.ResetActiveLow = "rst_ni", true
	return d
}

// Params are the parameters of the RTL, in clock cycles where nothing else is said. [Real] has
// those of the RTL.
type Params struct {
	ClockHz        int // cycles a second, a multiple of 10
	SettleCycles   int // until a sensor tells the truth
	HoldCycles     int // for which the sensors' line is to hold
	IdleCycles     int // between scans, for the LEDs
	BlinkPhases    int // scans in half a blink
	IllegalScans   int // scans for which the X is shown
	StableScans    int // scans until a reading is decided on
	CastlingScans  int // scans until half of castling is a rook's move
	QuestionCycles int // for a question to the move generator
	Divisor        int // a bit of the serial lines
	RetryCycles    int // until a frame is sent again
	SilenceCycles  int // until the host counts as absent
	LinesCycles    int // for which the parallel lines are to hold
	ButtonCycles   int // for which a button is to hold
}

// Real are the real time constants at 100 MHz.
var Real = Params{
	ClockHz: 100_000_000, SettleCycles: 40_000, HoldCycles: 1000, IdleCycles: 256 * 10_000, BlinkPhases: 5,
	IllegalScans: 20, StableScans: 5, CastlingScans: 40, QuestionCycles: 384, Divisor: 868,
	RetryCycles: 10_000_000, SilenceCycles: 300_000_000, LinesCycles: 10_000, ButtonCycles: 1_000_000,
}

// Scaled are times for tests of whole games: a scan takes some 1 300 cycles instead of 5 million.
var Scaled = Params{
	ClockHz: 1_000_000, SettleCycles: 4, HoldCycles: 3, IdleCycles: 640, BlinkPhases: 4,
	IllegalScans: 40, StableScans: 3, CastlingScans: 12, QuestionCycles: 256, Divisor: 4,
	RetryCycles: 4000, SilenceCycles: 1_000_000, LinesCycles: 20, ButtonCycles: 100,
}

// Quick are times nearly as short as the blocks allow, for Icarus and for test vectors: a scan
// takes 385 cycles.
var Quick = Params{
	ClockHz: 10_000, SettleCycles: 1, HoldCycles: 1, IdleCycles: 64, BlinkPhases: 4,
	IllegalScans: 24, StableScans: 2, CastlingScans: 12, QuestionCycles: 160, Divisor: 3,
	RetryCycles: 6000, SilenceCycles: 1_000_000, LinesCycles: 20, ButtonCycles: 50,
}

// Design is the RTL with these parameters.
func (p Params) Design() sim.Design {
	d := Design
	d.Params = map[string]string{}
	v := reflect.ValueOf(p)
	for i := range v.NumField() {
		d.Params[v.Type().Field(i).Name] = fmt.Sprint(v.Field(i).Int())
	}
	return d
}

// Scanner are the parameters of its scanner.
func (p Params) Scanner() scanner.Params {
	return scanner.Params{
		SettleCycles: p.SettleCycles, HoldCycles: p.HoldCycles, SyncStages: scanner.Default.SyncStages,
		IdleCycles: p.IdleCycles,
	}
}

// In holds the inputs of a cycle. All are pins, and may come when they like.
type In struct {
	RstN      bool  `port:"rst_ni"`
	SenseN    bool  `port:"sense_ni"` // false if the selected square holds a piece
	Rx        bool  `port:"rx_i"`
	Lines     uint8 `port:"lines_i" bits:"7"`
	Clock     bool  `port:"clock_i"`               // the button is pressed
	Promotion uint8 `port:"promotion_i" bits:"4"`  // buttons: bit 0 queen, 1 rook, 2 bishop, 3 knight
	LinesPlay uint8 `port:"lines_play_i" bits:"2"` // bit 0 White's, 1 Black's moves come over the parallel lines
}

// Out holds the outputs of a cycle.
type Out struct {
	Select     uint8  `port:"select_o" bits:"6"`
	Led        bool   `port:"led_o"`
	Tx         bool   `port:"tx_o"`
	MovesTx    bool   `port:"moves_tx_o"`
	UpperRanks uint16 `port:"upper_ranks_o"` // a7 to h8 are occupied
	Sensor     bool   `port:"sensor_o"`
	Illegal    bool   `port:"illegal_o"`
	Warning    bool   `port:"warning_o"`          // two pieces of the side to move are up
	Corners    uint8  `port:"corners_o" bits:"2"` // a1, h1 are occupied
}
