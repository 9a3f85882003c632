package search

import (
	"math/bits"
	"sync/atomic"

	"github.com/cosimate/cosimate/engine"
)

// bound says how a stored value compares with the true one.
type bound uint8

const (
	noBound bound = iota
	upper         // the true value is at most the stored one
	lower         // it is at least the stored one
	exact
)

// entry is what the table knows of a position.
type entry struct {
	move  packedMove
	value int16 // mates count from this position, not from the root
	depth int8
	bound bound
	age   uint8 // 6 bits
	pv    bool  // it has been on the line that was expected to be played
}

// packedMove is a move in 15 bits: origin, destination, promotion. Zero is none.
type packedMove uint16

func pack(m engine.Move) packedMove {
	return packedMove(m.From) | packedMove(m.To)<<6 | packedMove(m.Promotion)<<12
}

func (e entry) bits() uint64 {
	x := uint64(e.move) | uint64(uint16(e.value))<<16 | uint64(uint8(e.depth))<<32 |
		uint64(e.bound)<<40 | uint64(e.age)<<42
	if e.pv {
		x |= 1 << 48
	}
	return x
}

func entryOf(x uint64) entry {
	return entry{packedMove(x), int16(x >> 16), int8(x >> 32), bound(x >> 40 & 3), uint8(x >> 42 & 63), x>>48&1 != 0}
}

// slot holds an entry and its position's key, exclusive-or the entry: threads write both halves
// without a lock, and a slot whose halves come from two writers fits no position.
type slot struct{ check, data atomic.Uint64 }

// table is a transposition table of buckets, shared by all threads of a search.
type table struct {
	buckets [][4]slot
	age     uint8
}

const bucketBytes = 4 * 16

// newTable makes a table of so many bytes, at least one bucket.
func newTable(bytes int) *table {
	return &table{buckets: make([][4]slot, max(1, bytes/bucketBytes))}
}

func (t *table) clear() { clear(t.buckets) }

// next begins a new search: entries of older ones are the first to be replaced.
func (t *table) next() { t.age = (t.age + 1) & 63 }

func (t *table) bucket(key uint64) *[4]slot {
	i, _ := bits.Mul64(key, uint64(len(t.buckets)))
	return &t.buckets[i]
}

// probe returns what is known of a position.
func (t *table) probe(key uint64) (e entry, ok bool) {
	b := t.bucket(key)
	for i := range b {
		data := b[i].data.Load()
		if b[i].check.Load()^data == key && data != 0 {
			return entryOf(data), true
		}
	}
	return entry{}, false
}

// store keeps what was found out of a position, in the place of what is of least use.
func (t *table) store(key uint64, e entry) {
	b := t.bucket(key)
	e.age = t.age
	worst, least := 0, 1<<30
	for i := range b {
		data := b[i].data.Load()
		old := entryOf(data)
		if data == 0 || b[i].check.Load()^data == key {
			if data != 0 {
				if e.move == 0 {
					e.move = old.move
				}
				if e.bound != exact && old.age == t.age && old.depth > e.depth+3 {
					return
				}
			}
			worst = i
			break
		}
		if use := int(old.depth) - 8*int((t.age-old.age)&63); use < least {
			worst, least = i, use
		}
	}
	data := e.bits()
	b[worst].check.Store(key ^ data)
	b[worst].data.Store(data)
}

// full returns how many thousandths of the table are in use by this search, as far as the first
// thousand slots tell.
func (t *table) full() int {
	n, seen := 0, 0
	for i := range min(250, len(t.buckets)) {
		for j := range t.buckets[i] {
			if x := t.buckets[i][j].data.Load(); x != 0 && entryOf(x).age == t.age {
				n++
			}
			seen++
		}
	}
	return n * 1000 / seen
}
