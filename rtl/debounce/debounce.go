// Package debounce has a synchroniser and debouncer in SystemVerilog, for lines from outside of the
// clock's domain. For Go it has the [Design], its ports [In] and [Out], and [Model], a
// cycle-accurate reference for every output:
//
//	dut := sim.OpenTest[debounce.In, debounce.Out](t, debounce.Design, sim.Verilator)
//	sim.Check(t, dut, debounce.NewModel(debounce.SyncStages, debounce.HoldCycles), inputs)
//
// See README.md for ports and timing.
package debounce

import (
	"embed"

	"github.com/cosimate/cosimate/rtl/internal/sources"
)

//go:embed *.sv files.list
var files embed.FS

// The defaults of the parameters.
const (
	SyncStages = 2    // flip-flops between the line and logic
	HoldCycles = 1000 // cycles for which a level must be stable
)

// Design is the RTL. Its clock and reset are clk_i and rst_i.
var Design = sources.Design("debounce", "debounce/files.list", files)

// In holds the inputs of a cycle.
type In struct {
	Rst  bool `port:"rst_i"`
	Line bool `port:"line_i"` // asynchronous
}

// Out holds the outputs of a cycle.
type Out struct {
	Clean bool `port:"clean_o"` // the last level that was stable
	Ready bool `port:"ready_o"` // the last HoldCycles cycles all had the level of Clean
}
