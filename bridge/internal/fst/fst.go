// Package fst has what both simulators need of waveform files: neither says so when it cannot write one.
//
// An FST file (the format is in GTKWave's manual) is a row of blocks. Each begins with a byte for its type and
// the rest's length in eight, big-endian, which a writer fills in when the block is complete.
package fst

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strings"
)

// hierarchy are the types of the block with the signals' names, by how it is compressed. It is written at the end.
const hierarchy = "\x04\x06\x07"

// Writable tells whether a file can be written. There is none afterwards: should nothing be recorded, nothing is there.
func Writable(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("it cannot be written: %w", err)
	}
	f.Close()
	return os.Remove(path)
}

// Complete removes a file that its writer has closed but could not complete, and says so: no viewer opens it.
// That there is no file is no error.
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
	at, names := int64(0), false
	for head := [9]byte{}; at < size; {
		if _, err := f.ReadAt(head[:], at); err != nil {
			break
		}
		length := binary.BigEndian.Uint64(head[1:])
		if length < 8 || length > uint64(size-at-1) {
			break
		}
		names = names || strings.ContainsRune(hierarchy, rune(head[0]))
		at += 1 + int64(length)
	}
	if at == size && names {
		return nil
	}
	if err := os.Remove(path); err != nil {
		return err
	}
	return fmt.Errorf("%s could not be completed, and was removed: no viewer opens it\nhint: the disk is full: free some space, or have it written to another disk", path)
}
