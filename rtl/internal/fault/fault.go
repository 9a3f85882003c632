// Package fault plants faults in RTL, for tests that show that a testbench finds them.
package fault

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
)

// Plant returns the design with one fault: in one of its files the text old, which must stand
// there exactly once, is replaced by new. The files on disk stay as they are.
func Plant(t testing.TB, d sim.Design, file, old, new string) sim.Design {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range d.Files {
		text, err := fs.ReadFile(d.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		if name == file {
			if n := strings.Count(string(text), old); n != 1 {
				t.Fatalf("%q stands %d times in %s, not once: the fault is out of date", old, n, name)
			}
			text = []byte(strings.Replace(string(text), old, new, 1))
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	if files[file] == nil {
		t.Fatalf("%s is not a file of the design", file)
	}
	d.FS = files
	return d
}
