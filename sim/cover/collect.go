package cover

import (
	"flag"
	"path"
	"regexp"
	"sync"

	"github.com/cosimate/cosimate/sim/cover/coverdb"
	"github.com/cosimate/cosimate/sim/internal/module"
)

// Flag of go test, for every package whose tests import this one.
var dirFlag = flag.String("sim.cover", "", "write coverage into this folder, relative to the module's root; cosimate cover reads it")

// Enabled tells whether coverage is collected, because -sim.cover is given. Only then is it worth
// what code coverage costs.
func Enabled() bool { return *dirFlag != "" }

// process is what this process has collected. A test process has no hook at its end, other than a
// TestMain that every package would have to write. So the file is replaced whenever the last test
// that holds it ends; it is whole at every moment, also if the process is killed.
var process struct {
	sync.Mutex
	data  coverdb.Data
	name  string // of the file
	holds int    // tests under way that will add something, or have
}

// hold keeps the file from being written until release, which reports to t.
func hold(t T) (release func()) {
	if !Enabled() {
		return func() {}
	}
	process.Lock()
	process.holds++
	process.Unlock()
	// No t.Helper: in a cleanup that a cleanup has registered, all of whose callers are helpers,
	// package testing looks for the error's line without end.
	return func() {
		process.Lock()
		defer process.Unlock()
		if process.holds--; process.holds > 0 {
			return
		}
		if process.name == "" {
			process.name = coverdb.NewName()
		}
		dir, err := module.Folder(*dirFlag)
		if err == nil {
			err = process.data.WriteFile(dir, process.name)
		}
		if err != nil {
			t.Errorf("-sim.cover=%s: coverage cannot be written: %v", *dirFlag, err)
		}
	}
}

// add adds data that a test has collected, to which an error is reported.
func add(t T, d *coverdb.Data) {
	t.Helper()
	process.Lock()
	defer process.Unlock()
	if err := process.data.Merge(d); err != nil {
		t.Errorf("%v", err)
	}
}

// Source is a file of a design, by the name that the model has for it.
type Source struct {
	Name string
	Text []byte
}

// AddCode collects what a Verilated model has counted, in the format of its coverage.dat, and which
// of its design's sources have code that is not counted. It does nothing without -sim.cover. File
// makes of the model's names paths from the module's root. Data that cannot be read fail the test;
// so do sources of one name that differ from those of an earlier model.
func AddCode(t T, file func(name string) string, sources []Source, data []byte) {
	t.Helper()
	if !Enabled() {
		return
	}
	d, err := coverdb.ParseVerilator("coverage.dat", file, data)
	if err != nil {
		t.Errorf("what the model has counted cannot be read: %v", err)
		return
	}
	counted := map[string]bool{}
	for p := range d.Code {
		counted[p.File] = true
	}
	for _, s := range sources {
		if name := file(s.Name); counted[name] || hasCode(s) {
			if err := d.AddFile(name, coverdb.Hash(s.Text)); err != nil {
				t.Errorf("%v", err)
				return
			}
		}
	}
	t.Cleanup(hold(t))
	add(t, d)
}

var (
	// What has no code: comments, and functions that are only declared.
	noCode = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/|\bimport\s*"[^"]*"[^;]*;`)
	code   = regexp.MustCompile(`\b(function|task|always|always_comb|always_ff|always_latch|initial)\b`)
)

// hasCode tells whether a source has code that is executed, as far as words tell.
func hasCode(s Source) bool {
	switch path.Ext(s.Name) {
	case ".sv", ".svh", ".v", ".vh": // include folders can hold anything
		return code.Match(noCode.ReplaceAll(s.Text, nil))
	}
	return false
}
