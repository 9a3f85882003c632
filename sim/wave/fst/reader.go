package fst

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

var (
	errCut     = errors.New("it is cut off")
	errTooLong = errors.New("a part of it is longer than 1 GiB")
	errLZ4     = errors.New("what LZ4 has compressed is damaged")
)

// reader reads numbers from memory. After an error it returns zeros.
type reader struct {
	data []byte
	err  error
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.data)) {
		r.data, r.err = nil, errCut
		return nil
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

func (r *reader) byte() byte {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) u64() uint64 {
	if b := r.bytes(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

func (r *reader) varint() uint64 {
	v, n := binary.Uvarint(r.data)
	if n <= 0 {
		r.data, r.err = nil, errCut
		return 0
	}
	r.data = r.data[n:]
	return v
}

// signed returns a number in LEB128 of two's complement.
func (r *reader) signed() (v int64) {
	for shift := 0; shift < 64; shift += 7 {
		b := r.byte()
		v |= int64(b&0x7f) << shift
		if b < 0x80 {
			if b&0x40 != 0 && shift+7 < 64 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
	r.data, r.err = nil, errCut
	return 0
}

// text returns a text that ends in a zero.
func (r *reader) text() string {
	n := bytes.IndexByte(r.data, 0)
	if n < 0 {
		r.data, r.err = nil, errCut
		return ""
	}
	text := string(r.data[:n])
	r.data = r.data[n+1:]
	return text
}

// inflate returns data that zlib has compressed, unless it has this length already.
func inflate(data []byte, length uint64) ([]byte, error) {
	if uint64(len(data)) == length {
		return data, nil
	}
	if length > limit {
		return nil, errTooLong
	}
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if n, err := io.Copy(&b, io.LimitReader(z, int64(length))); err != nil || uint64(n) != length {
		return nil, errors.Join(errCut, err)
	}
	return b.Bytes(), nil
}

// unpack returns the changes of a signal, which are compressed in one of two ways.
func unpack(how byte, data []byte, length uint64) ([]byte, error) {
	switch how {
	case '4':
		return unpackLZ4(data, length)
	case 'Z':
		return inflate(data, length)
	}
	return nil, fmt.Errorf("it is compressed in a way that is not read here: %q; GTKWave reads it", how)
}

// unpackLZ4 returns data of LZ4's block format: literals, each followed by a copy of what came
// before.
func unpackLZ4(data []byte, length uint64) ([]byte, error) {
	const most = 255 // as LZ4 compresses no better than that
	if length > limit || length > most*uint64(len(data)) {
		return nil, errLZ4
	}
	out := make([]byte, 0, length)
	r := reader{data: data}
	more := func(n uint64) uint64 {
		for b := byte(255); n >= 15 && b == 255 && r.err == nil; {
			b = r.byte()
			n += uint64(b)
		}
		return n
	}
	for len(r.data) > 0 {
		token := uint64(r.byte())
		out = append(out, r.bytes(more(token>>4))...)
		if r.err != nil || uint64(len(out)) > length {
			return nil, errLZ4
		}
		if len(r.data) == 0 {
			break
		}
		offset := uint64(r.byte()) | uint64(r.byte())<<8
		count := more(token&15) + 4
		if r.err != nil || offset == 0 || offset > uint64(len(out)) || count > length-uint64(len(out)) {
			return nil, errLZ4
		}
		for range count {
			out = append(out, out[uint64(len(out))-offset])
		}
	}
	if uint64(len(out)) != length {
		return nil, errLZ4
	}
	return out, nil
}
