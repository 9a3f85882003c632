// Package scanner is the scanner of a sensing chess board in SystemVerilog: it selects the 64 hall
// sensors one after the other, and says which squares hold a piece. The package has what Go needs
// to drive it: the [Design], its ports [In] and [Out], and [Model], a cycle-accurate reference for
// every output. See README.md for ports and timing.
package scanner

import (
	"embed"

	"github.com/cosimate/cosimate/rtl/debounce"
	"github.com/cosimate/cosimate/rtl/internal/sources"
)

//go:embed *.sv files.list
var files embed.FS

// Design is the RTL. Its clock and reset are clk_i and rst_i.
var Design = sources.Design("scanner", "scanner/files.list", files, debounce.Design)

// Params are the parameters of the RTL and the model, in clock cycles. [Default] has those of the
// RTL.
type Params struct {
	SettleCycles int // until a sensor that is powered tells the truth
	HoldCycles   int // for which the line is to hold then
	SyncStages   int // flip-flops between the line and logic
	IdleCycles   int // between scans, for the LEDs
}

// Default are the real time constants, for 100 MHz: 0.4 ms for a sensor, 25.6 ms for the LEDs.
var Default = Params{SettleCycles: 40_000, HoldCycles: debounce.HoldCycles, SyncStages: debounce.SyncStages, IdleCycles: 256 * 10_000}

// Slot is how long a square is selected in a scan.
func (p Params) Slot() int { return p.SettleCycles + p.SyncStages + p.HoldCycles + 1 }

// Period is the time from the beginning of one scan to that of the next.
func (p Params) Period() int { return 64*p.Slot() + p.IdleCycles + 1 }

// In holds the inputs of a cycle.
type In struct {
	Rst       bool  `port:"rst_i"`
	SenseN    bool  `port:"sense_ni"`              // asynchronous; false if the selected square holds a piece
	LedSelect uint8 `port:"led_select_i" bits:"6"` // the LED driver's square
	Led       bool  `port:"led_i"`                 // and whether it is lit
}

// Out holds the outputs of a cycle. All come from registers.
type Out struct {
	Select   uint8  `port:"select_o" bits:"6"`
	Led      bool   `port:"led_o"`
	Idle     bool   `port:"idle_o"`     // the select lines are the LED driver's
	Occupied uint64 `port:"occupied_o"` // bit n is square n
	Strobe   bool   `port:"strobe_o"`   // a scan has ended
}
