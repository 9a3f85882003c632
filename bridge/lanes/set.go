package lanes

import (
	"iter"
	"math/bits"
)

// Count is how many lanes a batch has.
const Count = 512

// Set is a set of lanes.
type Set [Count / 64]uint64

// All returns the set of all lanes.
func All() Set {
	var s Set
	for i := range s {
		s[i] = ^uint64(0)
	}
	return s
}

// Has reports whether a lane is in the set.
func (s *Set) Has(lane int) bool { return s[lane/64]>>(lane%64)&1 != 0 }

// Add puts a lane into the set.
func (s *Set) Add(lane int) { s[lane/64] |= 1 << (lane % 64) }

// Remove takes a lane out of the set.
func (s *Set) Remove(lane int) { s[lane/64] &^= 1 << (lane % 64) }

// Len returns how many lanes are in the set.
func (s *Set) Len() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Lanes are the lanes of the set, in order. The set may be changed meanwhile: the lanes are those
// at the beginning.
func (s *Set) Lanes() iter.Seq[int] {
	words := *s
	return func(yield func(int) bool) {
		for i, w := range words {
			for ; w != 0; w &= w - 1 {
				if !yield(64*i + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}
