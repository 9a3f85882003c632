package vectors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/cosimate/cosimate/bridge"
	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/report"
)

// This file is about the files that a vector leaves that has failed. Recording all signals takes
// time that vectors that pass must not spend. So the vector is played again for it.

const (
	mostKept = 5   // vectors of a run that leave files
	before   = 200 // cycles before a failure that are recorded
)

// keep leaves the files of a failure in a folder below Keep, and lists them in its report.
func (o *Options) keep(ctx context.Context, p *plan, f *Failure) {
	dir, err := o.folder(p.file.Name)
	if err == nil {
		err = o.evidence(ctx, p, f, dir)
	}
	if err != nil {
		f.Report.Note = joinNotes(f.Report.Note, fmt.Sprintf("there are no files of it, or not all: %v", err))
	}
}

// folder returns the folder for a vector's files, and makes it. It is the same for each run, so
// that files do not pile up.
func (o *Options) folder(vector string) (string, error) {
	path, err := filepath.Abs(vector)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(o.Keep, path)
	return dir, os.MkdirAll(dir, 0o777)
}

func (o *Options) evidence(ctx context.Context, p *plan, f *Failure, dir string) error {
	unlock, err := lockedfile.MutexAt(filepath.Join(dir, ".lock")).Lock()
	if err != nil {
		return err
	}
	defer unlock()
	seen := f.Report
	recorded, err := o.record(ctx, p, f, dir)
	if err == nil {
		seen.FST, seen.FSTScope = recorded[0].Path, p.design.rtl(p.config).Top
		if recorded[0].About == string(sim.Verilator) {
			seen.FSTScope = "TOP." + seen.FSTScope
		}
		for _, file := range recorded[1:] {
			seen.Files = append(seen.Files, report.File{Path: file.Path, About: "all signals in " + file.About})
		}
	}
	if f.shift > 0 {
		// In a recording time begins with the reset.
		seen.Note = joinNotes(seen.Note, fmt.Sprintf("times are those of the recording: the vector's first cycle begins %v after it does", f.shift))
		seen.At += f.shift
		seen.Wave.Times = slices.Clone(seen.Wave.Times)
		for i := range seen.Wave.Times {
			seen.Wave.Times[i] += f.shift
		}
	}
	files, wrong := report.Write(dir, &seen)
	f.Report.FST, f.Report.Files = seen.FST, append(files, seen.Files...)
	return errors.Join(err, wrong)
}

// record plays a vector again and records all signals: in all simulators if these do not agree, or
// else in the first one. About of a file is the simulator.
func (o *Options) record(ctx context.Context, p *plan, f *Failure, dir string) (files []report.File, err error) {
	old, _ := fs.Glob(os.DirFS(dir), "*.fst")
	for _, name := range old { // or else it would be taken for one of this failure
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	c := p.config
	c.edit, c.modelTimeout = o.RTL, cmp.Or(o.ModelTimeout, 10*time.Second)
	c.waves = map[sim.Simulator]bridge.Wave{}
	began := f.Report.Began()
	sims := o.simulators()
	if f.kind != "lockstep" {
		sims = sims[:1]
	}
	for _, s := range sims {
		path := filepath.Join(dir, string(s)+".fst")
		c.waves[s] = bridge.Wave{Path: path, From: f.first + began - min(began, before), To: f.first + f.Cycle}
		files = append(files, report.File{Path: path, About: string(s)})
	}
	b, err := p.design.open(ctx, c, o.simulators(), append(slices.Clip(o.Sim), sim.WithLogger(hclog.NewNullLogger()))...)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	switch _, again, err := b.play(ctx, p, playOptions{}); {
	case err != nil:
		return nil, err
	case again == nil || again.Cycle != f.Cycle:
		return nil, errors.New("played again to record it, the vector did not fail in this cycle: something in the RTL does not follow from its inputs and the seed")
	}
	return files, nil
}

func joinNotes(a, b string) string {
	if a == "" {
		return b
	}
	return a + "\n" + b
}
