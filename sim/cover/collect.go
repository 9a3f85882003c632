package cover

import (
	"flag"
	"path"
	"regexp"
	"sync"

	"github.com/cosimate/cosimate/sim/cover/coverdb"
	"github.com/cosimate/cosimate/sim/internal/module"
)

// dirFlag is a flag of go test for every package whose tests import this one.
var dirFlag = flag.String("sim.cover", "", "write coverage into this folder, relative to the module's root; cosimate cover reads it")

// Enabled reports whether coverage is collected, which -sim.cover asks for. Without it, code
// coverage need not be measured.
func Enabled() bool { return *dirFlag != "" }

// process is what this process has collected. The end of a test process calls nothing, but for a
// TestMain that every package would have to write. So the file is written anew whenever the last
// test ends that holds it. It is complete at every moment, also if the process is killed.
var process struct {
	sync.Mutex
	data  coverdb.Data
	name  string // of the file
	dir   string // of -sim.cover when the data was begun
	holds int    // tests that have not ended and hold the file
}

// begin begins new data if -sim.cover has another value than before: a process that runs its tests
// several times may have a folder for each run.
func begin() {
	if process.holds == 0 && process.dir != *dirFlag {
		process.data, process.name, process.dir = coverdb.Data{}, "", *dirFlag
	}
}

// hold keeps the file from being written until release, which reports to t.
func hold(t T) (release func()) {
	if !Enabled() {
		return func() {}
	}
	process.Lock()
	begin()
	process.holds++
	process.Unlock()
	// This does not call t.Helper: in a cleanup that a cleanup has registered, and whose callers
	// are all helpers, package testing searches the error's line without end.
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

// add adds data that test t has collected. Errors are reported to t.
func add(t T, d *coverdb.Data) {
	t.Helper()
	process.Lock()
	defer process.Unlock()
	if err := process.data.Merge(d); err != nil {
		t.Errorf("%v", err)
	}
}

// Source is a file of a design, under the name that the model has for it.
type Source struct {
	Name string
	Text []byte
}

// AddCode collects the counts of a Verilated model, in the format of its coverage.dat, and the
// sources of its design that have code without a count. Function file turns the model's names into
// paths from the module's root. The test fails if the data cannot be read, or if a source differs
// from one of the same name in an earlier model. Without -sim.cover, AddCode does nothing.
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
	// noCode matches texts without code: comments, and functions that are only declared.
	noCode = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/|\bimport\s*"[^"]*"[^;]*;`)
	code   = regexp.MustCompile(`\b(function|task|always|always_comb|always_ff|always_latch|initial)\b`)
)

// hasCode reports whether a source has code that is executed, by the keywords in it.
func hasCode(s Source) bool {
	switch path.Ext(s.Name) {
	case ".sv", ".svh", ".v", ".vh": // include folders can hold anything
		return code.Match(noCode.ReplaceAll(s.Text, nil))
	}
	return false
}
