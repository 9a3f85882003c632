package fuzz

import (
	"fmt"
	"math/bits"
	"reflect"
	"unsafe"

	"github.com/cosimate/cosimate/sim/internal/inputs"
)

// Decoder reads stimulus from a fuzzer's bytes. Any bytes decode, and each value is one that the
// `rand` tag of its field allows (see package sim/stim; weights and probabilities do not matter
// here). Fields tagged `rand:"-"` stay zero: the reset, often.
//
// A cycle is [Decoder.Size] bytes: the bools in bits, eight a byte, and then the other fields in
// their order, each in as many bytes as its values need, the least significant first. Nothing of a
// cycle depends on another, so what Go does to the bytes (it changes, inserts, removes and copies
// some) does something alike to the cycles. The last byte of all is not read: see [Spare].
type Decoder[I any] struct {
	cycles int
	size   int
	bools  []place
	others []place
}

// place is where a field is read from, and how.
type place struct {
	inputs.Field
	at    int    // byte, or bit of a bool, in a cycle
	bytes int    // of the others
	n     uint64 // number of values, if 64 bits hold them; 0 is 2^64
}

// NewDecoder makes a decoder to at most so many cycles of struct type I. An error names the faulty
// tags.
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

// Spare is how many bytes at the end of its input a fuzz test must not depend on, or Go loses most
// of what it finds. When it has shortened an input that reaches something new, it decides whether
// to keep that by what the last try reached (Go 1.26, internal/fuzz: minimize returns
// coverageSnapshot), be it the input or one that has failed. The last tries are other values of the
// last byte, of which the first is good if none matters.
const Spare = 1

// Size is the number of bytes of a cycle.
func (d *Decoder[I]) Size() int { return d.size }

// Decode reads a stimulus of at least one cycle. Bytes that lack at the end of the last cycle
// are taken as 0; those beyond the greatest number of cycles are not looked at.
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

// word is the first n bytes, or as many as there are, least significant first.
func word(data []byte, n int) (v uint64) {
	for i, b := range data[:min(n, len(data))] {
		v |= uint64(b) << (8 * i)
	}
	return v
}

// Encode writes a stimulus as bytes that decode to it: seeds for f.Add. The error says which value
// its field's tag does not allow, or that there are too many cycles. Fixed fields are not written.
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
