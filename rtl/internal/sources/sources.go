// Package sources makes designs of the SystemVerilog of rtl's blocks.
//
// Each block has one list of its sources, files.list, which Go (here), scripts/rtl-files and
// simulators (-f) read. All names in it are from rtl/ on, and a block that is built of others
// includes their lists.
package sources

import (
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/cosimate/cosimate/sim"
)

// Design returns the design of the module top, with the clock clk_i and the reset rst_i. Its
// sources are those of a list such as "core/files.list"; one that is named several times is
// compiled once, where it comes first.
//
// The list and the other files of its folder are in own; files of other folders are those of parts,
// designs that this function has made. It panics if the list cannot be read, or has what
// [sim.Design.AddFileList] refuses: lists are embedded, and every test of a block reads its own.
func Design(top, list string, own fs.FS, parts ...sim.Design) sim.Design {
	files := folders{}
	for _, p := range parts {
		maps.Copy(files, p.FS.(folders))
	}
	folder, _, _ := strings.Cut(list, "/")
	files[folder] = own
	d := sim.Design{Top: top, FS: files, Dir: "rtl", Clock: "clk_i", Reset: "rst_i"}
	if err := d.AddFileList(list); err != nil {
		panic(err)
	}
	var once []string
	for _, name := range d.Files {
		if !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	d.Files = once
	return d
}

// folders are the files of rtl's folders, by the folder's name.
type folders map[string]fs.FS

// Open finds a file by its name from rtl/ on, "debounce/debounce.sv".
func (f folders) Open(name string) (fs.File, error) {
	folder, file, _ := strings.Cut(name, "/")
	if own := f[folder]; own != nil {
		return own.Open(file)
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
