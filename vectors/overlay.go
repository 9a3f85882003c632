package vectors

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/cosimate/cosimate/sim"
)

// Overlay takes those of a design's files from a folder that the folder has, by their names alone;
// it is for [Options.RTL].
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
