package live

import (
	"encoding/binary"
	"slices"

	"github.com/cosimate/cosimate/rtl/board"
)

// record is all inputs that a board has had since it was plugged in, so that they can be played
// again. A change takes some three bytes. One goroutine adds to it while others play what was there
// before.
type record struct {
	chunks [][]byte // what is in them stays as it is
	last   uint32
	cycle  uint64
	size   int
	full   bool // there was too much: nothing is left
}

const (
	recordChunk = 64 << 10
	recordMost  = 16 << 20
)

// add adds the inputs that the board has from a cycle on.
func (r *record) add(cycle uint64, in board.In) {
	if r == nil || r.full {
		return
	}
	now := packed(in)
	var b [2 * binary.MaxVarintLen64]byte
	n := binary.PutUvarint(b[:], cycle-r.cycle)
	n += binary.PutUvarint(b[n:], uint64(now^r.last))
	r.last, r.cycle = now, cycle
	if r.size += n; r.size > recordMost {
		*r = record{full: true}
		return
	}
	last := len(r.chunks) - 1
	if last < 0 || len(r.chunks[last])+n > recordChunk {
		r.chunks = append(r.chunks, make([]byte, 0, recordChunk))
		last++
	}
	r.chunks[last] = append(r.chunks[last], b[:n]...)
}

// parts returns what there is now.
func (r *record) parts() [][]byte { return slices.Clone(r.chunks) }

// player plays a record. It may be given a longer version of the same in between.
type player struct {
	parts     [][]byte
	part, pos int // what is to be read next
	now, then uint32
	read      uint64 // the cycle of then
	more      bool   // then is a change that has not come yet
}

// at returns the inputs of a cycle. Cycles must not go back.
func (p *player) at(cycle uint64) board.In {
	for {
		if !p.more && !p.next() || p.read > cycle {
			return unpacked(p.now)
		}
		p.now, p.more = p.then, false
	}
}

// next reads a change.
func (p *player) next() bool {
	for p.part < len(p.parts) && p.pos == len(p.parts[p.part]) {
		if p.part == len(p.parts)-1 {
			return false // it may grow
		}
		p.part, p.pos = p.part+1, 0
	}
	if p.part == len(p.parts) {
		return false
	}
	data := p.parts[p.part][p.pos:]
	wait, n := binary.Uvarint(data)
	flips, k := binary.Uvarint(data[n:])
	p.pos += n + k
	p.read, p.then, p.more = p.read+wait, p.now^uint32(flips), true
	return true
}

// packed puts the inputs into bits, those that change often into the low ones.
func packed(in board.In) uint32 {
	bit := func(b bool, at int) uint32 {
		if b {
			return 1 << at
		}
		return 0
	}
	return bit(in.SenseN, 0) | bit(in.Rx, 1) | bit(in.Clock, 2) | bit(in.RstN, 3) |
		uint32(in.Promotion)<<4 | uint32(in.LinesPlay)<<8 | uint32(in.Lines)<<10
}

func unpacked(b uint32) board.In {
	return board.In{
		SenseN: b&1 != 0, Rx: b>>1&1 != 0, Clock: b>>2&1 != 0, RstN: b>>3&1 != 0,
		Promotion: uint8(b >> 4 & 15), LinesPlay: uint8(b >> 8 & 3), Lines: uint8(b >> 10 & 127),
	}
}
