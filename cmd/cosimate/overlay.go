package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// overlay is a file system of which some files are taken from a folder: those that the folder has, by their name without
// its own folder.
type overlay struct {
	fs.FS
	folder string
}

func (o overlay) Open(name string) (fs.File, error) {
	if f, err := os.Open(filepath.Join(o.folder, path.Base(name))); err == nil {
		return f, nil
	}
	return o.FS.Open(name)
}
