package lanes

/*
#include <stdlib.h>
#include "lanes.h"
*/
import "C"

import (
	"math/bits"
	"math/rand/v2"
	"unsafe"
)

// powerUp gives states and memories their values at power-up.
func (b *Batch) powerUp(o Options) {
	var source rand.Source = rand.NewPCG(o.Seed, 0)
	if o.Inverted {
		source = inverted{source}
	}
	r := rand.New(source)
	for i, value := range b.m.program.constants {
		if value {
			b.planes[i] = All()
		}
	}
	at := planeOf(b.m.program.c.firstState())
	for i, s := range b.m.program.c.States {
		b.planes[at+i] = powerUpBit(r, s.Initial, o)
	}
	all := b.m.program.c.Memory
	if len(all) == 0 {
		return
	}
	table := unsafe.Slice((*unsafe.Pointer)(b.allocate(len(all)*int(unsafe.Sizeof(uintptr(0))))), len(all))
	b.b.memories = (*unsafe.Pointer)(unsafe.Pointer(&table[0]))
	for i := range all {
		table[i] = b.newMemory(&all[i], r, o)
	}
}

// inverted is a source of the other bits.
type inverted struct{ rand.Source }

func (s inverted) Uint64() uint64 { return ^s.Source.Uint64() }

// powerUpBit returns the plane of a bit: 0, 1, or any value if it is -1.
func powerUpBit(r *rand.Rand, bit int8, o Options) Set {
	switch {
	case bit == 0, bit < 0 && o.Zeros, bit < 0 && o.Alike && r.Uint64()&1 == 0:
		return Set{}
	case bit == 1, bit < 0 && o.Alike:
		return All()
	}
	var s Set
	for i := range s {
		s[i] = r.Uint64()
	}
	return s
}

// newMemory returns the memory of a memory of all lanes, in the order of shim/memory.h.
func (b *Batch) newMemory(m *memory, r *rand.Rand, o Options) unsafe.Pointer {
	if m.small() {
		planes := b.newPlanes(m.Size * m.stride())
		m.powerUp(r, o, func(part, word, lane int, v uint64) {
			for at := word*m.stride() + 64*part; v != 0; v &= v - 1 {
				planes[at+bits.TrailingZeros64(v)].Add(lane)
			}
		})
		return unsafe.Pointer(unsafe.SliceData(planes))
	}
	bytes := m.elementBytes()
	p := b.allocate(m.parts() * m.Size * Count * bytes)
	data := unsafe.Slice((*byte)(p), m.parts()*m.Size*Count*bytes)
	m.powerUp(r, o, func(part, word, lane int, v uint64) {
		// The order of lanes is that of the words of a transposed plane.
		element := (part*m.Size+word)*Count + lane
		for i := range bytes {
			data[element*bytes+i] = byte(v >> (8 * i))
		}
	})
	return p
}

// powerUp calls set with the value of each part of each word of each lane.
func (m *memory) powerUp(r *rand.Rand, o Options, set func(part, word, lane int, v uint64)) {
	for part := range m.parts() {
		for word := range m.Size {
			known, value := m.initial(word, part)
			any := r.Uint64()
			for lane := range Count {
				switch {
				case o.Zeros:
					any = 0
				case !o.Alike && known != ^uint64(0):
					any = r.Uint64()
				}
				v := value&known | any&^known
				if width := m.Width - 64*part; width < 64 {
					v &= 1<<width - 1
				}
				set(part, word, lane, v)
			}
		}
	}
}

// initial returns the initial value of a part of a word, and which bits of it have one.
func (m *memory) initial(word, part int) (known, value uint64) {
	for i := range min(64, m.Width-64*part) {
		at := len(m.Initial) - 1 - word*m.Width - 64*part - i
		if at < 0 {
			continue
		}
		switch m.Initial[at] {
		case '1':
			value |= 1 << i
			known |= 1 << i
		case '0':
			known |= 1 << i
		}
	}
	return known, value
}
