package axi

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim/stream"
	"github.com/cosimate/cosimate/sim/tb"
)

// bus finds the signals of a bus among the fields of a bench's structs.
type bus struct {
	prefix           string
	in, out, unknown map[string]field
	faults           []string
}

// field is a field and the width of its port in bits.
type field struct {
	reflect.Value
	width int
}

func newBus[I, O any](b *tb.Bench[I, O], prefix string) *bus {
	inputs, outputs := b.DUT().Ports()
	return &bus{
		prefix:  prefix,
		in:      byName(reflect.ValueOf(&b.In).Elem(), inputs, prefix),
		out:     byName(reflect.ValueOf(&b.Out).Elem(), outputs, prefix),
		unknown: byName(reflect.ValueOf(&b.Unknown).Elem(), outputs, prefix),
	}
}

// byName returns a struct's fields by the names of the AMBA signals, in small letters. A field's
// name is that in its tag without _i or _o, or its own; letter case and underscores do not count.
func byName(v reflect.Value, ports []bridge.Port, prefix string) map[string]field {
	fields := map[string]field{}
	for _, p := range ports {
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if int(f.Offset) != p.Offset || f.Type.Size() == 0 {
				continue
			}
			name := f.Name
			if tag, _, _ := strings.Cut(f.Tag.Get("port"), ","); tag != "" {
				name = strings.TrimSuffix(strings.TrimSuffix(tag, "_i"), "_o")
			}
			if name, ok := strings.CutPrefix(plain(name), plain(prefix)); ok {
				fields[name] = field{v.Field(i), p.Width}
			}
		}
	}
	return fields
}

func plain(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "") }

// find returns a signal, and its unknown bits if the design drives it. A signal that is not there
// is a fault unless it is optional.
func (b *bus) find(name string, optional bool) (f, unknown field) {
	name = strings.ToLower(name)
	if f, ok := b.in[name]; ok {
		return f, field{}
	}
	if f, ok := b.out[name]; ok {
		return f, b.unknown[name]
	}
	if !optional {
		b.faults = append(b.faults, "no field for "+strings.ToUpper(name))
	}
	return field{}, field{}
}

// bit is a signal of one bit.
type bit struct {
	name    string
	value   *bool
	unknown *bool // nil if it cannot be unknown
	driven  bool  // by the testbench
}

func (b *bus) bit(name string, optional bool) bit {
	s := bit{name: name}
	f, x := b.find(name, optional)
	if !f.IsValid() {
		return s
	}
	v, ok := f.Addr().Interface().(*bool)
	if !ok {
		b.faults = append(b.faults, fmt.Sprintf("the field of %s is %s, not bool", name, f.Type()))
		return s
	}
	s.value, s.driven = v, !x.IsValid()
	if x.IsValid() {
		s.unknown = x.Addr().Interface().(*bool)
	}
	return s
}

func (s bit) isUnknown() bool { return s.unknown != nil && *s.unknown }

// word is a signal of several bits: the bytes of its field, least significant first.
type word struct {
	name    string
	width   int    // bits
	bytes   []byte // nil if the design does not have the signal
	unknown []byte // nil if no bit can be unknown
	driven  bool
	signal  stream.Signal
}

func (b *bus) word(name string, optional bool) word {
	s := word{name: name}
	f, x := b.find(name, optional)
	if !f.IsValid() {
		return s
	}
	switch f.Kind() {
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Array, reflect.Bool:
	default:
		b.faults = append(b.faults, fmt.Sprintf("the field of %s is %s, not an unsigned integer or an array of them", name, f.Type()))
		return s
	}
	memory := func(f field) []byte {
		return unsafe.Slice((*byte)(f.Addr().UnsafePointer()), f.Type().Size())
	}
	s.width, s.bytes, s.driven = f.width, memory(f), !x.IsValid()
	if x.IsValid() {
		s.unknown = memory(x)
	}
	s.signal = stream.Bytes(name, s.bytes)
	return s
}

// get returns the low 64 bits.
func (s word) get() uint64 {
	var wide [8]byte
	copy(wide[:], s.bytes)
	return binary.LittleEndian.Uint64(wide[:])
}

// set sets the low 64 bits and clears the others. The design does not see bits beyond the port's
// width: see fits.
func (s word) set(v uint64) {
	var wide [8]byte
	binary.LittleEndian.PutUint64(wide[:], v)
	clear(s.bytes[copy(s.bytes, wide[:]):])
}

func (s word) fits(v uint64) bool { return s.width >= 64 || v>>s.width == 0 }

func (s word) isUnknown() bool {
	for _, b := range s.unknown {
		if b != 0 {
			return true
		}
	}
	return false
}

// signals returns the signals of the words that the design has.
func signals(words ...word) (all []stream.Signal) {
	for _, w := range words {
		if w.signal != nil {
			all = append(all, w.signal)
		}
	}
	return all
}

// done returns an error with all faults, or nil.
func (b *bus) done(what string) error {
	if len(b.faults) == 0 {
		return nil
	}
	var have []string
	for _, side := range []struct {
		what   string
		fields map[string]field
	}{{"In", b.in}, {"Out", b.out}} {
		for name := range side.fields {
			have = append(have, side.what+" "+name)
		}
	}
	return fmt.Errorf("%s with prefix %q: %s; there are: %s", what, b.prefix, strings.Join(b.faults, "; "), strings.Join(slices.Sorted(slices.Values(have)), ", "))
}
