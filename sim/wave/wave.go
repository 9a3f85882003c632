// Package wave is the viewer of waves: in pages of failures, which open from disk without a server,
// and in pages of running simulations. Its drawing is in JavaScript: see js/wave.js. Here is what
// it draws, a [Set] of signals over some cycles, and how it gets into a page:
//
//	set, err := wave.ReadFST(wave.Recording{...})     // all signals that a simulator has recorded
//	parts := wave.InPage(set, "")                      // for a page that is one file
//
// A signal has one value in each cycle: the one that it has just before the rising edge at the
// cycle's end, as the bridge samples ports. Whole waveforms, with what lies between two edges, are
// for GTKWave and Surfer.
//
// A page that is served takes the files of [Files], and its own script makes the viewer.
package wave

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Set is signals over the cycles from First up to, but without, End.
type Set struct {
	First, End uint64
	// Edges are the times of the rising edges at the ends of the cycles, in picoseconds. Nil: they
	// are not known.
	Edges   []int64
	Signals []*Signal
	Lanes   []*Lane
	Marks   []Mark
	Cursor  *uint64    // where cursor A is at first
	Shown   *[2]uint64 // the cycles that are seen at first; nil: all
}

// Signal is a signal of the design. If it has a group, it is shown at first, below the group's
// name.
type Signal struct {
	Scopes []string
	Name   string
	Width  int
	Group  string
	Radix  Radix
	Names  map[uint64]string // names of an enumeration's values
	// Bad are the cycles in which the value is known to be wrong.
	Bad []Span
	*Changes
}

// Radix is how values are written at first.
type Radix string

// A signal with names is written in Names unless it says otherwise, others in Hex.
const (
	Hex      Radix = "hex"
	Unsigned Radix = "unsigned"
	Signed   Radix = "signed"
	Binary   Radix = "binary"
	Names    Radix = "names"
	// Board is for 64 bits: 8 rows of 8, with bit 0 at the bottom left.
	Board Radix = "board"
)

// Lane is a row of things that last for some cycles: the transactions of a driver, or the values
// that a model expects.
type Lane struct {
	Path  string // tells it apart from others
	Label string
	Group string
	After *Signal // the row that it stands below; nil: at the group's end
	Spans []Span  // oldest first
}

// Span is the cycles from From to To, both included.
type Span struct {
	From, To uint64
	Text     string
	Bad      bool
}

// Mark marks a cycle.
type Mark struct {
	Cycle uint64
	Text  string
}

// Changes are the changes of a signal, which may have several names. They are kept in the form in
// which they are written: see encode.go.
type Changes struct {
	n                   int
	last                uint64 // the cycle of the last one; at first, the first cycle of the Set
	cycles              []byte // distances of cycles, as varints
	bits, unknown       []byte // values, each in whole bytes; unknown is nil if no bit is
	value, valueUnknown []byte // the last value
}

// NewChanges returns no changes, of a signal of so many bits. first is the first cycle of the Set.
func NewChanges(width int, first uint64) *Changes {
	size := (width + 7) / 8
	return &Changes{last: first, value: make([]byte, size), valueUnknown: make([]byte, size)}
}

// Append adds a value from a cycle on, which must come after those appended before. Both are least
// significant byte first; a bit that is set in unknown is Z if it is set in bits, or else X. What
// is no change is left out.
func (c *Changes) Append(cycle uint64, bits, unknown []byte) {
	if c.n > 0 && bytes.Equal(bits, c.value) && bytes.Equal(unknown, c.valueUnknown) {
		return
	}
	if cycle < c.last || c.n > 0 && cycle == c.last {
		panic(fmt.Sprintf("wave: a change in cycle %d after cycle %d", cycle, c.last))
	}
	c.cycles = binary.AppendUvarint(c.cycles, cycle-c.last)
	c.last = cycle
	c.bits = append(c.bits, bits...)
	if c.unknown == nil && len(bytes.Trim(unknown, "\x00")) > 0 {
		c.unknown = make([]byte, len(c.bits)-len(bits))
	}
	if c.unknown != nil {
		c.unknown = append(c.unknown, unknown...)
	}
	copy(c.value, bits)
	copy(c.valueUnknown, unknown)
	c.n++
}

// Len returns how many changes there are.
func (c *Changes) Len() int { return c.n }
