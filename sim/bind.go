package sim

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/cosimate/cosimate/bridge"
)

// binding is a Go struct whose fields are a module's inputs or outputs. A row of the
// bridge is the memory of such a struct, so that nothing is copied or converted.
type binding struct {
	of     reflect.Type // the struct
	fields []field
	size   int    // bytes of the struct
	ports  bitmap // of the struct, the bits that are bits of ports
}

// field is one struct field bound to one port. The port's Offset and Size are the field's.
type field struct {
	name   string
	port   bridge.Port
	kind   kind
	format string // how reports show it, from the tag
}

// bitmap has a bit for each bit of a struct, in 64-bit words.
type bitmap []uint64

type kind uint8

const (
	boolean kind = iota
	unsigned
	signed
	array // of unsigned words, for ports wider than 64 bits
)

// bind binds the fields of struct type t to ports. A field is bound to the port that its tag
// `port:"name"` names. Without a tag it is bound to the port of the same name, where case,
// underscores and the suffixes _i and _o do not matter. Each port must have a field and each field
// a port: an input that nobody drives or an output that nobody compares is most often a mistake. A
// field tagged `port:"-"` is bound to none.
//
// A tag can say how reports show the port: `port:"data_o,decimal"`, binary, or grid8x8 for a
// word of 64 bits that is a board.
func bind(t reflect.Type, ports []bridge.Port, dir bridge.Direction, d *Design) (*binding, error) {
	top := d.Top
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%s, which holds the %ss of module %s, must be a struct", t, dir, top)
	}
	b := &binding{of: t, size: int(t.Size()), ports: make(bitmap, (t.Size()+7)/8)}
	left := map[string]bridge.Port{}
	for _, p := range ports {
		left[p.Name] = p
	}
	var faults []string
	for i := range t.NumField() {
		f := t.Field(i)
		tag, format, _ := strings.Cut(f.Tag.Get("port"), ",")
		if tag == "-" {
			if pointers(f.Type) {
				faults = append(faults, fmt.Sprintf("field %s is %s, which holds pointers: simulators read these structs as they lie in memory, which must hold numbers only", f.Name, f.Type))
			}
			continue
		}
		name, p, ok := tag, bridge.Port{}, false
		if tag != "" {
			p, ok = left[tag]
		} else {
			name = f.Name
			for _, candidate := range ports {
				if _, free := left[candidate.Name]; free && plain(candidate.Name) == plain(f.Name) {
					p, ok = candidate, true
				}
			}
		}
		if clock := clockOf(d, name); !ok && clock != "" {
			faults = append(faults, fmt.Sprintf("field %s: %s is a clock of the design, which the DUT drives: take the field away", f.Name, clock))
			continue
		}
		if !ok {
			faults = append(faults, fmt.Sprintf("field %s: the module has no %s %s", f.Name, dir, name))
			continue
		}
		delete(left, p.Name)
		p.Offset, p.Size = int(f.Offset), int(f.Type.Size())
		bf := field{name: f.Name, port: p, format: format}
		if fault := bf.hold(f.Type); fault != "" {
			faults = append(faults, fault)
			continue
		}
		if !slices.Contains(formats, format) {
			faults = append(faults, fmt.Sprintf("field %s: reports cannot show a port as %q: use %s", f.Name, format, strings.Join(formats[1:], ", ")))
			continue
		}
		bf.port.Signed = bf.kind == signed
		b.fields = append(b.fields, bf)
	}
	for _, p := range ports {
		if _, unbound := left[p.Name]; unbound {
			faults = append(faults, fmt.Sprintf("no field for %s: add one tagged `port:%q`", p, p.Name))
		}
	}
	if len(faults) > 0 {
		list := make([]string, len(ports))
		for i, p := range ports {
			list[i] = p.String()
		}
		return nil, fmt.Errorf("%s does not fit the %ss of module %s:\n  %s\nthe module has: %s",
			t, dir, top, strings.Join(faults, "\n  "), strings.Join(list, ", "))
	}
	for i := range b.fields {
		for bit := range 8 * b.fields[i].port.Size {
			at := 8*b.fields[i].port.Offset + bit
			b.ports[at/64] |= 1 << (at % 64)
		}
	}
	return b, nil
}

// clockOf returns the clock of a design that a field is for, or "".
func clockOf(d *Design, field string) string {
	for _, c := range append(slices.Clip(d.Clocks), Clock{Port: d.Clock}) {
		if c.Port != "" && plain(c.Port) == plain(field) {
			return c.Port
		}
	}
	return ""
}

// formats are the ways in which reports show ports.
var formats = []string{"", "decimal", "binary", "grid8x8"}

