package sim

import (
	"encoding/binary"
	"fmt"
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
	direct bool    // the field and the port are the same unsigned word
	beyond uint64  // bits of the word that the port does not have
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
		bf.direct = (bf.kind == boolean || bf.kind == unsigned) && bf.size == p.Size
		if p.Width < 64 {
			bf.beyond = ^uint64(0) << p.Width
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

// ports are the bound ports in the order of the fields.
func (b *binding) ports() []bridge.Port {
	ports := make([]bridge.Port, len(b.fields))
	for i := range b.fields {
		ports[i] = b.fields[i].port
	}
	return ports
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
	want := fieldType(width)
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

// column is how a run of structs and a run of rows are walked, field by field: a
// loop over one field in all of them is several times faster than a loop over
// all fields in each.
type column struct {
	structs unsafe.Pointer // the first struct
	stride  uintptr        // bytes from struct to struct
	rows    unsafe.Pointer // the first row
	pitch   uintptr        // bytes from row to row
	n       int
}

func columnOf[T any](structs []T, rows []byte, pitch int) column {
	var t T
	if len(rows) < len(structs)*pitch {
		panic("sim: fewer rows than structs")
	}
	return column{unsafe.Pointer(unsafe.SliceData(structs)), unsafe.Sizeof(t), unsafe.Pointer(unsafe.SliceData(rows)), uintptr(pitch), len(structs)}
}

// blocks splits a column so that a block of structs and rows stays in the first-level
// cache while its fields are walked one after the other.
func (c column) blocks(yield func(first int, block column) bool) {
	const size = 64
	for first := 0; first < c.n; first += size {
		b := c
		b.structs = unsafe.Add(c.structs, uintptr(first)*c.stride)
		b.rows = unsafe.Add(c.rows, uintptr(first)*c.pitch)
		b.n = min(size, c.n-first)
		if !yield(first, b) {
			return
		}
	}
}

// pack copies structs to rows. A value that does not fit its port is an error:
// simulators disagree on what they would do with it. It returns the index of the
// struct at fault.
func (b *binding) pack(all column) (int, error) {
	for first, block := range all.blocks {
		if k, err := b.packBlock(block); err != nil {
			return first + k, err
		}
	}
	return 0, nil
}

func (b *binding) packBlock(c column) (int, error) {
	for i := range b.fields {
		f := &b.fields[i]
		var fits bool
		switch {
		case !f.direct:
			fits = false // go through the careful loop below
		case f.size == 1:
			fits = copyOut[uint8](c, f)
		case f.size == 2:
			fits = copyOut[uint16](c, f)
		case f.size == 4:
			fits = copyOut[uint32](c, f)
		default:
			fits = copyOut[uint64](c, f)
		}
		if fits {
			continue
		}
		for k := range c.n {
			if err := f.store(unsafe.Add(c.rows, uintptr(k)*c.pitch), unsafe.Add(c.structs, uintptr(k)*c.stride)); err != nil {
				return k, fmt.Errorf("%s.%s: %w port %s", b.what, f.name, err, f.port)
			}
		}
	}
	return 0, nil
}

// copyOut copies one field of all structs to their rows, and tells whether all
// values fit.
func copyOut[T uint8 | uint16 | uint32 | uint64](c column, f *field) bool {
	var seen T
	from, to := f.offset, uintptr(f.port.Offset)
	for range c.n {
		v := *(*T)(unsafe.Add(c.structs, from))
		seen |= v
		*(*T)(unsafe.Add(c.rows, to)) = v
		from += c.stride
		to += c.pitch
	}
	return seen&T(f.beyond) == 0
}

// unpack copies rows to structs.
func (b *binding) unpack(all column) {
	for _, block := range all.blocks {
		b.unpackBlock(block)
	}
}

func (b *binding) unpackBlock(c column) {
	for i := range b.fields {
		f := &b.fields[i]
		switch {
		case !f.direct:
			for k := range c.n {
				f.load(unsafe.Add(c.structs, uintptr(k)*c.stride), unsafe.Add(c.rows, uintptr(k)*c.pitch))
			}
		case f.size == 1:
			copyIn[uint8](c, f)
		case f.size == 2:
			copyIn[uint16](c, f)
		case f.size == 4:
			copyIn[uint32](c, f)
		default:
			copyIn[uint64](c, f)
		}
	}
}

func copyIn[T uint8 | uint16 | uint32 | uint64](c column, f *field) {
	to, from := f.offset, uintptr(f.port.Offset)
	for range c.n {
		*(*T)(unsafe.Add(c.structs, to)) = *(*T)(unsafe.Add(c.rows, from))
		to += c.stride
		from += c.pitch
	}
}

// differ sets differs[k] to other than 0 where struct k and row k differ in a bit
// that is not set in struct k of ignored. A value that does not fit its port
// differs from any row.
func (b *binding) differ(all column, ignored unsafe.Pointer, differs []uint64) {
	clear(differs[:all.n])
	for first, block := range all.blocks {
		b.differBlock(block, unsafe.Add(ignored, uintptr(first)*all.stride), differs[first:first+block.n])
	}
}

func (b *binding) differBlock(c column, ignored unsafe.Pointer, differs []uint64) {
	for i := range b.fields {
		f := &b.fields[i]
		switch {
		case !f.direct:
			row, mask := make([]byte, b.size), make([]byte, b.size)
			for k := range differs {
				actual := unsafe.Slice((*byte)(unsafe.Add(c.rows, uintptr(k)*c.pitch)), b.size)
				err := f.store(unsafe.Pointer(&row[0]), unsafe.Add(c.structs, uintptr(k)*c.stride))
				if merr := f.store(unsafe.Pointer(&mask[0]), unsafe.Add(ignored, uintptr(k)*c.stride)); err == nil {
					err = merr
				}
				for at := f.port.Offset; at < f.port.Offset+f.port.Size; at++ {
					if err != nil || (row[at]^actual[at])&^mask[at] != 0 {
						differs[k] = 1
					}
				}
			}
		case f.size == 1:
			differIn[uint8](c, ignored, f, differs)
		case f.size == 2:
			differIn[uint16](c, ignored, f, differs)
		case f.size == 4:
			differIn[uint32](c, ignored, f, differs)
		default:
			differIn[uint64](c, ignored, f, differs)
		}
	}
}

func differIn[T uint8 | uint16 | uint32 | uint64](c column, ignored unsafe.Pointer, f *field, differs []uint64) {
	to, from := f.offset, uintptr(f.port.Offset)
	for k := range differs {
		want, mask := *(*T)(unsafe.Add(c.structs, to)), *(*T)(unsafe.Add(ignored, to))
		differs[k] |= uint64((want ^ *(*T)(unsafe.Add(c.rows, from))) &^ mask)
		to += c.stride
		from += c.pitch
	}
}

// store copies the field of the struct at p to the row at r: any kind, carefully.
func (f *field) store(r, p unsafe.Pointer) error {
	row := unsafe.Slice((*byte)(unsafe.Add(r, f.port.Offset)), f.port.Size)
	src := unsafe.Slice((*byte)(unsafe.Add(p, f.offset)), f.size)
	if f.kind == array {
		for i := f.port.Width; i < f.size*8; i++ {
			if src[i/8]>>(i%8)&1 != 0 {
				return fmt.Errorf("bit %d is set, which is beyond", i)
			}
		}
		// Both ends are little endian on the machines that Go, Icarus and
		// Verilator share, so words of 32 and 64 bits lie alike.
		copy(row, src)
		return nil
	}
	var wide [8]byte
	copy(wide[:], src)
	v := binary.LittleEndian.Uint64(wide[:])
	if f.kind == signed {
		s := int64(v<<(64-8*f.size)) >> (64 - 8*f.size)
		if top := s >> (f.port.Width - 1); top != 0 && top != -1 {
			return fmt.Errorf("%d does not fit", s)
		}
		v = uint64(s) &^ f.beyond
	} else if v&f.beyond != 0 {
		return fmt.Errorf("%#x does not fit", v)
	}
	binary.LittleEndian.PutUint64(wide[:], v)
	copy(row, wide[:])
	return nil
}

// load copies a port of the row at r to the struct at p: any kind.
func (f *field) load(p, r unsafe.Pointer) {
	row := unsafe.Slice((*byte)(unsafe.Add(r, f.port.Offset)), f.port.Size)
	dst := unsafe.Slice((*byte)(unsafe.Add(p, f.offset)), f.size)
	if f.kind == array {
		n := copy(dst, row)
		clear(dst[n:])
		return
	}
	var wide [8]byte
	copy(wide[:], row)
	if f.kind == signed {
		shift := 64 - f.port.Width
		v := int64(binary.LittleEndian.Uint64(wide[:])<<shift) >> shift
		binary.LittleEndian.PutUint64(wide[:], uint64(v))
	}
	copy(dst, wide[:])
}
