package fst

import (
	"errors"
	"fmt"
)

// Change is a value that a signal takes on.
type Change struct {
	Handle int
	Time   uint64
	// Value has a character for each bit, the most significant first: 0, 1, x, z, or a state of
	// VHDL. It is valid until the next change.
	Value []byte
}

// Changes calls each with all changes. Those of one signal come in the order of their times, after
// the value that it begins with.
func (f *File) Changes(each func(Change)) error {
	for i, block := range f.blocks {
		if err := f.changes(block, i == 0, each); err != nil {
			return fmt.Errorf("block %d of %d of its changes: %w", i+1, len(f.blocks), err)
		}
	}
	return nil
}

var errIndex = errors.New("the index of changes is damaged")

// A block has, after its type and length: the times of its begin and end, the values that signals
// have at its begin (the frame), the changes of each signal, an index that says where these are,
// and a table of times.
func (f *File) changes(block []byte, first bool, each func(Change)) error {
	r := reader{data: block[9:]}
	begin := r.u64()
	r.u64()
	r.u64() // how much memory is needed
	length, packed, handles := r.varint(), r.varint(), r.varint()
	frame := r.bytes(packed)
	if r.err != nil {
		return r.err
	}
	if first {
		frame, err := inflate(frame, length)
		if err != nil {
			return err
		}
		if err := f.frame(frame, begin, handles, each); err != nil {
			return err
		}
	}
	count := r.varint()
	chains := r.data // beginning with how they are compressed, and ending in index and times
	if r.err != nil || len(chains) < 25 {
		return errIndex
	}
	times, rest, err := timesOf(chains)
	if err != nil {
		return err
	}
	where, err := indexOf(block[0], rest, count)
	if err != nil {
		return err
	}
	for handle, at := range where {
		if handle >= len(f.widths) || at.length == 0 || f.widths[handle] == 0 {
			continue
		}
		r := reader{data: rest[at.from : at.from+at.length]}
		length := r.varint()
		chain := r.data
		if length > 0 {
			if chain, err = unpack(rest[0], chain, length); err != nil {
				return fmt.Errorf("signal %d: %w", handle, err)
			}
		}
		if err := f.chain(handle, chain, times, each); err != nil {
			return fmt.Errorf("signal %d: %w", handle, err)
		}
	}
	return r.err
}

// frame reads the values at the begin.
func (f *File) frame(frame []byte, begin, handles uint64, each func(Change)) error {
	for handle := range min(uint64(len(f.sizes)), handles) {
		size := f.sizes[handle]
		if size > len(frame) {
			return errors.New("the values at its begin are cut off")
		}
		if f.widths[handle] > 0 {
			each(Change{int(handle), begin, frame[:size]})
		}
		frame = frame[size:]
	}
	return nil
}

// timesOf reads the table of times at the end of a block, and returns what stands before it.
func timesOf(data []byte) (times []uint64, rest []byte, err error) {
	end := len(data) - 24
	r := reader{data: data[end:]}
	length, packed, count := r.u64(), r.u64(), r.u64()
	if packed > uint64(end) || count > limit/8 {
		return nil, nil, errors.New("the table of times is cut off")
	}
	from := end - int(packed)
	plain, err := inflate(data[from:end], length)
	if err != nil {
		return nil, nil, err
	}
	r = reader{data: plain}
	time := uint64(0)
	for range count {
		time += r.varint()
		times = append(times, time)
		if r.err != nil {
			return nil, nil, r.err
		}
	}
	return times, data[:from], nil
}

// place is where the changes of a signal are.
type place struct{ from, length int }

// indexOf reads the index at the end of data, which says where the changes of each signal are, or
// that they are the same as another's.
func indexOf(kind byte, data []byte, count uint64) ([]place, error) {
	if len(data) < 9 {
		return nil, errIndex
	}
	end := len(data) - 8
	r := reader{data: data[end:]}
	length := r.u64()
	if length > uint64(end-1) {
		return nil, errIndex
	}
	start := end - int(length)
	r = reader{data: data[start:end]}
	var where []place
	var alias []int // for each place, the number of another signal, or -1
	last, at, before := -1, int64(0), 0
	add := func(p place, of int) { where, alias = append(where, p), append(alias, of) }
	begin := func(distance int64) {
		at += distance
		if last >= 0 {
			where[last].length = int(at) - where[last].from
		}
		last = len(where)
		add(place{from: int(at)}, -1)
	}
	for len(r.data) > 0 && r.err == nil && uint64(len(where)) <= count {
		if kind == blockAlias2 && r.data[0]&1 == 1 {
			switch v := r.signed() >> 1; {
			case v > 0:
				begin(v)
			case v < 0:
				before = int(-v) - 1
				add(place{}, before)
			default:
				add(place{}, before)
			}
			continue
		}
		v := r.varint()
		switch {
		case v == 0 && kind != blockAlias2:
			add(place{}, int(r.varint())-1)
		case v&1 == 1:
			begin(int64(v >> 1))
		case v>>1 > count:
			return nil, errIndex
		default:
			for range v >> 1 {
				add(place{}, -1)
			}
		}
	}
	if last >= 0 {
		where[last].length = start - where[last].from
	}
	for i := range where {
		if of := alias[i]; of >= 0 {
			if of >= i {
				return nil, errIndex
			}
			where[i] = where[of]
		}
		if p := where[i]; p.from < 0 || p.length < 0 || p.from > start || p.length > start-p.from {
			return nil, errIndex
		}
	}
	return where, r.err
}

// chain reads the changes of a signal.
func (f *File) chain(handle int, data []byte, times []uint64, each func(Change)) error {
	const states = "xzhuwl-?"
	width := f.widths[handle]
	value := make([]byte, width)
	r := reader{data: data}
	at := uint64(0)
	for len(r.data) > 0 {
		v := r.varint()
		switch {
		case width == 1 && v&1 == 0:
			value[0] = '0' + byte(v>>1&1)
			at += v >> 2
		case width == 1:
			value[0] = states[v>>1&7]
			at += v >> 4
		case v&1 == 0:
			at += v >> 1
			packed := r.bytes(uint64(width+7) / 8)
			if r.err != nil {
				return r.err
			}
			for i := range value {
				value[i] = '0' + packed[i/8]>>(7-i%8)&1
			}
		default:
			at += v >> 1
			copy(value, r.bytes(uint64(width)))
		}
		if r.err != nil {
			return r.err
		}
		if at >= uint64(len(times)) {
			return errors.New("a change has no time")
		}
		each(Change{handle, times[at], value})
	}
	return nil
}
