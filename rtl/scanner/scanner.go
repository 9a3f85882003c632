// Package scanner has the scanner of a sensing chess board in SystemVerilog. It selects the 64 hall
// sensors one after the other, and reports which squares hold a piece. For Go the package has the
// [Design], its ports [In] and [Out], and [Model], a cycle-accurate reference for every output:
//
//	dut := sim.OpenTest[scanner.In, scanner.Out](t, scanner.Design, sim.Verilator)
//	sim.Check(t, dut, scanner.NewModel(scanner.Default), inputs)
//
// See README.md for ports and timing.
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
	SettleCycles int // that a sensor needs after it gets power
	HoldCycles   int // for which the line must be stable then
	SyncStages   int // flip-flops between the line and logic
	IdleCycles   int // between scans, for the LEDs
}

// Default has the parameters of the RTL, for 100 MHz: 0.4 ms for a sensor, 25.6 ms for the LEDs.
var Default = Params{SettleCycles: 40_000, HoldCycles: debounce.HoldCycles, SyncStages: debounce.SyncStages, IdleCycles: 256 * 10_000}

// Slot returns for how many cycles a square is selected in a scan.
func (p Params) Slot() int { return p.SettleCycles + p.SyncStages + p.HoldCycles + 1 }

// Period returns the number of cycles from the beginning of one scan to that of the next.
func (p Params) Period() int { return 64*p.Slot() + p.IdleCycles + 1 }

// In holds the inputs of a cycle.
type In struct {
	Rst       bool  `port:"rst_i"`
	SenseN    bool  `port:"sense_ni"`              // asynchronous; false if the selected square holds a piece
	LedSelect uint8 `port:"led_select_i" bits:"6"` // the LED driver's square
	Led       bool  `port:"led_i"`                 // whether its LED is lit
}

// Out holds the outputs of a cycle. All come from registers.
type Out struct {
	Select   uint8  `port:"select_o" bits:"6"`
	Led      bool   `port:"led_o"`
	Idle     bool   `port:"idle_o"`     // the LED driver has the select lines
	Occupied uint64 `port:"occupied_o"` // bit n is square n
	Strobe   bool   `port:"strobe_o"`   // a scan has ended
}
