package live

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"io"
	"slices"

	"github.com/cosimate/cosimate/rtl/board"
)

// record is all inputs that a board has had since it was plugged in, so that they can be played
// again. A change takes some three bytes, and less in the end. One goroutine adds to it while
// others play what was there before.
type record struct {
	chunks []chunk // what is in them stays as it is
	last   uint32
	cycle  uint64
	size   int
	full   bool // there was too much: nothing is left
}

// chunk is a part of a record. The last of a record grows; those before it are compressed.
type chunk struct {
	data   []byte
	packed bool
}

const (
	recordChunk = 64 << 10
	recordMost  = 4 << 20
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
	last := len(r.chunks) - 1
	if last < 0 || len(r.chunks[last].data)+n > recordChunk {
		if last >= 0 {
			full := r.chunks[last]
			r.chunks[last] = full.pack()
			r.size += len(r.chunks[last].data) - len(full.data)
		}
		r.chunks = append(r.chunks, chunk{data: make([]byte, 0, recordChunk)})
		last++
	}
	if r.size += n; r.size > recordMost {
		*r = record{full: true}
		return
	}
	r.chunks[last].data = append(r.chunks[last].data, b[:n]...)
}

// pack compresses a chunk.
func (c chunk) pack() chunk {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err == nil {
		_, err = w.Write(c.data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // a buffer takes all
	}
	return chunk{bytes.Clone(b.Bytes()), true}
}

// changes returns what is in a chunk.
func (c chunk) changes() []byte {
	if !c.packed {
		return c.data
	}
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(c.data)))
	if err != nil {
		panic(err) // it is our own, in memory
	}
	return data
}

// parts returns what there is now.
func (r *record) parts() []chunk { return slices.Clone(r.chunks) }

// player plays a record. It may be given a longer version of the same in between.
type player struct {
	parts     []chunk
	part, pos int    // what is to be read next
	data      []byte // of that part, if it is packed
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
	data := p.changes()
	for p.pos == len(data) {
		if p.part >= len(p.parts)-1 {
			return false // it may grow
		}
		p.part, p.pos, p.data = p.part+1, 0, nil
		data = p.changes()
	}
	data = data[p.pos:]
	wait, n := binary.Uvarint(data)
	flips, k := binary.Uvarint(data[n:])
	p.pos += n + k
	p.read, p.then, p.more = p.read+wait, p.now^uint32(flips), true
	return true
}

// changes returns what is in the part that is read.
func (p *player) changes() []byte {
	if p.part >= len(p.parts) {
		return nil
	}
	c := p.parts[p.part]
	if !c.packed {
		return c.data
	}
	if p.data == nil {
		p.data = c.changes()
	}
	return p.data
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
