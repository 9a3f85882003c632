// Package fst has what both simulators need of waveform files: neither says so when it cannot write
// one.
//
// An FST file (the format is in GTKWave's manual) is a row of blocks. Each begins with a byte for
// its type and the rest's length in eight, big-endian, which a writer fills in when the block is
// complete.
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

// Types of blocks: value changes, and the signals' names, by how they are compressed; and the
// signals' widths. The names are written at the end.
const (
	changes   = "\x01\x05\x08"
	hierarchy = "\x04\x06\x07"
	geometry  = 3
)

// Writable tells whether a file can be written. There is none afterwards: should nothing be
// recorded, nothing is there.
func Writable(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("it cannot be written: %w", err)
	}
	f.Close()
	return os.Remove(path)
}

// Full is what kills a simulator with SIGBUS, for the writers map their files.
const Full = "the disk of a file that it writes, such as a waveform, is full, or the like"

// Kills tells whether a signal is what a writer gets that has no room.
func Kills(s syscall.Signal) bool { return s == syscall.SIGBUS || s == syscall.SIGXFSZ }

// Hint says what to do about a waveform without room.
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

// Complete removes a file that its writer has closed but could not complete, with what the writer
// has left beside it, and says so: no viewer opens it, or shows what was. That there is no file is
// no error.
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

// complete looks at all blocks, and within those of which a part was in a file of its own, for a
// writer does not see that such a file has lost something. What it reads is small beside the
// values.
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

// timed tells whether a block of changes has all its times. It begins with its first and last time,
// and ends with the times, each as what has passed since the one before, their size, their size as
// they are there, and their number.
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

// wide tells whether the block of the signals' widths has as many as there are signals. It begins
// with their size and number.
func wide(block *io.SectionReader) bool {
	head := numbers(block, 0, 2)
	if head == nil {
		return false
	}
	var n uint64
	size := block.Size() - 16
	return each(io.NewSectionReader(block, 16, size), uint64(size) != head[0], head[0], func(uint64) { n++ }) && n == head[1]
}

// numbers are those at a place in a block, or nil if it is shorter.
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

// each calls f with the numbers of a section, which are in pieces of seven bits, the lowest first.
// It tells whether they take the given size.
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
