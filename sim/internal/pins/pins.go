// Package pins finds the signals of a bus among the ports of a bench, by their names.
package pins

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/sim/stream"
	"github.com/cosimate/cosimate/sim/tb"
)

// Bus are the ports of a bench whose names begin with a prefix. Letter case and underscores do not
// count, and i_ or o_ can be left out, or stand in the prefix.
type Bus struct {
	prefix  string
	in, out map[string]tb.Pin // by the names of the bus's signals, in small letters
	drives  []string
	faults  []string
}

// New returns the ports of a bench whose names begin with the prefix.
func New(b tb.Pinned, prefix string) *Bus {
	s := &Bus{prefix: prefix, in: map[string]tb.Pin{}, out: map[string]tb.Pin{}}
	for _, pin := range b.Pins() {
		for _, name := range []string{pin.Port, pin.Name} {
			name, ok := strings.CutPrefix(plain(name), plain(prefix))
			if !ok {
				name, ok = strings.CutPrefix(plain(pin.Name), plain(tb.PlainName(prefix)))
			}
			switch {
			case !ok:
			case pin.Driven:
				s.in[name] = pin
			default:
				s.out[name] = pin
			}
		}
	}
	return s
}

func plain(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "") }

// Side is which side drives a signal.
type Side int

// The sides.
const (
	Either Side = iota
	Bench       // the bench drives it
	Design      // the design drives it
)

// find returns a signal of one of these names.
func (b *Bus) find(side Side, names []string) (pin tb.Pin, ok bool) {
	for _, name := range names {
		name = plain(name)
		if pin, ok = b.in[name]; ok && side != Design {
			return pin, true
		}
		if pin, ok = b.out[name]; ok && side != Bench {
			return pin, true
		}
	}
	return pin, false
}

// Has reports whether there is a signal.
func (b *Bus) Has(side Side, names ...string) bool {
	_, ok := b.find(side, names)
	return ok
}

// Word returns a signal with one of these names. One that is not there is a fault unless it is
// optional.
func (b *Bus) Word(side Side, optional bool, names ...string) Word {
	s := Word{Name: names[0]}
	pin, ok := b.find(side, names)
	if !ok {
		if !optional {
			b.Fault("no port for %s", strings.ToUpper(names[0]))
		}
		return s
	}
	if pin.Driven {
		b.drives = append(b.drives, pin.Port)
	}
	s.Width, s.Bytes, s.Unknown, s.Driven = pin.Width, pin.Value, pin.Unknown, pin.Driven
	s.signal = stream.Bytes(s.Name, s.Bytes)
	return s
}

// Bit is Word for a signal of one bit.
func (b *Bus) Bit(side Side, optional bool, names ...string) Bit {
	s := Bit{Name: names[0]}
	pin, ok := b.find(side, names)
	switch {
	case !ok && !optional:
		b.Fault("no port for %s", strings.ToUpper(names[0]))
	case ok && pin.Width != 1:
		b.Fault("%s is %d bits, not one", pin.Port, pin.Width)
	case ok:
		if pin.Driven {
			b.drives = append(b.drives, pin.Port)
		}
		s.Value, s.Driven = pin.Bit(), pin.Driven
		if pin.Unknown != nil {
			s.unknown = &pin.Unknown[0]
		}
	}
	return s
}

// Drives returns the names of the ports, of those that were asked for, that the bench drives.
func (b *Bus) Drives() []string { return b.drives }

// Fault adds a fault to the error that Done returns.
func (b *Bus) Fault(format string, args ...any) {
	b.faults = append(b.faults, fmt.Sprintf(format, args...))
}

// Done returns an error with all faults, or nil.
func (b *Bus) Done(what string) error {
	if len(b.faults) == 0 {
		return nil
	}
	var have []string
	for _, side := range []map[string]tb.Pin{b.in, b.out} {
		for _, pin := range side {
			have = append(have, pin.Port)
		}
	}
	slices.Sort(have)
	there := "no port begins so"
	if len(have) > 0 {
		there = "there are: " + strings.Join(slices.Compact(have), ", ")
	}
	return fmt.Errorf("%s with prefix %q: %s; %s", what, b.prefix, strings.Join(b.faults, "; "), there)
}

// Bit is a signal of one bit.
type Bit struct {
	Name    string
	Value   *bool // nil if the design does not have the signal
	Driven  bool  // by the bench
	unknown *byte // nil if it cannot be unknown
}

// IsUnknown reports whether the bit is X or Z.
func (s Bit) IsUnknown() bool { return s.unknown != nil && *s.unknown != 0 }

// Is reports whether the design has the signal, and it is 1.
func (s Bit) Is() bool { return s.Value != nil && *s.Value }

// Set sets the signal if the design has it.
func (s Bit) Set(v bool) {
	if s.Value != nil {
		*s.Value = v
	}
}

// Word is a signal of several bits.
type Word struct {
	Name    string
	Width   int    // bits
	Bytes   []byte // least significant first; nil if the design does not have the signal
	Unknown []byte // nil if no bit can be unknown
	Driven  bool   // by the bench
	signal  stream.Signal
}

// Get returns the low 64 bits.
func (s Word) Get() uint64 { return low(s.Bytes) }

// UnknownBits returns those of the low 64 bits that are X or Z.
func (s Word) UnknownBits() uint64 { return low(s.Unknown) }

func low(b []byte) uint64 {
	var wide [8]byte
	copy(wide[:], b)
	return binary.LittleEndian.Uint64(wide[:])
}

// Set sets the low 64 bits and clears the others. The design does not see bits beyond the port's
// width: see Fits.
func (s Word) Set(v uint64) {
	var wide [8]byte
	binary.LittleEndian.PutUint64(wide[:], v)
	clear(s.Bytes[copy(s.Bytes, wide[:]):])
}

// Mask returns the bits of the bytes that a strobe selects, bit 0 for the least significant.
func Mask(strobe uint64) (mask uint64) {
	for i := range 8 {
		if strobe>>i&1 != 0 {
			mask |= 0xff << (8 * i)
		}
	}
	return mask
}

// Fits reports whether a value has no more bits than the signal.
func (s Word) Fits(v uint64) bool { return s.Width >= 64 || v>>s.Width == 0 }

// IsUnknown reports whether some bits are X or Z.
func (s Word) IsUnknown() bool {
	return slices.ContainsFunc(s.Unknown, func(b byte) bool { return b != 0 })
}

// Signals returns the signals of the words that the design has.
func Signals(words ...Word) (all []stream.Signal) {
	for _, w := range words {
		if w.signal != nil {
			all = append(all, w.signal)
		}
	}
	return all
}
