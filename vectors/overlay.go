package vectors

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/cosimate/cosimate/sim"
)

// Overlay returns a function for [Options.RTL] that takes files of a design from a folder: each
// file whose name, without its path, is in the folder.
func Overlay(folder string) func(sim.Design) sim.Design {
	return func(d sim.Design) sim.Design {
		d.FS = overlay{d.FS, folder}
		return d
	}
}

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
