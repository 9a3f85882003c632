// Package fst reads waveforms in the format FST, which the simulators write and GTKWave and Surfer
// open. It reads what Icarus and Verilator write: values of four states, enumerations, and the
// compressions zlib and LZ4. Real numbers and texts are left out.
//
//	file, err := fst.Open("run.fst")
//	for _, v := range file.Vars { ... }
//	err = file.Changes(func(c fst.Change) { ... })
package fst

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
)

// File is a waveform whose signals are known. Their changes are read by [File.Changes].
type File struct {
	// Exponent is the unit of time as a power of ten in seconds: -12 for a picosecond.
	Exponent   int
	Start, End uint64 // times of the first and the last change
	Vars       []Var

	widths []int    // of each handle; 0 for what is left out
	sizes  []int    // of each handle in a frame, in bytes
	blocks [][]byte // of changes, each with its type in front
}

// Var is a signal under one of its names.
type Var struct {
	Scopes []string
	Name   string // without its range, and without the backslash of an escaped identifier
	Width  int
	// Handle tells signals apart: names of the same handle are names of one signal.
	Handle int
	Enum   map[string]string // names of values in binary; nil: none
	Param  bool              // a parameter, which has one value
}

// types of blocks
const (
	blockHeader      = 0
	blockChanges     = 1
	blockGeometry    = 3
	blockHierarchy   = 4
	blockAlias       = 5
	blockHierarchy4  = 6
	blockHierarchy44 = 7
	blockAlias2      = 8
	blockCompressed  = 254
	blockUnfinished  = 255
)

// limit is the most that a part of a file may have when it is decompressed.
const limit = 1 << 30

// Open reads the file's header and the names of its signals.
func Open(path string) (*File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s is not a complete FST file: %w", path, err)
	}
	return f, nil
}

// Parse is [Open] for a file in memory, which must not change afterwards.
func Parse(data []byte) (*File, error) {
	if len(data) > 17 && data[0] == blockCompressed {
		r := reader{data: data[9:]}
		length := r.u64()
		whole, err := gunzip(r.data, length)
		if err != nil {
			return nil, err
		}
		data = whole
	}
	f := &File{}
	var hierarchy []byte
	header := false
	for len(data) > 0 {
		kind := data[0]
		r := reader{data: data[1:]}
		length := r.u64()
		if r.err != nil || length < 8 || length > uint64(len(data)-1) {
			return nil, fmt.Errorf("a block of type %d is cut off", kind)
		}
		body := data[9 : 1+length]
		var err error
		switch kind {
		case blockHeader:
			header = true
			err = f.header(body)
		case blockGeometry:
			err = f.geometry(body)
		case blockHierarchy, blockHierarchy4, blockHierarchy44:
			hierarchy, err = unpackHierarchy(kind, body)
		case blockChanges, blockAlias, blockAlias2:
			f.blocks = append(f.blocks, data[:1+length])
		case blockUnfinished:
			err = errors.New("the simulator has not closed it")
		}
		if err != nil {
			return nil, err
		}
		data = data[1+length:]
	}
	switch {
	case !header:
		return nil, errors.New("it has no header")
	case f.widths == nil || hierarchy == nil:
		return nil, errors.New("it has no list of signals")
	}
	return f, f.names(hierarchy)
}

func (f *File) header(body []byte) error {
	const timescaleAt = 64
	r := reader{data: body}
	f.Start, f.End = r.u64(), r.u64()
	if len(body) <= timescaleAt {
		return errors.New("the header is cut off")
	}
	f.Exponent = int(int8(body[timescaleAt]))
	return nil
}

// geometry reads the signals' widths.
func (f *File) geometry(body []byte) error {
	r := reader{data: body}
	length, count := r.u64(), r.u64()
	plain, err := inflate(r.data, length)
	if err != nil {
		return err
	}
	const text = 0xFFFFFFFF // of any length
	r = reader{data: plain}
	for range count {
		size, width := r.varint(), uint64(0)
		switch size {
		case 0: // a real number
			size = 8
		case text:
			size = 0
		default:
			width = size
		}
		if r.err != nil || size > limit {
			return errors.New("the list of widths is cut off")
		}
		f.widths, f.sizes = append(f.widths, int(width)), append(f.sizes, int(size))
	}
	return nil
}

func unpackHierarchy(kind byte, body []byte) ([]byte, error) {
	r := reader{data: body}
	length := r.u64()
	switch kind {
	case blockHierarchy:
		return gunzip(r.data, length)
	case blockHierarchy4:
		return unpackLZ4(r.data, length)
	}
	once := r.u64()
	packed, err := unpackLZ4(r.data, once)
	if err != nil {
		return nil, err
	}
	return unpackLZ4(packed, length)
}

func gunzip(data []byte, length uint64) ([]byte, error) {
	if length > limit {
		return nil, errTooLong
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if n, err := io.Copy(&b, io.LimitReader(z, int64(length))); err != nil || uint64(n) != length {
		return nil, errors.Join(errors.New("a compressed part is cut off"), err)
	}
	return b.Bytes(), nil
}
