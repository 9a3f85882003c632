package fuzz

import (
	"fmt"
	"math/bits"
	"reflect"
	"unsafe"

	"github.com/cosimate/cosimate/sim/internal/inputs"
)

// Decoder decodes a fuzzer's bytes to stimulus. Any bytes decode, and each value is one that the
// `rand` tag of its field allows (see package sim/stim). Weights and probabilities have no effect
// here. Fields tagged `rand:"-"` stay zero: often the reset.
//
// A cycle is [Decoder.Size] bytes. First come the bools, eight in a byte, and then the other fields
// in their order. Each has as many bytes as its values need, the least significant first. No cycle
// depends on another, so that changes to the bytes are similar changes to the cycles: the fuzzer
// changes, inserts, removes and copies some. The very last byte is not read: see [Spare].
type Decoder[I any] struct {
	cycles int
	size   int
	bools  []place
	others []place
}

// place is where and how a field is read.
type place struct {
	inputs.Field
	at    int    // first byte in a cycle, or bit of a bool
	bytes int    // number of bytes, but for a bool
	n     uint64 // number of values, if they fit 64 bits; 0 is 2^64
}

// NewDecoder returns a decoder to at most so many cycles of struct type I. The error names the
// faulty tags.
func NewDecoder[I any](cycles int) (*Decoder[I], error) {
	if cycles < 1 {
		return nil, fmt.Errorf("fuzz: a decoder to at most %d cycles: at least 1 is needed", cycles)
	}
	fields, err := inputs.Of(reflect.TypeFor[I]())
	if err != nil {
		return nil, fmt.Errorf("fuzz: %w", err)
	}
	d := &Decoder[I]{cycles: cycles}
	for _, f := range fields {
		if f.Kind == inputs.Bool && !f.Fixed {
			d.bools = append(d.bools, place{Field: f, at: len(d.bools)})
		}
	}
	d.size = (len(d.bools) + 7) / 8
	for _, f := range fields {
		if f.Kind == inputs.Bool || f.Fixed {
			continue
		}
		p := place{Field: f, at: d.size}
		switch {
		case f.OneHot:
			p.n = uint64(f.Bits)
		case f.Kind != inputs.Words:
			for _, item := range f.Items {
				p.n += item.Span() + 1
			}
		}
		p.bytes = (bits.Len64(p.n-1) + 7) / 8
		if f.Kind == inputs.Words && !f.OneHot {
			p.bytes = (f.Bits + 7) / 8
		}
		d.size += p.bytes
		d.others = append(d.others, p)
	}
	if d.size == 0 {
		return nil, fmt.Errorf("fuzz: %s has no field to decode: each is fixed", reflect.TypeFor[I]())
	}
	return d, nil
}

// Spare is the number of bytes at the end of its input that a fuzz test must ignore. Otherwise Go
// loses most of the inputs that it finds. It shortens each input that reaches something new, and
// then keeps it only if the last try reached that, too (Go 1.26, internal/fuzz: minimize returns
// coverageSnapshot). The last tries change the last byte. If this byte has no effect, they reach
// the same as the input.
const Spare = 1

// Size returns the number of bytes of a cycle.
func (d *Decoder[I]) Size() int { return d.size }

// Decode returns a stimulus of at least one cycle. Bytes that are missing in the last cycle are
// taken as 0. Bytes beyond the greatest number of cycles are ignored.
func (d *Decoder[I]) Decode(data []byte) []I {
	data = data[:max(len(data)-Spare, 0)]
	n := min(max((len(data)+d.size-1)/d.size, 1), d.cycles)
	in := make([]I, n)
	row := make([]byte, d.size)
	for k := range in {
		clear(row)
		copy(row, data[min(k*d.size, len(data)):])
		p := unsafe.Pointer(&in[k])
		for i := range d.bools {
			b := &d.bools[i]
			b.Store(p, 0, uint64(row[b.at/8]>>(b.at%8)&1))
		}
		for i := range d.others {
			o := &d.others[i]
			o.decode(p, row[o.at:o.at+o.bytes])
		}
	}
	return in
}

// decode sets the field of the struct at p.
func (o *place) decode(p unsafe.Pointer, data []byte) {
	if o.Kind == inputs.Words && !o.OneHot {
		for i := range o.Len() {
			o.Store(p, i, word(data[min(i*o.Word, len(data)):], o.Word)&o.Mask(i))
		}
		return
	}
	v := word(data, 8)
	if o.n != 0 {
		v %= o.n
	}
	if o.OneHot {
		width := uint64(8 * o.Word)
		one := uint64(1) << (v % width)
		if o.Kind == inputs.Signed && v == uint64(o.Bits)-1 {
			one = -one // the sign
		}
		o.Store(p, int(v/width), one)
		return
	}
	for _, item := range o.Items {
		if v <= item.Span() {
			o.Store(p, 0, item.Lo+v)
			return
		}
		v -= item.Span() + 1
	}
}

// word returns the number in the first n bytes, or as many as there are, least significant first.
func word(data []byte, n int) (v uint64) {
	for i, b := range data[:min(n, len(data))] {
		v |= uint64(b) << (8 * i)
	}
	return v
}

// Encode returns bytes that decode to a stimulus: a seed for f.Add. The error names a value that
// the tag of its field does not allow, or says that there are too many cycles. Fixed fields are not
// encoded.
func (d *Decoder[I]) Encode(in []I) ([]byte, error) {
	if len(in) < 1 || len(in) > d.cycles {
		return nil, fmt.Errorf("fuzz: %d cycles cannot be encoded: it must be 1 to %d", len(in), d.cycles)
	}
	data := make([]byte, len(in)*d.size+Spare)
	for k := range in {
		p, row := unsafe.Pointer(&in[k]), data[k*d.size:(k+1)*d.size]
		for i := range d.bools {
			b := &d.bools[i]
			row[b.at/8] |= byte(b.Load(p, 0)) << (b.at % 8)
		}
		for i := range d.others {
			o := &d.others[i]
			if !o.Allows(p) {
				return nil, fmt.Errorf("fuzz: cycle %d: %T.%s has a value that its tag does not allow", k, in[k], o.Name)
			}
			o.encode(p, row[o.at:o.at+o.bytes])
		}
	}
	return data, nil
}

// encode writes the field of the struct at p, whose value is allowed.
func (o *place) encode(p unsafe.Pointer, data []byte) {
	var v uint64
	switch {
	case o.OneHot:
		for i := range o.Len() {
			if w := o.Load(p, i); w != 0 {
				v = uint64(8*o.Word*i + bits.TrailingZeros64(w))
			}
		}
	case o.Kind == inputs.Words:
		for i := range data {
			data[i] = byte(o.Load(p, i/o.Word) >> (8 * (i % o.Word)))
		}
		return
	default:
		w := o.Load(p, 0)
		for _, item := range o.Items {
			if w-item.Lo <= item.Span() {
				v += w - item.Lo
				break
			}
			v += item.Span() + 1
		}
	}
	for i := range data {
		data[i] = byte(v >> (8 * i))
	}
}
