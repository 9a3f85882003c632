// Package fault plants faults in RTL, for tests that show that a testbench finds them.
package fault

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/cosimate/cosimate/sim"
)

var write = flag.String("fault.write", "", "write each fault to a folder in this one, instead of testing with it: for scripts/mutants")

// written counts the faults written.
var written atomic.Int32

// Plant returns the design with one fault: in its file of this base name the text old, which must
// stand there exactly once, is replaced by new. The files on disk stay as they are.
func Plant(t testing.TB, d sim.Design, file, old, new string) sim.Design {
	t.Helper()
	files, found := fstest.MapFS{}, false
	for _, name := range d.Files {
		text, err := fs.ReadFile(d.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		if path.Base(name) == file {
			found = true
			if n := strings.Count(string(text), old); n != 1 {
				t.Fatalf("%q stands %d times in %s, not once: the fault is out of date", old, n, name)
			}
			text = []byte(strings.Replace(string(text), old, new, 1))
			if *write != "" {
				writeFault(t, path.Join(d.Dir, name), text)
			}
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	if !found {
		t.Fatalf("%s is not a file of the design", file)
	}
	d.FS = files
	return d
}

// writeFault writes the file with the fault, and the test's name, and ends the test.
func writeFault(t testing.TB, name string, text []byte) {
	dir := filepath.Join(*write, fmt.Sprintf("%03d", written.Add(1)))
	for name, text := range map[string][]byte{filepath.Join("tree", name): text, "rule": []byte(t.Name() + "\n"), "file": []byte(name + "\n")} {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, text, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	t.Skip("the fault is written")
}
