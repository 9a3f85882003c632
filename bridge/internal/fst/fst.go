// Package fst checks waveform files, for neither simulator reports that it could not write one.
//
// An FST file (the format is in GTKWave's manual) is a sequence of blocks. A block begins with a
// byte for its type and eight bytes, big-endian, for the length of the rest. A writer fills in the
// length when the block is complete.
package fst

import (
	"bufio"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Types of blocks. For value changes and for the signals' names there is a type for each way of
// compression. The names are the last that a writer writes.
const (
	changes   = "\x01\x05\x08" // of values
	hierarchy = "\x04\x06\x07" // the signals' names
	geometry  = 3              // the signals' widths
)

// Writable returns an error if a file cannot be written. It leaves no file: if nothing is recorded,
// there is none.
func Writable(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("it cannot be written: %w", err)
	}
	f.Close()
	return os.Remove(path)
}

// Full is the reason for an error if a signal for which [Kills] is true has killed a simulator.
const Full = "the disk of a file that it writes, such as a waveform, is full, or the like"

// Kills reports whether a signal is one that kills a writer without room. It is SIGBUS on a full
// disk, for the writers map their files into memory.
func Kills(s syscall.Signal) bool { return s == syscall.SIGBUS || s == syscall.SIGXFSZ }

// Hint returns what to do if there is no room for a waveform.
func Hint() string {
	var l unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_FSIZE, &l) == nil && l.Cur != unix.RLIM_INFINITY {
		return fmt.Sprintf("no file of this process may have more than %d bytes: raise that (ulimit -f), or record fewer cycles", l.Cur)
	}
	return "the waveform's disk is full, or that of " + scratch + ", where its writer keeps a part of it: free some space, or have it written to another disk"
}

// scratch is where C's tmpfile() makes its files, whatever $TMPDIR is. The writers keep the times
// of a block there, and the signals' widths.
const scratch = "/tmp"

// Complete checks a file that its writer has closed. If it is not complete, Complete removes it and
// the writer's temporary file beside it, and returns an error: a viewer would not open the file, or
// would show wrong values. It is no error if there is no file.
func Complete(path string) error {
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if complete(f, size) {
		return nil
	}
	if err := os.Remove(path); err != nil {
		return err
	}
	if err := os.Remove(path + ".hier"); err != nil && !os.IsNotExist(err) {
		return err
	}
	return fmt.Errorf("%s could not be completed, and was removed: no viewer shows what was\nhint: %s", path, Hint())
}

// complete reports whether all blocks of a file are complete. It looks into a block only where the
// writer kept a part of it in a temporary file: the writer does not notice if that file was cut
// off. These parts are small compared with the values.
func complete(f io.ReaderAt, size int64) bool {
	names := false
	for at := int64(0); at < size; {
		var head [9]byte
		if _, err := f.ReadAt(head[:], at); err != nil {
			return false
		}
		length := binary.BigEndian.Uint64(head[1:])
		if length < 8 || length > uint64(size-at-1) {
			return false
		}
		block := io.NewSectionReader(f, at+9, int64(length)-8)
		switch kind := rune(head[0]); {
		case strings.ContainsRune(changes, kind):
			if !timed(block) {
				return false
			}
		case kind == geometry:
			if !wide(block) {
				return false
			}
		case strings.ContainsRune(hierarchy, kind):
			names = true
		}
		at += 1 + int64(length)
	}
	return names
}

// timed reports whether a block of changes has all its times. The block begins with its first and
// last time. It ends with the list of its times, then the list's size, its compressed size and its
// length. Each time in the list is the difference from the time before it.
func timed(block *io.SectionReader) bool {
	head, tail := numbers(block, 0, 2), numbers(block, block.Size()-24, 3)
	if head == nil || tail == nil || tail[1] > uint64(block.Size()-24) {
		return false
	}
	var n, last uint64
	whole := each(io.NewSectionReader(block, block.Size()-24-int64(tail[1]), int64(tail[1])), tail[1] != tail[0], tail[0], func(passed uint64) {
		n++
		last += passed
	})
	return whole && n == tail[2] && last == head[1]
}

// wide reports whether the block of the signals' widths has one for each signal. The block begins
// with the size of the widths and the number of signals.
func wide(block *io.SectionReader) bool {
	head := numbers(block, 0, 2)
	if head == nil {
		return false
	}
	var n uint64
	size := block.Size() - 16
	return each(io.NewSectionReader(block, 16, size), uint64(size) != head[0], head[0], func(uint64) { n++ }) && n == head[1]
}

// numbers returns n numbers of eight bytes at a place in a block, or nil if the block is shorter.
func numbers(block *io.SectionReader, at int64, n int) (all []uint64) {
	data := make([]byte, 8*n)
	if at < 0 {
		return nil
	}
	if got, _ := block.ReadAt(data, at); got < len(data) {
		return nil
	}
	for ; len(data) > 0; data = data[8:] {
		all = append(all, binary.BigEndian.Uint64(data))
	}
	return all
}

// each calls f with the numbers of a section. A number is a sequence of seven bits a byte, the
// lowest first. each reports whether the numbers take size bytes, after they are uncompressed if
// packed is set.
func each(r io.Reader, packed bool, size uint64, f func(uint64)) bool {
	b := bufio.NewReader(r)
	if packed {
		z, err := zlib.NewReader(b)
		if err != nil {
			return false
		}
		b = bufio.NewReader(z)
	}
	var value uint64
	shift := 0
	for ; ; size-- {
		c, err := b.ReadByte()
		if err != nil {
			return err == io.EOF && size == 0 && shift == 0
		}
		value |= uint64(c&0x7f) << shift
		shift += 7
		if c < 0x80 {
			f(value)
			value, shift = 0, 0
		}
	}
}
