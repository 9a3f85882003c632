package stim

import (
	"math/bits"
	"math/rand/v2"
	"unsafe"

	"github.com/cosimate/cosimate/sim/internal/inputs"
)

// op draws one field.
type op struct {
	f     *inputs.Field
	draw  kind
	lo    uint64 // the least value of the only item
	n     uint64 // the number of its values; 0 is 2^64
	limit uint64 // a bool is true for random words below it, and see sure
	sure  bool   // a bool is always true
	total uint64 // the sum of all weights
}

type kind uint8

const (
	coin     kind = iota
	uniform       // a value of one range
	corners       // a value of one range, corners favoured
	weighted      // a value of several items
	onehot
	words // several words, corners favoured
)

// compile returns the plan for fields: what is drawn, in the order of the fields. The plan and draw
// determine the sequence of a seed, which must not change: see TestGolden.
func compile(fields []inputs.Field) []op {
	var plan []op
	for i := range fields {
		f := &fields[i]
		if f.Fixed {
			continue
		}
		o := op{f: f}
		switch {
		case f.Kind == inputs.Bool:
			o.draw, o.sure = coin, f.P == 1
			if !o.sure {
				o.limit = uint64(f.P * (1 << 63) * 2)
			}
		case f.OneHot:
			o.draw = onehot
		case f.Kind == inputs.Words:
			o.draw = words
		case len(f.Items) > 1:
			o.draw = weighted
			for _, item := range f.Items {
				o.total += uint64(item.Weight)
			}
		default:
			o.draw, o.lo, o.n = uniform, f.Items[0].Lo, f.Items[0].Span()+1
			if f.Corners {
				o.draw = corners
			}
		}
		plan = append(plan, o)
	}
	return plan
}

// below maps 64 random bits to 0..n-1, where n = 0 is 2^64. The bias is n/2^64 at most.
func below(x, n uint64) uint64 {
	if n == 0 {
		return x
	}
	hi, _ := bits.Mul64(x, n)
	return hi
}

// draw sets the fields of the struct at p.
func draw(plan []op, source *rand.PCG, p unsafe.Pointer) {
	for i := range plan {
		o := &plan[i]
		x := source.Uint64()
		var v uint64
		switch o.draw {
		case coin:
			if x < o.limit || o.sure {
				v = 1
			}
		case uniform:
			v = o.lo + below(x, o.n)
		case corners:
			v = o.corner(x, source)
		case weighted:
			v = o.weighted(x, source)
		case onehot:
			o.setBit(p, int(below(x, uint64(o.f.Bits))))
			continue
		case words:
			o.words(p, x, source)
			continue
		}
		o.f.Store(p, 0, v)
	}
}

// corner returns a corner value in a quarter of the draws if the range has it, and otherwise any
// value of the range.
func (o *op) corner(x uint64, source *rand.PCG) uint64 {
	if x&3 == 0 {
		mask := ^uint64(0) >> (64 - o.f.Bits)
		hi := o.lo + o.n - 1
		var v uint64
		switch x >> 2 & 7 {
		case 0:
			v = o.lo
		case 1:
			v = o.lo + 1
		case 2:
			v = hi - 1
		case 3:
			v = hi
		case 4:
			v = 0
		case 5:
			v = o.bit(x)
		case 6:
			v = mask &^ o.bit(x)
		case 7: // a run of ones
			a, b := o.bit(x), o.bit(x>>32)
			v = 2*max(a, b) - min(a, b)
		}
		if o.f.Kind == inputs.Signed {
			v = extend(v, o.f.Bits)
		}
		if o.n == 0 || v-o.lo < o.n {
			return v
		}
	}
	if o.n != 0 && o.n <= 1<<32 {
		return o.lo + x>>32*o.n>>32
	}
	return o.lo + below(source.Uint64(), o.n)
}

// bit returns a word with one bit of the field set, chosen by bits 8 to 31 of x.
func (o *op) bit(x uint64) uint64 {
	return 1 << (x >> 8 & 0xff_ffff * uint64(o.f.Bits) >> 24)
}

func extend(v uint64, width int) uint64 {
	return uint64(int64(v<<(64-width)) >> (64 - width))
}

// weighted draws an item by weight, and returns one of its values.
func (o *op) weighted(x uint64, source *rand.PCG) uint64 {
	pick := x >> 32 * o.total >> 32
	i := 0
	for w := uint64(o.f.Items[0].Weight); pick >= w; w = uint64(o.f.Items[i].Weight) {
		pick -= w
		i++
	}
	item := &o.f.Items[i]
	switch n := item.Span() + 1; {
	case n == 1:
		return item.Lo
	case n-1 < 1<<16:
		return item.Lo + x&0xffff_ffff*n>>32
	default:
		return item.Lo + below(source.Uint64(), n)
	}
}

// setBit sets bit n of the field and clears all others.
func (o *op) setBit(p unsafe.Pointer, n int) {
	width := 8 * o.f.Word
	for i := range o.f.Len() {
		o.f.Store(p, i, 0)
	}
	v := uint64(1) << (n % width)
	if o.f.Kind == inputs.Signed {
		v = extend(v, o.f.Bits)
	}
	o.f.Store(p, n/width, v)
}

// words draws a field of several words.
func (o *op) words(p unsafe.Pointer, x uint64, source *rand.PCG) {
	f := o.f
	if x&3 != 0 {
		for i := range f.Len() {
			f.Store(p, i, source.Uint64()&f.Mask(i))
		}
		return
	}
	// A corner is a run of ones in bits [from, to), or the inverse of one.
	width := uint64(f.Bits)
	var from, to, turned uint64
	switch x >> 2 & 7 {
	case 0: // zero
	case 1: // one
		to = 1
	case 2: // all but bit 0
		from, to = 1, width
	case 3: // all
		to = width
	case 4, 5: // a single bit
		from = below(source.Uint64(), width)
		to = from + 1
	case 6: // all but a single bit
		from, turned = below(source.Uint64(), width), ^uint64(0)
		to = from + 1
	case 7:
		from = below(source.Uint64(), width)
		to = from + 1 + below(source.Uint64(), width-from)
	}
	size := uint64(8 * f.Word)
	for i := range f.Len() {
		start := size * uint64(i)
		f.Store(p, i, (ones(to, start)&^ones(from, start)^turned)&f.Mask(i))
	}
}

// ones returns a word with the field's bits below end set, where the word's first bit is bit start.
func ones(end, start uint64) uint64 {
	if end <= start {
		return 0
	}
	if end-start >= 64 {
		return ^uint64(0)
	}
	return 1<<(end-start) - 1
}
