// Package movelink has the link of the published sensing board in SystemVerilog. Moves to the PC
// are pairs of bytes for a UART, and moves from the PC come over seven parallel lines. For Go the
// package has the [Design], its ports [In] and [Out], and [Model], a cycle-accurate reference for
// every output:
//
//	dut := sim.OpenTest[movelink.In, movelink.Out](t, movelink.Design, sim.Verilator)
//	sim.Check(t, dut, movelink.NewModel(movelink.Default), inputs)
//
// See README.md for the protocol, ports and timing. The host's side is in package pair below.
package movelink

import (
	"embed"
	"fmt"

	"github.com/cosimate/cosimate/rtl/internal/sources"
	"github.com/cosimate/cosimate/sim"
)

//go:embed *.sv files.list
var files embed.FS

// Design is the RTL. Its clock and reset are clk_i and rst_i.
var Design = sources.Design("movelink", "movelink/files.list", files)

// Params are the parameters of the RTL and the model. [Default] has those of the RTL.
type Params struct {
	HoldCycles int // cycles for which the lines must be stable, at least 1
	SyncStages int // flip-flops between the lines and logic, at least 2
}

// Default has the parameters of the RTL. At 100 MHz the lines must be stable for 100 us.
var Default = Params{HoldCycles: 10_000, SyncStages: 2}

// Design returns the RTL with these parameters.
func (p Params) Design() sim.Design {
	d := Design
	d.Params = map[string]string{"HoldCycles": fmt.Sprint(p.HoldCycles), "SyncStages": fmt.Sprint(p.SyncStages)}
	return d
}

// In holds the inputs of a cycle.
type In struct {
	Rst       bool  `port:"rst_i"`
	SendValid bool  `port:"send_valid_i"`
	SendFrom  uint8 `port:"send_from_i" bits:"6"`
	SendTo    uint8 `port:"send_to_i" bits:"6"`
	TxReady   bool  `port:"tx_ready_i"`
	Lines     uint8 `port:"lines_i" bits:"7"` // asynchronous
	MoveReady bool  `port:"move_ready_i"`
}

// Out holds the outputs of a cycle.
type Out struct {
	SendReady bool  `port:"send_ready_o"`
	TxValid   bool  `port:"tx_valid_o"`
	TxData    uint8 `port:"tx_data_o"`
	MoveValid bool  `port:"move_valid_o"`
	MoveFrom  uint8 `port:"move_from_o" bits:"6"`
	MoveTo    uint8 `port:"move_to_o" bits:"6"`
	MoveLost  bool  `port:"move_lost_o"` // a move was dropped, as the one before has not been taken
}
