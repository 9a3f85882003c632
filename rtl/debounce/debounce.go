// Package debounce is a synchroniser and debouncer in SystemVerilog: what stands between a line
// that comes from outside and logic. The package has what Go needs to drive it: the [Design], its
// ports [In] and [Out], and [Model], a cycle-accurate reference for every output. See README.md for
// ports and timing.
package debounce

import (
	"embed"

	"github.com/cosimate/cosimate/rtl/internal/sources"
)

//go:embed *.sv files.list
var files embed.FS

// Defaults of the parameters.
const (
	SyncStages = 2    // flip-flops between the line and logic
	HoldCycles = 1000 // cycles for which a level holds until it is trusted
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
	Clean bool `port:"clean_o"` // the last level that held
	Ready bool `port:"ready_o"` // it is the level of the last HoldCycles cycles
}
