package shrink

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/cosimate/cosimate/sim/internal/inputs"
)

// simplify makes the values of the best simpler, field by field. It reports whether it has changed
// any.
func (s *search[I]) simplify() (changed bool, err error) {
	for i := range s.fields {
		f := &s.fields[i]
		for _, pass := range []func(*inputs.Field) (bool, error){s.zeroAll, s.zeroSteps, s.clearBits, s.hold} {
			ok, err := pass(f)
			changed = changed || ok
			if err != nil {
				return changed, err
			}
		}
	}
	return changed, nil
}

// edit tries the best with one field of some steps changed. change returns false if the field stays
// as it is.
func (s *search[I]) edit(f *inputs.Field, from, to int, change func(p unsafe.Pointer) bool) (bool, error) {
	candidate := slices.Clone(s.best)
	changed := false
	for k := from; k < to; k++ {
		p := unsafe.Pointer(&candidate[k])
		old := candidate[k]
		if change(p) && f.Allows(p) {
			changed = true
		} else {
			candidate[k] = old
		}
	}
	if !changed {
		return false, nil
	}
	return s.try(candidate)
}

// zeroAll sets a field to 0 in all steps, as most fields play no part in a failure.
func (s *search[I]) zeroAll(f *inputs.Field) (bool, error) {
	return s.edit(f, 0, len(s.best), func(p unsafe.Pointer) bool { return zero(f, p) })
}

// zeroSteps sets a field to 0 in single steps.
func (s *search[I]) zeroSteps(f *inputs.Field) (changed bool, err error) {
	for k := range s.best {
		ok, err := s.edit(f, k, k+1, func(p unsafe.Pointer) bool { return zero(f, p) })
		changed = changed || ok
		if err != nil {
			return changed, err
		}
	}
	return changed, nil
}

func zero(f *inputs.Field, p unsafe.Pointer) (changed bool) {
	for i := range f.Len() {
		changed = changed || f.Load(p, i) != 0
		f.Store(p, i, 0)
	}
	return changed
}

// clearBits clears single bits of a field in single steps, the highest first. Of a negative number
// it clears bits of the magnitude.
func (s *search[I]) clearBits(f *inputs.Field) (changed bool, err error) {
	for k := range s.best {
		for i := f.Len() - 1; i >= 0; i-- {
			ok, err := s.clearWord(f, k, i)
			changed = changed || ok
			if err != nil {
				return changed, err
			}
		}
	}
	return changed, nil
}

func (s *search[I]) clearWord(f *inputs.Field, k, i int) (changed bool, err error) {
	set := func(v uint64, negative bool) (bool, error) {
		if negative {
			v = -v
		}
		return s.edit(f, k, k+1, func(p unsafe.Pointer) bool {
			f.Store(p, i, v)
			return true
		})
	}
	v, negative := magnitude(f, unsafe.Pointer(&s.best[k]), i)
	if f.Len() > 1 && v != 0 { // try the whole word before its bits
		if ok, err := set(0, false); ok || err != nil {
			return ok, err
		}
	}
	for left := v; left != 0; {
		bit := uint64(1) << (bits.Len64(left) - 1)
		left &^= bit
		ok, err := set(v&^bit, negative)
		if err != nil {
			return changed, err
		}
		if ok {
			v &^= bit
			changed = true
		}
	}
	return changed, nil
}

// magnitude returns word i of a field without its sign. If the word fits the port, so does the
// magnitude, and any number with some of its bits.
func magnitude(f *inputs.Field, p unsafe.Pointer, i int) (v uint64, negative bool) {
	v = f.Load(p, i)
	if f.Kind == inputs.Signed && int64(v) < 0 {
		return -v, true
	}
	return v, false
}

// hold gives a field the value of the step before or after, if that has no more bits set and the
// field then changes less often.
func (s *search[I]) hold(f *inputs.Field) (changed bool, err error) {
	for k := range s.best {
		for _, ends := range [][2]int{{k - 1, k + 1}, {k + 1, k - 1}} {
			like, other := ends[0], ends[1]
			if like < 0 || like >= len(s.best) {
				continue
			}
			here, held := unsafe.Pointer(&s.best[k]), unsafe.Pointer(&s.best[like])
			changesThere := other < 0 || other >= len(s.best) || !same(f, here, unsafe.Pointer(&s.best[other]))
			if same(f, held, here) || weight(f, held) > weight(f, here) || !changesThere {
				continue
			}
			ok, err := s.edit(f, k, k+1, func(p unsafe.Pointer) bool {
				for i := range f.Len() {
					f.Store(p, i, f.Load(held, i))
				}
				return true
			})
			changed = changed || ok
			if err != nil {
				return changed, err
			}
		}
	}
	return changed, nil
}

// weight returns the number of a field's bits that are set.
func weight(f *inputs.Field, p unsafe.Pointer) (n int) {
	for i := range f.Len() {
		v, _ := magnitude(f, p, i)
		n += bits.OnesCount64(v)
	}
	return n
}

func same(f *inputs.Field, a, b unsafe.Pointer) bool {
	for i := range f.Len() {
		if f.Load(a, i) != f.Load(b, i) {
			return false
		}
	}
	return true
}
