package sim

import (
	"math/big"
	"slices"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/report"
)

// Difference is the first cycle in which the RTL and its model differ. It is an error, whose text
// is the report: which outputs and which bits differ, and the last cycles as a waveform. The
// columns of Failure are the model and the simulator, or in lockstep the model and all simulators.
type Difference struct {
	Simulator Simulator // that differs; in lockstep the first that does
	report.Failure
}

// Error returns the report.
func (d *Difference) Error() string { return d.Text(false) }

// Differing returns the names of the outputs that differ, in the order of Ports.
func (d *Difference) Differing() []string {
	var names []string
	for i := range d.Ports {
		if d.Ports[i].Differ(slices.Index(d.Columns, string(d.Simulator))).Sign() != 0 {
			names = append(names, d.Ports[i].Name)
		}
	}
	return names
}

// difference makes a report of a row of the last run.
func (d *device) difference(r int, want, got []byte, dontCare func(want []byte) []byte) *Difference {
	diff := &Difference{Simulator: d.simulator, Failure: d.failure()}
	diff.Columns = []string{"model", string(d.simulator)}
	want = row(want, r, d.layout.OutSize)
	var ignored []byte
	if dontCare != nil {
		ignored = dontCare(want)
	}
	for _, f := range d.out.fields {
		diff.Ports = append(diff.Ports, report.Port{
			Signal:  f.signal(),
			Values:  []report.Value{valueOf(f.port, want, nil), d.sample(f.port, r, got)},
			Ignored: valueOf(f.port, ignored, nil).Bits,
		})
	}
	if dontCare == nil && diff.onlyUnknown() {
		diff.note("All bits that differ are X or Z. Where they do not matter, the model can say so by a method DontCare.")
	}
	if d.differs != nil {
		d.differs(diff)
	}
	return diff
}

// onlyUnknown reports whether all bits that differ are X or Z.
func (d *Difference) onlyUnknown() bool {
	for i := range d.Ports {
		p := &d.Ports[i]
		differ, unknown := p.Differ(1), p.Values[1].Unknown
		if unknown == nil {
			unknown = new(big.Int)
		}
		if differ.AndNot(differ, unknown).Sign() != 0 {
			return false
		}
	}
	return true
}

// sample returns an output as sampled in a row of the last run.
func (d *device) sample(p bridge.Port, r int, got []byte) report.Value {
	return valueOf(p, row(got, r, d.layout.OutSize), d.unknownFrom(r))
}

// failure returns what every report of this DUT has.
func (d *device) failure() report.Failure {
	f := report.Failure{
		Top: d.design.Top, Columns: []string{string(d.simulator)}, Seed: d.options.Seed, FSTScope: d.design.Top, Wave: d.wave(),
	}
	if d.simulator == Verilator {
		f.FSTScope = "TOP." + d.design.Top
	}
	if n := len(f.Wave.Cycles); n > 0 {
		f.Cycle, f.At = f.Wave.Cycles[n-1], f.Wave.Times[n-1]
	}
	return f
}

// signal returns the field's port for reports.
func (f *field) signal() report.Signal {
	return report.Signal{
		Name: f.port.Name, Width: f.port.Width, Signed: f.kind == signed, Dir: report.Direction(f.port.Dir), Format: report.Format(f.format),
	}
}

// valueOf returns a port's value in a row. In a nil row all values are 0.
func valueOf(p bridge.Port, row, unknown []byte) report.Value {
	if row == nil {
		return report.Uint(0)
	}
	if unknown != nil {
		unknown = unknown[p.Offset : p.Offset+p.Size]
	}
	return report.Bytes(row[p.Offset:p.Offset+p.Size], unknown)
}
