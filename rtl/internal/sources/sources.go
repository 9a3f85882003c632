// Package sources lets a design be built of several blocks' files.
package sources

import (
	"io/fs"
	"strings"
)

// Blocks are the files of blocks under one root, each in the folder that it has in rtl: the key.
type Blocks map[string]fs.FS

// Open finds a file by its folder and name, "debounce/debounce.sv".
func (b Blocks) Open(name string) (fs.File, error) {
	folder, file, _ := strings.Cut(name, "/")
	if f := b[folder]; f != nil {
		return f.Open(file)
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
