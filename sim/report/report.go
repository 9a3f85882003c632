// Package report shows a simulation that has failed: as text in a terminal, as a page and a picture
// for a browser, as a save file for GTKWave, and as an annotation for GitHub. Package sim fills in
// a [Failure], which this package writes:
//
//	fmt.Print(failure.Text(false))               // the report in plain text, or in colour
//	files, err := report.Write(dir, failure)     // report.txt, report.html, wave.svg, wave.gtkw
//	fmt.Print(failure.Annotation())              // on the line of the test, in a GitHub workflow
//
// A failure is one cycle in which columns of values differ: those of the model, which is the
// reference, and those of one or more simulators. The cycles before it are a [Wave]. This package
// needs neither a simulator nor a test.
//
// The output depends on the Failure alone, and for links on the folder of the files: the same
// failure gives the same bytes.
package report

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"
)

// Failure is a simulation that has failed, and all that is known about it. Only Top must be set.
// Fields that are not set are not shown.
type Failure struct {
	Top  string // the top module
	File string // path of the test that failed, for [Failure.Annotation]
	Line int

	Cycle uint64        // counted from the start of the simulation, resets included
	At    time.Duration // simulated time of the cycle's rising edge
	Seed  uint64

	// Columns are where values come from: first the reference, "model", then the simulators.
	Columns []string
	Ports   []Port // all outputs, also those that do not differ

	// Reason is the text of the error that ended the run, if it was not a difference.
	Reason string
	// Note is what the testbench can say of the failure besides the ports. It may have several
	// lines.
	Note string
	// Reproduce is the command that repeats the failure.
	Reproduce string

	Wave Wave // the last cycles, up to this one
	// Transactions are the last ones of the testbench's processes, which the page lists and draws.
	Transactions []Transaction

	FST      string // path of the simulator's waveform file, or ""
	FSTScope string // the top module's scope in the FST: "TOP." + Top of Verilator; "" means Top
	Files    []File // other files to look at
}

// Port is a port in the cycle of a [Failure].
type Port struct {
	Signal
	Values  []Value  // one for each of the columns
	Ignored *big.Int // bits that are not compared; nil: none
}

// File is a file that belongs to a report.
type File struct {
	Path  string
	About string // what the file is, in a few words
}

// Differ returns the bits in which a column differs from the reference. A bit differs, too, if it
// is unknown in one of the two. Ignored bits do not.
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

// differs reports whether any column differs.
func (p *Port) differs() bool { return p.union().Sign() != 0 }

// union returns the bits that differ in any column.
func (p *Port) union() *big.Int {
	x := new(big.Int)
	for c := range p.Values {
		x.Or(x, p.Differ(c))
	}
	return x
}

// value returns the value of a column, or none.
func (p *Port) value(column int) Value {
	if column < len(p.Values) {
		return p.Values[column]
	}
	return Value{}
}

// where names the differing bits, for each simulator if these differ in different bits.
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

// differing returns the names of the ports that differ, and of the simulators in which one does.
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

// Title returns one line that says what happened, in which cycle and in which simulator.
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

// more returns the reason without its first line, which is in the title.
func (f *Failure) more() string {
	_, rest, _ := strings.Cut(clean(f.Reason), "\n")
	return strings.TrimLeft(rest, "\n")
}
