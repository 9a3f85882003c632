// Package inputs describes the structs that hold a module's inputs: which fields there are, how
// their bits are in memory, and which values their `rand` tags allow. Stimulus (sim/stim), decoding
// of a fuzzer's bytes (sim/fuzz) and shrinking (sim/shrink) are built on it.
//
//	fields, err := inputs.Of(reflect.TypeFor[In]())
//	fields[0].Store(unsafe.Pointer(&in), 0, 1)
//
// A field is a bool, an integer of a fixed size, signed or not, or for a port wider than 64 bits an
// array of uint32 or uint64, least significant word first, as package sim binds them. Package
// sim/stim describes the grammar of the tag.
package inputs

import (
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"unsafe"
)

// maxBits is the width of the widest field.
const maxBits = 4096

// Kind is the kind of a field's type.
type Kind uint8

const (
	Bool Kind = iota
	Unsigned
	Signed
	Words // an array of uint32 or uint64
)

// Field is one field of a struct of inputs.
type Field struct {
	Name   string // of the field
	Port   string // its port tag, or ""
	Index  int    // in the struct
	Kind   Kind
	Offset uintptr
	Size   int // bytes
	Word   int // bytes of one word; for other kinds than Words the same as Size
	Rule
}

// Rule is what a field's tag allows.
type Rule struct {
	Fixed   bool    // rand:"-": not drawn
	Bits    int     // width of the type, or N of bits=N
	OneHot  bool    // exactly one bit is set
	P       float64 // of a bool: the probability of true
	Items   []Item  // the value is in one of these; none for Words and Bool
	Corners bool    // corner values are favoured
}

// Item is a range of values, both ends included, as 64-bit two's complement.
type Item struct {
	Lo, Hi uint64
	Weight uint32
}

// Span returns the number of values less one.
func (i Item) Span() uint64 { return i.Hi - i.Lo }

// Of returns the fields of a struct type, in order. A field tagged `port:"-"` is no input, and is
// left out unless it has a rand tag. The error names every fault of every field.
func Of(t reflect.Type) ([]Field, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%s must be a struct, whose fields are the inputs", t)
	}
	var fields []Field
	var faults []error
	for i := range t.NumField() {
		sf := t.Field(i)
		tag, tagged := sf.Tag.Lookup("rand")
		port := sf.Tag.Get("port")
		if port == "-" && (!tagged || tag == "-") {
			continue
		}
		f := Field{Name: sf.Name, Port: port, Index: i, Offset: sf.Offset, Size: int(sf.Type.Size())}
		if err := f.fit(sf.Type); err != nil {
			faults = append(faults, fmt.Errorf("%s.%s: %w", t, sf.Name, err))
			continue
		}
		if column, fault := f.parse(tag); fault != "" {
			faults = append(faults, fmt.Errorf("%s.%s: tag rand:%q, column %d: %s", t, sf.Name, tag, column, fault))
			continue
		}
		fields = append(fields, f)
	}
	return fields, errors.Join(faults...)
}

// fit sets the kind and the sizes of a field of type t.
func (f *Field) fit(t reflect.Type) error {
	f.Word, f.Bits = f.Size, 8*f.Size
	switch t.Kind() {
	case reflect.Bool:
		f.Kind, f.Bits = Bool, 1
		return nil
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		f.Kind = Unsigned
		return nil
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		f.Kind = Signed
		return nil
	case reflect.Array:
		f.Kind, f.Word = Words, int(t.Elem().Size())
		if e := t.Elem().Kind(); (e == reflect.Uint32 || e == reflect.Uint64) && f.Bits > 0 {
			if f.Bits > maxBits {
				return fmt.Errorf("it has %d bits: at most %d are possible", f.Bits, maxBits)
			}
			return nil
		}
	}
	return fmt.Errorf("an input cannot be %s: use bool, an integer of a fixed size, or an array of uint64 or uint32; a field that is no input is tagged `port:\"-\"`", t)
}

// Load returns word i of the field of the struct at p, sign-extended to 64 bits if it is signed.
func (f *Field) Load(p unsafe.Pointer, i int) uint64 {
	at := unsafe.Add(p, f.Offset+uintptr(i*f.Word))
	switch f.Word {
	case 1:
		if f.Kind == Signed {
			return uint64(int64(*(*int8)(at)))
		}
		return uint64(*(*uint8)(at))
	case 2:
		if f.Kind == Signed {
			return uint64(int64(*(*int16)(at)))
		}
		return uint64(*(*uint16)(at))
	case 4:
		if f.Kind == Signed {
			return uint64(int64(*(*int32)(at)))
		}
		return uint64(*(*uint32)(at))
	}
	return *(*uint64)(at)
}

// Store sets word i of the field of the struct at p to the low bits of v. A bool takes 0 or 1.
func (f *Field) Store(p unsafe.Pointer, i int, v uint64) {
	at := unsafe.Add(p, f.Offset+uintptr(i*f.Word))
	switch f.Word {
	case 1:
		*(*uint8)(at) = uint8(v)
	case 2:
		*(*uint16)(at) = uint16(v)
	case 4:
		*(*uint32)(at) = uint32(v)
	default:
		*(*uint64)(at) = v
	}
}

// Len returns the number of words, which is 1 unless the field is of kind Words.
func (f *Field) Len() int { return f.Size / f.Word }

// Mask returns the bits of word i that the field's rule allows to be set. For a signed field these
// are all bits.
func (f *Field) Mask(i int) uint64 {
	if f.Kind == Signed {
		return ^uint64(0)
	}
	n := min(f.Bits-8*f.Word*i, 8*f.Word)
	if n <= 0 {
		return 0
	}
	return ^uint64(0) >> (64 - n)
}

// Allows reports whether the field of the struct at p has a value that its rule allows. A fixed
// field may have any value.
func (f *Field) Allows(p unsafe.Pointer) bool {
	if f.Fixed || f.Kind == Bool {
		return true
	}
	ones := 0
	for i := range f.Len() {
		v := f.Load(p, i)
		if v&^f.Mask(i) != 0 {
			return false
		}
		if f.Kind == Signed {
			v &= ^uint64(0) >> (64 - f.Bits)
		}
		ones += bits.OnesCount64(v)
	}
	if f.OneHot {
		return ones == 1
	}
	if f.Kind == Words {
		return true
	}
	v := f.Load(p, 0)
	for _, item := range f.Items {
		if v-item.Lo <= item.Span() {
			return true
		}
	}
	return false
}
