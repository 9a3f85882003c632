// Package regmap has the register maps of the cores on the bus, [Core] and [Perft]. Each is written
// down once, as a table. From the tables come the SystemVerilog packages with which the circuits
// decode addresses and place fields, the C headers, the tables in the chapters, and the Go
// constants of this package, which drivers and models use.
//
// After a change of a table: go generate ./rtl/regmap
package regmap

//go:generate go run ./generate

import (
	"errors"
	"fmt"
	"math/bits"
)

// Map is the register map of a core. Addresses count bytes from the beginning of the core's window
// of [Window] bytes. A register is 32 bits wide.
type Map struct {
	Name string // of the core, as its folder and its module are called
	Go   string // the prefix of its constants
	// Shares are the registers whose fields are those of [Core] under the same names, and have no
	// constants of their own.
	Shares    []string
	Registers []Register
	Words     []Register // layouts that several registers share, without addresses
}

// Window is the size of a core's window in bytes.
const Window = 1 << 12

// Register is one register, or Count of them side by side.
type Register struct {
	Name    string // in CamelCase
	Address uint32
	Count   int // a power of two; Address is a multiple of 4 times Count; zero means one
	Access  Access
	Doc     string
	Fields  []Field
	Layout  string  // the word that has the fields, instead of Fields
	Reads   *uint32 // the value of a constant register
}

// Access says how a register can be accessed. Other accesses are answered by SLVERR.
type Access string

// The kinds of access.
const (
	ReadOnly  Access = "R"
	WriteOnly Access = "W"
	ReadWrite Access = "RW"
)

// Field is a field of a register. Bits in no field read as 0 and are ignored in writes.
type Field struct {
	Name   string // in CamelCase
	Low    int    // the lowest bit
	Width  int    // zero means one
	Doc    string
	Values []Value // those that have names
}

// Value is a named value of a field.
type Value struct {
	Name  string // in CamelCase
	Value uint32
	Doc   string
}

// Bits is a field of a word, as the mask of its bits.
type Bits uint32

// Of returns the field's value in a word.
func (b Bits) Of(word uint32) uint32 { return word & uint32(b) >> bits.TrailingZeros32(uint32(b)) }

// Put returns a word with a value in the field and 0 elsewhere. Bits of the value that do not fit
// the field are dropped.
func (b Bits) Put(value uint32) uint32 {
	return value << bits.TrailingZeros32(uint32(b)) & uint32(b)
}

// Is reports whether any of the field's bits is 1 in a word.
func (b Bits) Is(word uint32) bool { return word&uint32(b) != 0 }

func (r *Register) count() int { return max(r.Count, 1) }

func (f *Field) width() int { return max(f.Width, 1) }

// mask returns the field's bits.
func (f *Field) mask() uint32 { return uint32(1<<f.width()-1) << f.Low }

// fields returns a register's fields: its own, or those of its layout.
func (m *Map) fields(r *Register) []Field {
	for i := range m.Words {
		if r.Layout == m.Words[i].Name {
			return m.Words[i].Fields
		}
	}
	return r.Fields
}

// Check returns an error for each fault of the table: names that are used twice, registers or
// fields that overlap or lie outside.
func (m *Map) Check() error {
	var faults []error
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf(m.Name+": "+format, args...))
	}
	names, at := map[string]bool{}, map[uint32]string{}
	for _, r := range append(append([]Register{}, m.Registers...), m.Words...) {
		if names[r.Name] {
			fault("%s: the name is used twice", r.Name)
		}
		names[r.Name] = true
		used := uint32(0)
		inner := map[string]bool{}
		for _, f := range r.Fields {
			if f.Low < 0 || f.Low+f.width() > 32 {
				fault("%s.%s: bits %d to %d are not those of a word", r.Name, f.Name, f.Low, f.Low+f.width()-1)
				continue
			}
			if used&f.mask() != 0 {
				fault("%s.%s: bits %#x belong to another field too", r.Name, f.Name, used&f.mask())
			}
			used |= f.mask()
			if inner[f.Name] {
				fault("%s.%s: the name is used twice", r.Name, f.Name)
			}
			inner[f.Name] = true
			for _, v := range f.Values {
				if v.Value > f.mask()>>f.Low {
					fault("%s.%s: %s = %d does not fit %d bits", r.Name, f.Name, v.Name, v.Value, f.width())
				}
			}
		}
	}
	for i := range m.Registers {
		r := &m.Registers[i]
		n := uint32(r.count())
		if bits.OnesCount32(n) != 1 || r.Address%(4*n) != 0 || r.Address+4*n > Window {
			fault("%s: %d registers at %#x are not aligned, not a power of two, or not in the window", r.Name, n, r.Address)
			continue
		}
		for a := r.Address; a < r.Address+4*n; a += 4 {
			if other, ok := at[a]; ok {
				fault("%s: %s is at %#x too", r.Name, other, a)
				break
			}
			at[a] = r.Name
		}
		switch r.Access {
		case ReadOnly, WriteOnly, ReadWrite:
		default:
			fault("%s: access %q", r.Name, r.Access)
		}
		if r.Layout != "" && m.fields(r) == nil {
			fault("%s: there is no word %s", r.Name, r.Layout)
		}
	}
	return errors.Join(faults...)
}

// Find returns the register at an address of the window, or nil if there is none.
func (m *Map) Find(address uint32) *Register {
	for i := range m.Registers {
		r := &m.Registers[i]
		if address-r.Address < 4*uint32(r.count()) {
			return r
		}
	}
	return nil
}