// pointers reports whether values of a type hold pointers.
func pointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && pointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if pointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	}
	return t.Kind() > reflect.Complex128
}

// plain returns a name without what Go and Verilog write differently.
func plain(name string) string {
	name = strings.ToLower(name)
	if s, ok := strings.CutSuffix(name, "_i"); ok {
		name = s
	} else if s, ok := strings.CutSuffix(name, "_o"); ok {
		name = s
	}
	return strings.ReplaceAll(name, "_", "")
}

// hold sets how a field of type t holds the port. If it cannot, it returns why, and otherwise "".
func (f *field) hold(t reflect.Type) string {
	width := f.port.Width
	misfit := func(want string) string {
		return fmt.Sprintf("field %s is %s, but the port is %s: use %s", f.name, t, f.port, want)
	}
	want, _ := fieldType(width)
	switch t.Kind() {
	case reflect.Bool:
		f.kind = boolean
		if width != 1 {
			return misfit(want)
		}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		f.kind = unsigned
		if width > t.Bits() {
			return misfit(want)
		}
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		f.kind = signed
		if width > t.Bits() {
			return misfit(strings.TrimPrefix(want, "u"))
		}
	case reflect.Array:
		f.kind = array
		e := t.Elem().Kind()
		if (e != reflect.Uint32 && e != reflect.Uint64) || t.Len() != (width+t.Elem().Bits()-1)/t.Elem().Bits() {
			return misfit(want)
		}
	default:
		return misfit(want)
	}
	return ""
}

// rowsOf returns the memory of structs, which are the rows that simulators read and write.
func rowsOf[T any](structs []T) []byte {
	var t T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(structs))), len(structs)*int(unsafe.Sizeof(t)))
}

// rowOf returns the memory of one struct.
func rowOf[T any](s *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(s)), unsafe.Sizeof(*s))
}

// word returns the 64-bit word at an offset of a row. Behind the end of the row its bits are 0.
func word(row []byte, offset int) uint64 {
	if len(row) >= offset+8 {
		return binary.LittleEndian.Uint64(row[offset:])
	}
	return rest(row[offset:])
}

func rest(row []byte) uint64 {
	var b [8]byte
	copy(b[:], row)
	return binary.LittleEndian.Uint64(b[:])
}

// misfit returns an error about a value in a row that its port cannot hold, or nil.
func (b *binding) misfit(row []byte) error {
	for i := range b.fields {
		f := &b.fields[i]
		if fault := f.port.Misfit(row); fault != "" {
			return b.fault(f.port, fault)
		}
	}
	return nil
}

// fault returns an error about a port's value that names the field that holds it.
func (b *binding) fault(p bridge.Port, what string) error {
	i := slices.IndexFunc(b.fields, func(f field) bool { return f.port.Name == p.Name })
	err := fmt.Errorf("%v.%s: %s port %s", b.of, b.fields[i].name, what, p)
	if f, _ := b.of.FieldByName(b.fields[i].name); p.Dir == bridge.Input && f.Tag.Get("rand") == "" {
		err = fmt.Errorf("%w; for random values that fit, tag the field `rand:\"bits=%d\"`", err, p.Width)
	}
	return err
}

// maskedBy reports whether a mask has all bits of all ports.
func (b *binding) maskedBy(mask []byte) bool {
	for _, f := range b.fields {
		for bit := range f.port.Width { // fewer than the field's, mostly
			if mask[f.port.Offset+bit/8]>>(bit%8)&1 == 0 {
				return false
			}
		}
	}
	return true
}

// ignore completes a mask of outputs that are not compared: where a port's sign is not, neither are
// the bits of its field that repeat it.
func (b *binding) ignore(mask []byte) []byte {
	for i := range b.fields {
		p := &b.fields[i].port
		if sign := p.Offset*8 + p.Width - 1; p.Signed && mask[sign/8]>>(sign%8)&1 != 0 {
			for bit := sign + 1; bit < 8*(p.Offset+p.Size); bit++ {
				mask[bit/8] |= 1 << (bit % 8)
			}
		}
	}
	return mask
}

// differ reports whether a bit of a port differs between two rows, or is unknown, and is not
// ignored. ignored and unknown may be nil.
func (b *binding) differ(want, got, unknown, ignored []byte) bool {
	for i, mask := range b.ports {
		x := word(want, 8*i) ^ word(got, 8*i)
		if unknown != nil {
			x |= word(unknown, 8*i)
		}
		if ignored != nil {
			x &^= word(ignored, 8*i)
		}
		if x&mask != 0 {
			return true
		}
	}
	return false
}
