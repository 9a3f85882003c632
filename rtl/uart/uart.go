// Package uart has a UART in SystemVerilog: 8N1 at any number of clock cycles a bit, with a queue
// for each direction. For Go the package has the [Design], its ports [In] and [Out], and [Model], a
// cycle-accurate reference for every output:
//
//	dut := sim.OpenTest[uart.In, uart.Out](t, uart.Design, sim.Verilator)
//	sim.Check(t, dut, uart.NewModel(uart.Default), inputs)
//
// See README.md for ports and timing. Package sim/uart has drivers and monitors of serial lines for
// testbenches of any design.
package uart

import (
	"embed"
	"fmt"

	"github.com/cosimate/cosimate/rtl/internal/sources"
	"github.com/cosimate/cosimate/sim"
)

//go:embed *.sv files.list
var files embed.FS

// Design is the RTL. Its clock and reset are clk_i and rst_i.
var Design = sources.Design("uart", "uart/files.list", files)

// Params are the parameters of the RTL and the model. [Default] has those of the RTL.
type Params struct {
	Divisor    int // clock cycles a bit, at least 3
	RxDepth    int // bytes in the receiver's queue, a power of two, at least 2
	TxDepth    int // bytes in the transmitter's queue, likewise
	SyncStages int // flip-flops between the line and logic, at least 2
}

// Default has the parameters of the RTL, for 115 200 baud at 100 MHz.
var Default = Params{Divisor: 868, RxDepth: 16, TxDepth: 16, SyncStages: 2}

// Design returns the RTL with these parameters.
func (p Params) Design() sim.Design {
	d := Design
	d.Params = map[string]string{
		"Divisor": fmt.Sprint(p.Divisor), "RxDepth": fmt.Sprint(p.RxDepth), "TxDepth": fmt.Sprint(p.TxDepth),
		"SyncStages": fmt.Sprint(p.SyncStages),
	}
	return d
}

// Spread returns the number of cycles between two of the three samples of a bit. A disturbance of
// at most that many cycles changes no bit.
func (p Params) Spread() int { return max(1, p.Divisor/16) }

// Latency returns the number of cycles from the beginning of a frame at rx_i to its byte at the
// output.
func (p Params) Latency() int {
	return p.SyncStages + 9*p.Divisor + (p.Divisor-1)/2 + p.Spread() + 2
}

// In holds the inputs of a cycle.
type In struct {
	Rst     bool  `port:"rst_i"`
	Rx      bool  `port:"rx_i"` // asynchronous
	TxValid bool  `port:"tx_valid_i"`
	TxData  uint8 `port:"tx_data_i"`
	RxReady bool  `port:"rx_ready_i"`
}

// Out holds the outputs of a cycle.
type Out struct {
	Tx        bool  `port:"tx_o"`
	TxReady   bool  `port:"tx_ready_o"`
	RxValid   bool  `port:"rx_valid_o"`
	RxData    uint8 `port:"rx_data_o"`
	RxFraming bool  `port:"rx_framing_o"` // a byte was dropped whose stop bit was 0
	RxBreak   bool  `port:"rx_break_o"`   // all ten bits of a frame were 0, and the line has not been 1 since
	RxOverrun bool  `port:"rx_overrun_o"` // a byte was dropped as the queue was full
}
