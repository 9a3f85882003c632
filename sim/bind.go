package sim

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"reflect"
	"strings"
	"unsafe"

	"github.com/cosimate/cosimate/bridge"
)

// binding copies between a Go struct and a row of port memory.
type binding struct {
	what   string // "sim.In", for messages
	fields []field
	size   int // bytes of a row
}

// field is one struct field bound to one port.
type field struct {
	name   string
	port   bridge.Port
	kind   kind
	offset uintptr // in the struct
	size   int     // bytes in the struct
}

type kind uint8

const (
	boolean kind = iota
	unsigned
	signed
	array // of unsigned words, for ports wider than 64 bits
)

// bind binds the fields of struct type t to ports: a field is bound to the port
// that its tag `port:"name"` names, or to the one whose name is the field's when
// case, underscores and the suffixes _i and _o are put aside. Each port must have a
// field and each field a port: an input that nobody drives or an output that nobody
// compares is a mistake more often than not. A field tagged `port:"-"` is left out.
func bind(t reflect.Type, ports []bridge.Port, rowSize int, dir bridge.Direction, top string) (*binding, error) {
	b := &binding{what: t.String(), size: rowSize}
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%s, which holds the %ss of module %s, must be a struct", t, dir, top)
	}
	left := map[string]bridge.Port{}
	for _, p := range ports {
		left[p.Name] = p
	}
	var faults []string
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("port")
		if tag == "-" {
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
		if !ok {
			faults = append(faults, fmt.Sprintf("field %s: the module has no %s %s", f.Name, dir, name))
			continue
		}
		delete(left, p.Name)
		bf := field{name: f.Name, port: p, offset: f.Offset, size: int(f.Type.Size())}
		if fault := bf.fit(f.Type); fault != "" {
			faults = append(faults, fault)
			continue
		}
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
	return b, nil
}

// plain is a name with what Go and Verilog write differently put aside.
func plain(name string) string {
	name = strings.ToLower(name)
	if s, ok := strings.CutSuffix(name, "_i"); ok {
		name = s
	} else if s, ok := strings.CutSuffix(name, "_o"); ok {
		name = s
	}
	return strings.ReplaceAll(name, "_", "")
}

// fit chooses how a field of type t holds the port, or says why it cannot.
func (f *field) fit(t reflect.Type) string {
	width := f.port.Width
	misfit := func(want string) string {
		return fmt.Sprintf("field %s is %s, but the port is %s: use %s", f.name, t, f.port, want)
	}
	want := "bool"
	switch {
	case width > 64:
		want = fmt.Sprintf("[%d]uint64", (width+63)/64)
	case width > 1:
		want = fmt.Sprintf("uint%d", max(8, 1<<bits.Len(uint(width-1))))
	}
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

// pack copies the struct at p to a row. A value that does not fit its port is an
// error: simulators disagree on what they would do with it.
func (b *binding) pack(row []byte, p unsafe.Pointer) error {
	for i := range b.fields {
		f := &b.fields[i]
		if f.kind == array {
			if err := f.packWords(row[f.port.Offset:], p); err != nil {
				return b.misfit(f, err)
			}
			continue
		}
		v := f.load(p)
		if f.port.Width < 64 {
			high := v >> f.port.Width
			if f.kind == signed {
				s := int64(v) >> (f.port.Width - 1)
				if s == -1 || s == 0 {
					high, v = 0, v&(1<<f.port.Width-1)
				}
			}
			if high != 0 {
				return b.misfit(f, fmt.Errorf("%#x does not fit", v))
			}
		}
		switch f.port.Size {
		case 1:
			row[f.port.Offset] = byte(v)
		case 2:
			binary.LittleEndian.PutUint16(row[f.port.Offset:], uint16(v))
		case 4:
			binary.LittleEndian.PutUint32(row[f.port.Offset:], uint32(v))
		default:
			binary.LittleEndian.PutUint64(row[f.port.Offset:], v)
		}
	}
	return nil
}

func (b *binding) misfit(f *field, err error) error {
	return fmt.Errorf("%s.%s: %w port %s", b.what, f.name, err, f.port)
}

// unpack copies a row to the struct at p.
func (b *binding) unpack(p unsafe.Pointer, row []byte) {
	for i := range b.fields {
		f := &b.fields[i]
		if f.kind == array {
			f.unpackWords(p, row[f.port.Offset:])
			continue
		}
		v := value(row, f.port)
		if f.kind == signed {
			shift := 64 - f.port.Width
			v = uint64(int64(v<<shift) >> shift)
		}
		switch f.size {
		case 1:
			*(*uint8)(unsafe.Add(p, f.offset)) = uint8(v)
		case 2:
			*(*uint16)(unsafe.Add(p, f.offset)) = uint16(v)
		case 4:
			*(*uint32)(unsafe.Add(p, f.offset)) = uint32(v)
		default:
			*(*uint64)(unsafe.Add(p, f.offset)) = v
		}
	}
}

// load reads a field of up to 64 bits, sign-extended if signed.
func (f *field) load(p unsafe.Pointer) uint64 {
	at := unsafe.Add(p, f.offset)
	if f.kind == signed {
		switch f.size {
		case 1:
			return uint64(*(*int8)(at))
		case 2:
			return uint64(*(*int16)(at))
		case 4:
			return uint64(*(*int32)(at))
		}
		return uint64(*(*int64)(at))
	}
	switch f.size {
	case 1:
		return uint64(*(*uint8)(at))
	case 2:
		return uint64(*(*uint16)(at))
	case 4:
		return uint64(*(*uint32)(at))
	}
	return *(*uint64)(at)
}

// packWords copies an array. Both ends are little endian on the machines that
// Go, Icarus and Verilator share, so words of 32 and 64 bits lie alike.
func (f *field) packWords(row []byte, p unsafe.Pointer) error {
	src := unsafe.Slice((*byte)(unsafe.Add(p, f.offset)), f.size)
	for i := f.port.Width; i < f.size*8; i++ {
		if src[i/8]>>(i%8)&1 != 0 {
			return fmt.Errorf("bit %d is set, which is beyond", i)
		}
	}
	copy(row[:f.port.Size], src)
	return nil
}

func (f *field) unpackWords(p unsafe.Pointer, row []byte) {
	dst := unsafe.Slice((*byte)(unsafe.Add(p, f.offset)), f.size)
	n := copy(dst, row[:f.port.Size])
	clear(dst[n:])
}

// value reads a port of up to 64 bits from a row.
func value(row []byte, p bridge.Port) uint64 {
	switch p.Size {
	case 1:
		return uint64(row[p.Offset])
	case 2:
		return uint64(binary.LittleEndian.Uint16(row[p.Offset:]))
	case 4:
		return uint64(binary.LittleEndian.Uint32(row[p.Offset:]))
	default:
		return binary.LittleEndian.Uint64(row[p.Offset:])
	}
}
