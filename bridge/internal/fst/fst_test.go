package fst

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// block is a block of a file.
func block(kind byte, parts ...[]byte) []byte {
	data := bytes.Join(parts, nil)
	return append(binary.BigEndian.AppendUint64([]byte{kind}, uint64(len(data))+8), data...)
}

func words(values ...uint64) (data []byte) {
	for _, v := range values {
		data = binary.BigEndian.AppendUint64(data, v)
	}
	return data
}

func packed(data []byte) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write(data)
	z.Close()
	return b.Bytes()
}

// A file is complete if all its blocks are, and if they have all that the writer keeps in temporary
// files.
func TestComplete(t *testing.T) {
	changed := func(first, last uint64, times []byte, size, there, n uint64) []byte {
		return block(8, words(first, last, 0), []byte("values"), times, words(size, there, n))
	}
	steps := bytes.Repeat([]byte{0x88, 0x27}, 100) // 5000 each
	few, names := packed(steps), block(4, words(1), []byte("x"))
	widths := block(3, words(3, 3), []byte{1, 8, 64})
	whole := changed(5000, 500000, few, 200, uint64(len(few)), 100)
	for _, c := range []struct {
		name  string
		file  []byte
		whole bool
	}{
		{"packed", bytes.Join([][]byte{whole, widths, names}, nil), true},
		{"as it is", bytes.Join([][]byte{changed(5000, 500000, steps, 200, 200, 100), widths, names}, nil), true},
		{"wide packed", bytes.Join([][]byte{whole, block(3, words(300, 300), packed(make([]byte, 300))), names}, nil), true},
		{"no names", bytes.Join([][]byte{whole, widths}, nil), false},
		{"cut off", bytes.Join([][]byte{whole, widths, names[:12]}, nil), false},
		{"empty", nil, false},
		{"a time too few", bytes.Join([][]byte{changed(5000, 500000, packed(steps[2:]), 200, uint64(len(packed(steps[2:]))), 100), widths, names}, nil), false},
		{"zeros for times", bytes.Join([][]byte{changed(5000, 500000, make([]byte, 100), 100, 100, 100), widths, names}, nil), false},
		{"half a time", bytes.Join([][]byte{changed(5000, 500000, append(steps[:199:199], 0x80), 200, 200, 100), widths, names}, nil), false},
		{"more times than there is block", bytes.Join([][]byte{changed(5000, 500000, steps, 200, 2000, 100), widths, names}, nil), false},
		{"no times at all", bytes.Join([][]byte{block(8, words(1)), widths, names}, nil), false},
		{"times that are not packed", bytes.Join([][]byte{changed(5000, 500000, steps, 400, 200, 100), widths, names}, nil), false},
		{"a width too few", bytes.Join([][]byte{whole, block(3, words(3, 4), []byte{1, 8, 64}), names}, nil), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "wave.fst")
			for _, name := range []string{path, path + ".hier"} {
				if err := os.WriteFile(name, c.file, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			err := Complete(path)
			if (err == nil) != c.whole || err != nil && !strings.Contains(err.Error(), "hint: ") {
				t.Errorf("the error is %v", err)
			}
			if left, _ := filepath.Glob(path + "*"); (len(left) > 0) != c.whole {
				t.Errorf("it leaves %v", left)
			}
		})
	}
	if err := Complete(filepath.Join(t.TempDir(), "none.fst")); err != nil {
		t.Error(err)
	}
}
