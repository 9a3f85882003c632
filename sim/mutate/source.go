package mutate

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"testing/fstest"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/bridge/lanes"
	"github.com/cosimate/cosimate/sim/mutate/internal/changes"
)

// changedFile is the name of the file that is added to a design with changes in its source.
const changedFile = "cosimate_change.sv"

// changed is a file system some of whose files have another text.
type changed struct {
	fs.FS
	files fstest.MapFS
}

func (c changed) Open(name string) (fs.File, error) {
	if c.files[name] != nil {
		return c.files.Open(name)
	}
	return c.FS.Open(name)
}

// source is a change of the source.
type source struct {
	changes.Change
	file string
}

// changedDesign returns a design with all changes of its source in it, by their numbers.
func changedDesign(d bridge.Design) (made *bridge.Design, all map[int]source, notes []string, err error) {
	files := fstest.MapFS{changedFile: {Data: []byte(changes.Source)}}
	all = map[int]source{}
	for _, name := range d.Files {
		text, err := fs.ReadFile(d.FS, name)
		if err != nil {
			return nil, nil, nil, err
		}
		f := changes.Make(string(text), len(all)+1)
		files[name] = &fstest.MapFile{Data: []byte(f.Text)}
		for _, c := range f.Changes {
			all[c.Number] = source{c, path.Join(d.Dir, name)}
		}
		for _, n := range f.Notes {
			notes = append(notes, path.Join(d.Dir, name)+", "+n)
		}
	}
	d.FS, d.Files = changed{d.FS, files}, append(d.Files[:len(d.Files):len(d.Files)], changedFile)
	return &d, all, notes, nil
}

// listSource enumerates the mutants of a design's source, one for each instance of a module that is
// changed.
func (r *runner) listSource(ctx context.Context, d bridge.Design) ([]Mutant, error) {
	made, all, notes, err := changedDesign(d)
	if r.note(notes...); err != nil || len(all) == 0 {
		return nil, err
	}
	list, err := instances(ctx, made, all)
	if err != nil && ctx.Err() == nil {
		r.note("the source has no mutants: with changes in it Yosys does not take it: " + strings.TrimSpace(err.Error()))
		return nil, nil
	}
	return list, err
}

// instances finds the cells that switch changes on.
func instances(ctx context.Context, made *bridge.Design, all map[int]source) (list []Mutant, err error) {
	top, _, err := lowered(ctx, *made, nil)
	if err != nil {
		return nil, err
	}
	checked := top.onlyChecked()
	for cell, c := range top.Cells {
		before, rest, ok := cutLast(lanes.InstanceOf(cell), changes.Prefix)
		number, suffix := strings.CutSuffix(rest, "_on.")
		k, err := strconv.Atoi(number)
		if !ok || !suffix || err != nil || c.Type != "$not" || checked[cell] {
			continue
		}
		s := all[k]
		m := Mutant{File: s.file, Line: s.Line, What: s.What, Kind: s.Kind, design: made,
			place: place{fmt.Sprintf("%s:%d.%d", s.file, s.Line, s.Column), before, "source " + s.Kind + ": " + s.What},
			fault: lanes.Fault{Pin: lanes.Pin{Cell: cell, Port: "Y"}, Kind: lanes.StuckAt1}}
		m.Key = m.place.key()
		if before != "" {
			m.What += " in " + strings.TrimSuffix(before, ".")
		}
		list = append(list, m)
	}
	return list, nil
}
