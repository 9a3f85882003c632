// Package report shows a simulation that went wrong: to the eye in a terminal, as a page
// and a picture for a browser, as a save file for GTKWave, as an annotation for
// GitHub. Package sim fills in a [Failure]; the rest is here:
//
//	fmt.Print(failure.Text(false))               // the report in plain text, or in colour
//	files, err := report.Write(dir, failure)     // report.txt, report.html, wave.svg, wave.gtkw
//	fmt.Print(failure.Annotation())              // on the line of the test, in a GitHub workflow
//
// A failure is one cycle in which columns of values disagree: the model's, which is the reference,
// and those of one or more simulators. The cycles before it are a [Wave]. It is not known here
// where all of it comes from: this package needs neither a simulator nor a test.
//
// All output is a function of the Failure alone (and, for links, of where the files
// lie): the same failure gives the same bytes.
package report

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"
)

// Failure is a simulation that went wrong, and all that is known about it. Only Top is
// needed; what is left out is not shown.
type Failure struct {
	Top  string // the top module
	File string // the line of the test that failed; for [Failure.Annotation], a path
	Line int

	Cycle uint64        // counted from the start of the simulation, resets included
	At    time.Duration // simulated time of the cycle's rising edge
	Seed  uint64

	// Columns are who the values are from: first the reference, "model", then the simulators.
	Columns []string
	Ports   []Port // all outputs, those that agree too

	// Reason is why the run ended, if not for a difference: the text of an error.
	Reason string
	// Note is what the testbench knows beyond the ports, in its own lines.
	Note string
	// Reproduce is the command that runs into it again.
	Reproduce string

	Wave Wave // the cycles before, and this one

	FST      string // a waveform file of the simulator's, or ""
	FSTScope string // the top module's scope in it: Top if empty; "TOP." + Top in Verilator's
	Files    []File // what else there is to look at
}

// Port is a port in the cycle of a [Failure].
type Port struct {
	Signal
	Values  []Value  // one for each of the columns
	Ignored *big.Int // bits that the reference does not care about; nil: none
}

// File is a file that belongs to a report.
type File struct {
	Path  string
	About string // what it is, in a few words
}

// Differ has the bits set in which a column differs from the reference in a compared bit, or
// in which a compared bit is unknown in one of the two.
func (p *Port) Differ(column int) *big.Int {
	if column < 1 || column >= len(p.Values) {
		return new(big.Int)
	}
	want, wantUnknown := p.fit(p.Values[0])
	got, gotUnknown := p.fit(p.Values[column])
	if want == nil || got == nil {
		return new(big.Int)
	}
	x := new(big.Int).Xor(want, got)
	x.Or(x, wantUnknown).Or(x, gotUnknown)
	return x.AndNot(x, low(p.Ignored, p.width()))
}

// differs tells whether any column does.
func (p *Port) differs() bool { return p.union().Sign() != 0 }

// union has all bits set that differ in any column.
func (p *Port) union() *big.Int {
	x := new(big.Int)
	for c := range p.Values {
		x.Or(x, p.Differ(c))
	}
	return x
}

// value is the one of a column, or none.
func (p *Port) value(column int) Value {
	if column < len(p.Values) {
		return p.Values[column]
	}
	return Value{}
}

// where names the differing bits. With several simulators that do not
// differ in the same bits it says which differs where.
func (p *Port) where(columns []string) string {
	var parts, names []string
	for c := 1; c < len(columns); c++ {
		d := p.Differ(c)
		parts = append(parts, bitList(d))
		if d.Sign() != 0 {
			names = append(names, cleanLine(columns[c])+" "+bitList(d))
		}
	}
	if same := slices.Compact(parts); len(same) == 1 {
		return same[0]
	}
	return strings.Join(names, ", ")
}

// differing are the names of the ports that differ, and of the simulators in
// which one does.
func (f *Failure) differing() (ports, simulators []string) {
	for i := range f.Ports {
		if p := &f.Ports[i]; p.differs() {
			ports = append(ports, cleanLine(p.Name))
		}
	}
	for c := 1; c < len(f.Columns); c++ {
		if slices.ContainsFunc(f.Ports, func(p Port) bool { return p.Differ(c).Sign() != 0 }) {
			simulators = append(simulators, cleanLine(f.Columns[c]))
		}
	}
	return ports, simulators
}

// Title says in one line what happened, when and where.
func (f *Failure) Title() string {
	ports, simulators := f.differing()
	if simulators == nil && len(f.Columns) > 1 {
		for _, c := range f.Columns[1:] {
			simulators = append(simulators, cleanLine(c))
		}
	}
	on := ""
	if simulators != nil {
		on = " on " + strings.Join(simulators, ", ")
	}
	what, tail := " stands", ""
	if ports != nil {
		what, tail = " differs from its model", ": "+strings.Join(ports, ", ")
		if len(f.Columns) > 0 && f.Columns[0] != "model" {
			what = " differs from " + cleanLine(f.Columns[0])
		}
	}
	if reason, _, _ := strings.Cut(clean(f.Reason), "\n"); reason != "" {
		what, tail = " failed", ": "+reason
	}
	return cleanLine(fmt.Sprintf("%s%s in cycle %d (%v)%s%s", cleanLine(f.Top), what, f.Cycle, f.At, on, tail))
}

// more is the reason without its first line, which is in the title.
func (f *Failure) more() string {
	_, rest, _ := strings.Cut(clean(f.Reason), "\n")
	return strings.TrimLeft(rest, "\n")
}
