// Package parts builds designs that consist of several blocks of rtl.
package parts

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/sim"
)

// Join returns a design of all sources of some blocks, in their order: those of rtl/movegen are
// movegen/NAME in it. A block may be one that was joined itself; what several are built of comes
// once. Top module, clock and reset are those of the last one.
func Join(blocks ...sim.Design) sim.Design {
	d := blocks[len(blocks)-1]
	sources := folders{}
	d.FS, d.Dir, d.Files = sources, "rtl", nil
	for _, b := range blocks {
		for _, name := range b.Files {
			folder, file, joined := strings.Cut(name, "/")
			if !joined {
				folder, file = path.Base(b.Dir), name
			}
			sources[folder] = b.FS
			if joined {
				sources[folder] = within{b.FS, folder}
			}
			if name := folder + "/" + file; !slices.Contains(d.Files, name) {
				d.Files = append(d.Files, name)
			}
		}
	}
	return d
}

// folders are the sources of several blocks under one root, each in its folder.
type folders map[string]fs.FS

// Open finds a file by its folder and name.
func (f folders) Open(name string) (fs.File, error) {
	folder, file, _ := strings.Cut(name, "/")
	if sources := f[folder]; sources != nil {
		return sources.Open(file)
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// within is a folder of other sources.
type within struct {
	fs.FS
	folder string
}

// Open finds a file of the folder.
func (w within) Open(name string) (fs.File, error) { return w.FS.Open(w.folder + "/" + name) }
