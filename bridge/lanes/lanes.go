// Package lanes runs 512 copies of a design at once, on one core. It has Yosys synthesise the
// design to look-up tables and makes straight-line code of these, in which a register holds one bit
// of all copies, the lanes. A cycle of all lanes takes some 10 to 60 cycles of a Verilated model,
// so a lane is the faster the smaller the design is: by 50 for a UART, by 8 for a move generator.
//
// A lane is worth its speed where nothing has to be done for it outside: designs that drive
// themselves, one stimulus for faults of many kinds, checks in RTL, tables of results. Where a Go
// model computes what each lane should do, the model takes the time.
//
//   - [Build] makes a [Model] of a design, [Model.Start] a [Batch]: the state of all lanes.
//   - [Batch.Run] plays cycles. Inputs are a row a lane, or one for all, or stay as they are.
//     Outputs are rows, or are compared with one row for all.
//   - [Batch.Set] and [Batch.Get] are the inputs and outputs of one lane.
//
// Rows and cycles are those of package bridge: with the inputs of row t applied outputs are
// sampled, then comes the rising edge. Asynchronous resets act as soon as the inputs are applied.
// Of several clocks those rise in a row that rise in the same row of a simulator.
//
// Lanes have two values. Registers and words of memories without an initial value have random ones
// at power-up, which follow from [Options].Seed, each lane its own. So have bits that nothing
// drives. What Yosys is free to choose in a design (the result where RTL assigns x) it may choose
// otherwise than a simulator.
//
// Names are lost: of the internal signals only those of Design.Internals can be read and forced.
// Nothing is printed. Immediate assertions are counted by lane: see [Batch.Violations]. What
// matters in a lane is run again in a simulator, with its seed and its inputs.
//
// What lanes cannot do is an [UnsupportedError] that says where it is: latches, combinational
// loops, clocks that are not ports of the design, falling edges, delays, tri-state drivers, calls
// of Go, references into other modules, and what Yosys does not parse. The design is read without
// the macro SYNTHESIS, as by the simulators; with it in Design.Defines Yosys sees less.
package lanes

import (
	"context"
	"fmt"
	"slices"

	"github.com/cosimate/cosimate/bridge"
)

// BuildOptions are choices at compile time.
type BuildOptions struct {
	// Shape returns the layout of the rows, as in [bridge.BuildOptions]. Input ports that it leaves
	// out are 0 until they are set by [Batch.SetPort], and outputs that it leaves out are not
	// there.
	Shape func(ports []bridge.Port) (*bridge.Layout, error)
	// Code is [Fastest] if it is not set.
	Code Code
	// Edit are commands of Yosys that change the elaborated, flattened design before it is mapped.
	Edit []string
	// Points has the model say which branches a run takes, and which values bits of registers have:
	// see [Batch.Look]. It makes the model larger and slower.
	Points bool
}

// Model is a compiled design, from which any number of batches can be made.
type Model struct {
	design   bridge.Design
	clocks   []bridge.Clock
	layout   *bridge.Layout
	code     Code
	program  *program
	library  *library
	warnings []bridge.Message
}

// Build compiles a design, or finds it compiled in the cache.
func Build(ctx context.Context, d bridge.Design, o BuildOptions) (*Model, error) {
	code, err := o.Code.choose()
	if err != nil {
		return nil, err
	}
	clocks, err := d.AllClocks()
	if err != nil {
		return nil, err
	}
	s, entry, err := synthesise(ctx, &d, clocks, o.Edit, o.Points)
	if err != nil {
		return nil, err
	}
	layout, err := bridge.LayoutOf(s.Circuit.Ports, clocks, o.Shape)
	if err != nil {
		return nil, fmt.Errorf("lanes: module %s: %w", d.Top, err)
	}
	m := &Model{design: d, clocks: clocks, layout: layout, code: code, program: newProgram(s.Circuit), warnings: s.Warnings}
	m.library, err = compile(ctx, &d, m.program, entry, layout, code, false)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Layout returns the shape of the rows.
func (m *Model) Layout() *bridge.Layout { return m.layout }

// Code returns what the design was made into.
func (m *Model) Code() Code { return m.code }

// Size describes the circuit: how many LUTs, flip-flops and memories it has.
func (m *Model) Size() string { return m.program.c.String() }

// Assertions is how many immediate assertions the design has: see [Batch.Violations].
func (m *Model) Assertions() int { return len(m.program.c.Checks) }

// Assumptions returns where the design assumes something: "folder/file.sv:12". A lane counts it as
// an assertion, see [Batch.Violations]; a [Miter] takes it to hold.
func (m *Model) Assumptions() (where []string) {
	for _, k := range m.program.c.Checks {
		if k.Assumed {
			where = append(where, k.Where)
		}
	}
	slices.Sort(where)
	return slices.Compact(where)
}

// Warnings are what Yosys warned of.
func (m *Model) Warnings() []bridge.Message { return m.warnings }
